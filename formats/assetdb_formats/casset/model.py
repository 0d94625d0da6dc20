"""Data model of ``.casset`` bundles, for all their formats.

Identifiers (UUIDs) are the raw bytes of the file, 16 in format 3 and 8 before it;
:mod:`assetdb_formats.casset.identity` gives their text. The type of a field gives the type of its value:

===================  =========================================================
``u8`` .. ``s64``    int
``f32`` ``f64``      float
``b8``               bool
``String``           str (UTF-8, other bytes as surrogate escapes)
``Vec2`` .. ``4i``   tuple of float or int
``Uuid``, opaque     bytes
``Binary``           :class:`Blob`, whose data is a view of the file
references           :class:`Reference` or None; ``Delegate``: :class:`Delegate` or None
arrays, ``Event``    tuple; ``ObjectMap``: tuple of :class:`Reference`
``Struct``           :class:`StructValue`
===================  =========================================================
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeGuard, TypeVar

from assetdb_formats.casset.errors import NotInBundleError

if TYPE_CHECKING:
    import mmap

    from assetdb_formats.casset.errors import CassetError

Data: TypeAlias = "bytes | mmap.mmap"
Value: TypeAlias = (
    "int | float | str | bytes | tuple[Value, ...] | Blob | Reference | Delegate | StructValue | TypedArray | None"
)
Values: TypeAlias = "tuple[Value, ...]"
_Entry = TypeVar("_Entry", "BundleObject", "ObjectIndex")


class Format(enum.Enum):
    """The ``.casset`` formats that are read, with their names for people."""

    TEXT = "text"
    """``_TypeId: ...`` lines of March and April 2023."""
    BUNDLE_2 = "2.0"
    """``.BUNDLE.`` with self-describing ``.OBJECT.`` entries, June to November 2024."""
    SIZED_3 = "3.0 sized"
    """Format 3 of its first day (2024-11-18): every value is prefixed by its size."""
    BUNDLE_3 = "3"
    """Format 3 since 2024-11-19: 3.0 and 3.1."""


class Kind(enum.IntEnum):
    """The kind of a schema entry."""

    CLASS = 0
    STRUCT = 1
    OPAQUE = 2
    """A plain type written as its bytes; its entry ends after the name (since 2025-08-12, no new version)."""


class FieldType(enum.IntEnum):
    """The type byte of a field in format 3.

    The last two are not format 3's: they stand for what only the older, self-describing format 2.0 has.
    """

    NULL = 0x00
    U8 = 0x01
    U16 = 0x02
    U32 = 0x03
    U64 = 0x04
    S8 = 0x05
    S16 = 0x06
    S32 = 0x07
    S64 = 0x08
    F32 = 0x09
    F64 = 0x0A
    BOOL = 0x0B
    STRING = 0x0C
    VEC2 = 0x0D
    VEC3 = 0x0E
    VEC4 = 0x0F
    VEC2I = 0x10
    VEC3I = 0x11
    VEC4I = 0x12
    OBJECT_ARRAY = 0x13
    STRUCT_ARRAY = 0x14
    ARRAY = 0x15
    BLOB = 0x16
    REFERENCE = 0x17
    DELEGATE = 0x18
    EVENT = 0x19
    STRUCT = 0x1A
    UUID = 0x1B
    OBJECT_MAP = 0x1C
    OPAQUE = 0x1D
    TYPED_ARRAY = 0x111
    MATRIX4 = 0x184


_ELEMENTS: Final[dict[int, int]] = {
    FieldType.STRUCT_ARRAY: FieldType.STRUCT,
    FieldType.OBJECT_ARRAY: FieldType.REFERENCE,
    FieldType.OBJECT_MAP: FieldType.REFERENCE,
    FieldType.EVENT: FieldType.DELEGATE,
}
_TYPE_NAMES: Final = {
    FieldType.BOOL: "bool",
    FieldType.STRING: "string",
    FieldType.OBJECT_ARRAY: "reference[]",
    FieldType.STRUCT_ARRAY: "struct[]",
    FieldType.OBJECT_MAP: "object map",
    FieldType.TYPED_ARRAY: "array",
}


class Blob(NamedTuple):
    """Raw bytes of an object, as a view of the file."""

    flags: int
    data: memoryview | bytes


class Reference(NamedTuple):
    """An object in a bundle, both by UUID."""

    object: bytes
    bundle: bytes


class Delegate(NamedTuple):
    """A function bound on an object."""

    object: bytes
    bundle: bytes
    function: str


class Field(NamedTuple):
    """A field of a type.

    ``schema`` is the index of a struct's entry (or -1), ``element`` an array's element type.
    """

    name: str
    type: int
    schema: int = -1
    element: int = 0

    @property
    def type_name(self) -> str:
        """The type for people, such as ``u32`` or ``string[]``."""
        if self.type == FieldType.ARRAY:
            return f"{type_name(self.element)}[]"
        return type_name(self.type)


class Layout(NamedTuple):
    """An entry of the schema table: a type and its fields.

    Only serialized fields are there, the inherited ones first.

    ``raw`` is set where the entry could not be understood to its end (``problem`` is why): its bytes after the
    entry size, which are written back as they are.
    """

    kind: int
    name: str
    version: int = 0
    fields: tuple[Field, ...] = ()
    raw: bytes | None = None
    problem: str = ""


class StructValue(NamedTuple):
    """The values of a struct, in the order of its layout's fields."""

    layout: Layout
    values: Values


