"""A check of an unchanged project prints its last output; after any change it prints as the first one would."""

from __future__ import annotations

import json
import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.review import checking
from tests.assetdb.checks.healthy import NATIVE, make_healthy, put, scriptable
from tests.needs import needs_modes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Checked = Callable[..., tuple[int, str, str]]

NOWHERE = "8f57b4a070f7b43bbb3925467e6752ab"
SHAPES = (
    *((), ("--json",), ("--verbose",), ("--statistics",), ("--quiet",)),
    *(("--format", shape) for shape in ("github", "gitlab", "junit", "markdown", "sarif")),
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_healthy(tmp_path / "Game", 1)
    target = f"  target: {{fileID: 2100000, guid: {NOWHERE}, type: 2}}\n"
    put(root, "Assets/Data/Refers.asset", scriptable("Assets/Scripts/Item.cs", "Refers", target), NATIVE)
    put(root, "Assets/Gone/Empty/a.txt", "x")
    (root / "Assets/New.txt").write_text("x")
    shutil.rmtree(root / "Assets/Gone/Empty")
    monkeypatch.chdir(root)
    assert main(["bake", "--quiet", "--keep-going"]) == 0
    return root


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One row for each output that was made and not printed again."""
    rows: list[bool] = []
    check_files = checking.check_files

    def counted(*arguments: object) -> int:
        rows.append(True)
        return check_files(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "check_files", counted)
    return rows


@pytest.fixture
def checked(capsys: pytest.CaptureFixture[str]) -> Checked:
    def ask(*words: str) -> tuple[int, str, str]:
        time.sleep(0.05)  # what is younger is not kept
        code = main(["check", *words])
        return code, *capsys.readouterr()

    capsys.readouterr()
    return ask


@pytest.mark.parametrize("words", SHAPES, ids=" ".join)
@pytest.mark.usefixtures("project")
def test_an_unchanged_check_prints_the_same(checked: Checked, made: list[bool], words: tuple[str, ...]) -> None:
    first = checked(*words)
    assert first[1]
    assert checked(*words) == first
    assert checked(*words) == first
    assert len(made) == 1


def _fresh(root: Path, checked: Checked) -> tuple[int, str, str]:
    shutil.rmtree(root / "Library/assetdb")
    assert main(["bake", "--quiet", "--keep-going"]) == 0
    return checked()


CHANGES: dict[str, Callable[[Path], object]] = {
    "asset": lambda root: put(root, "Assets/Data/None.asset", b"", NATIVE),
    "mended": lambda root: (root / "Assets/New.txt").unlink(),
    "hidden file": lambda root: (root / "Assets/Gone/.gitkeep").touch(),
    "settings": lambda root: (root / "assetdb.toml").write_text('[check.severity]\nmissing-meta = "warning"\n'),
    "rule": lambda root: (root / "assetdb.toml").write_text('[[rule]]\npaths = "Assets/**/*.asset"\nname = "Q_*"\n'),
    "baseline": lambda root: (
        (root / "assetdb.toml").write_text('[check]\nbaseline = "known.json"\n'),
        main(["check", "--write-baseline"]),
    ),
    "manifest": lambda root: (root / "Packages/manifest.json").write_text(
        '{"dependencies": {"com.a.b": "no version"}}'
    ),
    "tags": lambda root: (root / "ProjectSettings/TagManager.asset").write_text("%YAML 1.1\n"),
    "modes": lambda root: (root / "Assets/Data/Refers.asset").chmod(0o600),
}


@pytest.mark.parametrize(
    "change",
    [pytest.param(change, id=name, marks=needs_modes if name == "modes" else ()) for name, change in CHANGES.items()],
)
def test_after_a_change_it_prints_as_a_first_check(
    project: Path,
    checked: Checked,
    made: list[bool],
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Path], object],
) -> None:
    checked()
    change(project)
    capsys.readouterr()
    made.clear()
    now = checked()
    assert made
    assert now == _fresh(project, checked)


def test_a_directory_that_is_made_empty_again_is_told(project: Path, checked: Checked) -> None:
    kept = project / "Assets/Gone/.gitkeep"
    kept.touch()
    before = checked()
    kept.unlink()
    after = checked()
    assert after != before
    assert after == _fresh(project, checked)


@pytest.mark.usefixtures("project")
def test_other_options_have_an_output_of_their_own(checked: Checked, made: list[bool]) -> None:
    assert checked()[0] == 1
    assert checked("--exit-zero")[0] == 0
    assert checked("--ignore", "all")[1] == "all checks passed\n"
    assert checked()[0] == 1
    assert len(made) == 3


def test_the_counts_for_info_are_of_the_last_check(
    project: Path, checked: Checked, capsys: pytest.CaptureFixture[str]
) -> None:
    def errors() -> object:
        assert main(["info", "--json"]) == 0
        return json.loads(capsys.readouterr().out)["check"]["errors"]

    text = (project / "Assets/New.txt").read_bytes()
    status = (project / "Assets/New.txt").stat()
    checked()
    first = errors()
    (project / "Assets/New.txt").unlink()
    checked("--json")
    assert errors() != first
    (project / "Assets/New.txt").write_bytes(text)
    os.utime(project / "Assets/New.txt", ns=(status.st_atime_ns, status.st_mtime_ns))
    checked()
    assert errors() == first


@pytest.mark.usefixtures("project")
def test_a_larger_output_is_not_kept(checked: Checked, made: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assetdb.cli.review.check._LARGEST", 100)
    assert checked() == checked()
    assert len(made) == 2
