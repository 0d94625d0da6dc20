"""Classes with bodies of their own layout instead of properties."""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.unreal.classes.rig_hierarchy import read_rig_hierarchy
from assetdb_formats.unreal.classes.rig_vm import read_link, read_rig_vm
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.reader import Reader

if TYPE_CHECKING:
    from assetdb_formats.unreal.codecs.compression import OodleDecoder
    from assetdb_formats.unreal.packages.objects import Export
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.properties.value_decoder import ValueDecoder

_WITH_SCRIPT_RANGE: Final = 1010  # UE5 version from which an export has the range of its properties
_KNOWN: Final = frozenset({"RigHierarchy", "RigVM", "RigVMLink"})
_ATTRIBUTE: Final = Struct("<QQiI16s")  # offset, size, type, flags, hash of the value
_NUMBERS: Final = {1: Struct("<?"), 12: Struct("<i"), 21: Struct("<B")}
_TEXTS: Final = frozenset({18, 34})  # text, and the path of an object


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
            found, after = read_link(decoder, end)
        elif class_name == "RigVM":
            found, after = read_rig_vm(decoder, end, package.summary)
        elif class_name == "RigHierarchy":
            found, after = read_rig_hierarchy(decoder.data, end, package.names, package.summary, oodle)
        elif may_write_itself(class_name):
            found, after = _read_attributes(decoder.data, end)
        else:
            return None
        if after == end:
            return found
    except (UnrealError, error, IndexError):
        pass  # of a version that is not known: its bytes are its own
    decoder.references.back(mark)
    del decoder.opaque[opaque:]
    return None


def _read_attributes(data: bytes, end: int) -> tuple[dict[str, Any], int]:
    """Read the attributes of an Interchange node (5.1 on).

    They are a table of keys, then their values. Booleans, numbers and text are decoded; values of other types stay
    bytes.

    Returns:
        The attributes by key, and the offset after the storage.
    """
    reader = Reader(data, end=end)
    field = "attributes"
    reader.take(12, field)  # how many bytes are unused, and the unused share at which it is written anew
    entries = [
        (reader.string(field), *_ATTRIBUTE.unpack(reader.take(_ATTRIBUTE.size, field)))
        for _ in reader.items(4 + _ATTRIBUTE.size, field)
    ]
    size = reader.u64(field)
    values = reader.take(reader.count(size, 1, field), field)
    found: dict[str, Any] = {}
    for key, offset, length, kind, _, _ in entries:
        if offset + length > size:
            raise reader.error(f"{length} bytes at {offset}, the values have {size}", f"{field}.{key}")
        found[key] = _attribute(values[offset : offset + length], kind)
    return found, reader.position


def _attribute(stored: bytes, kind: int) -> object:
    number = _NUMBERS.get(kind)
    if number is not None and len(stored) == number.size:
        return number.unpack(stored)[0]
    if kind in _TEXTS and stored[-2:] == b"\0\0" and len(stored) % 2 == 0:
        return stored[:-2].decode("utf-16-le", "surrogatepass")
    return stored
