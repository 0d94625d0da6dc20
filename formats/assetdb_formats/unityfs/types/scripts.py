"""Type trees of scripts, from the managed DLLs of a player.

Unity writes the fields of a class that are public or under [SerializeField], the fields of its base classes first,
where they are of a type that it can write: numbers, strings, enums, structs of its own, references to its objects,
classes under [Serializable], arrays and lists. The manual (Script serialization) lists the types; how they are
written is seen in the trees of bundles that have some. Wherever one of them may be meant in two ways the layout is
*unknown*, and so is one that a type is absent for: nothing is guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.assembly import TypeName
from assetdb_formats.dotnet.resolution import Absent, Assemblies, Bound, Defined, plain_name
from assetdb_formats.dotnet.signatures import Element, Signature
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.types.engine_types import DOUBTFUL, engine_layout
from assetdb_formats.unityfs.types.layouts import release_of
from assetdb_formats.unityfs.types.typetree import TreeNode, parse_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.dotnet.assembly import FieldFacts
    from assetdb_formats.unityfs.serialized_files.player import Script
    from assetdb_formats.unityfs.types.layouts import Release
    from assetdb_formats.unityfs.types.typetree import TypeTree

_OLDEST: Final = (5,)
_GENERIC_FIELDS: Final = (2020, 1)  # fields of generic classes are written from here on; in its alphas not at once
_GENERIC_FIELDS_SURELY: Final = (2020, 1, 0, "f", 0)
_ALIGNED_ARRAYS: Final = (2017, 1, 0, "b", 1)  # before, arrays of what is smaller than 4 bytes were not seen
_DEEPEST: Final = 6  # classes in one another: Unity stops at 7, later at 10
_MOST_NODES: Final = 20_000

_STATIC: Final = 0x10
_NOT_WRITTEN: Final = _STATIC | 0x20 | 0x40 | 0x80  # read-only, constants, [NonSerialized]
_ACCESS: Final = 0x7
_PUBLIC: Final = 0x6
_INTERFACE: Final = 0x20
_ABSTRACT: Final = 0x80
_SERIALIZABLE: Final = 0x2000

_NUMBERS: Final = {
    Element.BOOLEAN: "UInt8",
    Element.I1: "SInt8",
    Element.U1: "UInt8",
    Element.I2: "SInt16",
    Element.U2: "UInt16",
    Element.I4: "int",
    Element.U4: "unsigned int",
    Element.I8: "SInt64",
    Element.U8: "UInt64",
    Element.R4: "float",
    Element.R8: "double",
}
_SMALL: Final = frozenset(("UInt8", "SInt8", "UInt16", "SInt16"))
_ENUMS: Final = frozenset((Element.I1, Element.U1, Element.I2, Element.U2, Element.I4, Element.U4))
_NAMED: Final = frozenset((Element.VALUE_TYPE, Element.CLASS, Element.GENERIC))
_LIST: Final = "System.Collections.Generic.List`1"
_ROOTS: Final = frozenset(("UnityEngine.MonoBehaviour", "UnityEngine.ScriptableObject"))
_OBJECT: Final = "UnityEngine.Object"
_NOTHING_WRITTEN: Final = frozenset(("System.Object", "System.ValueType"))
_STRUCTS: Final = frozenset(  # the system's, if its assembly is missing: any other may be an enum
    f"System.{name}" for name in ("DateTime", "DateTimeOffset", "TimeSpan", "Guid", "Decimal", "Nullable`1", "IntPtr")
)
_SERIALIZE_FIELD: Final = "UnityEngine.SerializeField"
_SERIALIZE_REFERENCE: Final = "UnityEngine.SerializeReference"
_FIXED_BUFFER: Final = "System.Runtime.CompilerServices.FixedBufferAttribute"

_NO_TYPE: Final = Signature(Element.VOID)  # the enclosing type of a type's fields: only its arguments count

_STRING: Final = ("Array Array!", " int size", " char data")
_POINTER: Final = ("int m_FileID", "SInt64 m_PathID")
_BASE: Final = (
    "MonoBehaviour Base",
    " PPtr<GameObject> m_GameObject",
    *(f"  {line}" for line in _POINTER),
    " UInt8 m_Enabled!",
    " PPtr<MonoScript> m_Script",
    *(f"  {line}" for line in _POINTER),
    " string m_Name",
    *(f"  {line}" for line in _STRING),
)


class UnknownLayoutError(UnityFSError):
    """Error of a script with an unknown layout, with the reason."""


class ScriptTrees:
    """The type trees of the scripts of one release of Unity.

    Args:
        assemblies: those beside the player.
        version: of Unity, as a file has it.
        is_native: whether Unity has a native class of a name: without UnityEngine's assemblies, those are objects.
    """

    def __init__(self, assemblies: Assemblies, version: str, is_native: Callable[[str], bool]) -> None:
        self._assemblies = assemblies
        self._release = release_of(version)
        self._is_native = is_native
        self._known: dict[Script, TypeTree | UnknownLayoutError] = {}

    def tree(self, script: Script) -> TypeTree:
        """Return a script's MonoBehaviour type tree. Raises UnknownLayoutError."""
        found = self._known.get(script)
        if found is None:
            try:
                found = self._tree(script)
            except UnknownLayoutError as error:
                found = error
            except FormatError as error:
                found = UnknownLayoutError(str(error))
            self._known[script] = found
        if isinstance(found, UnknownLayoutError):
            raise UnknownLayoutError(found.what)
        return found

    def _tree(self, script: Script) -> TypeTree:
        release = self._release
        if release is None or release < _OLDEST:
            raise UnknownLayoutError("the file has no Unity release, or one before 5.0")
        start = self._assemblies.find(TypeName(script.assembly, script.namespace, script.name))
        if isinstance(start, Absent):
            raise _absent(start)
        chain = [start]
        for base in self._assemblies.bases(start):
            name = _full_name(base)
            if name in _ROOTS:
                break
            if name in _NOTHING_WRITTEN:
                raise UnknownLayoutError(f"{script.full_name} is neither a MonoBehaviour nor a ScriptableObject")
            if isinstance(base, Absent):
                raise _absent(base)
            chain.append(base)
        return _Tree(self._assemblies, release, self._is_native).of(chain)


