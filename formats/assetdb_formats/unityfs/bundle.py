"""A bundle: its files, objects, container and references.

A SerializedFile without an archive around it (a binary ``.asset`` of a project) opens just as well: as the one file
of a bundle without an archive.
"""

from __future__ import annotations

import os
import weakref
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from assetdb_formats.files import open_file
from assetdb_formats.unityfs.archives.archive import is_archive, read_archive
from assetdb_formats.unityfs.archives.blocks import BlockStream
from assetdb_formats.unityfs.archives.directory import SERIALIZED, Archive, Node
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.extracted_trees import ExtractedTrees, trees_beside, trees_of
from assetdb_formats.unityfs.serialized_files import serialized
from assetdb_formats.unityfs.serialized_files.loaded import TEXT_ASSET, AssetBundle, DecodedData, LoadedFile
from assetdb_formats.unityfs.serialized_files.tree_values import references

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from types import TracebackType
    from typing import BinaryIO, Self

    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.serialized_files.serialized import External, ObjectEntry
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr, Value


class ObjectReader(NamedTuple):
    """An object of a bundle, read on demand.

    Every method raises UnityFSError where the object does not match its type tree.

    Attributes:
        bundle: the bundle it is in, which must be open.
        file: the SerializedFile in it.
        entry: its row of the object table.
    """

    bundle: Bundle
    file: LoadedFile
    entry: ObjectEntry

    @property
    def path_id(self) -> int:
        """Its number in the file."""
        return self.entry.path_id

    @property
    def id(self) -> str:
        """``file:PathID``: in a bundle of scenes two files have the same PathIDs."""
        return f"{self.file.node.path}:{self.entry.path_id}"

    @property
    def class_name(self) -> str:
        """The name of its class, or the number where unknown."""
        return self.file.class_name(self.entry)

    @property
    def name(self) -> str:
        """``m_Name``, or ``""``."""
        return self.file.name(self.entry)

    @property
    def container(self) -> tuple[str, ...]:
        """The paths that scripts load it by."""
        return self.bundle.container_paths().get((self.file.node.path, self.entry.path_id), ())

    @property
    def has_layout(self) -> bool:
        """Whether its values can be read: by type tree or built-in layout."""
        return self.file.plan(self.entry) is not None

    def value(self) -> Value:
        """Return its fields as the type tree has them."""
        return self.file.value(self.entry)

    def references(self) -> Iterator[tuple[str, PPtr]]:
        """Yield the field path and target of every non-null reference."""
        return references(self.value())

    def external(self, pointer: PPtr) -> External | None:
        """Return a reference's file, None for this file or an undeclared one."""
        externals = self.file.facts.externals
        return externals[pointer.file_id - 1] if 0 < pointer.file_id <= len(externals) else None

    def follow(self, pointer: PPtr) -> ObjectReader | None:
        """Return the object of this bundle that a reference leads to.

        None for a null reference, and where it leads out of the bundle (``neighbours.BundleSet.follow`` goes there) or
        to an object that does not exist.
        """
        file: LoadedFile | None = self.file
        if pointer.file_id:
            external = self.external(pointer)
            file = None if external is None else self.bundle.file_named(external.name)
        entry = file.facts.objects.find(pointer.path_id) if file is not None and pointer.path_id else None
        return None if file is None or entry is None else ObjectReader(self.bundle, file, entry)


