"""Classes with bodies of their own layout instead of properties."""

from __future__ import annotations

from struct import error
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.unreal.classes.interchange import read_attributes
from assetdb_formats.unreal.classes.rig_hierarchy import read_rig_hierarchy
from assetdb_formats.unreal.classes.rig_vm import read_link, read_rig_vm
from assetdb_formats.unreal.errors import UnrealError

if TYPE_CHECKING:
    from assetdb_formats.unreal.codecs.compression import OodleDecoder
    from assetdb_formats.unreal.packages.objects import Export
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.properties.value_decoder import ValueDecoder

_WITH_SCRIPT_RANGE: Final = 1010  # UE5 version from which an export says where its properties are
_KNOWN: Final = frozenset({"RigHierarchy", "RigVM", "RigVMLink"})


def states_no_properties(package: Package, export: Export) -> bool:
    """Whether the export declares that it stores no properties (5.4 on)."""
    summary = package.summary
    has_range = summary.version.ue5 >= _WITH_SCRIPT_RANGE and not summary.unversioned_properties
    return has_range and export.script == (0, 0) and export.serial_size > 0


def may_write_itself(class_name: str) -> bool:
    """Whether some version writes this class without properties."""
    return class_name in _KNOWN or (class_name.startswith("Interchange") and class_name.endswith("Node"))


def read_body(
    package: Package, decoder: ValueDecoder, class_name: str, end: int, oodle: OodleDecoder | None
) -> dict[str, Any] | None:
    """Read a class's custom body, or None if its layout is unknown."""
    mark = decoder.references.mark()
    opaque = len(decoder.opaque)
    try:
        if class_name == "RigVMLink":
            found, after = read_link(decoder, 0, end)
        elif class_name == "RigVM":
            found, after = read_rig_vm(decoder, 0, end, package.summary)
        elif class_name == "RigHierarchy":
            found, after = read_rig_hierarchy(decoder.data, 0, end, package.names, package.summary, oodle)
        elif may_write_itself(class_name):
            found, after = read_attributes(decoder.data, 0, end)
        else:
            return None
        if after == end:
            return found
    except (UnrealError, error, IndexError):
        pass  # of a version that is not known: its bytes are its own
    decoder.references.back(mark)
    del decoder.opaque[opaque:]
    return None
