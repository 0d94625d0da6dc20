"""Entries are read as they were written, or not at all."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from assetdb.memo.file import MemoFile, columns, split_columns, strings_of, texts
from tests.assetdb.history.repositories import git

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = {"one": [b"some"], "two": [b"", b"bytes" * 20, bytes(range(256))], "": [b""], "none": []}


def made(path: Path, entries: dict[str, list[bytes]], stamp: str = "1") -> MemoFile:
    file = MemoFile(str(path), stamp)
    for key, parts in entries.items():
        file.put(key, parts)
    assert file.write()
    return file


def contents(path: Path, stamp: str = "1") -> dict[str, list[bytes | None]]:
    file = MemoFile(str(path), stamp)
    return {key: [file.part(key, number) for number in range(len(ENTRIES.get(key, [b""])))] for key in file.keys()}  # noqa: SIM118 - it is no dictionary


def test_entries_are_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    file = made(path, ENTRIES)
    assert contents(path) == ENTRIES
    assert file.part("one", 0) == b"some"
    assert file.part("one", 1) is None
    assert file.part("three", 0) is None


def test_entries_of_another_stamp_are_none(tmp_path: Path) -> None:
    made(tmp_path / "file", ENTRIES)
    assert contents(tmp_path / "file", "2") == {}
    made(tmp_path / "file", {"x": [b"y"]}, "2")
    assert contents(tmp_path / "file", "2") == {"x": [b"y"]}


def test_what_is_not_replaced_stays(tmp_path: Path) -> None:
    file = made(tmp_path / "file", ENTRIES)
    file.put("one", [b"other"])
    file.drop("none")
    assert file.part("one", 0) == b"other"
    assert file.part("none", 0) is None
    assert file.write()
    expected = {key: value for key, value in ENTRIES.items() if key != "none"} | {"one": [b"other"]}
    assert contents(tmp_path / "file") == expected


def test_two_processes_keep_what_the_other_wrote(tmp_path: Path) -> None:
    first = made(tmp_path / "file", ENTRIES)
    second = MemoFile(str(tmp_path / "file"), "1")
    first.put("first", [b"1"])
    second.put("second", [b"2"])
    assert first.write()
    assert second.part("two", 1) is None  # the file that it knew is gone
    assert second.write()
    assert contents(tmp_path / "file") == {**ENTRIES, "first": [b"1"], "second": [b"2"]}
    assert second.part("two", 1) == ENTRIES["two"][1]


def test_of_entries_with_a_prefix_the_oldest_go(tmp_path: Path) -> None:
    file = made(tmp_path / "file", {f"old {number}": [b""] for number in range(4)} | {"other": [b""]})
    file.put("old 1", [b""])  # written again, so it is the youngest
    file.bound("old ", 2)
    assert file.write()
    assert sorted(contents(tmp_path / "file")) == ["old 1", "old 3", "other"]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    file = MemoFile(os.path.join(tmp_path, "no folder", "file"), "1")
    file.put("one", [b"some"])
    assert not file.write()
    assert file.part("one", 0) == b"some"
    wrong = MemoFile(str(tmp_path / "file"), "1")
    wrong.put("a\0b", [b""])
    assert not wrong.write()
    (tmp_path / "folder").mkdir()
    assert contents(tmp_path / "folder") == {}


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    file = MemoFile(str(tmp_path / "file"), "1")
    assert file.write()
    assert not (tmp_path / "file").exists()


def test_whatever_is_damaged_is_absent(tmp_path: Path) -> None:
    path = tmp_path / "file"
    made(path, ENTRIES)
    whole = path.read_bytes()
    chosen = random.Random(3)
    for number in range(2000):
        data = bytearray(whole)
        if number % 3 == 0:
            del data[chosen.randrange(len(data)) :]
        elif number % 3 == 1:
            data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(8)
        else:
            data += chosen.randbytes(chosen.randrange(1, 9))
        path.write_bytes(data)
        found = contents(path)
        assert found != ENTRIES
        for key, parts in found.items():
            assert all(part in (None, right) for part, right in zip(parts, ENTRIES[key], strict=True))


@pytest.mark.parametrize("strings", [[], [""], ["", ""], ["a", "", "\u00fc\n\u2028\x1f"]])
def test_strings_are_what_they_were(strings: list[str]) -> None:
    assert strings_of(texts(strings)) == strings


@pytest.mark.parametrize("string", ["a\0b", "\udc80"])
def test_what_is_no_text_is_refused(string: str) -> None:
    with pytest.raises(ValueError, match=r"contains a NUL|surrogates"):
        texts(["a", string])


@pytest.mark.parametrize("parts", [[], [b""], [b"", b"two", b"", bytes(range(256))]])
def test_columns_are_what_they_were(parts: list[bytes]) -> None:
    packed = columns(parts)
    assert split_columns(packed) == parts
    with pytest.raises(ValueError, match="wrong"):
        split_columns(packed + b"x")
    with pytest.raises(ValueError, match="wrong"):
        split_columns(b"\xff" * 16)


def test_the_newest_value_is_that_of_any_process(tmp_path: Path) -> None:
    path = tmp_path / "file"
    file = MemoFile(str(path), "1")
    assert file.newest("one") is None
    for value in (b"first", b"second"):
        made(path, {"one": [value], "two": [value, value]})
        assert file.newest("one") == value
        assert file.newest("three") is None
    assert file.part("two", 0) is None, "parts of one entry are of one file"
    file.put("one", [b"own"])
    assert file.newest("one") == b"own"
    assert file.write()
    made(path, {"one": [b"third"]})
    assert file.newest("one") == b"third"
    path.unlink()
    assert file.newest("one") is None


def test_all_entries_are_told_but_damaged_ones(tmp_path: Path) -> None:
    path = tmp_path / "file"
    made(path, ENTRIES)
    assert MemoFile(str(path), "1").entries() == ENTRIES
    assert MemoFile(str(path), "2").entries() == MemoFile(str(tmp_path / "none"), "1").entries() == {}
    data = bytearray(path.read_bytes())
    data[data.index(b"some")] ^= 1
    path.write_bytes(data)
    assert MemoFile(str(path), "1").entries() == {key: parts for key, parts in ENTRIES.items() if key != "one"}


def test_a_file_that_git_tracks_is_not_believed(tmp_path: Path) -> None:
    """A commit could bring answers that make a check of it pass."""
    git(tmp_path, "init", "-q")
    path = tmp_path / "out" / "file"
    path.parent.mkdir()
    made(path, ENTRIES)
    assert contents(path) == ENTRIES
    git(tmp_path, "add", "-f", "out/file")
    assert contents(path) == {}
    made(path, {"new": [b"own"]})
    git(tmp_path, "rm", "-q", "-f", "--cached", "out/file")
    assert contents(path) == {"new": [b"own"]}
