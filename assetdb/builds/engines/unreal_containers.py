"""Inventory of one container of Unreal Engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.engines.inventory import FILE, PACKAGE, Item, Rest
from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.containers.contents import list_chunks
from assetdb_formats.unreal.containers.sizes import StoredBytes
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.parts import EXPORTS, SIDE_FILES
from assetdb_formats.unreal.iostore.chunk_types import SUFFIXES
from assetdb_formats.unreal.scanning.mounts import EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assetdb_formats.unreal.containers.opening import ChunkPaths
    from assetdb_formats.unreal.containers.pak import OpenPak
    from assetdb_formats.unreal.containers.pak_packages import PakPackage
    from assetdb_formats.unreal.iostore.container import OpenContainer

TABLES: Final = "(table of contents)"
PADDING: Final = "(padding)"
AROUND: Final = "(index and padding)"
_EXPORTS: Final = "ExportBundleData"
_SUFFIXES: Final = tuple(sorted((*EXTENSIONS, *SIDE_FILES), key=len, reverse=True))  # .m.ubulk before .ubulk
_ID_DIGITS: Final = 16  # at the beginning of a chunk's id: the id of its package


class ContainerItems(NamedTuple):
    """The items of one container.

    Attributes:
        prints: of each piece of data the number of its item, its digest and its size.
        disk: bytes of all files of the container.
        files: their paths.
        absent: .ucas files that are not there.
    """

    items: list[Item]
    rest: list[Rest]
    prints: list[tuple[int, bytes, int]]
    disk: int
    files: tuple[str, ...]
    absent: tuple[str, ...]


class _Sums:
    """Sums of items by key: exports, bulk data, and on disk."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []
        self.heads: list[tuple[str, str, str, str]] = []  # kind, name, identity, class
        self.numbers: dict[str, int] = {}

    def add(self, key: str, head: tuple[str, str, str, str], column: int, size: int, disk: int) -> int:
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.rows)
            self.rows.append([0, 0, 0])
            self.heads.append(head)
        self.rows[number][column] += size
        self.rows[number][2] += disk
        return number

    def items(self, file: int) -> list[Item]:
        return [Item(file, *head, *row) for head, row in zip(self.heads, self.rows, strict=True)]


def chunk_items(container: OpenContainer, paths: ChunkPaths, file: int, named: Mapping[int, str]) -> ContainerItems:
    """Return the items of an IoStore container, with known package names.

    Raises:
        UnrealError: its tables are damaged.
        OSError: a file of it cannot be read.
    """
    stored = StoredBytes(container)
    sums = _Sums()
    prints: list[tuple[int, bytes, int]] = []
    owners: list[tuple[str, tuple[str, str, str, str], int, int]] = []
    for number, chunk in enumerate(list_chunks(container, blocks=True, names=paths)):
        stored.add(number, chunk)
        if chunk.type in SUFFIXES:
            identity = bytes.fromhex(chunk.id[:_ID_DIGITS])[::-1].hex()
            head = (PACKAGE, named.get(int(identity, 16), identity), identity, "")
            column = 0 if chunk.type == _EXPORTS else 1
            item = sums.add(identity, head, column, chunk.length, 0)
            if chunk.hash:
                prints.append((item, bytes.fromhex(chunk.hash), chunk.length))
            owners.append((identity, head, column, 0))
        elif chunk.path is not None:
            head = (FILE, chunk.path, "", f"({chunk.type})")
            sums.add(chunk.path, head, 0, chunk.length, 0)
            owners.append((chunk.path, head, 0, 0))
        else:
            owners.append(("", ("", f"({chunk.type})", "", ""), 0, chunk.length))
    rest: dict[str, list[int]] = {}
    shares = stored.shares(len(owners))
    for (key, head, column, size), disk in zip(owners, shares, strict=True):
        if key:
            sums.add(key, head, column, 0, disk)
        else:
            row = rest.setdefault(head[1], [0, 0])
            row[0] += size
            row[1] += disk
    own = stored.files[container.path]
    total = sum(stored.files.values())
    rows = [Rest(TABLES, file, 0, own), *(Rest(what, file, *row) for what, row in sorted(rest.items()))]
    if total > own + sum(shares):
        rows.append(Rest(PADDING, file, 0, total - own - sum(shares)))
    return ContainerItems(sums.items(file), rows, prints, total, tuple(stored.files), tuple(stored.absent))


def pak_items(pak: OpenPak, packages: Sequence[PakPackage], file: int, *, digests: bool) -> ContainerItems:
    """Return the items of a .pak; side files belong to packages.

    Raises:
        UnrealError: its index is damaged.
        OSError: it cannot be read.
    """
    stored = StoredBytes(pak)
    entries = [entry for entry in pak.entries if not entry.deleted]
    stored_at = 0
    for chunk in list_chunks(pak):
        if chunk.id != "deleted":
            stored.add(stored_at, chunk)
            stored_at += 1
    shares = stored.shares(len(entries))
    heads = {
        _stem(found.entry.path): (PACKAGE, found.name, f"{package_id(found.name):016x}", found.record.class_name)
        for found in packages
    }
    sums = _Sums()
    prints: list[tuple[int, bytes, int]] = []
    for entry, disk in zip(entries, shares, strict=True):
        stem = _stem(entry.path)
        lower = entry.path.lower()
        if stem in heads and lower.endswith((*EXTENSIONS, *SIDE_FILES)):
            column = 0 if lower.endswith((*EXTENSIONS, EXPORTS)) else 1
            item = sums.add(stem, heads[stem], column, entry.size, disk)
        else:
            path = pak.mount_point + entry.path
            item = sums.add(f"/{entry.path}", (FILE, path, "", _extension(entry.path)), 0, entry.size, disk)
        if digests:
            try:
                prints.append((item, pak.stored_hash(entry), entry.size))
            except UnrealError:  # its record is outside the file, which is reported when it is read
                continue
    total = sum(stored.files.values())
    rest = [Rest(AROUND, file, 0, total - sum(shares))] if total > sum(shares) else []
    return ContainerItems(sums.items(file), rest, prints, total, tuple(stored.files), ())


def _stem(path: str) -> str:
    """Return a folded path without the extension of a package's file."""
    lower = path.lower()
    for suffix in _SUFFIXES:
        if lower.endswith(suffix):
            return lower[: -len(suffix)]
    return lower


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return name[dot:].lower() if dot >= 0 else "(no extension)"
