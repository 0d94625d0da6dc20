"""Three-way merges of whole files: objects, their order, validation.

An object that one side alone changed is its bytes; only those that both changed are read.
"""

from __future__ import annotations

from assetdb.unity.merging.containers import BY_LINES, OURS_ALONE, THEIRS_ALONE, ObjectMerge, Step
from assetdb.unity.merging.envelope import UnmergeableError, Version, Written, body_start, read_version, write_version
from assetdb.unity.merging.faults import new_faults
from assetdb.unity.merging.pieces import (
    BOTH_ADDED,
    BOTH_CHANGED,
    DICTIONARY,
    FAULT,
    REMOVED_BY_OURS,
    REMOVED_BY_THEIRS,
    ROTATION,
    Conflict,
    rendered,
    whole_lines,
)
from assetdb.unity.merging.removals import targets_removed, without_generated
from assetdb.unity.merging.root_order import renumbered
from assetdb.unity.merging.sequences import merged_lines, ordered
from assetdb.unity.yaml.tree import UnreadableError, read_tree
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Final, TypeAlias

    from assetdb.unity.merging.faults import Contested
    from assetdb.unity.merging.pieces import Piece

    Key: TypeAlias = "tuple[int, int]"

_BEFORE: Final = b"--- "
WHOLE_OBJECT: Final = ("",)
"""The contested place that stands for all of an object."""


class Merged(NamedTuple):
    """The result of a merge.

    Attributes:
        pieces: the text, whose lines end in LF.
        written: how it is written to a file.
        steps: what was decided, in order.
    """

    pieces: list[Piece]
    written: Written
    steps: list[Step]

    @property
    def conflicts(self) -> list[Conflict]:
        """The open values, in order."""
        return [piece for piece in self.pieces if not isinstance(piece, bytes)]

    def data(self, choose: Callable[[Conflict], bytes]) -> bytes:
        """Return the bytes of the file with a choice for each conflict."""
        return write_version(self.written, rendered(self.pieces, choose))


def merge_files(base: bytes, ours: bytes, theirs: bytes, *, contested: Iterable[Contested] = ()) -> Merged:
    """Return the merge of two versions of an asset or a meta.

    Args:
        base: their common ancestor; empty if both added the file.
        ours: one side.
        theirs: the other.
        contested: values and objects that stay open where the sides differ.

    Raises:
        UnmergeableError: a version is no text of Unity, or has conflict markers or different line ends.
    """
    if theirs in (ours, base) or base == ours:
        as_it_is = Written(has_mark=False, is_crlf=False, is_ended=True)
        return Merged([theirs if base == ours else ours], as_it_is, [])
    if not ours or not theirs:
        raise UnmergeableError("is empty on one side")
    versions = _read("the base", base), _read("ours", ours), _read("theirs", theirs)
    before, mine, other = (version.written for version in versions)
    written = mine if not base else Written(*[_picked(*values) for values in zip(before, mine, other, strict=True)])
    merge = _FileMerge(*versions, contested)
    pieces = merge.pieces()
    if not any(isinstance(piece, Conflict) for piece in pieces):
        pieces = merge.checked(pieces)
    return Merged(pieces, written, merge.steps)


def _read(name: str, data: bytes) -> Version:
    """Return a version; an error says which it is.

    Raises:
        UnmergeableError: as of :func:`read_version`.
    """
    try:
        return read_version(data)
    except UnmergeableError as error:
        raise UnmergeableError(f"{name} {error.what}") from error


def _picked(base: bool, ours: bool, theirs: bool) -> bool:  # noqa: FBT001 - three values of one kind
    return theirs if ours == base else ours


