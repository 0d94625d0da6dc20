"""Messages of both forms of the protocol are read as what they are, or refused with the right code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assetdb.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    MODERN_VERSIONS,
    McpError,
    Message,
    error_line,
    negotiated,
    read_message,
    result_line,
)

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
MODERN: dict[str, Any] = {VERSION_KEY: MODERN_VERSIONS[-1], CAPABILITIES_KEY: {}}


def read(**fields: object) -> Message:
    return read_message(json.dumps({"jsonrpc": "2.0", **fields}).encode())


@pytest.mark.parametrize("number", [0, -5, 1 << 999, "", "a" * 1000])
def test_a_request_has_a_method_its_parameters_and_an_id(number: int | str) -> None:
    assert read(method="ask", params={"a": 1}, id=number) == Message("ask", {"a": 1}, number, is_modern=False)


def test_a_notification_has_no_id_and_a_response_no_method() -> None:
    assert read(method="ask") == Message("ask", {}, None, is_modern=False)
    assert read(id=5, result={}) == Message("", {}, 5, is_modern=False)
    assert read(id=5, error={}) == Message("", {}, 5, is_modern=False)


@pytest.mark.parametrize(
    ("line", "code", "message", "number"),
    [
        (b"", -32700, "a line is not JSON in UTF-8: send one JSON-RPC message a line", None),
        (b"{", -32700, "a line is not JSON in UTF-8: send one JSON-RPC message a line", None),
        (b'"\xff"', -32700, "a line is not JSON in UTF-8: send one JSON-RPC message a line", None),
        (b"[]", -32600, "a message is a JSON object; MCP has no batches: send one message a line", None),
    ],
)
def test_a_line_that_is_no_object_is_refused(line: bytes, code: int, message: str, number: None) -> None:
    with pytest.raises(McpError) as caught:
        read_message(line)
    assert (caught.value.code, caught.value.message, caught.value.number) == (code, message, number)


ID = "an id is a text or an integer, of at most 1,000 characters"


@pytest.mark.parametrize(
    ("fields", "code", "message", "number"),
    [
        ({"id": None, "method": "ask"}, -32600, ID, None),
        ({"id": True, "method": "ask"}, -32600, ID, None),
        ({"id": 1.5, "method": "ask"}, -32600, ID, None),
        ({"id": "a" * 1001, "method": "ask"}, -32600, ID, None),
        ({"id": 1 << 1000, "method": "ask"}, -32600, ID, None),
        ({"id": 5, "method": "ask", "jsonrpc": "1.0"}, -32600, 'a message has "jsonrpc": "2.0"', 5),
        ({"id": 5}, -32600, "a message has a method, or is a response", 5),
        ({"id": 5, "method": ""}, -32600, "a message has a method, or is a response", 5),
        ({"id": 5, "method": 7, "result": {}}, -32600, "a message has a method, or is a response", 5),
        ({"id": 5, "method": "ask", "params": []}, -32602, "params is an object", 5),
        ({"id": 5, "method": "ask", "params": {"_meta": []}}, -32602, "params._meta is an object", 5),
    ],
)
def test_a_message_that_is_none_is_refused_with_its_id(
    fields: dict[str, object], code: int, message: str, number: int | None
) -> None:
    with pytest.raises(McpError) as caught:
        read(**fields)
    assert (caught.value.code, caught.value.message, caught.value.number) == (code, message, number)


def test_a_request_that_names_its_version_is_modern() -> None:
    params = {"_meta": MODERN}
    assert read(method="ask", params=params, id=5) == Message("ask", params, 5, is_modern=True)
    assert not read(method="ask", params={"_meta": {"other": 1}}, id=5).is_modern
    assert read(method="ask", params={"_meta": {VERSION_KEY: "x"}}).is_modern  # a notification is not answered


@pytest.mark.parametrize(
    "meta", [{VERSION_KEY: 5, CAPABILITIES_KEY: {}}, {VERSION_KEY: "x"}, {**MODERN, CAPABILITIES_KEY: []}]
)
def test_a_modern_request_has_a_version_and_capabilities(meta: dict[str, object]) -> None:
    with pytest.raises(McpError) as caught:
        read(method="ask", params={"_meta": meta}, id=5)
    assert (caught.value.code, caught.value.number) == (-32602, 5)
    assert caught.value.message == f"params._meta has {VERSION_KEY}, a text, and {CAPABILITIES_KEY}, an object"


@pytest.mark.parametrize("version", ["x" * 200, HANDSHAKE_VERSIONS[-1]])
def test_another_version_is_refused_with_those_that_are_spoken(version: str) -> None:
    with pytest.raises(McpError) as caught:
        read(method="ask", params={"_meta": {**MODERN, VERSION_KEY: version}}, id=5)
    assert caught.value.code == -32022
    assert caught.value.data == {"supported": [*MODERN_VERSIONS, *HANDSHAKE_VERSIONS], "requested": version[:100]}


@pytest.mark.parametrize(
    ("requested", "answer"),
    [
        (HANDSHAKE_VERSIONS[0], HANDSHAKE_VERSIONS[0]),
        (MODERN_VERSIONS[0], HANDSHAKE_VERSIONS[-1]),
        ("other", HANDSHAKE_VERSIONS[-1]),
        (None, HANDSHAKE_VERSIONS[-1]),
    ],
)
def test_a_handshake_has_the_requested_version_or_the_newest(requested: object, answer: str) -> None:
    assert negotiated(requested) == answer


def test_an_answer_has_the_server_in_modern_versions_alone() -> None:
    server = {"name": "assetdb"}
    old = json.loads(result_line(Message("ask", {}, 5, is_modern=False), {"a": 1}, server))
    assert old == {"jsonrpc": "2.0", "id": 5, "result": {"a": 1}}
    modern = json.loads(result_line(Message("ask", {}, "x", is_modern=True), {"a": 1}, server))
    meta = {"io.modelcontextprotocol/serverInfo": server}
    assert modern == {"jsonrpc": "2.0", "id": "x", "result": {"a": 1, "resultType": "complete", "_meta": meta}}


def test_an_error_has_data_if_there_are_any() -> None:
    assert json.loads(error_line(McpError(-1, "no"))) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -1, "message": "no"},
    }
    found = json.loads(error_line(McpError(-1, "no", data=[], number=5)))
    assert (found["id"], found["error"]["data"]) == (5, [])
