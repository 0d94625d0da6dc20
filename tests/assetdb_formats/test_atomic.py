from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    assert replace_file(str(path), [b"af", memoryview(b"ter")]) == 5
    assert path.read_bytes() == b"after"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace_file(str(path), pieces())
    assert path.read_bytes() == b"before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_the_temporary_file_of_another_is_not_touched(tmp_path: Path) -> None:
    other = tmp_path / f".{os.getpid()}.a.temporary"
    other.write_bytes(b"other")
    with pytest.raises(FileExistsError):
        replace_file(str(tmp_path / "a"), [b"mine"])
    assert other.read_bytes() == b"other"
    assert [entry.name for entry in tmp_path.iterdir()] == [other.name]


def test_a_symbolic_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"target")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    replace_file(str(tmp_path / "link"), [b"new"])
    assert (tmp_path / "target").read_bytes() == b"target"
    assert (tmp_path / "link").read_bytes() == b"new"
    assert not (tmp_path / "link").is_symlink()


def test_errors_name_the_file_and_not_the_temporary_one(tmp_path: Path) -> None:
    for path in (tmp_path / "no folder" / "a", tmp_path / "folder"):
        (tmp_path / "folder").mkdir(exist_ok=True)
        with pytest.raises(OSError, match=r"directory|Access") as caught:
            replace_file(str(path), [b"new"])
        assert caught.value.filename == str(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no descriptors of folders")
def test_a_folder_that_was_moved_meanwhile_is_still_the_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    directory = os.open(tmp_path / "folder", os.O_RDONLY)
    (tmp_path / "folder").rename(tmp_path / "moved")
    (tmp_path / "folder").mkdir()
    try:
        assert replace_file("a", [b"new"], directory=directory) == 3
        with pytest.raises(ZeroDivisionError):
            replace_file("a", (bytes(1 // number) for number in (1, 0)), directory=directory)
    finally:
        os.close(directory)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a"]
    assert (tmp_path / "moved" / "a").read_bytes() == b"new"


def test_an_error_of_a_full_disk_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left on device") as found:
        replace_file(str(path), pieces())
    assert found.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []
