"""Files are read whole, however many bytes the system says they have and gives at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import FileError
from assetdb.system import reading
from assetdb.system.reading import leads_into_system, read_file, read_head, read_small
from tests.needs import needs_links, needs_posix_paths

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def by_turns(sizes: list[int]) -> Callable[[int, int], bytes]:
    """Return ``os.read`` that gives no more bytes than it is told, one time after the other."""
    read, left = os.read, list(sizes)
    return lambda descriptor, size: read(descriptor, min(size, left.pop(0)) if left else size)


@pytest.mark.parametrize("sizes", [[], [3], [1, 1, 1], [9, 1]])
def test_a_file_that_is_given_in_pieces_is_read_whole(
    sizes: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    monkeypatch.setattr(reading.os, "read", by_turns(sizes))
    assert read_file(str(path)) == b"0123456789"


@pytest.mark.parametrize("expected", [0, 4, 25])
def test_a_file_that_has_more_or_fewer_bytes_than_the_system_says_is_read_whole(
    expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    fields = list(os.stat(path))
    fields[6] = expected
    monkeypatch.setattr(reading.os, "fstat", lambda _: os.stat_result(fields))
    assert read_file(str(path)) == b"0123456789"
    assert read_small(str(path), 10) == b"0123456789"
    with pytest.raises(FileError, match="larger than 9 bytes"):
        read_small(str(path), 9)


def test_an_empty_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    assert read_file(str(path)) == b""
    assert read_small(str(path), 0) == b""


def test_no_more_is_read_than_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    monkeypatch.setattr(reading, "_LARGEST_FILE", 4)
    assert read_file(str(path)) == b"0123"


@pytest.mark.parametrize("name", ["con.png", "CON", "nul.meta", "aux"])
def test_a_name_of_a_device_is_no_file_to_wait_for(tmp_path: Path, name: str) -> None:
    """Who asks for a part of ``icon.png`` opens one: on Windows the console, which the process of an editor lacks."""
    assert read_head(str(tmp_path / name), 9) is None
    assert read_file(str(tmp_path / name)) is None


@needs_links
@needs_posix_paths
def test_links_are_followed_to_files_but_not_into_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "near").symlink_to("file")
    (tmp_path / "far").symlink_to(tmp_path / "near")
    assert not leads_into_system(str(tmp_path / "far"))
    assert read_small(str(tmp_path / "far"), 10) == b"0123456789"
    (tmp_path / "memory").symlink_to("/proc/self/mem")
    (tmp_path / "again").symlink_to("memory")
    for name in ("memory", "again"):
        assert leads_into_system(str(tmp_path / name))
    assert not leads_into_system(str(tmp_path / "file"))
    assert not leads_into_system("/proc/self/exe")  # it is in the system itself: no project lies there


@needs_links
@needs_posix_paths
def test_a_link_to_a_device_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "device").symlink_to("/dev/zero")
    with pytest.raises(FileError, match="is a link into"):
        read_small(str(tmp_path / "device"), 10)
    assert read_file(str(tmp_path / "device")) is None
