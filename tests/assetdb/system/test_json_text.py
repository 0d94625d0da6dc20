"""JSON without importing ``json``: what it reads and writes is what ``json`` does."""

from __future__ import annotations

import json

import pytest

from assetdb.system.json_text import quote, read_json, write_json

VALUES = [
    None,
    True,
    0,
    -1.5,
    1e300,
    1 << 70,
    "",
    'a"\\\n\u2028ä\U0001f600',
    [],
    {},
    [1, [2, {"a": None}]],
    {"b": [], "a": 1},
]


@pytest.mark.parametrize("value", VALUES)
def test_values_are_written_and_read_as_json_does(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert write_json(value) == text.encode()
    assert read_json(text) == read_json(f" \t\r\n{text}\n") == value
    assert read_json(json.dumps(value, indent=2)) == value


@pytest.mark.parametrize("text", ["", '"', 'a"b\\c', "\n\x00\x7f", "ä\u2028\U0001f600"])
def test_text_is_quoted_in_ascii(text: str) -> None:
    assert quote(text) == json.dumps(text)


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    assert write_json("a\udcffb") == b'"a\\udcffb"'
    assert read_json('"\\udcff"') == "\udcff"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "[1,]",
        "1 2",
        "nul",
        "NaN",
        "Infinity",
        "-Infinity",
        '"a\nb"',
        "{1:2}",
        '{"a" 1}',
        "\ufeff1",
        "[" * 100_000,
    ],
)
def test_what_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its message is a part of the text
        read_json(text)


def test_what_follows_a_value_is_told() -> None:
    with pytest.raises(ValueError, match=r"^ 2$"):
        read_json("1 2")


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x"])
def test_what_json_has_not_is_an_error(value: object) -> None:
    with pytest.raises(TypeError, match=type(value).__name__):
        write_json({"a": value})
