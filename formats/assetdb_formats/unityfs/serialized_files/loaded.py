"""A SerializedFile in a bundle: classes, names and values."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from assetdb_formats.unityfs.archives.compression import read_exactly
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.reader import UnityReader
from assetdb_formats.unityfs.serialized_files import serialized
from assetdb_formats.unityfs.serialized_files.skim import Skim, compile_program, program_of, skim
from assetdb_formats.unityfs.serialized_files.tree_values import (
    MOST_VALUES,
    Kind,
    PPtr,
    Value,
    ValuePlan,
    make_plan,
    name_plan,
    read_value,
    references,
)
from assetdb_formats.unityfs.types import typetree
from assetdb_formats.unityfs.types.builtin import builtin_tree
from assetdb_formats.unityfs.types.class_trees import class_tree
from assetdb_formats.unityfs.types.layouts import is_known, program_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb_formats.unityfs.archives.blocks import BlockStream
    from assetdb_formats.unityfs.archives.directory import Node
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry, SerializedFile
    from assetdb_formats.unityfs.types.typetree import TypeTree
from assetdb_formats.unityfs.serialized_files.skim import Program

ASSET_BUNDLE: Final = 142
TEXT_ASSET: Final = 49
_SHADER: Final = 48

LARGEST_OBJECT: Final = 256 << 20
"""Bytes of an object that are read at once; :meth:`LoadedFile.pieces` has no limit."""
# LZMA can make 7 MB of 1 kB. What must be in memory to say what a bundle holds (metadata, AssetBundle object) is
# therefore held to this many times its file: the most seen is 19.
_PLAUSIBLE_RATIO: Final = 200
_READ_ANYWAY: Final = 32 << 20  # bytes of an object that are read whatever the size of the file
_SHARED_TREE: Final = 1 << 16  # bytes of a type tree whose plan is kept for other files: 64 of them have 30 MB
_ALWAYS_ALLOWED: Final = 64 << 10
_NAME_BYTES: Final = 1024
_PIECE: Final = 128 << 10
# With and without zeros after the table of assets, which end at a multiple of 4 anyway.
_ASSET_BUNDLE_PROGRAMS: Final = ("na[p]a[sa8p]8p", "na[p]a[sa8p]a8p")
_POINTER: Final = Struct("<iq")
_ASSET_INFO: Final = Struct("<iiiqi")  # and the size of the next one's path


class ContainerEntry(NamedTuple):
    """An asset of a bundle, with its container path and preload range."""

    path: str
    asset: PPtr
    preload_index: int
    preload_size: int


class AssetBundle(NamedTuple):
    """The content of a bundle's AssetBundle object.

    Attributes:
        name: the bundle's name; ``bundle_name`` is equal in all but scene bundles, where it is empty.
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
    """A SerializedFile within a bundle: its directory node and metadata facts."""

    def __init__(
        self,
        data: DecodedData,
        node: Node,
        class_names: Callable[[int], str | None] | None = None,
        find_tree: Callable[[bytes], bytes | None] | None = None,
    ) -> None:
        self.node = node
        self._class_names = class_names
        self._data = data
        try:
            self.facts = _facts(data, node)
            if find_tree is not None and self.extracted:
                self.facts = serialized.with_trees(self.facts, find_tree)
        except UnityFSError as error:
            raise within(error, node) from None
        self._order = ">" if self.facts.header.big_endian else "<"
        self._plans: dict[int, ValuePlan | None] = {}
        self._names: dict[int, ValuePlan | None] = {}
        self._referenced: dict[tuple[str, str, str], ValuePlan] | None = None
        self._programs: dict[int, Program | None] = {}
        self._learned: set[int] = set()

    @property
    def extracted(self) -> bool:
        """Whether type trees of it are in another file."""
        return any(kind.tree_hash for kind in (*self.facts.types, *self.facts.reference_types))

    def without_trees(self) -> int:
        """Return how many objects lack their extracted type tree."""
        missing = {number for number, kind in enumerate(self.facts.types) if kind.tree_hash and kind.tree is None}
        return sum(entry.type_index in missing for entry in self.facts.objects) if missing else 0

    def learn(self, type_index: int, tree: TypeTree) -> None:
        """Take over a type tree for a type that has none.

        Objects of it must end where the tree does.

        Raises:
            UnityFSError: the file has one, or the tree is none.
        """
        if self.facts.types[type_index].tree is not None:
            raise UnityFSError("the file has a type tree", field=f"types[{type_index}]")
        plan = make_plan(tree)
        program = program_of(plan, whole=True)
        self._plans[type_index] = plan
        self._programs[type_index] = None if program is None else compile_program(program)
        self._names.pop(type_index, None)
        self._learned.add(type_index)

    def forget(self, type_index: int) -> None:
        """Undo :meth:`learn` of a tree that does not fit."""
        for known in (self._plans, self._programs, self._names):
            known.pop(type_index, None)
        self._learned.discard(type_index)

    def class_name(self, entry: ObjectEntry) -> str:
        """Return an object's class name, or the number where unknown."""
        plan = self.plan(entry)
        if plan is not None:
            return plan.type_name
        known = self._class_names(entry.class_id) if self._class_names is not None else None
        return known or str(entry.class_id)

    def plan(self, entry: ObjectEntry) -> ValuePlan | None:
        """Return the reading plan of an object; None without a layout."""
        index, key = entry.type_index, _type_key(entry)
        if key not in self._plans:
            try:
                self._plans[key] = self._plan_of_type(index) if index >= 0 else None
                if self._plans[key] is None:
                    tree = builtin_tree(entry.class_id)
                    self._plans[key] = None if tree is None else make_plan(tree)
            except UnityFSError as error:
                raise within(error, self.node, f"types[{index}]") from None
        return self._plans[key]

    def _plan_of_type(self, index: int) -> ValuePlan | None:
        """Return the plan of a type's tree, shared by equal trees."""
        kind, header = self.facts.types[index], self.facts.header
        if kind.tree is not None and kind.tree[1] - kind.tree[0] <= _SHARED_TREE:
            try:
                blob = self.facts.metadata[kind.tree[0] : kind.tree[1]]
                return _plan_of_tree(blob, header.version, big_endian=header.big_endian)
            except UnityFSError:  # read again below for an error with the place in the file
                pass
        tree = self.facts.tree(kind)
        return None if tree is None else make_plan(tree)

    def pieces(self, entry: ObjectEntry) -> Iterator[bytes]:
        """Yield an object's bytes in pieces of at most 128 kB."""
        return self._data.pieces(self.node.offset + entry.offset, entry.size)

    def read(self, entry: ObjectEntry, *, largest: int = LARGEST_OBJECT) -> bytes:
        """Return an object's bytes. Raises UnityFSError beyond ``largest`` or if damaged."""
        if entry.size > largest:
            raise self._error(entry, f"has {entry.size} bytes; {largest} are read at once")
        if entry.size > _READ_ANYWAY:
            self._data.plausible(entry.size, f"object {entry.path_id}", most=largest)
        return self._data.read(self.node.offset + entry.offset, entry.size, f"object {entry.path_id}")

    def value(self, entry: ObjectEntry, *, largest: int = LARGEST_OBJECT, most: int = MOST_VALUES) -> Value:
        """Return an object as a dictionary of its fields.

        The type tree names them. Without one, the layout is the release's own, from an extra; of a MonoBehaviour
        without the fields of its script.

        Raises:
            UnityFSError: there is no type tree, or the object does not match it.
        """
        plan = self.plan(entry)
        if plan is None:
            try:
                plan = make_plan(class_tree(entry.class_id, self.facts.unity_version))
            except UnityFSError as error:
                raise within(error, self.node, f"object {entry.path_id}") from None
        return self._value(entry, plan, self.read(entry, largest=largest), most)[0]

    def checked_value(self, entry: ObjectEntry) -> tuple[Value, int]:
        """Return an object and the number of bytes left over."""
        plan = self.plan(entry)
        learned = entry.type_index in self._learned
        if plan is None or not (learned or self.facts.has_type_trees):  # a built-in layout need not reach the end
            return b"", 0
        return self._value(entry, plan, self.read(entry))

    def _value(self, entry: ObjectEntry, plan: ValuePlan, data: bytes, most: int = MOST_VALUES) -> tuple[Value, int]:
        if self._referenced is None:
            self._referenced = {
                kind.managed_name: make_plan(tree)
                for kind in self.facts.reference_types
                if (tree := self.facts.tree(kind)) is not None
            }
        try:
            value, end = read_value(
                plan, data, order=self._order, referenced=self._referenced, base=entry.offset, most=most
            )
        except UnityFSError as error:
            raise within(error, self.node, f"object {entry.path_id}") from None
        return value, entry.size - end

    def name(self, entry: ObjectEntry) -> str:
        """Return an object's name, nearly always from its beginning; "" if unknown.

        ``m_Name`` of a Shader is empty from 5.5 on: its name is in ``m_ParsedForm``.
        """
        value = self.beginning(entry)
        if value is None:
            return self.skim(entry).name if not self.facts.has_type_trees else ""
        if entry.class_id != _SHADER or _name_of(value):
            return _name_of(value)
        try:
            return self.skim(entry).name
        except UnityFSError:  # a list of all objects goes on without it; what reads the whole shader tells the damage
            return ""

    def beginning(self, entry: ObjectEntry) -> Value | None:
        """Return an object's fields up to ``m_Name``, None if it has none."""
        key = _type_key(entry)
        if key not in self._names:
            whole = self.plan(entry)
            self._names[key] = None if whole is None else name_plan(whole)
        plan = self._names[key]
        if plan is None:
            return None
        start = self.node.offset + entry.offset
        try:
            data = self._data.read(start, min(entry.size, _NAME_BYTES), "name")
            return read_value(plan, data, order=self._order, base=entry.offset).value
        except UnityFSError as error:
            if entry.size <= _NAME_BYTES:
                raise within(error, self.node, f"object {entry.path_id}") from None
            # A GameObject with a hundred components: its name comes after them.
            return self._value(entry, plan, self.read(entry))[0]

    def skim(self, entry: ObjectEntry, *, largest: int = LARGEST_OBJECT, data: bytes | None = None) -> Skim:
        """Return an object's name, references and streamed data.

        They are found by its type tree, else by its class. The fields of a MonoBehaviour's script are not seen without
        a type tree (:meth:`is_skimmed_whole`). ``data`` are the bytes of the object, where the caller has them: an LZMA
        stream is read from its beginning for each step back.
        """
        program = self._program(entry)
        if program is None:
            return self._skim_values(entry, largest) if entry.type_index >= 0 and self.plan(entry) else Skim.nothing()
        if program.text == "n" and entry.size > _NAME_BYTES and data is None:
            try:
                start = self._data.read(self.node.offset + entry.offset, _NAME_BYTES, "name")
                return skim(program, start, order=self._order, base=entry.offset)
            except UnityFSError:  # a name of over 1,000 bytes, or a damaged block: the whole object shows which
                pass
        try:
            data = self.read(entry, largest=largest) if data is None else data
            return skim(program, data, order=self._order, base=entry.offset)
        except UnityFSError as error:
            raise within(error, self.node, f"object {entry.path_id}") from None

    def is_skimmed_whole(self, entry: ObjectEntry) -> bool:
        """Whether skimming finds all references: the class's layout is known."""
        if self.facts.has_type_trees or entry.type_index in self._learned:
            return self.plan(entry) is not None
        return entry.class_id != serialized.MONO_BEHAVIOUR and is_known(entry.class_id, self.facts.unity_version)

    def _program(self, entry: ObjectEntry) -> Program | None:
        key = _type_key(entry)
        if key not in self._programs:
            tree = self.facts.types[entry.type_index].tree if entry.type_index >= 0 else None
            header = self.facts.header
            if tree is not None:
                blob = self.facts.metadata[tree[0] : tree[1]]
                try:
                    text = _program_of_tree(blob, header.version, big_endian=header.big_endian)
                except UnityFSError:
                    self.plan(entry)  # raises it with the place in the file
                    raise
                self._programs[key] = None if text is None else compile_program(text)
            else:
                self._programs[key] = program_for(entry.class_id, self.facts.unity_version)
        return self._programs[key]

    def _skim_values(self, entry: ObjectEntry, largest: int) -> Skim:
        """Skim an object with [SerializeReference], by reading its values."""
        value = self.value(entry, largest=largest)
        pointers = [(pointer.file_id, pointer.path_id) for _, pointer in references(value)]
        return Skim(_name_of(value), pointers, [], [])

    def text(self, entry: ObjectEntry) -> bytes:
        """Return the bytes of a TextAsset."""
        plan = self.plan(entry) if entry.class_id == TEXT_ASSET else None
        if plan is None:
            raise self._error(entry, "is not a TextAsset")
        fields = tuple(
            child._replace(kind=Kind.BYTES) if child.name == "m_Script" and child.kind is Kind.TEXT else child
            for child in plan.children
        )
        value = self._value(entry, plan._replace(children=fields), self.read(entry))[0]
        script = value.get("m_Script") if isinstance(value, dict) else None
        if not isinstance(script, bytes):
            raise self._error(entry, "the TextAsset has no m_Script")
        return script

    def _error(self, entry: ObjectEntry, what: str) -> UnityFSError:
        return within(UnityFSError(what, offset=entry.offset), self.node, f"object {entry.path_id}")

    def asset_bundle(self) -> AssetBundle | None:
        """Return the AssetBundle object, or None without one."""
        kinds = [kind.class_id for kind in self.facts.types]
        if ASSET_BUNDLE not in kinds:  # nearly every file of a scene bundle: no need to go through its objects
            return None
        entry = self.facts.objects.first_of_class(ASSET_BUNDLE)
        if entry is None:
            return None
        self._data.plausible(entry.size, "AssetBundle", most=serialized.LARGEST_METADATA)
        program = self._program(entry)
        if program is not None and program.text in _ASSET_BUNDLE_PROGRAMS and not self.facts.header.big_endian:
            return self._quick_asset_bundle(entry)
        return _asset_bundle(self.value(entry))

    def _quick_asset_bundle(self, entry: ObjectEntry) -> AssetBundle:
        """Read an AssetBundle by its fixed layout: three times as fast."""
        data = self.read(entry)
        reader = UnityReader(data, base=entry.offset)
        try:
            name = reader.string("m_Name")
            count = reader.count(reader.i32("m_PreloadTable"), 12, "m_PreloadTable")
            start = reader.need(count * 12, "m_PreloadTable")
            make = tuple.__new__  # as in _container: a scene's table has thousands
            preload = tuple([make(PPtr, row) for row in _POINTER.iter_unpack(data[start : start + count * 12])])
            container = _container(reader, data)
            reader.need(24, "m_MainAsset")  # and m_RuntimeCompatibility
            bundle_name = reader.string("m_AssetBundleName")
            count = reader.count(reader.i32("m_Dependencies"), 4, "m_Dependencies")
            dependencies = tuple(reader.string("m_Dependencies") for _ in range(count))
            scenes = bool(reader.u8("m_IsStreamedSceneAssetBundle"))
        except UnityFSError as error:
            raise within(error, self.node, f"object {entry.path_id}") from None
        return AssetBundle(name, bundle_name, tuple(container), preload, dependencies, scenes)


