"""What the scan says of files, as findings; folders that a folder which is gone leaves empty are said whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.files import file_findings
from assetdb.diagnostics import Diagnostic
from assetdb.diagnostics.codes import CODES
from tests.assetdb.checks.healthy import FOLDER, put_meta

if TYPE_CHECKING:
    from pathlib import Path


def gone(*paths: str) -> list[Diagnostic]:
    return [Diagnostic("missing-directory", f"{path}.meta", 0, "its folder is not there") for path in paths]


def told(root: Path, found: list[Diagnostic]) -> dict[str, str]:
    return {row.path: row.message for row in file_findings(str(root), found, CODES)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """``Assets/A/B`` holds nothing but the metas of C and D, which are not there."""
    (tmp_path / "Assets/A/B").mkdir(parents=True)
    for path in ("Assets/A", "Assets/A/B", "Assets/A/B/C", "Assets/A/B/D"):
        put_meta(tmp_path, path, FOLDER)
    return tmp_path


def test_a_chain_is_said_to_its_top(project: Path) -> None:
    found = told(project, gone("Assets/A/B/C", "Assets/A/B/D"))
    said = "its folder is not there, and with it Assets/A holds nothing: delete the metas of all of them"
    assert found == {"Assets/A/B/C.meta": said, "Assets/A/B/D.meta": said}


def test_a_branching_chain(project: Path) -> None:
    (project / "Assets/A/E").mkdir()
    put_meta(project, "Assets/A/E", FOLDER)
    put_meta(project, "Assets/A/E/F", FOLDER)
    found = told(project, gone("Assets/A/B/C", "Assets/A/B/D", "Assets/A/E/F"))
    assert {message.partition("with it ")[2].split(" ")[0] for message in found.values()} == {"Assets/A"}


@pytest.mark.parametrize("kept", ["Assets/A/keep.txt", "Assets/A/.gitkeep"])
def test_what_holds_something_is_not_emptied(project: Path, kept: str) -> None:
    (project / kept).write_text("")
    found = told(project, gone("Assets/A/B/C", "Assets/A/B/D"))
    assert all("with it Assets/A/B holds nothing" in message for message in found.values())


def test_one_folder_alone_empties_nothing(project: Path) -> None:
    assert told(project, gone("Assets/A/B/C")) == {"Assets/A/B/C.meta": "its folder is not there"}
    assert told(project, gone("Assets/X")) == {"Assets/X.meta": "its folder is not there"}


def test_only_what_is_wanted_and_of_the_project() -> None:
    found = [
        Diagnostic("missing-meta", "Assets/Folder/", 0, "has no .meta"),
        Diagnostic("no-file-locks", "/out/asset-db.lock", 0, "cannot be locked"),
        Diagnostic("conflict-markers", "Assets/A.asset", 7, "an unresolved merge"),
    ]
    rows = list(file_findings("/nowhere", found, CODES))
    assert [(row.code, row.severity, row.path, row.line) for row in rows] == [
        ("missing-meta", "warning", "Assets/Folder", 0),
        ("conflict-markers", "error", "Assets/A.asset", 7),
    ]
    assert list(file_findings("/nowhere", found, {"dangling"})) == []


@pytest.mark.parametrize(
    ("path", "severity"),
    [
        ("Assets/Art/Tree.PNG", "error"),
        ("Assets/Data/Items.asset", "error"),
        ("Assets/Scripts/Door.cs", "error"),
        ("Assets/Plugins/native/src/lib.rs", "warning"),
        ("Assets/Plugins/native/Makefile", "warning"),
        ("Assets/Art.v2/", "warning"),
    ],
)
def test_a_missing_meta_is_an_error_where_others_may_refer_to_the_file(path: str, severity: str) -> None:
    (found,) = file_findings("/nowhere", [Diagnostic("missing-meta", path, 0, "has no .meta")], CODES)
    assert found.severity == severity


def test_settings_and_baseline_of_a_package_need_no_meta(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "com.acme.tools"}')
    (tmp_path / "known.json").write_text('{"version": 1, "findings": []}')
    (tmp_path / "other.json").write_text('{"findings": 3}')
    names = ("assetdb.toml", "known.json", "other.json", "Runtime/assetdb.toml", "absent.json")
    found = [Diagnostic("missing-meta", f"Packages/com.acme.tools/{name}", 0, "has no .meta") for name in names]
    assert [path.rpartition("tools/")[2] for path in told(tmp_path, found)] == list(names[2:])
    (tmp_path / "ProjectSettings").mkdir()
    inside = [Diagnostic("missing-meta", "Assets/assetdb.toml", 0, "has no .meta")]
    assert list(told(tmp_path, [*found, *inside])) == [item.path for item in (*found, *inside)]
