"""Values of properties, tagged or unversioned, with their references.

What cannot be decoded stays as bytes (:class:`Opaque`), never as a guess: a value counts as decoded only if it ends
exactly at its declared end, or its container's.
"""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.references import SoftObjectPath, utf8_sub_paths
from assetdb_formats.unreal.properties.decoded import ObjectReference, Opaque, Property, References, TextKey, soft_path
from assetdb_formats.unreal.properties.structs import SOFT_PATH_STRUCTS, fixed_structs
from assetdb_formats.unreal.properties.tags import TagReader, TypeName
from assetdb_formats.unreal.strings import string_at, utf8_string_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.unreal.packages.package import Package

_DEEPEST: Final = 48  # structs, containers and texts within each other; real structs reach 9
_I32: Final = Struct("<i")
_U32: Final = Struct("<I")
_NUMBERS: Final = {
    "Int8Property": Struct("<b"),
    "Int16Property": Struct("<h"),
    "UInt16Property": Struct("<H"),
    "IntProperty": Struct("<i"),
    "Int32Property": Struct("<i"),
    "UInt32Property": Struct("<I"),
    "Int64Property": Struct("<q"),
    "UInt64Property": Struct("<Q"),
    "FloatProperty": Struct("<f"),
    "DoubleProperty": Struct("<d"),
}
_OBJECTS: Final = frozenset({"ObjectProperty", "ClassProperty", "InterfaceProperty", "WeakObjectProperty"})
_SOFT: Final = frozenset({"SoftObjectProperty", "SoftClassProperty"})
_ASSET: Final = frozenset({"AssetObjectProperty", "AssetClassProperty"})
_NONE: Final = TypeName("None")
_BYTE: Final = TypeName("ByteProperty")
_NAME: Final = TypeName("NameProperty")
_GUID: Final = TypeName("StructProperty", (TypeName("Guid"),))
_TAGGED: Final = TypeName("StructProperty")
_SOFT_PATH: Final = TypeName("StructProperty", (TypeName("SoftObjectPath"),))
_INDICES: Final = Struct("<ii")
_MASK: Final = Struct("<5i")
_CONTAINERS: Final = frozenset({"ArrayProperty", "MapProperty", "OptionalProperty", "SetProperty"})
_ARGUMENTS: Final = (
    Struct("<q"),
    Struct("<Q"),
    Struct("<f"),
    Struct("<d"),
)  # by the kind of an argument; kind 4 is a text
# What follows a material input: whether a constant is used, and the constant.
_EXPRESSION_INPUTS: Final = {
    "ColorMaterialInput": Struct("<i4B"),
    "ExpressionInput": None,
    "MaterialAttributesInput": None,
    "ScalarMaterialInput": Struct("<if"),
    "ShadingModelMaterialInput": Struct("<ii"),
    "Vector2MaterialInput": Struct("<i2f"),
    "VectorMaterialInput": Struct("<i3f"),
}
_EXPRESSION_INPUT_FIELDS: Final = frozenset({"Expression", "OutputIndex", "InputName", "Mask", "UseConstant"})
_PER_PLATFORM: Final = {
    "PerPlatformBool": (Struct("<i"), "platform"),
    "PerPlatformFloat": (Struct("<f"), "platform"),
    "PerPlatformFrameRate": (Struct("<ii"), "platform"),
    "PerPlatformInt": (Struct("<i"), "platform"),
    "PerQualityLevelFloat": (Struct("<f"), "level"),
    "PerQualityLevelInt": (Struct("<i"), "level"),
}


