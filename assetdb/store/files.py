"""Names of the files of a database.

Files are replaced by :func:`assetdb_formats.atomic.replace_file`. Data is not synced to disk: all of it can be rebuilt,
and a sync takes longer than a bake.
"""

from __future__ import annotations

from assetdb.version import VERSION

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

# Separate from the encoders: a bake that changes nothing needs only the names.
DATABASE_NAME: Final = "asset-db.bin"
INDEX_NAME: Final = "asset-db.index"
DATABASE_MAGIC: Final = b"UADBIN__"
SCHEMA: Final = 6
DATABASE_START: Final = DATABASE_MAGIC + SCHEMA.to_bytes(1, "little")  # bincode: numbers below 251 are one byte
"""How a database of this schema begins."""
LOCK_NAME: Final = "asset-db.lock"
PACKAGES_FOLDER: Final = f"packages-{VERSION}-{SCHEMA}"
"""The files of packages: of one version, as a daemon opens them when asked, and another version may have run since."""
MEMO_NAME: Final = "asset-db.memo"
"""Derived answers: verdicts, findings, findings of revisions; each valid until one of its inputs changes."""
MEMO_FORMAT: Final = 5
"""Raised with the encoding of what all entries of a memo have: their inputs, and the contents of files."""
GONE_NAME: Final = "asset-db.gone"
"""GUIDs in the history of the project that no longer exist, by commit."""
NAMES_NAME: Final = "asset-db.names"
"""The names by which models and shaders look for others, by the identities of their files."""
NAMES_FORMAT: Final = 1
