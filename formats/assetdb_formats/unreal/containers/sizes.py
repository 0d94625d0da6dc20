"""Sizes on disk of a container's contents, each byte once.

A sound container gives every stored byte to one chunk. A damaged one may have chunks share them, or lie behind the end
of a file that was cut off; the sums are of the files in that case, too.
"""

from __future__ import annotations

import os
from array import array
from typing import TYPE_CHECKING, Final

from assetdb_formats.unreal.containers.pak import OpenPak

if TYPE_CHECKING:
    from assetdb_formats.unreal.containers.contents import ChunkInfo
    from assetdb_formats.unreal.iostore.container import OpenContainer

_LARGEST: Final = 1 << 62  # a damaged .pak counts in 64 bits; nothing real lies there


class StoredBytes:
    """Bytes of a container's files, given to chunks.

    Attributes:
        files: path -> bytes of each file that is there: of a .utoc itself and its .ucas files.
        absent: .ucas files that chunks lie in and that are not there.
    """

    def __init__(self, opened: OpenContainer | OpenPak) -> None:
        """Take an open container. Raises OSError where its own file is gone."""
        self._opened = opened
        self.files: dict[str, int] = {opened.path: os.stat(opened.path).st_size}
        self.absent: list[str] = []
        self._partitions: dict[int, int] = {}
        self._spans: list[array[int]] = [array("q") for _ in range(4)]
        if isinstance(opened, OpenPak):
            self._partitions[0] = self.files[opened.path]
        else:
            self._size_of(0, needed=False)

    def _size_of(self, partition: int, *, needed: bool = True) -> int:
        known = self._partitions.get(partition)
        if known is None and not isinstance(self._opened, OpenPak):
            path = self._opened.files.path(partition)
            try:
                known = self.files[path] = os.stat(path).st_size
            except OSError:
                if not needed:
                    return 0
                self.absent.append(path)
                known = 0
            self._partitions[partition] = known
        return known or 0

    def add(self, number: int, chunk: ChunkInfo) -> None:
        """Note the position of a chunk, which has its blocks."""
        if isinstance(self._opened, OpenPak):
            self._add(number, 0, chunk.offset, chunk.compressed or 0)
            return
        for block in chunk.blocks or ():
            self._add(number, block.partition, block.offset, block.compressed)

    def _add(self, number: int, partition: int, start: int, size: int) -> None:
        for column, value in zip(self._spans, (partition, start, start + size, number), strict=True):
            column.append(min(value, _LARGEST))

    def shares(self, count: int) -> array[int]:
        """Return the bytes on the disk of each of ``count`` chunks."""
        partitions, starts, ends, numbers = self._spans
        found = array("q", bytes(8 * count))
        at = partition = -1
        size = 0
        for place in sorted(range(len(starts)), key=lambda place: (partitions[place], starts[place])):
            if partitions[place] != partition:
                partition = partitions[place]
                at, size = 0, self._size_of(partition)
            end = min(ends[place], size)
            found[numbers[place]] += max(0, end - max(starts[place], at))
            at = max(at, end)
        return found
