"""``assetdb catalog`` and ``assetdb bundle`` on what is no file, may not be read, or is larger than memory."""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

import assetdb_formats.files
from assetdb.cli import main
from assetdb.cli.bundle.each import grouped
from scripts.fuzz.running import peak_bytes
from tests.assetdb_formats.casset.builder import all_types
from tests.assetdb_formats.unityfs import builder
from tests.needs import make_large

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CATALOG = (
    ("catalog", "info", "FILE"),
    ("catalog", "ls", "FILE"),
    ("catalog", "deps", "key", "--in", "FILE"),
    ("catalog", "usages", "key", "--in", "FILE"),
    ("catalog", "find", "text", "--in", "FILE"),
    ("catalog", "diff", "FILE", "FILE"),
    ("catalog", "verify", "FILE"),
    ("catalog", "convert", "FILE", "--format", "json", "-o", "OUT"),
    ("catalog", "edit", "FILE", "--crc", "0", "-o", "OUT"),
    ("catalog", "extract", "FILE"),
    ("catalog", "layout", "FILE"),
    ("catalog", "state", "FILE"),
    ("catalog", "settings", "FILE"),
    ("catalog", "hash", "FILE"),
)
BUNDLE = (
    ("bundle", "info", "FILE"),
    ("bundle", "ls", "FILE"),
    ("bundle", "deps", "FILE"),
    ("bundle", "usages", "FILE"),
    ("bundle", "get", "object", "--in", "FILE"),
    ("bundle", "verify", "FILE"),
    ("bundle", "diff", "FILE", "FILE"),
    ("bundle", "extract", "FILE", "--to", "OUT"),
    ("bundle", "find", "text", "--in", "FILE"),
    ("bundle", "unused", "--in", "FILE"),
)


HANG = 300  # seconds: a wait for a pipe has no end, and two files of 5 GB are compared in over 30 beside other work


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A command that waits for a pipe fails the test, it does not stop the run."""
    if sys.platform == "win32":
        yield
        return
    signal.alarm(HANG)
    yield
    signal.alarm(0)


def run(words: tuple[str, ...], path: str, folder: Path) -> int:
    given = {"FILE": path, "OUT": str(folder / "out")}
    return main([given.get(word, word) for word in words])


@pytest.mark.parametrize("words", CATALOG + BUNDLE, ids=" ".join)
def test_pipes_and_devices_are_refused(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever this system has of them: a device is there on each."""
    odd = {os.devnull: "is a device, not a file"}
    if sys.platform != "win32":
        fifo = tmp_path / "catalog.json"
        os.mkfifo(fifo)
        odd |= {str(fifo): "is a pipe, not a file", "/dev/zero": "is a device, not a file"}
    for path, what in odd.items():
        assert run(words, path, tmp_path) == 2
        assert f"{path}: {what}" in capsys.readouterr().err


@pytest.mark.parametrize("words", CATALOG + BUNDLE, ids=" ".join)
def test_a_file_that_may_not_be_read_is_an_error_that_names_it(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "catalog.json"
    path.write_bytes(b"{}")

    def refuse(name: str, *, directory: int | None = None) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", name)

    monkeypatch.setattr(assetdb_formats.files, "open_descriptor", refuse)  # chmod does not keep root out
    assert run(words, str(path), tmp_path) == 2
    err = capsys.readouterr().err
    assert f"{path}: Permission denied" in err
    assert "damaged" not in err


BEGINNINGS = {"unityfs": builder.every_kind()["LZ4HC"], "casset": all_types(), "casset text": b"_TypeId: "}


@pytest.mark.parametrize("words", BUNDLE, ids=" ".join)
@pytest.mark.parametrize("kind", BEGINNINGS)
def test_a_bundle_of_five_gigabytes_takes_no_memory(words: tuple[str, ...], kind: str, tmp_path: Path) -> None:
    path = tmp_path / "sparse.casset"
    path.write_bytes(BEGINNINGS[kind])
    make_large(path, 5 << 30)
    before = peak_bytes()
    assert run(words, str(path), tmp_path) in (0, 1, 2)
    assert peak_bytes() - before < 100 << 20


@pytest.mark.parametrize("words", CATALOG, ids=" ".join)
def test_a_catalog_of_five_gigabytes_is_refused_unread(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "catalog.json"
    path.write_bytes(b"{")
    make_large(path, 5 << 30)
    before = peak_bytes()
    assert run(words, str(path), tmp_path) == 2
    assert f"{path}: has 5,368,709,120 bytes; at most" in capsys.readouterr().err
    assert peak_bytes() - before < 100 << 20


def test_what_repeats_is_said_three_times_and_counted() -> None:
    lines = [f"object {number} (Mesh): {number} bytes are left over" for number in range(5)] + ["another"]
    assert list(grouped(lines)) == [*lines[:3], "and 2 more like that", "another"]


def test_a_folder_in_the_place_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bundle", "info", str(tmp_path)]) == 2
    assert f"{tmp_path}: " in capsys.readouterr().err
