"""Cache of opened builds in a daemon.

What is remembered lies in the memory of snapshots: builds from one snapshot to the next, and what was found out of a
build and a project together with that snapshot alone. In a command, which answers once, nothing stands.

>>> standing_tracer(["/builds/Game_Data"], project).build  # doctest: +SKIP
"""

from __future__ import annotations

import os
import time
from _thread import RLock
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from assetdb.builds.groups.implicit import contents
from assetdb.builds.groups.plan import plan_groups
from assetdb.builds.opening import open_build
from assetdb.builds.query.catalogs import Catalogs, read_catalogs
from assetdb.builds.trace.tracer import Tracer
from assetdb.errors import DaemonError
from assetdb.query.snapshots.input_files import files_beside
from assetdb.query.snapshots.snapshot import BUILDS, TRACED
from assetdb.system.cancelling import Acquired
from assetdb.system.identity import RACY, Identities
from assetdb.system.reading import OF_ONE_PROCESS
from assetdb_formats.addressables.opening import names_beside
from assetdb_formats.inputs import Folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.builds.build import Build
    from assetdb.builds.groups.implicit import Content
    from assetdb.builds.groups.plan import Plan
    from assetdb.query.snapshots.snapshot import Snapshot

_Made = TypeVar("_Made")

MOST_BUILDS: Final = 4
"""Builds that stand at a time."""
MOST_REMEMBERED: Final = 500_000
"""Objects of all of them together (some 400 bytes each); of those that were not asked for lately the builds go."""
MOST_OBJECTS: Final = 2_000_000
"""Objects of one build; larger ones are for a process of their own."""
_MOST_TRACED: Final = 8  # tracers of these, plans by profile, and their contents
_ATTEMPTS: Final = 3  # at a build that is written while it is read
_GONE: Final = 0
_LOCK: Final = "builds: lock"

Stamp = tuple[tuple[str, int], ...]
"""The files of a build, each with its identity."""


class _Standing(NamedTuple):
    """A build, its catalogs, and the files that both are of."""

    stamp: Stamp
    build: Build
    catalogs: Catalogs


class _Traced(NamedTuple):
    """A tracer, and its inputs that no update tells of.

    The scenes of the build settings.
    """

    files: tuple[tuple[str, int], ...]
    tracer: Tracer


def builds_of(project: Snapshot) -> Acquired:
    """Return the lock of the builds that are kept.

    They grow while they answer. Whoever has a tracer holds it until all is answered.
    """
    lock = project.memory.setdefault(_LOCK, RLock())
    if not isinstance(lock, RLock):
        raise TypeError("no place for a lock")
    return Acquired(lock)


def standing_tracer(paths: Sequence[str], project: Snapshot) -> Tracer:
    """Return the tracer of a build and a project.

    In a daemon most often that of before.

    Args:
        paths: of the build, absolute.
        project: of a session, or any other.

    Raises:
        DaemonError: a path means another file in each process.
        UsageError: nothing there is of a build of Unity's, or it is too large to stand.
        FormatError: an archive that was named is damaged.
        OSError: a path cannot be read.
    """
    for path in paths:
        if path.startswith(OF_ONE_PROCESS):
            raise DaemonError(f"{path}: is another file in every process")
    standing = standing_build(paths, project)
    traced = _kept(project, TRACED)
    builds = _kept(project, BUILDS)
    for key, known in list(traced.items()):  # of changed builds, or those dropped for space
        if isinstance(known, _Traced) and key[1:] not in builds:
            del traced[key]
    key = ("tracer", *paths)
    known = traced.get(key)
    files = files_beside(project.root)
    if isinstance(known, _Traced) and known.files == files:
        tracer = known.tracer
        if tracer.project is project and tracer.build is standing.build:
            return tracer
    tracer = Tracer(standing.build, project, standing.catalogs)
    if builds.get(tuple(paths)) is standing:
        _keep(traced, key, _Traced(files, tracer), _MOST_TRACED)
    return tracer


