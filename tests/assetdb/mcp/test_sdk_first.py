"""Clients of the SDK's first line (``mcp<2``), which know the handshake alone; a job of CI has that line."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("mcp", reason="the SDK is not here: pip install 'mcp<2'")
if importlib.util.find_spec("mcp_types") is not None:
    pytest.skip("the SDK that is here is of the second line; test_sdk.py drives it", allow_module_level=True)

import anyio
from mcp import ClientSession, StdioServerParameters, stdio_client  # type: ignore[attr-defined]  # of the first line
from mcp.shared.exceptions import McpError  # type: ignore[attr-defined]  # the same

from assetdb.mcp.declarations import READING

if TYPE_CHECKING:
    from pathlib import Path


def test_a_client_of_the_first_line_is_served(project: Path) -> None:
    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-m", "assetdb", "mcp"], cwd=project)
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            hello = await client.initialize()
            assert hello.serverInfo.name == "assetdb"
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == [tool.name for tool in READING]
            assert all(tool.annotations is not None and tool.annotations.readOnlyHint for tool in tools)
            found = await client.call_tool("find", {"pattern": "Base.prefab"})
            assert "864eb4c93ac1f6e40d118fd26989f203" in found.content[0].text
            assert (await client.call_tool("usages", {"query": "Bse.prefab"})).isError
            (content,) = (await client.read_resource("assetdb://diagnostics/duplicate-guid")).contents
            assert content.text.startswith("duplicate-guid (error)")
            with pytest.raises(McpError, match="there is no resource"):
                await client.read_resource("assetdb://diagnostics/nothing")
            await client.send_ping()

    anyio.run(run)
