"""Scalars, beside a second statement of the rules and both of Unity's writers."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assetdb.unity.yaml.scalars import (
    COLON_AT_LINE_END,
    SURROGATE_ESCAPE,
    UNCLOSED_QUOTE,
    UNKNOWN_ESCAPE,
    key_span,
    scalar_at,
    scalar_fault,
    scalar_span,
    scalar_text,
)
from tests.unity_text import ERAS, NEW, NEWEST, OLD, style, value_of, written

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=120) | st.text("ab #:'\"\n\\-[]{}é\t", max_size=120)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("", ""),
        ("plain", "plain"),
        ("plain  ", "plain"),
        ("with space: not a key", "with space: not a key"),
        ("Button #1", "Button #1"),
        ("<b>Name</b> <color #716B7C>(opt)</color>", "<b>Name</b> <color #716B7C>(opt)</color>"),
        ("one\n    # two\n    three", "one # two three"),
        ("no#comment", "no#comment"),
        ("'Material #75'", "Material #75"),
        ("'It''s'", "It's"),
        ("'Cactus '", "Cactus "),
        ("''", ""),
        ('""', ""),
        ('"Trade\\u2122"', "Trade™"),
        ('"\\x41\\U0001F40D\\t\\\\\\"\\/\\e\\_"', 'A🐍\t\\"/\x1b\xa0'),
        ('"\\uD83D\\uDC0D"', "🐍"),  # some Unity 6 wrote pairs; PyYAML leaves them apart
        ('"\\uD83D"', "\ufffd"),
        ('"\\U00110000"', "\ufffd"),
        ('"\\q"', "\\q"),
        ("a\\n \\U0001F3F0", "a\\n \\U0001F3F0"),  # in plain text they are typed letters
        ("wrapped\n    here", "wrapped here"),
        ("wrapped\n    twice\n    here\n  m_Next: 1", "wrapped twice here"),
        ("wrapped\n\n    with a line between", "wrapped\nwith a line between"),
        ("wrapped \n      here", "wrapped  here"),
        ("one\n    - two\n    : three\n    'four", "one - two : three 'four"),
        ("|\n    a\n    b", "| a b"),
        ("&a !b *c", "&a !b *c"),
        ("-0", "-0"),
        ("not wrapped\n  m_Next: 1", "not wrapped"),
        ("'single\n    wrapped'", "single wrapped"),
        ("'one\n\n'", "one\n"),
        ("'one\n\n    m_Name: no'", "one\nm_Name: no"),
        ('"double\n    wrapped"', "double wrapped"),
        ('"double \\\n    continued"', "double continued"),
        ('"double\n    \\ spaced"', "double  spaced"),
        ('"{\\r\\n   \n    \\"a\\": 1"', '{\r\n    "a": 1'),
        ("'never closed", "'never closed"),
        ('"never closed\n  m_Next: 1', '"never closed'),
        ("\n  m_Next: 1", ""),
        ("windows\r\n    wrapped", "windows wrapped"),
        ("'windows\r\n\r\n    quoted'", "windows\nquoted"),
    ],
)
def test_scalars(written: str, text: str) -> None:
    assert scalar_at(f"  m_Name: {written}".encode(), 9, 2) == text
    assert scalar_at(f"  m_Name: {written}\n  m_After: 1\n".encode(), 9, 2) == text


def test_bytes_that_are_no_text() -> None:
    assert scalar_at(b"  m_Name: a\xff", 9, 2) == "a\ufffd"
    assert scalar_at(b"", 0, 0) == ""


@given(TEXTS, st.sampled_from(ERAS), st.integers(4, 40), st.sampled_from(("  m_Name: ", "  - ", "")))
@example("{\r\n    a", NEW, 5, "  m_Name: ")
@example("a  b", NEW, 1, "  m_Name: ")
@example("'a'\n", OLD, 4, "  - ")
@settings(max_examples=400)
def test_what_unity_writes_is_read_as_it_was(text: str, era: str, width: int, head: str) -> None:
    column = len(head) - len(head.lstrip(" "))
    lines = f"{head}{written(text, len(head), column + 2, era, width)}\n"
    after = " " * column + "m_Next: 1\n"
    start, end, quote = scalar_span((lines + after).encode(), len(head), column)
    data = lines.encode()
    assert scalar_text(data[start:end], quote) == text
    assert scalar_at(data, len(head), column) == text
    assert value_of(lines[len(head) :].removesuffix("\n").split("\n")) == text
    assert end == len(data.rstrip(b"\n ")) if text else end <= len(data)
    fault = scalar_fault(data[start:end], quote)
    assert fault is None or (fault[0] == COLON_AT_LINE_END and not quote)


@given(st.lists(st.text("ab #:-'\"\\[]{}", max_size=12), min_size=1, max_size=5), st.integers(0, 4))
def test_plain_lines_read_as_the_rules_say(lines: list[str], deeper: int) -> None:
    if lines[0].strip()[:1] in ("", "'", '"'):
        lines[0] = "x" + lines[0]
    text = "\n".join([lines[0], *("   " + " " * deeper + line for line in lines[1:])])
    assert scalar_at(f"  m_Name: {text}\n  m_Next: 1\n".encode(), 9, 2) == value_of(text.rstrip(" \n").split("\n"))


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Button #1", "'--"),
        ("a[0]", "--'"),
        ("------ Roads -----", "'--"),
        ("#1", "'''"),
        ("- a", "'''"),
        ("-a", "---"),
        (":x", "---"),
        ("???", "---"),
        ("a: b", "'''"),
        ("a:b", "---"),
        ("a:", "'''"),
        (" a", "'''"),
        ("a\nb", "'''"),
        ("a \nb", '"""'),
        ("é", '"""'),
        ("010", "---"),
        ("a, b {c}", "---"),
        ("", "---"),
    ],
)
def test_unity_quotes_by_era(text: str, quotes: str) -> None:
    assert "".join(style(text, era) or "-" for era in (OLD, NEW, NEWEST)) == quotes


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("'never closed", (UNCLOSED_QUOTE, 0)),
        ('"never closed\n    at all', (UNCLOSED_QUOTE, 0)),
        ('"a\\q"', (UNKNOWN_ESCAPE, 2)),
        ('"a\\x4"', (UNKNOWN_ESCAPE, 2)),
        ('"a\\U00110000"', (UNKNOWN_ESCAPE, 2)),
        ('"one\\\n    two"', (UNKNOWN_ESCAPE, 4)),
        ('"\\\\\\uD83C\\uDCCF"', (SURROGATE_ESCAPE, 3)),
        ("one\n    two:\n    three", (COLON_AT_LINE_END, 4)),
        ("one\n    two: three\n    four", None),
        ("one:", None),
        ("'one:\n    two'", None),
        ('"\\t\\n\\r\\"\\\\\\xE9\\uAC00\\U0001F3F0\\_\\L\\0\\a\\b\\v\\f\\e\\N\\P"', None),
    ],
)
def test_what_unity_refuses(written: str, fault: tuple[str, int] | None) -> None:
    data = f"  m_Name: {written}\n  m_Next: 1\n".encode()
    start, end, quote = scalar_span(data, 9, 2)
    assert scalar_fault(data[start:end], quote) == fault


