"""A SerializedFile: types, object table, externals.

Its header is big-endian; the header gives the order of the rest.

::

    u32 metadata size, u32 file size, u32 version, u32 data offset, u8 big-endian, 3 bytes
    (version >= 22: those are zero but the version; then u32 metadata size, i64 file size, i64 data offset, i64)
    (version < 9: the header has 16 bytes, and the metadata are at the end of the file, behind their byte order)
    metadata: (7) z Unity version, (8) i32 platform, (13) u8 has type trees, types, (7-13) i32 wide PathIDs, objects,
              (11) script references, externals, (20) reference types, z user information

Versions 5 to 22 are here as every public reader has them (5 to 8, of Unity 1.2 to 3.4, were tried on synthetic files
only), 23 as UnityPy has it; the numbers in brackets are versions. Files in the corpus: 9 (Unity 4.6), 17 (2018),
21 (2019) and 22 (2020 on).
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from struct import error as StructError  # noqa: N812 - an exception's name

from assetdb_formats.records import NamedTuple
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.reader import OVERLAP, BigEndianReader, UnityReader
from assetdb_formats.unityfs.types import typetree

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final, overload

    from assetdb_formats.unityfs.types.typetree import TypeTree

OLDEST: Final = 5
_HEADER_FIRST: Final = 9  # the version that put the metadata before the data
NEWEST: Final = 23
_LARGE: Final = 22  # the version whose header has sizes of 64 bits
_NEWER: Final = {24: "Unity 6.7", 25: "Unity 6.7", 26: "Unity 6.7"}  # what writes the versions that are not read yet
_LAST_LIKELY: Final = 99
HEADER_SIZE: Final = 48
"""Bytes that :func:`read_header` needs (20 would do before version 22)."""
MONO_BEHAVIOUR: Final = 114

# The metadata must be in memory whole. 16 MB hold 700,000 objects.
LARGEST_METADATA: Final = 16 << 20


class Header(NamedTuple):
    """The header; sizes and offsets in bytes from the file's beginning."""

    version: int
    metadata_offset: int
    metadata_size: int
    file_size: int
    data_offset: int
    big_endian: bool


class SerializedType(NamedTuple):
    """A class of the file.

    Attributes:
        class_id: Unity's class number; of scripts 114.
        script_index: into ``script_references``, or -1.
        script_hash: which script, b"" for built-in classes.
        tree: where in the metadata its type tree is (start, end), or None.
        managed_name: namespace-qualified class name and assembly of a reference type, else "".
        dependencies: indices of reference types that it uses.
        tree_hash: by which a tree that was extracted is found, else b"".
    """

    class_id: int
    stripped: bool
    script_index: int
    script_hash: bytes
    layout_hash: bytes
    tree: tuple[int, int] | None
    managed_name: tuple[str, str, str]
    dependencies: tuple[int, ...]
    tree_hash: bytes = b""


class ObjectEntry(NamedTuple):
    """A row of the object table; ``offset`` counts from the file's beginning."""

    path_id: int
    class_id: int
    type_index: int
    offset: int
    size: int


class External(NamedTuple):
    """Another file that PPtr.m_FileID n (from 1) refers to.

    Attributes:
        path: ``archive:/CAB-…/CAB-…``, ``Library/unity default resources`` or the like.
        guid: 32 hex digits as in a meta file; zeros in built bundles.
        kind: 0 by path, 2 native asset, 3 imported asset.
    """

    path: str
    guid: str
    kind: int

    @property
    def name(self) -> str:
        """The file name alone, as the other archive's directory has it."""
        return self.path.replace("\\", "/").rpartition("/")[2]


class ScriptReference(NamedTuple):
    """Where a MonoScript is: PPtr of a script type."""

    file_index: int
    path_id: int


