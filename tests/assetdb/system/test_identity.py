"""Identities of files, and when their times are trusted."""

from __future__ import annotations

import os
import struct
from array import array
from typing import TYPE_CHECKING

import pytest

from assetdb.system.identity import (
    CHECK_STAT,
    DEFAULT,
    MINIMAL,
    RACY,
    Identities,
    device_and_inode,
    has_racy,
    identity,
    records,
    same_folder,
)
from tests.needs import needs_change_times, needs_links

if TYPE_CHECKING:
    from pathlib import Path

SECOND = 1_000_000_000
NOW = 1_700_000_000 * SECOND + 5
DAY = 86_400 * SECOND


def status(mtime: int, ctime: int = 0, size: int = 3, inode: int = 4) -> os.stat_result:
    """Make a result of ``os.stat`` whose times are in nanoseconds."""
    row = [0o100644, inode, 1, 1, 0, 0, size, 0, mtime // SECOND, ctime // SECOND]
    row += [0.0, mtime / SECOND, ctime / SECOND, 0, mtime, ctime]  # type: ignore[list-item]  # whatever os.stat gives
    return os.stat_result(row)


@needs_change_times
def test_what_is_compared_depends_on_the_setting() -> None:
    base = status(NOW, NOW)
    for check_stat in CHECK_STAT:
        assert identity(base, check_stat) == identity(status(NOW, NOW), check_stat)
        assert identity(base, check_stat) != identity(status(NOW + 1, NOW), check_stat)
        assert identity(base, check_stat) != identity(status(NOW, NOW, size=4), check_stat)
    assert identity(base) != identity(status(NOW, NOW + 1))
    assert identity(base) != identity(status(NOW, NOW, inode=5))
    assert identity(base, MINIMAL) == identity(status(NOW, NOW + 1, inode=5), MINIMAL)


@pytest.mark.parametrize(
    ("age", "trusted"),
    [
        (2 * SECOND + 1, True),
        (20_000_001, True),
        (20_000_000, False),
        (0, False),
        (-1, False),
        (-DAY, False),
        (-DAY - 1, True),
    ],
)
def test_a_time_is_trusted_if_a_change_would_leave_another(age: int, trusted: bool) -> None:  # noqa: FBT001 - a row
    identities = Identities(NOW, MINIMAL)
    found = status(NOW - age)
    assert identities.of(found) == (identity(found, MINIMAL) if trusted else RACY)


@pytest.mark.parametrize(("seconds", "trusted"), [(1, False), (2, False), (3, True)])
def test_whole_seconds_are_those_of_a_coarse_clock(seconds: int, trusted: bool) -> None:  # noqa: FBT001 - a row
    whole = 1_700_000_000 * SECOND
    found = status(whole - seconds * SECOND)
    assert Identities(whole, MINIMAL).of(found) == (identity(found, MINIMAL) if trusted else RACY)


@needs_change_times
def test_both_times_must_be_trusted() -> None:
    old, young = NOW - 10 * SECOND, NOW
    identities = Identities(NOW, DEFAULT)
    assert identities.of(status(old, old)) == identity(status(old, old))
    for found in (status(old, young), status(young, old), status(young, young)):
        assert identities.of(found) == RACY
        assert identities.raw(found) == identity(found)


def test_packed_identities_are_one_for_each_name(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    prefix = os.fsencode(tmp_path) + os.fsencode(os.sep)
    identities = Identities(NOW)
    values = [identity(os.stat(tmp_path / name)) for name in ("a", "b")]
    assert list(memoryview(identities.packed(prefix, [b"a", b"b"])).cast("q")) == values
    assert list(memoryview(identities.packed(b"", [prefix + b"b"])).cast("q")) == values[1:]
    gone = list(memoryview(identities.packed(prefix, [b"a", b"none", b"b"])).cast("q"))
    assert (gone[0], gone[2]) == tuple(values)
    assert gone[1] not in (RACY, *values)
    assert identities.packed(prefix, []) == b""


def test_files_and_folders_are_told_by_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    assert device_and_inode(str(tmp_path / "A")) == (os.stat(tmp_path / "A").st_dev, os.stat(tmp_path / "A").st_ino)
    assert device_and_inode(str(tmp_path / "none")) == (0, 0)
    assert same_folder(str(tmp_path / "A"), str(tmp_path / "A" / ".." / "A"))
    assert same_folder(str(tmp_path / "none"), str(tmp_path / "none"))
    assert not same_folder(str(tmp_path / "none"), str(tmp_path / "A"))
    assert not same_folder(str(tmp_path), str(tmp_path / "A"))


@needs_links
def test_a_link_is_told_from_its_target(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    (tmp_path / "L").symlink_to(tmp_path / "A")
    assert device_and_inode(str(tmp_path / "L")) == device_and_inode(str(tmp_path / "A"))
    assert device_and_inode(str(tmp_path / "L"), follow=False) != device_and_inode(str(tmp_path / "A"))
    assert same_folder(str(tmp_path / "L"), str(tmp_path / "A"))


def test_racy_among_packed_identities() -> None:
    def packed(*numbers: int) -> bytes:
        return array("q", numbers).tobytes()

    assert has_racy(packed(4, RACY))
    assert not has_racy(packed(-(1 << 56), (1 << 56) - 1))  # the bytes of one over two others
    assert not has_racy(b"")


def record(name: str, *, time: int, size: int, number: int, attributes: int = 0x20, following: int = 0) -> bytes:
    """Write a FILE_ID_BOTH_DIR_INFO as the documentation of Windows lays it out; times in 100 ns since 1601."""
    encoded = name.encode("utf-16-le")
    head = struct.pack("<II4qqqIII", following, 0, 1, 2, time, 3, size, 4096, attributes, len(encoded), 0)
    short = struct.pack("<B", 0) + bytes(25)  # its length, a byte between, 12 letters
    return head + short + bytes(2) + struct.pack("<q", number) + encoded


def test_records_of_a_folder_have_what_a_look_at_each_file_has() -> None:
    first = record("Ärger.mat", time=133_444_736_000_000_001, size=5 << 32, number=1 << 40)
    first += bytes(-len(first) % 8)
    folder = record("Sub", time=1, size=0, number=2, attributes=0x10)
    folder += bytes(-len(folder) % 8)
    link = record("link.mat", time=1, size=0, number=3, attributes=0x420)
    link += bytes(-len(link) % 8)
    parts = [first, folder, link, record("last", time=116_444_736_000_000_000, size=0, number=9)]
    data = b"".join(struct.pack("<I", len(part)) + part[4:] for part in parts[:-1]) + parts[-1]
    when = 1_700_000_000_000_000_100  # 2023-11-14 22:13:20 and 100 ns
    assert list(records(data)) == [
        ("Ärger.mat".encode(), (when, when, 5 << 32, 1 << 40)),
        (b"last", (0, 0, 0, 9)),
    ]
    assert list(records(b"")) == []
    assert list(records(data[:50])) == []


@pytest.mark.parametrize("check_stat", CHECK_STAT)
def test_identities_of_many_files_are_those_of_each(tmp_path: Path, check_stat: str) -> None:
    names = [f"{number}.txt".encode() for number in range(300)]
    for name in names:
        (tmp_path / name.decode()).write_bytes(name * 9)
    all_of_them = Identities(NOW, check_stat)
    prefix = os.fsencode(tmp_path) + b"/"
    expected = [identity(os.stat(prefix + name), check_stat) for name in names]
    assert list(memoryview(all_of_them.packed(prefix, names)).cast("q")) == expected
    (tmp_path / "7.txt").unlink()
    found = list(memoryview(all_of_them.packed(prefix, names)).cast("q"))
    assert [number for number in range(300) if found[number] != expected[number]] == [7]