class TypedArray(NamedTuple):
    """An array of format 2.0, with a type for each element."""

    elements: tuple[Field, ...]
    values: Values


class BundleObject(NamedTuple):
    """One serialized object.

    ``values`` follow ``layout.fields``, and are fewer where the object is broken: then ``problem`` is why, and ``raw``
    is the whole entry, which is written back as it is. ``offset`` and ``size`` are the entry's, in bytes.
    """

    uuid: bytes
    is_asset: int
    schema: int
    path: str
    name: str
    layout: Layout
    values: Values
    offset: int = 0
    size: int = 0
    source: str = ""
    extra: bytes = b""
    raw: memoryview | bytes | None = None
    problem: CassetError | None = None

    @property
    def class_name(self) -> str:
        """Full type name, such as ``/Code/Core.CE::Bundle``."""
        return self.layout.name

    def value(self, name: str) -> Value:
        """Return the value of the field ``name``; raises NotInBundleError."""
        for field, value in zip(self.layout.fields, self.values, strict=False):
            if field.name == name:
                return value
        raise NotInBundleError(f"the object has no field {name!r}")


class Bundle(NamedTuple):
    """A whole bundle file.

    ``dependencies`` is the declared list, unchanged (UUIDs; paths in format 2.0): it has duplicates and is
    incomplete, see :mod:`assetdb_formats.casset.queries.references`. ``source`` is the path of the source asset
    relative to the file's folder, None where the format has no place for it. ``header_extra`` and ``gap`` are bytes
    between the known header and the schema table, and between that table and the data; ``line_end`` is the text
    format's.
    """

    format: Format
    version: tuple[int, int, int]
    uuid: bytes
    name: str
    objects: tuple[BundleObject, ...]
    dependencies: tuple[bytes | str, ...] = ()
    schema: tuple[Layout, ...] = ()
    source: str | None = None
    cooked: int = 0
    checksum: int = 0
    header_extra: bytes = b""
    gap: bytes = b""
    line_end: str = ""
    problems: tuple[CassetError, ...] = ()

    @property
    def format_name(self) -> str:
        """The format for people: ``text``, ``2.0``, ``3.0 sized``, ``3.0`` or ``3.1``."""
        return format_name(self.format, self.version)

    @property
    def primary(self) -> BundleObject | None:
        """The main object, chosen as the engine's registry does."""
        return primary(self.objects)


class ObjectIndex(NamedTuple):
    """An object's row of the object table, without its fields."""

    uuid: bytes
    is_asset: int
    class_name: str
    path: str
    name: str


class BundleIndex(NamedTuple):
    """The header, schema table and object table of a bundle."""

    format: Format
    version: tuple[int, int, int]
    uuid: bytes
    name: str
    dependencies: tuple[bytes | str, ...]
    source: str | None
    objects: tuple[ObjectIndex, ...]

    @property
    def format_name(self) -> str:
        """The format for people, as in :attr:`Bundle.format_name`."""
        return format_name(self.format, self.version)

    @property
    def primary(self) -> ObjectIndex | None:
        """The main object, as in :attr:`Bundle.primary`."""
        return primary(self.objects)


def primary(objects: tuple[_Entry, ...]) -> _Entry | None:
    """Return the first top-level asset, or the bundle itself."""
    first: _Entry | None = None
    for entry in objects:
        if "." in entry.path:
            continue
        if entry.is_asset:
            return entry
        if first is None:
            first = entry
    return first


def element_type(array: int, element: int) -> int:
    """Return the type of an array's elements, ``element`` for an ARRAY."""
    return _ELEMENTS.get(array, element)


def format_name(kind: Format, version: tuple[int, int, int]) -> str:
    """Return the format for people."""
    return f"{version[0]}.{version[1]}" if kind is Format.BUNDLE_3 else kind.value


def is_array(value: Value) -> TypeGuard[Values]:
    """Whether a value is a tuple of values, not a named one."""
    return type(value) is tuple


def type_name(code: int) -> str:
    """Return a type byte for people."""
    try:
        known = FieldType(code)
    except ValueError:
        return f"type {code:02X}"
    return _TYPE_NAMES.get(known) or known.name.lower().replace("_", " ")
