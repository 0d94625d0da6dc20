"""Extracts of a catalog, as Unity's text or as plain objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.addressables.editing.content import unstored_primary_keys
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.model import BundleOptions, key_text, key_to_plain
from assetdb_formats.addressables.queries.query import keys_by_location

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.model import Data, Location

_CHARACTERS_PER_BYTE: Final = 100
_CHARACTERS_ANYWAY: Final = 1 << 20


def extract_text(catalog: Catalog) -> Iterator[str]:
    """Yield lines in the format of Unity's "Extract Binary Catalog"."""
    keys_by_location(catalog)  # refuses a file whose keys imply far more than it holds
    # Before 1.1 no primary key is stored: all locations would be left out.
    first = unstored_primary_keys(catalog)

    def primary_of(index: int) -> str:
        return key_text(first.get(index)) if first else catalog.primary_key(index) or ""

    for at, key in enumerate(catalog.keys):
        name = key_text(key)
        for index in catalog.key_locations(at):
            primary = primary_of(index)
            if name != primary:
                yield f"{name} -> {primary}"
                continue
            location = catalog.location(index)
            yield name
            yield f"\tResourceType: {location.type or ''}"
            yield f"\tProviderId: {location.provider}"
            yield f"\tInternalId: {location.internal_id}"
            yield f"\tData: {_data_text(location.data)}"
            yield f"\tDependencyHash: {location.dependency_hash}"
            if location.dependencies:
                yield "\tDependencies:"
                for other in location.dependencies:
                    yield f"\t\t{primary_of(other)}"


def bounded(catalog: Catalog, lines: Iterable[str]) -> Iterator[str]:
    """Pass on an extract's lines as long as their size is plausible.

    A hostile file could expand to the square of its size: its locations share their strings, and thirty thousand may
    have the same internal id of a megabyte. The text of a real catalog is five times as large as its file.

    Raises:
        AddressablesError: the lines have more than a million characters, and more than a hundred for each byte of the
            catalog.
    """
    left = _CHARACTERS_PER_BYTE * len(catalog.data) + _CHARACTERS_ANYWAY
    for line in lines:
        left -= len(line)
        if left < 0:
            what = f"its locations share strings that expand to more than {_CHARACTERS_PER_BYTE} times the file"
            raise AddressablesError(what, field="locations")
        yield line


def bounded_plain(catalog: Catalog, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Pass on rows of :func:`extract_plain`, bounded as in :func:`bounded`."""
    kept: list[dict[str, Any]] = []

    def lines() -> Iterator[str]:
        for row in rows:
            kept.append(row)
            yield "".join(map(str, row.values()))

    for _ in bounded(catalog, lines()):
        yield kept.pop()


def _data_text(data: Data) -> str:
    if data is None:
        return ""
    if isinstance(data, BundleOptions):
        return data.type.name if data.type is not None else "AssetBundleRequestOptions"
    return str(getattr(data, "type", data))


def extract_plain(catalog: Catalog) -> Iterator[dict[str, Any]]:
    """Yield every location with its keys as plain JSON values."""
    keys = keys_by_location(catalog)
    for location in catalog.locations():
        yield location_to_plain(catalog, location, keys[location.number])


def location_to_plain(catalog: Catalog, location: Location, keys: list[int] | None = None) -> dict[str, Any]:
    """Return a location as JSON can hold it."""
    options = catalog.bundle(location.number)
    plain: dict[str, Any] = {
        "number": location.number,
        "primary_key": location.primary_key,
        "internal_id": location.internal_id,
        "provider": location.provider,
        "type": location.type.name if location.type else None,
        "assembly": location.type.assembly if location.type else None,
        "dependencies": list(location.dependencies),
        "dependency_key": key_to_plain(location.dependency_key),
        "dependency_hash": location.dependency_hash,
    }
    if keys is not None:
        plain["keys"] = [key_to_plain(catalog.keys[at]) for at in keys]
    if options is not None:
        plain["bundle"] = {name: value for name, value in options._asdict().items() if name not in ("shape", "type")}
    elif location.data is not None:
        plain["data"] = data_to_plain(location.data)
    return plain


def data_to_plain(data: Data) -> object:
    """Return a location's provider data as plain JSON values."""
    if isinstance(data, tuple) and hasattr(data, "_asdict") and not hasattr(data, "digits"):
        return {
            "kind": type(data).__name__,
            **{k: list(v) if isinstance(v, tuple) else v for k, v in data._asdict().items()},
        }
    return key_to_plain(data)  # type: ignore[arg-type]
