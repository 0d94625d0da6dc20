"""Parts of a merged text: bytes, and places where people must choose."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final, TypeAlias

BOTH_CHANGED: Final = "both changed it"
REMOVED_BY_OURS: Final = "ours removed it, theirs changed it"
REMOVED_BY_THEIRS: Final = "theirs removed it, ours changed it"
BOTH_ADDED: Final = "both added it"
MOVED: Final = "both moved its rows"
ROTATION: Final = "both changed one rotation"
DICTIONARY: Final = "both changed one dictionary"
FAULT: Final = "together the changes of both break the file"


class Conflict(NamedTuple):
    """A value that the merge leaves open.

    Attributes:
        reason: one of the sentences above.
        file_id: of its object; 0 in a file without objects.
        place: the keys that lead to it, rows by what identifies them.
        base: its lines in the common ancestor.
        ours: its lines in ours.
        theirs: its lines in theirs.
    """

    reason: str
    file_id: int
    place: tuple[str, ...]
    base: bytes
    ours: bytes
    theirs: bytes


if TYPE_CHECKING:
    Piece: TypeAlias = "bytes | Conflict"


def whole_lines(pieces: Iterable[Piece]) -> list[Piece]:
    """Let every conflict begin with a line, and join the bytes.

    Where a side has nothing there, what stands before it in the line is indentation alone.
    """
    joined: list[Piece] = []
    waiting: list[bytes] = []
    for piece in pieces:
        if isinstance(piece, bytes):
            waiting.append(piece)
            continue
        before = b"".join(waiting)
        cut = before.rfind(b"\n") + 1
        if cut:
            joined.append(before[:cut])
        start = before[cut:]
        texts = [start + text if text else b"" for text in (piece.base, piece.ours, piece.theirs)]
        last = joined[-1] if joined else b""
        if not isinstance(last, bytes) and not cut and last.reason == piece.reason == ROTATION:
            texts = [one + other for one, other in zip((last.base, last.ours, last.theirs), texts, strict=True)]
            joined.pop()
        joined.append(Conflict(piece.reason, piece.file_id, piece.place, *texts))
        waiting = []
    if waiting:
        joined.append(b"".join(waiting))
    return joined


def rendered(pieces: Iterable[Piece], choose: Callable[[Conflict], bytes]) -> bytes:
    """Return the text with a choice in the place of each conflict."""
    return b"".join([piece if isinstance(piece, bytes) else choose(piece) for piece in pieces])
