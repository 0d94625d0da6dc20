"""Only regular files are opened, and what is read of them is bounded before it is read."""

from __future__ import annotations

import errno
import ntpath
import os
import socket
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.files import (
    IS_AWAY,
    IS_HELD,
    NO_ANSWER,
    FileTooLargeError,
    NotRegularFileError,
    is_of_a_moment,
    open_descriptor,
    open_file,
    read_file,
    relative_path,
    words_of,
)
from tests.needs import needs_links, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path

OPENERS = (open_descriptor, open_file, lambda path: read_file(path, largest=10))


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"abc")
    assert read_file(str(path), largest=3) == b"abc"
    with open_file(str(path)) as file:
        assert (file.read(1), file.tell(), file.read()) == (b"a", 1, b"bc")


@pytest.mark.parametrize("buffering", [-1, 0])
def test_what_is_read_can_be_renamed_and_removed(tmp_path: Path, buffering: int) -> None:
    """Unity builds a bundle anew while `assetdb build` reads it."""
    path = tmp_path / "f"
    path.write_bytes(b"abc")
    with open_file(str(path), buffering=buffering) as file:
        path.rename(tmp_path / "g")
        (tmp_path / "g").unlink()
        path.write_bytes(b"new")
        assert file.read() == b"abc"
    assert path.read_bytes() == b"new"


@needs_links
def test_a_link_to_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    (tmp_path / "link").symlink_to(tmp_path / "f")
    assert read_file(str(tmp_path / "link"), largest=3) == b"abc"


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


class WindowsError(OSError):
    """An error as Windows' Python raises it: a code, and words in the user's language."""

    def __init__(self, number: int, code: int) -> None:
        super().__init__(number, "Das System kann den Vorgang nicht beenden.", "file")
        self.winerror = code


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        (errno.ENOENT, 2, "No such file or directory"),
        (errno.EACCES, 5, "Permission denied"),
        (errno.ENOSPC, 112, "No space left on device"),
        (errno.EACCES, 32, IS_HELD),
        (errno.EACCES, 33, IS_HELD),
        (errno.ENOENT, 53, NO_ANSWER),  # as Python maps ERROR_BAD_NETPATH
        (errno.EINVAL, 64, NO_ANSWER),  # and ERROR_NETNAME_DELETED
        (errno.EACCES, 21, NO_ANSWER),
        (errno.EINVAL, 123, "Windows allows no such name"),
        (errno.EINVAL, 362, IS_AWAY),
    ],
)
def test_the_words_are_english_and_say_what_the_number_does_not(number: int, code: int, words: str) -> None:
    assert words_of(WindowsError(number, code)) == words


def test_an_unknown_code_without_a_number_is_told() -> None:
    assert words_of(WindowsError(0, 4711)) == "Windows' error 4711"


def test_other_systems_words_are_their_own() -> None:
    assert words_of(OSError(errno.EACCES, "as it says", "file")) == "as it says"
    assert words_of(OSError("no number")) == "no number"
    assert words_of(OSError(errno.EIO, os.strerror(errno.EIO))) == "Input/output error"


@pytest.mark.parametrize(
    ("code", "expected"), [(2, False), (5, False), (32, False), (53, True), (59, True), (1167, True)]
)
def test_a_server_that_does_not_answer_is_of_a_moment(code: int, expected: bool) -> None:  # noqa: FBT001
    assert is_of_a_moment(WindowsError(errno.ENOENT, code)) is expected
    assert not is_of_a_moment(OSError(errno.ENOENT, "none", "file"))


@pytest.mark.parametrize(
    ("path", "relative"), [("C:\\Game\\Assets\\a.txt", "Assets\\a.txt"), ("D:\\a.txt", "D:\\a.txt"), ("C:\\b", "..\\b")]
)
def test_a_path_on_another_drive_stays_as_it_is(path: str, relative: str) -> None:
    assert relative_path(path, "C:\\Game", ntpath) == relative
