"""``assetdb register`` as it is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from assetdb.checks.mending.writing.journal import Write, begun, digest, write_journal
from assetdb.cli import main
from assetdb.settings.project import JOURNAL_NAME
from tests.assetdb.history.git_project import commit, git
from tests.needs import needs_cases, needs_links

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(project: Path) -> Path:
    (project / "Assets/New/Deep").mkdir(parents=True)
    (project / "Assets/New/Deep/a.cs").write_text("class A {}")
    (project / "Assets/New/Deep/.DS_Store").write_bytes(b"Bud1")
    (project / "Assets/New/Hidden~").mkdir()
    (project / "Assets/New/Hidden~/b.cs").write_text("class B {}")
    return project


def metas(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / "Assets/New").rglob("*.meta"))


def test_a_file_and_the_folders_above_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "Assets/New/Deep/a.cs"]) == 0
    assert (project / "Assets/New.meta").exists()
    assert metas(project) == ["Assets/New/Deep.meta", "Assets/New/Deep/a.cs.meta"]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["Assets/New", "Assets/New/Deep", "Assets/New/Deep/a.cs"]
    assert main(["guid", "Assets/New/Deep/a.cs"]) == 0
    assert capsys.readouterr().out.strip() == lines[2].split("  ")[1]
    assert main(["register", "Assets/New/Deep/a.cs"]) == 0
    assert capsys.readouterr().out == ""


def test_a_folder_and_what_is_in_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "Assets")
    assert main(["register", "New/"]) == 0
    assert metas(project) == ["Assets/New/Deep.meta", "Assets/New/Deep/a.cs.meta"]


def test_the_meta_that_git_has_comes_back(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "Assets/New"]) == 0
    git(project, "init", "-q")
    commit(project)
    meta = project / "Assets/New/Deep/a.cs.meta"
    before = meta.read_bytes()
    meta.unlink()
    assert main(["register", "Assets/New"]) == 0
    assert meta.read_bytes() == before
    meta.unlink()
    assert main(["register", "--new-guid", "Assets/New"]) == 0
    assert meta.read_bytes() != before
    assert "Assets/New/Deep/a.cs  " in capsys.readouterr().out


def test_a_meta_that_was_left_behind_is_not_replaced(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "Assets/New"]) == 0
    (project / "Assets/New/Deep/a.cs").rename(project / "Assets/New/Deep/z.cs")
    assert main(["register", "Assets/New"]) == 1
    assert "rename it to Assets/New/Deep/z.cs.meta" in capsys.readouterr().err
    assert not (project / "Assets/New/Deep/z.cs.meta").exists()


def test_json_and_nothing_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "--json", "--dry-run", "Assets/New"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["path"], row["importer"]) for row in rows] == [
        *(("Assets/New", "DefaultImporter"), ("Assets/New/Deep", "DefaultImporter")),
        ("Assets/New/Deep/a.cs", "MonoImporter"),
    ]
    assert main(["register", "--dry-run", "Assets/New"]) == 0
    out = capsys.readouterr().out
    assert "+++ b/Assets/New/Deep/a.cs.meta\n@@ -0,0 +1,11 @@\n+fileFormatVersion: 2\n" in out
    assert metas(project) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Assets/New/Hidden~/b.cs"], "Unity does not see Hidden~"),
        (["Assets"], "is not an asset"),
        (["ProjectSettings"], "is not an asset"),
        (["Assets/none"], "no such file or folder"),
        (["Assets/Main.unity.meta"], "belongs to an asset"),
        ([".."], "is not in the project"),
        ([], "PATH"),
    ],
)
def test_what_cannot_be_registered(
    project: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["register", *words]) == 2
    assert message in capsys.readouterr().err
    assert metas(project) == []


@needs_cases
def test_a_meta_in_another_case_is_no_missing_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Assets/Scripts/Health.cs.meta").rename(project / "Assets/Scripts/HEALTH.cs.meta")
    assert main(["register", "Assets/Scripts"]) == 1
    assert "its meta is called Assets/Scripts/HEALTH.cs.meta: rename it" in capsys.readouterr().err
    assert not (project / "Assets/Scripts/Health.cs.meta").exists()


@needs_links
def test_what_cannot_be_written_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Assets/New/link").symlink_to(project / "Assets/Scripts")
    (project / "Assets/New/file.cs").symlink_to(project / "Assets/Scripts/Health.cs")
    assert main(["register", "Assets/New"]) == 1
    found = capsys.readouterr()
    assert "Assets/New/link: is a link" in found.err
    assert "Assets/New/file.cs: is a link" in found.err
    assert metas(project) == ["Assets/New/Deep.meta", "Assets/New/Deep/a.cs.meta"]


@pytest.mark.parametrize(
    "words",
    [
        ("register", "Assets/New"),
        ("mv", "Assets/New/Deep/a.cs", "Assets/New/b.cs"),
        ("rm", "Assets/New/Deep/a.cs"),
    ],
    ids=" ".join,
)
def test_an_unfinished_change_of_another_place_is_undone_when_the_user_says_so(
    project: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    half = project / "Assets/New/Half.txt"
    half.write_bytes(b"new")
    journal = begun(str(project), (Write("Assets/New/Half.txt", b"old", digest(b"new"), 0o644),), ())
    write_journal(str(project), msgspec.structs.replace(journal, folder="0 0"))  # the folder was moved to another disk
    assert main(["register", "Assets/New/Deep", "--dry-run"]) == 0
    assert "not believed: it was written in another folder" in capsys.readouterr().err
    assert main([*words]) == 2
    assert "undoes it" in capsys.readouterr().err
    assert half.read_bytes() == b"new"
    assert main([*words, "--trust-journal"]) == 0
    assert "undid an unfinished change: Assets/New/Half.txt" in capsys.readouterr().err
    assert half.read_bytes() == b"old"
    assert not (project / JOURNAL_NAME).exists()
