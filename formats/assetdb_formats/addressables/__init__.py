"""Unity Addressables: catalogs of every format and the files around them.

>>> import assetdb_formats.addressables
>>> opened = assetdb_formats.addressables.open("Game_Data")
>>> opened.catalog.locate("Prefabs/Hero.prefab")
(8,)

Bytes in, frozen typed facts out; every error is an :class:`AddressablesError` (or an ``OSError`` of the system).
Importing this package costs next to nothing: each name below is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog as Catalog
    from assetdb_formats.addressables.companions.bundle_files import bundle_finder as bundle_finder
    from assetdb_formats.addressables.companions.content_state import ContentState as ContentState
    from assetdb_formats.addressables.companions.content_state import read_content_state as read_content_state
    from assetdb_formats.addressables.companions.finding import HashFile as HashFile
    from assetdb_formats.addressables.companions.finding import check_hash as check_hash
    from assetdb_formats.addressables.companions.finding import find_content_states as find_content_states
    from assetdb_formats.addressables.companions.finding import find_hashes as find_hashes
    from assetdb_formats.addressables.companions.finding import find_layouts as find_layouts
    from assetdb_formats.addressables.companions.finding import find_settings as find_settings
    from assetdb_formats.addressables.companions.finding import open_content_state as open_content_state
    from assetdb_formats.addressables.companions.finding import open_layout as open_layout
    from assetdb_formats.addressables.companions.finding import open_settings as open_settings
    from assetdb_formats.addressables.companions.layout import BuildLayout as BuildLayout
    from assetdb_formats.addressables.companions.layout import read_layout as read_layout
    from assetdb_formats.addressables.companions.settings import Settings as Settings
    from assetdb_formats.addressables.companions.settings import read_settings as read_settings
    from assetdb_formats.addressables.editing.content import Content as Content
    from assetdb_formats.addressables.editing.content import Entry as Entry
    from assetdb_formats.addressables.editing.content import content_of as content_of
    from assetdb_formats.addressables.editing.edit import EditResult as EditResult
    from assetdb_formats.addressables.editing.edit import Edits as Edits
    from assetdb_formats.addressables.editing.edit import add_entry as add_entry
    from assetdb_formats.addressables.editing.edit import apply_edits as apply_edits
    from assetdb_formats.addressables.editing.edit import entry_from_plain as entry_from_plain
    from assetdb_formats.addressables.editing.edit import remove_key as remove_key
    from assetdb_formats.addressables.editing.edit import rename_key as rename_key
    from assetdb_formats.addressables.editing.edit import replace_host as replace_host
    from assetdb_formats.addressables.editing.edit import replace_prefix as replace_prefix
    from assetdb_formats.addressables.editing.edit import set_crc as set_crc
    from assetdb_formats.addressables.editing.writing import encode_catalog as encode_catalog
    from assetdb_formats.addressables.editing.writing import flavour_named as flavour_named
    from assetdb_formats.addressables.editing.writing import write_catalog as write_catalog
    from assetdb_formats.addressables.errors import AddressablesError as AddressablesError
    from assetdb_formats.addressables.errors import AmbiguousCatalogError as AmbiguousCatalogError
    from assetdb_formats.addressables.errors import CatalogNotFoundError as CatalogNotFoundError
    from assetdb_formats.addressables.errors import CompanionNotFoundError as CompanionNotFoundError
    from assetdb_formats.addressables.errors import EditError as EditError
    from assetdb_formats.addressables.errors import PatternError as PatternError
    from assetdb_formats.addressables.errors import UnknownFlavourError as UnknownFlavourError
    from assetdb_formats.addressables.errors import UnwritableError as UnwritableError
    from assetdb_formats.addressables.flavour import BINARY_FLAVOURS as BINARY_FLAVOURS
    from assetdb_formats.addressables.flavour import JSON_FLAVOURS as JSON_FLAVOURS
    from assetdb_formats.addressables.hashes import content_hash as content_hash
    from assetdb_formats.addressables.lazy import LazyLocations as LazyLocations
    from assetdb_formats.addressables.model import BundleOptions as BundleOptions
    from assetdb_formats.addressables.model import Location as Location
    from assetdb_formats.addressables.model import Problem as Problem
    from assetdb_formats.addressables.model import TypeName as TypeName
    from assetdb_formats.addressables.opening import OpenCatalog as OpenCatalog
    from assetdb_formats.addressables.opening import find_catalogs as find_catalogs
    from assetdb_formats.addressables.opening import open_catalog
    from assetdb_formats.addressables.opening import open_input as open_input
    from assetdb_formats.addressables.queries.diff import CatalogDiff as CatalogDiff
    from assetdb_formats.addressables.queries.diff import diff_catalogs as diff_catalogs
    from assetdb_formats.addressables.queries.extract import extract_plain as extract_plain
    from assetdb_formats.addressables.queries.extract import extract_text as extract_text
    from assetdb_formats.addressables.queries.extract import location_to_plain as location_to_plain
    from assetdb_formats.addressables.queries.listing import list_bundles as list_bundles
    from assetdb_formats.addressables.queries.listing import list_duplicates as list_duplicates
    from assetdb_formats.addressables.queries.listing import list_initialization as list_initialization
    from assetdb_formats.addressables.queries.listing import list_keys as list_keys
    from assetdb_formats.addressables.queries.listing import list_labels as list_labels
    from assetdb_formats.addressables.queries.listing import list_locations as list_locations
    from assetdb_formats.addressables.queries.listing import list_providers as list_providers
    from assetdb_formats.addressables.queries.listing import list_types as list_types
    from assetdb_formats.addressables.queries.provenance import Provenance as Provenance
    from assetdb_formats.addressables.queries.provenance import provenance_of as provenance_of
    from assetdb_formats.addressables.queries.query import Closure as Closure
    from assetdb_formats.addressables.queries.query import Needs as Needs
    from assetdb_formats.addressables.queries.query import closure_of as closure_of
    from assetdb_formats.addressables.queries.query import labels_of as labels_of
    from assetdb_formats.addressables.queries.query import locations_named as locations_named
    from assetdb_formats.addressables.queries.query import needs_of as needs_of
    from assetdb_formats.addressables.queries.query import search as search
    from assetdb_formats.addressables.queries.query import users_of as users_of
    from assetdb_formats.addressables.queries.summary import Summary as Summary
    from assetdb_formats.addressables.queries.summary import summary_of as summary_of
    from assetdb_formats.addressables.queries.verify import BundleFile as BundleFile
    from assetdb_formats.addressables.queries.verify import Check as Check
    from assetdb_formats.addressables.queries.verify import verify_catalog as verify_catalog
    from assetdb_formats.addressables.reading import read_catalog as read_catalog

    open = open_catalog  # noqa: A001 - as gzip.open
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        globals(),
        {
            "catalog": ("Catalog",),
            "companions.bundle_files": ("bundle_finder",),
            "companions.content_state": ("ContentState", "read_content_state"),
            "companions.finding": (
                "HashFile",
                "check_hash",
                "find_content_states",
                "find_hashes",
                "find_layouts",
                "find_settings",
                "open_content_state",
                "open_layout",
                "open_settings",
            ),
            "companions.layout": ("BuildLayout", "read_layout"),
            "companions.settings": ("Settings", "read_settings"),
            "editing.content": ("Content", "Entry", "content_of"),
            "editing.edit": (
                "EditResult",
                "Edits",
                "add_entry",
                "apply_edits",
                "entry_from_plain",
                "remove_key",
                "rename_key",
                "replace_host",
                "replace_prefix",
                "set_crc",
            ),
            "editing.writing": ("encode_catalog", "flavour_named", "write_catalog"),
            "errors": (
                "AddressablesError",
                "AmbiguousCatalogError",
                "CatalogNotFoundError",
                "CompanionNotFoundError",
                "EditError",
                "PatternError",
                "UnknownFlavourError",
                "UnwritableError",
            ),
            "flavour": ("BINARY_FLAVOURS", "JSON_FLAVOURS"),
            "hashes": ("content_hash",),
            "lazy": ("LazyLocations",),
            "model": ("BundleOptions", "Location", "Problem", "TypeName"),
            "opening": ("OpenCatalog", "find_catalogs", "open", "open_input"),
            "queries.diff": ("CatalogDiff", "diff_catalogs"),
            "queries.extract": ("extract_plain", "extract_text", "location_to_plain"),
            "queries.listing": (
                "list_bundles",
                "list_duplicates",
                "list_initialization",
                "list_keys",
                "list_labels",
                "list_locations",
                "list_providers",
                "list_types",
            ),
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
            "queries.summary": ("Summary", "summary_of"),
            "queries.verify": ("BundleFile", "Check", "verify_catalog"),
            "reading": ("read_catalog",),
        },
        {"open": "open_catalog"},
    )
