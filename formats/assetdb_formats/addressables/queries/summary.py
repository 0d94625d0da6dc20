"""Summary of a catalog: format, package and counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.addressables.binary.reader import BinaryCatalog
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.queries.provenance import provenance_of

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.opening import OpenCatalog
    from assetdb_formats.addressables.queries.provenance import Provenance


class Summary(NamedTuple):
    """The key facts of a catalog; sizes in bytes.

    ``build_target`` and ``hash_text`` come from files beside it. ``key_types`` counts the keys by their stored type,
    the most frequent first; ``problems`` is the number of faults that a salvaging read met.
    """

    name: str
    format: str
    size: int
    provenance: Provenance
    locator_id: str | None
    build_hash: str | None
    hash_text: str | None
    keys: int
    key_types: dict[str, int]
    locations: int
    bundles: int
    bundle_bytes: int
    providers: int
    types: int
    build_target: str | None
    problems: int


def summary_of(opened: OpenCatalog) -> Summary:
    """Return a catalog's key facts. Raises AddressablesError for damaged objects."""
    catalog = opened.catalog
    origin = provenance_of(catalog, opened.settings)
    bundles = catalog.bundles()
    numbers = range(catalog.location_count)
    return Summary(
        opened.name,
        format_of(catalog),
        len(catalog.data),
        origin,
        catalog.locator_id,
        catalog.build_result_hash,
        opened.hash_text.strip() if opened.hash_text is not None else None,
        len(catalog.keys),
        dict(Counter(map(catalog.key_type, range(len(catalog.keys)))).most_common()),
        catalog.location_count,
        len(bundles),
        sum(options.size for options in bundles.values()),
        len({catalog.provider(index) for index in numbers}),
        len({catalog.type(index) for index in numbers}),
        opened.settings.build_target if opened.settings else None,
        len(catalog.problems),
    )


def format_of(catalog: Catalog) -> str:
    """Return the format of a catalog in a few words."""
    if isinstance(catalog, JsonCatalog):
        return f"JSON, {catalog.width} columns" + (", prefixed internal ids" if catalog.prefixes else "")
    if isinstance(catalog, BinaryCatalog):
        return f"binary, version {catalog.version}, header of {catalog.header_size} bytes"
    raise TypeError(type(catalog).__name__)
