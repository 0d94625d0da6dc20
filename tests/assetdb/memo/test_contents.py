"""Contents of files, known again by identities."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.memo import contents
from assetdb.memo.contents import ABSENT, Contents, content_of_bytes, content_of_names
from assetdb.memo.tree import Tree
from assetdb.query.snapshots.snapshot import open_project
from assetdb.scan.content_id import content_id
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known.content import LOOKED_AT, UNKNOWN, UNREAD
from assetdb.system.identity import MINIMAL, RACY, Identities
from assetdb.workspace.workspace import Listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

LATER = 10_000_000_000


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    for name in ("Assets", "ProjectSettings"):
        (tmp_path / name).mkdir()
    (tmp_path / "Assets/a.txt").write_bytes(b"text")
    opened = open_project(str(tmp_path))
    yield opened
    opened.close()


def later() -> Identities:
    """Trust every time that a file of the test can have."""
    return Identities(time.time_ns() + LATER, MINIMAL)


def test_a_file_is_read_once_until_it_changes(project: Snapshot) -> None:
    found = Contents(lambda: None)
    assert found.look(project, "Assets/a.txt", later()) == (content_of_bytes(b"text"), b"text")
    assert found.is_changed
    assert found.look(project, "Assets/a.txt", later()) == (content_of_bytes(b"text"), None)
    Path(project.root, "Assets/a.txt").write_bytes(b"longer")
    assert found.look(project, "Assets/a.txt", later()) == (content_of_bytes(b"longer"), b"longer")


def scanned(project: Snapshot, content: bytes, identities: Identities) -> Tree:
    """Return a tree in which the file has a content id."""
    identity = identities.raw(Path(project.root, "Assets/a.txt").stat()).to_bytes(8, sys.byteorder, signed=True)
    facts = DirectoryFacts(b"Assets", files=b"a.txt", identities=identity, contents=content, pair_count=1)
    return Tree(Listing({b"Assets": facts}, lambda each: each, is_whole=True))


def test_a_file_that_a_scan_has_read_is_not_read_again(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    of_scan = scanned(project, content_id(b"text"), later())
    found = Contents(lambda: None)
    with monkeypatch.context() as patch:
        patch.setattr(type(project), "read", None)
        assert found.look(project, "Assets/a.txt", later(), "", of_scan) == (content_of_bytes(b"text"), None)
        assert found.look(project, "Assets/a.txt", later()) == (content_of_bytes(b"text"), None)
    assert found.is_changed
    Path(project.root, "Assets/a.txt").write_bytes(b"longer")
    assert found.look(project, "Assets/a.txt", later(), "", of_scan) == (content_of_bytes(b"longer"), b"longer")


def test_a_file_of_which_a_scan_has_no_content_is_read(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    read = content_of_bytes(b"text"), b"text"
    for none in (UNKNOWN, UNREAD, LOOKED_AT, b""):
        of_scan = scanned(project, none, later())
        assert Contents(lambda: None).look(project, "Assets/a.txt", later(), "", of_scan) == read
    of_scan = scanned(project, content_id(b"old"), Identities(0))  # which compares more of a file
    assert Contents(lambda: None).look(project, "Assets/a.txt", later(), "", of_scan) == read
    monkeypatch.setattr(contents, "LARGEST", 3)  # such a file has its identity
    of_scan = scanned(project, content_id(b"text"), later())
    status = Path(project.root, "Assets/a.txt").stat()
    assert Contents(lambda: None).look(project, "Assets/a.txt", later(), "", of_scan) == (later().of(status), None)


def test_a_file_that_is_too_young_is_read_each_time(project: Snapshot) -> None:
    found = Contents(lambda: None)
    young = Identities(Path(project.root, "Assets/a.txt").stat().st_mtime_ns, MINIMAL)
    for _ in range(2):
        assert found.look(project, "Assets/a.txt", young) == (content_of_bytes(b"text"), b"text")
    assert not found.is_changed


def test_a_folder_has_the_names_in_it(project: Snapshot) -> None:
    found = Contents(lambda: None)
    assert found.look(project, "Assets", later()) == (content_of_names(["a.txt"]), None)
    assert found.look(project, str(Path(project.root, "Assets")), later())[0] == content_of_names(["a.txt"])
    assert content_of_names(["a.txt"]) != content_of_bytes(b"a.txt")
    assert content_of_names([]) != content_of_names([""])


def test_what_is_not_there_is_absent(project: Snapshot) -> None:
    found = Contents(lambda: None)
    assert found.look(project, "Assets/none", later()) == (ABSENT, None)
    assert found.look(project, "Assets/\0", later()) == (ABSENT, None)
    assert not found.is_changed


@pytest.mark.parametrize(("size", "read"), [(4, True), (3, False)])
def test_a_large_file_is_known_by_its_identity(
    project: Snapshot,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    read: bool,  # noqa: FBT001 - a row
) -> None:
    monkeypatch.setattr(contents, "LARGEST", size)
    path = Path(project.root, "Assets/a.txt")
    own = later().of(path.stat())
    found = Contents(lambda: None).look(project, "Assets/a.txt", later())
    assert found == ((content_of_bytes(b"text"), b"text") if read else (own, None))


def test_what_was_packed_is_known_again(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Contents(lambda: None)
    for path in ("Assets", "Assets/a.txt"):
        first.look(project, path, later())
    packed = first.packed()
    again = Contents(lambda: packed)
    assert again.look(project, "Assets/a.txt", later()) == (content_of_bytes(b"text"), None)
    assert not again.is_changed
    assert again.packed() == packed
    monkeypatch.setattr(contents, "_MOST", 1)  # the latest are kept
    shorter = first.packed()
    last = Contents(lambda: shorter)
    assert last.look(project, "Assets/a.txt", later())[1] is None
    last.look(project, "Assets", later())
    assert last.is_changed


@pytest.mark.parametrize("damaged", [b"", b"x", b"\0" * 24])
def test_damaged_contents_are_none(project: Snapshot, damaged: bytes) -> None:
    found = Contents(lambda: damaged)
    assert found.look(project, "Assets/a.txt", later()) == (content_of_bytes(b"text"), b"text")


def test_a_content_is_never_that_of_an_absent_or_racy_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from assetdb.scan import content_id as hashing  # noqa: PLC0415 - what is replaced

    for number in (RACY, ABSENT):
        monkeypatch.setattr(hashing, "content_id", lambda _, number=number: number.to_bytes(16, "little", signed=True))
        assert content_of_bytes(b"x") == 0
    monkeypatch.setattr(hashing, "content_id", lambda _: (5).to_bytes(16, "little"))
    assert content_of_bytes(b"x") == 5


def test_contents_that_another_process_has_seen_are_known_and_written(project: Snapshot) -> None:
    Path(project.root, "Assets/b.txt").write_bytes(b"other")
    earlier = Contents(lambda: None)
    earlier.look(project, "Assets/a.txt", later())
    ours, theirs = (Contents(earlier.packed) for _ in range(2))
    theirs.look(project, "Assets/b.txt", later())
    ours.take(theirs.handed())
    assert ours.is_changed
    assert ours.look(project, "Assets/b.txt", later()) == (content_of_bytes(b"other"), None)
    assert ours.look(project, "Assets/a.txt", later()) == (content_of_bytes(b"text"), None)
    again = Contents(ours.packed)
    again.take(theirs.handed())
    assert not again.is_changed