@given(st.text("ab\\\\\\nquxUL0d8é\n\t", max_size=16), st.booleans())
def test_escapes_are_refused_one_by_one(text: str, libyaml: bool) -> None:  # noqa: FBT001 - drawn
    expected: tuple[str, int] | None = None
    place = 0
    while expected is None and (place := text.find("\\", place)) >= 0:
        digits = {"x": 2, "u": 4, "U": 8}.get(text[place + 1 : place + 2], 0)
        hexadecimal = text[place + 2 : place + 2 + digits]
        is_code = digits == len(hexadecimal) > 0 and not hexadecimal.strip("0123456789abcdefABCDEF")
        code = int(hexadecimal, 16) if is_code else 0
        sign = text[place + 1 : place + 2] or '"'  # the quote that ends the value would be escaped
        if 0xD800 <= code < 0xE000 and digits > 2:
            expected = SURROGATE_ESCAPE, len(text[:place].encode()) + 1
        elif code > 0x10FFFF or not (is_code or sign in '0abt\tnvfre "/\\N_LP' or (libyaml and sign == "\n")):
            expected = UNKNOWN_ESCAPE, len(text[:place].encode()) + 1
        place += 2 + (digits if is_code else 0)
    assert scalar_fault(f'"{text}"'.encode(), b'"', libyaml=libyaml) == expected


@pytest.mark.parametrize(
    ("line", "key", "rest"),
    [
        ("m_Name: a: b", "m_Name", " a: b"),
        ("4:3: 1", "4:3", " 1"),
        (": DEFINES", "", " DEFINES"),
        ("near clip plane: 0.3", "near clip plane", " 0.3"),
        ("<a>k__BackingField: 2", "<a>k__BackingField", " 2"),
        ("'m_MeshMetrics[0]': 1", "m_MeshMetrics[0]", " 1"),
        ("'it''s: a': 1", "it's: a", " 1"),
        ("'': Any", "", " Any"),
        ("tile #1: 213", "tile #1", " 213"),
        ("text:", "text", ""),
        ("text:\r", "text", "\r"),
        ("http://a.b/c", None, ""),
        ("'a: b'", None, ""),
    ],
)
def test_keys(line: str, key: str | None, rest: str) -> None:
    data = f"  {line}\n    x: 1\n".encode()
    end, behind, quote = key_span(data, 2, len(line) + 2)
    if key is None:
        assert end == -1
    else:
        assert scalar_text(data[2:end], quote) == key
        assert data[behind : len(line) + 2] == rest.encode()


@given(st.binary(max_size=80), st.integers(0, 80), st.integers(0, 8))
def test_every_input_has_an_answer(data: bytes, start: int, indent: int) -> None:
    scalar_at(data, start, indent).encode()
    start, end, quote = scalar_span(data, start, indent)
    scalar_fault(data[start:end], quote)
    key_span(data, start, len(data))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"a b: 1", (3, 4, b"")),
        (b'"a: b": 1', (6, 7, b'"')),
        (b"'it''s': 1", (7, 8, b"'")),
        (b'"a"  :', (3, 6, b'"')),
        (b'"a":b', (-1, -1, b"")),
        (b'"a" b: 1', (-1, -1, b"")),
        (b'"a', (-1, -1, b"")),
    ],
)
def test_a_key_ends_before_its_colon(line: bytes, expected: tuple[int, int, bytes]) -> None:
    assert key_span(line, 0, len(line)) == expected
    assert key_span(b"  " + line + b"\n", 2, 2 + len(line))[1] == (expected[1] + 2 if expected[1] >= 0 else -1)
