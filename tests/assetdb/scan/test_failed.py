"""Files that cannot be read: asked for again, told of, and as they were known."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.errors import ScanError
from assetdb.scan.directory import asset_rows
from assetdb.scan.failed import FailedFiles
from assetdb.system import failures
from tests.assetdb.scan.folder import GUID, PATH, meta, read, reader, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.scan.directory import DirectoryFacts

PAIR = (b"a.txt", b"a.txt.meta")
DAMAGED = OSError(errno.EIO, "Input/output error")


@pytest.fixture
def known(tmp_path: Path) -> DirectoryFacts:
    write(tmp_path, "a.txt", "x")
    write(tmp_path, "a.txt.meta", meta(1))
    write(tmp_path, "Sub/b.txt", "x")
    write(tmp_path, "Sub.meta", meta(2, "folderAsset: yes\n"))
    return read(tmp_path)


def failed_files(root: Path, known: DirectoryFacts | None) -> FailedFiles:
    place = reader(root, largest_meta=10, largest_asset=20)
    place.read(PATH, known)
    rows = asset_rows(known) if known is not None else []
    return FailedFiles(place, known, lambda pair: rows[0] if rows and pair == PAIR else None)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "PATIENCE", 0)
    monkeypatch.setattr(failures, "_failing", {})


def fail(found: FailedFiles, name: bytes) -> None:
    assert not found.is_worth_retrying(name, DAMAGED)


def test_a_failing_file_has_its_last_good_row(tmp_path: Path, known: DirectoryFacts) -> None:
    found = failed_files(tmp_path, known)
    (row,) = asset_rows(known)
    assert found.last_good_row(PAIR) is None  # it has not failed
    fail(found, b"a.txt")
    assert found.last_good_row(PAIR) == row
    assert found.last_good_row(PAIR, GUID.format(1).encode()) == row
    assert found.last_good_row(PAIR, GUID.format(2).encode()) is None
    assert found.last_good_row((b"b.txt", b"b.txt.meta")) is None
    other = failed_files(tmp_path, None)
    fail(other, b"a.txt")
    assert other.last_good_row(PAIR) is None


def test_a_folder_with_a_failing_meta_keeps_its_guid(tmp_path: Path, known: DirectoryFacts) -> None:
    found = failed_files(tmp_path, known)
    assert found.last_good_folder(b"Sub", b"Sub.meta") == b""
    fail(found, b"Sub.meta")
    assert found.last_good_folder(b"Sub", b"Sub.meta").decode() == GUID.format(2)
    assert found.last_good_folder(b"Other", b"Sub.meta") == b""
    assert failed_files(tmp_path, None).last_good_folder(b"Sub", b"Sub.meta") == b""


def test_a_file_that_failed_before_is_not_waited_for(
    tmp_path: Path, known: DirectoryFacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "PATIENCE", 1)
    monkeypatch.setattr(failures.time, "sleep", lambda _: None)
    told = encode([Diagnostic("unreadable", "Assets/Here/a.txt", 0, "cannot be read")])
    found = failed_files(tmp_path, known._replace(file_diagnostics=told))
    assert not found.is_worth_retrying(b"a.txt", DAMAGED)
    assert found.is_worth_retrying(b"b.txt", DAMAGED)


def test_permissions_that_were_taken_away_are_no_such_error(tmp_path: Path, known: DirectoryFacts) -> None:
    found = failed_files(tmp_path, known)
    assert not found.is_worth_retrying(b"a.txt", PermissionError(errno.EACCES, "Permission denied"))
    assert found.last_good_row(PAIR) is None


def test_errors_of_the_moment_end_the_scan(tmp_path: Path, known: DirectoryFacts) -> None:
    with pytest.raises(ScanError):
        failed_files(tmp_path, known).is_worth_retrying(b"a.txt", OSError(errno.EMFILE, "Too many open files"))


def test_reasons_are_told(tmp_path: Path, known: DirectoryFacts) -> None:
    found = failed_files(tmp_path, known)

    def said(name: str) -> tuple[str, str]:
        diagnostic = found.diagnostic(name.encode(), f"Assets/Here/{name}".encode())
        assert diagnostic.path == f"Assets/Here/{name}"
        return diagnostic.code, diagnostic.message

    write(tmp_path, "large.txt", b"x" * 21)
    write(tmp_path, "fits.txt", b"x" * 20)
    assert said("Sub") == ("not-a-file", "is a folder")
    assert said("a.txt.meta") == ("too-large", f"has {len(meta(1)):,} bytes: its GUID is not read")
    assert said("large.txt") == ("too-large", "has 21 bytes: its objects and references are not read")
    assert said("fits.txt") == ("unreadable", "cannot be read")
    assert said("gone.txt") == ("unreadable", f"cannot be read: {os.strerror(errno.ENOENT)}")
    fail(found, b"a.txt")
    assert said("a.txt") == ("unreadable", "cannot be read: Input/output error")
