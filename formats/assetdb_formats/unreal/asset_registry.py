"""AssetRegistry.bin, versions 4 to 21 (4.15 to 5.6).

No sample was at hand: this follows three public readers where they agree, one of which had a registry of version 21 to
try itself on. What they leave open is refused by its name: registries with editor-only data, versions from 22 on.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import check_lengths, numbered
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.strings import utf8_string_at
from assetdb_formats.unreal.zen.name_batch import read_batch

if TYPE_CHECKING:
    from collections.abc import Callable

MAGIC: Final = bytes.fromhex("e79e7f713a49b0e93291b3880781381b")
OLDEST: Final = 4
NEWEST: Final = 21
LARGEST: Final = 512 << 20  # bytes of a file; one of 90,000 names has 30 MB

_HARD_MANAGE: Final = 5
_COOKED_HASH: Final = 6
_DEPENDENCY_FLAGS: Final = 7
_FIXED_TAGS: Final = 8
_FILE_VERSION: Final = 9
_IMPORTED_CLASSES: Final = 10
_UE5_VERSION: Final = 11
_CHUNK_HASHES: Final = 13
_CLASS_PATHS: Final = 14
_NO_OBJECT_PATHS: Final = 15
_HEADER: Final = 16
_EXTENSIONS: Final = 17
_UTF8: Final = 19
_SAVED_HASH: Final = 20

_NUMBERED: Final = 1 << 31
_STORE_BEGINS: Final = (0x12345678, 0x12345679)  # texts after the export paths, and before everything
_STORE_ENDS: Final = 0x87654321
_PACKAGE_FLAG_BITS: Final = 5
_MANAGE_FLAG_BITS: Final = 1
_PAIR: Final = Struct("<II")


class Asset(NamedTuple):
    """An asset; ``class_name`` is short before version 14, then a path.

    ``bundles`` are (bundle, paths).
    """

    package_name: str
    asset_name: str
    class_name: str
    tags: dict[str, str]
    bundles: list[tuple[str, list[str]]]
    chunk_ids: tuple[int, ...]
    package_flags: int


class Node(NamedTuple):
    """A dependency graph's node: a package or ``type:name``.

    ``packages``, ``names`` and ``manages`` are indices of other nodes. Before version 7 the first ``hard`` of the
    packages are hard dependencies; later that is not known, and it is -1.
    """

    name: str
    packages: tuple[int, ...]
    names: tuple[int, ...]
    manages: tuple[int, ...]
    hard: int


class PackageData(NamedTuple):
    """The facts on a package file; ``identity`` is its GUID or hash."""

    name: str
    disk_size: int
    identity: bytes
    cooked_hash: bytes
    file_version: tuple[int, int]
    flags: int
    imported_classes: list[str]
    extension: str


class AssetRegistry(NamedTuple):
    """A whole registry; ``left`` bytes behind it were not read."""

    version: int
    assets: list[Asset]
    nodes: list[Node]
    packages: list[PackageData]
    left: int

    def dependencies(self, node: Node) -> list[str]:
        """Return the names of the packages that a node needs."""
        return [self.nodes[number].name for number in node.packages]


class _Registry(Reader):
    """A reader with a registry's names and version."""

    __slots__ = ("_fixed", "names", "version")

    def __init__(self, data: bytes, position: int, version: int) -> None:
        super().__init__(data, position)
        self._fixed = version >= _FIXED_TAGS
        self.version = version
        self.names: list[str] = []

    def name(self, field: str) -> str:
        """Read a name: an index, and a number where there is one."""
        index = self.u32(field)
        number = 0
        if not self._fixed:
            number = self.i32(field)
        elif index & _NUMBERED:
            index &= ~_NUMBERED
            number = self.u32(field)
        return numbered(self.plain_name(index, field), number)

    def plain_name(self, index: int, field: str) -> str:
        if index >= len(self.names):
            raise self.error(f"names number {index} of {len(self.names)}", field, offset=self.position - 4)
        return self.names[index]

    def string(self, field: str) -> str:
        if self.version < _UTF8:
            return super().string(field)
        text, self.position = utf8_string_at(self.data, self.position, field)
        return text.removesuffix("\0")  # with or without a NUL: the public readers differ, and neither harms

    def indices(self, field: str) -> tuple[int, ...]:
        """Read a count, and so many numbers."""
        return self.integers("i", self.i32(field), field)

    def class_path(self, field: str) -> str:
        first = self.name(field)
        return f"{first}.{self.name(field)}" if self.version >= _CLASS_PATHS else first


