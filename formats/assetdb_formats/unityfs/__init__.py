"""Unity's bundles (UnityFS) and SerializedFiles.

>>> from assetdb_formats import unityfs
>>> with unityfs.open("basket.bundle") as bundle:       # doctest: +SKIP
...     for found in bundle.objects(["Material"]):
...         print(found.path_id, found.name, found.value())

Importing this package costs next to nothing (``mainclass`` is used for every binary ``.asset`` of a project): each
name below is loaded when it is first used. Every error is a :class:`UnityFSError` (or an ``OSError`` of the system).

* ``bundle``: a whole bundle: its files, objects, container, names. Begin here.
* ``neighbours``, ``usages``: several bundles, and references between them.
* ``objects``, ``summary``, ``diff``, ``verify``: questions to one bundle or two.
* ``archive``, ``blocks``: the archive and its compressed blocks; ``webarchive``: those of Unity 2 to 5; ``release``:
  inferred versions.
* ``serialized``, ``typetree``, ``values``: a SerializedFile, its type trees, and an object read with one; ``loaded``
  joins them.
* ``identity``: from a bundle name, a GUID and a fileID to the names in a built bundle.
* ``mainclass``: the class of the main object of a binary ``.asset`` of a project.
"""

from __future__ import annotations

from assetdb_formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb_formats.unityfs.bundle import Bundle, ObjectReader, content_crc32, open_input, text_asset_bytes
    from assetdb_formats.unityfs.bundle import open_bundle as open  # noqa: A004 - `unityfs.open(path)`
    from assetdb_formats.unityfs.errors import EncryptedError, UnityFSError, UnsupportedError
    from assetdb_formats.unityfs.identity import (
        IMPORTED,
        NATIVE,
        Source,
        archive_name,
        builtin_path_id,
        object_path_id,
        path_ids,
    )
    from assetdb_formats.unityfs.queries.diff import (
        HeaderChange,
        ObjectChange,
        ValueChange,
        header_changes,
        object_changes,
        value_changes,
    )
    from assetdb_formats.unityfs.queries.neighbours import BundleSet, Target
    from assetdb_formats.unityfs.queries.objects import Lookup, ObjectInfo, describe, find_object, lookup, search
    from assetdb_formats.unityfs.queries.summary import BundleSummary, FileSummary, summarize
    from assetdb_formats.unityfs.queries.usages import (
        BundleUsage,
        ExternalReference,
        ObjectReference,
        ObjectUsage,
        Verdict,
        bundle_usages,
        external_references,
        object_references,
        object_usages,
        unused_bundles,
    )
    from assetdb_formats.unityfs.queries.verify import Verification, verify_bundle
    from assetdb_formats.unityfs.serialized_files.loaded import AssetBundle, ContainerEntry, LoadedFile
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr, Value, leaves, references

__all__ = [
    "IMPORTED",
    "NATIVE",
    "AssetBundle",
    "Bundle",
    "BundleSet",
    "BundleSummary",
    "BundleUsage",
    "ContainerEntry",
    "EncryptedError",
    "ExternalReference",
    "FileSummary",
    "HeaderChange",
    "LoadedFile",
    "Lookup",
    "ObjectChange",
    "ObjectInfo",
    "ObjectReader",
    "ObjectReference",
    "ObjectUsage",
    "PPtr",
    "Source",
    "Target",
    "UnityFSError",
    "UnsupportedError",
    "Value",
    "ValueChange",
    "Verdict",
    "Verification",
    "archive_name",
    "builtin_path_id",
    "bundle_usages",
    "content_crc32",
    "describe",
    "external_references",
    "find_object",
    "header_changes",
    "leaves",
    "lookup",
    "object_changes",
    "object_path_id",
    "object_references",
    "object_usages",
    "open",
    "open_input",
    "path_ids",
    "references",
    "search",
    "summarize",
    "text_asset_bytes",
    "unused_bundles",
    "value_changes",
    "verify_bundle",
]

_HOMES: dict[str, tuple[str, ...]] = {
    "bundle": ("Bundle", "ObjectReader", "content_crc32", "open_input", "text_asset_bytes", "open_bundle"),
    "queries.diff": (
        *("HeaderChange", "ObjectChange", "ValueChange"),
        *("header_changes", "object_changes", "value_changes"),
    ),
    "errors": ("EncryptedError", "UnityFSError", "UnsupportedError"),
    "identity": (
        *("IMPORTED", "NATIVE", "Source"),
        *("archive_name", "builtin_path_id", "object_path_id", "path_ids"),
    ),
    "serialized_files.loaded": ("AssetBundle", "ContainerEntry", "LoadedFile"),
    "queries.neighbours": ("BundleSet", "Target"),
    "queries.objects": ("Lookup", "ObjectInfo", "describe", "find_object", "lookup", "search"),
    "queries.summary": ("BundleSummary", "FileSummary", "summarize"),
    "queries.usages": (
        *("BundleUsage", "ExternalReference", "ObjectReference", "ObjectUsage", "Verdict"),
        *("bundle_usages", "external_references", "object_references", "object_usages", "unused_bundles"),
    ),
    "serialized_files.tree_values": ("PPtr", "Value", "leaves", "references"),
    "queries.verify": ("Verification", "verify_bundle"),
}
_OTHER_NAMES = {"open": "open_bundle"}


__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__, _OTHER_NAMES)
