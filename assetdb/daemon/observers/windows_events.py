"""Interpretation of the records of ReadDirectoryChangesW (FILE_NOTIFY_INFORMATION).

Pure.
"""

from __future__ import annotations

from struct import Struct

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

MODIFIED: Final = 1
APPEARED: Final = 2
VANISHED: Final = 4
_KINDS: Final = {1: APPEARED, 2: VANISHED, 3: MODIFIED, 4: VANISHED, 5: APPEARED}  # 4 and 5: old and new name
_ANY: Final = MODIFIED | APPEARED | VANISHED

_RECORD: Final = Struct("<III")  # offset of the next record from this one, action, bytes of the name


def digest(buffer: bytes, into: dict[bytes, int]) -> int:
    """Add the paths of records, relative to their folder; return their number.

    A path is mapped to all that happened to it.

    Raises:
        ValueError: the buffer ends within a record.
    """
    position, size, count = 0, len(buffer), 0
    while True:
        if position + _RECORD.size > size:
            raise ValueError("the record of a change is cut short")
        after, action, length = _RECORD.unpack_from(buffer, position)
        start = position + _RECORD.size
        if start + length > size:
            raise ValueError("the name of a change is cut short")
        name = buffer[start : start + length].decode("utf-16-le", "surrogatepass")
        path = name.replace("\\", "/").encode("utf-8", "surrogatepass")  # as os.fsencode does there
        into[path] = into.get(path, 0) | _KINDS.get(action, _ANY)
        count += 1
        if not after:
            return count
        position += after
