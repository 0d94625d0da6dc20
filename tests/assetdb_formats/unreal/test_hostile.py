"""Damaged and malicious packages: only our error, with field and offset, quickly and in little memory."""

from __future__ import annotations

import gc
import random
import sys
import time
import tracemalloc
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.asset_registry import MAGIC, read_asset_registry
from assetdb_formats.unreal.codecs.compression import decompress
from assetdb_formats.unreal.errors import MissingExtraError, UnversionedPackageError
from assetdb_formats.unreal.files.inference import infer_version
from assetdb_formats.unreal.files.parts import package_parts
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties.exports import PropertyReader
from assetdb_formats.unreal.properties.usmap import read_usmap
from assetdb_formats.unreal.scanning.records import make_record
from assetdb_formats.unreal.versions import PackageVersion
from tests.assetdb_formats.unreal.package_writer import COOKED, EDITOR, VERSIONS, Writer, fstring, full
from tests.assetdb_formats.unreal.registry_writer import sample
from tests.long_cases import long_after

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HANGS = 20.0  # seconds for one small file, on however busy a machine; how fast it is, scripts/fuzz/unreal.py says
# Bytes: the tables of a file of 2 kB as objects. Of 24,000 traced mutants the most that one took over four times its
# size was 54 kB (read twice: a registry of many short strings, each ten times as large as an object).
MEMORY_FLOOR = 64 << 10


def read_everything(data: bytes) -> None:
    """Read all that there is; whatever is wrong must be a FormatError that says where."""
    if data[:16] == MAGIC:
        try:
            read_asset_registry(data)
        except FormatError as error:
            assert error.field or error.offset is not None, error  # noqa: PT017 - every error is looked at
        return
    try:
        try:
            package = Package(data)
        except UnversionedPackageError:
            package = Package(data, infer_version(data).version)
    except FormatError as error:
        assert error.field or error.offset is not None, error  # noqa: PT017 - every error is looked at
        return
    for damage in package.damage():
        assert damage.field or damage.offset is not None, damage
    try:
        package_parts(package, {})
    except FormatError as error:
        assert error.field or error.offset is not None, error  # noqa: PT017 - every error is looked at
    try:
        reader = PropertyReader(package)
    except FormatError:
        return
    for number in range(min(len(reader), 200)):
        try:
            reader.read(number)
        except FormatError as error:
            assert error.field, error  # noqa: PT017 - every error is looked at
    del package, reader  # the record opens the package anew: not both at once
    make_record(data)


def read_soon(data: bytes) -> None:
    """Read all that there is; the clock only guards against what never ends."""
    start = time.perf_counter()
    read_everything(data)
    assert time.perf_counter() - start < HANGS


def memory_above_limit(data: bytes) -> int:
    """Return how many bytes more than four times the file reading it takes at its peak; tracing must be on."""
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    read_everything(data)
    return tracemalloc.get_traced_memory()[1] - before - 4 * len(data)


def small_files() -> list[bytes]:
    """Thirty small packages: every version, editor and cooked."""
    files = [full(*version, EDITOR).data() for version in VERSIONS]
    files += [full(*version, COOKED).data() for version in VERSIONS[-6:]]
    assert len(files) == 30
    return files


def self_written() -> list[bytes]:
    """Packages of classes that write themselves: a link, and a node with its attributes."""
    link = Writer(-8, 522, 1009)
    link.imports = [("/Script/CoreUObject", "Class", 0, "RigVMLink")]
    link.exports = [(-1, 0, "Link", fstring("A.Out") + fstring("B.In"), False)]
    node = Writer(-8, 522, 1009)
    node.imports = [("/Script/CoreUObject", "Class", 0, "InterchangeMeshNode")]
    values = b"\1" + pack("<i", 7) + "Name".encode("utf-16-le") + b"\0\0"
    body = pack("<Qfi", 0, 0.1, 3)
    for key, offset, size, kind in (("On", 0, 1, 1), ("Count", 1, 4, 12), ("Label", 5, 10, 18)):
        body += fstring(key) + pack("<QQiI16s", offset, size, kind, 0, bytes(16))
    node.exports = [(-1, 0, "Node", body + pack("<Q", len(values)) + values, False)]
    return [link.data(), node.data()]


