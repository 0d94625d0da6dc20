"""What a workspace has ready, makes in another process, and does where its cache cannot be written."""

from __future__ import annotations

import errno
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from assetdb.scan.known.cache import FILE_NAME
from assetdb.settings.effective import read_settings
from assetdb.store.files import DATABASE_NAME, INDEX_NAME
from assetdb.store.output import Output
from assetdb.workspace.workspace import Options, Workspace
from tests.assetdb.unity_project import SETTLED, guid, write
from tests.needs import needs_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

KEPT = Options(keep=True, workers=1)
ONCE = Options(workers=1)
SHARED = Options(workers=2, many_assets=2)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "P/ProjectSettings").mkdir(parents=True)
    write(tmp_path / "P", "Assets/a.txt", 1, b"a")
    write(tmp_path / "P", "Assets/F/b.txt", 2, b"b")
    return tmp_path / "P"


@contextmanager
def opened(root: Path, options: Options = KEPT) -> Iterator[Workspace]:
    made = Workspace(str(root), lambda: read_settings(str(root), str(root / "Library")), options)
    made.output.make_folder()
    try:
        yield made
    finally:
        made.close()


def names(root: Path) -> set[str]:
    return set(os.listdir(root / "Library"))


# --- ready for edits


def test_a_state_that_is_made_beforehand_follows_as_one_that_is_made_when_needed(root: Path) -> None:
    with opened(root, ONCE) as first:
        first.refresh()
        first.save()
    found = []
    for is_early in (True, False):
        with opened(root) as workspace:
            assert workspace.refresh().unchanged
            assert not workspace.is_prepared
            before = workspace.contents()
            if is_early:
                workspace.prepare()
                assert workspace.is_prepared
                assert all(item.guids for item in workspace.directories().values() if item.pair_count)
            assert workspace.contents() == before
            (root / "Assets/F/b.txt.meta").rename(root / "Assets/F/c.txt.meta")
            (root / "Assets/F/b.txt").rename(root / "Assets/F/c.txt")
            changes = workspace.refresh([b"Assets/F"]).changes
            assert [(row.kind, row.old_path, row.path) for row in changes] == [
                ("renamed", "Assets/F/b.txt", "Assets/F/c.txt")
            ]
            assert workspace.is_prepared
            workspace.prepare()  # which is done already
            found.append(workspace.contents())
            (root / "Assets/F/c.txt.meta").rename(root / "Assets/F/b.txt.meta")
            (root / "Assets/F/c.txt").rename(root / "Assets/F/b.txt")
    assert found[0] == found[1]


def test_where_the_files_were_replaced_nothing_is_ready(root: Path) -> None:
    with opened(root, ONCE) as first:
        first.refresh()
        first.save()
    with opened(root) as workspace:
        workspace.refresh()
        (root / "Library" / DATABASE_NAME).write_bytes(b"other")
        workspace.prepare()
        assert not workspace.is_prepared
        write(root, "Assets/c.txt", 3, b"c")
        assert [row.path for row in workspace.refresh([b"Assets"]).changes] == ["Assets/c.txt"]


# --- in another process


@needs_fork
def test_another_process_makes_what_this_one_makes(root: Path) -> None:
    with opened(root, ONCE) as alone:
        alone.refresh()
        contents = alone.contents()
    with opened(root, SHARED) as workspace:
        workspace.refresh()
        assert workspace.contents() == contents
        assert workspace.asset_count == 2
        assert workspace.save()
        assert (workspace.record.pays, workspace.record.seen_pays) == (False, False)
        assert {DATABASE_NAME, INDEX_NAME, FILE_NAME} <= names(root)
        assert not workspace.save()
    with opened(root, ONCE) as again:
        found = again.refresh()
        assert (found.unchanged, found.files_read) == (True, 0)


@needs_fork
def test_another_process_writes_nothing_for_who_only_reads(root: Path) -> None:
    with opened(root, ONCE) as alone:
        alone.refresh()
        contents = alone.contents()
    before = names(root)
    with opened(root, SHARED._replace(read_only=True)) as workspace:
        workspace.refresh()
        assert workspace.contents() == contents
    assert names(root) == before


