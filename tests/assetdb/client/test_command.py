"""The client of one command line: requests, output, and answers that are left to the files."""

from __future__ import annotations

import io
import json
import os
import socket
import sys
import threading
from base64 import b64decode, b64encode
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from assetdb.client import command
from assetdb.client.command import NO_TERMINAL, Request, ask, ask_synced, bake_with_daemon
from assetdb.daemon.files.status_file import PROTOCOL, Status
from tests.needs import needs_modes, needs_unix_sockets
from tests.system.watch.daemons import short_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SILENT = "assetdb: the daemon does not answer; reading the files\n"
WORKING = b'{"jsonrpc":"2.0","method":"working","params":{}}\n'
RUN = {"code": 3, "output": [[1, "one\n"], [2, "two\n"]]}


def line(result: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode() + b"\n"


class Daemon(NamedTuple):
    """A daemon of one connection, which answers requests in turn: parts, of which each is sent at once, or nothing."""

    status: Status
    root: Path
    asked: list[dict[str, object]]

    def request(self, name: str, words: list[str], *places: int, shown: command.Terminals = NO_TERMINAL) -> Request:
        return Request(name, words, list(places), str(self.root), self.status, shown)

    def params(self, number: int = 0) -> dict[str, object]:
        found = self.asked[number]["params"]
        assert isinstance(found, dict)
        return found

    def stdin(self, number: int = 0) -> bytes:
        return b64decode(str(self.params(number)["stdin"]))


def status_of(**fields: object) -> Status:
    given: dict[str, object] = {"pid": 1, "start": "", "socket": "", "port": 0, "token": "", "version": "1"}
    return Status(given | {"protocol": PROTOCOL, "root": "", "started": 1} | fields)


@contextmanager
def served(peer: socket.socket, answers: Sequence[Sequence[bytes] | None]) -> Iterator[list[dict[str, object]]]:
    """Answer the requests of one client; None holds the connection until the client goes."""
    asked: list[dict[str, object]] = []

    def serve() -> None:
        client, _ = peer.accept()
        with suppress(ConnectionError), client, client.makefile("rb") as lines:  # the client may go at any time
            for answer in answers:
                request = lines.readline()
                if not request:
                    return
                asked.append(json.loads(request))
                if answer is None:
                    lines.read()
                for part in answer or ():
                    client.sendall(part)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield asked
    thread.join(10)


@contextmanager
def daemon(
    tmp_path: Path, *answers: Sequence[bytes] | None, hello: object = "second", said: str = "first second"
) -> Iterator[Daemon]:
    """Run a daemon on the loopback, which all systems have."""
    folder = tmp_path / "assetdb"
    folder.mkdir(mode=0o700)
    token = folder / "token"
    token.write_text(said)
    root = tmp_path / "project"
    root.mkdir()
    with socket.socket() as peer:
        peer.bind(("127.0.0.1", 0))
        peer.listen()
        status = status_of(port=peer.getsockname()[1], token=str(token))
        with served(peer, [[line({"token": hello})], *answers]) as asked, pytest.MonkeyPatch.context() as patch:
            patch.setenv("ASSETDB_WATCH_LOOPBACK", "1")
            try:
                yield Daemon(status, root, asked)
            finally:
                if not asked:  # nobody came
                    socket.create_connection(peer.getsockname()).close()
    if asked:
        assert (asked[0]["method"], asked[0]["params"]) == ("hello", {"protocol": PROTOCOL, "token": "first"})
        del asked[0]


def never() -> int:
    pytest.fail("it ran on the files")


def test_what_a_daemon_prints_is_printed(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out, err = (io.TextIOWrapper(io.FileIO(number, "w", closefd=False), "utf-8") for number in (1, 2))
    out.reconfigure(errors="backslashreplace", line_buffering=True)
    err.reconfigure(encoding="latin-1", write_through=True)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    no_text = [1, b64encode(b"\xff\n").decode(), True]
    whole = line({"code": 3, "output": [[1, "one\n"], [2, "two\n"], no_text]})
    parts = [WORKING + WORKING, WORKING[:20], WORKING[20:] + whole[:30], whole[30:]]
    words = ["find", "--csv", "\u00e9"]
    with daemon(tmp_path, parts) as made:
        assert ask(made.request("find", words, 2, shown=((80, True), (0, False))), never) == 3
    assert made.asked == [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "run",
            "params": {
                "argv": words,
                "cwd": os.getcwd(),
                "root": str(made.root),
                "streams": [["utf-8", "backslashreplace", "line", 80, True], ["latin-1", "strict", "none", 0, False]],
                "stdin": "",
            },
        }
    ]
    assert capfdbinary.readouterr() == (b"one\n\xff\n", b"two\n")


def test_output_goes_to_streams_of_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = io.StringIO("before "), io.StringIO()
    out.seek(0, io.SEEK_END)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with daemon(tmp_path, [line({"code": 0, "output": [[1, "\u00e9"], [2, "two"]]})]) as made:
        assert ask(made.request("find", ["find", "x"], 1), never) == 0
    assert made.params()["streams"] == [["utf-8", "strict", "block", 0, False]] * 2
    assert (out.getvalue(), err.getvalue()) == ("before \u00e9", "two")


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [line(RUN)[:-1]],
        [b"none\n"],
        [b"\xff\n"],
        [b"[]\n"],
        [b'{"error":{"code":-32001,"message":"stopping"}}\n'],
        [line([])],
        [line({"output": []})],
        [line({"code": "0", "output": []})],
        [line({"code": 0, "output": ""})],
    ],
)
def test_no_answer_is_left_to_the_files(
    tmp_path: Path, answer: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    with daemon(tmp_path, answer) as made:
        assert ask(made.request("find", ["find", "x"], 1), never) is None
    assert [each["method"] for each in made.asked] == ["run"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("synced", [False, True])
def test_a_silent_daemon_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, synced: bool
) -> None:
    monkeypatch.setattr(command, "_TIMEOUT", 5 if synced else 0.3)
    monkeypatch.setattr(command, "_LONG_TIMEOUT", 0.3)
    with daemon(tmp_path, None) as made:
        assert ask(made.request("check", ["check"]), never, synced=synced) is None
    assert capsys.readouterr() == ("", SILENT)


@pytest.mark.parametrize(("hello", "said"), [("other", "first second"), ("", "first"), (None, "first second")])
def test_a_daemon_that_does_not_know_the_words_is_asked_nothing(tmp_path: Path, hello: object, said: str) -> None:
    with daemon(tmp_path, [line(RUN)], hello=hello, said=said) as made:
        assert ask(made.request("find", ["find", "x"], 1), never) is None
    assert made.asked == []


@pytest.mark.parametrize("folder", ["other", "assetdb"])
def test_words_of_others_are_not_said(tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token = tmp_path / folder / "token"
    with daemon(tmp_path, [line(RUN)]) as made:
        if folder == "other":
            token.parent.mkdir(mode=0o700)
            (tmp_path / "assetdb" / "token").rename(token)
        else:  # where a daemon listens on a socket, no other is asked
            monkeypatch.setattr(command, "may_be_port", lambda: False)
        made.status.token = str(token)
        assert ask(made.request("find", ["find", "x"], 1), never) is None
    assert made.asked == []


@needs_unix_sockets
@needs_modes
@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_socket_is_asked_in_a_folder_of_the_user_alone(mode: int, capsys: pytest.CaptureFixture[str]) -> None:
    folder = short_folder() / "assetdb"
    folder.mkdir()
    folder.chmod(mode)
    path = str(folder / "s")
    with socket.socket(socket.AF_UNIX) as peer:
        peer.bind(path)
        peer.listen()
        with served(peer, [[line(RUN)]]) as asked:
            request = Request("find", ["find", "x"], [1], "/p", status_of(socket=path, port=1), NO_TERMINAL)
            assert ask(request, never) == (3 if mode == 0o700 else None)
            if mode != 0o700:
                with socket.socket(socket.AF_UNIX) as other:
                    other.connect(path)
    assert [each["method"] for each in asked] == (["run"] if mode == 0o700 else [])
    assert capsys.readouterr().err == ("two\n" if mode == 0o700 else "")


def test_an_update_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with daemon(tmp_path, [line({})], [line({"code": 1, "output": []})]) as made:
        assert ask(made.request("check", ["check", "--staged"]), never, synced=True) == 1
    assert [each["method"] for each in made.asked] == ["sync", "run"]
    assert made.params() == {"timeout": 30.0, "files": False, "root": str(made.root)}
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("answer", "expected"), [([line({})], 7), ([], None)])
def test_files_are_read_after_an_update(tmp_path: Path, answer: list[bytes], expected: int | None) -> None:
    with daemon(tmp_path, answer) as made:
        assert ask_synced(made.request("check", ["check"]), lambda: 7) == expected
    assert (made.asked[0]["method"], made.params()["files"]) == ("sync", True)


@pytest.mark.parametrize(("answer", "expected"), [([line({"written": True})], {"written": True}), ([], None)])
def test_a_bake(tmp_path: Path, answer: list[bytes], expected: object) -> None:
    with daemon(tmp_path, answer) as made:
        assert bake_with_daemon(str(made.root), made.status) == expected
    assert (made.asked[0]["method"], made.params()["files"]) == ("bake", True)


# --- stdin


def stdin_of(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "ascii"))


