"""An assembly: its types, their fields, and references to others."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet import tables as t
from assetdb_formats.dotnet.image import read_image
from assetdb_formats.dotnet.signatures import Element, Signature, read_field, read_type

if TYPE_CHECKING:
    from collections.abc import Iterator

_VISIBILITY: Final = 0x7
_FIRST_NESTED: Final = 2
_MOST_NESTED: Final = 16
_METHODS: Final = frozenset((t.METHOD, t.MEMBER_REF))


class TypeFacts(NamedTuple):
    """A type that an assembly defines.

    Attributes:
        row: its row of TypeDef.
        namespace: may be ``""``; of a nested type the namespace of its outermost type.
        name: with the types that it is nested in before it, and ``/`` between: ``Outer/Inner``.
        flags: of ECMA-335, II.23.1.15.
        base: what it extends; None for an interface, and for ``System.Object``.
        first_field, end_field: its rows of Field.
    """

    row: int
    namespace: str
    name: str
    flags: int
    base: Signature | None
    first_field: int
    end_field: int

    @property
    def full_name(self) -> str:
        """Namespace and name."""
        return t.full_name(self.namespace, self.name)


class FieldFacts(NamedTuple):
    """A field's name, flags (II.23.1.5), type and attribute classes."""

    name: str
    flags: int
    type: Signature
    attributes: frozenset[str]


class TypeName(NamedTuple):
    """A type's name, with its assembly where that is different."""

    assembly: str
    namespace: str
    name: str

    @property
    def full_name(self) -> str:
        """Namespace and name."""
        return t.full_name(self.namespace, self.name)