@needs_fork
def test_a_cache_of_another_process_that_cannot_be_put_in_place_is_written_here(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failed = Output.finish_cache, [OSError(errno.EIO, "no")]

    def finish(self: Output) -> bool:
        if failed:
            raise failed.pop()
        return real(self)

    monkeypatch.setattr(Output, "finish_cache", finish)
    with opened(root, SHARED) as workspace:
        workspace.refresh()
        workspace.save()
        assert (workspace.record.problem, workspace.record.is_written) == (None, True)
    assert FILE_NAME in names(root)


# --- a cache that cannot be written


def full(*_: object) -> bool:
    raise OSError(errno.ENOSPC, "no space")


@pytest.mark.parametrize("step", ["begin_cache", "begin_seen", "finish_cache", "finish_seen"])
def test_a_cache_that_cannot_be_written_is_told_and_written_the_next_time(
    root: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    with opened(root, ONCE) as first:
        first.refresh()
        first.save()
    write(root, "Assets/c.txt", 3, b"c")
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        with monkeypatch.context() as patched:
            patched.setattr(Output, step, full)
            assert workspace.save()
        assert workspace.is_saved
        assert workspace.record.problem is not None
        assert workspace.record.problem.errno == errno.ENOSPC
        assert (workspace.record.pays, workspace.record.is_written) == (True, False)
        # One of before takes space only; a new one is in its place before the identities are.
        assert (FILE_NAME in names(root)) is (step == "finish_seen")
        assert not workspace.save()
        assert (workspace.record.problem, workspace.record.pays, workspace.record.is_written) == (None, False, True)
        assert FILE_NAME in names(root)


@pytest.mark.parametrize("step", ["begin_cache", "finish_cache"])
def test_who_writes_a_cache_alone_is_told_of_a_failure(root: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        workspace.save(cache=False)
        assert FILE_NAME not in names(root)
        with monkeypatch.context() as patched:
            patched.setattr(Output, step, full)
            with pytest.raises(OSError, match="no space"):
                write_cache(workspace)
        assert workspace.record.problem is not None
        assert write_cache(workspace)
        assert workspace.record.problem is None


def write_cache(workspace: Workspace) -> bool:
    begun = workspace.begin_cache()
    return begun is not None and workspace.finish_cache(begun)


def test_a_cache_that_another_thread_is_to_leave_is_not_begun(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        workspace.save(cache=False)
        asked: list[bool] = []

        def begin(_: Output, __: object, is_wanted: Callable[[], bool]) -> bool:
            asked.append(is_wanted())
            workspace.leave_cache()
            return is_wanted()

        with monkeypatch.context() as patched:
            patched.setattr(Output, "begin_cache", begin)
            assert workspace.begin_cache() is None
        assert asked == [True]
        assert write_cache(workspace)


def test_identities_alone_leave_the_cache_to_be_written(root: Path) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        workspace.save(cache=False)
        begun = workspace.begin_cache(whole=False)
        assert begun is not None
        assert workspace.finish_cache(begun)
        assert (workspace.record.pays, workspace.record.seen_pays, workspace.record.is_written) == (True, False, False)
        assert FILE_NAME not in names(root)


def test_a_cache_that_is_written_is_not_written_again(root: Path) -> None:
    path = root / "Library" / FILE_NAME
    with opened(root) as workspace:
        workspace.refresh()
        workspace.save(cache=False)
        assert not path.exists()
        workspace.save(cache=True)
        before = path.stat()
        workspace.save(cache=True)
        assert path.stat() == before
        write(root, "Assets/c.txt", 3, b"c")
        workspace.refresh()
        workspace.save(cache=False)
        assert path.stat() == before
        workspace.save(cache=True)
        assert path.stat() != before


@pytest.mark.parametrize("name", [DATABASE_NAME, INDEX_NAME])
def test_a_difference_of_the_index_counts_where_it_is_asked_for(root: Path, name: str) -> None:
    with opened(root) as workspace:
        workspace.refresh()
        workspace.save()
        assert workspace.difference(of_index=True) == workspace.difference(of_index=False) == (False, ())
        (root / "Library" / name).write_bytes(b"other")
        assert workspace.difference(of_index=True)[0]
        assert workspace.difference(of_index=False)[0] is (name == DATABASE_NAME)


def test_a_cache_is_outdated_by_other_identities_alone(root: Path) -> None:
    time.sleep(SETTLED)
    with opened(root) as workspace:
        workspace.refresh()
        workspace.save(cache=True)
        assert workspace.record.is_written
        assert workspace.refresh([b"Assets/F"]).changes == ()
        assert (workspace.record.is_written, workspace.record.pays) == (True, False)
        os.utime(root / "Assets/F/b.txt", (1, 1))
        found = workspace.refresh([b"Assets/F"])
        assert found.changes == ()
        assert (workspace.record.is_written, workspace.record.pays) == (False, True)
        assert workspace.save() is False
        assert workspace.record.is_written


def test_a_database_is_of_what_was_refreshed_and_kept(root: Path) -> None:
    with opened(root, ONCE) as workspace:
        workspace.refresh()
        with pytest.raises(RuntimeError, match="not refreshed yet, or not kept"):
            _ = workspace.database
    with opened(root) as workspace:
        with pytest.raises(RuntimeError, match="not refreshed yet, or not kept"):
            _ = workspace.database
        workspace.refresh()
        assert workspace.database.by_guid(guid(1)) is not None
