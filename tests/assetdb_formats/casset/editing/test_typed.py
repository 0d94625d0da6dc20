"""Plain values for every type of field, and those that it cannot hold."""

from __future__ import annotations

import math

import pytest

from assetdb_formats.casset.editing.typed import typed_value
from assetdb_formats.casset.errors import CassetError, EditError
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import Blob, Delegate, Field, FieldType, Reference

ONE, TWO = bytes(range(1, 17)), bytes(range(101, 117))
LINK = {"object": uuid_text(ONE), "bundle": uuid_text(TWO)}
T = FieldType


@pytest.mark.parametrize(
    ("kind", "element", "plain", "value"),
    [
        (T.U8, 0, 300, 300),  # whether it fits is checked when it is written
        (T.S64, 0, -5, -5), (T.F32, 0, 1, 1.0), (T.F64, 0, 0.5, 0.5), (T.F32, 0, "-inf", -math.inf),
        (T.F64, 0, "inf", math.inf), (T.BOOL, 0, True, True), (T.STRING, 0, "", ""), (T.UUID, 0, uuid_text(ONE), ONE),
        (T.OPAQUE, 0, "00ff", b"\0\xff"), (T.REFERENCE, 0, None, None), (T.REFERENCE, 0, LINK, Reference(ONE, TWO)),
        (T.DELEGATE, 0, None, None), (T.DELEGATE, 0, LINK | {"function": "f"}, Delegate(ONE, TWO, "f")),
        (T.VEC2, 0, [1, 0.5], (1.0, 0.5)), (T.VEC3I, 0, [1, -2, 3], (1, -2, 3)),
        (T.ARRAY, T.U16, [1, 2], (1, 2)), (T.ARRAY, T.VEC2I, [[1, 2]], ((1, 2),)), (T.ARRAY, T.U8, [], ()),
        (T.OBJECT_ARRAY, 0, [None, LINK], (None, Reference(ONE, TWO))),
        (T.EVENT, 0, [LINK | {"function": ""}], (Delegate(ONE, TWO, ""),)),
        (T.OBJECT_MAP, 0, [LINK], (Reference(ONE, TWO),)),
    ],
)  # fmt: skip
def test_plain_values_become_those_of_the_field(kind: int, element: int, plain: object, value: object) -> None:
    found = typed_value(Field("f", kind, -1, element), plain)
    assert found == value
    assert type(found) is type(value)


def test_a_number_that_is_none_and_bytes_that_keep_their_flags() -> None:
    found = typed_value(Field("f", T.F32), "nan")
    assert isinstance(found, float)
    assert math.isnan(found)
    assert typed_value(Field("f", T.BLOB), b"ab") == Blob(0, b"ab")
    assert typed_value(Field("f", T.BLOB), b"ab", Blob(5, b"old")) == Blob(5, b"ab")


@pytest.mark.parametrize(
    ("kind", "element", "plain", "what"),
    [
        (T.U8, 0, True, "it cannot hold that value"), (T.U8, 0, 1.0, "it cannot hold that value"),
        pytest.param(T.F64, 0, 10**400, "it cannot hold that value", id="400 digits"),
        (T.F32, 0, True, "it cannot hold that value"), (T.F32, 0, "1", "it cannot hold that value"),
        (T.BOOL, 0, 1, "it cannot hold that value"), (T.STRING, 0, None, "it cannot hold that value"),
        (T.STRING, 0, ["a"], "it cannot hold that value"), (T.BLOB, 0, "ab", "it cannot hold that value"),
        (T.OPAQUE, 0, "0g", "hexadecimal digits"), (T.VEC2, 0, [1], "2 numbers"), (T.VEC2, 0, [1, 2, 3], "2 numbers"),
        (T.VEC4I, 0, [1, 2, 3, 0.5], "it cannot hold that value"), (T.VEC2, 0, "ab", "it cannot hold that value"),
        (T.ARRAY, T.U8, [1, "x"], "it cannot hold that value"), (T.ARRAY, T.U8, 5, "it cannot hold that value"),
        (T.REFERENCE, 0, {"object": "x"}, "null or an object with bundle, object$"),
        (T.REFERENCE, 0, LINK | {"function": "f"}, "null or an object with bundle, object$"),
        (T.REFERENCE, 0, LINK | {"object": 1}, "null or an object with bundle, object$"),
        (T.REFERENCE, 0, "x", "null or an object with bundle, object$"),
        (T.DELEGATE, 0, LINK, "null or an object with bundle, function, object$"),
        (T.STRUCT, 0, {}, r"name a value in it, such as f\.x or f\[0\]\.x"),
        (T.STRUCT_ARRAY, 0, [], r"name a value in it, such as f\.x or f\[0\]\.x"),
    ],
)  # fmt: skip
def test_values_that_a_field_cannot_hold_are_refused_with_its_name(
    kind: int, element: int, plain: object, what: str
) -> None:
    with pytest.raises(EditError, match=what) as caught:
        typed_value(Field("f", kind, -1, element), plain)
    assert caught.value.what.startswith("f is a ")


def test_text_that_is_no_uuid_is_an_error() -> None:
    for kind, plain in ((T.UUID, "x"), (T.REFERENCE, LINK | {"bundle": "x"})):
        with pytest.raises(CassetError):
            typed_value(Field("f", kind), plain)