def read_asset_registry(data: bytes) -> AssetRegistry:
    """Read a registry.

    Raises:
        UnrealError: if it is not a registry, is damaged, or of a version or kind that is not read.
    """
    if data[:16] != MAGIC:
        raise UnrealError("does not start with the GUID of asset registries", offset=0, field="magic")
    head = Reader(data, 16)
    version = head.i32("version")
    if not OLDEST <= version <= NEWEST:
        what = f"an asset registry of version {version}; {OLDEST} to {NEWEST} are read"
        raise UnrealError(what, offset=16, field="version")
    if version >= _HEADER and not head.i32("filter_editor_only"):
        what = "an asset registry with editor-only data, whose assets carry more than is known; cooked ones are read"
        raise UnrealError(what, offset=20, field="filter_editor_only")
    reader = _Registry(data, head.position, version)
    read_tags = _fixed_tags(reader) if version >= _FIXED_TAGS else _loose_tags(reader)
    assets = [_asset(reader, read_tags) for _ in reader.items(24, "assets")]
    nodes = _nodes(reader)
    packages = [_package(reader) for _ in reader.items(28, "packages")]
    return AssetRegistry(version, assets, nodes, packages, reader.left if version >= _FIXED_TAGS else 0)


def _asset(reader: _Registry, read_tags: Callable[[], dict[str, str]]) -> Asset:
    field = "assets"
    if reader.version < _NO_OBJECT_PATHS:
        reader.name(field)
    reader.name(field)  # the package's folder
    class_name = reader.class_path(field)
    package_name, asset_name = reader.name(field), reader.name(field)
    tags = read_tags()
    bundles = []
    if reader.version >= _FIXED_TAGS:
        for _ in reader.items(8, field):
            bundle = reader.name(field)
            bundles.append((bundle, [_soft_path(reader, field) for _ in reader.items(8, field)]))
    return Asset(package_name, asset_name, class_name, tags, bundles, reader.indices(field), reader.u32(field))


def _soft_path(reader: _Registry, field: str) -> str:
    path = reader.class_path(field)
    inner = reader.string(field)
    return f"{path}:{inner}" if inner else path


def _loose_tags(reader: _Registry) -> Callable[[], dict[str, str]]:
    """Read the names, which before version 8 are at the end."""
    field = "names"
    place = reader.i64(field)
    if place > 0:
        start = reader.position
        reader.seek(place, field)
        for _ in reader.items(8, field):
            reader.names.append(reader.string(field))
            reader.take(4, field)  # its hashes
        check_lengths(reader.names, place, field)
        reader.seek(start, field)

    def read() -> dict[str, str]:
        return {reader.name("tags"): reader.string("tags") for _ in reader.items(12, "tags")}

    return read


def _fixed_tags(reader: _Registry) -> Callable[[], dict[str, str]]:
    """Read the names and the store of all tags."""
    field = "tags"
    reader.names = read_batch(reader, "names").names
    begin = reader.u32(field)
    if begin not in _STORE_BEGINS:
        raise reader.error(f"the store of tags begins with 0x{begin:08X}", field, offset=reader.position - 4)
    sizes = reader.integers("i", 11, field)
    for size in sizes:
        reader.count(size, 1, field)
    names, full_names, paths, full_paths, text_count, narrow_count, wide_count = sizes[:7]
    narrow_size, wide_size, pair_count, full_pair_count = sizes[7:]

    def texts() -> list[str]:
        return [reader.string(field) for _ in range(reader.count(text_count, 4, field))]

    def export_path(read_name: Callable[[], str]) -> str:
        class_name = read_name() if reader.version < _CLASS_PATHS else f"{read_name()}.{read_name()}"
        asset, package = read_name(), read_name()
        path = f"{package}.{asset}" if asset != "None" else package
        return f"{class_name}'{path}'" if class_name not in {"None", "None.None"} else path

    def plain() -> str:
        return reader.plain_name(reader.u32(field), field)

    def whole() -> str:
        return reader.name(field)

    found: list[list[str]] = [[]] * 7  # by the type of a value
    if begin == _STORE_BEGINS[1]:
        reader.take(4, field)  # bytes of the texts
        found[6] = texts()
    found[2] = [plain() for _ in range(names)]
    found[3] = [whole() for _ in range(full_names)]
    found[4] = [export_path(plain) for _ in range(paths)]
    found[5] = [export_path(whole) for _ in range(full_paths)]
    if begin == _STORE_BEGINS[0]:
        found[6] = texts()
    reader.integers("i", narrow_count, field)  # where each string starts: they lie one behind the other
    reader.integers("i", wide_count, field)
    narrow = reader.take(narrow_size, field).decode("utf-8", "surrogateescape")
    wide = reader.take(2 * wide_size, field).decode("utf-16-le", "surrogatepass")
    for place, text, count in ((0, narrow, narrow_count), (1, wide, wide_count)):
        found[place] = text.split("\0")[:-1] if text else []
        if len(found[place]) != count:
            raise reader.error(f"{len(found[place])} strings where {count} are declared", field)
    plain_pairs = list(_PAIR.iter_unpack(reader.take(_PAIR.size * pair_count, field)))
    full_pairs = [(reader.name(field), reader.u32(field)) for _ in range(reader.count(full_pair_count, 8, field))]
    end = reader.u32(field)
    if end != _STORE_ENDS:
        raise reader.error(f"the store of tags ends with 0x{end:08X}", field, offset=reader.position - 4)

    def value(number: int) -> str:
        kind, index = number & 7, number >> 3
        if kind >= len(found) or index >= len(found[kind]):
            raise reader.error(f"a value of type {kind}, number {index}, is not in the store", field)
        return found[kind][index]

    known: dict[int, dict[str, str]] = {}
    left = 4 * (pair_count + full_pair_count)  # each asset has its own, or shares them whole with another

    def read() -> dict[str, str]:
        nonlocal left
        handle = reader.u64(field)
        tags = known.get(handle)
        if tags is not None:
            return tags
        first, count = handle & 0xFFFFFFFF, handle >> 32 & 0xFFFF
        pairs = plain_pairs if handle >> 63 else full_pairs
        if first + count > len(pairs):
            raise reader.error(f"{count} tags from {first} on, the store has {len(pairs)}", field)
        left -= count
        if left < 0:
            raise reader.error("the tags of assets overlap", field)
        if handle >> 63:
            chosen = plain_pairs[first : first + count]
            tags = {reader.plain_name(key, field): value(number) for key, number in chosen}
        else:
            tags = {key: value(number) for key, number in full_pairs[first : first + count]}
        known[handle] = tags
        return tags

    return read


