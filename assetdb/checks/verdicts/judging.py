"""Verdicts on all references of a project, cached between runs.

>>> from assetdb.query.snapshots.snapshot import open_project
>>> judged = judge_project(open_project("fixtures/unity_project"))
>>> judged.counts["named", ""], judged.counts.get(("unnamed", "dangling"))
(25, None)
"""

from __future__ import annotations

import os
from _thread import RLock
from array import array
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.verdicts.processing import ALONE
from assetdb.memo.file import columns, split_columns, strings_of, texts
from assetdb.memo.inputs import CONTENT, HISTORY, PACKAGES, READ, TREE, UNSEEN
from assetdb.memo.memo import Codec, Memo, memo_of
from assetdb.memo.tree import Tree
from assetdb.scan.walking.listing import shown
from assetdb.settings.effective import read_settings
from assetdb.system.cancelling import Acquired
from assetdb.system.identity import RACY
from assetdb.unity.settings.editor_version import VERSION_FILE, reads_by_libyaml
from assetdb.unity.settings.tags import TAGS_FILE
from assetdb.workspace.workspace import Options, Workspace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from assetdb.checks.verdicts.deciding import Outcome
    from assetdb.checks.verdicts.encoding import Packing
    from assetdb.checks.verdicts.locating import Problem
    from assetdb.checks.verdicts.processing import Processing
    from assetdb.checks.verdicts.state import State
    from assetdb.memo.inputs import Inputs, Value
    from assetdb.memo.view import View
    from assetdb.query.graph.verdicts import JudgedReference
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.workspace.workspace import Listing

VERDICTS: Final = "verdicts"
VERSION_OF_VERDICTS: Final = "19"
STATE: Final = f"verdicts {VERSION_OF_VERDICTS}: what they rest on"
"""Key of the state of an earlier tree, from which verdicts are updated."""
_MEMORY: Final = "verdicts"
_END: Final = b"\0"
_SLASH: Final = b"/"
_LIBYAML: Final = " libyaml"
_WORTH_WRITING: Final = 50
"""Number of located files up to which the state, of 20 MB, is not written again."""


class JudgedProject(NamedTuple):
    """The verdicts on all references of a project.

    Attributes:
        counts: how many references have each verdict, by its kind and reason.
        problems: by file, relative to the project: every reference that is neither named nor in a known package, in the
            order of the file. Files without problems are left out.
    """

    counts: dict[tuple[str, str], int]
    problems: Problems


class Judgement(NamedTuple):
    """The stored verdicts on a project.

    Attributes:
        counts: how many references have each verdict.
        problems: by file.
    """

    counts: dict[Outcome, int]
    problems: Mapping[bytes, list[Problem]]


class Problems(Mapping[str, "tuple[JudgedReference, ...]"]):
    """Problems by file, in the order of paths, made on demand.

    Attributes:
        made: by file, the references that were made.
    """

    def __init__(
        self,
        project: Snapshot,
        rows: Mapping[bytes, list[Problem]],
        packing: Packing,
        before: Problems | None,
    ) -> None:
        """Take the verdicts, and the unchanged references, from ``before``."""
        self._project = project
        self._packing = packing
        self._rows = {shown(path): (path, known) for path, known in sorted(rows.items())}
        self.made: dict[str, tuple[JudgedReference, ...]] = {}
        if before is not None:
            self.made = {path: made for path, made in dict(before.made).items() if before.rows(path) is self.rows(path)}

    def rows(self, path: str) -> list[Problem] | None:
        """Return the problems of a file, a new list if changed."""
        known = self._rows.get(path)
        return known[1] if known is not None else None

    def targets(self) -> set[tuple[str, str]]:
        """Return the problems' target GUIDs (32 digits) and kinds of verdict."""
        return {(row[-4], row[-2]) for _, rows in self._rows.values() for row in rows}

    def digest(self, path: str) -> bytes:
        """Return a digest of a file's problems, equal in all processes."""
        return self._packing.digest(*self._rows[path])

    def __getitem__(self, path: str) -> tuple[JudgedReference, ...]:
        made = self.made.get(path)
        if made is None:
            packed_path, rows = self._rows[path]
            made = self.made[path] = tuple(_reference(self._project, packed_path, row) for row in rows)
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def judge_project(project: Snapshot, processing: Processing = ALONE, *, keep: bool = True) -> JudgedProject:
    """Judge every reference in the text assets of a project.

    Args:
        project: brought up to date first.
        processing: how many processes work, and on how much.
        keep: whether verdicts are stored beside the database, and stored ones used while their inputs are unchanged.

    Raises:
        ScanError: the project cannot be read now.
        AssetdbError: the project cannot be brought up to date.
        OSError: the project cannot be brought up to date, or the verdicts cannot be written.
    """
    if not keep:
        return Verdicts(Memo(), keep=False).of(project, processing)
    found = verdicts_of(project).of(project, processing)
    memo_of(project).write_if_due()
    return found