FILES = small_files()
OTHERS = self_written() + [sample(version).data() for version in (4, 7, 8, 14, 21)]


@pytest.mark.parametrize("number", long_after(4, range(30)))
def test_truncated_at_every_byte(number: int) -> None:
    data = FILES[number]
    for size in range(len(data)):
        read_everything(data[:size])


@pytest.mark.long
@pytest.mark.parametrize("number", range(30))
def test_every_int32_set_to_what_hurts(number: int) -> None:
    data = FILES[number]
    evil = [pack("<i", value) for value in (-1, 2**31 - 1, -(2**31), 2**28, len(data) + 1)]
    for place in range(len(data) - 3):
        if place % 4 != number % 4 and place > 400:
            continue  # the summary at every byte; behind it, at one alignment of four, each by some file
        for value in evil:
            read_soon(data[:place] + value + data[place + 4 :])


def mutants(files: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Yield files with bytes changed, cut out, doubled or moved."""
    chance = random.Random(seed)
    for _ in range(count):
        data = bytearray(chance.choice(files))
        for _ in range(chance.choice((1, 1, 2, 4, 16))):
            kind = chance.randrange(4)
            place = chance.randrange(max(len(data), 1))
            if kind == 0 and data:
                data[place] = chance.randrange(256)
            elif kind == 1:
                data[place : place + 4] = pack("<i", chance.choice((-1, 0, 1, 2**31 - 1, -(2**31), 2**28, len(data))))
            elif kind == 2:
                del data[place : place + chance.randrange(64)]
            else:
                data[place:place] = data[place : place + chance.randrange(64)]
        yield bytes(data)


@pytest.mark.long
def test_twenty_thousand_mutations() -> None:
    for data in mutants(FILES + OTHERS, 20_000, 7):
        read_soon(data)


@pytest.mark.long
def test_memory_stays_near_the_size_of_the_file() -> None:
    data = FILES[-10]
    evil = [data[:place] + pack("<i", 2**28) + data[place + 4 :] for place in range(0, len(data) - 3, 7)]
    evil += mutants(FILES, 1500, 13)
    for sound in FILES:  # the first of each kind imports what it needs
        read_everything(sound)
    tracemalloc.start()
    try:
        for number, changed in enumerate(evil):
            most = memory_above_limit(changed)
            if most > MEMORY_FLOOR:  # a damage that no sound file shows may import what reads it; once
                most = memory_above_limit(changed)
            assert most <= MEMORY_FLOOR, number
    finally:
        tracemalloc.stop()


def test_nested_structs_deeper_than_any_stack() -> None:
    writer = Writer(-8, 522, 1009)
    head = writer.name("A") + writer.name("StructProperty")
    body = b""
    for _ in range(3000):
        body = head + pack("<ii", len(body), 0) + writer.name("Unknown") + bytes(16) + b"\0" + body
    writer.exports = [(0, 0, "Deep", body + writer.name("None"), True)]
    read_soon(writer.data())


def test_maps_within_maps_do_not_multiply_the_attempts() -> None:
    writer = Writer(-7, 522, 0)
    head = writer.name("M") + writer.name("MapProperty")
    kinds = writer.name("StructProperty") * 2 + b"\0"
    body = writer.name("None")
    for _ in range(60):
        body = head + pack("<ii", len(body) + 8, 0) + kinds + pack("<ii", 0, 1) + body
    writer.exports = [(0, 0, "Maps", body, True)]
    read_soon(writer.data())


@pytest.mark.corpus("unreal")
@pytest.mark.long
def test_real_files_truncated_and_mutated(corpus: Path) -> None:
    folder = corpus / "unreal" / "data"
    paths = sorted(path for path in folder.rglob("*.uasset") if path.stat().st_size < 6000)
    files = [path.read_bytes() for path in paths[:: max(len(paths) // 30, 1)][:30]]
    assert len(files) == 30
    for data in files:
        for size in range(0, len(data), 13):
            read_everything(data[:size])
    for data in mutants(files, 3000, 11):
        read_soon(data)


@pytest.mark.corpus("unreal")
@pytest.mark.long
def test_real_packages_are_read_whole_in_four_times_their_file(corpus: Path) -> None:
    """Maps with 4,000 exports took 20 times theirs, a table of 480 rows five."""
    paths = sorted(path for path in (corpus / "unreal" / "data").rglob("*") if path.suffix in {".uasset", ".umap"})
    dense = {"Zone_Caves", "Zone_Library", "PB_DT_RandomizerRoomCheck", "SkillInfo", "FinalCinematic", "TestModUI"}
    chosen = [path for number, path in enumerate(paths) if number % 12 == 0 or path.stem in dense]
    assert len(chosen) > 60
    for path in chosen[:20]:  # the first of each kind imports what it needs
        read_everything(path.read_bytes())
    tracemalloc.start()
    try:
        for path in chosen:
            assert memory_above_limit(path.read_bytes()) <= MEMORY_FLOOR, path
    finally:
        tracemalloc.stop()


def test_an_inference_that_fails_holds_nothing_of_its_attempts() -> None:
    names = [f"Name{number:05d}" for number in range(2000)]
    writer = full(-7, 518, 0, COOKED, unversioned=True, resources=[], extra_names=names)
    data = bytearray(writer.data())
    exports = Package(bytes(data), PackageVersion(518)).summary.export_offset
    for offset in range(exports, exports + 400, 4):  # names that are not there, in every layout
        data[offset : offset + 4] = pack("<i", 10**6)
    with pytest.raises(FormatError):
        infer_version(bytes(data))  # the first makes the layouts of all versions
    gc.collect()
    gc.disable()  # rings would be freed by it, some time
    tracemalloc.start()
    try:
        said = ""
        try:
            infer_version(bytes(data))
        except FormatError as error:  # not `pytest.raises`, which keeps it, and it the last attempt
            said = str(error)
        assert "closes its tables" in said
        assert tracemalloc.get_traced_memory()[0] < len(data)
    finally:
        tracemalloc.stop()
        gc.enable()


def usmap_bytes() -> bytes:
    names = ["Object", "Thing", "Count", "EKind", "EKind::A"]
    body = pack("<I", len(names)) + b"".join(bytes([len(name)]) + name.encode() for name in names)
    body += pack("<I", 1) + pack("<IB", 3, 1) + pack("<I", 4)
    body += pack("<I", 1) + pack("<IIHH", 1, 0xFFFFFFFF, 2, 2)
    body += pack("<HBI", 0, 1, 2) + b"\2"
    body += pack("<HBI", 1, 1, 0) + b"\x1a\0" + pack("<I", 3)
    return pack("<HBBII", 0x30C4, 0, 0, len(body), len(body)) + body


@pytest.mark.parametrize(("number", "said"), [(1, "Oodle"), (2, r"assetdb\[brotli\]"), (3, r"assetdb\[zstd\]")])
def test_compressed_mappings_name_the_extra_that_is_missing(
    number: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("brotli", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    data = pack("<HBBII", 0x30C4, 0, number, 4, 4) + b"data"
    with pytest.raises(MissingExtraError, match=said):
        read_usmap(data)
    with pytest.raises(FormatError, match="number 4; none to 3"):
        read_usmap(pack("<HBBII", 0x30C4, 0, 4, 4, 4) + b"data")


@pytest.mark.long
def test_damaged_brotli_gives_no_more_than_was_promised() -> None:
    brotli = pytest.importorskip("brotli")
    packed = brotli.compress(bytes(50 << 20))
    assert decompress("Brotli", brotli.compress(b"abc" * 999), 2997) == b"abc" * 999
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="gives"):
            decompress("Brotli", packed, 1000)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    for size in range(len(packed)):
        with pytest.raises(FormatError):
            decompress("Brotli", packed[:size], 1000)
    with pytest.raises(FormatError):
        decompress("Brotli", b"\xff" * 50, 1000)


def test_mappings_are_read_and_their_damage_is_our_error() -> None:
    data = usmap_bytes()
    mappings = read_usmap(data)
    assert [prop.name for prop in mappings.schemas["Thing"].properties] == ["Count", "Object"]
    assert mappings.enumerations == {"EKind": {0: "EKind::A"}}
    assert len(mappings.slots("Thing")) == 2
    for size in range(len(data)):
        with pytest.raises(FormatError):
            read_usmap(data[:size])
    for changed in mutants([data], 2000, 3):
        try:
            read_usmap(changed)
        except FormatError as error:
            assert error.field  # noqa: PT017 - every error is looked at