def _nodes(reader: _Registry) -> list[Node]:
    field = "dependencies"
    end = -1
    if reader.version >= _DEPENDENCY_FLAGS:
        size = reader.i64(field)
        end = reader.position + reader.count(size, 1, field)
    found = [_node(reader, field) for _ in reader.items(17, field)]
    for node in found:
        for number in (*node.packages, *node.names, *node.manages):
            if not 0 <= number < len(found):
                raise reader.error(f"{node.name} needs number {number} of {len(found)}", field)
    if end >= 0 and reader.position != end:
        raise reader.error(f"ends {end - reader.position} bytes before its size", field)
    return found


def _node(reader: _Registry, field: str) -> Node:
    bits = reader.u8(field)
    parts = [reader.name(field) if bits & 1 << bit else "" for bit in range(4)]
    package, kind, asset, value = parts
    name = package or (f"{kind}:{asset}" if kind else asset)
    name = f"{name}:{value}" if value else name
    if reader.version < _DEPENDENCY_FLAGS:
        hard, soft, names, soft_manage = reader.integers("i", 4, field)
        hard_manage = reader.i32(field) if reader.version >= _HARD_MANAGE else 0
        referencers = reader.i32(field)
        for count in (hard, soft, names, soft_manage, hard_manage, referencers):
            reader.count(count, 4, field)
        packages = reader.integers("i", hard + soft, field)
        named = reader.integers("i", names, field)
        manages = reader.integers("i", soft_manage + hard_manage, field)
        reader.integers("i", referencers, field)
        return Node(name, packages, named, manages, hard)
    packages = _flagged(reader, _PACKAGE_FLAG_BITS, field)
    named = reader.indices(field)
    manages = _flagged(reader, _MANAGE_FLAG_BITS, field)
    reader.indices(field)  # who needs it: the dependencies the other way round
    return Node(name, packages, named, manages, -1)


def _flagged(reader: _Registry, bits: int, field: str) -> tuple[int, ...]:
    found = reader.indices(field)
    reader.take(4 * ((len(found) * bits + 31) // 32), field)
    return found


def _package(reader: _Registry) -> PackageData:
    field = "packages"
    version = reader.version
    name = reader.name(field)
    size = reader.i64(field)
    identity = reader.take(20 if version >= _SAVED_HASH else 16, field)
    cooked_hash = b""
    if version >= _COOKED_HASH and reader.i32(field):
        cooked_hash = reader.take(16, field)
    if version >= _CHUNK_HASHES:
        reader.take(32 * len(reader.items(32, field)), field)
    file_version, flags = (0, 0), 0
    if version >= _FILE_VERSION:
        ue4 = reader.i32(field)
        file_version = (ue4, reader.i32(field) if version >= _UE5_VERSION else 0)
        reader.i32(field)  # the licensee's
        flags = reader.u32(field)
        reader.take(20 * len(reader.items(20, field)), field)  # custom versions
    classes: list[str] = []
    if version >= _IMPORTED_CLASSES:
        classes = [reader.name(field) for _ in reader.items(4, field)]
    extension = reader.string(field) if version >= _EXTENSIONS else ""
    return PackageData(name, size, identity, cooked_hash, file_version, flags, classes, extension)