class DecodedData:
    """The decoded bytes of a bundle or a bare file."""

    def __init__(self, stream: BinaryIO, blocks: BlockStream | None, file_size: int) -> None:
        self._stream = stream
        self._blocks = blocks
        self._file_size = file_size
        self.size = file_size if blocks is None else blocks.size

    def read(self, offset: int, size: int, field: str) -> bytes:
        """Return decoded bytes. Raises UnityFSError."""
        if self._blocks is not None:
            return self._blocks.read(offset, size, field)
        return read_exactly(self._stream, offset, size, field)

    def pieces(self, offset: int, size: int) -> Iterator[bytes]:
        """Yield the bytes in pieces of at most 128 kB."""
        while size:
            count = min(size, _PIECE)
            yield self.read(offset, count, "data")
            offset += count
            size -= count

    def plausible(self, size: int, field: str, *, most: int) -> None:
        """Raise UnityFSError for a size that the file cannot hold."""
        allowed = min(most, _ALWAYS_ALLOWED + _PLAUSIBLE_RATIO * self._file_size)
        if size > allowed:
            raise UnityFSError(f"{size} bytes in a file of {self._file_size}; {allowed} are allowed", field=field)


@lru_cache(maxsize=64)
def _plan_of_tree(blob: bytes, version: int, *, big_endian: bool) -> ValuePlan:
    return make_plan(typetree.read_tree(blob, version, big_endian=big_endian, base=0))


