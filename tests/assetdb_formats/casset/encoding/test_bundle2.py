"""Objects of format 2.0 that are damaged: what was read of them, where the damage is, and the bytes that are kept."""

from __future__ import annotations

import struct

import pytest

from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.encoding.write import encode_bundle
from tests.assetdb_formats.casset import builder

DATA = builder.bundle2()
NAMES = ("name", "uuid", "outer", "target", "raw", "flag", "list", "map", "position", "matrix")
MAGIC = builder.OBJECT_MAGIC
STARTS = [DATA.index(MAGIC), DATA.rindex(MAGIC)]


def place(number: int, before: bytes) -> int:
    """Return where an object has what follows some bytes."""
    return DATA.index(before, STARTS[number]) + len(before)


def damaged(at: int, value: bytes) -> bytes:
    return DATA[:at] + value + DATA[at + len(value) :]


def test_a_sound_bundle_has_all_values_and_no_problem() -> None:
    bundle = read_bundle(DATA)
    assert bundle.problems == ()
    assert [[field.name for field in entry.layout.fields] for entry in bundle.objects] == [[*NAMES], [*NAMES]]
    assert [entry.offset for entry in bundle.objects] == STARTS
    assert encode_bundle(bundle) == DATA


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(
    ("before", "skipped", "value", "field", "known", "what"),
    [
        (b"flag\0", 0, b"\x7f", "", 5, "unknown type 7F"),
        (b"list\0\x11", 0, struct.pack("<Q", 1 << 40), ".list", 6, "declares 1099511627776 bytes"),
        (b"list\0\x11", 8, struct.pack("<I", 1 << 20), ".list", 6, "counts 1048576 values"),
        (b"\x0ca\0", 0, b"\x7f", ".list[1]", 6, "unknown type 7F"),
        (b"map\0\x10", 0, struct.pack("<Q", 3), ".map", 7, "declares 3 bytes"),
        (b"x\0", 0, b"\x7e", ".map", 7, "unknown type 7E"),
    ],
    ids=lambda value: "" if isinstance(value, bytes) else str(value),
)
def test_damage_is_told_with_its_field_and_what_is_before_it_is_kept(
    number: int, before: bytes, skipped: int, value: bytes, field: str, known: int, what: str
) -> None:
    data = damaged(place(number, before) + skipped, value)
    bundle = read_bundle(data)
    (problem,) = bundle.problems
    assert (problem.field, what in str(problem)) == (f"objects[{number}].fields{field}", True)
    entry, other = bundle.objects[number], bundle.objects[1 - number]
    assert [each.name for each in entry.layout.fields] == list(NAMES[:known])
    assert len(entry.values) == known
    end = STARTS[1] if number == 0 else len(DATA) - 8
    assert (entry.raw, other.problem, len(other.values)) == (data[STARTS[number] : end], None, len(NAMES))
    assert encode_bundle(bundle) == data


def test_a_checksum_that_is_not_that_of_the_data_is_told_and_none_is_none() -> None:
    end = STARTS[1] - 4
    (problem,) = read_bundle(damaged(end, b"\1\2\3\4")).problems
    assert (problem.offset, problem.field) == (end, "objects[0].crc")
    assert "is 04030201, the CRC-32 of the data is " in str(problem)
    assert read_bundle(damaged(end, bytes(4))).problems == ()
