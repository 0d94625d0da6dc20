"""Lookups in an ``asset-db.bin`` without decoding all of it.

A command that names one reference opens a database for a single lookup. It takes 12 ms, this module 0.5 of them,
because modules that are not needed (``typing``, ``struct``, the graph) are imported on demand.
"""

from __future__ import annotations

import mmap
import os
from bisect import bisect_right

from assetdb.errors import DatabaseError, FileError
from assetdb.store.entry import WIDTHS, read_entry
from assetdb.store.files import DATABASE_NAME, DATABASE_START, INDEX_NAME, LOCK_NAME
from assetdb.store.indexes.reader import Index
from assetdb.system.reading import open_regular

TYPE_CHECKING = False

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final, Self

    from assetdb.store.entry import Asset, SubAsset
    from assetdb.store.indexes.graph import Graph
    from assetdb.store.indexes.supplement import Duplicate, Supplement, Unread
    from assetdb.store.schema import Header

_ATTEMPTS: Final = 8  # attempts to open database and index of one bake, while others replace them
_GUID_DIGITS: Final = 32
_REMEMBERED: Final = 4096  # cached entries; a lookup in them takes a dictionary
_SPRITE: Final = 213
_TEXTURE: Final = 28
_SCRIPTED: Final = 114
_LONG_GUID: Final = b"\xfe"  # the first byte of an entry whose GUID takes 16 bytes
_maps_files = True
_KIND_OFFSET: Final = 17  # of the byte that is 1 for a script's number and 0 for a class, after a GUID of 16 bytes


def open_database(path: str | os.PathLike[str]) -> Database:
    """Open an ``asset-db.bin``, written by assetdb or by the Rust crate.

    An index that is absent or does not match is rebuilt, and saved in the same folder if possible.

    Raises:
        DatabaseError: the file is damaged, or of another version.
        OSError: the file cannot be read.
    """
    place = os.fspath(path)
    attempts = _ATTEMPTS
    while True:
        attempts -= 1
        data, written = map_file(place)
        try:
            with memoryview(data) as whole:
                header = read_header(whole)
                found = _fitting_index(place, whole, header, written.st_mtime_ns)
        except DatabaseError as error:
            _close(data)
            if attempts and _is_replaced(place, written):
                continue
            raise DatabaseError(f"{place}: {error}") from error
        if not attempts or not _is_replaced(place, written):  # otherwise the index may belong to the other one
            return Database(place, data, found, header.scripts)
        found.release()
        _close(data)


def open_bytes(path: str, data: bytes, index_data: bytes) -> Database:
    """Open a database from the bytes of its files.

    Raises:
        DatabaseError: they are damaged, or of another version.
    """
    try:
        return Database(path, data, Index(memoryview(index_data)), read_header(data).scripts)
    except DatabaseError as error:
        raise DatabaseError(f"{path}: {error}") from error


def open_baked(path: str) -> tuple[Database, os.stat_result, os.stat_result]:
    """Open a database and its baked index, with their status; rebuild nothing.

    Raises:
        DatabaseError: there is no index that certainly belongs to it.
    """
    data: mmap.mmap | bytes = b""
    try:
        data, written = map_file(path)
        index_data, indexed = map_file(os.path.join(os.path.dirname(path), INDEX_NAME))
        found = Index(memoryview(index_data))
        _check_baked(data, found, younger=indexed.st_mtime_ns >= written.st_mtime_ns)
    except (OSError, FileError, DatabaseError) as error:
        _close(data)
        raise DatabaseError(f"{path}: {error}: bake again") from error
    return Database(path, data, found), written, indexed