class _Tree:
    """A tree as it grows."""

    def __init__(self, assemblies: Assemblies, release: Release, is_native: Callable[[str], bool]) -> None:
        self._assemblies = assemblies
        self._release = release
        self._is_native = is_native
        self._nodes: list[TreeNode] = []

    def of(self, chain: list[Defined]) -> TypeTree:
        self._lines(0, _BASE)
        self._class(chain, 1, ())
        return tuple(self._nodes)

    def _add(self, level: int, type_name: str, name: str, *, aligned: bool = False) -> None:
        if len(self._nodes) >= _MOST_NODES:
            raise UnknownLayoutError(f"more than {_MOST_NODES} fields")
        self._nodes.append(TreeNode(level, type_name, name, -1, aligned))

    def _lines(self, level: int, lines: tuple[str, ...]) -> None:
        for node in parse_lines(lines, level):
            self._add(node.level, node.type_name, node.name, aligned=node.aligned)

    def _class(self, chain: list[Defined], level: int, within: tuple[str, ...]) -> None:
        """Add the fields of a class, base classes first."""
        names: set[str] = set()
        for place in reversed(chain):
            assembly = self._assemblies.get(place.assembly)
            if assembly is None:
                raise UnknownLayoutError(f"{place.assembly}.dll is not beside the player")
            around = Bound(_NO_TYPE, place.assembly, place.arguments)
            for field in assembly.fields(place.facts):
                if not _is_written(field, place):
                    continue
                before = len(self._nodes)
                self._field(field.name, self._assemblies.bind(field.type, around), level, within)
                if len(self._nodes) > before:
                    if field.name in names:
                        raise UnknownLayoutError(f"{place.facts.full_name}.{field.name} hides a field of that name")
                    names.add(field.name)

    def _field(self, name: str, kind: Bound, level: int, within: tuple[str, ...]) -> None:
        """Add a field, or nothing where Unity writes none of its type."""
        element = self._element_of(kind)
        if element is None:
            self._value(name, kind, level, within)
            return
        if self._element_of(element) is not None:
            return  # no arrays of arrays
        start = len(self._nodes)
        self._add(level, "vector", name)
        self._add(level + 1, "Array", "Array", aligned=True)
        self._add(level + 2, "int", "size")
        head = len(self._nodes)
        self._value("data", element, level + 2, within)
        added = self._nodes[head:]
        if not added:
            del self._nodes[start:]
            return
        if added[0].type_name in _SMALL:
            if self._release < _ALIGNED_ARRAYS:
                raise UnknownLayoutError(f"{name}: an array of {added[0].type_name} before Unity 2017.1")
            self._nodes[head] = added[0]._replace(aligned=False)
        elif len(added) == 1 and added[0].type_name not in _NUMBERS.values():
            raise UnknownLayoutError(f"{name}: an array of a class without fields")

    def _element_of(self, kind: Bound) -> Bound | None:
        """Return the element type of an array or a list, else None."""
        signature = kind.signature
        if signature.element is Element.VECTOR:
            return self._assemblies.bind(signature.arguments[0], kind)
        if signature.element is Element.GENERIC:
            found = self._assemblies.resolve(kind)
            if _full_name(found) == _LIST and len(found.arguments) == 1:
                return found.arguments[0]
        return None

    def _value(self, name: str, kind: Bound, level: int, within: tuple[str, ...]) -> None:
        element = kind.signature.element
        if element in _NUMBERS:
            type_name = _NUMBERS[element]
            self._add(level, type_name, name, aligned=type_name in _SMALL)
        elif element is Element.STRING:
            self._add(level, "string", name)
            self._lines(level + 1, _STRING)
        elif element in _NAMED:
            self._named(name, kind, level, within)
        elif element in (Element.CHAR, Element.METHOD_VARIABLE):
            raise UnknownLayoutError(f"{name}: how a {element.name.casefold()} is written")
        # Pointers, arrays of several dimensions, functions, native numbers and System.Object are never written.

    def _named(self, name: str, kind: Bound, level: int, within: tuple[str, ...]) -> None:
        found = self._assemblies.resolve(kind)
        full_name = _full_name(found)
        from_engine = _assembly_name(found).startswith("unityengine")
        if from_engine or isinstance(found, Absent):
            layout = engine_layout(full_name, self._release) if from_engine else None
            if layout is not None:
                self._add(level, layout[0], name)
                self._lines(level + 1, layout[1])
                return
            if full_name in DOUBTFUL:
                raise UnknownLayoutError(f"{name}: how a {full_name} is written")
        if isinstance(found, Absent):
            self._absent_value(name, kind, found, level)
            return
        facts = found.facts
        if facts.flags & _INTERFACE:
            return
        chain = [found]
        for base in self._assemblies.bases(found):
            base_name = _full_name(base)
            if base_name == _OBJECT or (isinstance(base, Absent) and self._is_object(base)):
                if found.arguments:
                    raise UnknownLayoutError(f"{name}: a reference to a generic {full_name}")
                self._pointer(name, facts.name, level)
                return
            if base_name in ("System.MulticastDelegate", "System.Delegate"):
                return
            if base_name == "System.Enum":
                self._enum(name, found, level)
                return
            if base_name in _NOTHING_WRITTEN:
                break
            if isinstance(base, Absent):
                if not facts.flags & _SERIALIZABLE and _is_system(base):
                    return  # it cannot be an object of Unity's
                raise _absent(base)
            chain.append(base)
        if full_name == _OBJECT:
            self._pointer(name, "Object", level)
        elif not _is_system(found):
            self._custom(name, chain, level, within)

    def _custom(self, name: str, chain: list[Defined], level: int, within: tuple[str, ...]) -> None:
        """Add a class or a struct under [Serializable]."""
        found = chain[0]
        facts = found.facts
        if not facts.flags & _SERIALIZABLE:
            return
        if facts.flags & _ABSTRACT:
            raise UnknownLayoutError(f"{name}: {facts.full_name} is abstract")
        if found.arguments or "`" in facts.name:
            if self._release < _GENERIC_FIELDS:
                return
            if self._release < _GENERIC_FIELDS_SURELY:
                raise UnknownLayoutError(f"{name}: a generic {facts.full_name} in a preview of 2020.1")
        if facts.full_name in within:
            raise UnknownLayoutError(f"{name}: a {facts.full_name} in itself")
        if len(within) >= _DEEPEST:
            raise UnknownLayoutError(f"{name}: classes in one another, more than {_DEEPEST}")
        for base in chain[1:]:
            if not base.facts.flags & _SERIALIZABLE and self._has_fields(base):
                raise UnknownLayoutError(
                    f"{name}: {facts.full_name} extends {base.facts.full_name}, which is not [Serializable]"
                )
        self._add(level, facts.name, name)
        self._class(chain, level + 1, (*within, facts.full_name))

    def _has_fields(self, place: Defined) -> bool:
        assembly = self._assemblies.get(place.assembly)
        return assembly is None or any(_is_written(field, place) for field in assembly.fields(place.facts))

    def _enum(self, name: str, found: Defined, level: int) -> None:
        assembly = self._assemblies.get(found.assembly)
        fields = () if assembly is None else assembly.fields(found.facts)
        kinds = [field.type.element for field in fields if not field.flags & _STATIC]
        if len(kinds) != 1 or kinds[0] not in _ENUMS:
            raise UnknownLayoutError(f"{name}: an enum of 64 bits, or of none")
        # A byte is written as one: GlyphMarshallingStruct.m_ElementType of the font assets of TextMesh Pro.
        self._add(level, _NUMBERS[kinds[0]], name, aligned=_NUMBERS[kinds[0]] in _SMALL)

    def _absent_value(self, name: str, kind: Bound, found: Absent, level: int) -> None:
        """Add a field of an absent type, where its name is enough."""
        value = kind.signature.element is Element.VALUE_TYPE
        if _is_system(found) and (not value or found.name.full_name in _STRUCTS):
            return
        if not value and not found.arguments and self._is_object(found):
            self._pointer(name, found.name.name, level)
            return
        raise _absent(found)

    def _is_object(self, found: Absent) -> bool:
        """Whether an absent UnityEngine type is one of Unity's objects."""
        name = found.name
        if not plain_name(name.assembly).startswith("unityengine") or "/" in name.name:
            return False
        if name.full_name in (_OBJECT, *_ROOTS):
            return True
        return name.namespace.split(".")[0] == "UnityEngine" and self._is_native(name.name)

    def _pointer(self, name: str, type_name: str, level: int) -> None:
        self._add(level, f"PPtr<${type_name}>", name)
        self._lines(level + 1, _POINTER)


