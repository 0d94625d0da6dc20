"""Which requests the loop answers, and answers that are made piece by piece."""

from __future__ import annotations

import json
import sys
import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from assetdb.daemon.rpc import call, dispatch, protocol, remote_command
from assetdb.daemon.rpc.connection import Limits
from assetdb.daemon.rpc.dispatch import METHODS, Dispatcher, is_quick
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


@pytest.mark.parametrize("buffering", ["block", "line", "none"])
def test_lines_of_an_answer_end_as_in_a_pipe_of_the_client(buffering: str) -> None:
    def runner(words: list[str], cwd: str, project: object) -> int:
        sys.stdout.write(f"{words} {project}\n")
        sys.stderr.write(f"{cwd}\n")
        return 1

    streams = [["utf-8", "strict", buffering]] * 2
    params = msgspec.convert({"argv": ["a", "b"], "cwd": "c", "root": "", "streams": streams}, protocol.Run)
    answer = remote_command.run(params, None, runner)  # type: ignore[arg-type]  # it is nothing but passed on
    said = [json.loads(bytes(item)) for item in answer["output"]]  # type: ignore[attr-defined]
    assert answer["code"] == 1
    for number, text in ((1, "['a', 'b'] None\n"), (2, "c\n")):  # \r\n on Windows, where the files answer with \n
        assert "".join(part[1] for part in said if part[0] == number) == text


class Host:
    """A daemon that heard of changes, and reads them when the test says so."""

    def __init__(self) -> None:
        self.has_reported = True
        self.followers: list[Callable[[], None]] = []
        self.is_followed = threading.Event()
        self.project = "before"

    def follow(self, done: Callable[[], None]) -> None:
        self.followers.append(done)
        self.is_followed.set()

    def read(self) -> None:
        self.project, self.has_reported = "after", False
        for done in self.followers:
            done()


def asked(host: Host, monkeypatch: pytest.MonkeyPatch, count: int) -> tuple[threading.Thread, list[bytes]]:
    """Ask one question, or as many in a batch, in a thread; the list gets what is sent."""
    seen = SimpleNamespace(params=dict[str, object], is_long=False, run=lambda _params, project, _allowance: project)
    monkeypatch.setitem(dispatch._BY_NAME, "resolve", seen)  # type: ignore[arg-type] # all that is used
    monkeypatch.setitem(dispatch._DECODERS, "resolve", msgspec.json.Decoder(dict[str, object]))  # type: ignore[arg-type]
    sent: list[bytes] = []
    server = SimpleNamespace(limits=Limits(), unread=0, post=lambda work: work())
    connection: Any = SimpleNamespace(
        server=server,
        allowed=True,
        pending=set(),
        close_when_done=lambda: None,
        send=lambda *pieces: sent.extend(pieces),
    )
    dispatcher = Dispatcher(lambda: host.project, host, lambda *_: None)  # type: ignore[arg-type,return-value]
    line = protocol.request(1, "resolve", {})
    lines = line if count == 1 else b"[" + b",".join([line] * count) + b"]"
    thread = threading.Thread(target=dispatcher.handle, args=(connection, lines))
    thread.start()
    return thread, sent


def test_a_question_has_what_was_written_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "_PATIENCE", 600.0)
    host = Host()
    thread, sent = asked(host, monkeypatch, 1)
    assert host.is_followed.wait(60)
    assert not sent
    host.read()
    thread.join(60)
    assert json.loads(b"".join(sent))["result"] == "after"


def test_questions_of_a_batch_wait_together_and_in_a_storm_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "_PATIENCE", 0.2)
    host = Host()
    began = time.monotonic()
    thread, sent = asked(host, monkeypatch, 50)
    thread.join(60)
    assert time.monotonic() - began >= 0.2
    assert [row["result"] for row in json.loads(b"".join(sent))] == ["before"] * 50
    assert len(host.followers) == 1


def test_a_question_waits_for_nothing_where_nothing_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host()
    host.has_reported = False
    thread, sent = asked(host, monkeypatch, 1)
    thread.join(60)
    assert (host.followers, json.loads(b"".join(sent))["result"]) == ([], "before")
