"""Bundles (``.casset``) of CrystalEngine, in every format they were written in.

>>> from assetdb_formats import casset
>>> bundle = casset.open("Cliff.casset")                          # doctest: +SKIP
>>> bundle = casset.set_value(bundle, bundle.primary.uuid, "tint[1]", 0.5)  # doctest: +SKIP
>>> casset.save(bundle, "Cliff.casset")                           # doctest: +SKIP

Bytes in, frozen typed facts out; every error is a :class:`CassetError` (or an ``OSError`` of the system). Importing
this package costs next to nothing: each name below is loaded when it is first used.
"""

from __future__ import annotations

from assetdb_formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb_formats.casset.editing.changes import Change, Changed, Rename, Retarget, SetValue, change_bundle
    from assetdb_formats.casset.editing.edit import field_at, parse_path, rename, retarget, set_value, value_at
    from assetdb_formats.casset.editing.typed import typed_value
    from assetdb_formats.casset.encoding.read import is_casset
    from assetdb_formats.casset.encoding.write import encode_bundle, encode_pieces
    from assetdb_formats.casset.errors import CassetError, EditError, NotInBundleError, UnsupportedError
    from assetdb_formats.casset.files import load_entry, load_index, load_input, project_of, save, scan
    from assetdb_formats.casset.files import open_bundle as open  # noqa: A004 - `casset.open(path)`
    from assetdb_formats.casset.identity import SUFFIX, predicted_uuid, uuid_from_text, uuid_text
    from assetdb_formats.casset.model import (
        Blob,
        Bundle,
        BundleIndex,
        BundleObject,
        Delegate,
        Field,
        FieldType,
        Format,
        Kind,
        Layout,
        ObjectIndex,
        Reference,
        StructValue,
        TypedArray,
    )
    from assetdb_formats.casset.project import Declared, Edge, Entry, Graph, Project, Report, Verdict
    from assetdb_formats.casset.queries.diff import BundleDiff, HeaderChange, ObjectChange, ValueChange, diff_bundles
    from assetdb_formats.casset.queries.flatten import Leaf, leaves
    from assetdb_formats.casset.queries.objects import Lookup, find_object, lookup, of_classes, place, search
    from assetdb_formats.casset.queries.references import Use, bundle_references, object_references
    from assetdb_formats.casset.queries.verify import Verification, verify_bundle

__all__ = [
    "SUFFIX",
    "Blob",
    "Bundle",
    "BundleDiff",
    "BundleIndex",
    "BundleObject",
    "CassetError",
    "Change",
    "Changed",
    "Declared",
    "Delegate",
    "Edge",
    "EditError",
    "Entry",
    "Field",
    "FieldType",
    "Format",
    "Graph",
    "HeaderChange",
    "Kind",
    "Layout",
    "Leaf",
    "Lookup",
    "NotInBundleError",
    "ObjectChange",
    "ObjectIndex",
    "Project",
    "Reference",
    "Rename",
    "Report",
    "Retarget",
    "SetValue",
    "StructValue",
    "TypedArray",
    "UnsupportedError",
    "Use",
    "ValueChange",
    "Verdict",
    "Verification",
    "bundle_references",
    "change_bundle",
    "diff_bundles",
    "encode_bundle",
    "encode_pieces",
    "field_at",
    "find_object",
    "is_casset",
    "leaves",
    "load_entry",
    "load_index",
    "load_input",
    "lookup",
    "object_references",
    "of_classes",
    "open",
    "parse_path",
    "place",
    "predicted_uuid",
    "project_of",
    "rename",
    "retarget",
    "save",
    "scan",
    "search",
    "set_value",
    "typed_value",
    "uuid_from_text",
    "uuid_text",
    "value_at",
    "verify_bundle",
]

_HOMES: dict[str, tuple[str, ...]] = {
    "editing.changes": ("Change", "Changed", "Rename", "Retarget", "SetValue", "change_bundle"),
    "queries.diff": ("BundleDiff", "HeaderChange", "ObjectChange", "ValueChange", "diff_bundles"),
    "editing.edit": ("field_at", "parse_path", "rename", "retarget", "set_value", "value_at"),
    "errors": ("CassetError", "EditError", "NotInBundleError", "UnsupportedError"),
    "files": ("load_entry", "load_index", "load_input", "project_of", "save", "scan", "open_bundle"),
    "queries.flatten": ("Leaf", "leaves"),
    "identity": ("SUFFIX", "predicted_uuid", "uuid_from_text", "uuid_text"),
    "model": (
        *("Blob", "Bundle", "BundleIndex", "BundleObject", "Delegate", "Field", "FieldType"),
        *("Format", "Kind", "Layout", "ObjectIndex", "Reference", "StructValue", "TypedArray"),
    ),
    "queries.objects": ("Lookup", "find_object", "lookup", "of_classes", "place", "search"),
    "project": ("Declared", "Edge", "Entry", "Graph", "Project", "Report", "Verdict"),
    "encoding.read": ("is_casset",),
    "queries.references": ("Use", "bundle_references", "object_references"),
    "editing.typed": ("typed_value",),
    "queries.verify": ("Verification", "verify_bundle"),
    "encoding.write": ("encode_bundle", "encode_pieces"),
}
_OTHER_NAMES = {"open": "open_bundle"}


__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__, _OTHER_NAMES)
