"""When a scan takes a second process: by what is to be read, not by what is known."""

import errno
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.scan import workers
from assetdb.scan.directory import DirectoryFacts
from tests.needs import needs_fork

if TYPE_CHECKING:
    from assetdb.scan.reader import DirectoryReader

FOLDERS, ASSETS = (40, 300)  # a batch of known directories has some hundred assets
KNOWN = {b"Assets/%d" % number: DirectoryFacts(b"Assets/%d" % number, pair_count=ASSETS) for number in range(FOLDERS)}


class Reader:
    """A reader of a project that is as it is known, but for some directories."""

    def __init__(self, changed: set[bytes]) -> None:
        self.files_read = 0
        self.walk_seconds = 0.0
        self._changed = changed

    def read(self, path: bytes, old: DirectoryFacts | None) -> DirectoryFacts | None:
        if path == b"Assets":
            return DirectoryFacts(path, children=b"/".join(name.removeprefix(b"Assets/") for name in KNOWN))
        return old if old is not None and path not in self._changed else KNOWN[path]._replace(identity=1)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many directories or batches were left, each time that a scan was shared."""
    found: list[int] = []
    monkeypatch.setattr(workers, "can_fork", lambda: True)
    monkeypatch.setattr(workers.ScanWorker, "share", lambda worker, *_: found.append(len(worker.stack)))
    return found


def scan(known: dict[bytes, DirectoryFacts], changed: set[bytes], known_per_read: int = 500) -> None:
    reader = Reader(changed)
    result = workers.scan(
        [b"Assets"],
        known,
        cast("DirectoryReader", reader),
        workers=2,
        fork_after=100,
        known_per_read=known_per_read,
    )
    assert result.directories.keys() == {b"Assets", *KNOWN}


def test_what_is_known_is_looked_at_by_one_process(shared: list[int]) -> None:
    scan(KNOWN, set())
    assert shared == []


def test_so_much_that_is_known_is_looked_at_by_two(shared: list[int]) -> None:
    scan(KNOWN, set(), known_per_read=FOLDERS * ASSETS // 100)
    assert len(shared) == 1


@pytest.mark.usefixtures("without_native")
def test_what_is_new_is_read_by_two(shared: list[int]) -> None:
    scan({}, set())
    assert shared == [FOLDERS - 1]


def test_what_changed_is_read_by_two(shared: list[int]) -> None:
    scan(KNOWN, set(KNOWN))
    assert len(shared) == 1
    scan(KNOWN, {b"Assets/0"})  # the last to be looked at
    assert len(shared) == 1


ALL = {b"Assets": DirectoryFacts(b"Assets", children=b"/".join(path.split(b"/")[1] for path in sorted(KNOWN))), **KNOWN}


class Still(Reader):
    """A reader of a project in which every known directory is as it was."""

    def read(self, path: bytes, old: DirectoryFacts | None) -> DirectoryFacts | None:
        return old if path not in self._changed else KNOWN[path]._replace(identity=1)


def looked_at(known: dict[bytes, DirectoryFacts], roots: list[bytes], changed: set[bytes]) -> workers.ScanResult:
    reader = Still(changed)
    return workers.scan(roots, known, cast("DirectoryReader", reader), workers=1)


def test_where_nothing_changed_the_tree_is_not_walked_again() -> None:
    known = workers.reachable([b"Assets"], ALL)
    found = looked_at(known, [b"Assets", b"Packages"], set())
    assert found.is_as_known
    assert list(found.directories.items()) == list(workers.reachable([b"Assets"], known).items())
    assert found.directories is not known  # whoever packs what was found empties it


def test_what_changed_is_below_no_root_or_lies_behind_a_link_is_not_as_known() -> None:
    known = workers.reachable([b"Assets"], ALL)
    assert not looked_at(known, [b"Assets"], {b"Assets/1"}).is_as_known
    moved = looked_at(known, [b"Packages/com.acme.tools"], set())
    assert (moved.is_as_known, moved.directories) == (False, {})
    linked = {**known, b"Assets/1": KNOWN[b"Assets/1"]._replace(links=b"a")}
    assert linked.keys() == known.keys()
    assert not workers._is_as_known([b"Assets"], linked, linked)


@needs_fork
@pytest.mark.parametrize(
    ("whole", "failure", "left"),
    [
        (True, None, []),
        (False, ("no memory", "Assets", errno.ENOMEM), []),
        (False, None, [b"Assets", b"Assets/1"]),
    ],
)
def test_what_a_killed_process_took_is_read_again_unless_the_scan_failed(
    monkeypatch: pytest.MonkeyPatch,
    whole: bool,  # noqa: FBT001 - a row
    failure: tuple[str, str, int] | None,
    left: list[bytes],
) -> None:
    worker = workers.ScanWorker({}, cast("DirectoryReader", Reader(set())), None)
    worker.begin([b"Assets"])

    def work(worker: workers.ScanWorker, *_: object) -> bool:
        worker.stack.clear()
        worker.done = {b"Assets": DirectoryFacts(b"Assets", children=b"0/1"), b"Assets/0": KNOWN[b"Assets/0"]}
        worker.failure = failure
        return whole

    monkeypatch.setattr("assetdb.scan.processes.work_together", work)
    worker.share(1)
    assert worker.stack == left
