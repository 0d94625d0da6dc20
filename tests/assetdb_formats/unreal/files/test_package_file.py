"""Files that are read piece by piece, through a window."""

from __future__ import annotations

import sys
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import FileSource, file_beside, header_size, read_header
from assetdb_formats.unreal.packages.package import Package
from tests.assetdb_formats.unreal.package_writer import VERSIONS, full

if TYPE_CHECKING:
    from pathlib import Path

WINDOW = 1 << 18
DATA = b"".join(number.to_bytes(4, "little") for number in range(WINDOW))


@pytest.fixture
def source(tmp_path: Path) -> FileSource:
    (tmp_path / "a.uexp").write_bytes(DATA)
    return FileSource(str(tmp_path / "a.uexp"))


def test_pieces_are_those_of_the_file_wherever_the_last_one_was(source: FileSource) -> None:
    for offset, size in (
        *((WINDOW, 8), (WINDOW - 4, 8), (WINDOW - 4, 4), (2 * WINDOW - 4, 4), (2 * WINDOW - 4, 5), (0, 4)),
        *((WINDOW, 0), (0, len(DATA)), (len(DATA) - 1, 1), (len(DATA), 0), (8, 2 * WINDOW)),
    ):
        assert source.read(offset, size) == DATA[offset : offset + size], (offset, size)


@pytest.mark.parametrize(("offset", "size"), [(len(DATA), 1), (-1, 2), (0, len(DATA) + 1), (4, -1)])
def test_what_does_not_lie_in_the_file_is_refused(source: FileSource, offset: int, size: int) -> None:
    with pytest.raises(UnrealError):
        source.read(offset, size)


def test_a_file_that_was_cut_off_meanwhile_is_an_error(source: FileSource, tmp_path: Path) -> None:
    (tmp_path / "a.uexp").write_bytes(DATA[:10])
    with pytest.raises(UnrealError, match=r"the file ends after 2 of 4 bytes") as error:
        source.read(8, 4)
    assert (error.value.offset, error.value.field) == (8, "data")


@pytest.mark.parametrize("name", ["a.ubulk", "a.UBULK"])
def test_files_lie_beside_their_package_or_nowhere(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(DATA)
    found = file_beside(str(tmp_path / "a.uasset"), ".ubulk")
    assert found is not None
    assert found.size == len(DATA)
    assert file_beside(str(tmp_path / "a.uasset"), ".uexp") is None
    assert file_beside(str(tmp_path / "b.uasset"), ".ubulk") is None


@pytest.mark.parametrize("version", [*VERSIONS, (-4, 482, 0)], ids=str)
def test_the_size_of_the_header_is_found_without_reading_it(version: tuple[int, int, int]) -> None:
    data = full(*version).data()
    assert header_size(data) == Package(data).summary.total_header_size > 64


@pytest.mark.parametrize("data", [b"", b"\xc1\x83\x2a\x9e" + bytes(59), bytes(100), b"\xc1\x83\x2a\x9e" + b"\xff" * 60])
def test_what_is_no_package_has_no_header(data: bytes) -> None:
    assert header_size(data) == 0


def test_the_size_of_a_header_may_be_the_last_of_the_bytes_at_hand() -> None:
    customs = pack("<i", 2) + bytes(2 * 20)
    data = b"\xc1\x83\x2a\x9e" + pack("<i", -7) + bytes(12) + customs + pack("<i", 1234)
    assert header_size(data) == 1234
    assert header_size(data[:-1]) == 0


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("legacy", range(-9, -1))
def test_the_size_of_the_header_lies_behind_the_custom_versions_before_5_6(legacy: int, count: int) -> None:
    """Behind tag and legacy version: UE3's version (not in -4), UE4's, UE5's (since -8), and the licensee's."""
    start = b"\xc1\x83\x2a\x9e" + pack("<i", legacy) + bytes(12 - 4 * (legacy == -4) + 4 * (legacy <= -8))
    each = {-2: bytes(8), -3: bytes(20) + pack("<i", 3) + b"ab\0"}
    each |= dict.fromkeys((-4, -5), each[-3])  # an identifier, a version, and a name
    customs = pack("<i", count) + each.get(legacy, bytes(20)) * count
    size = pack("<i", 4321)
    rest = bytes(20) + size + customs if legacy == -9 else customs + size  # since 5.6 behind a hash
    assert header_size(start + rest + bytes(64)) == 4321


def test_a_name_of_a_custom_version_that_does_not_end_is_no_header() -> None:
    data = b"\xc1\x83\x2a\x9e" + pack("<i", -3) + bytes(12) + pack("<i", 1) + bytes(20) + pack("<i", 1000)
    assert header_size(data + bytes(64)) == 0


@pytest.mark.parametrize(
    ("stated", "whole", "read"),
    [
        (1000, 60_000, 60_000),
        (1000, 1 << 16, 1 << 16),
        (1000, 100_000, 1 << 16),
        (90_000, 100_000, 90_000),
        (100_000, 100_000, 100_000),
        (200_000, 100_000, 100_000),
    ],
)
def test_a_header_is_read_and_no_more_than_one_piece_beside_it(
    tmp_path: Path, stated: int, whole: int, read: int
) -> None:
    data = b"\xc1\x83\x2a\x9e" + pack("<i", -7) + bytes(12) + pack("<ii", 0, stated)
    data += bytes(number % 251 for number in range(whole - len(data)))
    (tmp_path / "a.uasset").write_bytes(data)
    assert read_header(str(tmp_path / "a.uasset")) == (data[:read], read == whole)


@pytest.mark.skipif(sys.platform == "win32", reason="a file with a hole takes its whole size on the disk")
def test_a_header_larger_than_any_is_refused(tmp_path: Path) -> None:
    data = b"\xc1\x83\x2a\x9e" + pack("<i", -7) + bytes(12) + pack("<ii", 0, (256 << 20) + 1)
    with (tmp_path / "a.uasset").open("wb") as file:
        file.write(data)
        file.truncate(300 << 20)
    with pytest.raises(UnrealError, match="at most 268435456 are read") as error:
        read_header(str(tmp_path / "a.uasset"))
    assert (error.value.offset, error.value.field) == (4, "total_header_size")
