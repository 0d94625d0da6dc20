"""Players of clips are kept for each prefab, and found again in those alone that changed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from assetdb.checks.rules.content import players
from assetdb.checks.rules.content.players import Players
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import PREFAB, guid_of, put
from tests.assetdb.unity_project import HEAD, component, game_object

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

CLIP = "Assets/Open.anim"
PLACES = ("Assets/A.prefab", "Assets/B.prefab")


def door(root: Path, path: str, child: str) -> None:
    played = f"{{fileID: 7400000, guid: {guid_of(CLIP)}, type: 2}}"
    own = component(111, 3, 1, "Animation", f"  m_Animation: {played}\n")
    put(root, path, HEAD + game_object(1, "Door", 0, own) + game_object(4, child, 2), PREFAB)


class Looks:
    """The prefabs that were opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.guids: list[str] = []
        find = players._place_of

        def counted(view: View, guid: str) -> object:
            self.guids.append(guid)
            return find(view, guid)

        monkeypatch.setattr(players, "_place_of", counted)

    def of(self, root: Path, out: Path) -> tuple[dict[str, list[str]], list[str]]:
        """Return the paths below the players of each prefab, and which prefabs were opened, in a new process' memo."""
        self.guids.clear()
        project = open_project(str(root), str(out))
        memo = memo_of(project)
        known = Players(View(memo.inputs(project)))
        found = {}
        for guid, played in (known.places_of(guid_of(CLIP)) or {}).items():
            rows = known.players_in(guid, played) or []
            found[guid] = [path for row in rows for path in sorted(row.paths)]
        memo.write()
        project.close()
        return found, sorted(self.guids)


def test_a_prefab_is_opened_again_only_after_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))  # nothing is too new to be kept
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    put(root, CLIP, f"{HEAD}--- !u!74 &7400000\nAnimationClip:\n  m_Name: Open\n")
    for path in PLACES:
        door(root, path, "Panel")
    looks = Looks(monkeypatch)
    both = sorted(map(guid_of, PLACES))
    assert looks.of(root, tmp_path / "out") == ({guid: ["Panel"] for guid in both}, both)
    assert looks.of(root, tmp_path / "out") == ({guid: ["Panel"] for guid in both}, [])
    door(root, PLACES[1], "Body")
    changed = guid_of(PLACES[1])
    assert looks.of(root, tmp_path / "out") == (
        {guid: ["Body" if guid == changed else "Panel"] for guid in both},
        [changed],
    )
