"""Questions about git: what changed by object, and an asset's life."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.client.engine import Engine
from assetdb.history.life import Event
from assetdb.mcp import revisions
from assetdb.mcp.revisions import _event_row
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.mcp.assistant import Assistant, assisting
from tests.assetdb.unity_project import make_project
from tests.needs import needs_git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = needs_git


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose player was renamed in the second of three commits, and whose level was deleted in the third."""
    root = make_project(tmp_path_factory.mktemp("git"))
    git(root, "init", "-q")
    commit(root, "the first")
    for end in ("", ".meta"):
        git(root, "mv", f"Assets/Prefabs/Player.prefab{end}", f"Assets/Prefabs/Hero.prefab{end}")
    scene = root / "Assets/Prefabs/Level.prefab"
    scene.write_text(scene.read_text().replace("m_Name: Level", "m_Name: Castle"))
    commit(root, "a new name")
    for end in ("", ".meta"):
        (root / f"Assets/Prefabs/Level.prefab{end}").unlink()
    commit(root, "no level any more")
    return root


@pytest.fixture(scope="module")
def assistant(root: Path) -> Iterator[Assistant]:
    with assisting(root) as assistant:
        yield assistant


def test_a_difference_is_told_by_object_with_what_reaches_it(assistant: Assistant) -> None:
    lines = assistant.call("diff", revisions="HEAD~2..HEAD~1").split("\n")
    assert lines[0].startswith("HEAD~2..HEAD~1: assets: 1 renamed, 1 changed")
    assert "renamed   Assets/Prefabs/Player.prefab -> Assets/Prefabs/Hero.prefab  (Prefab)" in lines
    assert any("m_Name" in line and "Level -> Castle" in line for line in lines)
    reached = [number for number, line in enumerate(lines) if line.startswith("reached by ")]
    assert reached == [1]
    inside = assistant.call("diff", revisions="HEAD~2..HEAD~1", paths=["Assets/Prefabs/Hero.prefab"])
    assert inside.startswith(("HEAD~2..HEAD~1: assets: 1 renamed; ", "HEAD~2..HEAD~1: assets: 1 renamed\n"))
    assert "changed   Assets/Prefabs/Level.prefab" not in inside
    assert assistant.call("diff") == "HEAD: nothing differs"


def test_a_life_goes_on_through_moves_and_ends_with_the_deletion(assistant: Assistant) -> None:
    head, moved, added = assistant.call("history", query="Hero.prefab").split("\n")
    assert head.startswith("Assets/Prefabs/Hero.prefab ")
    assert head.endswith(": 2 commits, the newest first")
    assert "moved  Assets/Prefabs/Player.prefab -> Assets/Prefabs/Hero.prefab  a new name" in moved
    assert added.endswith("added  Assets/Prefabs/Player.prefab  the first")
    assert assistant.call("history", query="Assets/Prefabs/Player.prefab").split("\n")[1:] == [moved, added]
    gone = assistant.call("history", query="Level.prefab").split("\n")
    assert [line.split("  ")[3] for line in gone[1:]] == ["deleted", "added"]
    every = assistant.call("history", query="Level.prefab", every=True).split("\n")
    assert [line.split("  ")[3] for line in every[1:]] == ["deleted", "changed", "added"]


def test_what_git_does_not_know_is_refused(assistant: Assistant) -> None:
    assert "nor did any commit have one" in assistant.refused("history", {"query": "Nothing.prefab"})
    assert "no-such-revision" in assistant.refused("diff", {"revisions": "no-such-revision"})
    assert assistant.refused("diff", {"revisions": "--output=x"})
    assert assistant.refused("history", {"query": "f" * 32}).startswith("nothing has the GUID ")


def test_a_life_that_is_cut_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(str(root))
    monkeypatch.setattr(revisions, "_MOST_EVENTS", 1)
    found = revisions.history({"query": "Hero.prefab"}, engine)
    assert found.summary.endswith(": 1 commit, the newest first, and older ones that are not listed")
    monkeypatch.setattr(revisions, "_MOST_EVENTS", 2)
    assert revisions.history({"query": "Hero.prefab"}, engine).summary.endswith(": 2 commits, the newest first")
    engine.close()


def test_a_change_that_is_not_committed_says_so() -> None:
    event = Event("", "", "2026-11-30T10:00:00", "", "", "moved", "Assets/a.mat")
    assert _event_row(event).startswith("not committed  2026-11-30  moved")
    assert _event_row(event._replace(short="abc1234")).startswith("abc1234  2026-11-30  moved")
