"""Names of the files of a database.

Files are replaced by :func:`assetdb_formats.atomic.replace_file`. Their data is not forced to the disk: all that is
written here can be made again, and a forced write takes longer than a bake.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

# Here and not with what encodes them: a bake that changes nothing asks for the names alone.
DATABASE_NAME: Final = "asset-db.bin"
INDEX_NAME: Final = "asset-db.index"
DATABASE_MAGIC: Final = b"UADBIN__"
SCHEMA: Final = 6
DATABASE_START: Final = DATABASE_MAGIC + SCHEMA.to_bytes(1, "little")  # bincode: what is below 251 is its own byte
"""How a database of this schema begins."""
LOCK_NAME: Final = "asset-db.lock"
MEMO_NAME: Final = "asset-db.memo"
"""What was derived: verdicts, findings, what was found in revisions; each until something that it rests on changes."""
GONE_NAME: Final = "asset-db.gone"
"""The GUIDs that the history of the project had and has no more, by commit."""
