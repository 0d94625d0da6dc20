"""A bundle as a whole: its files, their objects, what the AssetBundle object says, names and values.

A SerializedFile without an archive around it (a binary ``.asset`` of a project) opens just the same: as the one file
of a bundle without an archive.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple
from zlib import crc32

from formats.binary import FormatError
from formats.unityfs import serialized
from formats.unityfs.archive import SERIALIZED, Archive, Node, is_archive, read_archive
from formats.unityfs.blocks import PIECE, BlockStream
from formats.unityfs.builtin import builtin_tree
from formats.unityfs.compression import read_exactly
from formats.unityfs.values import Kind, Plan, PPtr, Value, make_plan, name_plan, read_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.unityfs.serialized import ObjectEntry, SerializedFile

ASSET_BUNDLE: Final = 142
TEXT_ASSET: Final = 49

LARGEST_OBJECT: Final = 256 << 20
"""Bytes of an object that are read at once; :meth:`LoadedFile.pieces` has no limit."""
# LZMA can make 7 MB of 1 kB. What must be in memory to say what a bundle holds (metadata, AssetBundle object) is
# therefore held to this many times its file: the most seen is 19.
_PLAUSIBLE_RATIO: Final = 200
_READ_ANYWAY: Final = 32 << 20  # bytes of an object that are read whatever the size of the file
_ALWAYS_ALLOWED: Final = 64 << 10
_NAME_BYTES: Final = 1024


class ContainerEntry(NamedTuple):
    """An asset of a bundle under the path that scripts load it by, with its part of the preload table."""

    path: str
    asset: PPtr
    preload_index: int
    preload_size: int


class AssetBundle(NamedTuple):
    """What the AssetBundle object of a bundle says.

    Attributes:
        name: the bundle's name; ``bundle_name`` the same in all but scene bundles, where it is empty.
        container: the assets; more than one entry may have one path (sub-assets).
        preload: the objects to load before the assets.
        dependencies: the bundles it needs: names, or internal names in lower case from Addressables on.
        scenes: whether it is a bundle of scenes.
    """

    name: str
    bundle_name: str
    container: tuple[ContainerEntry, ...]
    preload: tuple[PPtr, ...]
    dependencies: tuple[str, ...]
    scenes: bool


class LoadedFile:
    """A SerializedFile within a bundle.

    Attributes:
        node: its place in the directory.
        facts: its metadata.
    """

    def __init__(self, data: _Data, node: Node) -> None:
        self.node = node
        self._data = data
        try:
            self.facts = _facts(data, node)
        except FormatError as error:
            raise _within(error, node) from None
        self._order = ">" if self.facts.header.big_endian else "<"
        self._plans: dict[int, Plan | None] = {}
        self._names: dict[int, Plan | None] = {}
        self._referenced: dict[tuple[str, str, str], Plan] | None = None

    def class_name(self, entry: ObjectEntry) -> str:
        """Return Unity's name of an object's class, or its number where the file has no type trees."""
        plan = self.plan(entry)
        return str(entry.class_id) if plan is None else plan.type_name

    def plan(self, entry: ObjectEntry) -> Plan | None:
        """Return how to read an object, or None where neither the file nor this module knows.

        Raises:
            FormatError: the type tree is damaged.
        """
        index = entry.type_index
        key = index if index >= 0 else ~entry.class_id
        if key not in self._plans:
            try:
                tree = self.facts.tree(self.facts.types[index]) if index >= 0 else None
                if tree is None:
                    tree = builtin_tree(entry.class_id)
                self._plans[key] = None if tree is None else make_plan(tree)
            except FormatError as error:
                raise _within(error, self.node, f"types[{index}]") from None
        return self._plans[key]

    def pieces(self, entry: ObjectEntry) -> Iterator[bytes]:
        """Yield the bytes of an object in pieces of at most 128 kB."""
        return self._data.pieces(self.node.offset + entry.offset, entry.size)

    def read(self, entry: ObjectEntry, *, largest: int = LARGEST_OBJECT) -> bytes:
        """Return the bytes of an object.

        Raises:
            FormatError: it has more than ``largest`` bytes, or a block is damaged.
        """
        if entry.size > largest:
            raise self._error(entry, f"has {entry.size} bytes; {largest} are read at once")
        if entry.size > _READ_ANYWAY:
            self._data.plausible(entry.size, f"object {entry.path_id}", most=largest)
        return self._data.read(self.node.offset + entry.offset, entry.size, f"object {entry.path_id}")

    def value(self, entry: ObjectEntry, *, largest: int = LARGEST_OBJECT) -> Value:
        """Return an object as its type tree has it: a dictionary of its fields.

        Raises:
            FormatError: there is no type tree, or the object is not what it says.
        """
        plan = self.plan(entry)
        if plan is None:
            raise self._error(entry, f"class {entry.class_id} has no type tree")
        return self._value(entry, plan, self.read(entry, largest=largest))[0]

    def checked_value(self, entry: ObjectEntry) -> tuple[Value, int]:
        """Return an object and how many of its bytes its type tree does not account for.

        Raises:
            FormatError: as :meth:`value`.
        """
        plan = self.plan(entry)
        if plan is None or not self.facts.has_type_trees:  # a built-in layout need not reach the end
            return b"", 0
        return self._value(entry, plan, self.read(entry))

    def _value(self, entry: ObjectEntry, plan: Plan, data: bytes) -> tuple[Value, int]:
        if self._referenced is None:
            self._referenced = {
                kind.managed_name: make_plan(tree)
                for kind in self.facts.reference_types
                if (tree := self.facts.tree(kind)) is not None
            }
        try:
            value, end = read_value(plan, data, order=self._order, referenced=self._referenced, base=entry.offset)
        except FormatError as error:
            raise _within(error, self.node, f"object {entry.path_id}") from None
        return value, entry.size - end

    def name(self, entry: ObjectEntry) -> str:
        """Return ``m_Name`` of an object; "" where it has none or its class is not known.

        Only the beginning of the object is read.

        Raises:
            FormatError: the object is not what its type tree says.
        """
        index = entry.type_index
        key = index if index >= 0 else ~entry.class_id
        if key not in self._names:
            whole = self.plan(entry)
            self._names[key] = None if whole is None else name_plan(whole)
        plan = self._names[key]
        if plan is None:
            return ""
        start = self.node.offset + entry.offset
        try:
            data = self._data.read(start, min(entry.size, _NAME_BYTES), "name")
            value = read_value(plan, data, order=self._order, base=entry.offset).value
        except FormatError as error:
            if entry.size <= _NAME_BYTES:
                raise _within(error, self.node, f"object {entry.path_id}") from None
            # A GameObject with a hundred components: its name comes after them.
            value = self._value(entry, plan, self.read(entry))[0]
        name = value.get("m_Name") if isinstance(value, dict) else ""
        return name if isinstance(name, str) else ""

    def text(self, entry: ObjectEntry) -> bytes:
        """Return the bytes of a TextAsset.

        Raises:
            FormatError: it is none, or damaged.
        """
        plan = self.plan(entry) if entry.class_id == TEXT_ASSET else None
        if plan is None:
            raise self._error(entry, "is no TextAsset")
        fields = tuple(
            child._replace(kind=Kind.BYTES) if child.name == "m_Script" and child.kind is Kind.TEXT else child
            for child in plan.children
        )
        value = self._value(entry, plan._replace(children=fields), self.read(entry))[0]
        script = value.get("m_Script") if isinstance(value, dict) else None
        if not isinstance(script, bytes):
            raise self._error(entry, "the TextAsset has no m_Script")
        return script

    def _error(self, entry: ObjectEntry, what: str) -> FormatError:
        return _within(FormatError(what, offset=entry.offset), self.node, f"object {entry.path_id}")

    def asset_bundle(self) -> AssetBundle | None:
        """Return what the AssetBundle object says, or None where the file has none.

        Raises:
            FormatError: it is damaged.
        """
        kinds = [kind.class_id for kind in self.facts.types]
        if ASSET_BUNDLE not in kinds:  # nearly every file of a scene bundle: no need to go through its objects
            return None
        for entry in self.facts.objects:
            if entry.class_id == ASSET_BUNDLE:
                self._data.plausible(entry.size, "AssetBundle", most=serialized.LARGEST_METADATA)
                return _asset_bundle(self.value(entry))
        return None


class Bundle:
    """An opened bundle, or a SerializedFile without one. The stream stays the caller's.

    Attributes:
        archive: what the archive says; None without one.
        nodes: the directory.
    """

    def __init__(self, stream: BinaryIO) -> None:
        """Read the archive's directory; no block is decoded.

        Raises:
            FormatError: neither a UnityFS bundle nor a SerializedFile, or damaged.
        """
        stream.seek(0)
        head = stream.read(serialized.HEADER_SIZE)
        size = stream.seek(0, 2)
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
            raise FormatError("neither a UnityFS bundle nor a SerializedFile", offset=0, field="signature")
        self._data = _Data(stream, blocks, size)
        self._files: dict[str, LoadedFile] = {}

    @property
    def decoded_size(self) -> int:
        """Bytes of everything, decoded."""
        return self._data.size

    def file(self, node: Node) -> LoadedFile:
        """Return a SerializedFile of the bundle.

        Raises:
            FormatError: it is damaged.
        """
        found = self._files.get(node.path)
        if found is None:
            found = self._files[node.path] = LoadedFile(self._data, node)
        return found

    def files(self) -> Iterator[LoadedFile]:
        """Yield the SerializedFiles of the bundle.

        Raises:
            FormatError: one is damaged.
        """
        for node in self.nodes:
            if node.serialized:
                yield self.file(node)

    def pieces(self, node: Node) -> Iterator[bytes]:
        """Yield the bytes of any file of the bundle in pieces of at most 128 kB."""
        return self._data.pieces(node.offset, node.size)

    def asset_bundle(self) -> tuple[LoadedFile, AssetBundle] | None:
        """Return what the bundle's AssetBundle object says and the file it is in, or None where there is none.

        Raises:
            FormatError: it, or a file before it, is damaged.
        """
        for file in self.files():
            found = file.asset_bundle()
            if found is not None:
                return file, found
        return None

    def crc32(self) -> int:
        """Return the CRC-32 of everything, decoded: ``m_Crc`` of an Addressables catalog.

        Raises:
            FormatError: a block is damaged.
        """
        value = 0
        for piece in self._data.pieces(0, self._data.size):
            value = crc32(piece, value)
        return value


def text_asset_bytes(source: BinaryIO | bytes) -> bytes:
    """Return the content of the one TextAsset of a bundle: the catalog in a ``catalog.bundle``.

    Only the blocks that hold the metadata and the asset are decoded.

    Raises:
        FormatError: no bundle, a damaged one, or one without a TextAsset or with several.
    """
    bundle = Bundle(BytesIO(source) if isinstance(source, bytes) else source)
    found = [(file, entry) for file in bundle.files() for entry in file.facts.objects if entry.class_id == TEXT_ASSET]
    if len(found) != 1:
        raise FormatError(f"the bundle has {len(found)} TextAssets, not one", field="objects")
    file, entry = found[0]
    return file.text(entry)


def content_crc32(source: BinaryIO | bytes) -> int:
    """Return the CRC-32 of a bundle's decoded blocks: ``m_Crc`` of an Addressables catalog.

    Raises:
        FormatError: no bundle, or a damaged one.
    """
    return Bundle(BytesIO(source) if isinstance(source, bytes) else source).crc32()


class _Data:
    """The decoded bytes of a bundle, or those of a file without one."""

    def __init__(self, stream: BinaryIO, blocks: BlockStream | None, file_size: int) -> None:
        self._stream = stream
        self._blocks = blocks
        self._file_size = file_size
        self.size = file_size if blocks is None else blocks.size

    def read(self, offset: int, size: int, field: str) -> bytes:
        if self._blocks is not None:
            return self._blocks.read(offset, size, field)
        return read_exactly(self._stream, offset, size, field)

    def pieces(self, offset: int, size: int) -> Iterator[bytes]:
        while size:
            count = min(size, PIECE)
            yield self.read(offset, count, "data")
            offset += count
            size -= count

    def plausible(self, size: int, field: str, *, most: int) -> None:
        allowed = min(most, _ALWAYS_ALLOWED + _PLAUSIBLE_RATIO * self._file_size)
        if size > allowed:
            what = f"{size} bytes in a file of {self._file_size}; {allowed} are allowed"
            raise FormatError(what, field=field)


def _with_flags(nodes: tuple[Node, ...], blocks: BlockStream) -> tuple[Node, ...]:
    """Say of the files of an older archive, whose directory does not, which are SerializedFiles.

    Their beginnings are read once from front to back, whatever the directory says: an LZMA stream has no other way.
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


