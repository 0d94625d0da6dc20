"""Contents of files, cached by their identities.

As in git's index: a file with an unchanged identity is not read again, and one whose identity alone changed, like all
files of a clone, counts as unchanged.
"""

from __future__ import annotations

import os
import stat
from array import array

from assetdb.memo.file import columns, split_columns, strings_of, texts
from assetdb.memo.gone import Growth
from assetdb.scan.content_id import SIZE
from assetdb.settings.project import asset_file
from assetdb.system.identity import RACY

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final

    from assetdb.memo.tree import Tree
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.system.identity import Identities

ABSENT: Final = -3
"""Content id of a missing file."""
LARGEST: Final = 1 << 24
"""Largest file that is read only for its content id; for larger ones the identity is used."""
_MOST: Final = 200_000  # remembered files


class Contents:
    """The contents of files, each by its content id as a number.

    Attributes:
        is_changed: whether there is something to write.
    """

    def __init__(self, read: Callable[[], bytes | None]) -> None:
        """Take a function that returns earlier packed contents."""
        self._read: Callable[[], bytes | None] | None = read
        self._known: dict[str, tuple[int, bytes]] = {}
        self._growth = Growth()
        self.is_changed = False

    def scanned(self, path: str, identity: int | None) -> int | None:
        """Return the content of a file with an identity, None if unknown."""
        known = self._known_of(path)
        return _number(known[1]) if known is not None and known[0] == identity else None

    def look(
        self, project: Snapshot, path: str, identities: Identities, file: str = "", tree: Tree | None = None
    ) -> tuple[int, bytes | None]:
        """Return the content of a file or folder, and bytes if read.

        Args:
            project: reads it.
            path: relative to the project, or absolute.
            identities: detect racy files.
            file: on this machine, if it is known already.
            tree: of a scan, which has read most files.

        Raises:
            ScanError: it cannot be read now.
        """
        known = self._known_of(path)
        try:
            status = os.stat(file or asset_file(project.root, path))
        except (OSError, ValueError):
            return ABSENT, None
        if known is not None and known[0] == identities.raw(status):
            return _number(known[1]), None
        data = None
        if stat.S_ISDIR(status.st_mode):
            content = content_of_names(project.names_in(path))
        elif stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST:
            scanned = None
            if tree is not None and tree.identity_of(path) == identities.raw(status):
                scanned = tree.content_of(path)
            if scanned is not None:  # of 26 MB in FPSSample
                content = _content_of_id(scanned)
            else:
                data = project.read(path)
                content = content_of_bytes(data) if data is not None else identities.of(status)
        else:
            content = identities.of(status)
        identity = identities.of(status)
        if identity != RACY:
            self._known[path] = identity, _packed(content)
            self.is_changed = True
        return content, data

    def _known_of(self, path: str) -> tuple[int, bytes] | None:
        """Return the last identity of a file and its content, or None."""
        read = self._read
        if read is not None:  # two threads may do this at once, with the same result
            self._known, self._read = _unpacked(read()), None
        return self._known.get(path)

    def forget_gone(self, exists: Callable[[str], bool]) -> None:
        """Forget files that are gone, where there are many new ones."""
        for path in self._growth.gone(self._known, exists):
            self._known.pop(path, None)

    def handed(self) -> dict[str, tuple[int, bytes]]:
        """Return everything for :meth:`take`, which another process calls."""
        return dict(self._known)

    def take(self, known: Mapping[str, tuple[int, bytes]]) -> None:
        """Take the contents that another process has seen."""
        self._known_of("")  # what earlier processes have written is not lost
        for path, row in known.items():
            if self._known.setdefault(path, row) is row:
                self.is_changed = True

    def packed(self) -> bytes:
        """Return everything as bytes, to be read again later.

        Raises:
            ValueError: a name is not text.
        """
        kept = list(self._known.items())[-_MOST:]
        identities = array("q", [identity for _, (identity, _) in kept])
        contents = b"".join([content for _, (_, content) in kept])
        return columns([texts(path for path, _ in kept), identities.tobytes(), contents])


def content_of_names(names: list[str]) -> int:
    """Return the content id of a folder, which no text has."""
    return content_of_bytes(os.fsencode("\0".join(["", *names])))


def content_of_bytes(data: bytes) -> int:
    """Return the content id of a file that is not too large."""
    from assetdb.scan.content_id import content_id  # noqa: PLC0415 - where nothing changed it is not needed

    return _content_of_id(content_id(data))


def _content_of_id(packed: bytes) -> int:
    content = _number(packed)
    return content if content not in (RACY, ABSENT) else 0


def packed_contents(contents: Iterable[int]) -> bytes:
    """Return contents as bytes, 16 for each."""
    return b"".join(map(_packed, contents))


def unpacked_contents(packed: bytes) -> list[int]:
    """Return contents from bytes."""
    return [_number(packed[start : start + SIZE]) for start in range(0, len(packed), SIZE)]


def _packed(content: int) -> bytes:
    return content.to_bytes(SIZE, "little", signed=True)


def _number(packed: bytes) -> int:
    return int.from_bytes(packed, "little", signed=True)


def _unpacked(packed: bytes | None) -> dict[str, tuple[int, bytes]]:
    """Return unpacked contents, none where they are damaged."""
    if packed is None:
        return {}
    try:
        paths, identities, contents = split_columns(packed)
        ids = [contents[start : start + SIZE] for start in range(0, len(contents), SIZE)]
        pairs = zip(array("q", identities), ids, strict=True)
        return dict(zip(strings_of(paths), pairs, strict=True))
    except ValueError:
        return {}
