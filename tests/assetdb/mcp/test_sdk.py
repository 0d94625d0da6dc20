"""The official SDK's client drives the server: every message is one that its types accept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("mcp_types", reason="the SDK is not here: pip install 'mcp>=2.3'")

import anyio
from mcp import Client, MCPError, StdioServerParameters

from assetdb.mcp.declarations import READING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

MODES = ("legacy", "auto", "2026-07-28")


def drive(project: Path, mode: str, work: Callable[[Client], Awaitable[None]]) -> None:
    """Run a client of the SDK against a server of its own."""

    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-m", "assetdb", "mcp"], cwd=project)
        async with Client(server, mode=mode) as client:
            await work(client)

    anyio.run(run)


def text_of(result: Any) -> str:  # noqa: ANN401 - a type of the SDK
    (block,) = result.content
    return str(block.text)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_lists_and_calls_tools(project: Path, mode: str) -> None:
    async def work(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [tool.name for tool in READING]
        assert all(tool.annotations is not None and tool.annotations.read_only_hint for tool in tools)
        found = await client.call_tool("find", {"pattern": "Base.prefab"})
        assert not found.is_error
        assert "864eb4c93ac1f6e40d118fd26989f203" in text_of(found)
        missed = await client.call_tool("usages", {"query": "Bse.prefab"})
        assert missed.is_error
        assert "Call usages with one of the assets:\nAssets/Prefabs/Base.prefab" in text_of(missed)
        with pytest.raises(MCPError):
            await client.call_tool("rm", {"paths": ["Assets"]})

    drive(project, mode, work)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_reads_resources(project: Path, mode: str) -> None:
    async def work(client: Client) -> None:
        (template,) = (await client.list_resource_templates()).resource_templates
        uri = template.uri_template.replace("{code}", "duplicate-guid")
        (content,) = (await client.read_resource(uri)).contents
        assert content.text.startswith("duplicate-guid (error)")
        with pytest.raises(MCPError, match="there is no resource"):
            await client.read_resource("assetdb://diagnostics/nothing")

    drive(project, mode, work)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_that_gives_up_goes_on_with_the_next_call(project: Path, mode: str) -> None:
    async def work(client: Client) -> None:
        with anyio.move_on_after(0.001):
            await client.call_tool("unused", {"incomplete": True})
        found = await client.call_tool("find", {"pattern": "Base.prefab"})
        assert "Base.prefab" in text_of(found)

    drive(project, mode, work)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_gets_structured_content_that_fits_the_schema(project: Path, mode: str) -> None:
    async def work(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert all(tool.output_schema is not None for tool in tools)
        found = await client.call_tool("find", {"types": ["Prefab"]})  # the client validates it
        assert found.structured_content is not None
        assert found.structured_content["rows"] == text_of(found).split("\n")[1:]
        missed = await client.call_tool("usages", {"query": "Bse.prefab"})
        assert missed.is_error
        assert missed.structured_content is None

    drive(project, mode, work)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_gets_prompts(project: Path, mode: str) -> None:
    async def work(client: Client) -> None:
        listed = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in listed] == ["review-change", "may-delete"]
        (message,) = (await client.get_prompt("may-delete", {"asset": "Assets/{0}.prefab"})).messages
        assert message.content.text.startswith("May Assets/{0}.prefab be deleted")
        (message,) = (await client.get_prompt("review-change")).messages
        assert "since HEAD" in message.content.text
        for name, arguments in (("may-delete", {}), ("may-delete", {"asset": " "}), ("nothing", {})):
            with pytest.raises(MCPError):
                await client.get_prompt(name, arguments)

    drive(project, mode, work)
