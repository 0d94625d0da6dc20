"""``open``: a catalog and the files beside it.

A path may be a catalog, a folder of a build (a StreamingAssets tree, ServerData), or a zip archive (APK, AAB, OBB).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeAlias

from assetdb_formats.addressables.companions.settings import Settings, read_settings
from assetdb_formats.addressables.errors import (
    AddressablesError,
    AmbiguousCatalogError,
    CatalogNotFoundError,
    as_own_error,
)
from assetdb_formats.addressables.reading import UNITYFS, read_catalog
from assetdb_formats.binary import FormatError
from assetdb_formats.inputs import Input, find_inputs

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog

    Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO"

LARGEST: Final = 1 << 29  # bytes of a file that is worth reading as a catalog; the largest known one has 4 MB
_CATALOG: Final = re.compile(r"(?:[^/]*[_-])?catalog[^/]*\.(?:json|bin|bundle)", re.IGNORECASE)
_FIRST: Final = re.compile(r"(?:.*/)?aa/(?:[^/]+/)?catalog\.(?:json|bin|bundle)")
_LOCAL: Final = re.compile(r"(?:.*/)?catalog\.(?:json|bin|bundle)")
_LISTED: Final = 20
_SETTINGS: Final = "settings.json"


class OpenCatalog(NamedTuple):
    """A catalog and the files found beside it.

    Attributes:
        catalog: the tables, and all queries on them.
        name: the file's name for people, with the archive that contains it; ``""`` for bytes.
        input: the file, which finds others beside it; None for bytes and streams.
        settings: ``settings.json`` beside it, with the package's version since 1.16.13.
        hash_text: the unchanged text of the ``.hash`` file beside it.
        in_bundle: whether the file is a ``catalog.bundle``, which holds the catalog as an asset.
    """

    catalog: Catalog
    name: str = ""
    input: Input | None = None
    settings: Settings | None = None
    hash_text: str | None = None
    in_bundle: bool = False

    def beside(self, relative: str) -> Input | None:
        """Return a file beside the catalog or below its folder, or None."""
        return None if self.input is None else self.input.beside(relative)


def open_catalog(source: Source, *, salvage: bool = False, intended_prefixes: bool = False) -> OpenCatalog:
    """Open the single catalog of a path, bytes or a binary stream.

    A stream is read to its end and not closed.

    In a folder or archive it is the one that a game reads first: ``catalog.json``, ``.bin`` or ``.bundle`` in a folder
    ``aa``, else one of that name, else the only one. ``salvage`` and ``intended_prefixes``: see :func:`read_catalog`.

    Raises:
        CatalogNotFoundError: a folder or archive holds none.
        AmbiguousCatalogError: it holds several of the same rank.
        AddressablesError: the bytes are not a catalog, or a damaged one; the archive or ``settings.json`` is damaged.
        OSError: nothing is there, or it cannot be read.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
        catalog = read_catalog(data, salvage=salvage, intended_prefixes=intended_prefixes)
        return OpenCatalog(catalog)
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        found = find_catalogs(path)
        if len(found) > 1:
            raise _ambiguous(path, found)
        return open_input(found[0], salvage=salvage, intended_prefixes=intended_prefixes)
    name = getattr(source, "name", "")
    name = name if isinstance(name, str) else ""
    data = source.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise AddressablesError(f"has over {LARGEST:,} bytes, which no catalog has", path=name)
    try:
        catalog = read_catalog(data, salvage=salvage, intended_prefixes=intended_prefixes)
    except AddressablesError as error:
        raise error.at(name) from None
    catalog.path = name
    return OpenCatalog(catalog, name)


def open_input(found: Input, *, salvage: bool = False, intended_prefixes: bool = False) -> OpenCatalog:
    """Open a catalog that :func:`find_catalogs` found."""
    try:
        data = found.read(largest=LARGEST)
        catalog = read_catalog(data, salvage=salvage, intended_prefixes=intended_prefixes)
    except FormatError as error:
        raise as_own_error(error, found.name) from None
    catalog.path = found.name
    settings = None
    file = found.beside(_SETTINGS)
    if file is not None:
        try:
            settings = read_settings(file.read(largest=LARGEST))
        except FormatError as error:
            raise as_own_error(error, f"{_SETTINGS} beside {found.name}") from None
    hash_name = _hash_name(found.name)
    file = found.beside(hash_name) if hash_name else None
    hash_text = None if file is None else read_hash_text(file)
    return OpenCatalog(catalog, found.name, found, settings, hash_text, data.startswith(UNITYFS))


def names_beside(catalog: str) -> tuple[str, ...]:
    """Return names of optional files that :func:`open_input` reads beside a catalog."""
    return tuple(filter(None, (_SETTINGS, _hash_name(catalog))))


def _hash_name(catalog: str) -> str:
    stem = re.split(r"[/\\]", catalog)[-1].rpartition(".")[0]
    return f"{stem}.hash" if stem else ""


def read_hash_text(file: Input) -> str:
    """Read 64 characters of a ``.hash``. Raises AddressablesError or OSError."""
    try:
        return file.head(64).decode("ascii", "replace")
    except FormatError as error:
        raise as_own_error(error, file.name) from None


def find_catalogs(path: str) -> list[Input]:
    """Return the catalogs of highest rank at a path, by name.

    Raises:
        CatalogNotFoundError: a folder or archive holds none.
        AddressablesError: it is damaged, or too large to be searched.
        OSError: nothing is there, or it cannot be read.
    """
    try:
        found = sorted(find_inputs(path, _is_catalog), key=lambda one: one.member)
    except FormatError as error:
        raise as_own_error(error, path) from None
    if not found:
        raise CatalogNotFoundError("holds no catalog (catalog*.json, .bin or .bundle)", path=path)
    for rank in (_FIRST, _LOCAL):
        best = [one for one in found if rank.fullmatch(one.member)]
        if best:
            return best
    return found


def _is_catalog(member: str) -> bool:
    return _CATALOG.fullmatch(member.rpartition("/")[2]) is not None


def _ambiguous(path: str, found: list[Input]) -> AmbiguousCatalogError:
    names = tuple(one.member for one in found)
    listed = "".join(f"\n  {name}" for name in names[:_LISTED])
    more = f"\n  and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    error = AmbiguousCatalogError(f"holds {len(names)} catalogs, name one:{listed}{more}", path=path)
    error.candidates = names
    return error
