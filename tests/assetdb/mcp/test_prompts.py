"""Prompts name tools and arguments that there are, and refuse what is no text."""

from __future__ import annotations

import re

import pytest

from assetdb.mcp.declarations import READING, parameters_of
from assetdb.mcp.prompts import PROMPTS, declared, filled
from assetdb.mcp.protocol import McpError


def test_prompts_name_tools_and_arguments_that_there_are() -> None:
    tools = {tool.name: {parameter.name for parameter in parameters_of(tool)} for tool in READING}
    named = {word for prompt in PROMPTS for word in re.findall(r"[Cc]all (\w+)", prompt.text)}
    assert named == {"check", "diff", "usages"}
    assert named <= tools.keys()
    assert {"since"} <= tools["check"]
    assert {"revisions"} <= tools["diff"]
    assert {"query", "objects", "why", "method"} <= tools["usages"]
    assert [row["arguments"][0]["required"] for row in declared()] == [False, True]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 7},
        {"name": "x" * 10_000},
        {"name": "may-delete", "arguments": []},
        {"name": "may-delete", "arguments": ["a"]},
        {"name": "may-delete", "arguments": {"asset": 7}},
        {"name": "may-delete", "arguments": {"asset": "a" * 5000}},
    ],
)
def test_wrong_parameters_are_refused(params: dict[str, object]) -> None:
    with pytest.raises(McpError) as caught:
        filled(params)
    assert len(caught.value.message) < 300
