"""GUIDs that a package shares with the project, or with another package."""

from __future__ import annotations

from assetdb.diagnostics import Diagnostic
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

    from assetdb.store.database import Database

CODE: Final = "guid-in-package"
_PACKAGES: Final = "Packages/"
_DUPLICATE: Final = "duplicate-guid"
_GUID_END: Final = len("has the GUID ") + 32
_TWO: Final = 2
_SHOWN: Final = 3
_TAKEN: Final = "Unity takes the one that it imported first and ignores the other"


class _Shared(NamedTuple):
    """A GUID with two assets: of a package, and of another place."""

    guid: str
    ours: str
    theirs: str


def shared_guids(own: Database, packages: Database) -> list[Diagnostic]:
    """Return diagnostics of GUIDs that a package shares.

    A copy of a package in the project, and two packages with GUIDs in common, are one diagnostic each: whoever removes
    one of the two is rid of all. High-definition and lightweight pipelines have 330 in common.

    Raises:
        DatabaseError: a database is damaged, or was written without references.
    """
    groups: dict[tuple[str, str], list[_Shared]] = {}
    for shared in (*_with_project(own, packages), *_between(packages)):
        groups.setdefault((_place(shared), _package(shared.theirs)), []).append(shared)
    found = []
    for (place, package), rows in groups.items():
        path, said = rows[0].ours, f"has the GUID {rows[0].guid} of {rows[0].theirs}"
        if len(rows) > 1:
            path, said = place, _said_of_copies(len(rows), package)
        users = sorted({user for row in rows for user in _users(row.guid, own, packages)})
        said = f"{said}; {_TAKEN}; {_named(users)}"
        found.append(Diagnostic(CODE, path, 0, said))
    return found


def with_copies(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield diagnostics; copies in Assets of an embedded package as one each.

    Whoever removes one of the two copies is rid of all of its ``duplicate-guid``.
    """
    rows = list(diagnostics)
    owners: dict[str, list[str]] = {}
    for row in rows:
        if row.code == _DUPLICATE:
            owners.setdefault(row.message[:_GUID_END], []).append(row.path.rstrip("/"))
    copies: dict[tuple[str, str], list[str]] = {}
    for paths in owners.values():
        if len(paths) == _TWO:
            theirs, ours = sorted(paths, key=lambda path: not path.startswith(_PACKAGES))
            place = _place(_Shared("", ours, theirs))
            if theirs.startswith(_PACKAGES) and not ours.startswith(_PACKAGES) and place != ours:
                copies.setdefault((place, _package(theirs)), []).extend(paths)
    several = {key: paths for key, paths in copies.items() if len(paths) > _TWO}
    told = {path for paths in several.values() for path in paths}
    yield from (row for row in rows if row.code != _DUPLICATE or row.path.rstrip("/") not in told)
    for (place, package), paths in several.items():
        yield Diagnostic(CODE, place, 0, _said_of_copies(len(paths) // _TWO, package))


def _said_of_copies(count: int, package: str) -> str:
    return f"has the GUIDs of {count:,} assets of {package}: remove one of the two copies"


def _with_project(own: Database, packages: Database) -> Iterator[_Shared]:
    for guid in own.graph.shared_with(packages.graph):
        ours, theirs = own.by_guid(guid), packages.by_guid(guid)
        if ours is not None and theirs is not None:
            yield _Shared(guid, ours.path, theirs.path)


def _between(packages: Database) -> Iterator[_Shared]:
    """Yield the GUIDs that two packages have."""
    for duplicate in packages.duplicates:
        first = packages.by_guid(duplicate.asset.guid)
        if first is not None and _package(first.path) != _package(duplicate.asset.path):
            yield _Shared(first.guid, duplicate.asset.path, first.path)


def _place(shared: _Shared) -> str:
    """Return the package or copy with an asset, else its path."""
    package = _package(shared.theirs)
    if shared.ours.startswith(_PACKAGES):
        return _package(shared.ours)
    copy = shared.ours.removesuffix(shared.theirs.removeprefix(package))
    return copy if "/" in copy else shared.ours


def _package(path: str) -> str:
    return "/".join(path.split("/", 2)[:2])


def _users(guid: str, *databases: Database) -> Iterator[str]:
    """Yield the assets that refer to a GUID."""
    for database in databases:
        graph = database.graph
        node = graph.node(int(guid, 16))
        if node is not None:
            for user in map(database.by_guid, graph.guids(graph.incoming(node))):
                if user is not None:
                    yield user.path


def _named(users: list[str]) -> str:
    more = f" and {len(users) - _SHOWN:,} more" if len(users) > _SHOWN else ""
    return f"used by {', '.join(users[:_SHOWN])}{more}" if users else "nothing refers to it"