@lru_cache(maxsize=1024)
def _program_of_tree(blob: bytes, version: int, *, big_endian: bool) -> str | None:
    """Return a type tree's program, shared by equal trees."""
    return program_of(make_plan(typetree.read_tree(blob, version, big_endian=big_endian, base=0)))


def _type_key(entry: ObjectEntry) -> int:
    """Return an object's type index, or its class, inverted, without one."""
    return entry.type_index if entry.type_index >= 0 else ~entry.class_id


def _facts(data: DecodedData, node: Node) -> SerializedFile:
    head = data.read(node.offset, min(serialized.HEADER_SIZE, node.size), "header")
    header = serialized.read_header(head)
    if header.file_size > node.size:
        what = f"declares {header.file_size} bytes, the directory {node.size}"
        raise UnityFSError(what, offset=0, field="header.file_size")
    data.plausible(header.metadata_size, "metadata", most=serialized.LARGEST_METADATA)
    return serialized.read_metadata(
        data.read(node.offset + header.metadata_offset, header.metadata_size, "metadata"), header
    )


def within(error: UnityFSError, node: Node, field: str = "") -> UnityFSError:
    """Return the error with the file that its offset counts in."""
    parts = (node.path, field, error.field)
    return type(error)(error.what, offset=error.offset, field=".".join(part for part in parts if part))