def judge_files(
    project: Snapshot, files: Mapping[str, Collection[str] | None], processing: Processing = ALONE
) -> JudgedProject:
    """Judge references in some text assets of a project; nothing is kept.

    Args:
        project: brought up to date first.
        files: by path the GUIDs of the assets to which references are judged, None: to all. Files that are no text
            assets are ignored.
        processing: how many processes work, and on how much.

    Raises:
        AssetdbError, OSError: as :func:`judge_project`.
    """
    project.refresh()
    listing = project.listing()
    is_current = True
    if listing is None:
        listing, is_current = scan_tree(project)
    only = {
        os.fsencode(path): None if guids is None else frozenset(map(str.encode, guids)) for path, guids in files.items()
    }
    folders = sorted({path.rpartition(_SLASH)[0] for path in only} & listing.directories.keys())
    part = listing._replace(directories={folder: listing.directories[folder] for folder in folders})
    state = _nothing().follow(project, Tree(part), processing, content=_not_asked, is_current=is_current, only=only)
    return Verdicts(Memo(), keep=False).shown(project, Judgement(state.counts, state.problems))


def _not_asked(_: str) -> int:
    """Return a content id that equals none, as nothing is compared."""
    return RACY


def verdicts_of(project: Snapshot) -> Verdicts:
    """Return the verdicts that follow a project."""
    found = project.memory.get(_MEMORY)
    if found is None:
        found = project.memory.setdefault(_MEMORY, Verdicts(memo_of(project)))
    if not isinstance(found, Verdicts):
        raise TypeError("no place for verdicts")
    return found


def scan_tree(project: Snapshot) -> tuple[Listing, bool]:
    """Scan the tree; return it, and whether the project's files match."""
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
    """The verdicts on a project, current between runs or in a daemon."""

    def __init__(self, memo: Memo, *, keep: bool = True) -> None:
        """Continue from a memo; without ``keep`` from nothing."""
        self._memo = memo
        self._keep = keep
        self._state: State | None = None
        self._environment = ""  # of the state
        self._shown: tuple[Judgement, JudgedProject] | None = None
        self._packing_of_all: Packing | None = None
        self._unwritten = 0
        self._lock = RLock()

    def of(self, project: Snapshot, processing: Processing = ALONE, view: View | None = None) -> JudgedProject:
        """Return the verdicts, like :func:`judge_project`; record inputs in a view."""
        with Acquired(self._lock):  # another thread may ask about a newer snapshot, which has other inputs
            project.refresh()
            listing = project.listing()
            is_current = True
            if listing is None:
                listing, is_current = scan_tree(project)
            inputs = self._memo.inputs(project, listing)
            if not is_current:  # tree and database may differ: these verdicts are not kept
                tree, content = Tree(listing), inputs.content_of
                state = _nothing().follow(project, tree, processing, content=content, is_current=False)
                if view is not None:
                    view.note(TREE, "", RACY)
                return self.shown(project, Judgement(state.counts, state.problems))
            judgement = self._memo.derive(
                inputs,
                VERDICTS,
                VERSION_OF_VERDICTS,
                partial(self._follow, inputs, processing),
                Codec(self._encode, self._decode) if self._keep else None,
            )
            if view is not None:
                view.inherit(self._memo.noted(VERDICTS, VERSION_OF_VERDICTS))
            return self.shown(project, judgement)

    def _follow(self, inputs: Inputs, processing: Processing, view: View) -> Judgement:
        """Bring all facts up to date."""
        project, tree = inputs.project, inputs.tree
        if tree is None:
            raise ValueError("verdicts need a listing of the project")
        view.note(PACKAGES)
        view.note(UNSEEN)
        for path in tree.loose:
            view.note(CONTENT, os.fsdecode(path))
        view.note(CONTENT, VERSION_FILE)  # Unity's reader is another one from 2019.3 on
        libyaml = reads_by_libyaml(project.read(VERSION_FILE) or b"")
        view.note(CONTENT, TAGS_FILE)
        tags = str(inputs.value(CONTENT, TAGS_FILE)) if project.exists(TAGS_FILE) else ""
        environment = environment_of(inputs.value(PACKAGES, ""), libyaml=libyaml, tags=tags)
        state, self._state = self._state, None  # after a failure, it is not used again
        is_first = state is None
        if is_first and self._keep:
            state = self._read_state(environment)
        elif self._environment != environment:
            state = None
        is_new = state is None
        state = state if state is not None else _nothing()
        state = state.follow(project, tree, processing, content=inputs.content_of)
        # Of files that changed meanwhile the scanned content may come back, and these verdicts are not of it.
        view.note(READ, "", RACY if state.is_torn else None)
        if state.history:
            view.note(HISTORY, "", state.history)
        for file, stamp, _ in state.outside.values():
            for name, hashed in zip((file, f"{file}.meta"), stamp.split() or [str(RACY)] * 2, strict=True):
                view.note(CONTENT, name, int(hashed))
        self._unwritten += state.work
        worth = len(state.files) // processing.kept_for_one if is_first else _WORTH_WRITING
        if self._keep and (is_new or self._unwritten > worth):
            self._unwritten = 0
            self._write_state(state, environment)
        self._state, self._environment = state, environment
        return Judgement(state.counts, dict(state.problems))  # the state will change

    def _read_state(self, environment: str) -> State | None:
        from assetdb.checks.verdicts.encoding import decode_state  # noqa: PLC0415 - where nothing changed it is not needed

        packed = self._memo.get(STATE)
        return decode_state(packed, environment, self._packing) if packed is not None else None

    def _write_state(self, state: State, environment: str) -> None:
        from assetdb.checks.verdicts.encoding import encode_state  # noqa: PLC0415 - the same

        self._memo.put(STATE, encode_state(state, environment, self._packing.packed(state.problems)))

    def _encode(self, judgement: Judgement) -> bytes:
        return encode_judgement(judgement.counts, self._packing.packed(judgement.problems))

    def _decode(self, packed: bytes) -> Judgement:
        counts, problems = decode_judgement(packed)
        return Judgement(counts, self._packing.unpacked(problems))

    @property
    def _packing(self) -> Packing:
        if self._packing_of_all is None:
            from assetdb.checks.verdicts.encoding import Packing  # noqa: PLC0415 - where nothing changed it is not needed

            self._packing_of_all = Packing()
        return self._packing_of_all

    def shown(self, project: Snapshot, judgement: Judgement) -> JudgedProject:
        """Return verdicts with problems as references, known ones reused."""
        from assetdb.query.graph.verdicts import BROKEN, NO_REFERENCE  # noqa: PLC0415 - where nothing changed it is not needed

        if self._shown is not None and self._shown[0] is judgement:
            return self._shown[1]
        before = self._shown[1].problems if self._shown is not None else None
        counts = {
            outcome: count for outcome, count in judgement.counts.items() if outcome[0] not in (NO_REFERENCE, BROKEN)
        }
        found = JudgedProject(counts, Problems(project, dict(judgement.problems), self._packing, before))
        self._shown = judgement, found
        return found


