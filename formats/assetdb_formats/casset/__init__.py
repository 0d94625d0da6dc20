"""Bundles (``.casset``) of CrystalEngine, in every format they were written in.

>>> from assetdb_formats import casset
>>> bundle = casset.open("Cliff.casset")
>>> bundle = casset.rename(bundle, bundle.primary.uuid, "Shore")
>>> casset.save(bundle, "Cliff.casset")

Bytes in, frozen typed facts out; every error is a :class:`CassetError` (or an ``OSError`` of the system). Importing
this package costs next to nothing: each name below is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from assetdb_formats.casset.editing.changes import Change as Change
    from assetdb_formats.casset.editing.changes import Changed as Changed
    from assetdb_formats.casset.editing.changes import Rename as Rename
    from assetdb_formats.casset.editing.changes import Retarget as Retarget
    from assetdb_formats.casset.editing.changes import SetValue as SetValue
    from assetdb_formats.casset.editing.changes import change_bundle as change_bundle
    from assetdb_formats.casset.editing.edit import field_at as field_at
    from assetdb_formats.casset.editing.edit import parse_path as parse_path
    from assetdb_formats.casset.editing.edit import rename as rename
    from assetdb_formats.casset.editing.edit import retarget as retarget
    from assetdb_formats.casset.editing.edit import set_value as set_value
    from assetdb_formats.casset.editing.edit import value_at as value_at
    from assetdb_formats.casset.editing.typed import typed_value as typed_value
    from assetdb_formats.casset.encoding.read import is_casset as is_casset
    from assetdb_formats.casset.encoding.write import encode_bundle as encode_bundle
    from assetdb_formats.casset.encoding.write import encode_pieces as encode_pieces
    from assetdb_formats.casset.errors import CassetError as CassetError
    from assetdb_formats.casset.errors import EditError as EditError
    from assetdb_formats.casset.errors import NotInBundleError as NotInBundleError
    from assetdb_formats.casset.errors import UnsupportedError as UnsupportedError
    from assetdb_formats.casset.files import load_entry as load_entry
    from assetdb_formats.casset.files import load_index as load_index
    from assetdb_formats.casset.files import load_input as load_input
    from assetdb_formats.casset.files import open_bundle
    from assetdb_formats.casset.files import project_of as project_of
    from assetdb_formats.casset.files import save as save
    from assetdb_formats.casset.files import scan as scan
    from assetdb_formats.casset.identity import SUFFIX as SUFFIX
    from assetdb_formats.casset.identity import predicted_uuid as predicted_uuid
    from assetdb_formats.casset.identity import uuid_from_text as uuid_from_text
    from assetdb_formats.casset.identity import uuid_text as uuid_text
    from assetdb_formats.casset.model import Blob as Blob
    from assetdb_formats.casset.model import Bundle as Bundle
    from assetdb_formats.casset.model import BundleIndex as BundleIndex
    from assetdb_formats.casset.model import BundleObject as BundleObject
    from assetdb_formats.casset.model import Delegate as Delegate
    from assetdb_formats.casset.model import Field as Field
    from assetdb_formats.casset.model import FieldType as FieldType
    from assetdb_formats.casset.model import Format as Format
    from assetdb_formats.casset.model import Kind as Kind
    from assetdb_formats.casset.model import Layout as Layout
    from assetdb_formats.casset.model import ObjectIndex as ObjectIndex
    from assetdb_formats.casset.model import Reference as Reference
    from assetdb_formats.casset.model import StructValue as StructValue
    from assetdb_formats.casset.model import TypedArray as TypedArray
    from assetdb_formats.casset.project import Declared as Declared
    from assetdb_formats.casset.project import Edge as Edge
    from assetdb_formats.casset.project import Entry as Entry
    from assetdb_formats.casset.project import Graph as Graph
    from assetdb_formats.casset.project import Project as Project
    from assetdb_formats.casset.project import Report as Report
    from assetdb_formats.casset.project import Verdict as Verdict
    from assetdb_formats.casset.queries.diff import BundleDiff as BundleDiff
    from assetdb_formats.casset.queries.diff import HeaderChange as HeaderChange
    from assetdb_formats.casset.queries.diff import ObjectChange as ObjectChange
    from assetdb_formats.casset.queries.diff import ValueChange as ValueChange
    from assetdb_formats.casset.queries.diff import diff_bundles as diff_bundles
    from assetdb_formats.casset.queries.flatten import Leaf as Leaf
    from assetdb_formats.casset.queries.flatten import leaves as leaves
    from assetdb_formats.casset.queries.objects import Lookup as Lookup
    from assetdb_formats.casset.queries.objects import find_object as find_object
    from assetdb_formats.casset.queries.objects import lookup as lookup
    from assetdb_formats.casset.queries.objects import of_classes as of_classes
    from assetdb_formats.casset.queries.objects import place as place
    from assetdb_formats.casset.queries.objects import search as search
    from assetdb_formats.casset.queries.references import Use as Use
    from assetdb_formats.casset.queries.references import bundle_references as bundle_references
    from assetdb_formats.casset.queries.references import object_references as object_references
    from assetdb_formats.casset.queries.verify import Verification as Verification
    from assetdb_formats.casset.queries.verify import verify_bundle as verify_bundle

    open = open_bundle  # noqa: A001 - as gzip.open
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        globals(),
        {
            "editing.changes": ("Change", "Changed", "Rename", "Retarget", "SetValue", "change_bundle"),
            "editing.edit": ("field_at", "parse_path", "rename", "retarget", "set_value", "value_at"),
            "editing.typed": ("typed_value",),
            "encoding.read": ("is_casset",),
            "encoding.write": ("encode_bundle", "encode_pieces"),
            "errors": ("CassetError", "EditError", "NotInBundleError", "UnsupportedError"),
            "files": ("load_entry", "load_index", "load_input", "open", "project_of", "save", "scan"),
            "identity": ("SUFFIX", "predicted_uuid", "uuid_from_text", "uuid_text"),
            "model": (
                "Blob",
                "Bundle",
                "BundleIndex",
                "BundleObject",
                "Delegate",
                "Field",
                "FieldType",
                "Format",
                "Kind",
                "Layout",
                "ObjectIndex",
                "Reference",
                "StructValue",
                "TypedArray",
            ),
            "project": ("Declared", "Edge", "Entry", "Graph", "Project", "Report", "Verdict"),
            "queries.diff": ("BundleDiff", "HeaderChange", "ObjectChange", "ValueChange", "diff_bundles"),
            "queries.flatten": ("Leaf", "leaves"),
            "queries.objects": ("Lookup", "find_object", "lookup", "of_classes", "place", "search"),
            "queries.references": ("Use", "bundle_references", "object_references"),
            "queries.verify": ("Verification", "verify_bundle"),
        },
        {"open": "open_bundle"},
    )
