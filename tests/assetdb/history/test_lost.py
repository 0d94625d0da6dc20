"""What had the GUIDs that nothing has any more is told by one walk through the history."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.checks.finding import Finding
from assetdb.checks.lost import with_history
from assetdb.history import lost
from assetdb.history.git import Held
from assetdb.history.lost import last_holders
from tests.assetdb.checks.healthy import guid_of, make_healthy, put

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.query.snapshot import Snapshot


def git(root: Path, *words: str) -> str:
    own = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false")
    return subprocess.run(["git", *own, "-C", root, *words], check=True, capture_output=True, text=True).stdout.strip()


def commit(root: Path, message: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "--short", "HEAD")


def remove(root: Path, path: str) -> None:
    (root / path).unlink()
    (root / f"{path}.meta").unlink()


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A project below the top of its repository, with a history of losses."""
    git(tmp_path, "init", "-q")
    root = make_healthy(tmp_path / "Game Jam")
    put(root, "Assets/Ümläut/Old One.cs", "class Old {}")
    commit(tmp_path, "one")
    return root


def test_deleted_moved_and_retyped(history: Path) -> None:
    old = guid_of("Assets/Ümläut/Old One.cs")
    (history / "Assets/Scripts/Old.cs").write_bytes((history / "Assets/Ümläut/Old One.cs").read_bytes())
    (history / "Assets/Scripts/Old.cs.meta").write_bytes((history / "Assets/Ümläut/Old One.cs.meta").read_bytes())
    remove(history, "Assets/Ümläut/Old One.cs")
    commit(history, "moved")
    remove(history, "Assets/Scripts/Old.cs")
    deleted = commit(history, "deleted")
    meta = history / "Assets/Scripts/Health.cs.meta"
    meta.write_text(meta.read_text().replace(guid_of("Assets/Scripts/Health.cs"), "1" * 31 + "2"))
    retyped = commit(history, "retyped")
    remove(history, "Assets/Scripts/Item.cs")
    wanted = {old, guid_of("Assets/Scripts/Health.cs"), guid_of("Assets/Scripts/Item.cs"), guid_of("nothing")}
    expected = {
        old: Held("Assets/Scripts/Old.cs", deleted),
        guid_of("Assets/Scripts/Health.cs"): Held("Assets/Scripts/Health.cs", retyped),
        guid_of("Assets/Scripts/Item.cs"): Held("Assets/Scripts/Item.cs", ""),
    }
    assert last_holders(str(history), wanted) == expected
    for guid in wanted:
        assert last_holders(str(history), [guid]).get(guid) == expected.get(guid)


def test_the_path_is_the_one_that_it_had_last(history: Path) -> None:
    remove(history, "Assets/Ümläut/Old One.cs")
    deleted = commit(history, "deleted")
    found = last_holders(str(history), [guid_of("Assets/Ümläut/Old One.cs")])
    assert found == {guid_of("Assets/Ümläut/Old One.cs"): Held("Assets/Ümläut/Old One.cs", deleted)}


def test_many_guids_are_picked_out_here(history: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove(history, "Assets/Scripts/Item.cs")
    deleted = commit(history, "deleted")
    wanted = [guid_of(f"nothing {number}") for number in range(5)] + [guid_of("Assets/Scripts/Item.cs")]
    few = last_holders(str(history), wanted)
    monkeypatch.setattr(lost, "_MOST_IN_PATTERN", 2)
    assert last_holders(str(history), wanted) == few == {wanted[-1]: Held("Assets/Scripts/Item.cs", deleted)}


def test_where_git_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_healthy(tmp_path / "Game")
    guid = guid_of("Assets/Scripts/Item.cs")
    assert last_holders(str(root), [guid]) == {}  # no repository
    git(root, "init", "-q")
    assert last_holders(str(root), [guid]) == {}  # no commit
    commit(root, "one")
    assert last_holders(str(root), [guid]) == {guid: Held("Assets/Scripts/Item.cs", "")}
    assert last_holders(str(root), [guid], timeout=0.0) in ({}, {guid: Held("Assets/Scripts/Item.cs", "")})
    assert last_holders(str(root), []) == last_holders(str(root), ["no guid", "x" * 32]) == {}
    monkeypatch.setenv("PATH", "")
    assert last_holders(str(root), [guid]) == {}


def test_a_commit_that_is_cut_off_is_not_told() -> None:
    lines = [b"\0abc\n", b"--- a/Assets/A.meta\n", b"-guid: " + b"1" * 32 + b"\n"]
    assert list(lost._commits(lines)) == []
    assert list(lost._commits([*lines, b"\0"])) == [("abc", {"1" * 32: "Assets/A.meta"}, {})]


class Losses:
    """What knows of two GUIDs, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self.losses = self

    def held(self, guid: str) -> Held | None:
        self.asked.add(guid)
        known = {"a" * 31 + "1": Held("Assets/Old/X.cs", "3f2c1ab"), "a" * 31 + "2": Held("Assets/Y.mat", "")}
        return known.get(guid)


def test_findings_are_told_what_was_there() -> None:
    project = Losses()
    rows = [
        Finding("missing-script", "error", "Assets/A.prefab", "gone", target="a" * 31 + "1:11500000"),
        Finding("missing-asset", "error", "Assets/A.prefab", "gone", target="a" * 31 + "2"),
        Finding("missing-asset", "error", "Assets/A.prefab", "gone", target="a" * 31 + "3"),
        Finding("dangling", "error", "Assets/A.prefab", "gone", target="a" * 31 + "1:5"),
        Finding("asmdef-reference", "warning", "Assets/A.asmdef", "gone", target="Game.Data"),
    ]
    found = with_history(cast("Snapshot", project), rows)
    assert [row.message for row in found] == [
        "gone: was Assets/Old/X.cs until 3f2c1ab",
        "gone: was Assets/Y.mat and its deletion is not committed",
        *["gone"] * 3,
    ]
    assert project.asked == {"a" * 31 + "1", "a" * 31 + "2", "a" * 31 + "3"}
    assert with_history(cast("Snapshot", project), rows[3:]) == tuple(rows[3:])


def test_what_is_known_is_not_looked_up() -> None:
    project = Losses()
    rows = [
        Finding("missing-script", "error", "Assets/A.prefab", "gone", target="a" * 31 + "1:11500000"),
        Finding("missing-asset", "error", "Assets/A.prefab", "gone", target="a" * 31 + "3"),
    ]
    found = with_history(cast("Snapshot", project), rows, {"a" * 31 + "1": Held("Assets/X.cs", "")})
    assert [row.message for row in found] == ["gone: was Assets/X.cs and its deletion is not committed", "gone"]
    assert project.asked == {"a" * 31 + "3"}
