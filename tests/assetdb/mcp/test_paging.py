"""Pages hold what their budget allows, and all of them together the whole answer, once."""

from __future__ import annotations

import random
import re

import pytest

from assetdb.mcp.paging import Answer, BadCursorError, page, page_of
from assetdb.system.json_text import write_json

CALL = {"tool": "find", "pattern": "x"}
NEXT = re.compile(r"\nnext page: cursor (\S+)$")


def pages(answer: Answer, tokens: int) -> list[list[str]]:
    """Return the rows of each page, following cursors."""
    found, cursor = [], ""
    while True:
        found_page = page_of(answer, CALL, cursor, tokens)
        text = found_page.text
        assert len(write_json(text)) <= 4 * tokens
        assert len(write_json(found_page.fields())) <= 4 * tokens
        match = NEXT.search(text)
        lines = (text[: match.start()] if match else text).split("\n")
        assert lines[0].startswith("summary")
        found.append(lines[1:] if match is None and not cursor else lines[2:])
        if match is None:
            return found
        cursor = match[1]


@pytest.mark.long
@pytest.mark.parametrize("tokens", [200, 300, 1000, 25_000])
def test_all_pages_together_are_the_answer(tokens: int) -> None:
    draw = random.Random(tokens)
    alphabet = 'abc /.&"\\é界\u202e\x1b\n\udc80'
    rows = ["".join(draw.choices(alphabet, k=draw.choice((0, 1, 20, 60, 1000)))) for _ in range(400)]
    found = pages(Answer("summary " + "s" * 900, rows), tokens)
    whole = "".join(row for lines in found for row in lines)
    shown = "".join(row for lines in pages(Answer("summary", rows), 25_000) for row in lines)
    assert whole == shown
    assert "\x1b" not in whole
    assert r"\x1b" in whole
    assert r"\u202e" in whole


def test_a_row_longer_than_a_page_goes_on_at_the_next() -> None:
    found = pages(Answer("summary", ["a", "b" * 5000, "c"]), 200)
    assert "".join(row for lines in found for row in lines) == "a" + "b" * 5000 + "c"
    assert len(found) > 5


def test_a_cursor_of_another_state_begins_again_and_says_so() -> None:
    rows = [f"row {number}" for number in range(400)]
    first = page(Answer("summary", rows), CALL, "", 300)
    match = NEXT.search(first)
    assert match is not None
    assert page(Answer("summary", rows), CALL, match[1], 300).splitlines()[2] not in first
    changed = page(Answer("summary", [*rows[1:], "new"]), CALL, match[1], 300).splitlines()
    assert changed[0] == "The answer has changed since that cursor was given; this is its first page again."
    assert changed[1:4] == ["summary", changed[2], "row 1"]
    assert changed[2].startswith("rows 1 to ")


@pytest.mark.parametrize(
    "cursor", ["x", "1.2.3", "1.2.3.4.5", "-1.0.00000000.0", "1e9.0.0.0", "²." * 3, "9" * 20 + ".0.0.0"]
)
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursorError, match="not a cursor"):
        page(Answer("summary", ["a"]), CALL, cursor, 300)


def test_a_cursor_of_another_call_is_refused() -> None:
    rows = ["a" * 100] * 100
    match = NEXT.search(page(Answer("summary", rows), CALL, "", 300))
    assert match is not None
    with pytest.raises(BadCursorError, match="another call"):
        page(Answer("summary", rows), {**CALL, "pattern": "y"}, match[1], 300)
    assert "another budget" not in page(Answer("summary", rows), CALL, match[1], 500)


def test_a_place_behind_the_end_begins_again() -> None:
    answer = Answer("summary", ["a" * 100] * 100)
    match = NEXT.search(page(answer, CALL, "", 300))
    assert match is not None
    _, _, call, state = match[1].split(".")
    assert page(answer, CALL, f"100.0.{call}.{state}", 300).startswith("The answer has changed")
    assert page(answer, CALL, f"0.101.{call}.{state}", 300).startswith("The answer has changed")


def test_a_cursor_past_the_end_begins_again() -> None:
    match = NEXT.search(page(Answer("summary", ["a" * 100] * 100), CALL, "", 300))
    assert match is not None
    row, start, *rest = match[1].split(".")
    for cursor in (f"{10**9}.{start}.{'.'.join(rest)}", f"{row}.{10**9}.{'.'.join(rest)}"):
        found = page(Answer("summary", ["a" * 100] * 100), CALL, cursor, 300).split("\n")
        assert found[0] == "The answer has changed since that cursor was given; this is its first page again."
        assert found[2].startswith("rows 1 to ")


def test_a_page_has_fields_for_programs() -> None:
    answer = Answer("summary", [f"row {number}" for number in range(400)])
    first = page_of(answer, CALL, "", 300)
    fields = first.fields()
    assert (fields["summary"], fields["first"], fields["total"]) == ("summary", 1, 400)
    second = page_of(answer, CALL, str(fields["cursor"]), 300)
    assert second.rows[0] == f"row {len(first.rows)}"
    assert second.fields()["first"] == len(first.rows) + 1
    assert "cursor" not in page_of(Answer("summary", ["a"]), CALL, "", 300).fields()