def last_counts(folder: str) -> dict[tuple[str, str], int] | None:
    """Return the last verdicts' counts in an output folder, or None."""
    packed = Memo(folder).kept(VERDICTS)
    try:
        return decode_judgement(packed)[0] if packed is not None else None
    except ValueError:
        return None


def encode_judgement(counts: Mapping[Outcome, int], problems: list[tuple[bytes, bytes]]) -> bytes:
    """Return counts and packed problems as bytes."""
    return columns(
        [
            texts([text for pair in counts for text in pair]),
            array("q", counts.values()).tobytes(),
            b"".join([path + _END for path, _ in problems]),
            columns([packed for _, packed in problems]),
        ]
    )


def decode_judgement(packed: bytes) -> tuple[dict[Outcome, int], list[tuple[bytes, bytes]]]:
    """Return the arguments of :func:`encode_judgement`.

    Raises:
        ValueError: the bytes are invalid.
    """
    outcomes, numbers, paths, problems = split_columns(packed)
    kinds = strings_of(outcomes)
    counts = dict(zip(zip(kinds[::2], kinds[1::2], strict=True), array("q", numbers), strict=True))
    return counts, list(zip(paths.split(_END)[:-1], split_columns(problems), strict=True))


def environment_of(packages: Value, *, libyaml: bool, tags: str = "") -> str:
    """Return the inputs of a state besides its tree."""
    return f"{packages}{_LIBYAML if libyaml else ''}{f' {tags}' if tags else ''}"


def _nothing() -> State:
    """Return an empty state."""
    from assetdb.checks.verdicts.state import State  # noqa: PLC0415 - where nothing changed it is not needed

    return State()


def _reference(project: Snapshot, path: bytes, problem: Problem) -> JudgedReference:
    """Return a located problem as a reference."""
    from assetdb.query.graph.verdicts import JudgedReference, Verdict, judge  # noqa: PLC0415 - as above
    from assetdb.resolve.resolver import BUILT_IN_UNNAMED  # noqa: PLC0415 - as above

    unlisted, line, class_id, object_id, way, script, script_id, *texts, file_id, kind, reason = problem
    place, override, detail, guid = texts
    verdict = Verdict(kind, reason)
    if reason == BUILT_IN_UNNAMED and guid:  # its name has the file of Unity's that it is in
        verdict = judge(project.resolver, guid, file_id)
    where = shown(path), line, class_id, object_id, way, script, script_id, place, override
    return JudgedReference(*where, guid, file_id, verdict, detail, unlisted)
