"""The files of a project's database as one thing: which are replaced, and what killed processes left of them."""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.errors import ProjectError
from assetdb.scan.known import cache, file_identities
from assetdb.store.files import DATABASE_NAME, DATABASE_START, INDEX_NAME, MEMO_NAME
from assetdb.store.output import Output, read_bytes
from assetdb_formats.atomic import replace_file, temporary_of
from tests.assetdb.unity_project import make_project
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAMES = (
    DATABASE_NAME,
    INDEX_NAME,
    cache.FILE_NAME,
    file_identities.FILE_NAME,
    MEMO_NAME,
)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_killed_process_left_of_any_file_is_removed(tmp_path: Path, name: str) -> None:
    left = temporary_of(os.path.join(tmp_path, name), 77)
    own = temporary_of(os.path.join(tmp_path, "somebody's"), 77)
    for path in (left, own, os.path.join(tmp_path, name)):
        with open(path, "wb") as file:
            file.write(b"half")
    Output(str(tmp_path)).remove_leftovers()
    assert sorted(os.listdir(tmp_path)) == sorted((os.path.basename(own), name))


DATA = DATABASE_START + b"data"


@pytest.fixture
def output(tmp_path: Path) -> Output:
    return Output(str(tmp_path))


def names_in(output: Output) -> set[str]:
    return set(os.listdir(output.folder))


def begin_cache(output: Output, files: tuple[int, int, int, int] = (0, 0, 0, 0)) -> bool:
    return output.begin_cache(cache.encode(b"settings", files, 0, b"", [], 0))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = str(tmp_path / "file/out")
    with pytest.raises(ProjectError, match=re.escape(f"{folder} cannot be made: ")):
        Output(folder).make_folder()
    Output(str(tmp_path / "a/b")).make_folder()
    assert (tmp_path / "a/b").is_dir()


@pytest.mark.parametrize(
    ("data", "is_known"),
    [(DATA, True), (DATABASE_START, True), (DATABASE_START[:-1], False), (DATABASE_START[:-1] + b"\0data", False)],
)
def test_a_database_of_another_schema_counts_as_absent(output: Output, data: bytes, is_known: bool) -> None:  # noqa: FBT001 - a row
    output.write([data], [b"index"])
    sizes = output.identities()[::2]
    assert sizes == (len(data) if is_known else 0, len(b"index"))
    assert all(output.identities()[2:])


def test_only_files_that_differ_are_replaced(output: Output) -> None:
    assert output.write([DATA], [b"in", b"dex"])
    before = os.stat(output.database).st_ino, os.stat(output.index).st_ino
    assert not output.write([DATA[:5], DATA[5:]], [b"index"])
    assert (os.stat(output.database).st_ino, os.stat(output.index).st_ino) == before
    assert not output.write([DATA], [b"other"])
    assert read_bytes(output.index) == b"other"
    assert os.stat(output.database).st_ino == before[0]
    assert output.write([DATA[:-1] + b"!"], [b"other"])  # an index is of one database, so it is replaced too
    assert output.read_contents(output.identities()) == (DATA[:-1] + b"!", b"other")


def test_an_index_alone_is_replaced(output: Output) -> None:
    output.write([DATA], [b"index"])
    before = output.identities()
    after = output.write_index(b"longer index", before)
    assert after == output.identities()
    assert (after[:2], after[2]) == (before[:2], len(b"longer index"))
    assert output.read_contents(before) is None


def test_what_a_write_would_change_is_told_by_lines(tmp_path: Path) -> None:
    other = assetdb.bake(make_project(tmp_path / "Game"), tmp_path / "other").database
    index = read_bytes(os.path.join(os.path.dirname(other), INDEX_NAME))
    data = read_bytes(str(other))
    output = Output(str(tmp_path / "out"))
    output.make_folder()
    output.write([data], [index])
    assert output.difference(data, lambda: index) == output.difference(data, None) == (False, ())
    assert output.difference(data, lambda: b"other") == (True, ())
    output.write([b""], [index])
    is_changed, lines = output.difference(data, None)
    assert is_changed
    assert any("Assets/Main.unity" in line for line in lines)