def test_lines_are_asked_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin_of(monkeypatch, b"one\n \n\nt\xc3\xa9o\nl\xffst")
    answers = [[line({"code": code, "output": [[1, f"{code};"]]})] for code in (0, 2, 1)]
    with daemon(tmp_path, *answers) as made:
        assert ask(made.request("name", ["name", "-"], 1), never) == 2
    assert [made.stdin(number) for number in range(3)] == [b"one\n", "t\u00e9o\n".encode(), "l\ufffdst".encode()]
    assert made.params()["argv"] == ["name", "-"]
    assert capsys.readouterr().out == "0;2;1;"


@pytest.mark.parametrize(("code", "rest", "expected"), [(2, 1, 2), (0, 1, 1)])
def test_lines_that_a_daemon_leaves_are_read_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, rest: int, expected: int
) -> None:
    stdin_of(monkeypatch, b"one\ntwo\nthree\n")
    left: list[str] = []

    def on_files() -> int:
        left.extend(sys.stdin)
        return rest

    with daemon(tmp_path, [line({"code": code, "output": []})], []) as made:
        assert ask(made.request("name", ["name", "-"], 1), on_files) == expected
    assert left == ["two\n", "three\n"]


def test_lines_and_words_together_are_left_to_the_files(tmp_path: Path) -> None:
    with daemon(tmp_path) as made:
        assert ask(made.request("name", ["name", "-", "x"], 1, 2), never) is None
    assert made.asked == []


