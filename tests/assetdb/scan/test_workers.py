"""When a scan takes a second process: by what is to be read, not by what is known."""

from typing import TYPE_CHECKING, cast

import pytest

from assetdb.scan import workers
from assetdb.scan.directory import DirectoryFacts

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
    monkeypatch.setattr(workers.ScanWorker, "share", lambda worker, _: found.append(len(worker.stack)))
    return found


def scan(known: dict[bytes, DirectoryFacts], changed: set[bytes], known_per_read: int = 500) -> None:
    reader = Reader(changed)
    result = workers.scan(
        [b"Assets"],
        known,
        lambda: cast("DirectoryReader", reader),
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


def test_what_is_new_is_read_by_two(shared: list[int]) -> None:
    scan({}, set())
    assert shared == [FOLDERS - 1]


def test_what_changed_is_read_by_two(shared: list[int]) -> None:
    scan(KNOWN, set(KNOWN))
    assert len(shared) == 1
    scan(KNOWN, {b"Assets/0"})  # the last to be looked at
    assert len(shared) == 1
