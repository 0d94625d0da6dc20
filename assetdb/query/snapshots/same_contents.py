"""Assets with the same bytes in their files.

Only files of the same size as another are compared: in unitystation 30,545 of 59,891. Those that the scan has just read
are hashed already.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import FileError
from assetdb.scan.content_id import SIZE, content_id_of
from assetdb.scan.known.content import LOOKED_AT, UNKNOWN, UNREAD
from assetdb.settings.project import files_of
from assetdb.system.mirrors import link_out
from assetdb.system.reading import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb.query.snapshots.snapshot import Snapshot

_PIECE: Final = 1 << 20
_NOT_READ: Final = frozenset((UNKNOWN, UNREAD, LOOKED_AT))


class Copies(NamedTuple):
    """Assets with the same bytes in their files.

    Attributes:
        bytes: of one file.
        paths: sorted.
    """

    bytes: int
    paths: tuple[str, ...]

    @property
    def wasted(self) -> int:
        """Bytes of all files but one."""
        return self.bytes * (len(self.paths) - 1)


class SameContents(NamedTuple):
    """The copies in a project, and how many files were unreadable."""

    copies: tuple[Copies, ...]
    unread: int


def same_contents(project: Snapshot, sizes: Mapping[str, int]) -> SameContents:
    """Return assets with the same bytes, the largest waste first.

    Args:
        project: as it is.
        sizes: bytes of files by path, as :func:`assetdb.query.sizes.sizes_of` has them. Empty files are no copies.
    """
    alike: dict[int, list[str]] = {}
    for path, size in sizes.items():
        if size:
            alike.setdefault(size, []).append(path)
    known = dict(_known(project))
    file_of = files_of(project.root)
    found: dict[tuple[int, bytes], list[str]] = {}
    unread = 0
    for size, paths in alike.items():
        for path in paths if len(paths) > 1 else ():
            content = known.get(path) or _content(project.root, file_of(path))
            if content:
                found.setdefault((size, content), []).append(path)
            else:
                unread += 1
    rows = [Copies(size, tuple(sorted(paths))) for (size, _), paths in found.items() if len(paths) > 1]
    return SameContents(tuple(sorted(rows, key=lambda row: (-row.wasted, row.paths))), unread)


def _known(project: Snapshot) -> Iterator[tuple[str, bytes]]:
    """Yield the content ids of the files that the scan read."""
    listing = project.listing()
    for folder, directory in listing.directories.items() if listing is not None else ():
        names = directory.files.split(b"/")[: 2 * directory.pair_count : 2]
        if len(directory.contents) < 2 * SIZE * len(names):
            continue  # without its facts
        for number, name in enumerate(names):
            content = directory.contents[2 * SIZE * number :][:SIZE]
            if content not in _NOT_READ:
                yield os.fsdecode(folder + b"/" + name), content


def _content(root: str, file: str) -> bytes:
    """Return a content id, or ``b""``.

    A link out of the project has none, and a file that cannot be read.
    """
    try:
        return b"" if link_out(file, root) else content_id_of(_pieces(file))
    except (OSError, ValueError, FileError):
        return b""


def _pieces(path: str) -> Iterator[bytes]:
    descriptor = open_regular(path)
    try:
        while piece := os.read(descriptor, _PIECE):
            yield piece
    finally:
        os.close(descriptor)
