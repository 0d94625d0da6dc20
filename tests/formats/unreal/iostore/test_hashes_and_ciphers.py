"""BLAKE3, CityHash64 and AES against published and independent results, and each decompressor."""

from __future__ import annotations

import random
import sys
import zlib
from importlib import import_module
from importlib.util import find_spec

import pytest

from formats.binary import FormatError
from formats.codecs.city_hash import city_hash_64, object_path_hash, package_id
from formats.unreal import compression
from formats.unreal.aes import PlainCipher, cipher
from formats.unreal.blake3 import blake3, blake3_many, blake3_pieces
from formats.unreal.compression import decompress
from formats.unreal.errors import MissingExtraError
from formats.unreal.oodle import OodleProcess


def pattern(size: int) -> bytes:
    return bytes(number % 251 for number in range(size))


# Of BLAKE3's published test vectors: inputs of the pattern above.
BLAKE3 = {
    0: "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
    1: "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
    64: "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98",
    1023: "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11",
    1024: "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
    1025: "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
    2048: "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a",
    3072: "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2",
    8193: "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b",
    31744: "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47",
}
# From Google's own implementation, bytes 0, 1, 2, ...
CITY = {
    0: 0x9AE16A3B2F90404F,
    1: 0xBE6056EDF5E94B54,
    3: 0x94A13D22E9EBA49A,
    7: 0xA2E0BFF20DB0A6A1,
    12: 0x9FD5DF33AEFC3D7D,
    16: 0x0EFD25A0A34156D4,
    17: 0xBBB6A6F8F20D1F1C,
    32: 0x1A9D8199972CDF49,
    33: 0x46E1378CBC22DABA,
    64: 0xE99AB80F5EC7DCA5,
    65: 0xAC589C990483DD2E,
    128: 0x10B153630AF1F395,
    200: 0xF4D24E8C7493C3D8,
}


@pytest.mark.parametrize("size", BLAKE3)
def test_blake3_vectors(size: int) -> None:
    assert blake3(pattern(size)).hex() == BLAKE3[size]


def test_blake3_of_many_and_of_pieces_is_that_of_each() -> None:
    random.seed(5)
    inputs = [random.randbytes(size) for size in (0, 1, 64, 1023, 1024, 1025, 2048, 3000, 70000, 5000, 0)]
    assert blake3_many(inputs) == [blake3(data) for data in inputs]
    long = random.randbytes((2 << 20) + 77)
    for step in (4096, 65537):
        assert blake3_pieces(long[start : start + step] for start in range(0, len(long), step)) == blake3(long)
    assert blake3_pieces([]) == blake3(b"")
    assert blake3_many([]) == []


@pytest.mark.skipif(find_spec("blake3") is None, reason="the blake3 wheel is not installed")
def test_blake3_equals_the_wheel() -> None:
    peer = import_module("blake3")
    random.seed(6)
    inputs = [random.randbytes(random.randrange(30000)) for _ in range(60)]
    assert blake3_many(inputs) == [peer.blake3(data).digest() for data in inputs]


@pytest.mark.parametrize("size", CITY)
def test_city_hash_vectors(size: int) -> None:
    assert city_hash_64(bytes(range(size))) == CITY[size]


@pytest.mark.skipif(find_spec("cityhash") is None, reason="the cityhash wheel is not installed")
def test_city_hash_equals_the_wheel() -> None:
    peer = import_module("cityhash")
    random.seed(7)
    for size in [*range(140), 1000, 4096]:
        data = random.randbytes(size)
        assert city_hash_64(data) == peer.CityHash64(data)


def test_ids_do_not_depend_on_case_and_object_paths_not_on_their_marks() -> None:
    assert package_id("/Game/MAPS/Arena") == package_id("/game/maps/arena")
    assert object_path_hash("/Script/Engine.Actor:Tick") == object_path_hash("/script/engine/actor/tick")
    assert object_path_hash("/Script/Engine") < 1 << 62


def test_aes_of_the_standard() -> None:
    key = bytes(range(32))  # FIPS 197, appendix C.3
    assert PlainCipher(key).ecb_decrypt(bytes.fromhex("8ea2b7ca516745bfeafc49904b496089")).hex() == (
        "00112233445566778899aabbccddeeff"
    )
    stream = PlainCipher(key).ctr(bytes(40), bytes(12))
    assert PlainCipher(key).ctr(stream, bytes(12)) == bytes(40)
    assert len({stream[start : start + 16] for start in (0, 16)}) == 2


@pytest.mark.skipif(find_spec("cryptography") is None, reason="the aes extra is not installed")
def test_aes_in_plain_python_equals_the_extra() -> None:
    random.seed(8)
    for _ in range(20):
        key, data, iv = random.randbytes(32), random.randbytes(16 * random.randrange(9)), random.randbytes(12)
        assert cipher(key).ecb_decrypt(data) == PlainCipher(key).ecb_decrypt(data)
        for size in (0, 1, 15, 16, 17, len(data)):
            assert cipher(key).ctr(data[:size], iv) == PlainCipher(key).ctr(data[:size], iv)


def test_keys_and_blocks_of_a_wrong_size_are_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        cipher(b"short")
    with pytest.raises(ValueError, match="whole blocks"):
        PlainCipher(bytes(32)).ecb_decrypt(b"123")


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


@pytest.mark.skipif(find_spec("lz4") is None, reason="the lz4 extra is not installed")
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


@pytest.mark.parametrize(("method", "extra"), [("LZ4", "lz4"), ("Zstd", "zstd")])
def test_a_missing_extra_is_named(method: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(compression, "import_module", absent)
    with pytest.raises(MissingExtraError, match=rf"assetdb\[{extra}\]"):
        decompress(method, b"x", 1)


def test_oodle_without_a_decoder() -> None:
    with pytest.raises(MissingExtraError, match="no decoder"):
        decompress("Oodle", b"x", 1)


@pytest.mark.skipif(find_spec("ooz") is not None, reason="the oodle extra is installed")
def test_oodle_without_the_extra_is_named() -> None:
    with OodleProcess() as oodle, pytest.raises(MissingExtraError, match=r"assetdb\[oodle\]"):
        oodle.decompress(b"x", 1)


def fake_child(tmp_path: object, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    from formats.unreal import oodle  # noqa: PLC0415 - patched here

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
