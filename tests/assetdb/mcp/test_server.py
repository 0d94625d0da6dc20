"""The protocol: both of its forms, requests at the same time, and messages that are none."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.mcp.declarations import READING, declaration
from assetdb.mcp.framing import LARGEST_MESSAGE
from assetdb.mcp.server import Server
from tests.assetdb.mcp.assistant import MODERN, Assistant, assisting

if TYPE_CHECKING:
    from pathlib import Path

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Lines:
    """Where a server in this process writes."""

    closed = False

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def write(self, line: bytes) -> None:
        self.found.append(json.loads(line))


def answers(*messages: object) -> list[dict[str, Any]]:
    """Return what a server says to messages that need no project."""
    lines = Lines()
    server = Server(lines)  # type: ignore[arg-type]  # it has what a writer has
    for message in messages:
        server.handle(message if isinstance(message, bytes) else json.dumps(message).encode())
    return lines.found


def message(method: str, params: object = None, number: object = 1) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method} | ({} if params is None else {"params": params})


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_a_handshake_agrees_on_the_version_of_the_client(version: str) -> None:
    first, second = answers(message("initialize", INITIALIZE | {"protocolVersion": version}), message("tools/list"))
    assert first["result"]["protocolVersion"] == version
    assert first["result"]["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}}
    assert [tool["name"] for tool in second["result"]["tools"]] == [tool.name for tool in READING]
    assert "resultType" not in second["result"]


@pytest.mark.parametrize("version", ["2026-07-28", "1.0", None, 7])
def test_a_handshake_about_another_version_offers_the_newest(version: object) -> None:
    (found,) = answers(message("initialize", INITIALIZE | {"protocolVersion": version}))
    assert found["result"]["protocolVersion"] == "2025-11-25"


def test_without_handshake_each_request_says_its_version() -> None:
    first, second = answers(message("server/discover", {"_meta": MODERN}), message("tools/list", {"_meta": MODERN}, 2))
    assert "2026-07-28" in first["result"]["supportedVersions"]
    for found in (first, second):
        assert found["result"]["resultType"] == "complete"
        assert found["result"]["cacheScope"] == "public"
        assert found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "assetdb"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}', -32700),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        (b"7", -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": "x" * 1001, "method": "ping"}, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1}, -32600),
        (message("ping", [1]), -32602),
        (message("ping", {"_meta": 7}), -32602),
        (message("tools/list"), -32600),
        (message("server/discover"), -32602),
        (message("nothing/like/this", {"_meta": MODERN}), -32601),
        (message("tools/list", {"_meta": MODERN, "cursor": "x"}), -32602),
        (message("tools/call", {"_meta": MODERN, "name": "delete_everything"}), -32602),
        (message("tools/call", {"_meta": MODERN}), -32602),
        (message("resources/read", {"_meta": MODERN, "uri": 7}), -32602),
        (message("initialize", {"_meta": MODERN}), -32022),
        (message("ping", {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}), -32602),
        (message("ping", {"_meta": MODERN | {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}}), -32022),
    ],
)
def test_what_cannot_be_answered_is_an_error(sent: object, code: int) -> None:
    found = answers(sent)
    assert [answer["error"]["code"] for answer in found] == [code]
    assert found[0]["error"]["message"]
    if code == -32022:
        assert "2026-07-28" in found[0]["error"]["data"]["supported"]


@pytest.mark.parametrize(
    "sent",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}},
        {"jsonrpc": "2.0", "method": "notifications/of/tomorrow", "params": {"a": 1}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ],
)
def test_notifications_and_responses_have_no_answer(sent: object) -> None:
    assert answers(sent) == []


def test_all_declarations_take_at_most_2500_tokens() -> None:
    declared = [{**declaration(tool), "outputSchema": None} for tool in READING]
    assert len(json.dumps(declared, separators=(",", ":"))) <= 2000 * 4 + 400
    assert len(READING) <= 14


def test_the_declarations_of_tools_that_read_say_so() -> None:
    for tool in READING:
        assert declaration(tool)["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
        assert tool.summary.endswith(".")


@pytest.mark.long
def test_a_message_of_a_gigabyte_is_refused_and_not_kept(project: Path) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limits")
    if not hasattr(resource, "prlimit"):
        pytest.skip("only Linux limits another process")
    with assisting(project) as assistant:
        limit = 512 << 20
        resource.prlimit(assistant.process.pid, resource.RLIMIT_AS, (limit, limit))
        assert assistant.process.stdin is not None
        for _ in range(64):
            assistant.process.stdin.write(b"x" * (1 << 24))
        assistant.send(b"")
        found = assistant.receive()
        assert found["error"]["message"] == f"a message has at most {LARGEST_MESSAGE:,} bytes"
        assert "result" in assistant.request("ping")


def test_an_id_in_use_is_refused_and_the_first_request_answered(assistant: Assistant) -> None:
    sent = message("tools/call", {"_meta": MODERN, "name": "find", "arguments": {"pattern": "*"}}, "twice")
    line = json.dumps(sent).encode()
    assistant.send(line + b"\n" + line)
    refused, answered = assistant.receive(), assistant.receive()
    assert refused["error"]["code"] == -32600
    assert "id" in refused
    assert refused["id"] is None
    assert answered["id"] == "twice"
    assert "result" in answered


def test_a_cancelled_request_is_not_answered(assistant: Assistant) -> None:
    ask = {"_meta": MODERN, "name": "unused", "arguments": {"incomplete": True}}
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "b"}}
    lines = [message("tools/call", ask, "a"), message("tools/call", ask, "b"), cancel, message("tools/call", ask, "c")]
    assistant.send(b"\n".join(json.dumps(line).encode() for line in lines))
    assert [assistant.receive()["id"] for _ in range(2)] == ["a", "c"]


def test_more_requests_than_can_wait_are_refused_at_once(assistant: Assistant) -> None:
    ask = {"_meta": MODERN, "name": "unused", "arguments": {"incomplete": True}}
    assistant.send(b"\n".join(json.dumps(message("tools/call", ask, number)).encode() for number in range(200)))
    found = [assistant.receive() for _ in range(200)]
    assert {answer["id"] for answer in found} == set(range(200))
    refused = [answer for answer in found if "error" in answer]
    assert {answer["error"]["code"] for answer in refused} <= {-32000}
    assert len(found) - len(refused) >= 64


def test_a_client_that_closes_gets_what_it_asked_for(project: Path) -> None:
    with assisting(project) as assistant:
        assistant.send(message("tools/call", {"_meta": MODERN, "name": "find", "arguments": {"pattern": "Base"}}))
        assert assistant.process.stdin is not None
        assistant.process.stdin.close()
        assert "Base.prefab" in assistant.receive()["result"]["content"][0]["text"]


def test_outside_of_a_project_each_call_says_what_to_do(tmp_path: Path) -> None:
    with assisting(tmp_path) as assistant:
        assert "tools" in assistant.request("tools/list")["result"]
        assert "--project" in assistant.refused("find", {"pattern": "x"})
        assert (
            "missing-script (error)"
            in assistant.request("resources/read", {"uri": "assetdb://diagnostics/missing-script"})["result"][
                "contents"
            ][0]["text"]
        )


def test_a_resource_that_is_none_is_an_error(assistant: Assistant) -> None:
    assert assistant.request("resources/read", {"uri": "file:///etc/passwd"})["error"]["code"] == -32602
    (resource,) = assistant.request("resources/list")["result"]["resources"]
    (content,) = assistant.request("resources/read", {"uri": resource["uri"]})["result"]["contents"]
    assert os.path.isabs(content["text"].splitlines()[0].removeprefix("project "))
    (template,) = assistant.request("resources/templates/list")["result"]["resourceTemplates"]
    assert template["uriTemplate"] == "assetdb://diagnostics/{code}"


def test_the_files_of_the_project_are_where_out_dir_says(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    with assisting(project, "--out-dir", str(folder)) as assistant:
        found = assistant.request("tools/call", {"name": "find", "arguments": {"pattern": "Red"}})
    assert "Assets/Art/Red.mat" in json.dumps(found)
    assert (folder / "asset-db.bin").is_file()
