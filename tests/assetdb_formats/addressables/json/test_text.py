"""The JSON text of a catalog, and the strings that are cut out of it."""

from __future__ import annotations

import pytest

from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.json.text import parse_object

NAMES = ("m_KeyDataString", "m_BucketDataString", "m_EntryDataString", "m_ExtraDataString")


def parsed(data: bytes | str) -> tuple[dict[str, object], dict[str, bytes], list[tuple[str, str, str, int | None]]]:
    faults: list[tuple[str, str, str, int | None]] = []

    def note(error: AddressablesError, code: str) -> None:
        faults.append((code, error.what, error.field, error.offset))

    fields, encoded = parse_object(data.encode() if isinstance(data, str) else data, note)
    return fields, {name: bytes(value) for name, value in encoded.items()}, faults


def fails(data: bytes | str) -> tuple[str, int | None]:
    with pytest.raises(AddressablesError) as caught:
        parsed(data)
    return caught.value.what, caught.value.offset


def test_the_four_strings_are_cut_out_in_any_order_and_spelling() -> None:
    for names in (NAMES, NAMES[::-1], (NAMES[2], NAMES[0], NAMES[3], NAMES[1])):
        for spell in (str, lambda name: f"m_{name[2].lower()}{name[3:]}"):
            spelled = [spell(name) for name in names]
            text = '{"a":1,' + ",".join(f'"{name}":"{number}="' for number, name in enumerate(spelled)) + ',"b":[2]}'
            for mark in ("", "\ufeff"):
                fields, encoded, faults = parsed(mark + text)
                assert fields == {"a": 1, **dict.fromkeys(spelled, ""), "b": [2]}
                assert list(fields) == ["a", *spelled, "b"]
                assert encoded == {name: b"%d=" % number for number, name in enumerate(spelled)}
                assert faults == []


@pytest.mark.parametrize(
    ("text", "encoded"),
    [
        ('{"m_KeyDataString": "YQ=="}', b"YQ=="),  # white space
        ('{"m_KeyDataString":"\\u0059Q=="}', b"YQ=="),  # an escape
        ('{"x":{"m_KeyDataString":"no"},"m_KeyDataString":"YQ=="}', b"YQ=="),  # of another object first
        ('{"m_KeyDataString":"no","m_KeyDataString":"YQ=="}', b"YQ=="),  # the last counts
        ('{"m_KeyDataString":""}', b""),
        ('{"m_KeyDataString":"é"}', "é".encode()),
        ('{"m_KeyDataString":null}', None),
        ('{"m_BucketDataString":"x"}', None),
    ],
)
def test_a_string_that_is_spelled_otherwise_is_found_as_well(text: str, encoded: bytes | None) -> None:
    fields, found, faults = parsed(text)
    assert found.get("m_KeyDataString") == encoded
    assert fields.get("m_KeyDataString") == (None if encoded is None else "")
    assert faults == []


def test_a_string_that_is_no_text_is_a_fault() -> None:
    fields, found, faults = parsed('{"m_KeyDataString":["x"]}')
    assert faults == [("wrong-type", "is not text", "m_KeyDataString", None)]
    assert (fields, found) == ({"m_KeyDataString": ""}, {"m_KeyDataString": b""})


def test_faults_that_reading_goes_on_after_have_their_place() -> None:
    fields, _, faults = parsed(b'{"a":"\xe4b"}')
    assert fields == {"a": "\ufffdb"}
    assert faults == [("encoding", "is not UTF-8", "", 6)]
    fields, _, faults = parsed('{"a":"ü"} \n x')
    assert fields == {"a": "ü"}
    assert faults == [("left-over", "has text after the object", "", 10)]
    assert parsed(' \r\n\t{"a":1} \r\n\t')[2] == []


def test_bytes_that_hold_no_object_are_an_error_with_the_place_of_the_fault() -> None:
    assert fails('{"ü":1,}')[1] in (7, 8, 9)  # since Python 3.13 the comma itself
    assert fails('{"ü"') == ("is not JSON: Expecting ':' delimiter", 5)
    assert fails("") == ("is not JSON: Expecting value", 0)
    assert fails(" []") == ("is neither a binary catalog nor a JSON object", 0)
    assert fails("[" * 100_000) == ("nests deeper than any catalog", 0)
    assert fails('{"a":' + "1" * 5000 + "}")[0].startswith("is not JSON: Exceeds the limit")
    assert fails('{"m_KeyDataString":"x') == ("is not JSON: Unterminated string starting at", 19)
    assert fails('{"m_KeyDataString":"x"') == ("is not JSON: Expecting ',' delimiter", 22)
