import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from assetdb.unity.yaml.scalars import scalar_at


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("", ""),
        ("plain", "plain"),
        ("plain  ", "plain"),
        ("with space: not a key", "with space: not a key"),
        ("before # a comment", "before"),
        ("no#comment", "no#comment"),
        ("'Material #75'", "Material #75"),
        ("'It''s'", "It's"),
        ("'Cactus '", "Cactus "),
        ("''", ""),
        ('""', ""),
        ('"Trade\\u2122"', "Trade™"),
        ('"\\x41\\U0001F40D\\t\\\\\\"\\/\\e\\_"', 'A🐍\t\\"/\x1b\xa0'),
        ('"\\uD83D\\uDC0D"', "🐍"),  # Unity writes pairs; PyYAML leaves them apart
        ('"\\uD83D"', "\ufffd"),
        ('"\\U00110000"', "\ufffd"),
        ("wrapped\n    here", "wrapped here"),
        ("wrapped\n    twice\n    here\n  m_Next: 1", "wrapped twice here"),
        ("wrapped\n\n    with a line between", "wrapped\nwith a line between"),
        ("not wrapped\n  m_Next: 1", "not wrapped"),
        ("'single\n    wrapped'", "single wrapped"),
        ('"double\n    wrapped"', "double wrapped"),
        ('"double \\\n    continued"', "double continued"),
        ("'never closed", "'never closed"),
        ('"never closed\n  m_Next: 1', '"never closed'),
        ("\n  m_Next: 1", ""),
        ("windows\r\n    wrapped", "windows wrapped"),
    ],
)
def test_scalars(written: str, text: str) -> None:
    assert scalar_at(f"  m_Name: {written}".encode(), 9, 2) == text
    assert scalar_at(f"  m_Name: {written}\n  m_After: 1\n".encode(), 9, 2) == text


def test_bytes_that_are_no_text() -> None:
    assert scalar_at(b"  m_Name: a\xff", 9, 2) == "a\ufffd"
    assert scalar_at(b"", 0, 0) == ""


@given(st.text(max_size=60), st.sampled_from("'\""), st.integers(10, 90))
def test_what_a_yaml_library_writes_is_read_as_it_was(text: str, quote: str, width: int) -> None:
    # YAML 1.1 calls these three line breaks as well, and folds them; Unity writes them escaped, in double quotes.
    assume(quote == '"' or not {"\x85", "\u2028", "\u2029"} & set(text))
    written = yaml.safe_dump({"m_Name": text}, default_style=quote, width=width, allow_unicode=True)
    start = written.index(":") + 1
    assert scalar_at(written.encode(), start, 0) == text


@given(st.text("ab #:'\"\n\\-[]{}é", max_size=40))
def test_plain_scalars_read_as_a_yaml_library_reads_them(text: str) -> None:
    written = yaml.safe_dump({"m_Name": text}, width=20, allow_unicode=True)
    start = written.index(":") + 1
    if written[start + 1 : start + 2] not in "|>":  # block scalars, which Unity does not write
        assert scalar_at(written.encode(), start, 0) == text


@given(st.binary(max_size=80), st.integers(0, 80), st.integers(0, 8))
def test_every_input_has_an_answer(data: bytes, start: int, indent: int) -> None:
    scalar_at(data, start, indent).encode()
