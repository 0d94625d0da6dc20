"""Property tags of every generation of the format.

Up to 5.3 a tag is a row of names with what its type adds; 5.4 (UE5 1012) writes the type as a tree of names and
packs the rest into flags. Either way the size is there, so that a property is passed over without being understood.
"""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError

if TYPE_CHECKING:
    from assetdb_formats.unreal.versions import PackageVersion

_I32: Final = Struct("<i")
_TWO: Final = Struct("<Ii")
_OLD: Final = Struct("<IiIiii")  # name, type, size, array index
_NODE: Final = Struct("<Iii")
_MOST_NODES: Final = 64  # nodes of one type tree, whose text is made recursively; the deepest seen has 7
_HAS_ARRAY_INDEX: Final = 1
_HAS_GUID: Final = 2
_HAS_EXTENSIONS: Final = 4
_BINARY: Final = 8
_TRUE: Final = 16
_ALL_FLAGS: Final = 63  # with 32: the property was skipped when it was written


class TypeName(NamedTuple):
    """A property's type, with the types inside it as ``parameters``.

    An array of vectors is ``ArrayProperty`` with ``StructProperty`` in it, and ``Vector`` in that.
    """

    name: str
    parameters: tuple[TypeName, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))})" if self.parameters else self.name

    def parameter(self) -> str:
        """Return the name of the first parameter, "" without one."""
        return self.parameters[0].name if self.parameters else ""


class PropertyTag(NamedTuple):
    """A tag; the ``size`` bytes of its value start at ``value_offset``.

    ``binary``: a struct in a layout of its own (known from 5.4 on only).
    """

    name: str
    type: TypeName
    size: int
    array_index: int
    true: bool
    guid: bytes
    binary: bool
    value_offset: int


class TagReader:
    """Reads the tags of one package's properties."""

    def __init__(self, data: bytes, names: list[str], version: PackageVersion) -> None:
        self._data = data
        self._names = names
        self._version = version
        self._complete = version.ue5 >= 1012
        self._types: dict[TypeName, TypeName] = {}  # a table of 10,000 rows has a dozen

    def tag(self, position: int, end: int) -> PropertyTag | None:
        """Read the tag at ``position``; None at the end of a list.

        A list ends with the name ``None`` (8 bytes).

        Raises:
            UnrealError: it is not a tag, or its value does not lie before ``end``.
        """
        try:
            name = self.name(position)
            if name == "None":
                if position + 8 > end:
                    raise UnrealError("the list's end is cut off", offset=position, field="tag")
                return None
            found = self._complete_tag(name, position) if self._complete else self._old_tag(name, position)
        except (error, IndexError):  # IndexError: one byte past the end
            raise UnrealError("the tag is cut off", offset=position, field="tag") from None
        if found.size < 0 or found.size > end - found.value_offset:
            raise UnrealError(
                f"a value of {found.size} bytes, {end - found.value_offset} are left",
                offset=position,
                field=f"tag {name}",
            )
        return found

    def name(self, position: int) -> str:
        """Read an FName."""
        index, number = _TWO.unpack_from(self._data, position)
        if not 0 <= index < len(self._names):
            raise UnrealError(f"names number {index} of {len(self._names)}", offset=position, field="tag")
        return f"{self._names[index]}_{number - 1}" if number else self._names[index]

    def _old_tag(self, name: str, position: int) -> PropertyTag:
        data = self._data
        ue4, ue5 = self._version
        kind = self.name(position + 8)
        _, _, _, _, size, array_index = _OLD.unpack_from(data, position)
        position += 24
        true = False
        parameters: tuple[TypeName, ...] = ()
        if kind == "StructProperty":
            parameters = (TypeName(self.name(position)),)
            position += 24 if ue4 >= 441 else 8  # with the struct's GUID
        elif kind == "BoolProperty":
            true = data[position] != 0
            position += 1
        elif kind in {"ByteProperty", "EnumProperty"}:
            enumeration = self.name(position)
            parameters = () if enumeration == "None" else (TypeName(enumeration),)
            position += 8
        elif kind == "ArrayProperty":
            if ue4 >= 282:
                parameters = (TypeName(self.name(position)),)
                position += 8
        elif kind in {"SetProperty", "OptionalProperty"}:
            if ue4 >= 509:
                parameters = (TypeName(self.name(position)),)
                position += 8
        elif kind == "MapProperty" and ue4 >= 509:
            parameters = (TypeName(self.name(position)), TypeName(self.name(position + 8)))
            position += 16
        guid = b""
        if ue4 >= 503:
            present = data[position]
            position += 1
            if present:
                guid = data[position : position + 16]
                position += 16
        if ue5 >= 1011:
            position = self._after_extensions(position)
        found = TypeName(kind, parameters)
        found = self._types.setdefault(found, found)
        return PropertyTag(name, found, size, array_index, true, guid, binary=False, value_offset=position)

    def _complete_tag(self, name: str, position: int) -> PropertyTag:
        data = self._data
        kind, position = self._type_tree(position + 8)
        kind = self._types.setdefault(kind, kind)
        (size,) = _I32.unpack_from(data, position)
        flags = data[position + 4]
        position += 5
        array_index = 0
        if flags & _HAS_ARRAY_INDEX:
            (array_index,) = _I32.unpack_from(data, position)
            position += 4
        guid = b""
        if flags & _HAS_GUID:
            guid = data[position : position + 16]
            position += 16
        if flags & _HAS_EXTENSIONS:
            position = self._after_extensions(position)
        if flags > _ALL_FLAGS:
            raise UnrealError(f"flags 0x{flags:02X}", offset=position, field=f"tag {name}")
        return PropertyTag(name, kind, size, array_index, bool(flags & _TRUE), guid, bool(flags & _BINARY), position)

    def _after_extensions(self, position: int) -> int:
        # Bit 1 adds what was overridden and a flag that is an int32, as every archived bool.
        return position + (6 if self._data[position] & 2 else 1)

    def _type_tree(self, position: int) -> tuple[TypeName, int]:
        """Read a type tree: depth-first nodes with their child counts."""
        nodes: list[tuple[str, int]] = []
        missing = 1
        while missing:
            _, _, children = _NODE.unpack_from(self._data, position)
            if not 0 <= children <= _MOST_NODES or len(nodes) >= _MOST_NODES:
                raise UnrealError(f"a type with {children} parameters", offset=position, field="tag type")
            nodes.append((self.name(position), children))
            missing += children - 1
            position += 12
        stack: list[TypeName] = []
        for name, children in reversed(nodes):  # children before their parent, so nothing recurses
            parameters = tuple(stack.pop() for _ in range(children))
            stack.append(TypeName(name, parameters))
        return stack[0], position