class Assembly:
    """A managed DLL with tables that are decoded on demand.

    Every method may raise FormatError.

    Attributes:
        name: as others refer to it, without ``.dll``.
    """

    def __init__(self, data: bytes) -> None:
        """Read the head of a DLL.

        Raises:
            FormatError: it is damaged, or holds no managed code.
        """
        if data[:2] != b"MZ":
            raise FormatError("is not a DLL: it does not begin with MZ", offset=0)
        image = read_image(data)
        if image is None:
            raise FormatError("is not a managed DLL", offset=0)
        self._tables = t.Tables(data, image)
        rows = list(self._tables.rows(t.ASSEMBLY))
        self.name = self._tables.text(rows[0][7]) if rows else ""
        self._attribute_names: dict[int, str] = {}

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], int]:
        """Rows of TypeDef of top-level types, by namespace and name."""
        found: dict[tuple[str, str], int] = {}
        text = self._tables.text
        for number, (flags, name, namespace, _, _, _) in enumerate(self._tables.rows(t.TYPE_DEF), 1):
            if flags & _VISIBILITY < _FIRST_NESTED:
                found.setdefault((text(namespace), text(name)), number)
        return found

    @cached_property
    def _outer(self) -> dict[int, int]:
        return {row[0]: row[1] for row in self._tables.rows(t.NESTED_CLASS)}

    @cached_property
    def _inner(self) -> dict[tuple[int, str], int]:
        found: dict[tuple[int, str], int] = {}
        for inner, outer in self._outer.items():
            found.setdefault((outer, self._tables.text(self._tables.row(t.TYPE_DEF, inner)[1])), inner)
        return found

    @cached_property
    def _forwarded(self) -> dict[tuple[str, str], str]:
        """Assemblies of forwarded types, by namespace and name."""
        found = {}
        for _, _, name, namespace, where in self._tables.rows(t.EXPORTED_TYPE):
            table, row = t.decoded(where, "Implementation")
            if table == t.ASSEMBLY_REF:
                found[self._tables.text(namespace), self._tables.text(name)] = self._assembly(row)
        return found

    def _assembly(self, row: int) -> str:
        return self._tables.text(self._tables.row(t.ASSEMBLY_REF, row)[6])

    def find(self, namespace: str, name: str) -> TypeFacts | str | None:
        """Return a type (``Outer/Inner``), its forwarding assembly, or None."""
        first, *inner = name.split("/")
        row = self._by_name.get((namespace, first))
        if row is None:
            return self._forwarded.get((namespace, first))
        for word in inner:
            row = self._inner.get((row, word))
            if row is None:
                return None
        return self.type(row)

    def type(self, row: int) -> TypeFacts:
        """Return a type by its row."""
        flags, name, namespace, base, first, _ = self._tables.row(t.TYPE_DEF, row)
        names = [self._tables.text(name)]
        outer = row
        while outer in self._outer:
            outer = self._outer[outer]
            values = self._tables.row(t.TYPE_DEF, outer)
            names.append(self._tables.text(values[1]))
            namespace = values[2]
            if len(names) > _MOST_NESTED:
                raise FormatError(f"a type in {_MOST_NESTED} others", field=f"tables.TypeDef[{row}]")
        last = row == self._tables.count(t.TYPE_DEF)
        end = self._fields + 1 if last else self._tables.row(t.TYPE_DEF, row + 1)[4]
        if not 1 <= first <= end <= self._fields + 1:
            what = f"fields {first} to {end} of {self._fields}"
            raise FormatError(what, field=f"tables.TypeDef[{row}]")
        table, place = t.decoded(base, "TypeDefOrRef")
        extends = Signature(Element.CLASS, table, place) if place else None
        if table == t.TYPE_SPEC and place:
            extends = self.spec(place)
        return TypeFacts(row, self._tables.text(namespace), "/".join(reversed(names)), flags, extends, first, end)

    @cached_property
    def _pointed(self) -> bool:
        """Whether types list rows of FieldPtr, as in an unoptimized stream."""
        return bool(self._tables.count(t.FIELD_POINTER))

    @cached_property
    def _fields(self) -> int:
        return self._tables.count(t.FIELD_POINTER if self._pointed else t.FIELD)

    def fields(self, of: TypeFacts) -> Iterator[FieldFacts]:
        """Yield the fields of a type in their order."""
        for number in range(of.first_field, of.end_field):
            row = self._tables.row(t.FIELD_POINTER, number)[0] if self._pointed else number
            flags, name, blob = self._tables.row(t.FIELD, row)
            signature = read_field(self._tables.blob(blob))
            yield FieldFacts(self._tables.text(name), flags, signature, self._attributes.get(row, frozenset()))

    @cached_property
    def _attributes(self) -> dict[int, frozenset[str]]:
        """Row of Field -> classes of the attributes on it."""
        found: dict[int, set[str]] = {}
        for parent, kind, _ in self._tables.rows(t.CUSTOM_ATTRIBUTE):
            table, row = t.decoded(parent, "HasCustomAttribute")
            if table == t.FIELD:
                found.setdefault(row, set()).add(self._class_of_attribute(kind))
        return {row: frozenset(names) for row, names in found.items()}

    def _class_of_attribute(self, kind: int) -> str:
        name = self._attribute_names.get(kind)
        if name is None:
            table, row = t.decoded(kind, "CustomAttributeType")
            name = ""
            if table == t.MEMBER_REF:
                table, row = t.decoded(self._tables.row(table, row)[0], "MemberRefParent")
                if table in (t.TYPE_REF, t.TYPE_DEF):
                    name = self.named(table, row).full_name
            elif table == t.METHOD:
                name = self._type_of_method(row)
            self._attribute_names[kind] = name
        return name

    def _type_of_method(self, method: int) -> str:
        """Return the type of an attribute's constructor in this assembly."""
        owner = bisect_right(self._first_methods, method)
        return self.type(owner).full_name if owner else ""

    @cached_property
    def _first_methods(self) -> list[int]:
        return [values[5] for values in self._tables.rows(t.TYPE_DEF)]

    def named(self, table: int, row: int) -> TypeName:
        """Return a type's name by its row of TypeDef or TypeRef."""
        if table == t.TYPE_DEF:
            facts = self.type(row)
            return TypeName("", facts.namespace, facts.name)
        names: list[str] = []
        while True:
            scope, name, namespace = self._tables.row(t.TYPE_REF, row)
            names.append(self._tables.text(name))
            table, row = t.decoded(scope, "ResolutionScope")
            if table != t.TYPE_REF:
                break
            if len(names) > _MOST_NESTED:
                raise FormatError(f"a type in {_MOST_NESTED} others", field=f"tables.TypeRef[{row}]")
        assembly = self._assembly(row) if table == t.ASSEMBLY_REF else ""
        return TypeName(assembly, self._tables.text(namespace), "/".join(reversed(names)))

    def spec(self, row: int) -> Signature:
        """Return the type of a row of TypeSpec."""
        return read_type(self._tables.blob(self._tables.row(t.TYPE_SPEC, row)[0]))
