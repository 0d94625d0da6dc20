"""Cuts, mutations and bombs: only our error comes out, with the offset or the field, quickly and in little memory."""

from __future__ import annotations

import random
import time
import tracemalloc
from io import BytesIO
from struct import pack

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.archives.compression import LzmaCursor, Packed
from assetdb_formats.unityfs.bundle import Bundle, content_crc32
from assetdb_formats.unityfs.types.typetree import read_tree
from scripts.fuzz.running import peak_bytes
from scripts.fuzz.unityfs import attempt, cases
from tests.assetdb_formats.unityfs import builder

KINDS = builder.every_kind()
SMALL = {name: KINDS[name] for name in ("stored", "LZMA", "LZ4", "LZ4HC, info at the end", "format 6")}
MEMORY = 64 << 20
SECONDS = 5.0  # against hanging; how fast it is, scripts/fuzz/unityfs.py says


@pytest.mark.parametrize("name", SMALL)
def test_every_proper_prefix_of_an_archive_is_refused(name: str) -> None:
    data = SMALL[name]
    for size in range(len(data)):
        with pytest.raises(FormatError):
            Bundle(BytesIO(data[:size]))


@pytest.mark.parametrize("version", [9, 11, 14, 15, 17, 21, 22, 23])
def test_every_proper_prefix_of_a_serialized_file_is_refused(version: int) -> None:
    data = KINDS[f"version {version}"]
    for size in range(len(data)):
        # Alone, and as a file that an archive holds no more of.
        with pytest.raises(FormatError):
            Bundle(BytesIO(data[:size]))
        if size % 7 == 0:
            bundle = Bundle(BytesIO(builder.archive([("CAB-a", data[:size])], compression=0)))
            with pytest.raises(FormatError):
                list(bundle.files())


@pytest.mark.long
def test_20_000_mutations() -> None:
    before = peak_bytes()
    clean = 0
    for data in cases(20_000, 20):
        started = time.perf_counter()
        clean += attempt(data)
        assert time.perf_counter() - started < SECONDS
    assert peak_bytes() - before < MEMORY
    assert 1_000 < clean < 15_000  # flags, numbers and names that nothing contradicts


def bombs() -> dict[str, bytes]:
    """Return small files that declare or hold what is too big."""
    zeros = bytes(20 << 20)
    squeezed = builder.lzma_compress(zeros)
    node = pack(">qqI", 0, len(zeros), 4) + b"CAB-a\0"

    def one_block(size: int, stored: bytes, compression: int, *, count: int = 1) -> bytes:
        info = bytes(16) + pack(">I", count) + pack(">IIH", size, len(stored), compression) * count
        info += pack(">I", 1) + pack(">qqI", 0, size * count, 4) + b"CAB-a\0"
        return builder.assemble(info, stored * count, compression=0)

    metadata = pack(">IIII", 0, 0, 22, 0) + bytes(4) + pack(">Iqqq", 18 << 20, 20 << 20, 19 << 20, 0)
    objects = builder.serialized_file([builder.Thing(1, 49, b"")], builder.KINDS[2:], version=17)
    count = objects.replace(pack("<i", 1) + pack("<i", 49), pack("<i", 0x7FFFFFFF) + pack("<i", 49))
    return {
        "4 GB of LZ4 declared": one_block(0xFFFFFFFF, b"\x00" * 100, 3),
        "16 MB of LZ4 in 100 bytes": one_block(16 << 20, b"\x00" * 100, 3),
        "4 GB of LZMA declared": one_block(0xFFFFFFFF, squeezed[:100], 1),
        "a dictionary of 4 GB": one_block(700_000, b"\x5d\xff\xff\xff\xff" + squeezed[5:105], 1),
        "LZMA zeros for metadata": one_block(len(zeros), squeezed, 1),
        "LZMA metadata of 18 MB": one_block(20 << 20, builder.lzma_compress(metadata + zeros[len(metadata) :]), 1),
        "LZMA that ends early": one_block(1_000_000, builder.lzma_compress(bytes(1000)) + bytes(200), 1),
        "4 GB of blocks info": builder.assemble(b"", b"", stored_info=squeezed, info_size=0xFFFFFFFF, compression=1),
        "20 MB of blocks info": builder.assemble(b"", b"", stored_info=squeezed, info_size=len(zeros), compression=1),
        "blocks info of zeros": builder.assemble(
            b"", b"", stored_info=builder.lzma_compress(zeros[: 8 << 20]), info_size=8 << 20, compression=1
        ),
        "a million empty blocks": builder.assemble(
            bytes(16) + pack(">I", 800_000) + bytes(10 * 800_000) + pack(">I", 0), b"", compression=1
        ),
        "a million files": builder.assemble(
            bytes(16) + pack(">I", 0) + pack(">I", 380_000) + bytes(21 * 380_000), b"", compression=1
        ),
        "two billion types": builder.archive([("CAB-a", count)]),
        "a file larger than the data": builder.assemble(bytes(16) + pack(">II", 0, 1) + node, b"", compression=0),
    }


BOMBS = bombs()


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_are_decoded(name: str) -> None:
    data = BOMBS[name]
    started = time.perf_counter()
    tracemalloc.start()
    with pytest.raises(FormatError) as caught:
        list(Bundle(BytesIO(data)).files())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert caught.value.field
    assert most < MEMORY
    assert time.perf_counter() - started < SECONDS


