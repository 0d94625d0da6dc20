"""The YAML documents of a text asset, and their places.

A file is a sequence of documents, ``--- !u!<class> &<fileID>``, each one object. They are found by searching for their
first lines. A YAML parser would refuse the second document of every file, because the ``%TAG`` line applies to the
first one only. No pattern is compiled either: for a command that names one object, that takes longer than reading the
file.
"""

from __future__ import annotations

from assetdb.unity.kinds import DOCUMENT_HEAD as _HEAD
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

NEXT_DOCUMENT: Final = b"\n--- "
_STRIPPED: Final = b"stripped"
_CLASS_DIGITS: Final = 10
_LONGEST_ID: Final = 20


class Document(NamedTuple):
    """One object of a text asset, and the bounds of its body."""

    class_id: int
    file_id: int
    stripped: bool
    start: int
    end: int


def documents(data: bytes) -> list[Document]:
    """Return the documents of a text asset that have ids, in order."""
    return list(map(Document._make, cut(data)))


def cut(data: bytes) -> Iterator[tuple[int, int, bool, int, int]]:
    """Yield :class:`Document` fields; plain tuples take half the time."""
    find = data.find
    class_ids: dict[bytes, int] = {}
    header = 0 if data.startswith(_HEAD) else _behind(find(NEXT_DOCUMENT))
    while header >= 0:
        start = find(b"\n", header)
        if start < 0:
            start = len(data)
        following = find(NEXT_DOCUMENT, start)
        head, _, tail = data[header:start].rstrip(b"\r").partition(b" &")
        class_id = class_ids.get(head)
        if class_id is None:
            class_id = class_ids[head] = _class_id(head)
        if class_id >= 0:
            anchor, _, tail = tail.partition(b" ")
            if (anchor.isdigit() or (anchor[:1] == b"-" and anchor[1:].isdigit())) and len(anchor) <= _LONGEST_ID:
                yield class_id, int(anchor), tail[:8] == _STRIPPED, start, following if following >= 0 else len(data)
        header = following + 1 if following >= 0 else -1


def _class_id(head: bytes) -> int:
    """Return the class in a document's header line, or -1."""
    digits = head.removeprefix(_HEAD)
    return int(digits) if digits != head and digits.isdigit() and len(digits) <= _CLASS_DIGITS else -1


def _behind(line_end: int) -> int:
    """Return the start of the next line, or -1."""
    return line_end + 1 if line_end >= 0 else -1
