"""The bracket that was forgotten is named, by its partner or by indentation."""

from __future__ import annotations

import time

import pytest

from assetdb.unity.scripts.faults import Fault, Token, bracket_fault
from assetdb.unity.scripts.tokens import tokens_of

WHOLE = """namespace A
{
    class B
    {
        void C(int a,
               int b) {
            if (a) {
                b();
            } else {
                c[0] = new D { e = f(x => { return x; }) };
            }
            g(() =>
            {
                h();
            });
        }

\tint I { get; set; }
    }
}
"""


def fault_of(source: str) -> Fault | None:
    tokens = [
        Token(sign, number) for number, line in enumerate(source.split("\n"), 1) for sign in line if not sign.isspace()
    ]
    return bracket_fault(tokens, source)


def test_balanced_brackets_have_no_fault() -> None:
    assert fault_of(WHOLE) is None
    assert fault_of("") is None


@pytest.mark.parametrize("line", [8, 11, 15, 16, 19])
def test_a_line_with_a_brace_that_is_missing_is_told(line: int) -> None:
    """Without the line of a closing brace, the brace that it closed is named."""
    lines = WHOLE.split("\n")
    partners = {8: 7, 11: 9, 15: 13, 16: 6, 19: 4}
    if line == 8:
        lines[8] = "            else {"
    else:
        lines[line - 1] = ""
    found = fault_of("\n".join(lines))
    assert found is not None
    assert found.line == partners[line]


def test_the_last_brace_may_be_the_one_that_is_missing() -> None:
    assert fault_of(WHOLE.rpartition("}")[0]) == Fault(2, "{ is not closed")


def test_a_needless_brace_is_named_by_its_indentation() -> None:
    lines = WHOLE.split("\n")
    lines.insert(11, "            }")
    assert fault_of("\n".join(lines)) == Fault(12, "} seems to close nothing")


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("{\n(\n}", Fault(2, "( is not closed in front of the } of line 3")),
        ("(\n{\n)", Fault(2, "{ is not closed in front of the ) of line 3")),
        ("{\n]", Fault(1, "{ is not closed in front of the ] of line 2")),
        ("[\n\n[", Fault(3, "[ is not closed")),
        ("{}\n)", Fault(2, ") closes nothing")),
    ],
)
def test_a_bracket_without_its_partner_is_told(source: str, fault: Fault) -> None:
    assert fault_of(source) == fault


def test_braces_in_one_line_and_behind_others_say_nothing_of_indentation() -> None:
    assert fault_of("  a {\n } b {\n(") == Fault(1, "{ seems not to be closed")
    assert fault_of("  a {\nx }\n(") == Fault(3, "( is not closed")


def test_a_line_of_all_braces_takes_no_time_by_the_square() -> None:
    started = time.process_time()
    found = tokens_of(b"{" * 300_000 + b"\n " + b"}" * 299_999 + b"\n")
    assert found.fault == Fault(1, "{ is not closed")
    assert time.process_time() - started < 20


def test_a_source_of_brackets_alone_takes_no_time_by_the_square() -> None:
    started = time.process_time()
    found = tokens_of(b"{\n" * 300_000 + b"(\n" * 300_000)
    assert found.fault == Fault(600_000, "( is not closed")
    assert time.process_time() - started < 20
