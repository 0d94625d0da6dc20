"""``assetdb check`` and ``assetdb rule`` as they are typed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import msgspec
import pytest

from assetdb.checks.mending.writing.journal import Rename, Write, begun, digest, write_journal
from assetdb.cli import main
from assetdb.diagnostics.codes import CODES
from assetdb.settings.project import CONFIGURATION_NAME, JOURNAL_NAME
from tests.assetdb.checks.healthy import NATIVE, guid_of, make_healthy, put, scriptable
from tests.needs import needs_git, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path

NOWHERE = "8f57b4a070f7b43bbb3925467e6752ab"
REFERS = "Assets/Data/Refers.asset"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one error of a reference, one of a file, and one warning."""
    root = make_healthy(tmp_path / "Game", 1)
    target = f"  target: {{fileID: 2100000, guid: {NOWHERE}, type: 2}}\n"
    put(root, REFERS, scriptable("Assets/Scripts/Item.cs", "Refers", target), NATIVE)
    (root / "Assets/New.txt").write_text("x")
    put(root, "Assets/Data/None.asset", b"", NATIVE)
    monkeypatch.chdir(root)
    return root


def rows_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 1) -> list[dict[str, object]]:
    assert main(["check", "--json", *words]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def codes_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 1) -> list[object]:
    return [row["code"] for row in rows_of(capsys, *words, code=code)]


def test_for_people(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "Assets/Data/Refers.asset",
        f"  7  error  missing-asset  Refers (Item): target: no asset has the GUID {NOWHERE}",
        "",
        "Assets/New.txt",
        "  error  missing-meta  has no .meta",
        "",
        "Assets/Data/None.asset",
        "  warning  empty-asset  the file is empty",
        "",
        f"1  error    missing-asset  {CODES['missing-asset'].advice}",
        f"1  error    missing-meta   {CODES['missing-meta'].advice}",
        f"1  warning  empty-asset    {CODES['empty-asset'].advice}",
        "",
        "found 2 errors and 1 warning",
        "1 fixable with --fix",
    ]


def test_nothing_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_healthy(tmp_path / "Game", 1)
    assert main(["check", "--project", str(root), "--fail-on", "warning"]) == 0
    assert capsys.readouterr().out == "all checks passed\n"
    shutil.rmtree(root / "Library", ignore_errors=True)
    assert main(["check", str(root), "-q"]) == 0
    assert capsys.readouterr() == ("", "")  # not even that it bakes


def test_exit_codes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--exit-zero"]) == 0
    assert main(["check", "--select", "empty-asset"]) == 0
    assert main(["check", "--select", "empty-asset", "--fail-on", "warning"]) == 1
    (project / CONFIGURATION_NAME).write_text('[check.severity]\nempty-asset = "note"\n')
    capsys.readouterr()
    assert main(["check", "--select", "empty-asset", "--fail-on", "warning"]) == 0
    assert capsys.readouterr().out.endswith("found 1 note\n")
    (project / CONFIGURATION_NAME).unlink()
    assert main(["check", "--ignore", "missing-asset,missing-meta", "--ignore", "empty-asset"]) == 0
    assert main(["check", "--project", str(project / "Assets")]) == 2
    (project / CONFIGURATION_NAME).write_text("[check]\nselct = []\n")
    assert main(["check"]) == 2
    assert "did you mean 'select'?" in capsys.readouterr().err


def test_json_has_all_of_a_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rows_of(capsys, REFERS) == [
        {
            "code": "missing-asset",
            "severity": "error",
            "path": REFERS,
            "message": f"no asset has the GUID {NOWHERE}",
            "line": 7,
            "object_path": "Refers (Item)",
            "property_path": "target",
            "asset": guid_of(REFERS),
            "anchor": 11400000,
            "target": f"{NOWHERE}:2100000",
            "fixable": False,
            "advice": CODES["missing-asset"].advice,
        }
    ]


