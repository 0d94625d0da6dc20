"""The facts of a directory: those that are known where nothing changed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.scan.reader import DirectoryReader
from assetdb.system.identity import RACY
from tests.assetdb.scan.folder import PATH, meta, read, reader, told, write
from tests.needs import is_wine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "a.txt", "x")
    write(tmp_path, "a.txt.meta", meta(1))
    return tmp_path


def test_an_unchanged_directory_is_the_one_that_is_known(root: Path) -> None:
    known = read(root)
    again = reader(root)
    assert again.read(PATH, known) is known
    assert again.files_read == 0
    assert again.walk_seconds > 0
    assert again.read(PATH, known, named=()) is known  # something happened to what does not matter


def test_files_that_were_named_are_read_whatever_their_record_says(root: Path) -> None:
    known = read(root)
    again = reader(root)
    assert again.read(PATH, known, named=[b"a.txt.meta"]) == known
    assert again.files_read == 1


HOUR = 3600


def test_the_time_of_listing_and_comparing_adds_up(root: Path) -> None:
    each = reader(root, wide=1)
    known = each.read(PATH, None)
    first = each.walk_seconds
    assert 0 < first < HOUR
    assert each.read(PATH, known) is known
    second = each.walk_seconds
    assert first < second < HOUR
    write(root, "a.txt", "xy")
    assert each.read(PATH, known, named=[b"a.txt"], only_named=True) is not known
    assert second < each.walk_seconds < HOUR


@pytest.mark.parametrize(
    ("wide", "only_named", "named", "sees"),
    [(1, True, [b"a.txt"], False), (2, True, [b"a.txt"], True), (1, False, [b"a.txt"], True), (1, True, [], True)],
)
def test_a_wide_directory_is_not_listed_if_only_named_files_changed(
    root: Path, wide: int, named: list[bytes], *, only_named: bool, sees: bool
) -> None:
    """An asset that nobody named tells whether it was."""
    known = read(root)
    assert known.pair_count == 1
    write(root, "b.txt", "x")
    write(root, "b.txt.meta", meta(2))
    found = reader(root, wide=wide).read(PATH, known, named, only_named=only_named)
    assert found is not None
    assert (found.pair_count == 2) is sees


def test_a_directory_that_is_gone_has_no_facts(root: Path) -> None:
    known = read(root)
    assert reader(root).read(b"Assets/Gone", known._replace(path=b"Assets/Gone")) is None
    if not is_wine():  # it says that the name is invalid
        assert reader(root).read(PATH + b"/a.txt", None) is None


def test_young_times_are_not_trusted(root: Path) -> None:
    found = read(root, since_ns=time.time_ns() - 10_000_000_000)
    assert found.identity == RACY
    assert set(memoryview(found.identities).cast("q")) == {RACY}
    again = reader(root, since_ns=time.time_ns() - 10_000_000_000)
    second = again.read(PATH, found)
    assert second == found
    assert second is not found


def test_a_process_of_its_own_goes_where_it_reads(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    here = reader(root, may_change_directory=True)
    found = here.read(PATH, None)
    assert here.prefix == b""
    assert os.getcwd() == os.path.realpath(root / "Assets" / "Here")
    assert found == read(root)


def test_mounted_folders_are_read_at_their_place(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", "a.txt", "x")
    mounts = {b"Packages/com.acme": os.fsencode(tmp_path / "elsewhere" / "Assets")}
    mounted = DirectoryReader(os.fsencode(tmp_path), since_ns=0, may_change_directory=False, mounts=mounts)
    assert mounted.place_of(b"Packages/com.acme/Here") == mounts[b"Packages/com.acme"] + b"/Here"
    other = os.fsencode(tmp_path) + b"/Packages/com.other/Here"
    assert mounted.place_of(b"Packages/com.other/Here") == other
    found = mounted.read(b"Packages/com.acme/Here", None)
    assert found is not None
    assert [code for code, _ in told(found)] == ["missing-meta"]


def test_the_facts_of_a_known_directory_are_asked_for_only_when_needed(root: Path) -> None:
    known, asked = read(root), []

    def complete(directory: object) -> object:
        asked.append(directory)
        return known

    bare = known._replace(guids=b"", keys=b"")
    lazy = reader(root, complete=complete)
    assert lazy.read(PATH, bare) is bare
    assert not asked
    write(root, "b.txt", "x")
    found = lazy.read(PATH, bare)
    assert asked == [bare]
    assert found is not None
    assert found.guids == known.guids
    lazy.close()
