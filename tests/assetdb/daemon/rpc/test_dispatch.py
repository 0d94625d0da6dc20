"""Which requests the loop answers, and answers that are made piece by piece."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from assetdb.daemon.rpc import protocol, remote_command
from assetdb.daemon.rpc.dispatch import METHODS, is_quick
from assetdb.daemon.rpc.protocol import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable

IN_LOOP = ("bake", "changed", "hello", "shutdown", "status", "subscribe", "sync", "unsubscribe")


@pytest.mark.parametrize("method", METHODS)
def test_which_requests_the_loop_answers(method: str) -> None:
    line = protocol.request(1, method, {})
    assert is_quick(line) == (method in IN_LOOP)
    assert not is_quick(b"[" + line + b"]")
    assert not is_quick(protocol.request(1, method, {"queries": ["x" * 5000]}))
    assert not is_quick(protocol.request(1, "resolve", {"queries": [method]}))
    assert not is_quick(line[:-1])


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 1000])
@pytest.mark.parametrize("of", [list, iter])
def test_a_list_is_made_in_pieces(count: int, of: Callable[[list[object]], object]) -> None:
    items: list[object] = [{"name": f"Ä{number}"} for number in range(count)]
    pieces = protocol.response(7, {"found": of(list(items)), "total": count}, 1 << 20)
    answer = {"jsonrpc": "2.0", "id": 7, "result": {"found": items, "total": count}}
    assert json.loads(b"".join(pieces)) == answer
    with pytest.raises(TooLargeError):
        protocol.response(7, {"found": of(list(items)), "total": count}, 20)


def test_a_text_is_made_in_pieces() -> None:
    text = 'a"ä\n\U0001f600\\' * 200_000
    pieces = protocol.response(7, {"text": text}, 8 << 20)
    assert len(pieces) > 5
    assert json.loads(b"".join(pieces))["result"] == {"text": text}


def test_output_is_not_cut_within_a_character() -> None:
    data = ("a" + "€😀" * 200_000).encode()
    found = list(remote_command._output([(1, bytearray(data)), (2, bytearray(b"\xff" * 300_000))]))
    assert all(isinstance(item, msgspec.Raw) for item in found)
    chunks = [json.loads(bytes(item)) for item in found]
    assert "".join(chunk[1] for chunk in chunks if chunk[0] == 1) == data.decode()
    assert all(len(chunk) == 2 for chunk in chunks if chunk[0] == 1)
    assert all(len(chunk) == 3 for chunk in chunks if chunk[0] == 2)
