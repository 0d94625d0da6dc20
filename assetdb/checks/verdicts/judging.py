"""Verdicts on all references of a project, cached between runs.

>>> judged = judge_project(project, workers=2)  # doctest: +SKIP
>>> judged.counts["unnamed", "dangling"]  # doctest: +SKIP
134
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.verdicts.kept import Front, read_front, write_front
from assetdb.checks.verdicts.limits import Limits
from assetdb.checks.verdicts.tree import Tree, loose_identity, told
from assetdb.packages.listing import read_list
from assetdb.scan.listing import shown
from assetdb.settings.effective import read_settings
from assetdb.system.pausing import before_long, beside, wait_until
from assetdb.version import VERSION
from assetdb.workspace import Options, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.checks.verdicts.deciding import Outcome
    from assetdb.checks.verdicts.placing import Problem
    from assetdb.checks.verdicts.state import State
    from assetdb.checks.verdicts.whole import Packing
    from assetdb.query.snapshot import Snapshot
    from assetdb.query.verdicts import JudgedReference
    from assetdb.workspace import Listing

_MEMORY: Final = "verdicts"
_WORTH_WRITING: Final = 50
"""In as many files problems are placed again sooner than 20 MB are written after each edit, where all is in memory."""
_PACKAGE_FILES: Final = 4  # identities of the packages' own database and index, before those of the project's


class JudgedProject(NamedTuple):
    """The verdicts on all references of a project.

    Attributes:
        counts: how many references have each verdict, by its kind and reason.
        problems: by file, relative to the project: every reference that is neither plainly named nor in a known
            package, in the order of the file. Files without are left out.
    """

    counts: dict[tuple[str, str], int]
    problems: Problems


class Problems(Mapping[str, "tuple[JudgedReference, ...]"]):
    """Problems by file, in the order of paths; those of a file are made when somebody asks for them.

    Attributes:
        made: those that were.
    """

    def __init__(
        self,
        project: Snapshot,
        rows: Mapping[bytes, list[Problem]],
        packing: Packing,
        before: Problems | None,
    ) -> None:
        """Take them as they are known, and go on with those of ``before`` that stayed."""
        self._project = project
        self._packing = packing
        self._rows = {shown(path): (path, known) for path, known in sorted(rows.items())}
        self.made: dict[str, tuple[JudgedReference, ...]] = {}
        if before is not None:
            self.made = {path: made for path, made in before.made.items() if before.rows(path) is self.rows(path)}

    def rows(self, path: str) -> list[Problem] | None:
        """Return the problems of a file as they are known: another list where they may be others."""
        known = self._rows.get(path)
        return known[1] if known is not None else None

    def targets(self) -> set[tuple[str, str]]:
        """Return what the problems refer to: GUIDs of 32 hex digits, each with a kind of verdict."""
        return {(row[-4], row[-2]) for _, rows in self._rows.values() for row in rows}

    def digest(self, path: str) -> bytes:
        """Return what tells the problems of a file from others, in another process, too."""
        return self._packing.digest(*self._rows[path])

    def __getitem__(self, path: str) -> tuple[JudgedReference, ...]:
        made = self.made.get(path)
        if made is None:
            own, rows = self._rows[path]
            made = self.made[path] = tuple(_reference(self._project, own, row) for row in rows)
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def judge_project(
    project: Snapshot,
    *,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    keep: bool = True,
    limits: Limits | None = None,
) -> JudgedProject:
    """Judge every reference in the text assets of a project.

    Args:
        project: brought up to date first.
        workers: how many processes may work at once.
        on_progress: is given the files read and the files there are, now and then.
        keep: whether verdicts are kept beside the database, and those that are there believed where nothing that they
            rest on has changed.
        limits: from how much on work is shared; by default for ``workers`` as it pays.

    Raises:
        ScanError: what the project holds cannot be told just now.
        AssetdbError: the project cannot be brought up to date.
        OSError: likewise, or the verdicts cannot be written.
    """
    verdicts = verdicts_of(project) if keep else Verdicts()
    return verdicts.of(project, limits or Limits(workers), on_progress)


def verdicts_of(project: Snapshot) -> Verdicts:
    """Return the verdicts that follow a project."""
    found = project.memory.get(_MEMORY)
    if not isinstance(found, Verdicts):
        found = project.memory[_MEMORY] = Verdicts(project.folder)
    return found


def standing_verdicts(project: Snapshot) -> str:
    """Return what tells the verdicts that are known from others, ``""`` where they are not of the project as it is.

    Raises:
        AssetdbError: the project cannot be brought up to date.
        OSError: likewise.
    """
    project.refresh()
    return verdicts_of(project).standing(project)


def look_at_tree(project: Snapshot) -> tuple[Listing, bool]:
    """Look at the tree and write nothing; return it, and whether the project's files are of it."""
    workspace = Workspace(
        project.root,
        lambda: read_settings(project.root, project.folder),
        Options(as_before=True, read_only=True),
    )
    try:
        is_current = workspace.refresh().unchanged
        return workspace.listing(), is_current
    finally:
        workspace.close()