def test_a_real_lz4_bomb_is_decoded_block_by_block() -> None:
    stored = b"\x1f\0\x01\0" + b"\xff" * 65_000 + b"\0" + b"\x50" + bytes(5)  # zeros, 16 MB of them
    size = 1 + 19 + 255 * 65_000 + 5
    info = bytes(16) + pack(">I", 4) + pack(">IIH", size, len(stored), 3) * 4
    info += pack(">I", 1) + pack(">qqI", 0, size * 4, 0) + b"data\0"
    data = builder.assemble(info, stored * 4, compression=0)
    tracemalloc.start()
    content_crc32(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < MEMORY


def test_a_short_step_back_in_lzma_decodes_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    begin = LzmaCursor._begin
    monkeypatch.setattr(LzmaCursor, "_begin", lambda self: begun.append(1) or begin(self))
    data = random.Random(3).randbytes(1 << 20)
    stored = builder.lzma_compress(data)
    cursor = LzmaCursor(BytesIO(stored), Packed(0, len(stored), len(data), 1), "blocks[0]")
    at = 0
    while at < len(data):  # each piece is read again from its beginning, and beyond its end
        assert cursor.read(at, 900) == data[at : at + 900]
        size = min(1000 + at % 7000, len(data) - at)
        assert cursor.read(at, size) == data[at : at + size]
        assert cursor.read(at + size, 0) == b""
        at += size
    assert len(begun) == 1
    assert cursor.read(5, 300_000) == data[5:300_005]
    assert len(begun) == 2


def test_a_tree_as_deep_as_a_byte_allows_is_no_recursion() -> None:
    tree = ("Deep Base", *(" " * level + "Deep inner" for level in range(1, 255)), " " * 255 + "int x")
    data = builder.serialized_file([builder.Thing(1, 7, b"\1\0\0\0")], [builder.Kind(7, tree)])
    (file,) = Bundle(BytesIO(data)).files()
    value = file.value(file.facts.objects[0])
    depth = 0
    while isinstance(value, dict):
        value = next(iter(value.values()))
        depth += 1
    assert (depth, value) == (255, 1)


def test_names_of_a_tree_that_lie_in_each_other_are_refused() -> None:
    strings = b"a" * 100_000 + b"\0"
    rows = (
        pack("<hBBIIiii8x", 1, min(number, 1), 0, 2 * number, 2 * number + 1, 4, number, 0) for number in range(9_000)
    )
    blob = pack("<II", 9_000, len(strings)) + b"".join(rows) + strings
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="overlap"):
            read_tree(blob, 22, big_endian=False, base=0)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_an_old_tree_that_never_ends_is_refused() -> None:
    p = builder.Packer()
    node = b"Deep\0inner\0" + p("iiiiii", -1, 0, 0, 1, 0, 1)
    data = builder.serialized_file([builder.Thing(1, 7, b"")], [builder.Kind(7, ("int x",))], version=9)
    at = data.index(b"int\0x\0")
    padding = node * 400
    broken = bytearray(data[:at] + padding + data[at:])
    broken[0:16] = pack(">IIII", len(broken) - 20, len(broken), 9, len(broken))
    with pytest.raises(FormatError, match="deeper than 255"):
        list(Bundle(BytesIO(bytes(broken))).files())


def test_an_array_cannot_count_more_than_the_object_has() -> None:
    p = builder.Packer()
    tree = ("Thing Base", " vector empty", "  Array Array", "   int size", "   Nothing data")
    data = builder.serialized_file([builder.Thing(1, 7, p("i", 0x7FFFFFFF))], [builder.Kind(7, tree)])
    (file,) = Bundle(BytesIO(data)).files()
    with pytest.raises(FormatError, match="counts 2147483647 items"):
        file.value(file.facts.objects[0])


def test_files_that_lie_in_each_other_are_refused() -> None:
    body = bytes(1000)
    for count, is_refused in ((2, False), (3, True), (20_000, True)):
        info = bytes(16) + pack(">I", 1) + pack(">IIH", 1000, 1000, 0) + pack(">I", count)
        info += b"".join(pack(">qqI", 0, 1000, 0) + f"{number}.res".encode() + b"\0" for number in range(count))
        data = builder.assemble(info, body, compression=0)
        if not is_refused:  # `verify` says that they overlap
            assert len(Bundle(BytesIO(data)).nodes) == count
            continue
        with pytest.raises(FormatError, match="overlap") as caught:
            Bundle(BytesIO(data))
        assert caught.value.field == "nodes[2]"


@pytest.mark.parametrize("version", [9, 15, 22])
def test_objects_that_lie_in_each_other_are_refused(version: int) -> None:
    things = [builder.Thing(number, 7, bytes(4)) for number in range(1, 41)]
    data = bytearray(builder.serialized_file(things, [builder.Kind(7, ("int x",))], version=version))
    (file,) = Bundle(BytesIO(bytes(data))).files()
    whole = file.facts.header.file_size - file.facts.header.data_offset
    for thing in things:  # each is made to reach from the first to the end
        identity = pack("<q", thing.path_id)
        place = 8 if version >= 22 else 4
        at = data.index(identity + pack("<q" if place == 8 else "<I", (thing.path_id - 1) * 8)) + 8
        data[at : at + place + 4] = pack("<qI" if place == 8 else "<II", 0, whole)
    with pytest.raises(FormatError, match="overlap") as caught:
        list(Bundle(BytesIO(bytes(data))).files())
    assert caught.value.field == "objects[2]"