def _asset_bundle(value: Value) -> AssetBundle:
    fields = value if isinstance(value, dict) else {}
    container = []
    for pair in _list(fields.get("m_Container")):
        path = pair.get("first") if isinstance(pair, dict) else None
        info = pair.get("second") if isinstance(pair, dict) else None
        asset = info.get("asset") if isinstance(info, dict) else None
        if not isinstance(path, str) or not isinstance(info, dict) or not isinstance(asset, PPtr):
            raise UnityFSError("an entry is not a path with an asset", field="AssetBundle.m_Container")
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


def _container(reader: UnityReader, data: bytes) -> list[ContainerEntry]:
    """Read the table of assets, which grows with the bundle."""
    found = []
    end = len(data)
    read_row, make = _ASSET_INFO.unpack_from, tuple.__new__  # of all object tables of a build, this was a third
    count = reader.count(reader.i32("m_Container"), 24, "m_Container")
    at = reader.position
    size = reader.i32("m_Container") if count else 0
    for _ in range(count):
        stop = at + 4 + size
        info = stop + -stop % 4
        if size < 0 or info + 24 > end:  # m_MainAsset follows the last one
            raise reader.error("a path that goes beyond the object", "m_Container", offset=at)
        path = data[at + 4 : stop].decode("utf-8", "surrogateescape")
        first, number, file_id, path_id, size = read_row(data, info)
        found.append(make(ContainerEntry, (path, make(PPtr, (file_id, path_id)), first, number)))
        at = info + 20
    reader.position = at
    return found


def _name_of(value: Value) -> str:
    return _text(value.get("m_Name")) if isinstance(value, dict) else ""


def _list(value: Value | None) -> list[Value]:
    return value if isinstance(value, list) else []


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Value | None) -> int:
    return value if isinstance(value, int) else 0