def standing_build(paths: Sequence[str], project: Snapshot) -> _Standing:
    """Return the build at some paths.

    It is read again where it has changed.

    Raises:
        UsageError: nothing there is of a build of Unity's, or it is too large to stand.
        FormatError: an archive that was named is damaged.
        OSError: a path cannot be read.
    """
    kept = _kept(project, BUILDS)
    key = tuple(paths)
    stamp, is_sure = _stamp(paths)
    known = kept.get(key)
    if isinstance(known, _Standing) and is_sure and known.stamp == stamp:
        _keep(kept, key, known, MOST_BUILDS)
        return known
    kept.pop(key, None)
    for _ in range(_ATTEMPTS - 1):
        found = _read(paths, stamp)
        before, was_sure, (stamp, is_sure) = stamp, is_sure, _stamp(paths)
        if stamp == before:
            if was_sure:
                _keep(kept, key, found, MOST_BUILDS)
                _make_room(kept, key)
            return found
    return _read(paths, stamp)  # it is being written: read again when it is asked for again


def _read(paths: Sequence[str], stamp: Stamp) -> _Standing:
    build = open_build(paths, workers=1, most_objects=MOST_OBJECTS)
    build.prepare()
    return _Standing(stamp, build, read_catalogs(build))


def standing_plan(project: Snapshot, profile: str = "") -> Plan | None:
    """Return the plan of the groups.

    Of :func:`~assetdb.builds.groups.plan.plan_groups`; in a daemon most often that of before.

    Raises:
        FileError, FormatError, UsageError, DatabaseError: as there.
    """
    return _derived(project, ("plan", profile), lambda: plan_groups(project, profile))


def standing_contents(project: Snapshot, plan: Plan) -> list[Content]:
    """Return the contents of a plan that is kept.

    Of :func:`~assetdb.builds.groups.implicit.contents`.

    Raises:
        DatabaseError, ScanError: as there.
    """
    return _derived(project, ("contents", plan.profile), lambda: contents(project, plan))


def _derived(project: Snapshot, key: tuple[str, ...], make: Callable[[], _Made]) -> _Made:
    kept = _kept(project, TRACED)
    files = files_beside(project.root)  # the scenes of the build settings among them
    known = kept.get(key)
    if isinstance(known, tuple) and known[0] is project and known[1] == files:
        return known[2]  # type: ignore[no-any-return]  # what was made under this key
    made = make()
    _keep(kept, key, (project, files, made), _MOST_TRACED)
    return made


def _kept(project: Snapshot, name: str) -> dict[tuple[str, ...], object]:
    kept = project.memory.setdefault(name, {})
    if not isinstance(kept, dict):
        raise TypeError("no place for builds")
    return kept


def _keep(kept: dict[tuple[str, ...], object], key: tuple[str, ...], value: object, most: int) -> None:
    """Keep a value, and drop the least recently used ones."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        del kept[next(iter(kept))]


def _make_room(kept: dict[tuple[str, ...], object], last: tuple[str, ...]) -> None:
    """Drop builds until all have few enough objects.

    The last one stays unless it alone has too many.
    """
    sizes = {key: len(known.build) for key, known in kept.items() if isinstance(known, _Standing)}
    for key in [*(key for key in sizes if key != last), last]:
        if sum(sizes.values()) > MOST_REMEMBERED:
            del kept[key], sizes[key]


def _stamp(paths: Sequence[str]) -> tuple[Stamp, bool]:
    """Return a stamp of a build's files.

    And whether a later change could leave the same.
    """
    identities = Identities(time.time_ns())
    found: list[tuple[str, int]] = []
    is_sure = True
    for path in paths:
        folder = Folder(path) if os.path.isdir(path) else None
        places = [path, *_beside(path)] if folder is None else map(folder.place, folder.names())
        for place in places:
            try:
                status = os.stat(place)
            except OSError:
                found.append((place, _GONE))
                continue
            is_sure = is_sure and identities.of(status) != RACY
            found.append((place, identities.raw(status)))
    return tuple(found), is_sure


def _beside(path: str) -> list[str]:
    """Return the files that are read with a catalog.

    Where one was named alone; of a folder all count.
    """
    return [os.path.join(os.path.dirname(path), name) for name in names_beside(path)]
