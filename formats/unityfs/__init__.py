"""Unity's own bundles (UnityFS) and the SerializedFiles in them, and the two ways from a project to them.

>>> from formats import unityfs
>>> with unityfs.open("basket.bundle") as bundle:       # doctest: +SKIP
...     for found in bundle.objects(["Material"]):
...         print(found.path_id, found.name, found.value())

Importing this package costs next to nothing (:mod:`formats.unityfs.mainclass` is asked about every binary ``.asset`` of
a project): each name below is loaded when it is first used. Every error is a
:class:`UnityFSError` (or an ``OSError`` of the system).

* :mod:`~formats.unityfs.bundle`: a whole bundle: its files, objects, container, names. Begin here.
* :mod:`~formats.unityfs.neighbours`, :mod:`~formats.unityfs.usages`: several bundles, and who refers to whom.
* :mod:`~formats.unityfs.objects`, :mod:`~formats.unityfs.summary`, :mod:`~formats.unityfs.diff`,
  :mod:`~formats.unityfs.verify`: questions to one bundle or two.
* :mod:`~formats.unityfs.archive`, :mod:`~formats.unityfs.blocks`: the archive and its compressed blocks;
  :mod:`~formats.unityfs.webarchive`: those of Unity 2 to 5; :mod:`~formats.unityfs.release`: inferred versions.
* :mod:`~formats.unityfs.serialized`, :mod:`~formats.unityfs.typetree`, :mod:`~formats.unityfs.values`: a
  SerializedFile, its type trees, and an object read with one; :mod:`~formats.unityfs.loaded` joins them.
* :mod:`~formats.unityfs.identity`: from a bundle name, a GUID and a fileID to the names in a built bundle.
* :mod:`~formats.unityfs.mainclass`: what a binary ``.asset`` of a project is.
"""

from __future__ import annotations

from formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from formats.unityfs.bundle import Bundle, ObjectReader, content_crc32, open_input, text_asset_bytes
    from formats.unityfs.bundle import open_bundle as open  # noqa: A004 - `unityfs.open(path)`
    from formats.unityfs.diff import (
        HeaderChange,
        ObjectChange,
        ValueChange,
        header_changes,
        object_changes,
        value_changes,
    )
    from formats.unityfs.errors import EncryptedError, UnityFSError, UnsupportedError
    from formats.unityfs.identity import (
        IMPORTED,
        NATIVE,
        Source,
        archive_name,
        builtin_path_id,
        object_path_id,
        path_ids,
    )
    from formats.unityfs.loaded import AssetBundle, ContainerEntry, LoadedFile
    from formats.unityfs.neighbours import BundleSet, Target
    from formats.unityfs.objects import Lookup, ObjectInfo, describe, find_object, lookup, search
    from formats.unityfs.summary import BundleSummary, FileSummary, summarize
    from formats.unityfs.usages import (
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
    from formats.unityfs.values import PPtr, Value, leaves, references
    from formats.unityfs.verify import Verification, verify_bundle

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
    "diff": (
        *("HeaderChange", "ObjectChange", "ValueChange"),
        *("header_changes", "object_changes", "value_changes"),
    ),
    "errors": ("EncryptedError", "UnityFSError", "UnsupportedError"),
    "identity": (
        *("IMPORTED", "NATIVE", "Source"),
        *("archive_name", "builtin_path_id", "object_path_id", "path_ids"),
    ),
    "loaded": ("AssetBundle", "ContainerEntry", "LoadedFile"),
    "neighbours": ("BundleSet", "Target"),
    "objects": ("Lookup", "ObjectInfo", "describe", "find_object", "lookup", "search"),
    "summary": ("BundleSummary", "FileSummary", "summarize"),
    "usages": (
        *("BundleUsage", "ExternalReference", "ObjectReference", "ObjectUsage", "Verdict"),
        *("bundle_usages", "external_references", "object_references", "object_usages", "unused_bundles"),
    ),
    "values": ("PPtr", "Value", "leaves", "references"),
    "verify": ("Verification", "verify_bundle"),
}
_OTHER_NAMES = {"open": "open_bundle"}


__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__, _OTHER_NAMES)
