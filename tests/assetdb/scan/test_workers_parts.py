"""What one process of a scan takes, reads and hands over, and what a scan of dirty directories looks at."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.errors import ScanError
from assetdb.scan import workers
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.workers import ScanWorker
from tests.needs import needs_fork

if TYPE_CHECKING:
    from assetdb.scan.reader import DirectoryReader

TOP, ONE, TWO, NEW = b"Assets", b"Assets/1", b"Assets/2", b"Assets/3"
KNOWN = {
    TOP: DirectoryFacts(TOP, children=b"1/2", pair_count=1),
    ONE: DirectoryFacts(ONE, pair_count=2),
    TWO: DirectoryFacts(TWO, pair_count=4),
}
Looked = tuple[bytes, "set[bytes] | None", bool]


class Reader:
    """A reader of a project as it is now."""

    def __init__(self, now: dict[bytes, DirectoryFacts | Exception]) -> None:
        self.files_read = 0
        self.walk_seconds = 0.5
        self.now = now
        self.looked: list[Looked] = []

    def read(
        self, path: bytes, old: DirectoryFacts | None, named: set[bytes] | None = None, *, only_named: bool = False
    ) -> DirectoryFacts | None:
        self.looked.append((path, named, only_named))
        found = self.now.get(path)
        if isinstance(found, Exception):
            raise found
        if found == old:
            return old
        self.files_read += 1
        return found


def worker_of(reader: Reader, known: dict[bytes, DirectoryFacts] = KNOWN) -> ScanWorker:
    return ScanWorker(known, cast("DirectoryReader", reader), None)


def rescanned(now: dict[bytes, DirectoryFacts], *dirty: bytes) -> tuple[list[Looked], workers.ScanResult]:
    reader = Reader(dict(now))
    found = workers.rescan([TOP, b"Packages"], KNOWN, cast("DirectoryReader", reader), dirty)
    return sorted(reader.looked), found


# --- one process


@pytest.mark.parametrize(("length", "batches"), [(100, 1), (101, 2)])
def test_known_directories_are_taken_in_batches_of_a_weight(length: int, batches: int) -> None:
    """One of 249 assets and 100 bytes of path weighs as much as a batch may."""
    paths = [b"Assets/".ljust(length, digit) for digit in (b"a", b"b")]
    worker = worker_of(Reader({}), {path: DirectoryFacts(path, pair_count=249) for path in paths})
    worker.begin([TOP, paths[0], b"Packages"])
    assert worker.stack == [*([b"\0".join(paths)] if batches == 1 else paths), TOP, b"Packages"]
    assert worker.assets_known == 2 * 249


def test_a_process_that_knows_nothing_begins_with_the_roots() -> None:
    worker = worker_of(Reader({}), {})
    worker.begin(iter([TOP, b"Packages"]))
    assert worker.stack == [TOP, b"Packages"]


def test_a_step_reads_a_batch_and_finds_what_is_new_below() -> None:
    changed = KNOWN[TOP]._replace(children=b"1/2/3", pair_count=10)
    worker = worker_of(Reader({**KNOWN, TOP: changed}))
    worker.processes = 3
    worker.begin([TOP])
    worker.step()
    assert worker.stack == [NEW]
    assert worker.done == {TOP: changed, ONE: KNOWN[ONE], TWO: KNOWN[TWO]}
    assert worker.done[ONE] is KNOWN[ONE]
    assert (worker.assets_read, worker.assets_done) == (10, 3 * 16)
    worker.step()  # it is gone again
    assert (worker.stack, len(worker.done)) == ([], 3)


def test_children_of_an_unchanged_directory_are_not_asked_for() -> None:
    known = {TOP: KNOWN[TOP]}
    worker = worker_of(Reader(dict(known)), known)
    worker.begin([TOP])
    worker.step()
    assert worker.stack == []


def test_progress_counts_the_known_until_more_are_found() -> None:
    told: list[tuple[int, int]] = []
    now = {**KNOWN, TOP: KNOWN[TOP]._replace(children=b"1/2/3"), NEW: DirectoryFacts(NEW, pair_count=5)}
    reader = cast("DirectoryReader", Reader(dict(now)))
    found = workers.scan([TOP], KNOWN, reader, workers=1, on_progress=lambda *counts: told.append(counts))
    assert told == [(7, 7), (12, 12)]
    assert found.directories == now
    assert (found.directories_read, found.files_read, found.walk_seconds, found.is_as_known) == (4, 2, 0.5, False)
    told.clear()
    reader = cast("DirectoryReader", Reader({TOP: DirectoryFacts(TOP, pair_count=1)}))
    workers.scan([TOP], KNOWN, reader, workers=1, on_progress=lambda *counts: told.append(counts))
    assert told == [(1, 7)]


@pytest.mark.parametrize("failure", [ScanError("cannot be read", "Assets/1", errno.EIO), MemoryError()])
def test_after_a_failure_nothing_more_is_read(failure: Exception) -> None:
    reader = Reader({**KNOWN, ONE: failure})
    with pytest.raises(ScanError) as caught:
        workers.scan([TOP], KNOWN, cast("DirectoryReader", reader), workers=1)
    code = errno.EIO if isinstance(failure, ScanError) else errno.ENOMEM
    assert (caught.value.path, caught.value.errno) == ("Assets/1", code)
    assert [path for path, *_ in reader.looked] == [TOP, ONE]


def test_what_the_native_module_reads_counts_as_well() -> None:
    told: list[tuple[int, int]] = []
    reader = cast("DirectoryReader", Reader({}))
    worker = ScanWorker({}, reader, lambda *counts: told.append(counts))
    assert worker._add(KNOWN[ONE])
    assert worker._add(KNOWN[TWO])
    assert (told, worker.assets_done) == ([(2, 2), (6, 6)], 6)
    assert worker.done == {ONE: KNOWN[ONE], TWO: KNOWN[TWO]}
    silent = ScanWorker({}, reader, None)
    silent.failure = ("one", "Assets/1", errno.EIO)
    assert not silent._add(KNOWN[ONE])


# --- between processes


@pytest.mark.parametrize(
    ("count", "can_fork", "helpers"), [(1, True, []), (2, True, [1]), (4, True, [3]), (4, False, [])]
)
def test_a_scan_is_shared_with_the_processes_that_there_may_be(
    monkeypatch: pytest.MonkeyPatch, count: int, helpers: list[int], *, can_fork: bool
) -> None:
    shared: list[int] = []

    def share(worker: ScanWorker, helpers: int, meanwhile: object) -> None:
        assert (worker.stack, meanwhile) == ([NEW, ONE, TWO], None)
        shared.append(helpers)

    monkeypatch.setattr(workers, "can_fork", lambda: can_fork)
    monkeypatch.setattr(ScanWorker, "share", share)
    known = {NEW: DirectoryFacts(NEW)}
    reader = cast("DirectoryReader", Reader({**KNOWN, **known}))
    workers.scan([TOP], known, reader, workers=count, fork_after=1, known_per_read=1)
    assert shared == helpers


@needs_fork
def test_what_is_needed_next_is_got_once_others_work(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def work(worker: ScanWorker, helpers: int, merge: object) -> bool:
        assert (helpers, worker.processes, merge) == (3, 4, worker._merge)
        assert done == []
        worker.step()
        assert done == ["meanwhile"]
        worker.step()
        return True

    monkeypatch.setattr("assetdb.scan.processes.work_together", work)
    worker = worker_of(Reader(dict(KNOWN)), {})
    worker.begin([TOP])
    worker.share(3, lambda: done.append("meanwhile"))
    assert done == ["meanwhile"]


def test_what_a_process_hands_over_is_what_it_found() -> None:
    child, parent = worker_of(Reader({})), worker_of(Reader({}))
    child.reader.files_read, parent.reader.files_read = 5, 7
    child.done[TWO] = KNOWN[TWO]  # of before it was a process of its own
    child.start_afresh()
    assert (child.done, child.stack) == ({}, [])
    child.reader.files_read += 3
    changed = KNOWN[TOP]._replace(pair_count=9)
    child.done = {TOP: changed, ONE: KNOWN[ONE]}
    pieces = list(child.packed())
    assert child.done == {}
    parent.done = {TWO: KNOWN[TWO]}
    assert parent._merge(pieces)
    assert parent.done == {TOP: changed, ONE: KNOWN[ONE], TWO: KNOWN[TWO]}
    assert parent.done[ONE] is KNOWN[ONE]
    assert (parent.reader.files_read, parent.failure) == (10, None)


def test_the_first_failure_is_kept() -> None:
    child, parent = worker_of(Reader({})), worker_of(Reader({}))
    child.failure = ("one", "Assets/1", errno.EIO)
    assert parent._merge(list(child.packed()))
    assert parent.failure == child.failure
    child.failure = ("two", "Assets/2", errno.EIO)
    assert parent._merge(list(child.packed()))
    assert parent.failure == ("one", "Assets/1", errno.EIO)


@pytest.mark.parametrize(("assets", "pieces"), [(2_000, 1), (2_001, 2)])
def test_changed_directories_are_handed_over_in_pieces(assets: int, pieces: int) -> None:
    """A piece is full with more than 4,000 assets."""
    child = worker_of(Reader({}), {})
    child.done = {path: DirectoryFacts(path, pair_count=assets) for path in (ONE, TWO)}
    packed = list(child.packed())
    assert len(packed) == pieces
    parent = worker_of(Reader({}), {})
    assert parent._merge(packed)
    assert {path: found.pair_count for path, found in parent.done.items()} == {ONE: assets, TWO: assets}


def test_of_a_killed_process_nothing_is_taken() -> None:
    child, parent = worker_of(Reader({}), {}), worker_of(Reader({}), {})
    child.done = {ONE: KNOWN[ONE]}
    (piece,) = child.packed()
    assert not parent._merge([piece, piece[:-3]])
    assert (parent.done, parent.reader.files_read) == ({}, 0)


# --- dirty directories


@pytest.mark.parametrize(
    ("dirty", "looked"),
    [
        ([], []),
        ([ONE], [(ONE, set(), False)]),
        ([b"Assets/1/a.mat"], [(ONE, {b"a.mat"}, True)]),
        ([b"Assets/1/a.mat", b"Assets/1/b.mat", TWO], [(ONE, {b"a.mat", b"b.mat"}, True), (TWO, set(), False)]),
        ([ONE, b"Assets/1/a.mat"], [(ONE, {b"a.mat"}, False)]),
        ([b"Assets/1/a.mat", ONE], [(ONE, {b"a.mat"}, False)]),
        ([b"Assets/9/a.mat", b"Library/x"], []),  # in no directory of the project
        ([b"Packages"], [(b"Packages", set(), False)]),  # a root that was not there
        ([b"Packages/a.mat"], []),
        ([NEW], [(TOP, {b"3"}, True)]),
    ],
)
def test_dirty_paths_are_looked_at_in_their_directories(dirty: list[bytes], looked: list[Looked]) -> None:
    found, result = rescanned(KNOWN, *dirty)
    assert found == looked
    assert result.directories == KNOWN
    assert (result.directories_read, result.files_read) == (len(looked), 0)
    assert all(result.directories[path] is KNOWN[path] for path in KNOWN)


def test_a_new_directory_is_read_with_those_below() -> None:
    below = b"Assets/3/4"
    now = {
        **KNOWN,
        TOP: KNOWN[TOP]._replace(children=b"1/2/3"),
        NEW: DirectoryFacts(NEW, children=b"4"),
        below: DirectoryFacts(below),
    }
    looked, result = rescanned(now, TOP)
    assert [path for path, *_ in looked] == [TOP, NEW, below]
    assert list(result.directories) == [TOP, ONE, TWO, NEW, below]
    assert result.directories == now


def test_a_directory_that_is_gone_goes_with_those_below() -> None:
    looked, result = rescanned({ONE: KNOWN[ONE], TWO: KNOWN[TWO]}, TOP)
    assert [path for path, *_ in looked] == [TOP]
    assert result.directories == {}
    changed = KNOWN[TOP]._replace(children=b"1")
    _, result = rescanned({**KNOWN, TOP: changed}, TOP)
    assert result.directories == {TOP: changed, ONE: KNOWN[ONE]}


def test_a_listed_directory_that_nobody_read_is_looked_at_itself() -> None:
    known = {TOP: KNOWN[TOP]._replace(children=b"1/2/3"), ONE: KNOWN[ONE], TWO: KNOWN[TWO]}
    new = DirectoryFacts(NEW, pair_count=1)
    reader = Reader({**known, NEW: new})
    found = workers.rescan([TOP], known, cast("DirectoryReader", reader), [NEW])
    assert reader.looked == [(NEW, set(), False)]
    assert found.directories == {**known, NEW: new}