class Database:
    """A mapped database; opening takes as long for 1,000 assets as 300,000."""

    def __init__(self, path: str, data: mmap.mmap | bytes, found: Index, scripts: Sequence[str] | None = None) -> None:
        """Take the bytes of database and index, and known GUIDs of scripts."""
        self.path = path
        self._map = data
        self._index = found
        self._scripts = scripts
        self._remembered: dict[str, Asset] = {}
        self._rows: dict[str, dict[int, SubAsset]] = {}
        self._by_name: dict[str, tuple[int, ...]] | None = None
        self._graph: Graph | None = None
        self._supplement: Supplement | None = None
        self._held: list[Asset] = []
        self._endings: dict[bytes, array[int]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._index.count

    def __iter__(self) -> Iterator[Asset]:
        """Iterate over all assets, in the order of their GUIDs."""
        return iter(self._held) if self._held else map(self.at, range(self._index.count))

    def hold(self) -> None:
        """Decode all entries once, for several walks over them."""
        self._held = self._held or list(self)

    def __contains__(self, guid: str) -> bool:
        return self.by_guid(guid) is not None

    def close(self) -> None:
        """Unmap the file; later lookups fail."""
        if self._graph is not None:
            self._graph.release()
        self._index.release()
        _close(self._map)

    def contents(self) -> bytes:
        """Return the bytes of the file."""
        return bytes(self._map)

    def guids(self) -> bytes:
        """Return packed GUIDs (16 bytes) of assets, then folders, each in order."""
        return self._index.guids()

    def fingerprint(self) -> str:
        """Return a digest of assets and folders, not references: 64 hex digits."""
        from assetdb.scan.content_id import digest_state  # noqa: PLC0415 - an answer does without

        return digest_state(self._index.digest + self._index.folder_columns()).hexdigest()

    def digest_of_references(self) -> bytes:
        """Return a digest of all references."""
        from assetdb.scan.content_id import digest_state  # noqa: PLC0415 - the same

        parts = self._index.graph_parts
        digest = digest_state(self._index.supplement_bytes, size=16)
        digest.update(parts[0] if parts is not None else b"")
        return digest.digest()

    @property
    def counts(self) -> tuple[int, int]:
        """How many assets and folders there are."""
        return self._index.count, self._index.folder_count

    def row(self, guid: str) -> int:
        """Return the row of an asset by GUID, or -1.

        Raises:
            ValueError: ``guid`` is not 32 hex digits.
        """
        packed = _packed(guid)
        return self._index.row(int.from_bytes(packed[:8], "big"), int.from_bytes(packed[8:], "big"))

    def folder_row(self, guid: str) -> int:
        """Return the row of a folder by GUID, or -1.

        Raises:
            ValueError: ``guid`` is not 32 hex digits.
        """
        return self._index.folder_row(int.from_bytes(_packed(guid), "big"))

    def by_guid(self, guid: str) -> Asset | None:
        """Return the asset with a GUID (32 hex digits), or None.

        Raises:
            ValueError: ``guid`` is not 32 hex digits.
        """
        found = self._remembered.get(guid)
        if found is not None:
            return found
        row = self.row(guid)
        if row < 0:
            return None
        found = self.at(row)
        if len(self._remembered) >= _REMEMBERED:
            self._remembered.clear()
            self._rows.clear()
        self._remembered[guid] = found
        return found

    def by_id(self, guid: str, file_id: int, *, texture_for_sprite: bool = False) -> Asset | SubAsset | None:
        """Return the target of ``{fileID, guid}``.

        The sub-asset with exactly that fileID; else the asset itself if it is the fileID of its type's main object;
        else, with ``texture_for_sprite``, the texture of the requested sprite (21300000).

        Raises:
            ValueError: ``guid`` is not 32 hex digits.
        """
        asset = self.by_guid(guid)
        if asset is None:
            return None
        row = self._rows_of(asset).get(file_id) if asset.sub_assets else None
        if row is not None:
            return row
        from assetdb.unity.engine.classes import canonical_file_id  # noqa: PLC0415 - a GUID alone is looked up without

        if file_id == canonical_file_id(_SCRIPTED if asset.script else asset.class_id):
            return asset
        if texture_for_sprite and asset.class_id == _TEXTURE and file_id == canonical_file_id(_SPRITE):
            return asset
        return None

    def type_name(self, asset: Asset) -> str:
        """Return the name of an asset's type: its script, else its class."""
        from assetdb.unity.kinds import main_type  # noqa: PLC0415 - as above

        script = self.by_guid(asset.script) if asset.script else None
        return script.name if script is not None else main_type(asset.class_id, asset.path)

    def by_name(self, name: str) -> tuple[Asset, ...]:
        """Return the assets with exactly this name, each of another type.

        The first call reads all names.
        """
        if self._by_name is None:
            names: dict[str, list[int]] = {}
            for asset in self:
                names.setdefault(asset.name, []).append(int(asset.guid, 16))
            self._by_name = {key: tuple(guids) for key, guids in names.items()}
        found = (self.by_guid(f"{guid:032x}") for guid in self._by_name.get(name, ()))
        return tuple(asset for asset in found if asset is not None)

    def containing(self, text: bytes) -> Iterator[Asset]:
        """Iterate over assets that may have UTF-8 bytes in name or path.

        A search of the mapped file: 2 ms for 63,000 assets, where reading them all takes a second.
        """
        offsets = self._index.offsets
        count, size = len(offsets), len(self._map)
        after = offsets[0] if text and count else size
        position = -1
        while after < size:
            if after <= position:
                raise self._damaged()
            position = self._map.find(text, after)
            if position < 0:
                return
            row = bisect_right(offsets, position) - 1
            yield self.at(row)
            after = offsets[row + 1] if row + 1 < count else size

    def ending(self, text: str) -> Iterator[Asset]:
        """Iterate over assets with an extension in any case (``.mat``, ``/link.xml``).

        Unity's importers take it in any case, too.

        A search of unitystation's bytes takes 5 ms, and rules ask for a hundred extensions: the first question lists
        the extensions of all assets.
        """
        if self._endings is None:
            from assetdb.store.name_search import extensions  # noqa: PLC0415 - naming a GUID does without

            self._endings = extensions(self._map, self._index.offsets)
        wanted = text.lower()
        for row in self._endings.get(text.rpartition(".")[2].lower().encode(), ()):
            asset = self.at(row)
            if asset.path.lower().endswith(wanted):
                yield asset

    def of_script(self, guid: str) -> Iterator[Asset]:
        """Iterate over the assets with a script as their type."""
        scripts = self._scripts if self._scripts is not None else self._read_scripts()
        if guid not in scripts:
            return
        from assetdb_formats.codecs.bincode import unsigned  # noqa: PLC0415 - few questions are about a type

        kind = b"\1" + unsigned(scripts.index(guid))
        data = self._map
        for row, start in enumerate(self._index.offsets):
            mark = start + _KIND_OFFSET
            if data[mark : mark + len(kind)] == kind or data[start : start + 1] != _LONG_GUID:
                asset = self.at(row)
                if asset.script == guid:
                    yield asset

    def candidates(self, text: str) -> Iterator[Asset]:
        """Iterate over assets that may contain a folded text, in any case."""
        from assetdb.store.name_search import rows_with  # noqa: PLC0415 - naming a GUID does without

        return map(self.at, rows_with(text, self._map, self._index.offsets))

    def file_names(self) -> Iterator[bytes]:
        """Iterate over all assets' file names, ASCII in lower case."""
        from assetdb.store.name_search import file_names  # noqa: PLC0415 - naming a GUID does without

        return file_names(self._map, self._index.offsets)

    def folder(self, guid: str) -> str | None:
        """Return the path of the folder with a GUID, or None.

        Raises:
            ValueError: ``guid`` is not 32 hex digits.
        """
        row = self.folder_row(guid)
        return self._index.folder(row) if row >= 0 else None

    def folders(self) -> Iterable[tuple[str, str]]:
        """Return GUID and path of every folder, none in the crate's databases."""
        return self._index.folders()

    @property
    def graph(self) -> Graph:
        """The graph of references by nodes; :mod:`assetdb.query.graph.references` answers by GUID.

        Raises:
            DatabaseError: the database has no graph, as the Rust crate writes it.
        """
        if self._graph is None:
            parts = self._index.graph_parts
            if parts is None:
                raise DatabaseError(f"{self.path} was written without references: run `assetdb bake` to add them")
            from assetdb.store.indexes.graph import Graph  # noqa: PLC0415 - naming a GUID does without

            self._graph = Graph(*parts)
        return self._graph

    @property
    def supplement(self) -> Supplement:
        """Assets without an entry of their own, and unread files.

        Raises:
            DatabaseError: the index is damaged.
        """
        if self._supplement is None:
            from assetdb.store.indexes.supplement import Supplement  # noqa: PLC0415 - naming a GUID does without

            self._supplement = Supplement(self._index.supplement_bytes)
        return self._supplement

    @property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """Assets without an entry, because another asset has their GUID.

        Raises:
            DatabaseError: the index is damaged.
        """
        return self.supplement.duplicates if any(self._index.supplement_bytes[:4]) else ()

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The files that could not be read, none in most projects.

        Raises:
            DatabaseError: the index is damaged.
        """
        return self.supplement.unread if self._index.supplement_bytes else ()

    def may_have_unread(self, code: str) -> bool:
        """Whether unread files may have a reason, by the bytes alone."""
        return code.encode() in self._index.supplement_bytes

    # --- entries

    def at(self, row: int) -> Asset:
        """Return the asset of a row, in the order of GUIDs."""
        if self._held:
            return self._held[row]
        start, end = self._index.span(row)
        entry = self._map[start:end]
        scripts = self._scripts
        if scripts is None:
            kind = WIDTHS[entry[0]] if entry else 0
            scripts = self._read_scripts() if entry[kind : kind + 1] == b"\1" else ()
        try:
            asset, size = read_entry(entry, 0, scripts)
        except ValueError as error:  # FormatError, which valid databases need not import
            raise DatabaseError(f"{self.path}: entry at offset {start}: {error}") from error
        if size != len(entry) or asset.guid != self._index.guid(row).hex():
            raise self._damaged()
        return asset

    def _read_scripts(self) -> Sequence[str]:
        """Return the GUIDs of the scripts that are types."""
        try:
            with memoryview(self._map) as whole:
                self._scripts = read_header(whole).scripts
        except DatabaseError as error:
            raise DatabaseError(f"{self.path}: {error}") from error
        return self._scripts

    def _damaged(self) -> DatabaseError:
        return DatabaseError(f"{self.path}: the index does not fit the database: bake again")

    def _rows_of(self, asset: Asset) -> dict[int, SubAsset]:
        rows = self._rows.get(asset.guid)
        if rows is None:
            rows = self._rows[asset.guid] = {row.file_id: row for row in asset.sub_assets}
        return rows


def leave_files_free(*, maps_bind: bool = os.name == "nt") -> None:
    """Read files from now on instead of mapping them, where maps bind.

    For a process that lives long: Windows removes and renames no folder that has a mapped file. A deleted project
    stayed until its language server ended.
    """
    global _maps_files  # noqa: PLW0603 - the one of this process
    _maps_files = not maps_bind


def map_file(path: str) -> tuple[mmap.mmap | bytes, os.stat_result]:
    """Map a regular file, or read it; return its bytes and status.

    It is read after :func:`leave_files_free`.

    Raises:
        FileError: it is a directory, a pipe or a device.
        OSError: it cannot be read.
    """
    with open(open_regular(path), "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        if not _maps_files or not status.st_size:
            return file.read(), status
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), status


def read_header(data: bytes | memoryview) -> Header:
    """Read the header with ``assetdb.store.schema.read_header``, imported on demand."""
    from assetdb.store import schema  # noqa: PLC0415 - entries whose type is a class do without

    return schema.read_header(data)


def _fitting_index(path: str, data: memoryview, header: Header, written: int) -> Index:
    """Return the index of a database written at a time in ns.

    It is the file in the same folder if that matches; otherwise one is made.
    """
    index_path = os.path.join(os.path.dirname(path), INDEX_NAME)
    index_data: mmap.mmap | bytes = b""
    try:
        index_data, status = map_file(index_path)
        found = Index(memoryview(index_data))
    except (OSError, FileError, DatabaseError):
        pass
    else:
        if found.count == header.entry_count and _is_of(data, found, younger=status.st_mtime_ns >= written):
            return found
        found.release()
    _close(index_data)  # Windows does not replace a file that is mapped
    return _make_index(path, index_path, data)


def _is_replaced(path: str, opened: os.stat_result) -> bool:
    """Whether a path leads to another file than the opened one."""
    try:
        return not os.path.samestat(os.stat(path), opened)
    except OSError:
        return False


def _is_of(data: mmap.mmap | bytes | memoryview, found: Index, *, younger: bool) -> bool:
    """Whether an index belongs to a database.

    The index is written later, so a newer database of the same size needs hashing: a restored folder may have its files
    in any order.
    """
    if found.database_size != len(data) or younger:
        return found.database_size == len(data)
    from assetdb.scan.content_id import content_id  # noqa: PLC0415 - only if the times are not in order

    with memoryview(data) as whole:
        return content_id(whole) == found.digest


def _check_baked(data: mmap.mmap | bytes, found: Index, *, younger: bool) -> None:
    if not _is_of(data, found, younger=younger):
        raise DatabaseError("the index belongs to another database")
    if data[: len(DATABASE_START)] != DATABASE_START:
        raise DatabaseError("not an asset-db.bin of this version")


def _make_index(path: str, index_path: str, data: memoryview) -> Index:
    from assetdb.store.indexes.writer import from_database  # noqa: PLC0415 - only for a database of the Rust crate
    from assetdb_formats.atomic import replace_file  # noqa: PLC0415 - the same

    parts = from_database(data)
    is_output = os.path.exists(os.path.join(os.path.dirname(path), LOCK_NAME))  # a bake may be writing the index
    if os.path.basename(path) == DATABASE_NAME and not is_output:
        try:  # noqa: SIM105 - contextlib takes time that a question does not have
            replace_file(index_path, parts)
        except OSError:
            pass  # a read-only folder: the index is only in memory
    return Index(memoryview(b"".join(parts)))


def _close(data: mmap.mmap | bytes) -> None:
    if isinstance(data, mmap.mmap):
        data.close()


def _packed(guid: str) -> bytes:
    """Return the 16 bytes of a GUID.

    ``fromhex`` takes spaces too, but 32 characters that make 16 bytes have none.
    """
    try:
        packed = bytes.fromhex(guid)
    except ValueError:
        packed = b""
    if len(packed) != _GUID_DIGITS // 2 or len(guid) != _GUID_DIGITS:
        raise ValueError(f"a GUID is 32 hexadecimal digits, not {guid!r}")
    return packed