def test_paths_and_codes_choose(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert codes_of(capsys, "Assets/Data") == ["empty-asset", "missing-asset"]
    assert codes_of(capsys, "*.txt", "Assets/Data/None.asset") == ["empty-asset", "missing-meta"]
    assert codes_of(capsys, "Assets/Art", code=0) == []
    monkeypatch.chdir(project / "Assets")
    assert codes_of(capsys, "Data", "--select", "missing-asset") == ["missing-asset"]
    assert codes_of(capsys, "--select", "all", ".") == ["empty-asset", "missing-asset", "missing-meta"]


def test_a_path_without_assets_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("Docs", "Assets/Samples~"):
        (project / folder).mkdir()
        (project / folder / "a.txt").write_text("")
    assert main(["bake", "-q"]) == 0
    for word in ("Docs", "Assets/Samples~", "Assets/*.nothing", "nothing.*"):
        assert main(["check", word, "Assets/Art"]) == 0
        found = capsys.readouterr()
        assert (found.out, found.err) == ("all checks passed\n", f"assetdb: no asset at {word}\n"), word
    assert main(["check", "-q", "Docs"]) == 0
    assert capsys.readouterr() == ("", "")
    for word in (".", "Assets", "Assets/Art", "Assets/Art.meta", "*.png", "ProjectSettings", "Packages/manifest.json"):
        assert main(["check", word, "--ignore", "all"]) == 0
        assert capsys.readouterr().err == "", word


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--select", "missing-aset"], "--select: there is no code 'missing-aset'; did you mean 'missing-asset'?"),
        (["--ignore", "x"], "--ignore: there is no code 'x'"),
        (["Assets/Nothing"], "Assets/Nothing: no such file or folder"),
        (["--format", "jsn"], "did you mean 'json'?"),
        (["--json", "--format", "sarif"], "cannot be combined"),
        (["--staged", "--since", "HEAD"], "cannot be combined"),
        (["--write-baseline", "--select", "dangling"], "leave out paths and options that select some"),
        (["--write-baseline", "Assets"], "leave out paths and options that select some"),
        (["--write-baseline", "--fix"], "cannot be combined"),
        (["--fix", "--staged"], "leave one out"),
        (["--fix", "--no-refresh"], "leave out --no-refresh"),
        (["--baseline", "nothing.json"], "there is no such baseline"),
    ],
)
def test_what_makes_no_sense_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["check", *words]) == 2
    assert message in capsys.readouterr().err


def test_statistics(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--statistics"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines[:3]] == [
        ["1", "empty-asset", "warning"],
        ["1", "missing-asset", "error"],
        ["1", "missing-meta", "error"],
    ]
    assert lines[3] == "found 2 errors and 1 warning"
    assert [row["count"] for row in rows_of(capsys, "--statistics")] == [1, 1, 1]


