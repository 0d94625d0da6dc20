"""Each decompressor gives exactly the size that was promised, or an error."""

from __future__ import annotations

import gzip
import random
import zlib
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from assetdb_formats import extras
from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.codecs.compression import decompress
from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = bytes(number % 251 for number in range(5000))
PACK: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "None": ("", lambda data: data),
    "": ("", lambda data: data),
    "Zlib": ("", zlib.compress),
    "Gzip": ("", gzip.compress),
    "LZ4": ("lz4.block", lambda data: import_module("lz4.block").compress(data, store_size=False)),
    "Zstd": ("zstandard", lambda data: import_module("zstandard").ZstdCompressor().compress(data)),
    "zstandard": ("zstandard", lambda data: import_module("zstandard").ZstdCompressor().compress(data)),
    "Brotli": ("brotli", lambda data: import_module("brotli").compress(data)),
}


@pytest.mark.parametrize("method", PACK)
def test_a_block_gives_its_size_and_nothing_else(method: str) -> None:
    module, pack = PACK[method]
    if module:
        pytest.importorskip(module, reason=f"this Python is without {module}")
    for name in (method, method.upper(), method.lower()):
        assert decompress(name, pack(DATA), 5000) == DATA
    for size in (4999, 5001, 0):
        with pytest.raises(FormatError) as caught:
            decompress(method, pack(DATA), size)
        assert caught.value.field == "block"
    assert decompress(method, pack(b""), 0) == b""


@pytest.mark.parametrize("method", ["Zlib", "Gzip", "LZ4", "Zstd", "Brotli"])
@pytest.mark.parametrize("data", [b"\xff" * 40, b"no block here, for sure"])
def test_damage_is_ours(method: str, data: bytes) -> None:
    module, _ = PACK[method]
    if module:
        pytest.importorskip(module, reason=f"this Python is without {module}")
    with pytest.raises(FormatError):
        decompress(method, data, 5000)


@pytest.mark.parametrize("method", ["Zlib", "Gzip", "Zstd", "Brotli"])
def test_a_bomb_is_not_unpacked(method: str) -> None:
    module, pack = PACK[method]
    if module:
        pytest.importorskip(module, reason=f"this Python is without {module}")
    with pytest.raises(FormatError, match=r"more than 1000 bytes|gives \d{4,5} bytes, not 1000"):
        decompress(method, pack(bytes(1 << 20)), 1000)


def test_methods_and_sizes_that_are_refused() -> None:
    with pytest.raises(FormatError, match="unknown compression method 'Bogus'") as caught:
        decompress("Bogus", DATA, 5000)
    assert caught.value.field == "compression_method"
    largest = 64 << 20
    with pytest.raises(FormatError, match=f"a block of {largest + 1} bytes; at most {largest} are read"):
        decompress("Zlib", b"", largest + 1)
    with pytest.raises(FormatError, match=f"None block gives 1 bytes, not {largest}"):
        decompress("None", b"x", largest)


@pytest.mark.parametrize(("method", "module", "extra"), [("Zstd", "zstandard", "zstd"), ("Brotli", "brotli", "brotli")])
def test_a_missing_extra_is_named(method: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        if name.partition(".")[0] == module:
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(extras, "import_module", absent)
    with pytest.raises(MissingExtraError, match=rf"pip install 'assetdb\[{extra}\]'"):
        decompress(method, b"x", 1)


def test_oodle_is_decoded_by_what_is_given() -> None:
    class Decoder:
        def decompress(self, data: bytes, size: int) -> bytes:
            return data[:1] * size

    assert decompress("Oodle", b"ab", 3, Decoder()) == b"aaa"
    with pytest.raises(MissingExtraError, match="no decoder") as caught:
        decompress("Oodle", b"x", 1)
    assert caught.value.field == "compression_method"


@pytest.mark.skipif(find_spec("ooz") is None, reason="the oodle extra is not installed")
def test_damaged_oodle_blocks_end_in_our_error() -> None:
    random.seed(9)
    with OodleProcess() as oodle:
        for _ in range(20):
            with pytest.raises(FormatError):
                decompress("Oodle", b"\x8c\x06" + random.randbytes(300), 60000, oodle)
