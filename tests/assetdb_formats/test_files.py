"""Only regular files are opened, and what is read of them is bounded before it is read."""

from __future__ import annotations

import errno
import os
import socket
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.files import FileTooLargeError, NotRegularFileError, open_descriptor, open_file, read_file
from tests.needs import needs_pipes

if TYPE_CHECKING:
    from pathlib import Path

OPENERS = (open_descriptor, open_file, lambda path: read_file(path, largest=10))


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"abc")
    assert read_file(str(path), largest=3) == b"abc"
    with open_file(str(path)) as file:
        assert (file.read(1), file.tell(), file.read()) == (b"a", 1, b"bc")
    link = tmp_path / "link"
    link.symlink_to(path)
    assert read_file(str(link), largest=3) == b"abc"


@pytest.mark.parametrize("opener", OPENERS)
@needs_pipes
def test_pipes_devices_and_sockets_are_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opener: object
) -> None:
    assert callable(opener)
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    with pytest.raises(NotRegularFileError, match="is a pipe, not a file") as caught:
        opener(str(fifo))
    assert caught.value.filename == str(fifo)
    with pytest.raises(NotRegularFileError, match="is a device, not a file"):
        opener("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(tmp_path)  # paths of sockets are short
        listening.bind("s")
        with pytest.raises(OSError, match=r"not a file|No such device") as refused:  # opening one is an error itself
            opener("s")
        assert refused.value.filename == "s"


@pytest.mark.parametrize("opener", OPENERS)
def test_folders_and_missing_files_are_the_usual_errors(tmp_path: Path, opener: object) -> None:
    assert callable(opener)
    with pytest.raises((IsADirectoryError, PermissionError)) as caught:
        opener(str(tmp_path))
    assert caught.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError):
        opener(str(tmp_path / "nothing"))


def test_a_file_over_the_bound_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(5 << 30)
    with pytest.raises(FileTooLargeError, match="has 5,368,709,120 bytes; at most 1,048,576 are read") as caught:
        read_file(str(path), largest=1 << 20)
    assert (caught.value.filename, caught.value.errno) == (str(path), errno.EFBIG)
