"""Format detection: a catalog is JSON, binary, or in a bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.binary.reader import MAGIC, BinaryCatalog
from assetdb_formats.addressables.errors import AddressablesError, as_own_error
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog

UNITYFS: Final = b"UnityFS\0"
_MAGIC: Final = MAGIC.to_bytes(4, "little")


def read_catalog(data: bytes, *, salvage: bool = False, intended_prefixes: bool = False) -> Catalog:
    """Parse a catalog, JSON or binary by its first bytes.

    With ``salvage`` all that decodes is returned and ``problems`` lists the faults; without, the first fault is an
    error. ``intended_prefixes``: see ``JsonCatalog``. A ``catalog.bundle`` is read through the text asset in it. Raises
    AddressablesError.
    """
    if data.startswith(UNITYFS):
        data = text_of_bundle(data)
    if data.startswith(_MAGIC):
        return BinaryCatalog(data, salvage=salvage)
    start = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"{", b"[")) and len(data) >= 28 and not data.isascii():
        return BinaryCatalog(data, salvage=salvage)  # raises an error about its magic
    return JsonCatalog(data, salvage=salvage, intended_prefixes=intended_prefixes)


def text_of_bundle(data: bytes) -> bytes:
    """Return the catalog in a ``catalog.bundle``. Raises AddressablesError."""
    from assetdb_formats.unityfs.bundle import text_asset_bytes  # noqa: PLC0415 - most catalogs are not in bundles

    try:
        text = text_asset_bytes(data)
    except FormatError as error:
        raise as_own_error(error) from None
    if text.startswith(UNITYFS):
        raise AddressablesError("the bundle holds a bundle, not a catalog", field="catalog.bundle")
    return text
