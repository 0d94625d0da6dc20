from __future__ import annotations

import errno
import mmap
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import FileError
from assetdb.system import reading
from assetdb.system.reading import OPEN_FLAGS, open_regular
from assetdb.system.shared_opening import AWAY, obstacle, open_shared, refuse_recall
from assetdb_formats.atomic import replace_file
from assetdb_formats.files import IS_AWAY, IS_HELD

if TYPE_CHECKING:
    from pathlib import Path

# ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
HELD = (32, 33)
on_windows = pytest.mark.skipif(os.name != "nt", reason="other systems let everybody rename and remove open files")


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_file_is_opened_for_reading(tmp_path: Path, *, as_bytes: bool) -> None:
    path = tmp_path / "\u65e5 x.txt"
    path.write_bytes(b"one\r\ntwo\x1athree")
    descriptor = open_shared(os.fsencode(path) if as_bytes else str(path), OPEN_FLAGS)
    try:
        assert os.read(descriptor, 100) == b"one\r\ntwo\x1athree"
    finally:
        os.close(descriptor)
    with pytest.raises(FileNotFoundError):
        open_shared(str(tmp_path / "absent"), OPEN_FLAGS)
    with pytest.raises(ValueError, match="null"):
        open_shared("a\0b", OPEN_FLAGS)


def test_a_file_that_is_being_read_can_be_renamed_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"text")
    descriptor = open_regular(str(path))
    path.rename(tmp_path / "b")
    (tmp_path / "b").unlink()
    assert os.read(descriptor, 9) == b"text"
    os.close(descriptor)
    assert os.listdir(tmp_path) == []


def test_a_folder_is_no_regular_file_even_where_it_may_not_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses every folder so, and people were told of a permission."""

    def refuse(path: str, _: int) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(reading, "open_shared", refuse)
    with pytest.raises(FileError, match="is not a regular file"):
        open_regular(str(tmp_path))
    (tmp_path / "file").touch()
    with pytest.raises(PermissionError):
        open_regular(str(tmp_path / "file"))


def test_a_file_that_is_mapped_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with open(open_regular(str(path)), "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    replace_file(str(path), [b"after"])
    assert path.read_bytes() == b"after"
    assert mapped[:] == b"before"
    mapped.close()


@on_windows
def test_a_file_that_another_program_holds_is_told(tmp_path: Path) -> None:
    import _winapi  # noqa: PLC0415 - there alone

    path = tmp_path / "a"
    path.write_bytes(b"")
    assert obstacle(str(path)) == ""
    handle = _winapi.CreateFile(str(path), _winapi.GENERIC_READ, 0, 0, _winapi.OPEN_EXISTING, 0, 0)
    try:
        assert obstacle(str(path)) == IS_HELD
        with pytest.raises(PermissionError, match=IS_HELD):
            open_shared(str(path), OPEN_FLAGS)
    finally:
        _winapi.CloseHandle(handle)


@on_windows
@pytest.mark.parametrize("code", HELD)
def test_a_code_of_the_system_is_told_in_words_of_ours(code: int) -> None:
    from assetdb_formats.files import system_error  # noqa: PLC0415 - there alone

    error = system_error("p", code)
    assert (error.errno, error.strerror, error.filename) == (errno.EACCES, IS_HELD, "p")
    error = system_error("p", 2)
    assert (type(error), error.strerror) == (FileNotFoundError, os.strerror(errno.ENOENT))


def test_a_file_that_would_be_downloaded_is_refused() -> None:
    refuse_recall("p", 0x20)  # FILE_ATTRIBUTE_ARCHIVE: any file
    refuse_recall("p", 0x1000)  # FILE_ATTRIBUTE_OFFLINE alone: an old kind of backup, which reads as usual
    for attribute in (0x40_0000, 0x4_0000):
        assert attribute & AWAY
        with pytest.raises(PermissionError) as caught:
            refuse_recall("p", 0x20 | attribute)
        assert (caught.value.strerror, caught.value.filename) == (IS_AWAY, "p")


def test_a_file_without_an_obstacle_has_no_reason(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert obstacle(str(tmp_path / "a")) == ""
    assert obstacle(str(tmp_path / "absent")) == ""
