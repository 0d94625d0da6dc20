"""The child that decodes Oodle blocks: what it may answer, and what it costs when it dies."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.codecs import oodle
from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path

READY = """
import os, struct, sys, time
with open(__file__ + ".starts", "a") as file:
    file.write("x")
sys.stdout.buffer.write(b"ready"); sys.stdout.buffer.flush()
def answer(status, length, result):
    sys.stdout.buffer.write(struct.pack("<BI", status, length) + result); sys.stdout.buffer.flush()
while header := sys.stdin.buffer.read(8):
    size, raw = struct.unpack("<II", header)
    data = sys.stdin.buffer.read(size)
    if data == b"die": sys.exit(139)
    elif data == b"hang": time.sleep(60)
    elif data == b"half": sys.stdout.buffer.write(b"\\0\\1"); sys.exit()
    elif data == b"cut": answer(0, raw, b"x"); sys.exit()
    elif data == b"short": answer(0, raw - 1, bytes(raw - 1))
    elif data == b"long": answer(0, raw + 1, bytes(raw + 1))
    elif data == b"huge": answer(0, 1 << 31, b"")
    elif data == b"talk": answer(1, 1001, bytes(1001))
    elif data == b"bad": answer(1, 1000, b"no" * 500)
    else: answer(0, raw, data[:1] * raw)
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "child.py"
    path.write_text(READY)
    monkeypatch.setattr(oodle, "_CHILD", str(path))
    return path


def starts(child: Path) -> int:
    return len((child.parent / f"{child.name}.starts").read_text())


def test_one_child_decodes_all_blocks_and_refuses_single_ones(child: Path) -> None:
    with OodleProcess() as decoder:
        assert decoder.decompress(b"a", 3) == b"aaa"
        assert decoder.decompress(b"b", 2000) == b"b" * 2000
        assert decoder.decompress(b"c", 0) == b""
        for data, why in (
            (b"bad", "damaged Oodle block: (no){500}$"),
            (b"long", "gives 4 bytes, not 3"),
            (b"short", "gives 2 bytes, not 3"),
        ):
            with pytest.raises(FormatError, match=why) as caught:
                decoder.decompress(data, 3)
            assert caught.value.field == "block"
        assert decoder.decompress(b"d", 2) == b"dd"
        running = decoder._child
        assert running is not None
    assert starts(child) == 1
    assert running.poll() is not None
    decoder.close()  # which ended already


@pytest.mark.parametrize("data", [b"die", b"half", b"cut", b"huge", b"talk"])
def test_a_decoder_that_dies_or_cannot_be_trusted_costs_one_block(child: Path, data: bytes) -> None:
    with OodleProcess() as decoder:
        with pytest.raises(FormatError, match="it ended the decoder") as caught:
            decoder.decompress(data, 3)
        assert caught.value.field == "block"
        assert decoder._child is None
        assert decoder.decompress(b"b", 3) == b"bbb"
    assert starts(child) == 2


def test_a_decoder_that_hangs_is_ended(child: Path) -> None:
    with OodleProcess(timeout=0.1) as decoder, pytest.raises(FormatError, match="it ended the decoder"):
        decoder.decompress(b"hang", 3)
    assert starts(child) == 1


def test_a_child_without_a_decoder_is_started_once(child: Path) -> None:
    child.write_text("open(__file__ + '.starts', 'a').write('x')")
    with OodleProcess() as decoder:
        for _ in range(2):
            with pytest.raises(MissingExtraError, match=r"compressed with Oodle: .*assetdb\[oodle\]") as caught:
                decoder.decompress(b"a", 3)
            assert caught.value.field == "compression_method"
    assert starts(child) == 1


@pytest.mark.skipif(find_spec("ooz") is not None, reason="the oodle extra is installed")
def test_oodle_without_the_extra_is_named() -> None:
    with OodleProcess() as decoder, pytest.raises(MissingExtraError, match=r"assetdb\[oodle\]"):
        decoder.decompress(b"x", 1)