@pytest.mark.parametrize("has_cache", [True, False])
def test_a_full_disk_takes_the_space_of_an_unfinished_cache(
    output: Output,
    monkeypatch: pytest.MonkeyPatch,
    has_cache: bool,  # noqa: FBT001 - a row
) -> None:
    def full(path: str, parts: list[bytes]) -> None:
        if any("unfinished" in name for name in names_in(output)) or not has_cache:
            raise OSError(errno.ENOSPC, "full", path)
        replace_file(path, parts)

    if has_cache:
        begin_cache(output)
    monkeypatch.setattr("assetdb.store.output.replace_file", full)
    if has_cache:
        assert output.write([DATA], [b"index"])
        assert names_in(output) == {DATABASE_NAME, INDEX_NAME}
    else:
        with pytest.raises(OSError, match="full"):
            output.write([DATA], [b"index"])


def test_edits_are_appended_at_their_place(output: Output) -> None:
    output.append(b"stale", 0)
    output.append(b"first", 0)
    output.append(b"second", 5)
    assert read_bytes(output.log) == b"firstsecond"
    output.append(b"2", 5)  # what was behind it is removed
    assert read_bytes(output.log) == b"first2"


@pytest.mark.parametrize("make", [pytest.param(os.symlink, marks=needs_links), os.link], ids=["symbolic", "hard"])
def test_no_edit_is_written_through_a_link(output: Output, tmp_path: Path, make: Callable[[Path, str], None]) -> None:
    own = tmp_path / "own"
    own.write_bytes(b"first")
    make(own, output.log)
    with pytest.raises(OSError):  # noqa: PT011 - systems have different words
        output.append(b"second", 5)
    assert own.read_bytes() == b"first"
    output.append(b"new", 0)
    assert (own.read_bytes(), read_bytes(output.log)) == (b"first", b"new")


def test_a_cache_is_known_by_its_beginning(output: Output) -> None:
    begin_cache(output)
    assert output.finish_cache()
    whole = read_bytes(output.cache)
    assert output.size_of_cache(whole[:10]) == len(whole)
    assert output.size_of_cache(b"other") == 0
    os.unlink(output.cache)
    assert output.size_of_cache(b"") == 0


def test_a_cache_is_put_in_its_place_with_the_files_there(output: Output) -> None:
    assert not output.finish_cache()
    assert not output.finish_seen()
    output.write([DATA], [b"index"])
    output.append(b"edits of the former cache", 0)
    begin_cache(output, (1, 2, 3, 4))
    output.begin_seen([b"seen"])
    assert output.finish_cache()
    assert output.finish_seen()
    assert output.read_cache().files == output.identities()
    assert names_in(output) == {DATABASE_NAME, INDEX_NAME, cache.FILE_NAME, file_identities.FILE_NAME}


def test_what_is_no_cache_is_not_put_in_its_place(output: Output) -> None:
    output.begin_cache([b"no cache"])
    assert not output.finish_cache()
    assert names_in(output) == set()


def test_a_cache_that_is_not_wanted_any_more_is_removed(output: Output) -> None:
    wanted = iter([True, False])
    many = [bytes(1 << 20)] * 40
    assert not output.begin_cache(many, lambda: next(wanted))
    assert names_in(output) == set()


def test_a_cache_that_cannot_be_written_is_removed(output: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_parts: object) -> Iterator[bytes]:
        yield b"half"
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(cache, "batches", fail)
    with pytest.raises(OSError, match="full"):
        output.begin_cache([])
    assert names_in(output) == set()
    assert not output.drop_cache()


def test_a_place_that_takes_no_file_leaves_none_unfinished(output: Output) -> None:
    os.makedirs(os.path.join(output.seen, "in the way"))
    output.begin_seen([b"seen"])
    with pytest.raises(OSError):  # noqa: PT011 - systems have different words
        output.finish_seen()
    assert names_in(output) == {file_identities.FILE_NAME}


@pytest.mark.parametrize("is_of_others", [True, False])
def test_a_cache_of_other_files_is_removed_with_its_edits(output: Output, is_of_others: bool) -> None:  # noqa: FBT001 - a row
    output.write([DATA], [b"index"])
    begin_cache(output)
    output.begin_seen([b"seen"])
    output.finish_cache()
    output.finish_seen()
    output.append(b"edits", 0)
    if is_of_others:
        output.write([DATA + b"more"], [b"index"])
    output.remove_cache()
    kept = set() if is_of_others else {cache.FILE_NAME, cache.LOG_NAME, file_identities.FILE_NAME}
    assert names_in(output) == {DATABASE_NAME, INDEX_NAME, *kept}