@pytest.mark.parametrize(
    ("size", "answers", "expected"), [(8, ([line(RUN)],), 3), (9, (), None), (8, ([],), None), (0, ([line(RUN)],), 3)]
)
def test_a_text_of_stdin_is_annotated_as_a_whole(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    answers: tuple[list[bytes], ...],
    expected: int | None,
) -> None:
    monkeypatch.setattr(command, "_LARGEST_INPUT", 8)
    text = b"a\n\xc3\xa9\n\n12345"[:size]
    stdin_of(monkeypatch, text)
    with daemon(tmp_path, *answers) as made:
        assert ask(made.request("annotate", ["annotate", "-"], 1), never) == expected
    assert [made.stdin(number) for number in range(len(made.asked))] == [text] * len(answers)
    if expected is None:
        assert sys.stdin.read() == text.decode(), "the command reads it again"


# --- a file to annotate


@pytest.mark.parametrize(
    ("place", "size", "sent"),
    [
        ("project", 0, "words"),
        ("project", 16, "words"),
        ("project", 17, ""),
        ("outside", 0, "data"),
        ("outside", 8, "data"),
        ("outside", 9, ""),
        ("project", None, ""),
        ("project-2", 8, "data"),
        (".", -1, ""),
    ],
)
def test_a_file_is_sent_along_from_outside_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, size: int | None, sent: str
) -> None:
    monkeypatch.setattr(command, "LARGEST_FILE", 16)
    monkeypatch.setattr(command, "_LARGEST_INPUT", 8)
    monkeypatch.chdir(tmp_path)
    with daemon(tmp_path, *([[line(RUN)]] if sent else [])) as made:
        path = Path(place, "a.prefab")
        path.parent.mkdir(exist_ok=True)
        if size == -1:
            path.mkdir()
        elif size is not None:
            path.write_bytes(b"x" * size)
        words = ["annotate", "--csv", str(path), "-o"]
        assert ask(made.request("annotate", words, 2), never) == (3 if sent else None)
    if sent:
        assert made.params()["argv"] == (words if sent == "words" else ["annotate", "--csv", "-", "-o"])
        assert made.stdin() == (b"x" * (size or 0) if sent == "data" else b"")
    else:
        assert made.asked == []
