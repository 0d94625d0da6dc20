"""The history of a page's assets is that of ``assetdb history``."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.errors import HistoryError
from assetdb.query.snapshots.snapshot import open_project
from assetdb.report import history
from assetdb.report.network import network_of
from tests.assetdb.history.git_project import commit, make_repository, meta_of
from tests.assetdb.unity_project import make_project
from tests.report_page import read_page

if TYPE_CHECKING:
    from pathlib import Path

TOWER, KEEP = "Assets/Prefabs/Tower.prefab", "Assets/Forts/Keep.prefab"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_repository(tmp_path / "R")
    for number in range(3):
        (root / TOWER).write_bytes((root / TOWER).read_bytes() + b"\n")
        commit(root, f"edit {number} {'x' * 200}")
    (root / "Assets/Forts").mkdir()
    for one, other in ((root / TOWER, root / KEEP), (meta_of(root / TOWER), meta_of(root / KEEP))):
        one.rename(other)
    commit(root, "move")
    meta_of(root / "Assets/Deep/Down/Here/well.prefab").rename(meta_of(root / "Assets/Deep/well.prefab"))
    (root / "Assets/Deep/Down/Here/well.prefab").rename(root / "Assets/Deep/well.prefab")
    monkeypatch.chdir(root)
    return root


def changes(found: dict[str, Any]) -> list[list[dict[str, str]]]:
    """Read the columns a second time: the changes of each asset."""
    rows, at = [], 0
    old_paths = dict(zip(found["moved"], found["old_paths"], strict=True))
    for count in found["counts"]:
        end = at + min(count, found["most"])
        commits = [number - 1 for number in accumulate(found["commit"][at:end])]
        rows.append(
            [
                {
                    **{name: found["commits"][name][number] if number >= 0 else "" for name in found["commits"]},
                    "change": found["words"][int(found["change"][place])],
                    "old_path": old_paths.get(place, ""),
                }
                for place, number in enumerate(commits, start=at)
            ]
        )
        at = end
    assert at == len(found["commit"]) == len(found["change"])
    return rows


def test_changes_are_those_of_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "-q", "-o", "../page.html"]) == 0
    page = read_page(root.parent / "page.html")
    found = changes(page.facts["history"])
    assert len(found) == len(page.bytes)
    for path, rows in zip(page.paths, found, strict=False):
        capsys.readouterr()
        assert main(["history", path, "--all", "--json", "-q"]) == 0
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert rows == [
            {
                **{name: event[name] for name in ("short", "author", "change", "old_path")},
                "day": event["time"][:10],
                "subject": event["subject"][:100] if event["commit"] else "",
            }
            for event in events
        ]
    assert [len(rows) for path, rows in zip(page.paths, found, strict=False) if path == KEEP] == [5]
    assert page.facts["history"]["cut"] is False


def test_changes_of_all_assets_have_a_budget(root: Path) -> None:
    project = open_project(str(root))
    network = network_of(project)
    whole = history.history_facts(project, network)
    assert whole is not None
    count = len(changes(whole))
    for most, kept in ((count, 1), (0, 0)):
        found = history.history_facts(project, network, most)
        assert found is not None
        assert found["counts"] == whole["counts"]
        assert found["most"] == kept
        assert [rows[:kept] for rows in changes(whole)] == changes(found)


def test_without_a_repository_or_with_one_that_git_refuses(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise HistoryError(f"git log in {root}: no")

    monkeypatch.setattr(history, "lives_of", refuse)
    assert main(["report", "-q", "-o", "../page.html"]) == 0
    assert read_page(root.parent / "page.html").facts["history"] == {"is_read": False}
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    alone = make_project(tmp_path / "P")
    assert main(["report", "-q", "--project", str(alone), "-o", "../page.html"]) == 0
    assert read_page(root.parent / "page.html").facts["history"] is None
