"""Damaged messages, names that steer a terminal, and arguments that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.mcp.arguments import ArgumentError, checked
from assetdb.mcp.declarations import READING
from scripts.fixture import copy_fixture
from scripts.fuzz.mcp import run
from tests.assetdb.mcp.assistant import Assistant, assisting
from tests.needs import takes_any_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOOLS = {tool.name: tool for tool in READING}


@pytest.mark.parametrize(("count", "seed"), [(300, 5), pytest.param(5000, 6, marks=pytest.mark.long)])
def test_damage_is_answered(tmp_path: Path, count: int, seed: int) -> None:
    root = tmp_path / "project"
    copy_fixture(root)
    results, errors = run(root, count, seed)
    assert results > count
    assert errors > count // 5


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("find", [], "arguments is an object"),
        ("ls", {}, "needs 'query'"),
        ("ls", {"query": None}, "needs 'query'"),
        ("find", {"pattern": "x", "limit": 3}, "has no argument 'limit'"),
        ("find", {"pattern": 7}, "'pattern' is a text"),
        ("find", {"pattern": "x" * 4001}, "'pattern' is a text"),
        ("find", {"pattern": "a\0b"}, "'pattern' is a text"),
        ("find", {"pattern": "\ud800"}, "'pattern' is a text"),
        ("find", {"pattern": "x", "types": "Prefab"}, "'types' is a list"),
        ("find", {"pattern": "x", "types": ["x"] * 10_001}, "'types' is a list"),
        ("find", {"pattern": "x", "max_tokens": 25_001}, "max_tokens is 200 to 25,000"),
        ("find", {"pattern": "x", "max_tokens": 1}, "max_tokens is 200 to 25,000"),
        ("find", {"pattern": "x", "max_tokens": True}, "'max_tokens' is a positive integer"),
        ("ls", {"query": "x", "depth": 0}, "'depth' is a positive integer"),
        ("ls", {"query": "x", "depth": 1.5}, "'depth' is a positive integer"),
        ("ls", {"query": "x", "deep": 1}, "'deep' is true or false"),
    ],
)
def test_arguments_that_a_tool_does_not_take_are_refused_with_those_it_does(
    tool: str, given: object, said: str
) -> None:
    with pytest.raises(ArgumentError, match=said) as caught:
        checked(TOOLS[tool], given)
    assert "max_tokens is" in said or f"call {tool} {{" in str(caught.value)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose names and values steer terminals, and tell assistants what to do."""
    root = tmp_path_factory.mktemp("hostile") / "Game"
    (root / "Assets").mkdir(parents=True)
    (root / "ProjectSettings").mkdir()
    for number, name in enumerate(("\x1b[2Jclear.prefab", "\u202egnp.prefab", "line\nbreak.prefab")):
        if not takes_any_name(name):
            continue
        path = root / "Assets" / name
        text = f'--- !u!1 &1\nGameObject:\n  m_Name: "\\e[31m\\u202E{"x" * 1000}"\n  m_IsActive: 1\n'
        path.write_text("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n" + text)
        path.with_name(path.name + ".meta").write_text(f"fileFormatVersion: 2\nguid: {number + 1:032x}\n")
    return root


@pytest.fixture(scope="module")
def beset(hostile: Path) -> Iterator[Assistant]:
    """An assistant at work in that project."""
    with assisting(hostile) as found:
        yield found


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("find", {"pattern": "prefab"}),
        ("ls", {"query": "Assets"}),
        ("ls", {"query": f"{1:032x}"}),
        ("get", {"query": f"{2:032x}:1"}),
        ("name", {"queries": [f"{3:032x}:1", "\x1b[2J", "\u202e"]}),
        ("check", {}),
        ("unused", {}),
        ("usages", {"query": f"{1:032x}"}),
        ("usages", {"query": "\x1b[2J no such \u202e"}),
    ],
)
def test_no_answer_steers_a_terminal(beset: Assistant, tool: str, arguments: dict[str, object]) -> None:
    result = beset.request("tools/call", {"name": tool, "arguments": arguments})["result"]
    text = result["content"][0]["text"]
    assert all(line.isprintable() for line in text.split("\n")), text
