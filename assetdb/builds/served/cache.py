"""Builds that a daemon keeps open, and their tracers.

Both are derived answers: a build is kept for later snapshots, a tracer for the snapshot that it was made for. In a
command nothing outlives the answer.

>>> from assetdb.query.snapshots.snapshot import open_project
>>> tracer = cached_tracer(["Bundles"], open_project("Orchard"))
>>> [source.path for source in tracer.back(3).sources]
['Assets/Only.png']
"""

from __future__ import annotations

import os
import time
from _thread import RLock
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from assetdb.builds.groups.implicit import contents
from assetdb.builds.groups.plan import plan_groups
from assetdb.builds.opening import open_build
from assetdb.builds.parts.history import newest_build
from assetdb.builds.query.catalogs import Catalogs, read_catalogs
from assetdb.builds.reports.finding import reports_near
from assetdb.builds.reports.tying import reports_of
from assetdb.builds.trace.tracer import Tracer
from assetdb.errors import DaemonError
from assetdb.memo.inputs import FILES, SETTINGS, SNAPSHOT
from assetdb.memo.memo import Memo, memo_of
from assetdb.query.snapshots.snapshot import TRACED
from assetdb.settings.project import project_above
from assetdb.system.cancelling import Acquired
from assetdb.system.identity import RACY, Identities
from assetdb.system.reading import OF_ONE_PROCESS
from assetdb_formats.addressables.opening import names_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.builds.build import Build
    from assetdb.builds.groups.implicit import PlannedContent
    from assetdb.builds.groups.plan import Plan
    from assetdb.memo.view import View
    from assetdb.query.snapshots.snapshot import Snapshot

_Made = TypeVar("_Made")

MOST_BUILDS: Final = 4
"""Maximum number of open builds."""
MOST_REMEMBERED: Final = 500_000
"""Maximum number of their objects (some 400 bytes each); the least recently used builds are closed."""
MOST_OBJECTS: Final = 2_000_000
"""Maximum number of objects of one build; larger ones need a process of their own."""
_MOST_TRACED: Final = 8  # tracers, plans by profile, and contents of plans
_ATTEMPTS: Final = 3  # at a build that is written while it is read
_BUILD: Final = "build: "
_TRACER: Final = "tracer: "
_LOCK: Final = "builds: lock"
_numbers: Final = count()


class _CachedBuild(NamedTuple):
    """A build and its catalogs, with a unique number."""

    number: int
    build: Build
    catalogs: Catalogs


def builds_lock(project: Snapshot) -> Acquired:
    """Return the lock of the builds, to hold while answering."""
    lock = project.memory.setdefault(_LOCK, RLock())
    if not isinstance(lock, RLock):
        raise TypeError("no place for a lock")
    return Acquired(lock)


def cached_tracer(paths: Sequence[str], project: Snapshot, report: str = "") -> Tracer:
    """Return the tracer of a build and a project, kept in daemons.

    Args:
        paths: of the build.
        project: of a session, or any other.
        report: path of Unity's report of the build; by default one that is near.

    Raises:
        DaemonError: a path means another file in each process.
        UsageError: no file there belongs to a build of Unity, or it is too large to be kept.
        FormatError: an archive that was named, or the report, is damaged.
        OSError: a path cannot be read.
    """
    for path in (*paths, report):
        if path.startswith(OF_ONE_PROCESS):
            raise DaemonError(f"{path}: is another file in every process")
    cached = cached_build(paths, project)

    def traced() -> Tracer:
        reports = reports_of(cached.build, paths, project.root, report)
        return Tracer(cached.build, project, cached.catalogs, reports)

    stamps = " ".join(map(_stamp, [report] if report else reports_near(paths, project.root)))
    return _derived(project, _TRACER + _joined(paths), traced, version=f"{cached.number} {stamps}")


def _stamp(path: str) -> str:
    """Return a text that changes with a file."""
    try:
        found = Identities(time.time_ns()).of(os.stat(path))
    except OSError:
        found = RACY
    return f"{path}:{next(_numbers) if found == RACY else found}"


def cached_build(paths: Sequence[str], project: Snapshot) -> _CachedBuild:
    """Return the build at some paths, read again where changed.

    Raises:
        UsageError: no file there belongs to a build of Unity, or it is too large to be kept.
        FormatError: an archive that was named is damaged.
        OSError: a path cannot be read.
    """
    memo = memo_of(project)
    key = _BUILD + _joined(paths)
    files = _joined([place for path in paths for place in (path, *_beside(path))])
    roots = dict.fromkeys(filter(None, (project.root, *map(project_above, paths))))
    # A layout may come after its build.
    history = " ".join(_stamp(place) for root in roots for place in newest_build(root))
    read = False

    def open_all(view: View) -> _CachedBuild:
        nonlocal read
        read = True
        view.note(FILES, files)
        build = open_build(paths, workers=1, most_objects=MOST_OBJECTS, project=project.root)
        build.prepare()
        return _CachedBuild(next(_numbers), build, read_catalogs(build))

    for _ in range(_ATTEMPTS):
        found = memo.derive(memo.inputs(project), key, history, open_all)
        if not read:
            return found
        if memo.is_current(memo.inputs(project), key, history):
            break
    else:  # it is being written: the next request reads it again
        memo.forget([key])
    _make_room(project)
    return found


def cached_plan(project: Snapshot, profile: str = "") -> Plan | None:
    """Return the kept result of :func:`~assetdb.builds.groups.plan.plan_groups`, with its errors."""
    return _derived(project, f"plan: {profile}", lambda: plan_groups(project, profile))


def cached_contents(project: Snapshot, plan: Plan) -> list[PlannedContent]:
    """Return the kept result of :func:`~assetdb.builds.groups.implicit.contents`, with its errors."""
    return _derived(project, f"contents: {plan.profile}", lambda: contents(project, plan))


def _derived(project: Snapshot, key: str, make: Callable[[], _Made], version: str = "") -> _Made:
    """Return an answer that is kept for one snapshot."""
    memo = project.memory.setdefault(TRACED, Memo())
    if not isinstance(memo, Memo):
        raise TypeError("no place for answers")

    def made(view: View) -> tuple[_Made]:
        view.note(SNAPSHOT)
        view.note(SETTINGS)  # the scenes of the build settings among them
        return (make(),)

    (found,) = memo.derive(memo.inputs(project), key, version, made)
    builds = memo_of(project).held(_BUILD)
    outdated = [held for held in memo.held(_TRACER) if held.replace(_TRACER, _BUILD, 1) not in builds]
    memo.forget([*outdated, *list(memo.held(""))[:-_MOST_TRACED]])
    return found


def _make_room(project: Snapshot) -> None:
    """Forget the least recently used builds beyond the limits."""
    memo = memo_of(project)
    held = memo.held(_BUILD)
    while len(held) > MOST_BUILDS or sum(len(cached.build) for cached in held.values()) > MOST_REMEMBERED:
        key = next(iter(held))
        del held[key]
        memo.forget([key])


def _joined(paths: Sequence[str]) -> str:
    return "\0".join(paths)


def _beside(path: str) -> list[str]:
    """Return the files read with a catalog that was named alone."""
    if os.path.isdir(path):
        return []
    return [os.path.join(os.path.dirname(path), name) for name in names_beside(path)]