class ObjectTable(Sequence[ObjectEntry]):
    """The object table, kept as its bytes: 24 for each object."""

    def __init__(self, rows: bytes, layout: Struct, columns: _Columns, types: tuple[SerializedType, ...]) -> None:
        self._rows = rows
        self._layout = layout
        self._columns = columns
        self._types = types
        self._by_class = {kind.class_id: index for index, kind in reversed(list(enumerate(types)))}

    def __len__(self) -> int:
        return len(self._rows) // self._layout.size

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> ObjectEntry: ...
        @overload
        def __getitem__(self, index: slice) -> Sequence[ObjectEntry]: ...

    def __getitem__(self, index: int | slice) -> ObjectEntry | Sequence[ObjectEntry]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._entry(self._layout.unpack_from(self._rows, index * self._layout.size))

    def __iter__(self) -> Iterator[ObjectEntry]:
        return map(self._entry, self._layout.iter_unpack(self._rows))

    def find(self, path_id: int) -> ObjectEntry | None:
        """Return the object with this PathID, by scanning the bytes."""
        try:
            key = Struct(self._columns.path_id).pack(path_id)
        except StructError:  # not a PathID of this width
            return None
        stride = self._layout.size
        at = self._rows.find(key)
        while at >= 0 and at % stride:
            at = self._rows.find(key, at + 1)
        return None if at < 0 else self._entry(self._layout.unpack_from(self._rows, at))

    def columns(self) -> tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[int]]:
        """Return all rows as columns, ordered as in :class:`ObjectEntry`.

        A third of the time of the rows one by one, which is most of an index of object tables.
        """
        if not self._rows:
            return (), (), (), (), ()
        if not self._columns.by_index:
            path_ids, class_ids, types, offsets, sizes = zip(*self, strict=True)
            return path_ids, class_ids, types, offsets, sizes
        # Version 16 has a fifth number in each row.
        path_ids, starts, sizes, types, *_ = zip(*self._layout.iter_unpack(self._rows), strict=True)
        classes = [kind.class_id for kind in self._types]
        first = self._columns.data_offset
        return path_ids, [classes[kind] for kind in types], types, [first + start for start in starts], sizes

    def first_of_class(self, class_id: int) -> ObjectEntry | None:
        """Return the first object of a class, or None."""
        if not self._columns.by_index:
            return next((entry for entry in self if entry.class_id == class_id), None)
        wanted = {index for index, kind in enumerate(self._types) if kind.class_id == class_id}
        rows = self._layout.iter_unpack(self._rows) if wanted else ()
        return next((self._entry(row) for row in rows if row[3] in wanted), None)

    def _entry(self, row: tuple[int, ...]) -> ObjectEntry:
        path_id, start, size, type_index = row[:4]
        offset = start + self._columns.data_offset
        if self._columns.by_index:
            return ObjectEntry(path_id, self._types[type_index].class_id, type_index, offset, size)
        # Before version 16 the row names the class itself; scripts have negative numbers of their own.
        return ObjectEntry(path_id, row[4], self._by_class.get(type_index, -1), offset, size)


class _Columns(NamedTuple):
    path_id: str
    data_offset: int
    by_index: bool


class SerializedFile(NamedTuple):
    """The metadata of a SerializedFile.

    Attributes:
        platform: Unity's number of the build target; -2 is no target (a file of a project).
        has_type_trees: whether the layouts of all its types are in it, or were found (:func:`with_trees`).
        types, objects, script_references, externals, reference_types, user_information: the metadata in order.
        metadata: its bytes, from which type trees are decoded on demand.
        left_over: bytes of the metadata after the user information; 0 in every file seen.
    """

    header: Header
    unity_version: str
    platform: int
    has_type_trees: bool
    types: tuple[SerializedType, ...]
    objects: ObjectTable
    script_references: tuple[ScriptReference, ...]
    externals: tuple[External, ...]
    reference_types: tuple[SerializedType, ...]
    user_information: str
    metadata: bytes
    left_over: int

    def tree(self, kind: SerializedType) -> TypeTree | None:
        """Return a type's type tree, or None where it has none."""
        if kind.tree is None:
            return None
        start, end = kind.tree
        blob = self.metadata[start:end]
        base = self.header.metadata_offset + start
        return typetree.read_tree(blob, self.header.version, big_endian=self.header.big_endian, base=base)


def is_serialized_file(head: bytes, size: int) -> bool:
    """Whether a SerializedFile of ``size`` bytes of any version begins so."""
    try:
        return read_header(head).file_size == size
    except UnsupportedError:
        return _is_newer(head, size)
    except UnityFSError:
        return False


def _is_newer(head: bytes, size: int) -> bool:
    """Whether a header as of version 22 has a higher version."""
    if len(head) < HEADER_SIZE or any(head[:8]) or any(head[12:16]):
        return False
    version, file_size = int.from_bytes(head[8:12]), int.from_bytes(head[24:32])
    return NEWEST < version <= _LAST_LIKELY and file_size == size


