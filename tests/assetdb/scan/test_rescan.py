"""A rescan of dirty folders finds what a scan of everything finds, and reads no others."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ScanError
from assetdb.scan import workers
from assetdb.scan.workers import rescan
from tests.assetdb.scan.folder import meta, reader
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.reader import DirectoryReader

ROOTS = [b"Assets"]


def put(root: Path, path: str, number: int, text: str = "text") -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    (root / f"{path}.meta").write_text(meta(number))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path, "Assets/a.txt", 1)
    put(tmp_path, "Assets/One/b.txt", 2)
    put(tmp_path, "Assets/One/Deep/c.txt", 3)
    put(tmp_path, "Assets/Two/d.txt", 4)
    return tmp_path


def scanned(root: Path) -> dict[bytes, DirectoryFacts]:
    return dict(workers.scan(ROOTS, {}, reader(root), workers=1).directories)


def facts(found: dict[bytes, DirectoryFacts]) -> dict[bytes, tuple[bytes, bytes, bytes]]:
    return {path: (each.files, each.guids, each.children) for path, each in found.items()}


def change(root: Path) -> None:
    (root / "Assets/Two/d.txt").write_text("another")


def add(root: Path) -> None:
    put(root, "Assets/One/new.txt", 5)


def add_folders(root: Path) -> None:
    put(root, "Assets/New/Inner/e.txt", 6)
    put(root, "Assets/New/f.txt", 7)


def remove(root: Path) -> None:
    for path in ("Deep/c.txt", "Deep/c.txt.meta"):
        (root / "Assets/One" / path).unlink()
    (root / "Assets/One/Deep").rmdir()


def remove_folder(root: Path) -> None:
    remove(root)
    for path in ("b.txt", "b.txt.meta"):
        (root / "Assets/One" / path).unlink()
    (root / "Assets/One").rmdir()


CASES: list[tuple[Callable[[Path], None], list[bytes], int]] = [
    (change, [b"Assets/Two"], 1),
    (change, [b"Assets/Two/d.txt"], 1),
    (add, [b"Assets/One"], 1),
    (add_folders, [b"Assets"], 3),  # with both new folders
    (remove, [b"Assets/One"], 1),
    (remove, [b"Assets/One", b"Assets/One/Deep"], 2),
    (remove_folder, [b"Assets", b"Assets/One", b"Assets/One/Deep"], 3),
    (change, [b"Assets/Two", b"Elsewhere/g.txt", b"Assets/None/g.txt"], 1),  # paths of no folder are ignored
    (change, [b"Assets/Two", b"Assets/Two/d.txt"], 1),
    (change, [], 0),
]


@pytest.mark.parametrize(("edit", "dirty", "examined"), CASES)
def test_dirty_folders_are_found_as_they_are(
    root: Path, edit: Callable[[Path], None], dirty: list[bytes], examined: int
) -> None:
    known = scanned(root)
    edit(root)
    found = rescan(ROOTS, known, reader(root), dirty)
    assert found.directories_read == examined
    assert facts(dict(found.directories)) == facts(scanned(root) if dirty else known)
    untouched = [path for path in known if path in found.directories and path not in dirty and path != b"Assets/Two"]
    assert all(found.directories[path] is known[path] for path in untouched)


@needs_links
def test_links_to_folders_are_followed(root: Path) -> None:
    known = scanned(root)
    os.symlink(root / "Assets/Two", root / "Assets/One/Link", target_is_directory=True)
    found = rescan(ROOTS, known, reader(root), [b"Assets/One"])
    assert facts(dict(found.directories)) == facts(scanned(root))
    os.unlink(root / "Assets/One/Link")
    found = rescan(ROOTS, dict(found.directories), reader(root), [b"Assets/One"])
    assert facts(dict(found.directories)) == facts(known)


class Failing:
    """A reader that cannot read one folder now."""

    def __init__(self, inner: DirectoryReader, error: Exception) -> None:
        self._inner = inner
        self._error = error
        self.files_read, self.walk_seconds = 0, 0.0

    def read(self, path: bytes, known: DirectoryFacts | None) -> DirectoryFacts | None:
        if path == b"Assets/Two":
            raise self._error
        return self._inner.read(path, known)


@pytest.mark.parametrize(
    ("error", "number"),
    [(ScanError("locked", b"Assets/Two", errno.EBUSY), errno.EBUSY), (MemoryError(), errno.ENOMEM)],
)
@pytest.mark.usefixtures("without_native")
def test_a_folder_that_cannot_be_read_now_ends_the_scan(root: Path, error: Exception, number: int) -> None:
    with pytest.raises(ScanError) as raised:
        workers.scan(ROOTS, {}, Failing(reader(root), error), workers=1)  # type: ignore[arg-type]  # all that it uses
    assert raised.value.errno == number


@pytest.mark.usefixtures("without_native")
def test_progress_is_told_of_what_is_done_and_found(root: Path) -> None:
    said: list[tuple[int, int]] = []
    found = workers.scan(ROOTS, {}, reader(root), workers=1, on_progress=lambda *numbers: said.append(numbers))
    assert said[-1] == (4, 4)
    assert all(done <= whole for done, whole in said)
    known = dict(found.directories)
    assert workers.scan(ROOTS, known, reader(root), workers=1).is_as_known
    (root / "Assets/One/b.txt").unlink()
    (root / "Assets/One/b.txt.meta").unlink()
    said.clear()
    workers.scan(ROOTS, known, reader(root), workers=1, on_progress=lambda *numbers: said.append(numbers))
    assert all(done <= whole for done, whole in said)
