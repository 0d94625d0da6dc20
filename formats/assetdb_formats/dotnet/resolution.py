"""Resolution of types across assemblies, with generic parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.assembly import Assembly, TypeFacts, TypeName
from assetdb_formats.dotnet.signatures import Element, Signature
from assetdb_formats.dotnet.tables import TYPE_SPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST_FORWARDS: Final = 8
_MOST_BASES: Final = 64
_DEEPEST: Final = 16
_MOST_PARTS: Final = 256


class Bound(NamedTuple):
    """A type in a signature, bound to its assembly and arguments.

    Attributes:
        signature: the type.
        assembly: name of the assembly whose rows the signature counts.
        arguments: the types for the variables of the generic type around it.
    """

    signature: Signature
    assembly: str
    arguments: tuple[Bound, ...] = ()


class Defined(NamedTuple):
    """A type that was found: assembly, definition and type arguments."""

    assembly: str
    facts: TypeFacts
    arguments: tuple[Bound, ...] = ()


class Absent(NamedTuple):
    """A type that its assembly lacks, or a missing assembly's."""

    name: TypeName
    arguments: tuple[Bound, ...] = ()


class Assemblies:
    """Assemblies by name, each loaded on first use.

    ``load`` returns the DLL of a lower-case name without ``.dll``, or None. Every method may raise FormatError.
    """

    def __init__(self, load: Callable[[str], bytes | None]) -> None:
        self._load = load
        self._known: dict[str, Assembly | None] = {}

    def get(self, name: str) -> Assembly | None:
        """Return an assembly by its name, with or without ``.dll``."""
        key = plain_name(name)
        if key not in self._known:
            data = self._load(key)
            self._known[key] = None if data is None else _opened(data, key)
        return self._known[key]

    def find(self, name: TypeName, arguments: tuple[Bound, ...] = ()) -> Defined | Absent:
        """Return a type by its name, following forwarders."""
        assembly = name.assembly
        for _ in range(_MOST_FORWARDS):
            known = self.get(assembly)
            found = known.find(name.namespace, name.name) if known is not None else None
            if found is None:
                break
            if isinstance(found, TypeFacts):
                return Defined(plain_name(assembly), found, arguments)
            assembly = found
        return Absent(name._replace(assembly=assembly), arguments)

    def resolve(self, bound: Bound) -> Defined | Absent:
        """Return the type that a VALUE_TYPE, CLASS or GENERIC means."""
        assembly = self.get(bound.assembly)
        signature = bound.signature
        if assembly is None:  # the signature was read in it
            raise FormatError(f"no assembly {bound.assembly}", field="signature")
        arguments: tuple[Bound, ...] = ()
        if signature.element is Element.GENERIC:
            arguments = tuple(self.bind(part, bound) for part in signature.arguments)
        table, row = signature.table, signature.row
        if table == TYPE_SPEC:
            raise FormatError("a type that is made of a signature", field="signature")
        name = assembly.named(table, row)
        return self.find(name if name.assembly else name._replace(assembly=bound.assembly), arguments)

    def bind(self, signature: Signature, within: Bound) -> Bound:
        """Return a part of a signature, bound like the whole."""
        if signature.element is Element.VARIABLE:
            if signature.row >= len(within.arguments):
                raise FormatError(f"no argument {signature.row} of a generic type", field="signature")
            return within.arguments[signature.row]
        bound = Bound(signature, within.assembly, within.arguments)
        _bounded(bound)
        return bound

    def bases(self, start: Defined) -> Iterator[Defined | Absent]:
        """Yield the base types, nearest first, up to an absent one."""
        here: Defined | Absent = start
        for _ in range(_MOST_BASES):
            if isinstance(here, Absent) or here.facts.base is None:
                return
            within = Bound(here.facts.base, here.assembly, here.arguments)
            here = self.resolve(within)
            yield here
        raise FormatError(f"a type that extends more than {_MOST_BASES} others", field="tables.TypeDef")


def plain_name(name: str) -> str:
    """Return the key of an assembly: lower case, without ``.dll``."""
    return name.casefold().removesuffix(".dll")


def _opened(data: bytes, name: str) -> Assembly:
    try:
        return Assembly(data)
    except FormatError as error:
        raise error.at(f"{name}.dll") from None


def _bounded(bound: Bound) -> None:
    """Raise FormatError for type arguments nested too deeply."""
    waiting = [(bound, 0)]
    parts = 0
    while waiting:
        item, depth = waiting.pop()
        parts += 1
        if depth > _DEEPEST or parts > _MOST_PARTS:
            raise FormatError("generic types are nested without end", field="signature")
        waiting += [(argument, depth + 1) for argument in item.arguments]
