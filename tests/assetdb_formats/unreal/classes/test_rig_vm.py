"""Bodies of RigVM classes, written field by field in every layout."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.classes.rig_vm import read_link, read_rig_vm
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties.value_decoder import ValueDecoder
from tests.assetdb_formats.unreal.package_writer import Writer, fstring

if TYPE_CHECKING:
    from collections.abc import Sequence

RIG_VM = (0xDC49959B, 0x53C04DE7, 0x9156EA88, 0x5E7C5D39)
PROPERTY_BAG = (0x134A157E, 0xD5E249A3, 0x8D4E843C, 0x98FE9E31)
OPERAND = 5
# Opcodes by what is behind them: operands of five bytes, then bytes.
INSTRUCTIONS = {
    "zero, false, true, increment, decrement, reset, reverse, traits": ((65, 66, 67, 69, 70, 83, 98, 103), 1, 0),
    "copy": ((68,), 2, 3),
    "equals, not equals": ((71, 72), 3, 0),
    "jumps": ((73, 74, 75), 0, 4),
    "jumps if": ((76, 77, 78), 1, 8),
    "begin block, number of, set number, remove, append, clone, union": ((81, 84, 85, 90, 92, 93, 95), 2, 0),
    "get, set, add, insert, difference, intersection": ((86, 87, 88, 89, 96, 97), 3, 0),
    "find": ((91,), 4, 0),
    "iterator": ((94,), 6, 0),
    "jump to branch": ((100,), 1, 4),
    "run instructions": ((102,), 1, 8),
}


class Body:
    """A body in two versions: of RigVM, and of its property bags."""

    def __init__(self, version: int = 16, bag: int = 3) -> None:
        self.version, self.bag = version, bag
        self.writer = Writer(-8, 522, 1009)
        self.instructions: list[bytes] = []
        self.parameters: list[tuple[str, str, int]] = []
        self.described: list[tuple[str, bytes, dict[str, str], int]] = []
        self.values = b""
        self.stated: int | None = None  # bytes of the values, where it is not what they have
        self.registers: list[int] = []

    def data(self) -> bytes:
        name = self.writer.name
        out = pack("<I", 0xABCD) + self.paths(("/A", 4))
        out += pack("<i", 2) + name("First") + name("Second_3")
        out += pack("<i", len(self.instructions)) + b"".join(self.instructions)
        out += pack("<i", 1) + fstring("Forwards")
        out += pack("<i", 1) + bytes(4) + fstring("Completed") + pack("<iiHH", 5, 6, 7, 8)
        if self.version >= 16:
            out += name("/Script/Rig") + name("Context")
        elif self.version >= 8:
            out += fstring("/Script/Rig.Context")
        out += pack("<i", len(self.parameters))
        for label, kind, index in self.parameters:
            out += b"\0" + name(label) + bytes(4) + fstring(kind) + pack("<i", index)
        out += pack("<i", len(self.registers))
        for count in self.registers:
            out += bytes(OPERAND) + pack("<i", count) + bytes(OPERAND * count)
        return out + self.memory() + self.memory(empty=True) + self.memory(empty=True)

    def paths(self, *found: tuple[str, int]) -> bytes:
        return pack("<i", len(found)) + b"".join(pack("<i", i) + fstring("float") + fstring(p) for p, i in found)

    def memory(self, *, empty: bool = False) -> bytes:
        name = self.writer.name
        out = b"" if self.bag >= 1 else b"\1"
        out += pack("<i", int(not empty))
        if not empty:
            out += pack("<i", len(self.described))
            for label, containers, metadata, index in self.described:
                out += pack("<i", index) + bytes(16) + name(label) + b"\4"
                out += pack("<B", len(containers)) + containers if self.bag >= 1 else b"\0"
                out += pack("<i", int(bool(metadata)))
                if metadata:
                    out += pack("<i", len(metadata))
                    out += b"".join(name(key) + fstring(value) for key, value in metadata.items())
                    out += pack("<i", index) if self.bag >= 3 else b""
            values = self.values + name("None")
            out += pack("<i", len(values) if self.stated is None else self.stated) + values
        return out + b"\2" + self.paths(("/P", 1), ("/Q", 2))

    def read(self) -> tuple[dict[str, Any], int, Sequence[int], int]:
        data = self.data()
        self.writer.exports = [(0, 0, "Thing", data, True)]
        package = Package(self.writer.data())
        versions = pack("<4Ii", *RIG_VM, self.version) + pack("<4Ii", *PROPERTY_BAG, self.bag)
        summary = package.summary._replace(legacy_version=-8, custom_version_count=2, custom_version_data=versions)
        decoder = ValueDecoder(package, data)
        decoder.budget = 1000
        found, after = read_rig_vm(decoder, len(data), summary)
        return found, after, decoder.references.objects, len(data)


@pytest.mark.parametrize("version", [7, 8, 15, 16, 17])
@pytest.mark.parametrize("bag", [-1, 0, 1, 2, 3])
def test_every_layout_is_read_to_its_end(version: int, bag: int) -> None:
    body = Body(version, bag)
    body.instructions = [b"\x50"]
    body.parameters = [("In", "float", -3), ("Out", "int", 0)]
    body.described = [("Weight", b"\1", {"Key": "Value"}, 7), ("Other", b"", {}, 0)]
    body.registers = [0, 2]
    body.values = (
        body.writer.name("Weight") + body.writer.name("IntProperty") + pack("<ii", 4, 0) + b"\0" + pack("<i", 42)
    )
    found, after, objects, size = body.read()
    assert after == size
    paths = [{"property": 1, "type": "float", "path": "/P"}, {"property": 2, "type": "float", "path": "/Q"}]
    work = found["memory"]["literal"]
    assert [(each.name, each.value) for each in work.pop("values")] == [("Weight", 42)]
    context = {"context": "/Script/Rig.Context"} if version >= 8 else {}
    assert found == {
        "hash": 0xABCD,
        "external_paths": [{"property": 4, "type": "float", "path": "/A"}],
        "functions": ["First", "Second_3"],
        "instructions": 1,
        "entries": ["Forwards"],
        "branches": [{"label": "Completed", "instruction": 5, "argument": 6, "first": 7, "last": 8}],
        **context,
        "parameters": [{"name": "In", "type": "float"}, {"name": "Out", "type": "int"}],
        "memory": {
            "literal": {"described": ["Weight", "Other"], "kind": 2, "paths": paths},
            "work": {"kind": 2, "paths": paths},
            "debug": {"kind": 2, "paths": paths},
        },
    }
    assert list(objects) == [-3, 7, *([7] if bag >= 3 else [])]


@pytest.mark.parametrize("codes", INSTRUCTIONS)
def test_instructions_have_the_size_of_their_opcode(codes: str) -> None:
    opcodes, operands, more = INSTRUCTIONS[codes]
    body = Body()
    body.instructions = [bytes((code, code)) + bytes(operands * OPERAND + more) for code in opcodes]
    found, after, _, size = body.read()
    assert (found["instructions"], after, found["entries"]) == (len(opcodes), size, ["Forwards"])


@pytest.mark.parametrize(
    "instruction",
    [
        *(bytes((code,)) for code in (79, 80, 82)),
        *(bytes((count, count)) + bytes(6 + count * OPERAND) for count in (0, 1, 64)),  # functions of n operands
        *(b"\x65\x65" + pack("<HHHH", 9, count, 1, 2) + bytes(count * OPERAND) for count in (0, 3)),
        b"\x63\x63" + fstring("Forwards Solve"),
    ],
)
def test_instructions_of_other_sizes(instruction: bytes) -> None:
    body = Body()
    body.instructions = [instruction, b"\x50", instruction]
    found, after, _, size = body.read()
    assert (found["instructions"], after, found["entries"]) == (3, size, ["Forwards"])


@pytest.mark.parametrize(
    ("instruction", "why"),
    [(b"\x41\x42", "opcode 65 is not written twice"), (b"\x68\x68", "opcode 104"), (b"\xff\xff", "opcode 255")],
)
def test_opcodes_that_are_not_known(instruction: bytes, why: str) -> None:
    body = Body()
    body.instructions = [instruction]
    with pytest.raises(FormatError, match=why) as caught:
        body.read()
    assert caught.value.field == "instructions"


def test_versions_before_5_4_are_not_known() -> None:
    with pytest.raises(FormatError, match="RigVM version 6, whose layout is not known"):
        Body(6).read()


@pytest.mark.parametrize(("by", "why"), [(1, "its values have 8 bytes of 9"), (-1, "is cut off")])
def test_the_values_of_a_memory_have_their_stated_size(by: int, why: str) -> None:
    body = Body()
    body.stated = 8 + by
    with pytest.raises(FormatError, match=why):
        body.read()


def test_a_link_is_its_two_pins() -> None:
    writer = Writer(-8, 522, 1009)
    writer.exports = [(0, 0, "Thing", b"", True)]
    data = fstring("A.Out") + fstring("B.In")
    assert read_link(ValueDecoder(Package(writer.data()), data + b"more"), len(data) + 4) == (
        {"source": "A.Out", "target": "B.In"},
        len(data),
    )
