"""The text format of 2023: which lines it has, and what cannot be written in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.casset.encoding.read import is_casset, read_bundle
from assetdb_formats.casset.encoding.text import LARGEST, encode_text, read_text
from assetdb_formats.casset.errors import CassetError
from tests.assetdb_formats.casset import builder

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Bundle, Value


def lines(*more: str, uuid: str = "1", end: str = "\0") -> bytes:
    return ("\n".join(["_TypeId: T", "name: N", f"uuid: {uuid}", *more]) + end).encode()


@pytest.mark.parametrize("start", [b"\0BUNDLE\0", b"\0CPAK\0\0\n", b"\0PACK\0\0\n", b"_TypeId:"])
def test_files_are_known_by_their_first_eight_bytes(start: bytes) -> None:
    assert is_casset(start)
    assert is_casset(start + b"more")
    assert not is_casset(start[:7])
    assert not is_casset(b" " + start)


@pytest.mark.parametrize(
    ("data", "field", "offset"),
    [
        (lines(end=""), "end", 26),
        (lines(end="\0\0"), "end", 26),
        (lines(uuid="1\0"), "end", 26),
        (lines(uuid=str(1 << 64)), "uuid", 19),
        (lines(uuid="0" * 20 + "1"), "uuid", 19),
        (lines(uuid="-1"), "uuid", 19),
        (lines(uuid="٣"), "uuid", 19),
        (lines("name: again"), "name", 27),
        (lines("no line"), "line 4", 27),
        (lines("  - item"), "line 4", 27),
        (lines("list:", "  - a", "  []"), "list", 39),
        (lines("a: b\rc"), "line 4", 27),
        (b"_TypeId: T\nname: N\0", "uuid", 0),
        (b"_TypeId: T\nuuid: 1\0", "name", 0),
        (b"name: N\nuuid: 1\0", "_TypeId", 0),
        (lines("x: " + "a" * LARGEST), "text", 0),
    ],
)
def test_damage_is_told_with_its_place(data: bytes, field: str, offset: int) -> None:
    with pytest.raises(CassetError) as caught:
        read_text(data)
    assert (caught.value.field, caught.value.offset) == (field, offset)


@pytest.mark.parametrize("uuid", ["0", "1", "0" * 19 + "1", str((1 << 64) - 1)])
def test_uuids_have_64_bits(uuid: str) -> None:
    assert read_text(lines(uuid=uuid)).uuid == int(uuid).to_bytes(8, "little")


def with_value(value: Value) -> Bundle:
    bundle = read_bundle(builder.text("\n", lists=True))
    entry = bundle.objects[0]
    values = (*entry.values[:-1], value)
    return bundle._replace(objects=(entry._replace(values=values),))


@pytest.mark.parametrize("value", ["", "a: b", "é", ("a", "b"), ("[]",), (), "\udcff"])
def test_values_come_back(value: Value) -> None:
    data = b"".join(encode_text(with_value(value)))
    assert read_text(data).objects[0].values[-1] == value


@pytest.mark.parametrize("value", [7, None, "a\nb", "a\0", "a\r", ("a\n",), (7,), ("",), ("a", "[]"), "\ud800"])
def test_values_that_the_format_has_no_place_for(value: Value) -> None:
    with pytest.raises(CassetError):
        encode_text(with_value(value))
