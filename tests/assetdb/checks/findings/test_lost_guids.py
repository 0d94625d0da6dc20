"""Findings of what is nowhere tell what was there, by git."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.lost_guids import with_history
from assetdb.history.git.questions import Held

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.query.snapshots.snapshot import Snapshot


class Losses:
    """What knows of two GUIDs, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.losses = self
        self.root = "nowhere"

    def all_held(self, guids: Iterable[str]) -> dict[str, Held]:
        asked = list(guids)
        self.asked += asked
        known = {"a" * 31 + "1": Held("Assets/Old/X.cs", "3f2c1ab"), "a" * 31 + "2": Held("Assets/Y.mat", "")}
        return {guid: known[guid] for guid in asked if guid in known}


def test_findings_are_told_what_was_there() -> None:
    project = Losses()
    rows = [
        Finding("missing-script", "error", "Assets/A.prefab", "gone", target="a" * 31 + "1:11500000"),
        Finding("missing-asset", "error", "Assets/A.prefab", "gone", target="a" * 31 + "2"),
        Finding("missing-asset", "error", "Assets/A.prefab", "gone", target="a" * 31 + "3"),
        Finding("missing-asset", "error", "Assets/B.prefab", "gone", target="a" * 31 + "3"),
        Finding("dangling", "error", "Assets/A.prefab", "gone", target="a" * 31 + "1:5"),
        Finding("asmdef-reference", "warning", "Assets/A.asmdef", "gone", target="Game.Data"),
    ]
    found = with_history(cast("Snapshot", project), rows)
    assert [row.message for row in found] == [
        "gone: was Assets/Old/X.cs until 3f2c1ab",
        "gone: was Assets/Y.mat and its deletion is not committed",
        *["gone"] * 4,
    ]
    assert sorted(project.asked) == ["a" * 31 + "1", "a" * 31 + "2", "a" * 31 + "3"]
    assert with_history(cast("Snapshot", project), rows[4:]) == tuple(rows[4:])


def test_what_is_known_is_not_looked_up() -> None:
    project = Losses()
    rows = [
        Finding("missing-script", "error", "Assets/A.prefab", "gone", target="a" * 31 + "1:11500000"),
        Finding("missing-asset", "error", "Assets/A.prefab", "gone", target="a" * 31 + "3"),
    ]
    found = with_history(cast("Snapshot", project), rows, {"a" * 31 + "1": Held("Assets/X.cs", "")})
    assert [row.message for row in found] == ["gone: was Assets/X.cs and its deletion is not committed", "gone"]
    assert project.asked == ["a" * 31 + "3"]
