"""Paths in animation clips that no object playing the clip has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import ANIMATION_PATH
from assetdb.checks.rules.content.players import Players
from assetdb.memo.facts import Extraction
from assetdb.unity.content.clips import animated_paths, animated_paths_of
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.checks.rules.content.players import Player
    from assetdb.memo.view import View
    from assetdb.unity.content.clips import AnimatedPath

    _Found = tuple[str, Player]

_PATHS: Final = Extraction("paths of animation clips", "2", animated_paths, animated_paths_of)
_FILES: Final = (".anim", ".controller")  # Unity makes the clips of a button inside of its controller
_LONGEST: Final = 1 << 20


def find_paths(project: View) -> Iterator[Finding]:
    """Yield paths that no object playing the clip has."""
    players = Players(project)
    for suffix in _FILES:
        for asset in project.database.ending(suffix):
            paths = project.facts(asset.path, _PATHS)
            found, lacking = _lacking(players, asset.guid, paths) if paths else ([], [])
            where = places(project.read(asset.path) or b"", [row.offset for row in lacking]) if lacking else []
            for (path, *_), place in zip(lacking, where, strict=True):
                said = f"animates {path!r}, {_why(players, found, path)}"
                yield Finding.of(
                    ANIMATION_PATH, asset.path, said, place.line, "", place.path, asset.guid, place.file_id, path
                )


def _lacking(players: Players, clip: str, paths: Sequence[AnimatedPath]) -> tuple[list[_Found], list[AnimatedPath]]:
    """Return the players of a clip, and the paths that none has."""
    found: list[_Found] = []
    left = list(paths)
    for place, played in (players.places_of(clip) or {}).items():
        played_by = players.players_in(place, played)
        if played_by is None:
            return [], []
        found += [(place, player) for player in played_by]
        left = [row for row in left if not any(player.may_have(row.path) for player in played_by)]
        if not left:
            return [], []
    added = _added_names(players, found, left)
    lacking = [row for row in left if found and _name(row.path) not in added]
    copied = [row.path for row in lacking if row.is_copied]
    if copied and not _is_one_renamed(copied, sum(row.is_copied for row in paths)):
        lacking = [row for row in lacking if not row.is_copied]
    return found, lacking


def _is_one_renamed(lacking: Sequence[str], count: int) -> bool:
    """Whether most of ``count`` paths stay, and the others are below one."""
    first = min(lacking, key=len)
    return 2 * len(lacking) < count and all(f"{path}/".startswith(f"{first}/") for path in lacking)


def _added_names(players: Players, found: Sequence[_Found], lacking: Sequence[AnimatedPath]) -> set[str]:
    """Return names of objects that files around a player may add."""
    wanted = {_name(row.path) for row in lacking}
    for guid in sorted({guid for guid, _ in found}):
        wanted -= players.named_around(guid, wanted)
    return {_name(row.path) for row in lacking} - wanted


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _why(players: Players, found: Sequence[_Found], path: str) -> str:
    """Return which object lacks a path, and where it has the name."""
    end = f"/{path.rpartition('/')[2]}"
    rows = [(*row, sorted((each for each in row[1].paths if f"/{each}".endswith(end)), key=len)) for row in found]
    guid, player, like = min(rows, key=lambda row: len(row[2][0]) if row[2] else _LONGEST)
    said = f"which {players.described(guid, player, len(found))} does not have"
    return f"{said}; there is {like[0]!r}" if like else said
