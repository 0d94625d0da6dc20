"""A file as its objects, with line ends and byte order mark."""

from __future__ import annotations

import re
from collections import Counter

from assetdb.unity.kinds import BYTE_ORDER_MARK
from assetdb.unity.yaml.text_asset import conflict_line
from assetdb_formats.binary import FormatError
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

LARGEST: Final = 1 << 26
"""Bytes of a file; a merge takes about ten times as much memory."""
_HEAD: Final = b"--- !u!"
_BETWEEN: Final = b"\n--- "
_HEADER: Final = re.compile(rb"!u![^&\n]{0,16}&(-?\d{1,19})(?!\d)")
_META: Final = b"fileFormatVersion:"
_YAML: Final = b"%YAML"
_STRIPPED: Final = b" stripped"


class UnmergeableError(FormatError):
    """Error of a file that is not merged by object."""


class Written(NamedTuple):
    """How a file is written.

    Attributes:
        has_mark: whether it begins with a byte order mark.
        is_crlf: whether its lines end in CR LF.
        is_ended: whether its last line has an end.
    """

    has_mark: bool
    is_crlf: bool
    is_ended: bool


class Version(NamedTuple):
    """One version of a file.

    Attributes:
        written: how.
        head: the lines before the first object; of a meta the whole text.
        objects: each object's lines from ``!u!`` on, without the last line end, by fileID and number of occurrence.
    """

    written: Written
    head: bytes
    objects: dict[tuple[int, int], bytes]


def read_version(data: bytes) -> Version:
    """Return a version of a file.

    Raises:
        UnmergeableError: it is no text of Unity, or has conflict markers or different line ends.
    """
    if len(data) > LARGEST:
        raise UnmergeableError(f"has {len(data):,} bytes, at most {LARGEST:,} are merged by object")
    if not data:
        return Version(Written(has_mark=False, is_crlf=False, is_ended=True), b"", {})
    text = data.removeprefix(BYTE_ORDER_MARK)
    has_mark = len(text) < len(data)
    if not text.startswith((_YAML, _HEAD, _META)):
        raise UnmergeableError("is no text of Unity")
    is_crlf = b"\r" in text
    if is_crlf:
        if not text.count(b"\r") == text.count(b"\n") == text.count(b"\r\n"):
            raise UnmergeableError("has line ends of two kinds")
        text = text.replace(b"\r\n", b"\n")
    line = conflict_line(text)
    if line:
        raise UnmergeableError(f"has conflict markers already, in line {line}")
    is_ended = text.endswith(b"\n")
    written = Written(has_mark=has_mark, is_crlf=is_crlf, is_ended=is_ended)
    if is_ended:
        text = text[:-1]
    if text.startswith(_META):
        return Version(written, text + b"\n", {})
    parts = (b"\n" + text).split(_BETWEEN)
    objects: dict[tuple[int, int], bytes] = {}
    counts: Counter[int] = Counter()
    for part in parts[1:]:
        file_id = _file_id(part)
        objects[file_id, counts[file_id]] = part
        counts[file_id] += 1
    if not objects:
        raise UnmergeableError("has no objects")
    head = parts[0][1:]
    return Version(written, head + b"\n" if head else b"", objects)


def text_of(version: Version) -> bytes:
    """Return the lines of a version's objects, behind its head."""
    return version.head + b"".join([b"--- " + part + b"\n" for part in version.objects.values()])


def write_version(written: Written, text: bytes) -> bytes:
    """Return the file of a text with line ends LF."""
    if not written.is_ended:
        text = text.removesuffix(b"\n")
    if written.is_crlf:
        text = text.replace(b"\n", b"\r\n")
    return BYTE_ORDER_MARK + text if written.has_mark else text


def body_start(part: bytes) -> int:
    """Return where the header of an object ends."""
    found = part.find(b"\n")
    return found if found >= 0 else len(part)


def class_of(part: bytes) -> int:
    """Return the class number in an object's header."""
    digits = part[3 : part.find(b" ", 0, 20)]
    return int(digits) if digits.isdigit() else -1


def is_stripped(part: bytes) -> bool:
    """Whether an object is only the placeholder of one in a prefab."""
    return part[: body_start(part)].endswith(_STRIPPED)


def _file_id(part: bytes) -> int:
    """Return an object's fileID.

    Raises:
        UnmergeableError: its header has none.
    """
    found = _HEADER.match(part)
    if found is None:
        raise UnmergeableError("has a document that is no object")
    return int(found[1])
