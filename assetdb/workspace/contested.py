"""Contested names, and the name that each asset got.

A name made by the rule of :mod:`assetdb.state.names`, ``Handle^Windows/Wood``, contains the claimed name and the run of
folders (or the file) that distinguishes this claimant, so a bake that changes nothing can report it as well.
"""

from __future__ import annotations

from assetdb.store.database import open_database
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.store.entry import Asset


class Claimant(NamedTuple):
    """One claimant of a contested name.

    Attributes:
        name: its final name.
        path: of the asset, relative to the project.
        guid: of the asset, 32 hex digits.
        file_id: of the sub-asset that claimed the name, or None for the asset itself.
    """

    name: str
    path: str
    guid: str
    file_id: int | None


class ContestedName(NamedTuple):
    """A name that several assets of a type claimed and none has.

    Attributes:
        name: the claimed name.
        class_id: Unity's class number of the claimants.
        script: GUID of the script that gives their type, or ``""``.
        claimants: by path and fileID, at least two.
    """

    name: str
    class_id: int
    script: str
    claimants: tuple[Claimant, ...]


def contested_in(database: str) -> tuple[ContestedName, ...]:
    """Return the contested names of a database file.

    Raises:
        DatabaseError: it is not a database, or damaged.
        OSError: it cannot be read.
    """
    with open_database(database) as opened:
        return contested_names(opened)


def contested_names(assets: Iterable[Asset]) -> tuple[ContestedName, ...]:
    """Return the contested names of a database, by name and type."""
    found: dict[tuple[str, int, str], list[Claimant]] = {}
    for asset in assets:
        for claimed, class_id, script, claimant in _claims(asset):
            found.setdefault((claimed, class_id, script), []).append(claimant)
    return tuple(
        ContestedName(*key, tuple(sorted(claimants, key=_order)))
        for key, claimants in sorted(found.items())
        if len({claimant.guid for claimant in claimants}) > 1
    )


def _order(claimant: Claimant) -> tuple[str, int]:
    return claimant.path, claimant.file_id or 0


def _claims(asset: Asset) -> Iterator[tuple[str, int, str, Claimant]]:
    file_name = asset.path.rpartition("/")[2]
    if "^" in asset.name and asset.name not in (file_name, file_name.rpartition(".")[0]):
        claimed = _claimed(asset.name, asset.path)
        if claimed:
            yield claimed, asset.class_id, asset.script, Claimant(asset.name, asset.path, asset.guid, None)
    for row in asset.sub_assets:
        if "^" in row.name:
            claimed = _claimed(row.name, asset.path)
            if claimed:
                yield claimed, row.class_id, "", Claimant(row.name, asset.path, asset.guid, row.file_id)


def _claimed(name: str, path: str) -> str:
    """Return a name's claimed part, ``""`` without a run of the path."""
    places = f"/{path.rpartition('/')[0]}", f"/{path}"
    end = len(name.rstrip("^"))  # deliberately colliding names end with more of them
    at = name.find("^", max(1, end - len(places[1])))  # before that, the rest is longer than the path
    while at >= 0:
        if any(_is_run(name[at + 1 : end], len(name) - max(end, at + 1), place) for place in places):
            return name[:at]
        at = name.find("^", at + 1)
    return ""


def _is_run(run: str, carets: int, place: str) -> bool:
    """Whether a path ends with a run and some more carets."""
    own = len(place) - len(place.rstrip("^"))
    return bool(run or own) and own <= carets and place.endswith(f"/{run}{'^' * own}")
