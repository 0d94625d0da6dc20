"""The files for the next start: written beside their places, and put there if they still fit."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known import cache, cache_log, file_identities
from assetdb.state import edge_columns
from assetdb.state.columns import links_from
from assetdb.store import cache_record
from assetdb.store.cache_record import (
    Saved,
    UnfinishedCache,
    begin,
    edit,
    encode_cache,
    encode_seen,
    finish,
    folders_of,
    rows_of,
    write_edit,
)
from assetdb.store.indexes import writer
from assetdb.store.output import Output, read_bytes
from assetdb.system.identity import DEFAULT, RACY

if TYPE_CHECKING:
    from pathlib import Path

GUIDS = [b"c" * 16, b"a" * 16, b"b" * 16, b"a" * 16]


def packed(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, sys.byteorder, signed=True) for number in numbers)


ONE = DirectoryFacts(
    b"Assets",
    files=b"0/0.meta/1/1.meta/F.meta",
    identities=packed(1, 2, 3, 4, 5),
    guids=GUIDS[0] + GUIDS[1],
    folders=b"F",
    folder_guids=b"f" * 16,
    pair_count=2,
)
TWO = DirectoryFacts(
    b"Assets/F",
    files=b"2/2.meta/3/3.meta",
    identities=packed(6, 7, 8, 9),
    guids=GUIDS[2] + GUIDS[3],
    folder_guids=b"e" * 16 + b"f" * 16,
    folders=b"E/G",
    pair_count=2,
)


def saved(files: tuple[int, int, int, int] = (1, 2, 3, 4)) -> Saved:
    return Saved(files, b"the index", 3, b"problems", b"settings", DEFAULT, 0)


def identities_in(parts: list[bytes]) -> bytes:
    whole = b"".join(parts)
    return whole[80:-16]


@pytest.mark.parametrize("at_once", [1, 4, 5, 1 << 15])
def test_rows_are_in_the_order_of_guids(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_record, "_AT_ONCE", at_once)
    found = encode_seen(saved(), rows_of([ONE, TWO]))
    never = RACY
    assert identities_in(found) == packed(never, never, 6, 7, 1, 2, never, never)  # a twice, b, c; folders e, f
    assert file_identities.read_checksums(b"".join(found)) == (4, file_identities.checksum_of(b"the index"))


def test_rows_that_were_made_already_are_taken() -> None:
    assert identities_in(encode_seen(saved(), (1, 0, packed(7, 8)))) == packed(7, 8)


def test_folders_are_distinct_and_in_order() -> None:
    assert folders_of([ONE, TWO]) == [b"e" * 16, b"f" * 16]
    assert folders_of([]) == []


def test_the_cache_has_settings_files_and_problems() -> None:
    found = cache.decode(b"".join(encode_cache(saved(), [ONE], rows_of([ONE]))))
    assert (found.settings, found.files, found.asset_count, found.problems) == (
        *(b"settings", (1, 2, 3, 4), 3, b"problems"),
    )


@pytest.fixture
def output(tmp_path: Path) -> Output:
    return Output(str(tmp_path))


def places(output: Output) -> tuple[bool, bool, int]:
    """Return whether cache and identities are in their places, and how many files lie beside them."""
    names = os.listdir(output.folder)
    here = cache.FILE_NAME in names, file_identities.FILE_NAME in names
    return *here, len(names) - sum(here)


def unfinished(output: Output, files: tuple[int, int, int, int], *, has_cache: bool = True) -> UnfinishedCache:
    return UnfinishedCache(has_cache, None, output, files)


@pytest.mark.parametrize("whole", [True, False])
def test_what_was_begun_is_put_in_its_place(output: Output, whole: bool) -> None:  # noqa: FBT001 - a row
    files = output.identities()
    assert begin(saved(files), output, [ONE], None, whole=whole, is_wanted=lambda: True)
    assert places(output) == (False, False, 1 + whole)
    assert finish(unfinished(output, files, has_cache=whole), is_wanted=True)
    assert places(output) == (whole, True, 0)


def test_what_is_not_wanted_is_not_written(output: Output) -> None:
    assert not begin(saved(), output, [ONE], None, whole=True, is_wanted=lambda: False)
    assert places(output) == (False, False, 0)


@pytest.mark.parametrize(("wanted", "files"), [(False, (0, 0, 0, 0)), (True, (0, 0, 0, 1))])
def test_what_is_not_wanted_or_of_other_files_is_removed(
    output: Output,
    wanted: bool,  # noqa: FBT001 - a row
    files: tuple[int, int, int, int],
) -> None:
    begin(saved(), output, [ONE], None, whole=True, is_wanted=lambda: True)
    assert not finish(unfinished(output, files), is_wanted=wanted)
    assert places(output) == (False, False, 0)


def test_what_is_gone_is_not_put_in_its_place(output: Output) -> None:
    begin(saved(), output, [ONE], None, whole=True, is_wanted=lambda: True)
    for name in os.listdir(output.folder):
        os.unlink(os.path.join(output.folder, name))
    assert not finish(unfinished(output, output.identities()), is_wanted=True)


def test_an_end_while_writing_leaves_nothing(output: Output) -> None:
    def end() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin(saved(), output, [ONE], None, whole=True, is_wanted=end)
    assert places(output) == (False, False, 0)


BEFORE = DirectoryFacts(
    b"Assets",
    files=b"0/0.meta/1/1.meta",
    identities=packed(1, 2, 3, 4),
    guids=b"a" * 16 + b"b" * 16,
    pair_count=2,
)
AFTER = BEFORE._replace(identities=packed(1, 2, 5, 4))


@pytest.fixture
def recorded(output: Output) -> Saved:
    """Write the record of a directory with two assets; return the one after an edit."""
    guids = [b"a" * 16, b"b" * 16]
    edges = edge_columns.encode(guids, links_from([(b"", b"")] * 2), [])
    index = b"".join(writer.encode(bytes(16), 0, guids, range(2), [], edges))
    output.write([b"database"], [index])
    made = saved(output.identities())._replace(index_bytes=index, asset_count=2)
    assert begin(made, output, [BEFORE], None, whole=True, is_wanted=lambda: True)
    assert finish(unfinished(output, made.files), is_wanted=True)
    return made._replace(problems=b"later")


@pytest.mark.parametrize("has_index", [True, False])
def test_an_edit_is_written_to_the_log_and_the_identities(output: Output, recorded: Saved, has_index: bool) -> None:  # noqa: FBT001 - a row
    made = recorded if has_index else recorded._replace(index_bytes=b"")
    found = edit(made, output, output.read_cache(), [(BEFORE, AFTER)])
    assert found is not None
    write_edit(found, output)
    after = output.read_cache()
    assert (after.log_records, after.problems, after.files) == (1, b"later", output.identities())
    assert after.complete(after.directories[b"Assets"]).identities == AFTER.identities
    assert output.has_seen(0)
    whole = read_bytes(output.seen)
    assert identities_in([whole]) == packed(1, 2, 5, 4)
    assert file_identities.read_checksums(whole) == (
        made.files[3],
        file_identities.checksum_of(recorded.index_bytes),
    )
    again = edit(made, output, after, [(AFTER, BEFORE)])  # behind the first
    assert again is not None
    write_edit(again, output)
    assert output.read_cache().log_records == 2
    assert identities_in([read_bytes(output.seen)]) == packed(1, 2, 3, 4)


MORE = AFTER._replace(files=b"0/0.meta/2/2.meta")


@pytest.mark.parametrize(
    "pairs",
    [
        [(BEFORE, None)],
        [(None, AFTER)],
        [(BEFORE, MORE)],
        [(BEFORE, AFTER._replace(guids=b"a" * 16 + b"c" * 16))],
        [(BEFORE, AFTER)] * (cache_log.MOST_DIRECTORIES + 1),
    ],
    ids=["a folder goes", "a folder comes", "a name", "a GUID", "many folders"],
)
def test_what_is_more_than_an_edit_of_few_files_is_recorded_as_a_whole(
    output: Output, recorded: Saved, pairs: list[tuple[DirectoryFacts | None, DirectoryFacts | None]]
) -> None:
    assert edit(recorded, output, output.read_cache(), pairs) is None


def test_an_edit_of_other_settings_or_without_its_files_is_recorded_as_a_whole(output: Output, recorded: Saved) -> None:
    known, pairs = output.read_cache(), [(BEFORE, AFTER)]
    assert edit(recorded._replace(settings=b"other"), output, known, pairs) is None
    assert edit(recorded._replace(index_bytes=b"damaged"), output, known, pairs) is None
    assert edit(recorded, output, known._replace(log_records=cache_log.MOST_RECORDS), pairs) is None
    assert edit(recorded, output, known._replace(log_records=cache_log.MOST_RECORDS - 1), pairs) is not None
    assert edit(recorded, output, known._replace(log_size=cache_log.most_bytes(0)), pairs) is None
    assert edit(recorded, output, known._replace(prefix=b""), pairs) is None
    os.unlink(output.seen)
    assert edit(recorded, output, known, pairs) is None
    os.unlink(output.cache)
    assert edit(recorded, output, known, pairs) is None
