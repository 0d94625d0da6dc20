"""The directory of an archive: header, blocks and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unityfs.reader import OVERLAP

if TYPE_CHECKING:
    from assetdb_formats.unityfs.archives.compression import Packed
    from assetdb_formats.unityfs.reader import BigEndianReader

SERIALIZED: Final = 4
"""Directory flag: the file is a SerializedFile, not resource data."""

# A bundle of 100 GB in blocks of 128 kB.
LARGEST_INFO: Final = 8 << 20


class Node(NamedTuple):
    """A file of the archive: a range of the decoded bytes."""

    offset: int
    size: int
    flags: int
    path: str

    @property
    def serialized(self) -> bool:
        """Whether the directory calls it a SerializedFile."""
        return bool(self.flags & SERIALIZED)


class Directory:
    """The files of an archive as they are read, each checked."""

    def __init__(self, reader: BigEndianReader, total: int) -> None:
        """Begin with a reader of the directory, and the archive's decoded size."""
        self.nodes: list[Node] = []
        self._reader = reader
        self._total = total
        self._paths: set[str] = set()
        self._together = 0

    def add(self, node: Node, field: str) -> None:
        """Append a file. Raises UnityFSError where it cannot be."""
        offset, size, _, path = node
        if offset < 0 or size < 0 or size > self._total - offset:
            raise self._reader.error(f"bytes {offset} to {offset + size} of {self._total}", field)
        if path in self._paths or not path:
            raise self._reader.error("two files of one name, or one without", field)
        self._paths.add(path)
        self.nodes.append(node)
        self._together += size
        if self._together > OVERLAP * self._total:
            what = f"the files overlap: together they have {self._together} bytes of {self._total}"
            raise self._reader.error(what, field)


class Archive(NamedTuple):
    """The header, blocks and directory of an archive; sizes in bytes.

    Attributes:
        signature: ``UnityFS``; ``UnityWeb`` or ``UnityRaw`` of Unity 2 to 5.
        format: 6, 7 or 8; 1 to 5 of the older ones.
        unity_version: of the editor that built it; ``0.0.0`` where it was stripped.
        size: of the file, as declared; ``trailing`` bytes follow in the real one.
        flags: as stored.
        info: where the blocks info is.
        hash: of the decoded data; zeros in every file seen.
        blocks: in the order of the data. ``starts[i]`` is where block i begins in the decoded data; the last entry
            of ``starts`` is their end.
        nodes: the directory.
        gap: bytes between the last block and what follows it.
        directory_size: decoded bytes that the directory of the older archives takes before the first file.
    """

    signature: str
    format: int
    unity_version: str
    size: int
    trailing: int
    flags: int
    info: Packed
    hash: bytes
    blocks: tuple[Packed, ...]
    starts: tuple[int, ...]
    nodes: tuple[Node, ...]
    gap: int
    directory_size: int

    @property
    def decoded_size(self) -> int:
        """Bytes of all blocks, decoded."""
        return self.starts[-1]
