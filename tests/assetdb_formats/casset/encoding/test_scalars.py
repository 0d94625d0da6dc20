"""Each kind of value at the end of its object: it fits to the last byte, and not one more."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.casset.encoding.scalars import (
    ARRAY_DECODERS,
    DECODERS,
    FIXED_CODES,
    VECTOR_CODES,
    count_of,
    named_string,
    need,
)
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Blob, Delegate, FieldType, Reference

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Value

ONE, TWO = bytes(range(1, 17)), bytes(range(101, 117))
NONE = bytes(16)
LINK = Reference(ONE, TWO)
VALUES: list[tuple[int, bytes, Value]] = [
    (FieldType.U8, b"\xff", 255), (FieldType.S8, b"\xff", -1), (FieldType.U16, b"\1\2", 513),
    (FieldType.S16, b"\xfe\xff", -2), (FieldType.U32, b"\1\0\0\x80", (1 << 31) + 1),
    (FieldType.S32, b"\xff\xff\xff\xff", -1), (FieldType.U64, b"\0" * 7 + b"\x80", 1 << 63),
    (FieldType.S64, b"\0" * 7 + b"\x80", -(1 << 63)), (FieldType.F32, pack("<f", 0.5), 0.5),
    (FieldType.F64, pack("<d", 0.1), 0.1), (FieldType.UUID, ONE, ONE), (FieldType.BOOL, b"\0", False),
    (FieldType.BOOL, b"\1", True), (FieldType.STRING, b"\0", ""), (FieldType.STRING, b"\xc3\xbc\xff\0", "ü\udcff"),
    (FieldType.VEC2, pack("<2f", 1, 2), (1, 2)), (FieldType.VEC4I, pack("<4i", 1, -2, 3, 4), (1, -2, 3, 4)),
    (FieldType.REFERENCE, NONE, None), (FieldType.REFERENCE, ONE + TWO, LINK),
    (FieldType.DELEGATE, NONE, None), (FieldType.DELEGATE, ONE + TWO + b"f\0", Delegate(ONE, TWO, "f")),
    (FieldType.BLOB, pack("<qQ", 2, 7) + b"ab", Blob(7, memoryview(b"ab"))),
    (FieldType.BLOB, pack("<qQ", 0, 0), Blob(0, memoryview(b""))),
    (FieldType.OBJECT_MAP, pack("<I", 1) + NONE + TWO, (Reference(NONE, TWO),)), (FieldType.OBJECT_MAP, bytes(4), ()),
    (FieldType.OBJECT_ARRAY, pack("<I", 2) + NONE + ONE + TWO, (None, LINK)),
    (FieldType.EVENT, pack("<I", 1) + ONE + TWO + b"\0", (Delegate(ONE, TWO, ""),)),
    (FieldType.OPAQUE, b"\2\0", b""), (FieldType.OPAQUE, b"\4\0ab", b"ab"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "raw", "value"), VALUES)
def test_a_value_takes_its_bytes_and_no_fewer(kind: int, raw: bytes, value: Value) -> None:
    decode = DECODERS[kind]
    data = b"..." + raw + b"\1" * 40
    assert decode(data, 3, len(raw) + 3) == (value, len(raw) + 3)
    assert decode(data, 3, len(data)) == (value, len(raw) + 3)
    for cut in range(len(raw)):
        with pytest.raises(CassetError) as caught:
            decode(data, 3, 3 + cut)
        assert caught.value.offset is not None
        assert 3 <= caught.value.offset <= 3 + cut


def test_arrays_count_their_elements() -> None:
    for kind, raw, value in VALUES:
        if kind not in ARRAY_DECODERS:
            continue
        decode = ARRAY_DECODERS[kind]
        data = b"." + pack("<I", 2) + raw * 2
        assert decode(data, 1, len(data)) == ((value, value), len(data)), kind
        assert decode(data + b"\1", 1, len(data) + 1)[1] == len(data)
        assert decode(b"." + bytes(4), 1, 5) == ((), 5)
        with pytest.raises(CassetError):
            decode(data, 1, len(data) - 1)
    assert {*FIXED_CODES, *VECTOR_CODES} - {FieldType.MATRIX4} <= ARRAY_DECODERS.keys()
    assert DECODERS[FieldType.NULL](b"", 5, 5) == (None, 5)


def fails(kind: int, raw: bytes) -> tuple[str, int | None, str]:
    with pytest.raises(CassetError) as caught:
        DECODERS[kind](raw, 0, len(raw))
    return caught.value.what, caught.value.offset, caught.value.field


def test_errors_say_what_is_needed_and_what_is_left() -> None:
    assert fails(FieldType.U32, b"abc") == ("needs 4 bytes, 3 are left", 0, "")
    assert fails(FieldType.BOOL, b"") == ("needs 1 bytes, 0 are left", 0, "")
    assert fails(FieldType.BOOL, b"\2") == ("a boolean is 0 or 1, not 2", 0, "")
    assert fails(FieldType.STRING, b"ab") == ("the string does not end", 0, "")
    assert fails(FieldType.VEC2, b"1234567") == ("needs 8 bytes, 7 are left", 0, "")
    assert fails(FieldType.REFERENCE, NONE[1:]) == ("needs 32 bytes, 15 are left", 0, "")
    assert fails(FieldType.REFERENCE, ONE + TWO[1:]) == ("needs 32 bytes, 31 are left", 0, "")
    assert fails(FieldType.BLOB, bytes(15)) == ("needs 16 bytes, 15 are left", 0, "")
    assert fails(FieldType.BLOB, pack("<qQ", 3, 0) + b"ab") == ("declares 3 bytes, 2 are left", 0, "")
    assert fails(FieldType.BLOB, pack("<qQ", -1, 0) + b"ab") == ("declares -1 bytes, 2 are left", 0, "")
    assert fails(FieldType.OPAQUE, b"\1\0a") == ("declares 1 bytes, 3 are left", 0, "")
    assert fails(FieldType.OPAQUE, b"\4\0a") == ("declares 4 bytes, 3 are left", 0, "")
    assert fails(FieldType.OPAQUE, b"\2") == ("needs 2 bytes, 1 are left", 0, "")
    assert fails(FieldType.EVENT, pack("<I", 2) + NONE + b"\1" + bytes(15)) == (
        "needs 32 bytes, 16 are left",
        20,
        "[1]",
    )
    assert fails(FieldType.EVENT, pack("<I", 2) + NONE) == (
        "counts 2 elements of at least 16 bytes, 16 bytes are left", 0, ""
    )  # fmt: skip
    need(3, 2, 5)
    for end, left in ((4, 2), (1, 0)):  # an object may have ended before
        with pytest.raises(CassetError, match=f"needs 3 bytes, {left} are left"):
            need(3, 2, end)
    with pytest.raises(CassetError, match="needs 4 bytes, 3 are left"):
        count_of(b"123", 0, 3, 1)
    assert count_of(b"\2\0\0\0ab", 0, 6, 1) == (2, 4)
    with pytest.raises(CassetError, match="the string does not end") as caught:
        named_string(b"ab", 1, 2, "source")
    assert (caught.value.offset, caught.value.field) == (1, "source")