class _FileMerge:
    """The merge of three versions of one file."""

    def __init__(self, base: Version, ours: Version, theirs: Version, contested: Iterable[Contested]) -> None:
        self.base = base
        self.ours = ours
        self.theirs = theirs
        self.steps: list[Step] = []
        self._contested: dict[Key, tuple[str, ...]] = {}
        self._merged: list[Piece] = []
        for key, place in contested:
            own = place or WHOLE_OBJECT
            self._contested[key] = own if self._contested.get(key, own) == own else WHOLE_OBJECT

    def pieces(self) -> list[Piece]:
        """Return the merged text."""
        self.steps.clear()
        if not self.ours.objects and not self.theirs.objects:
            return whole_lines(self._meta())
        base, ours, theirs = self.base.objects, self.ours.objects, self.theirs.objects
        order = ordered(list(base), list(ours), list(theirs))
        if order is None:
            order = [*ours, *[key for key in theirs if key not in ours]]
        merged: dict[Key, list[Piece]] = {}
        for key in order:
            found = self._object(key, base.get(key), ours.get(key), theirs.get(key))
            if found:
                merged[key] = found
        self.steps += renumbered(merged, base, ours, theirs)
        pieces: list[Piece] = [self._head()]
        for found in merged.values():
            pieces += found
        return whole_lines(pieces)

    def checked(self, pieces: list[Piece]) -> list[Piece]:
        """Return the pieces, with conflicts where their text has new faults."""
        text = rendered(pieces, _nothing)
        merged = self._head() + b"".join([part for part in self._merged if isinstance(part, bytes)])
        contested = new_faults(text, merged, self.ours, self.theirs)
        if not contested:
            return pieces
        self._contest(contested)
        pieces = self.pieces()
        if any(isinstance(piece, Conflict) for piece in pieces):
            return pieces
        self.steps.clear()
        texts = [_whole(version) for version in (self.base, self.ours, self.theirs)]
        return [Conflict(FAULT, 0, (), *texts)]

    def _contest(self, contested: Sequence[Contested]) -> None:
        for found in contested:
            self._contested[found.key] = found.place or WHOLE_OBJECT

    def _head(self) -> bytes:
        heads = [version.head for version in (self.base, self.ours, self.theirs)]
        return heads[2] if heads[1] == heads[0] and heads[2] else heads[1]

    def _meta(self) -> list[Piece]:
        base, ours, theirs = self.base.head, self.ours.head, self.theirs.head
        return self._body(0, base, ours, theirs, ()) or [Conflict(BOTH_CHANGED, 0, (), base, ours, theirs)]

    def _object(self, key: Key, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> list[Piece]:
        """Return the merge of one object; nothing if it is removed."""
        contested = self._contested.get(key, ())
        if ours == theirs:
            return _lines(ours)
        if contested == WHOLE_OBJECT or (contested and (ours is None or theirs is None)):
            return [Conflict(FAULT, key[0], (), *[_text(part) for part in (base, ours, theirs)])]
        if contested == ():
            if ours == base:
                self.steps.append(Step(THEIRS_ALONE, key[0], ()))
                return _lines(theirs)
            if theirs == base:
                self.steps.append(Step(OURS_ALONE, key[0], ()))
                return _lines(ours)
        if ours is None or theirs is None:
            kept = ours if ours is not None else theirs
            if base is not None and kept is not None and without_generated(kept) == without_generated(base):
                self.steps.append(Step(OURS_ALONE if ours is None else THEIRS_ALONE, key[0], ()))
                return []
            reason = REMOVED_BY_OURS if ours is None else REMOVED_BY_THEIRS
            return [Conflict(reason, key[0], (), *[_text(part) for part in (base, ours, theirs)])]
        return self._both(key, base, ours, theirs, contested)

    def _both(
        self, key: Key, base: bytes | None, ours: bytes, theirs: bytes, contested: tuple[str, ...]
    ) -> list[Piece]:
        """Return the merge of an object that both sides have."""
        header = _merged_header(base, ours, theirs)
        if header is not None:
            bodies = [part[body_start(part) :] + b"\n" if part is not None else b"" for part in (base, ours, theirs)]
            merged = self._body(key[0], bodies[0], bodies[1], bodies[2], contested)
            if merged is not None:
                self._merged += [_BEFORE + header, *merged]
                return [_BEFORE + header, *merged]
        reason = BOTH_CHANGED if base is not None else BOTH_ADDED
        return [Conflict(reason, key[0], (), *[_text(part) for part in (base, ours, theirs)])]

    def _body(
        self, file_id: int, base: bytes, ours: bytes, theirs: bytes, contested: tuple[str, ...]
    ) -> list[Piece] | None:
        """Return the merged lines of an object or meta, or None."""
        try:
            return self._by_rules(file_id, base, ours, theirs, contested)
        except UnreadableError:
            lines = merged_lines(base, ours, theirs)
            if lines is not None:
                self.steps.append(Step(BY_LINES, file_id, ()))
            return [lines] if lines is not None else None

    def _by_rules(
        self, file_id: int, base: bytes, ours: bytes, theirs: bytes, contested: tuple[str, ...]
    ) -> list[Piece] | None:
        """Return the merged values of an object or meta, or None.

        Raises:
            UnreadableError: a version is not as Unity writes it.
        """
        before, mine, other = read_tree(base) if base else None, read_tree(ours), read_tree(theirs)
        removed = targets_removed(before, mine, other)
        merge = ObjectMerge(file_id, contested=contested, without_target=removed.__contains__ if removed else None)
        pieces = merge.root(before, mine, other)
        if pieces is None:
            return None
        conflicts = [piece for piece in pieces if not isinstance(piece, bytes)]
        if (
            conflicts
            and base
            and not contested
            and all(piece.reason not in (ROTATION, DICTIONARY) for piece in conflicts)
        ):
            lines = merged_lines(base, ours, theirs)
            if lines is not None:  # what git merges is no question
                self.steps.append(Step(BY_LINES, file_id, ()))
                return [lines]
        self.steps += merge.steps
        return [ours[: mine.start], *pieces]


def _merged_header(base: bytes | None, ours: bytes, theirs: bytes) -> bytes | None:
    """Return an object's header, None if both changed its class."""
    mine, other = ours[: body_start(ours)], theirs[: body_start(theirs)]
    before = base[: body_start(base)] if base is not None else None
    if other in (mine, before):
        return mine
    return other if mine == before else None


def _text(part: bytes | None) -> bytes:
    return _BEFORE + part + b"\n" if part is not None else b""


def _lines(part: bytes | None) -> list[Piece]:
    return [_BEFORE + part + b"\n"] if part is not None else []


def _whole(version: Version) -> bytes:
    return version.head + b"".join([_text(part) for part in version.objects.values()])


def _nothing(_: Conflict) -> bytes:
    return b""