def _facts(data: _Data, node: Node) -> SerializedFile:
    head = data.read(node.offset, min(serialized.HEADER_SIZE, node.size), "header")
    header = serialized.read_header(head)
    if header.file_size > node.size:
        what = f"declares {header.file_size} bytes, the directory {node.size}"
        raise FormatError(what, offset=0, field="header.file_size")
    data.plausible(header.metadata_size, "metadata", most=serialized.LARGEST_METADATA)
    return serialized.read_metadata(
        data.read(node.offset + header.metadata_offset, header.metadata_size, "metadata"), header
    )


def _within(error: FormatError, node: Node, field: str = "") -> FormatError:
    """Return the error with the file of the bundle it was found in, whose bytes its offset counts."""
    parts = (node.path, field, error.field)
    return FormatError(error.what, offset=error.offset, field=".".join(part for part in parts if part))


def _asset_bundle(value: Value) -> AssetBundle:
    fields = value if isinstance(value, dict) else {}
    container = []
    for pair in _list(fields.get("m_Container")):
        path = pair.get("first") if isinstance(pair, dict) else None
        info = pair.get("second") if isinstance(pair, dict) else None
        asset = info.get("asset") if isinstance(info, dict) else None
        if not isinstance(path, str) or not isinstance(info, dict) or not isinstance(asset, PPtr):
            raise FormatError("an entry is no path with an asset", field="AssetBundle.m_Container")
        container.append(
            ContainerEntry(path, asset, _number(info.get("preloadIndex")), _number(info.get("preloadSize")))
        )
    return AssetBundle(
        name=_text(fields.get("m_Name")),
        bundle_name=_text(fields.get("m_AssetBundleName")),
        container=tuple(container),
        preload=tuple(item for item in _list(fields.get("m_PreloadTable")) if isinstance(item, PPtr)),
        dependencies=tuple(item for item in _list(fields.get("m_Dependencies")) if isinstance(item, str)),
        scenes=bool(fields.get("m_IsStreamedSceneAssetBundle")),
    )


def _list(value: Value | None) -> list[Value]:
    return value if isinstance(value, list) else []


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Value | None) -> int:
    return value if isinstance(value, int) else 0
