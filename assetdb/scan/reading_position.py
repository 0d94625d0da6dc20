"""The type of a reader's current directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.system.identity import Identities


class Place(Protocol):
    """The current directory of a :class:`assetdb.scan.reader.DirectoryReader`."""

    root: bytes
    prefix: bytes
    path: bytes
    files_read: int
    identities: Identities
    has_mounts: bool
    excluded: Callable[[str], bool] | None
    largest_meta: int
    largest_asset: int

    def packed(self, files: bytes) -> bytes:
        """Return the identities of files as they are now."""
