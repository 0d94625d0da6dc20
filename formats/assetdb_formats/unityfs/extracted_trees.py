"""Type trees that a build took out of its bundles.

Since Unity 6.5 Addressables can extract them: a type in a bundle has a hash, and the trees lie in an archive beside the
bundles, each in a file named by its hash. The layout is taken from an open reader that was tried on Unity's sample; no
real file was seen here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb_formats.files import open_file
from assetdb_formats.unityfs.archives.archive import is_archive, read_archive
from assetdb_formats.unityfs.archives.blocks import BlockStream
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.serialized import HEADER_SIZE, LARGEST_METADATA

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.archives.directory import Node

TREES_NAME: Final = "AssetBundle.typetreedata"
"""The archive of extracted type trees."""


class ExtractedTrees:
    """The type trees beside a bundle, opened when one is asked for."""

    def __init__(self, opened: Callable[[], BinaryIO | None]) -> None:
        """Take a function that opens the archive, or returns None."""
        self._opened = opened
        self._nodes: dict[str, Node] | None = None

    def find(self, tree_hash: bytes) -> bytes | None:
        """Return a type tree's bytes; None if it is not there."""
        if self._nodes is not None and tree_hash.hex() not in self._nodes:
            return None
        try:
            stream = self._opened()
            if stream is None:
                self._nodes = {}
                return None
            with stream:
                return self._read(stream, tree_hash.hex())
        except (UnityFSError, OSError):  # a damaged archive has no type trees; `verify` of the archive says why
            self._nodes = {}
            return None

    def _read(self, stream: BinaryIO, name: str) -> bytes | None:
        head = stream.read(HEADER_SIZE)
        if not is_archive(head):
            self._nodes = {}
            return None
        stream.seek(0)
        archive = read_archive(stream)
        self._nodes = {node.path.lower(): node for node in archive.nodes}
        node = self._nodes.get(name)
        if node is None or node.size > LARGEST_METADATA:
            return None
        return BlockStream(stream, archive).read(node.offset, node.size, node.path)


def trees_beside(path: str) -> ExtractedTrees:
    """Return the type trees beside a file."""
    place = os.path.join(os.path.dirname(path), TREES_NAME)
    return ExtractedTrees(lambda: open_file(place) if os.path.isfile(place) else None)


def trees_of(file: Input) -> ExtractedTrees:
    """Return the type trees beside a file of a folder or archive."""

    def opened() -> BinaryIO | None:
        found = file.beside(TREES_NAME)
        return found.open() if found is not None else None

    return ExtractedTrees(opened)
