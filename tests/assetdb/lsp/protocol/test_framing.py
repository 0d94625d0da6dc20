from __future__ import annotations

import io

import pytest

from assetdb.daemon.rpc.lines import Writer
from assetdb.lsp.protocol.framing import FramingError, framed, read_messages


def messages(data: bytes, largest: int = 100) -> list[bytes]:
    return list(read_messages(io.BytesIO(data), largest=largest))


def test_messages_are_read_one_after_the_other() -> None:
    data = b"Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x; charset=utf-8\r\n\r\n[1]"
    data += b"Content-Length: 0\r\n\r\n"
    assert messages(data) == [b"{}", b"[1]", b""]


def test_a_message_that_ends_in_the_middle_is_none() -> None:
    assert messages(b"Content-Length: 20\r\n\r\n{}") == []
    assert messages(b"") == []


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 101\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
        b"Content-Type: x\r\n\r\n{}",
        b"\r\n",
        b"{}\r\n\r\n",
        b"a: b\r\n" * 40,
        b"x" * 5000,
    ],
)
def test_what_is_no_header_is_said_and_allocates_nothing(data: bytes) -> None:
    with pytest.raises(FramingError):
        messages(data)


def test_a_writer_whose_reader_has_gone_writes_nothing() -> None:
    stream = io.BytesIO()
    writer = Writer(stream, framed)
    writer.write(b"{}")
    assert stream.getvalue() == b"Content-Length: 2\r\n\r\n{}"
    stream.close()
    writer.write(b"{}")
    assert writer.closed