class Bundle:
    """An open bundle, or a SerializedFile without one.

    Use it in a ``with`` statement, which closes its file.

    A UnityFSError that leaves this statement gets the path of the bundle, also one of an object that is read there.

    Attributes:
        path: of the bundle, or ``""``.
        archive: the facts of the archive; None without one.
    """

    def __init__(
        self,
        stream: BinaryIO,
        path: str = "",
        *,
        class_names: Callable[[int], str | None] | None = None,
        trees: ExtractedTrees | None = None,
    ) -> None:
        """Read the archive's directory, without decoding a block.

        The stream stays the caller's. ``class_names`` gives the name of a class number, for builds without type trees;
        ``trees`` are those that its build extracted.

        Raises:
            UnityFSError: neither a UnityFS bundle nor a SerializedFile, or damaged.
        """
        stream.seek(0)
        head = stream.read(serialized.HEADER_SIZE)
        size = stream.seek(0, 2)
        self.path = path
        self.archive: Archive | None = None
        blocks: BlockStream | None = None
        if is_archive(head):
            self.archive = read_archive(stream)
            blocks = BlockStream(stream, self.archive)
            self.nodes = self.archive.nodes
            if self.archive.signature != "UnityFS" and self.archive.directory_size:
                self.nodes = _with_flags(self.nodes, blocks)
        elif serialized.is_serialized_file(head, size):
            self.nodes = (Node(0, size, SERIALIZED, ""),)
        else:
            raise UnsupportedError("neither a UnityFS bundle nor a SerializedFile", offset=0, field="signature")
        self._data = DecodedData(stream, blocks, size)
        self._files: dict[str, LoadedFile] = {}
        self._class_names = class_names
        self._trees = trees
        self._container: dict[tuple[str, int], tuple[str, ...]] | None = None
        self._finalizer: Callable[[], object] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.path and isinstance(error, UnityFSError) and not error.path:
            error.path = self.path
        self.close()

    def close(self) -> None:
        """Close the file, if :func:`open_bundle` opened it."""
        if self._finalizer is not None:
            self._finalizer()

    def _own(self, stream: BinaryIO) -> Self:
        # Each object of the bundle holds its data. The file is closed when the last of them is gone.
        self._finalizer = weakref.finalize(self._data, stream.close)
        return self

    @property
    def decoded_size(self) -> int:
        """Bytes of everything, decoded."""
        return self._data.size

    def file(self, node: Node) -> LoadedFile:
        """Return a SerializedFile of the bundle."""
        found = self._files.get(node.path)
        if found is None:
            find = self._trees.find if self._trees is not None else None
            found = self._files[node.path] = LoadedFile(self._data, node, self._class_names, find)
        return found

    def files(self) -> Iterator[LoadedFile]:
        """Yield the SerializedFiles of the bundle."""
        for node in self.nodes:
            if node.serialized:
                yield self.file(node)

    def file_named(self, name: str) -> LoadedFile | None:
        """Return the SerializedFile of a name, in any case, or None."""
        folded = name.casefold()
        return next(
            (self.file(node) for node in self.nodes if node.serialized and node.path.casefold() == folded), None
        )

    def objects(self, classes: Collection[str] = ()) -> Iterator[ObjectReader]:
        """Yield all objects, or objects of given class names or numbers."""
        wanted = {name.casefold() for name in classes}
        for file in self.files():
            for entry in file.facts.objects:
                if not wanted or str(entry.class_id) in wanted or file.class_name(entry).casefold() in wanted:
                    yield ObjectReader(self, file, entry)

    def container_paths(self) -> dict[tuple[str, int], tuple[str, ...]]:
        """Return file and PathID -> container paths, which scripts load by."""
        if self._container is None:
            found = self.asset_bundle()
            file, entries = ("", ()) if found is None else (found[0].node.path, found[1].container)
            paths: dict[tuple[str, int], list[str]] = {}
            for entry in entries:
                if not entry.asset.file_id and entry.asset.path_id:  # the scenes of a bundle have no object
                    paths.setdefault((file, entry.asset.path_id), []).append(entry.path)
            self._container = {key: tuple(known) for key, known in paths.items()}
        return self._container

    def pieces(self, node: Node) -> Iterator[bytes]:
        """Yield a file's bytes in pieces of at most 128 kB."""
        return self._data.pieces(node.offset, node.size)

    def asset_bundle(self) -> tuple[LoadedFile, AssetBundle] | None:
        """Return the AssetBundle object and its file, or None."""
        for file in self.files():
            found = file.asset_bundle()
            if found is not None:
                return file, found
        return None

    def crc32(self) -> int:
        """Return the CRC-32 of everything, decoded: ``m_Crc`` of an Addressables catalog."""
        value = 0
        for piece in self._data.pieces(0, self._data.size):
            value = crc32(piece, value)
        return value


def open_bundle(
    source: str | os.PathLike[str] | bytes | BinaryIO, *, class_names: Callable[[int], str | None] | None = None
) -> Bundle:
    """Open a bundle from a path, bytes or a stream (left open).

    Raises:
        UnityFSError: it is not a bundle, or damaged.
        OSError: the file cannot be opened; ``filename`` is set.
    """
    if isinstance(source, bytes):
        return Bundle(BytesIO(source), class_names=class_names)
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        return _opened(open_file(path), path, class_names, trees_beside(path))
    return Bundle(source, class_names=class_names)


def open_input(file: Input, *, class_names: Callable[[int], str | None] | None = None) -> Bundle:
    """Open a bundle in a folder or an archive."""
    return _opened(file.open(), file.name, class_names, trees_of(file))


def _opened(
    stream: BinaryIO, path: str, class_names: Callable[[int], str | None] | None, trees: ExtractedTrees
) -> Bundle:
    try:
        bundle = Bundle(stream, path, class_names=class_names, trees=trees)
        return bundle._own(stream)  # noqa: SLF001 - it makes the bundle the owner
    except UnityFSError as error:
        stream.close()
        raise error.at(path) from None
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:  # from reading: it knows no name
            error.filename = path
        stream.close()
        raise


def text_asset_bytes(source: BinaryIO | bytes) -> bytes:
    """Return the single TextAsset of a bundle (``catalog.bundle``), decoding few blocks.

    Raises:
        UnityFSError: no bundle, a damaged one, or one without a TextAsset or with several.
    """
    bundle = Bundle(BytesIO(source) if isinstance(source, bytes) else source)
    found = [(file, entry) for file in bundle.files() for entry in file.facts.objects if entry.class_id == TEXT_ASSET]
    if len(found) != 1:
        raise UnityFSError(f"the bundle has {len(found)} TextAssets, not one", field="objects")
    file, entry = found[0]
    return file.text(entry)


def content_crc32(source: BinaryIO | bytes) -> int:
    """Return the CRC-32 of a bundle's decoded blocks (``m_Crc``)."""
    return Bundle(BytesIO(source) if isinstance(source, bytes) else source).crc32()


def _with_flags(nodes: tuple[Node, ...], blocks: BlockStream) -> tuple[Node, ...]:
    """Mark the SerializedFiles of an older archive.

    Only their beginnings tell them from other files. These are read once from front to back, not in the directory's
    order, because an LZMA stream cannot seek.
    """
    flags: dict[str, int] = {}
    head, end = b"", 0  # the bytes before ``end`` that were read last
    for node in sorted(nodes):
        stop = node.offset + min(node.size, serialized.HEADER_SIZE)
        begin = max(node.offset, end)
        if begin < stop:
            head = head[len(head) - (end - node.offset) :] if node.offset < end else b""
            head += blocks.read(begin, stop - begin, node.path)
            end = stop
        own = head[len(head) - (end - node.offset) :][: stop - node.offset] if node.size else b""
        flags[node.path] = SERIALIZED if serialized.is_serialized_file(own, node.size) else 0
    return tuple(node._replace(flags=flags[node.path]) for node in nodes)
