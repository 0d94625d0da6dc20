"""AES against published results, each decompressor, and what extras are for."""

from __future__ import annotations

import random
import sys
import zlib
from importlib import import_module
from importlib.util import find_spec

import pytest

from assetdb_formats import extras
from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.codecs.aes import Cipher
from assetdb_formats.unreal.codecs.compression import decompress
from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.errors import MissingExtraError
from assetdb_formats.unreal.iostore.container import Container
from assetdb_formats.unreal.iostore.toc import Toc
from tests.assetdb_formats.unreal.iostore.writer import KEY, Files, Written, chunk_id, write_container


def pattern(size: int) -> bytes:
    return bytes(number % 251 for number in range(size))


def test_aes_of_the_standard() -> None:
    pytest.importorskip("cryptography", reason="this Python is without cryptography")
    key = bytes(range(32))  # FIPS 197, appendix C.3
    assert Cipher(key).ecb_decrypt(bytes.fromhex("8ea2b7ca516745bfeafc49904b496089")).hex() == (
        "00112233445566778899aabbccddeeff"
    )
    # SP 800-38A, F.5.5: the counter block ends in a counter that starts anywhere.
    key = bytes.fromhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    block = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    plain = bytes.fromhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    stored = bytes.fromhex("601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5")
    assert Cipher(key).ctr(plain, block[:12], int.from_bytes(block[12:], "big")) == stored
    assert Cipher(key).ctr(stored[16:], block[:12], int.from_bytes(block[12:], "big") + 1) == plain[16:]
    assert Cipher(key).ctr(b"", block[:12]) == b""


def test_keys_ivs_and_blocks_of_a_wrong_size_are_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Cipher(b"short")
    with pytest.raises(ValueError, match="whole blocks"):
        Cipher(bytes(32)).ecb_decrypt(b"123")
    with pytest.raises(ValueError, match="12 bytes"):
        Cipher(bytes(32)).ctr(b"123", b"short")


def test_zlib_gives_exactly_its_size() -> None:
    data = pattern(1000)
    packed = zlib.compress(data)
    assert decompress("Zlib", packed, 1000) == data
    for size in (999, 1001, 0):
        with pytest.raises(FormatError):
            decompress("Zlib", packed, size)
    with pytest.raises(FormatError, match="damaged"):
        decompress("zlib", b"no zlib here", 10)
    with pytest.raises(FormatError, match="unknown compression method 'Bogus'"):
        decompress("Bogus", packed, 1000)
    bomb = zlib.compress(bytes(50 << 20))
    with pytest.raises(FormatError, match="more than"):
        decompress("Zlib", bomb, 1000)


def test_lz4() -> None:
    block = import_module("lz4.block")
    data = pattern(5000)
    assert decompress("LZ4", block.compress(data, store_size=False), 5000) == data
    with pytest.raises(FormatError):
        decompress("LZ4", b"\xff" * 40, 5000)


@pytest.mark.skipif(find_spec("zstandard") is None, reason="the zstd extra is not installed")
def test_zstd() -> None:
    zstandard = import_module("zstandard")
    data = pattern(5000)
    packed = zstandard.ZstdCompressor().compress(data)
    assert decompress("Zstd", packed, 5000) == data
    for size in (4999, 5001):
        with pytest.raises(FormatError):
            decompress("Zstd", packed, size)
    with pytest.raises(FormatError):
        decompress("Zstd", b"\xff" * 40, 5000)


def opened(files: Files, key: bytes | None = None) -> Container:
    return Container(Toc(files.toc), files.read, key=key, toc_size=len(files.toc))


def without(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an optional library be absent."""

    def absent(name: str) -> object:
        if name.partition(".")[0] == module:
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(extras, "import_module", absent)


@pytest.mark.parametrize(("method", "module", "extra"), [("Zstd", "zstandard", "zstd"), ("Brotli", "brotli", "brotli")])
def test_a_missing_extra_is_named(method: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without(module, monkeypatch)
    with pytest.raises(MissingExtraError, match=rf"pip install 'assetdb\[{extra}\]'"):
        decompress(method, b"x", 1)


def test_without_aes_what_is_not_encrypted_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = Written(chunk_id(1, "BulkData", 8), b"secret" * 9, "a.bin")
    container = opened(write_container(8, [chunk], encryption=1), KEY)
    without("cryptography", monkeypatch)
    assert container.toc.lengths[0] == 54
    for read in (container.directory_index, lambda: container.read_chunk(0)):
        with pytest.raises(MissingExtraError, match=r"encrypted with AES: pip install 'assetdb\[aes\]'"):
            read()


def test_oodle_without_a_decoder() -> None:
    with pytest.raises(MissingExtraError, match="no decoder"):
        decompress("Oodle", b"x", 1)


@pytest.mark.skipif(find_spec("ooz") is not None, reason="the oodle extra is installed")
def test_oodle_without_the_extra_is_named() -> None:
    with OodleProcess() as oodle, pytest.raises(MissingExtraError, match=r"assetdb\[oodle\]"):
        oodle.decompress(b"x", 1)


def fake_child(tmp_path: object, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    from assetdb_formats.unreal.codecs import oodle  # noqa: PLC0415 - patched here

    path = f"{tmp_path}/child.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "import sys, struct\nout = sys.stdout.buffer\nout.write(b'ready'); out.flush()\n"
            "def ask():\n    size, raw = struct.unpack('<II', sys.stdin.buffer.read(8))\n"
            "    return sys.stdin.buffer.read(size), raw\n" + body
        )
    monkeypatch.setattr(oodle, "_CHILD", path)
    assert sys.executable


DIES = """
while True:
    data, raw = ask()
    if data == b'die': sys.exit(139)
    if data == b'hang':
        import time
        time.sleep(60)
    if data == b'long': out.write(struct.pack('<BI', 0, raw + 1) + bytes(raw + 1))
    elif data == b'bad': out.write(struct.pack('<BI', 1, 2) + b'no')
    else: out.write(struct.pack('<BI', 0, raw) + data[:1] * raw)
    out.flush()
"""


@pytest.mark.long
def test_a_decoder_that_dies_or_hangs_costs_one_block(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_child(tmp_path, monkeypatch, DIES)
    with OodleProcess(timeout=1.0) as oodle:
        assert oodle.decompress(b"a", 3) == b"aaa"
        with pytest.raises(FormatError, match="ended the decoder"):
            oodle.decompress(b"die", 3)
        assert oodle.decompress(b"b", 3) == b"bbb"
        with pytest.raises(FormatError, match="ended the decoder"):
            oodle.decompress(b"hang", 3)
        assert oodle.decompress(b"c", 3) == b"ccc"
        with pytest.raises(FormatError, match="no"):
            oodle.decompress(b"bad", 3)
        with pytest.raises(FormatError, match="4 bytes, not 3"):
            oodle.decompress(b"long", 3)
        assert oodle.decompress(b"d", 2) == b"dd"


@pytest.mark.skipif(find_spec("ooz") is None, reason="the oodle extra is not installed")
def test_damaged_oodle_blocks_end_in_our_error() -> None:
    random.seed(9)
    with OodleProcess() as oodle:
        for _ in range(20):
            with pytest.raises(FormatError):
                decompress("Oodle", b"\x8c\x06" + random.randbytes(300), 60000, oodle)