def read_header(head: bytes) -> Header:
    """Read the header of a known version. Raises UnityFSError."""
    reader = BigEndianReader(head)
    metadata_size = reader.u32("header.metadata_size")
    file_size = reader.u32("header.file_size")
    version = reader.u32("header.version")
    data_offset = reader.u32("header.data_offset")
    if not OLDEST <= version <= NEWEST:
        release = f" ({_NEWER[version]})" if version in _NEWER else ""
        what = f"SerializedFile version {version}{release}: versions {OLDEST} to {NEWEST} are read"
        raise UnsupportedError(what, offset=8, field="header.version")
    if version < _HEADER_FIRST:
        metadata_offset = file_size - metadata_size
        if not metadata_size or metadata_offset < max(reader.position, data_offset):
            what = f"{metadata_size} bytes of metadata, data from {data_offset} on, {file_size} bytes in all"
            raise UnityFSError(what, offset=0, field="header")
        return Header(version, metadata_offset, metadata_size, file_size, data_offset, big_endian=True)
    endian = reader.u8("header.big_endian")
    if endian > 1:
        raise UnityFSError(f"byte order {endian} is neither 0 nor 1", offset=16, field="header.big_endian")
    reader.need(3, "header.reserved")
    if version >= _LARGE:
        metadata_size = reader.u32("header.metadata_size")
        file_size = reader.i64("header.file_size")
        data_offset = reader.i64("header.data_offset")
        reader.need(8, "header.reserved")
    if not reader.position + metadata_size <= data_offset <= file_size:
        # Version 9 to 22 alike: the metadata lie between the header and the data.
        what = f"{metadata_size} bytes of metadata, data from {data_offset} on, {file_size} bytes in all"
        raise UnityFSError(what, offset=0, field="header")
    return Header(version, reader.position, metadata_size, file_size, data_offset, bool(endian))


def read_metadata(metadata: bytes, header: Header) -> SerializedFile:
    """Read the metadata, the ``header.metadata_size`` bytes from ``header.metadata_offset`` on.

    Offsets in errors count from the file's beginning.
    """
    version = header.version
    start = 0
    if version < _HEADER_FIRST:
        if not metadata or metadata[0] > 1:
            what = "the metadata do not begin with their byte order"
            raise UnityFSError(what, offset=header.metadata_offset, field="metadata")
        header = header._replace(big_endian=bool(metadata[0]))
        start = 1
    kind = BigEndianReader if header.big_endian else UnityReader
    reader = kind(metadata, start, base=header.metadata_offset)
    unity_version = reader.text("unity_version", longest=255) if version >= 7 else ""
    platform = reader.i32("platform") if version >= 8 else 0
    has_trees = bool(reader.u8("has_type_trees")) if version >= 13 else True
    count = reader.count(reader.i32("types"), 4, "types")
    types = tuple(
        _read_type(reader, version, f"types[{number}]", has_tree=has_trees, reference=False) for number in range(count)
    )
    wide = bool(reader.i32("wide_path_ids")) if 7 <= version < 14 else False
    objects = _read_objects(reader, header, types, wide=wide)
    scripts: list[ScriptReference] = []
    if version >= 11:
        for number in range(reader.count(reader.i32("scripts"), 8, "scripts")):
            field = f"scripts[{number}]"
            file_index = reader.i32(field)
            if version >= 14:
                reader.align(4)
            scripts.append(ScriptReference(file_index, reader.i64(field) if version >= 14 else reader.i32(field)))
    count = reader.count(reader.i32("externals"), 21, "externals")
    externals = tuple(_read_external(reader, version, f"externals[{number}]") for number in range(count))
    references: tuple[SerializedType, ...] = ()
    if version >= 20:
        count = reader.count(reader.i32("reference_types"), 7, "reference_types")
        references = tuple(
            _read_type(reader, version, f"reference_types[{number}]", has_tree=has_trees, reference=True)
            for number in range(count)
        )
    user_information = reader.text("user_information", longest=len(metadata))
    return SerializedFile(
        header=header,
        unity_version=unity_version,
        platform=platform,
        has_type_trees=has_trees and not any(kind.tree_hash for kind in (*types, *references)),
        types=types,
        objects=objects,
        script_references=tuple(scripts),
        externals=externals,
        reference_types=references,
        user_information=user_information,
        metadata=metadata,
        left_over=reader.left,
    )


def with_trees(file: SerializedFile, find: Callable[[bytes], bytes | None]) -> SerializedFile:
    """Return the file with its extracted type trees.

    ``find`` returns the bytes of a tree by its hash. What it returns is a tree or counts as absent.
    """
    metadata = file.metadata
    places: dict[bytes, tuple[int, int] | None] = {b"": None}

    def placed(kind: SerializedType) -> SerializedType:
        nonlocal metadata
        if kind.tree_hash not in places:
            blob = find(kind.tree_hash)
            fits = blob is not None and len(metadata) + len(blob) <= LARGEST_METADATA and _is_tree(blob, file.header)
            places[kind.tree_hash] = (len(metadata), len(metadata) + len(blob)) if blob is not None and fits else None
            metadata += blob if blob is not None and fits else b""
        return kind._replace(tree=places[kind.tree_hash]) if kind.tree_hash else kind

    types, references = tuple(map(placed, file.types)), tuple(map(placed, file.reference_types))
    is_whole = all(kind.tree is not None for kind in (*types, *references) if kind.tree_hash)
    return file._replace(types=types, reference_types=references, metadata=metadata, has_type_trees=is_whole)