def _is_written(field: FieldFacts, place: Defined) -> bool:
    """Whether Unity serializes a field, if it can serialize the type."""
    if _SERIALIZE_REFERENCE in field.attributes and not field.flags & _STATIC:
        raise UnknownLayoutError(f"{place.facts.full_name}.{field.name}: [SerializeReference]")
    if field.flags & _NOT_WRITTEN:
        return False
    if field.flags & _ACCESS != _PUBLIC and _SERIALIZE_FIELD not in field.attributes:
        return False
    if _FIXED_BUFFER in field.attributes:
        raise UnknownLayoutError(f"{place.facts.full_name}.{field.name}: a buffer of fixed size")
    return True


def _full_name(found: Defined | Absent) -> str:
    return found.name.full_name if isinstance(found, Absent) else found.facts.full_name


def _assembly_name(found: Defined | Absent) -> str:
    return plain_name(found.name.assembly if isinstance(found, Absent) else found.assembly)


def _is_system(found: Defined | Absent) -> bool:
    """Whether a type is one of .NET's system libraries."""
    assembly = _assembly_name(found)
    return assembly in ("mscorlib", "netstandard", "system") or assembly.startswith("system.")


def _absent(found: Absent) -> UnknownLayoutError:
    return UnknownLayoutError(
        f"{found.name.full_name} of {plain_name(found.name.assembly)}.dll is not beside the player"
    )
