"""Arguments of a call are what the tool declares, or the error shows how to call it."""

from __future__ import annotations

import pytest

from assetdb.mcp.arguments import ArgumentError, checked
from assetdb.mcp.declarations import FLAG, LEAST_TOKENS, MOST_TOKENS, NUMBER, TEXT, TEXTS, Parameter, Tool

PARAMETERS = (
    Parameter("query", TEXT, "what", required=True),
    Parameter("paths", TEXTS, "where"),
    Parameter("deep", FLAG, "whether"),
    Parameter("line", NUMBER, "which"),
)
USAGE = 'call ask {"query": "...", "paths": [...], "deep": true, "line": 1}'


ASK = Tool("ask", "answers", PARAMETERS)


@pytest.mark.parametrize(
    "given",
    [
        {"query": ""},
        {"query": "q", "paths": [], "deep": False, "line": 1},
        {"query": "q" * 4000, "paths": ["a"] * 10_000, "line": (1 << 31) - 1},
        {"query": "q", "max_tokens": 1000},
    ],
)
def test_arguments_of_the_declared_types_are_taken(given: dict[str, object]) -> None:
    assert checked(ASK, given) == given


def test_nulls_are_left_out() -> None:
    assert checked(ASK, {"query": "q", "deep": None, "line": None}) == {"query": "q"}


TEXT_LIMIT = ", of at most 4,000 characters, without NUL"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "arguments is an object"),
        (None, "arguments is an object"),
        ({}, "ask needs 'query'"),
        ({"query": None}, "ask needs 'query'"),
        ({"query": "q", "other": 1, "another": 2}, "ask has no argument 'another'"),
        ({"query": "q", "x" * 200: 1}, f"ask has no argument {'x' * 100!r}"),
        ({"query": 1}, "'query' is a text" + TEXT_LIMIT),
        ({"query": "q" * 4001}, "'query' is a text" + TEXT_LIMIT),
        ({"query": "a\0"}, "'query' is a text" + TEXT_LIMIT),
        ({"query": "\ud800"}, "'query' is a text" + TEXT_LIMIT),
        ({"query": "q", "paths": "a"}, "'paths' is a list of at most 10,000 texts" + TEXT_LIMIT),
        ({"query": "q", "paths": [1]}, "'paths' is a list of at most 10,000 texts" + TEXT_LIMIT),
        ({"query": "q", "paths": ["a"] * 10_001}, "'paths' is a list of at most 10,000 texts" + TEXT_LIMIT),
        ({"query": "q", "deep": 1}, "'deep' is true or false"),
        ({"query": "q", "line": 0}, "'line' is a positive integer"),
        ({"query": "q", "line": True}, "'line' is a positive integer"),
        ({"query": "q", "line": 1.0}, "'line' is a positive integer"),
        ({"query": "q", "line": 1 << 31}, "'line' is a positive integer"),
    ],
)
def test_other_arguments_are_an_error_with_an_example(given: object, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        checked(ASK, given)
    assert str(caught.value) == f"{message}: {USAGE}"


@pytest.mark.parametrize(
    ("tokens", "is_taken"),
    [(LEAST_TOKENS - 1, False), (LEAST_TOKENS, True), (MOST_TOKENS, True), (MOST_TOKENS + 1, False)],
)
def test_the_length_of_an_answer_has_bounds(tokens: int, *, is_taken: bool) -> None:
    given = {"query": "q", "max_tokens": tokens}
    if is_taken:
        assert checked(ASK, given) == given
    else:
        with pytest.raises(ArgumentError) as caught:
            checked(ASK, given)
        assert str(caught.value) == f"max_tokens is {LEAST_TOKENS:,} to {MOST_TOKENS:,}"
