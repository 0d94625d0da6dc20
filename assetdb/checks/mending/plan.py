"""A plan: new contents of files, moves, and steps left to people."""

from __future__ import annotations

from difflib import unified_diff
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONTEXT: Final = 3  # context lines of a unified diff
_NOTHING: Final = "/dev/null"
_NO_NEWLINE: Final = "\\ No newline at end of file"


class Edit(NamedTuple):
    """One file that is written, made or removed.

    Attributes:
        path: relative to the project, with ``/``.
        before: the required current bytes; None if it must not exist.
        after: the new bytes; None for removal.
    """

    path: str
    before: bytes | None
    after: bytes | None


class Move(NamedTuple):
    """A file or folder that gets another path, with its contents."""

    source: str
    target: str


class Fix(NamedTuple):
    """The fix of one finding in a plan."""

    code: str
    path: str
    what: str


class Proposal(NamedTuple):
    """A risky change left to a person, with the command for it."""

    code: str
    path: str
    message: str


class Plan(NamedTuple):
    """The steps of a change, all of them or none.

    Attributes:
        edits: at most one a file, in the order of paths.
        moves: in the order in which they are made.
        removals: files and folders to remove, with their contents.
        emptied: the removed folders in which nothing may be left when their turn comes.
        fixes: the findings that are fixed.
        proposals: the others.
        folders: the removals that take contents along.
    """

    edits: tuple[Edit, ...] = ()
    moves: tuple[Move, ...] = ()
    removals: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not (self.edits or self.moves or self.removals)

    def diff(self) -> Iterator[str]:
        """Yield a unified diff as git writes it, without line ends."""
        for move in self.moves:
            yield f"diff --git a/{move.source} b/{move.target}"
            yield f"rename from {move.source}"
            yield f"rename to {move.target}"
        for path in self.removals:
            yield f"diff --git a/{path} b/{path}"
            yield "deleted, with all that is in it" if path in self.folders else "deleted"
        for edit in self.edits:
            yield from _unified(edit)


def _unified(edit: Edit) -> Iterator[str]:
    old, new = _lines(edit.before), _lines(edit.after)
    yield f"diff --git a/{edit.path} b/{edit.path}"
    if edit.before is None:
        yield "new file mode 100644"
    elif edit.after is None:
        yield "deleted file mode 100644"
    if not old and not new:  # an empty file, made or removed: git refuses a hunk without lines
        return
    yield f"--- {_NOTHING if edit.before is None else f'a/{edit.path}'}"
    yield f"+++ {_NOTHING if edit.after is None else f'b/{edit.path}'}"
    if not old or not new:
        yield f"@@ -{_range(0, len(old))} +{_range(0, len(new))} @@"
        yield from _shown("-", old)
        yield from _shown("+", new)
        return
    if len(old) != len(new):
        yield from _aligned(old, new)
        return
    for first, last in _hunks([number for number, line in enumerate(old) if line != new[number]], len(old)):
        yield f"@@ -{_range(first, last - first)} +{_range(first, last - first)} @@"
        number = first
        while number < last:
            end = number
            while end < last and old[end] != new[end]:
                end += 1
            yield from _shown("-", old[number:end])
            yield from _shown("+", new[number:end])
            if end < last:
                yield from _shown(" ", old[end : end + 1])
            number = end + 1


def _aligned(old: list[bytes], new: list[bytes]) -> Iterator[str]:
    """Yield the hunks of files with different numbers of lines."""
    before, after = ([line.decode("utf-8", "backslashreplace") for line in side] for side in (old, new))
    rows = unified_diff(before, after, lineterm="", n=_CONTEXT)
    for row in islice(rows, 2, None):  # the first two rows are headers without paths
        yield row.removesuffix("\n")
        if not row.endswith("\n") and not row.startswith("@@"):
            yield _NO_NEWLINE


def _hunks(changed: list[int], count: int) -> Iterator[tuple[int, int]]:
    """Yield first and last line of each hunk of near changes."""
    start = end = -1
    for number in changed:
        if start >= 0 and number - _CONTEXT > end:
            yield start, end
            start = -1
        if start < 0:
            start = max(0, number - _CONTEXT)
        end = min(count, number + _CONTEXT + 1)
    if start >= 0:
        yield start, end


def _lines(data: bytes | None) -> list[bytes]:
    """Return the lines of a file, carriage returns kept within them."""
    return BytesIO(data or b"").readlines()


def _range(first: int, count: int) -> str:
    return f"{first + 1 if count else 0},{count}"


def _shown(mark: str, lines: list[bytes]) -> Iterator[str]:
    for line in lines:
        yield mark + _text(line)
        if not line.endswith(b"\n"):
            yield _NO_NEWLINE


def _text(line: bytes) -> str:
    return line.removesuffix(b"\n").decode("utf-8", "backslashreplace")