class ValueDecoder:
    """A decoder of the values in ``data``.

    >>> from assetdb_formats.unreal.packages.package import Package
    >>> with open("House.uasset", "rb") as file:
    ...     package = Package(file.read())
    >>> decoder = ValueDecoder(package, Struct("<if").pack(7, 0.5))
    >>> decoder.value(TypeName("IntProperty"), 0, 8), decoder.value(TypeName("FloatProperty"), 4, 8)
    ((7, 4), (0.5, 8))
    >>> decoder.bounded(TypeName("IntProperty"), 0, 8)  # eight bytes are no integer of four
    Opaque(offset=0, size=8)

    ``read_struct`` reads the properties of a struct without a layout of its own: (struct name, position, end) to
    (properties, position after). ``budget`` bounds the work that damaged data can ask for.
    """

    def __init__(self, package: Package, data: bytes, *, unversioned: bool = False) -> None:
        summary = package.summary
        self.data = data
        self.version = summary.version
        self.names = package.names
        self.tags = TagReader(data, package.names, summary.version)
        self.references = References()
        self.opaque: list[Opaque] = []
        self.budget = 0
        self.depth = 0
        self.read_struct: Callable[[str, int, int], tuple[list[Property], int]] = self.read_tagged
        self._unversioned = unversioned
        self._editor = summary.editor
        self._fixed = fixed_structs(large_world=summary.version.ue5 >= 1004)
        self._package = package
        self._utf8_sub_paths = utf8_sub_paths(summary)
        self._soft_list = summary.version.ue5 >= 1008 and summary.soft_object_path_count > 0

    def read_tagged(self, _struct: str, position: int, end: int) -> tuple[list[Property], int]:
        """Read tagged properties up to and with the name ``None``.

        Raises:
            UnrealError: if a tag is damaged. A value that is not understood does not raise.
        """
        found: list[Property] = []
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                raise UnrealError("structs nest too deep", offset=position, field="properties")
            while True:
                tag = self.tags.tag(position, end)
                if tag is None:
                    return found, position + 8
                self.spend(position)
                position = tag.value_offset + tag.size
                if tag.type.name == "BoolProperty":
                    value: Any = tag.true
                else:
                    value = self.bounded(tag.type, tag.value_offset, position)
                found.append(Property(tag.name, tag.type, tag.array_index, value, tag.value_offset, tag.size))
        finally:
            self.depth -= 1

    def spend(self, position: int) -> None:
        """Count one piece of work.

        Raises:
            UnrealError: if data of this size cannot need so much work.
        """
        self.budget -= 1
        if self.budget < 0:
            raise UnrealError("the properties are nested into each other", offset=position, field="properties")

    def bounded(self, kind: TypeName, position: int, end: int) -> Any:  # noqa: ANN401 - a value of any property
        """Decode a value that ends exactly at ``end``, else :class:`Opaque`."""
        mark = self.references.mark()
        opaque = len(self.opaque)
        try:
            value, after = self.value(kind, position, end)
            if after == end:
                return value
        except (UnrealError, error, IndexError):
            pass  # not what it is taken for; its size is known, so nothing after it is lost
        self.references.back(mark)
        del self.opaque[opaque:]
        passed = Opaque(position, end - position)
        self.opaque.append(passed)
        return passed

    def value(self, kind: TypeName, position: int, end: int, *, item: bool = False) -> tuple[Any, int]:
        """Decode one value.

        ``item`` is True in a container, where values have no sizes.

        Returns:
            The value and the offset after it.

        Raises:
            UnrealError: its layout is unknown.
            struct.error: it is cut off.
        """
        name = kind.name
        number = _NUMBERS.get(name)
        if number is not None:
            return number.unpack_from(self.data, position)[0], position + number.size
        if name in _OBJECTS:
            return ObjectReference(self._object(position)), position + 4
        if name == "StructProperty":
            return self.struct(kind.parameter(), position, end)
        if name == "NameProperty":
            return self.tags.name(position), position + 8
        if name == "StrProperty":
            return string_at(self.data, position, "value")
        if name in _CONTAINERS:
            return self._container(kind, position, end)
        if name == "BoolProperty":  # in a container: one byte
            return self.data[position] != 0, position + 1
        if name == "EnumProperty":
            if self._unversioned:
                return self.value(kind.parameters[1] if len(kind.parameters) > 1 else _BYTE, position, end, item=True)
            return self.tags.name(position), position + 8
        if name == "ByteProperty":
            if end - position == 8 and kind.parameters and not item and not self._unversioned:
                return self.tags.name(position), position + 8
            return self.data[position], position + 1
        if name in _SOFT:
            return self.soft_object(position)
        if name in _ASSET:
            text, position = string_at(self.data, position, "value")
            path = soft_path(text)
            if text:
                self.references.soft.append(path)
            return path, position
        if name == "TextProperty":
            return self.text(position)
        return self._rare(kind, position, end)

    def _rare(self, kind: TypeName, position: int, end: int) -> tuple[Any, int]:
        name = kind.name
        if name in {"Utf8StrProperty", "AnsiStrProperty"}:
            return utf8_string_at(self.data, position, "value")
        if name == "LazyObjectProperty":
            return self.data[position : position + 16], position + 16
        if name == "DelegateProperty":
            return self._delegate(position)
        if name in {"MulticastDelegateProperty", "MulticastInlineDelegateProperty", "MulticastSparseDelegateProperty"}:
            count = self._count(position, 12)
            position += 4
            found = []
            for _ in range(count):
                delegate, position = self._delegate(position)
                found.append(delegate)
            return found, position
        if name == "FieldPathProperty":
            count = self._count(position, 8)
            parts = [self.tags.name(position + 4 + 8 * part) for part in range(count)]
            position += 4 + 8 * count
            if len(self.data) - position >= 4 and end - position >= 4:
                self._object(position)
                position += 4
            return parts, position
        raise UnrealError(f"a value of type {kind}", offset=position, field="value")

    def _object(self, position: int) -> int:
        """Read an object index, which is a reference unless it is 0."""
        (index,) = _I32.unpack_from(self.data, position)
        if index:
            self.references.objects.append(index)
        return int(index)

    def _delegate(self, position: int) -> tuple[tuple[int, str], int]:
        return (self._object(position), self.tags.name(position + 4)), position + 12

    def _count(self, position: int, size: int) -> int:
        """Read a count of items and check that they fit."""
        (count,) = _I32.unpack_from(self.data, position)
        if count < 0 or count * size > len(self.data) - position:
            raise UnrealError(f"counts {count} items", offset=position, field="value")
        return int(count)

    def soft_object(self, position: int) -> tuple[SoftObjectPath, int]:
        """Decode a soft object path: index, names and text, or text."""
        ue4, ue5 = self.version
        if self._soft_list:
            (number,) = _I32.unpack_from(self.data, position)
            paths = self._package.soft_object_paths
            if not 0 <= number < len(paths):
                raise UnrealError(f"soft object path {number} of {len(paths)}", offset=position, field="value")
            path = paths[number]
            position += 4
        elif ue4 < 514:
            text, position = string_at(self.data, position, "value")
            path = soft_path(text)
        elif ue5 >= 1007:
            package, asset = self.tags.name(position), self.tags.name(position + 8)
            read = utf8_string_at if self._utf8_sub_paths else string_at
            sub_path, position = read(self.data, position + 16, "value")
            path = SoftObjectPath(package, asset, sub_path)
        else:
            text = self.tags.name(position)
            sub_path, position = string_at(self.data, position + 8, "value")
            path = soft_path(text)._replace(sub_path=sub_path) if sub_path else soft_path(text)
        if path.package_name not in {"", "None"}:
            self.references.soft.append(path)
        return path, position

    def struct(self, name: str, position: int, end: int) -> tuple[Any, int]:
        """Decode a struct by its fixed layout, else as properties."""
        fixed = self._fixed.get(name)
        if fixed is not None:
            values = fixed.unpack_from(self.data, position)
            return values[0] if len(values) == 1 else values, position + fixed.size
        if name in SOFT_PATH_STRUCTS:
            return self.soft_object(position)
        if name == "GameplayTagContainer" and not self._unversioned_tag_list(position):
            count = self._count(position, 8)
            start = position + 4
            return [self.tags.name(start + 8 * number) for number in range(count)], start + 8 * count
        if name in _PER_PLATFORM:
            return self._per_platform(name, position)
        if name in {"MovieSceneFloatChannel", "MovieSceneDoubleChannel"}:
            return self._channel(name, position, end)
        if name in _EXPRESSION_INPUTS and not self._unversioned:
            return self._expression_input(name, position, end)
        if name in {"NiagaraVariable", "NiagaraVariableBase"} and not self._unversioned:
            return self._niagara_variable(name, position, end)
        return self.read_struct(name, position, end)

    def _channel(self, name: str, position: int, end: int) -> tuple[Any, int]:
        """Decode an animation channel: (times, bytes of its keys, default)."""
        start = position
        position += 2  # what happens before the first and after the last key
        parts = []
        for _ in range(2):
            size, count = _INDICES.unpack_from(self.data, position)
            position += 8
            if size < 0 or count < 0 or count * max(size, 1) > end - position:
                raise UnrealError(f"{count} keys of {size} bytes", offset=position - 8, field="value")
            parts.append(self.data[position : position + size * count])
            position += size * count
        default = _NUMBERS["FloatProperty" if name == "MovieSceneFloatChannel" else "DoubleProperty"]
        (value,) = default.unpack_from(self.data, position)
        position += default.size + 4 + 8  # whether there is a default, and the frame rate
        if self._unversioned or end - position == 4:  # whether its curve is shown, in all but the first versions
            position += 4
        if position > end:
            raise UnrealError("the channel is cut off", offset=start, field="value")
        return (parts[0], parts[1], value), position

    def _expression_input(self, name: str, position: int, end: int) -> tuple[Any, int]:
        """Decode a material's input: (expression, output, name, mask, constant).

        Up to 4.8 it was written as properties. Its name became an FName in the middle of 4.14, and cooking leaves out
        the expression; no file version tells these apart, but the size does.
        """
        (index,) = _I32.unpack_from(self.data, position)
        if 0 <= index < len(self.names) and self.names[index] in _EXPRESSION_INPUT_FIELDS and end - position > 44:
            return self.read_struct(name, position, end)
        constant = _EXPRESSION_INPUTS[name]
        before = 8 if self._editor else 4
        after = (20 if self._editor else 28) + (constant.size if constant else 0)
        expression = index if self._editor else 0
        (output,) = _I32.unpack_from(self.data, position + before - 4)
        position += before
        (length,) = _I32.unpack_from(self.data, position)
        if end - position == 8 + after and length != 4:
            input_name, position = self.tags.name(position), position + 8
        else:
            input_name, position = string_at(self.data, position, "value")
        mask = _MASK.unpack_from(self.data, position)
        if expression:
            self.references.objects.append(expression)
        position += 20 if self._editor else 28
        value = constant.unpack_from(self.data, position) if constant else None
        return (expression, output, input_name, mask, value), position + (constant.size if constant else 0)

    def _niagara_variable(self, name: str, position: int, end: int) -> tuple[Any, int]:
        """Decode a Niagara variable: name, type properties and value bytes."""
        label = self.tags.name(position)
        definition, position = self.read_tagged("", position + 8, end)
        if name == "NiagaraVariableBase":
            return (label, definition), position
        size = self._count(position, 1)
        position += 4
        return (label, definition, self.data[position : position + size]), position + size

    def _unversioned_tag_list(self, position: int) -> bool:
        """Whether a tag container is stored as properties (to 4.5)."""
        if self.version.ue4 >= 376:
            return False
        (index,) = _I32.unpack_from(self.data, position)
        return 0 <= index < len(self.names) and self.names[index] in {"GameplayTags", "Tags"}

    def _per_platform(self, name: str, position: int) -> tuple[Any, int]:
        """Decode (default, {platform or quality level: value})."""
        kind, keys = _PER_PLATFORM[name]
        (cooked,) = _I32.unpack_from(self.data, position)
        if cooked not in {0, 1}:
            raise UnrealError(f"a flag of {cooked}", offset=position, field="value")
        default, position = self._number(kind, position + 4)
        if cooked and keys == "platform":
            return (default, {}), position
        count = self._count(position, 8)
        position += 4
        found: dict[Any, Any] = {}
        for _ in range(count):
            if keys == "platform":
                key: Any = self.tags.name(position)
                position += 8
            else:
                (key,) = _I32.unpack_from(self.data, position)
                position += 4
            found[key], position = self._number(kind, position)
        return (default, found), position

    def _number(self, kind: Struct, position: int) -> tuple[Any, int]:
        values = kind.unpack_from(self.data, position)
        return values[0] if len(values) == 1 else values, position + kind.size

    def _container(self, kind: TypeName, position: int, end: int) -> tuple[Any, int]:
        """Decode an array, map, set or optional value, which may nest."""
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                raise UnrealError("values nest too deep", offset=position, field="value")
            if kind.name == "ArrayProperty":
                return self.array(kind, position, end)
            if kind.name != "OptionalProperty":
                return self.map_or_set(kind, position, end)
            if not kind.parameters or self.data[position] > 1:
                raise UnrealError(f"a value of type {kind}", offset=position, field="value")
            if not self.data[position]:
                return None, position + 1
            return self.value(kind.parameters[0], position + 1, end, item=True)
        finally:
            self.depth -= 1

    def array(self, kind: TypeName, position: int, end: int) -> tuple[Any, int]:
        """Decode an array; one of structs may have an inner tag."""
        count = self._count(position, 1)
        position += 4
        if not kind.parameters:
            raise UnrealError("an array without the type of its items", offset=position, field="value")
        inner = kind.parameters[0]
        if inner.name == "StructProperty" and not self._unversioned and self.version.ue5 < 1012:
            if self.version.ue4 >= 500:
                tag = self.tags.tag(position, end)
                if tag is None:
                    raise UnrealError("an array of structs without a tag", offset=position, field="value")
                inner = tag.type
                position = tag.value_offset
            elif not count:
                return [], position
            else:
                # Before 4.12 the struct is not named: it is one of properties, or one of a known size.
                return self._structs_of_unknown_name(count, position, end)
        if inner.name == "ByteProperty" and not self._unversioned and end - position == count:
            return self.data[position:end], end
        if inner.name == "ByteProperty" and not self._unversioned and end - position == 8 * count:
            inner = _NAME
        return self.items(inner, count, position, end)

    def _structs_of_unknown_name(self, count: int, position: int, end: int) -> tuple[Any, int]:
        mark = self.references.mark()
        found = []
        start = position
        try:
            for _ in range(count):
                self.spend(position)
                value, position = self.read_struct("", position, end)
                found.append(value)
        except (UnrealError, error, IndexError):
            position = -1
        if position == end:
            return found, end
        self.references.back(mark)
        size, rest = divmod(end - start, count)
        if rest or not size:
            raise UnrealError("structs of an unknown layout", offset=start, field="value")
        return [Opaque(start + number * size, size) for number in range(min(count, 1))], end

    def items(self, kind: TypeName, count: int, position: int, end: int) -> tuple[list[Any], int]:
        """Decode ``count`` items that follow each other."""
        if count > end - position:
            raise UnrealError(f"{count} items in {end - position} bytes", offset=position, field="value")
        number = _NUMBERS.get(kind.name)
        if number is not None:
            after = position + count * number.size
            if after > end:
                raise UnrealError(f"{count} items in {end - position} bytes", offset=position, field="value")
            return [values[0] for values in number.iter_unpack(self.data[position:after])], after
        found = []
        for _ in range(count):
            self.spend(position)
            value, position = self.value(kind, position, end, item=True)
            found.append(value)
        return found, position

    def map_or_set(self, kind: TypeName, position: int, end: int) -> tuple[Any, int]:
        """Decode a map or set: keys to remove, then entries.

        Before 5.4 the tag of a map of structs does not name the structs: they are tried as properties, then as GUIDs,
        and the attempt that ends exactly is right.
        """
        is_map = kind.name == "MapProperty"
        if len(kind.parameters) < (2 if is_map else 1):
            raise UnrealError(f"{kind.name} without the type of its items", offset=position, field="value")
        choices = [_kinds(parameter, self.version.ue5 >= 1012 or self._unversioned) for parameter in kind.parameters]
        problem: UnrealError | None = None
        mark = self.references.mark()
        opaque = len(self.opaque)
        for key in choices[0]:
            for item in choices[1] if is_map else [_NONE]:
                try:
                    value, after = self._entries(key, item if is_map else None, position, end)
                except (error, IndexError):
                    problem = UnrealError("the map is cut off", offset=position, field="value")
                except UnrealError as caught:
                    problem = caught
                else:
                    if after == end or self._unversioned or len(choices[0]) == len(choices[-1]) == 1:
                        return value, after
                self.references.back(mark)
                del self.opaque[opaque:]
        raise problem or UnrealError("a map of unknown structs", offset=position, field="value")

    def _entries(self, key: TypeName, item: TypeName | None, position: int, end: int) -> tuple[Any, int]:
        removed = self._count(position, 1)
        _, position = self.items(key, removed, position + 4, end)
        count = self._count(position, 1)
        position += 4
        if item is None:
            return self.items(key, count, position, end)
        found = []
        for _ in range(count):
            self.spend(position)
            one, position = self.value(key, position, end, item=True)
            other, position = self.value(item, position, end, item=True)
            found.append((one, other))
        return found, position

    def text(self, position: int) -> tuple[Any, int]:
        """Decode an FText: (namespace, key, source), (table, key), or text."""
        data = self.data
        if self.version.ue4 < 368:  # before its history was kept
            (source, *keys), position = self._strings(3 if self.version.ue4 >= 226 else 2, position)
            return (*(keys if len(keys) > 1 else ("", *keys)), source), position + 4
        history = data[position + 4]
        position += 5
        if history == 255:
            # 4.15 added the text that is the same in every culture, by a custom version that cooked files do not have.
            if position + 4 <= len(data):
                (present,) = _U32.unpack_from(data, position)
                if present == 0:
                    return "", position + 4
                if present == 1:
                    return string_at(data, position + 4, "text")
            return "", position
        if history == 0:
            (namespace, key, source), position = self._strings(3, position)
            if key:
                self.references.texts.append(TextKey(namespace, key, source))
            return (namespace, key, source), position
        if history == 11:
            table = self.tags.name(position)
            key, position = string_at(data, position + 8, "text")
            if table.startswith("/"):
                self.references.soft.append(soft_path(table))
            self.references.texts.append(TextKey(table, key, ""))
            return (table, key), position
        return self._formatted_text(history, position)

    def _strings(self, count: int, position: int) -> tuple[tuple[str, ...], int]:
        found = []
        for _ in range(count):
            text, position = string_at(self.data, position, "text")
            found.append(text)
        return tuple(found), position

    def _formatted_text(self, history: int, position: int) -> tuple[Any, int]:
        """Decode a text that is made of others: (pattern, {argument: value})."""
        self.depth += 1
        try:
            if history not in {1, 2, 3, 10} or self.depth > _DEEPEST:
                raise UnrealError(f"text with history {history}", offset=position - 1, field="text")
            pattern, position = self.text(position)
            if history == 10:  # upper or lower case
                return (pattern, self.data[position]), position + 1
            count = self._count(position, 1)
            position += 4
            arguments: dict[Any, Any] = {}
            for number in range(count):
                self.spend(position)
                key: Any = number
                if history != 2:
                    key, position = string_at(self.data, position, "text")
                kind = self.data[position]
                if kind == 4:
                    arguments[key], position = self.text(position + 1)
                elif kind < len(_ARGUMENTS):
                    value = _ARGUMENTS[kind]
                    (arguments[key],) = value.unpack_from(self.data, position + 1)
                    position += 1 + value.size
                else:
                    raise UnrealError(f"a text's argument of kind {kind}", offset=position, field="text")
            return (pattern, arguments), position
        finally:
            self.depth -= 1


def _kinds(kind: TypeName, known: bool) -> list[TypeName]:  # noqa: FBT001 - the one thing that decides
    if known:
        return [kind]
    if kind.name == "StructProperty":
        return [_TAGGED, _GUID, _SOFT_PATH]
    if kind.name == "ByteProperty":
        return [_BYTE, _NAME]
    return [kind]
