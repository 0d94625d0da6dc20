"""A writer of the records that ReadDirectoryChangesW gives (FILE_NOTIFY_INFORMATION)."""

from __future__ import annotations

import struct

# FILE_ACTION_...
ADDED, REMOVED, MODIFIED_ACTION, RENAMED_FROM, RENAMED_TO = 1, 2, 3, 4, 5


def records(*changes: tuple[int, str]) -> bytes:
    """Return the records of actions and names, each at a multiple of four bytes."""
    parts = []
    for number, (action, name) in enumerate(changes, 1):
        data = name.encode("utf-16-le", "surrogatepass")
        size = 12 + len(data) + 3 & ~3
        parts.append(struct.pack("<III", size if number < len(changes) else 0, action, len(data)) + data)
        parts[-1] = parts[-1].ljust(size, b"\0")
    return b"".join(parts)
