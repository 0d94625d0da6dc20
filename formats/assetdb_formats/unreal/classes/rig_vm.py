"""Bodies of RigVM classes: code, memory and links."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.unreal.reader import Reader

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary
    from assetdb_formats.unreal.properties.value_decoder import ValueDecoder

RIG_VM: Final = "DC49959B53C04DE79156EA885E7C5D39"
PROPERTY_BAG: Final = "134A157ED5E249A38D4E843C98FE9E31"

# Versions of RigVM's data and of property bags (custom versions), as public readers name them.
_DEFAULT_MEMORY: Final = 7
_CONTEXT_PATH: Final = 8
_CONTEXT_ASSET_PATH: Final = 16
_CONTAINER_TYPES: Final = 1
_META_CLASS: Final = 3

_OPERAND: Final = 5  # bytes: where it lies, and two numbers of 16 bits
_EXECUTE: Final = 101
_ENTRY: Final = 99
# Bytes behind each opcode of one size; the opcode is written twice, except where there is nothing behind it.
_SIZES: Final = {
    **dict.fromkeys((65, 66, 67, 69, 70, 83, 98, 103), _OPERAND),
    68: 2 * _OPERAND + 3,
    **dict.fromkeys((71, 72), 3 * _OPERAND),
    **dict.fromkeys((73, 74, 75), 4),
    **dict.fromkeys((76, 77, 78), _OPERAND + 8),
    **dict.fromkeys((81, 84, 85, 90, 92, 93, 95), 2 * _OPERAND),
    **dict.fromkeys((86, 87, 88, 89, 96, 97), 3 * _OPERAND),
    91: 4 * _OPERAND,
    94: 6 * _OPERAND,
    100: _OPERAND + 4,
    102: _OPERAND + 8,
}
_BARE: Final = frozenset({79, 80, 82})  # change type, exit, end block
_ARGUMENTS: Final = Struct("<HHHH")  # function, arguments, first predicate, predicates
_MEMORIES: Final = ("literal", "work", "debug")


class _Body(Reader):
    """A reader of a body with the package's names."""

    __slots__ = ("_decoder",)

    def __init__(self, decoder: ValueDecoder, end: int) -> None:
        super().__init__(decoder.data, end=end)
        self._decoder = decoder

    def name(self, field: str) -> str:
        return self._decoder.tags.name(self.need(8, field))


def read_link(decoder: ValueDecoder, end: int) -> tuple[dict[str, Any], int]:
    """Read the body of a RigVMLink: its two pin paths.

    Raises:
        UnrealError: it is something else; before 5.0 links are properties.
    """
    body = _Body(decoder, end)
    return {"source": body.string("source"), "target": body.string("target")}, body.position


def read_rig_vm(decoder: ValueDecoder, end: int, summary: Summary) -> tuple[dict[str, Any], int]:
    """Read the body of a RigVM as 5.4 and later write it.

    Returns:
        Its functions, entries, branches and memory, and the offset after the body.
    """
    version = summary.custom_version(RIG_VM)
    body = _Body(decoder, end)
    if version < _DEFAULT_MEMORY:
        raise body.error(f"RigVM version {version}, whose layout is not known", "version")
    found: dict[str, Any] = {"hash": body.u32("hash"), "external_paths": _paths(body)}
    found["functions"] = [body.name("functions") for _ in body.items(8, "functions")]
    instructions = body.items(1, "instructions")
    for _ in instructions:
        _pass_instruction(body)
    found["instructions"] = len(instructions)
    found["entries"] = [body.string("entries") for _ in body.items(4, "entries")]
    found["branches"] = []
    for _ in body.items(20, "branches"):
        body.take(4, "branches")
        label = body.string("branches")
        instruction, argument = body.i32("branches"), body.i32("branches")
        first, last = body.u16("branches"), body.u16("branches")
        found["branches"].append(
            {"label": label, "instruction": instruction, "argument": argument, "first": first, "last": last}
        )
    if version >= _CONTEXT_ASSET_PATH:
        found["context"] = f"{body.name('context')}.{body.name('context')}"
    elif version >= _CONTEXT_PATH:
        found["context"] = body.string("context")
    found["parameters"] = []
    for _ in body.items(21, "parameters"):
        body.u8("parameters")
        name = body.name("parameters")
        body.take(4, "parameters")
        found["parameters"].append({"name": name, "type": body.string("parameters")})
        _reference(body, decoder)
    for _ in body.items(9, "debug_registers"):
        body.take(_OPERAND, "debug_registers")
        body.take(_OPERAND * len(body.items(_OPERAND, "debug_registers")), "debug_registers")
    bag_version = summary.custom_version(PROPERTY_BAG)
    found["memory"] = {name: _memory(body, decoder, bag_version) for name in _MEMORIES}
    return found, body.position


def _paths(body: _Body) -> list[dict[str, Any]]:
    return [
        {"property": body.i32("paths"), "type": body.string("paths"), "path": body.string("paths")}
        for _ in body.items(12, "paths")
    ]


def _reference(body: _Body, decoder: ValueDecoder) -> None:
    index = body.i32("object")
    if index:
        decoder.references.objects.append(index)


def _pass_instruction(body: _Body) -> None:
    field = "instructions"
    opcode = body.u8(field)
    if opcode in _BARE:
        return
    if body.u8(field) != opcode:
        raise body.error(f"opcode {opcode} is not written twice", field)
    if opcode < 65:  # the opcode is the number of operands
        body.take(6 + opcode * _OPERAND, field)
    elif opcode == _EXECUTE:
        _, arguments, _, _ = _ARGUMENTS.unpack(body.take(_ARGUMENTS.size, field))
        body.take(arguments * _OPERAND, field)
    elif opcode == _ENTRY:
        body.string(field)
    elif opcode in _SIZES:
        body.take(_SIZES[opcode], field)
    else:
        raise body.error(f"opcode {opcode}", field)


def _memory(body: _Body, decoder: ValueDecoder, version: int) -> dict[str, Any]:
    """Read a memory: its properties' descriptions, then their values."""
    field = "memory"
    found: dict[str, Any] = {}
    sized = version >= _CONTAINER_TYPES or body.u8(field) >= 1
    if body.i32(field):
        described = []
        for _ in body.items(31, field):
            _reference(body, decoder)
            body.take(16, field)
            name = body.name(field)
            body.u8(field)  # which kind of value
            body.take(body.u8(field) if version >= _CONTAINER_TYPES else 1, field)
            if body.i32(field):
                for _ in body.items(12, field):
                    body.name(field)
                    body.string(field)
                if version >= _META_CLASS:
                    _reference(body, decoder)
            described.append(name)
        size = body.count(body.i32(field), 1, field) if sized else body.left
        properties, after = decoder.read_tagged("", body.position, body.position + size)
        if sized and after != body.position + size:
            raise body.error(f"its values have {after - body.position} bytes of {size}", field)
        body.seek(after, field)
        found["described"] = described
        found["values"] = properties
    found["kind"] = body.u8(field)
    found["paths"] = _paths(body)
    return found
