"""Unity's bundles (UnityFS) and SerializedFiles.

>>> from assetdb_formats import unityfs
>>> with unityfs.open("Bundles/things.bundle") as bundle:
...     for found in bundle.objects(["Material"]):
...         print(found.name, found.value()["m_Textures"])
Mat [PPtr(file_id=0, path_id=-392119241925477600)]

Importing this package costs next to nothing (``mainclass`` is used for every binary ``.asset`` of a project): each
name below is loaded when it is first used. Every error is a :class:`UnityFSError` (or an ``OSError`` of the system).

* ``bundle``: a whole bundle: its files, objects, container, names. Begin here.
* ``neighbours``, ``usages``: several bundles, and references between them.
* ``objects``, ``summary``, ``diff``, ``verify``: questions to one bundle or two.
* ``archive``, ``blocks``: the archive and its compressed blocks; ``webarchive``: archives of Unity 2 to 5; ``release``:
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
    from assetdb_formats.unityfs.bundle import Bundle as Bundle
    from assetdb_formats.unityfs.bundle import ObjectReader as ObjectReader
    from assetdb_formats.unityfs.bundle import content_crc32 as content_crc32
    from assetdb_formats.unityfs.bundle import open_bundle
    from assetdb_formats.unityfs.bundle import open_input as open_input
    from assetdb_formats.unityfs.bundle import text_asset_bytes as text_asset_bytes
    from assetdb_formats.unityfs.errors import EncryptedError as EncryptedError
    from assetdb_formats.unityfs.errors import UnityFSError as UnityFSError
    from assetdb_formats.unityfs.errors import UnsupportedError as UnsupportedError
    from assetdb_formats.unityfs.identity import IMPORTED as IMPORTED
    from assetdb_formats.unityfs.identity import NATIVE as NATIVE
    from assetdb_formats.unityfs.identity import Source as Source
    from assetdb_formats.unityfs.identity import archive_name as archive_name
    from assetdb_formats.unityfs.identity import builtin_path_id as builtin_path_id
    from assetdb_formats.unityfs.identity import object_path_id as object_path_id
    from assetdb_formats.unityfs.identity import path_ids as path_ids
    from assetdb_formats.unityfs.queries.diff import HeaderChange as HeaderChange
    from assetdb_formats.unityfs.queries.diff import ValueChange as ValueChange
    from assetdb_formats.unityfs.queries.diff import header_changes as header_changes
    from assetdb_formats.unityfs.queries.diff import value_changes as value_changes
    from assetdb_formats.unityfs.queries.neighbours import BundleSet as BundleSet
    from assetdb_formats.unityfs.queries.neighbours import Target as Target
    from assetdb_formats.unityfs.queries.objects import Lookup as Lookup
    from assetdb_formats.unityfs.queries.objects import ObjectInfo as ObjectInfo
    from assetdb_formats.unityfs.queries.objects import describe as describe
    from assetdb_formats.unityfs.queries.objects import find_object as find_object
    from assetdb_formats.unityfs.queries.objects import lookup as lookup
    from assetdb_formats.unityfs.queries.objects import search as search
    from assetdb_formats.unityfs.queries.summary import BundleSummary as BundleSummary
    from assetdb_formats.unityfs.queries.summary import FileSummary as FileSummary
    from assetdb_formats.unityfs.queries.summary import summarize as summarize
    from assetdb_formats.unityfs.queries.usages import BundleUsage as BundleUsage
    from assetdb_formats.unityfs.queries.usages import ExternalReference as ExternalReference
    from assetdb_formats.unityfs.queries.usages import ObjectReference as ObjectReference
    from assetdb_formats.unityfs.queries.usages import ObjectUsage as ObjectUsage
    from assetdb_formats.unityfs.queries.usages import Verdict as Verdict
    from assetdb_formats.unityfs.queries.usages import bundle_usages as bundle_usages
    from assetdb_formats.unityfs.queries.usages import external_references as external_references
    from assetdb_formats.unityfs.queries.usages import object_references as object_references
    from assetdb_formats.unityfs.queries.usages import object_usages as object_usages
    from assetdb_formats.unityfs.queries.usages import unused_bundles as unused_bundles
    from assetdb_formats.unityfs.queries.verify import Verification as Verification
    from assetdb_formats.unityfs.queries.verify import verify_bundle as verify_bundle
    from assetdb_formats.unityfs.serialized_files.loaded import AssetBundle as AssetBundle
    from assetdb_formats.unityfs.serialized_files.loaded import ContainerEntry as ContainerEntry
    from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile as LoadedFile
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr as PPtr
    from assetdb_formats.unityfs.serialized_files.tree_values import Value as Value
    from assetdb_formats.unityfs.serialized_files.tree_values import leaves as leaves
    from assetdb_formats.unityfs.serialized_files.tree_values import references as references

    open = open_bundle  # noqa: A001 - as gzip.open
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        globals(),
        {
            "bundle": ("Bundle", "ObjectReader", "content_crc32", "open", "open_input", "text_asset_bytes"),
            "errors": ("EncryptedError", "UnityFSError", "UnsupportedError"),
            "identity": (
                "IMPORTED",
                "NATIVE",
                "Source",
                "archive_name",
                "builtin_path_id",
                "object_path_id",
                "path_ids",
            ),
            "queries.diff": (
                "HeaderChange",
                "ValueChange",
                "header_changes",
                "value_changes",
            ),
            "queries.neighbours": ("BundleSet", "Target"),
            "queries.objects": ("Lookup", "ObjectInfo", "describe", "find_object", "lookup", "search"),
            "queries.summary": ("BundleSummary", "FileSummary", "summarize"),
            "queries.usages": (
                "BundleUsage",
                "ExternalReference",
                "ObjectReference",
                "ObjectUsage",
                "Verdict",
                "bundle_usages",
                "external_references",
                "object_references",
                "object_usages",
                "unused_bundles",
            ),
            "queries.verify": ("Verification", "verify_bundle"),
            "serialized_files.loaded": ("AssetBundle", "ContainerEntry", "LoadedFile"),
            "serialized_files.tree_values": ("PPtr", "Value", "leaves", "references"),
        },
        {"open": "open_bundle"},
    )
