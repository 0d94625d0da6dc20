"""A file that this user alone may open is one from the moment it is there."""

from __future__ import annotations

import os
import re
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.files.private_file import create_private

if TYPE_CHECKING:
    from pathlib import Path


def test_it_is_written_and_read_by_its_user(tmp_path: Path) -> None:
    path = tmp_path / "x.token"
    with open(create_private(str(path)), "w", encoding="ascii") as file:
        file.write("one two")
    assert path.read_text() == "one two"
    path.unlink()


def test_one_that_is_there_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.token"
    path.write_text("another's")
    with pytest.raises(FileExistsError):
        create_private(str(path))
    assert path.read_text() == "another's"


def test_a_folder_that_is_absent(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        create_private(str(tmp_path / "absent" / "x.token"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has access lists, and no modes")
def test_others_may_do_nothing(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        os.close(create_private(str(tmp_path / "x.token")))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x.token").stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform != "win32", reason="access lists are Windows' own")
def test_its_access_list_names_this_user_and_the_system(tmp_path: Path) -> None:
    path, plain = tmp_path / "x.token", tmp_path / "plain.txt"
    os.close(create_private(str(path)))
    plain.touch()
    entries = re.findall(r"\(A;[A-Z]*;FA;;;([^)]*)\)", _access_list(path))
    assert len(entries) == _access_list(path).count("(") == 2
    assert "SY" in entries
    assert _access_list(plain) != _access_list(path), "what the folder gives is another list"


def _access_list(path: Path) -> str:
    """Return the entries of a file's access list, as SDDL writes them."""
    import ctypes  # noqa: PLC0415 - there alone
    from ctypes import wintypes  # noqa: PLC0415 - the same

    security = ctypes.WinDLL("advapi32", use_last_error=True)
    found, size, text = ctypes.create_string_buffer(4096), wintypes.DWORD(), wintypes.LPWSTR()
    assert security.GetFileSecurityW(str(path), 4, found, len(found), ctypes.byref(size))
    assert security.ConvertSecurityDescriptorToStringSecurityDescriptorW(found, 1, 4, ctypes.byref(text), None)
    return str(text.value)
