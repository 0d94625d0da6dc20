"""Unity Addressables: catalogs of every format and the files around them.

>>> import assetdb_formats.addressables
>>> opened = assetdb_formats.addressables.open("Game_Data")  # doctest: +SKIP
>>> opened.catalog.locate("Prefabs/Hero.prefab")  # doctest: +SKIP
(9,)

Bytes in, frozen typed facts out; every error is an :class:`AddressablesError` (or an ``OSError`` of the system).
Importing this package costs next to nothing: each name below is loaded when it is first used.
"""

from __future__ import annotations

from assetdb_formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.companions.bundle_files import bundle_finder
    from assetdb_formats.addressables.companions.content_state import ContentState, read_content_state
    from assetdb_formats.addressables.companions.finding import (
        HashFile,
        check_hash,
        find_content_states,
        find_hashes,
        find_layouts,
        find_settings,
        open_content_state,
        open_layout,
        open_settings,
    )
    from assetdb_formats.addressables.companions.layout import BuildLayout, read_layout
    from assetdb_formats.addressables.companions.settings import Settings, read_settings
    from assetdb_formats.addressables.editing.content import Content, Entry, content_of
    from assetdb_formats.addressables.editing.edit import (
        EditResult,
        Edits,
        add_entry,
        apply_edits,
        entry_from_plain,
        remove_key,
        rename_key,
        replace_host,
        replace_prefix,
        set_crc,
    )
    from assetdb_formats.addressables.editing.writing import encode_catalog, flavour_named, write_catalog
    from assetdb_formats.addressables.errors import (
        AddressablesError,
        AmbiguousCatalogError,
        CatalogNotFoundError,
        CompanionNotFoundError,
        EditError,
        PatternError,
        UnknownFlavourError,
        UnwritableError,
    )
    from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
    from assetdb_formats.addressables.hashes import content_hash
    from assetdb_formats.addressables.lazy import LazyLocations
    from assetdb_formats.addressables.model import BundleOptions, Location, Problem, TypeName
    from assetdb_formats.addressables.opening import OpenCatalog, find_catalogs, open_input
    from assetdb_formats.addressables.opening import open_catalog as open  # noqa: A004 - `assetdb_formats.addressables.open(path)`
    from assetdb_formats.addressables.queries.diff import CatalogDiff, diff_catalogs
    from assetdb_formats.addressables.queries.extract import extract_plain, extract_text, location_to_plain
    from assetdb_formats.addressables.queries.listing import (
        list_bundles,
        list_duplicates,
        list_initialization,
        list_keys,
        list_labels,
        list_locations,
        list_providers,
        list_types,
    )
    from assetdb_formats.addressables.queries.provenance import Provenance, provenance_of
    from assetdb_formats.addressables.queries.query import (
        Closure,
        Needs,
        closure_of,
        labels_of,
        locations_named,
        needs_of,
        search,
        users_of,
    )
    from assetdb_formats.addressables.queries.summary import Summary, summary_of
    from assetdb_formats.addressables.queries.verify import BundleFile, Check, verify_catalog
    from assetdb_formats.addressables.reading import read_catalog

_HOMES = {
    "companions.bundle_files": ("bundle_finder",),
    "catalog": ("Catalog",),
    "companions.finding": (
        *("HashFile", "check_hash", "find_content_states", "find_hashes", "find_layouts", "find_settings"),
        *("open_content_state", "open_layout", "open_settings"),
    ),
    "editing.content": ("Content", "Entry", "content_of"),
    "companions.content_state": ("ContentState", "read_content_state"),
    "queries.diff": ("CatalogDiff", "diff_catalogs"),
    "editing.edit": (
        *("EditResult", "Edits", "apply_edits"),
        *("add_entry", "entry_from_plain", "remove_key", "rename_key", "replace_host", "replace_prefix", "set_crc"),
    ),
    "errors": (
        *("AddressablesError", "AmbiguousCatalogError", "CatalogNotFoundError", "CompanionNotFoundError", "EditError"),
        *("PatternError", "UnknownFlavourError", "UnwritableError"),
    ),
    "queries.extract": ("extract_plain", "extract_text", "location_to_plain"),
    "flavour": ("BINARY_FLAVOURS", "JSON_FLAVOURS"),
    "hashes": ("content_hash",),
    "companions.layout": ("BuildLayout", "read_layout"),
    "lazy": ("LazyLocations",),
    "queries.listing": (
        *("list_bundles", "list_duplicates", "list_initialization", "list_keys", "list_labels"),
        *("list_locations", "list_providers", "list_types"),
    ),
    "model": ("BundleOptions", "Location", "Problem", "TypeName"),
    "opening": ("OpenCatalog", "find_catalogs", "open_catalog", "open_input"),
    "queries.provenance": ("Provenance", "provenance_of"),
    "queries.query": (
        "Closure",
        "Needs",
        "closure_of",
        "labels_of",
        "locations_named",
        "needs_of",
        "search",
        "users_of",
    ),
    "reading": ("read_catalog",),
    "companions.settings": ("Settings", "read_settings"),
    "queries.summary": ("Summary", "summary_of"),
    "queries.verify": ("BundleFile", "Check", "verify_catalog"),
    "editing.writing": ("encode_catalog", "flavour_named", "write_catalog"),
}
_OTHER_NAMES = {"open": "open_catalog"}  # in its module it would hide the function of Python

__all__ = [
    "BINARY_FLAVOURS",
    "JSON_FLAVOURS",
    "AddressablesError",
    "AmbiguousCatalogError",
    "BuildLayout",
    "BundleFile",
    "BundleOptions",
    "Catalog",
    "CatalogDiff",
    "CatalogNotFoundError",
    "Check",
    "Closure",
    "CompanionNotFoundError",
    "Content",
    "ContentState",
    "EditError",
    "EditResult",
    "Edits",
    "Entry",
    "HashFile",
    "LazyLocations",
    "Location",
    "Needs",
    "OpenCatalog",
    "PatternError",
    "Problem",
    "Provenance",
    "Settings",
    "Summary",
    "TypeName",
    "UnknownFlavourError",
    "UnwritableError",
    "add_entry",
    "apply_edits",
    "bundle_finder",
    "check_hash",
    "closure_of",
    "content_hash",
    "content_of",
    "diff_catalogs",
    "encode_catalog",
    "entry_from_plain",
    "extract_plain",
    "extract_text",
    "find_catalogs",
    "find_content_states",
    "find_hashes",
    "find_layouts",
    "find_settings",
    "flavour_named",
    "labels_of",
    "list_bundles",
    "list_duplicates",
    "list_initialization",
    "list_keys",
    "list_labels",
    "list_locations",
    "list_providers",
    "list_types",
    "location_to_plain",
    "locations_named",
    "needs_of",
    "open",
    "open_content_state",
    "open_input",
    "open_layout",
    "open_settings",
    "provenance_of",
    "read_catalog",
    "read_content_state",
    "read_layout",
    "read_settings",
    "remove_key",
    "rename_key",
    "replace_host",
    "replace_prefix",
    "search",
    "set_crc",
    "summary_of",
    "users_of",
    "verify_catalog",
    "write_catalog",
]


__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__, _OTHER_NAMES)