def _is_tree(blob: bytes, header: Header) -> bool:
    try:
        typetree.read_tree(blob, header.version, big_endian=header.big_endian, base=0)
    except UnityFSError:
        return False
    return True


def _read_type(reader: UnityReader, version: int, field: str, *, has_tree: bool, reference: bool) -> SerializedType:
    class_id = reader.i32(field)
    stripped = bool(reader.u8(field)) if version >= 16 else False
    script_index = reader.i16(field) if version >= 17 else -1
    script_hash = layout_hash = b""
    if version >= 13:
        scripted = class_id == MONO_BEHAVIOUR if version >= 16 else class_id < 0
        if script_index >= 0 if reference else scripted:
            script_hash = reader.take(16, field)
        layout_hash = reader.take(16, field)
    tree = None
    tree_hash = b""
    managed_name = ("", "", "")
    dependencies: tuple[int, ...] = ()
    if has_tree:
        start = reader.position
        if version >= 23:
            content = reader.take(16, field)
            size = reader.i32(field)
            start = reader.position
            reader.need(size, field)
            tree_hash = content if not size and any(content) else b""
        else:
            typetree.skip_tree(reader, version, field)
        if reader.position > start:
            tree = (start, reader.position)
        if version >= 21:
            if reference:
                name = reader.text(field)
                managed_name = (reader.text(field), name, reader.text(field))
            else:
                count = reader.count(reader.i32(field), 4, field)
                dependencies = tuple(reader.i32(field) for _ in range(count))
    return SerializedType(
        class_id, stripped, script_index, script_hash, layout_hash, tree, managed_name, dependencies, tree_hash
    )


def _layout(version: int, *, wide: bool) -> str:
    """Return the columns of a row of the object table.

    They are PathID, offset, size, type, (before 16) class, and version-specific ones. From version 14 on a row begins
    at a multiple of 4.
    """
    if version >= 22:
        return "qqIi"
    if version >= 17:
        return "qIIi"
    path_id = "q" if wide or version >= 14 else "i"
    # class number u16 (before 16), destroyed u16 (before 11), script index i16 (11 to 16), stripped u8 (15, 16)
    return {16: "qIIi2xBx", 15: "qIIiH2xB3x"}.get(version, path_id + "IIiH2x")


def _read_objects(reader: UnityReader, header: Header, types: tuple[SerializedType, ...], *, wide: bool) -> ObjectTable:
    columns = _layout(header.version, wide=wide)
    layout = Struct(reader.order + columns)
    # Only the rows of versions 15 and 16 are padded, and the last of them is not.
    padding = {15: 3, 16: 1}.get(header.version, 0)
    count = reader.i32("objects")
    if count and header.version >= 14:
        reader.align(4)
    reader.count(count, layout.size - padding, "objects")
    start = reader.base + reader.position
    rows = reader.take(max(count * layout.size - padding, 0), "objects") + bytes(padding if count else 0)
    by_index = header.version >= 16
    largest = header.file_size - header.data_offset
    together = 0
    for number, row in enumerate(layout.iter_unpack(rows)):
        if row[1] < 0 or row[1] + row[2] > largest or (by_index and not 0 <= row[3] < len(types)):
            what = f"object {row[0]} of type {row[3]} has {row[2]} bytes at {row[1]}; {largest} bytes are there"
            raise UnityFSError(what, offset=start + number * layout.size, field=f"objects[{number}]")
        together += row[2]
        if together > OVERLAP * largest:
            what = f"the objects overlap: together they have {together} bytes of {largest}"
            raise UnityFSError(what, offset=start + number * layout.size, field=f"objects[{number}]")
    facts = _Columns(reader.order + columns[0], header.data_offset, by_index)
    return ObjectTable(rows, layout, facts, types)


def _read_external(reader: UnityReader, version: int, field: str) -> External:
    if version >= 6:
        reader.text(field)  # "asset path": empty in every file
    words = [reader.take(4, field) for _ in range(4)]
    if reader.order == ">":
        words = [word[::-1] for word in words]
    # The text of a GUID has the low half of each byte first.
    guid = "".join(f"{byte & 15:x}{byte >> 4:x}" for word in words for byte in word)
    kind = reader.i32(field)
    return External(reader.text(field), guid, kind)