class Verdicts:
    """The verdicts on a project, which follow it: in a command from one run to the next, in a daemon all the time."""

    def __init__(self, folder: str = "") -> None:
        """Go on from what is kept in an output folder, ``""``: from nothing, and keep nothing."""
        self._folder = folder
        self._front: Front | None = None
        self._state: State | None = None
        self._judged: JudgedProject | None = None
        self._listing: Listing | None = None  # that the verdicts are of
        self._looked: tuple[Listing, Tree] | None = None  # that the next question is about
        self._problems: Problems | None = None
        self._packing_of_all: Packing | None = None
        self._unwritten = 0
        self._is_busy = False

    def of(
        self,
        project: Snapshot,
        limits: Limits,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> JudgedProject:
        """Return the verdicts on a project as it is; see :func:`judge_project`."""
        project.refresh()
        listing = project.listing()
        is_current = True
        if listing is None:
            listing, is_current = look_at_tree(project)
        if not is_current:  # the tree may be another than the database's: what is found is of neither, and not kept
            state = _nothing().follow(project, Tree(project.root, listing), limits, on_progress, is_current=False)
            return self._shown(project, state.counts, state.problems)
        wait_until(lambda: not self._is_busy)  # another client's question was here first
        return self._of_current(project, listing, limits, on_progress)

    def standing(self, project: Snapshot) -> str:
        """Return what tells the verdicts from others if those that are known are of a project as it is, else ``""``."""
        listing = project.listing()
        if listing is None:
            return ""
        environment = _environment(project)
        if self._judged is not None and self._is_of(project, listing, environment):
            return self.stamp
        if self._front is None and self._folder:
            self._front = read_front(self._folder)
        if self._front is None:
            return ""
        tree = Tree(project.root, listing)
        self._looked = listing, tree
        return self.stamp if _is_same(project, self._front, tree, environment) else ""

    def stamp_of(self, judged: JudgedProject) -> str:
        """Return what tells some verdicts from others, ``""`` where they are not the last ones."""
        return self.stamp if judged is self._judged else ""

    @property
    def stamp(self) -> str:
        """What tells the last verdicts from others, ``""`` where nothing does."""
        front = self._front
        if front is None or front.is_racy:
            return ""
        return repr(
            (front.environment, front.history, front.digest, sorted(front.loose.items()), sorted(front.outside.items()))
        )

    def _is_of(self, project: Snapshot, listing: Listing, environment: str) -> bool:
        """Whether the last verdicts are of a listing, and all besides is as it was.

        What was too young to be told from what it becomes is told by events, which make another listing.
        """
        front = self._front
        is_same = listing is self._listing and front is not None and front.environment == environment
        return is_same and front is not None and _is_same_beside(project, front)

    def _of_current(
        self,
        project: Snapshot,
        listing: Listing,
        limits: Limits,
        on_progress: Callable[[int, int], None] | None,
    ) -> JudgedProject:
        environment = _environment(project)
        looked, self._looked = self._looked, None
        if self._judged is not None and self._is_of(project, listing, environment):
            return self._judged
        self._listing = None
        tree = looked[1] if looked is not None and looked[0] is listing else Tree(project.root, listing)
        if self._front is None and self._folder:
            self._front = read_front(self._folder)
        front = self._front
        if front is not None and _is_same(project, front, tree, environment):
            if self._judged is None:
                self._judged = self._of_front(project, front)
            if self._judged is not None:
                self._listing = listing
                return self._judged
        before_long()  # from here on it is done whole, or again
        self._is_busy = True
        try:
            found = self._followed(project, tree, environment, limits, on_progress)
        except BaseException:
            self._front = self._state = self._judged = None
            raise
        finally:
            self._is_busy = False
        self._listing = listing
        return found

    def _followed(
        self,
        project: Snapshot,
        tree: Tree,
        environment: str,
        limits: Limits,
        on_progress: Callable[[int, int], None] | None,
    ) -> JudgedProject:
        """Bring what is known up to date."""
        state, known = self._state, self._front
        is_first = state is None
        if is_first and self._folder:
            from assetdb.checks.verdicts.whole import read_state  # noqa: PLC0415 - where nothing changed it is not needed

            state = beside(lambda: read_state(self._folder, environment, self._packing))
        elif known is None or known.environment != environment:
            state = None
        is_new = state is None
        state = (state if state is not None else _nothing()).follow(project, tree, limits, on_progress)
        self._unwritten += state.work
        counts = state.counts
        front = Front(
            *(environment, state.history, tree.digest, tree.is_racy, tree.loose),
            {file: stamp for file, stamp, _ in state.outside.values()},
            *(counts, []),
        )
        worth = is_new or self._unwritten > (len(state.files) // limits.kept_for_one if is_first else _WORTH_WRITING)
        if self._folder and (is_first or worth):
            beside(lambda: self._write(front, state, whole=worth))
            self._unwritten = 0 if worth else self._unwritten
        self._front, self._state = front, state
        self._judged = self._shown(project, counts, state.problems)
        return self._judged

    def _write(self, front: Front, state: State, *, whole: bool) -> None:
        """Keep what was found, and what it rests on, if that is worth it; elsewhere it is found out again."""
        from assetdb.checks.verdicts.whole import write_state  # noqa: PLC0415 - where nothing changed it is not needed

        packed = self._packing.packed(state.problems)
        if whole:
            write_state(self._folder, front.environment, state, packed)
        write_front(self._folder, front._replace(problems=packed))

    def _of_front(self, project: Snapshot, front: Front) -> JudgedProject | None:
        """Return what was found last, None where that is damaged."""
        try:
            problems = self._packing.unpacked(front.problems)
        except ValueError:
            return None
        return self._shown(project, front.counts, problems)

    @property
    def _packing(self) -> Packing:
        if self._packing_of_all is None:
            from assetdb.checks.verdicts.whole import Packing  # noqa: PLC0415 - where nothing changed it is not needed

            self._packing_of_all = Packing()
        return self._packing_of_all

    def _shown(
        self, project: Snapshot, counts: Mapping[Outcome, int], problems: Mapping[bytes, list[Problem]]
    ) -> JudgedProject:
        """Return what is known as everybody knows it; of files whose problems stayed it is made already."""
        from assetdb.query.verdicts import BROKEN, NO_REFERENCE  # noqa: PLC0415 - where nothing changed it is not needed

        found = self._problems = Problems(project, problems, self._packing, self._problems)
        return JudgedProject(
            {outcome: count for outcome, count in counts.items() if outcome[0] not in (NO_REFERENCE, BROKEN)}, found
        )


def _nothing() -> State:
    """Return what is known at first."""
    from assetdb.checks.verdicts.state import State  # noqa: PLC0415 - where nothing changed it is not needed

    return State()


def _is_same(project: Snapshot, front: Front, tree: Tree, environment: str) -> bool:
    """Whether nothing that verdicts rest on has changed."""
    return (
        front.environment == environment
        and front.digest == tree.digest
        and not (front.is_racy or tree.is_racy)
        and front.loose == tree.loose
        and _is_same_outside(front)
        and _is_same_history(project, front)
    )


def _is_same_beside(project: Snapshot, front: Front) -> bool:
    """Whether the files are what they were that no event tells of."""
    is_same = _is_same_outside(front) and _is_same_history(project, front)
    return is_same and all(loose_identity(project.root, path) == now for path, now in front.loose.items())


def _is_same_outside(front: Front) -> bool:
    return all(stamp and stamp == told(file) for file, stamp in front.outside.items())


def _is_same_history(project: Snapshot, front: Front) -> bool:
    """Whether git's history is what it was, where a verdict rests on it."""
    return not front.history or front.history == project.losses.stamp


def _environment(project: Snapshot) -> str:
    """Return what all verdicts rest on besides the tree: assetdb's tables, and the packages outside the project."""
    packages = read_list(project.folder)
    own = packages.files.split(" ")[:_PACKAGE_FILES]
    # Whether one is missing follows from these; to be told takes 19 ms.
    return "\n".join((VERSION, packages.stamps, *own, *map(repr, packages.rows), *map(repr, packages.problems)))


def _reference(project: Snapshot, path: bytes, problem: Problem) -> JudgedReference:
    """Return a problem as everybody knows it."""
    from assetdb.query.verdicts import JudgedReference, Verdict, judge  # noqa: PLC0415 - as above
    from assetdb.resolve.resolver import BUILT_IN_UNNAMED  # noqa: PLC0415 - as above

    line, class_id, object_id, way, script, place, override, guid, file_id, kind, reason = problem
    verdict = Verdict(kind, reason)
    if reason == BUILT_IN_UNNAMED:  # what is built in is in no file: its name says in which of Unity's own
        verdict = judge(project.resolver, guid, file_id)
    where = shown(path), line, class_id, object_id, way, script, place, override
    return JudgedReference(*where, guid, file_id, verdict)