def test_a_baseline_of_fewer_or_other_codes_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As after an upgrade: a code that came fails with the reason, one that went is not taken for fixed."""
    assert main(["check", "--write-baseline"]) == 0
    place = project / "assetdb-baseline.json"
    document = json.loads(place.read_text())
    whole = len(document["findings"])
    document["codes"].remove("missing-meta")
    document["codes"].append("former-code")
    document["findings"] = [row for row in document["findings"] if row["code"] != "missing-meta"]
    document["findings"].append({"code": "former-code", "file": "Assets/New.txt", "count": 4})
    gone = whole + 1 - len(document["findings"])
    place.write_text(json.dumps(document))
    capsys.readouterr()
    assert main(["check", "--baseline", str(place)]) == 1
    said = capsys.readouterr().err
    assert f"{gone} finding{'s' * (gone > 1)} (missing-meta {gone}) of codes that were not checked when" in said
    assert "4 findings (former-code 4) in assetdb-baseline.json of codes that are not checked now" in said
    assert "no longer occur" not in said
    del document["codes"]
    place.write_text(json.dumps(document))
    main(["check", "--baseline", str(place)])
    said = capsys.readouterr().err
    assert f"(missing-meta {gone}) of codes that assetdb-baseline.json has none of, nor says whether they were" in said
    assert main(["check", "--baseline", str(place), "--write-baseline"]) == 0
    capsys.readouterr()
    assert main(["check", "--baseline", str(place)]) == 0
    assert "of codes that" not in capsys.readouterr().err


def test_a_baseline_lets_only_what_is_new_fail(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--write-baseline"]) == 0
    assert (
        "wrote 3 findings to assetdb-baseline.json; --baseline assetdb-baseline.json leaves them out"
        in capsys.readouterr().err
    )
    assert main(["check", "--baseline", "assetdb-baseline.json"]) == 0
    assert "3 known findings are left out" in capsys.readouterr().err
    assert main(["check"]) == 1  # only what is named counts
    (project / CONFIGURATION_NAME).write_text('[check]\nbaseline = "debt/old.json"\n')
    (project / "debt").mkdir()
    assert main(["check"]) == 2
    assert "there is no such baseline" in capsys.readouterr().err
    assert main(["check", "--write-baseline"]) == 0
    assert "leaves them out" not in capsys.readouterr().err
    (project / "Assets/New.txt").unlink()
    (project / "Assets/Newer.txt").write_text("x")
    assert codes_of(capsys) == ["missing-meta"]
    assert main(["check", "--quiet"]) == 1
    assert capsys.readouterr().err == ""
    assert main(["check"]) == 1
    assert "1 of it no longer occur: --write-baseline drops them" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../debt.json", "Assets/debt.json", "/tmp/debt.json", ".git/debt.json"])  # noqa: S108 - refused
def test_a_project_can_only_name_a_baseline_inside_itself(
    project: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (project / CONFIGURATION_NAME).write_text(f'[check]\nbaseline = "{name}"\n')
    assert main(["check", "--write-baseline"]) == 2
    assert "it must be a path inside the project" in capsys.readouterr().err


def test_the_project_says_what_counts(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / CONFIGURATION_NAME).write_text(
        '[check]\nignore = ["missing-asset"]\n[check.per-path-ignores]\n"*.txt" = ["all"]\n'
        '[check.severity]\nempty-asset = "error"\n'
    )
    assert [(row["code"], row["severity"]) for row in rows_of(capsys)] == [("empty-asset", "error")]
    assert codes_of(capsys, "--select", "missing-asset") == ["missing-asset"]  # the command line goes before
    assert codes_of(capsys, "--ignore", "empty-asset", code=0) == []


def test_reports_are_written_whole(project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    sarif, junit, gitlab = tmp_path / "a.sarif", tmp_path / "a.xml", tmp_path / "a.json"
    assert main(["check", "--format", "sarif", "--output", str(sarif)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "assetdb: found 2 errors and 1 warning, 1 fixable with --fix (in " in said.err
    run = json.loads(sarif.read_text())["runs"][0]
    places = [row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for row in run["results"]]
    assert places == ["Game/Assets/Data/None.asset", f"Game/{REFERS}", "Game/Assets/New.txt"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} >= {"dangling", "missing-script"}
    assert main(["check", "--format", "junit", "--output", str(junit), "-q"]) == 1
    assert capsys.readouterr().err == ""
    assert ET.fromstring(junit.read_text()).get("failures") == "2"  # noqa: S314 - our own
    assert main(["check", "--format", "junit", "--output", str(junit), "-q", "--fail-on", "warning"]) == 1
    assert ET.fromstring(junit.read_text()).get("failures") == "3"  # noqa: S314 - our own
    assert main(["check", "--format", "gitlab", "--output", str(gitlab)]) == 1
    assert [row["location"]["path"] for row in json.loads(gitlab.read_text())] == places
    assert main(["check", "--format", "github"]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::")]
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::error", "::warning"]
    assert f"file=Game/{REFERS},line=7,title=missing-asset" in lines[0]
    assert main(["check", "--output", str(tmp_path / "nothing" / "a.txt")]) == 2


def test_a_report_to_a_pipe_replaces_nothing(project: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("it has no /dev/stdout")
    words = [sys.executable, "-m", "assetdb", "check", "--json", "--output", "/dev/stdout"]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 3
    assert not os.path.isfile("/dev/stdout") or os.path.islink("/dev/stdout")


def test_fixing_shows_what_is_left(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--dry-run"]) == 1
    assert "+++ b/Assets/New.txt.meta" in capsys.readouterr().out
    assert not (project / "Assets/New.txt.meta").exists()
    assert main(["check", "--fix"]) == 1
    out, err = capsys.readouterr()
    assert "assetdb: mended: Assets/New.txt: missing-meta: " in err
    assert (project / "Assets/New.txt.meta").exists()
    assert out.splitlines()[-1] == "found 1 error and 1 warning; 1 mended"
    assert "missing-meta" not in out
    assert codes_of(capsys) == ["empty-asset", "missing-asset"]


@pytest.mark.parametrize("words", [["--json"], ["--format", "sarif"], ["--output", "a.txt"]])
def test_a_diff_is_no_report(project: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["check", "--dry-run", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "--dry-run prints a diff" in said.err
    assert not (project / "a.txt").exists()


@needs_git
def test_what_is_gone_is_told_by_git(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git = ["git", "-c", "user.name=T", "-c", "user.email=t@example.com"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], cwd=project, check=True, capture_output=True)
    for name in ("Assets/Scripts/Health.cs", "Assets/Scripts/Health.cs.meta"):
        (project / name).unlink()
    assert main(["check", "--select", "missing-script"]) == 1
    said = f"no script has the GUID {guid_of('Assets/Scripts/Health.cs')}"
    assert f"{said}: was Assets/Scripts/Health.cs and its deletion is not committed" in capsys.readouterr().out
    subprocess.run([*git, "commit", "-q", "-a", "-m", "two"], cwd=project, check=True, capture_output=True)
    commit = subprocess.run(
        [*git, "rev-parse", "--short", "HEAD"], cwd=project, check=True, capture_output=True, text=True
    ).stdout.strip()
    (row,) = rows_of(capsys, "--select", "missing-script")
    assert row["message"] == f"{said}: was Assets/Scripts/Health.cs until {commit}"
    assert row["object_path"] == "Enemy0 (MonoBehaviour)"


def test_as_of_the_last_bake(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", "-q"]) == 0
    (project / "Assets/Newer.txt").write_text("x")
    assert codes_of(capsys, "--select", "missing-meta", "--no-refresh") == ["missing-meta"]
    assert len(codes_of(capsys, "--select", "missing-meta")) == 2
    (project / "Library/assetdb/asset-db.cache").unlink()  # then there has to be a look
    assert len(codes_of(capsys, "--select", "missing-meta", "--no-refresh")) == 2


def test_a_rule_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "missing-script", "Dangling"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("missing-script (error)\n\n")
    assert "\n\ndangling (error)\n" in out
    assert "How to fix it: Assign the reference again" in out
    assert main(["rule", "--all", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["code"] for row in rows] == sorted(CODES)
    assert rows[0].keys() == {"code", "severity", "advice", "meaning", "why", "example", "mend"}
    assert main(["rule", "--all"]) == 0
    assert main(["rule", "dangeling"]) == 1
    assert "did you mean 'dangling'?" in capsys.readouterr().err
    assert main(["rule"]) == 2


def test_what_a_killed_fix_left_half_done_is_undone_and_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = "Assets/Half.txt.meta"
    (project / path).write_bytes(b"half")
    step = Write(path, None, digest(b"half"))
    write_journal(str(project), begun(str(project), (step,), ()))
    assert main(["check", "--fix", "--select", "orphan-meta"]) == 0
    assert f"undid an unfinished change: {path}" in capsys.readouterr().err
    assert not (project / path).exists()


def test_a_change_that_was_left_half_done_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Assets/Moved.txt").write_text("m")
    main(["bake", "-q", "--keep-going"])
    step = Rename("Assets/Was.txt", "Assets/Moved.txt", sha256(b"m").hexdigest())
    write_journal(str(project), begun(str(project), (step,), ()))
    capsys.readouterr()
    assert main(["check", "--dry-run"]) == 1
    assert "was interrupted" in capsys.readouterr().err
    assert not (project / "Assets/Was.txt").exists()
    for words in (["mv", "Assets/New.txt", "Assets/N.txt"], ["rm", "Assets/New.txt"], ["register", "Assets/New.txt"]):
        assert main([*words, "--dry-run"]) == 0
        assert "was interrupted" in capsys.readouterr().err
        assert not (project / "Assets/Was.txt").exists()
    assert main(["check", "--fix", "-q"]) == 1
    assert "assetdb: undid an unfinished change: Assets/Moved.txt" in capsys.readouterr().err
    assert (project / "Assets/Was.txt.meta").exists()
    assert not (project / "Assets/Moved.txt").exists()


def test_a_journal_that_is_not_believed_is_said_with_the_reason(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = begun(str(project), (Write("Assets/Half.txt", None, digest(b"half")),), ())
    write_journal(str(project), msgspec.structs.replace(journal, folder="0 0"))
    assert main(["check", "--select", "left-behind"]) == 1
    said = capsys.readouterr()
    assert "not believed: it was written in another folder" in said.err
    assert "undoes it" in said.err
    assert "or says why it does not believe" in said.out
    assert main(["check", "--fix", "--select", "left-behind"]) == 2
    assert "not believed: it was written in another folder" in capsys.readouterr().err
    (project / JOURNAL_NAME).write_bytes(b"{")
    assert main(["check", "--select", "left-behind"]) == 1
    assert "is damaged" in capsys.readouterr().err


def test_a_baseline_replaces_nothing_but_a_baseline(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "--write-baseline", "--baseline", "Assets/New.txt"]
    assert main(words) == 2
    assert "New.txt is not a baseline, and is not overwritten" in capsys.readouterr().err
    assert (project / "Assets/New.txt").read_text() == "x"
    path = project / "assetdb-baseline.json"
    for there in (b"", b'<<<<<<< ours\n{"version": 1, "findings": [\n'):  # what a merge has left
        path.write_bytes(there)
        assert main(["check", "--write-baseline"]) == 0
        assert main(["check", "--baseline", path.name]) == 0


@needs_pipes
def test_what_is_not_mended_is_named_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(project / "Assets/pipe.prefab")
    main(["check", "--fix", "--select", "missing-meta"])
    assert "assetdb: not mended: Assets/pipe.prefab: missing-meta: is no file" in capsys.readouterr().err.splitlines()


@needs_pipes
def test_what_gets_no_meta_is_not_fixable(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(project / "Assets/pipe.prefab")
    rows = rows_of(capsys, "--select", "missing-meta")
    assert {row["path"]: row["fixable"] for row in rows} == {"Assets/New.txt": True, "Assets/pipe.prefab": False}
