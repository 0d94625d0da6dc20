"""Opens a catalog, whatever its format: the one door of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from formats.addressables.binary_reader import MAGIC, BinaryCatalog
from formats.addressables.json_reader import JsonCatalog
from formats.binary import FormatError

if TYPE_CHECKING:
    from formats.addressables.catalog import Catalog

_UNITYFS: Final = b"UnityFS\0"
_MAGIC: Final = MAGIC.to_bytes(4, "little")


def read_catalog(data: bytes, *, salvage: bool = False, intended_prefixes: bool = False) -> Catalog:
    """Return the catalog that ``data`` holds: JSON or binary, told by the first bytes.

    With ``salvage`` what decodes is returned and ``problems`` says what did not; without, the first fault is an error.
    ``intended_prefixes``: see ``JsonCatalog``. A ``catalog.bundle`` holds one of the two as a text asset: its reader
    takes the asset's bytes out and hands them to this function.
    Raises FormatError.
    """
    if data.startswith(_UNITYFS):
        raise FormatError("is an asset bundle (catalog.bundle); the catalog is a text asset inside it", offset=0)
    if data.startswith(_MAGIC):
        return BinaryCatalog(data, salvage=salvage)
    start = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"{", b"[")) and len(data) >= 28 and not data.isascii():
        return BinaryCatalog(data, salvage=salvage)  # says which magic it is
    return JsonCatalog(data, salvage=salvage, intended_prefixes=intended_prefixes)
