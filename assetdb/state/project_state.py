"""What a project's files are made of, in memory: built in bulk of all directories, or brought up to date by some.

One state, two ways to it, the same bytes: ``build(all) == update(empty, all) == update(any split)``. A first bake is no
replay of edits (185 ms against 474 for 20,000 assets); a bake throws the state away, a daemon keeps it. Pure.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from itertools import accumulate, chain, compress, islice, repeat
from operator import eq, itemgetter

from assetdb.diagnostics import Diagnostic, others
from assetdb.scan.directory import asset_rows, reference_columns, unread_files
from assetdb.scan.packed import PackedDirectories, fields_of
from assetdb.state.columns import (
    columns_of,
    duplicate_guid,
    folders_in,
    folders_of,
    homes_of,
    links_of,
    path_in,
    sanitized,
    sanitized_row,
)
from assetdb.state.edge_columns import encode
from assetdb.state.edges import GraphState
from assetdb.state.entries import EntryTable, renamed
from assetdb.state.names import NamePool, Paths
from assetdb.state.packed_guids import PackedGuids
from assetdb.store import index, schema, supplement
from assetdb.store.graph import halves
from assetdb.store.supplement import RivalFacts
from assetdb.system.free_memory import give_back
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final, TypeAlias

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.state.columns import AssetColumns, Fields, Links, Sanitize
    from assetdb.store.graph import Edges

    StartBeside: TypeAlias = Callable[[Callable[[], Edges], Sequence[int], list[Diagnostic]], Callable[[], Edges]]
    Change: TypeAlias = tuple[DirectoryFacts | None, DirectoryFacts | None]
    _Rows: TypeAlias = dict[bytes, list[tuple["_Row", bytes]]]  # by GUID: rows, each with its directory


class _Row(NamedTuple):
    """One asset before names are decided."""

    key: bytes
    body: bytes
    sub_keys: tuple[bytes, ...]
    links: tuple[bytes, bytes]
    problems: tuple[Diagnostic, ...]

    @property
    def type(self) -> bytes:
        return _type_of(self.key)


class _Claimant(NamedTuple):
    """One of several assets that have the same GUID: its path, its directory's, and its row."""

    path: bytes
    home: bytes
    row: _Row


_NAMES_SIZE: Final = 12  # bytes of what takes to decide names, by those of a GUID
_PLACE: Final = itemgetter(0, 1)  # where a claimant is, which orders them


class _Known:
    """Tells the GUIDs of all assets (in order) and of all folders from others."""

    def __init__(self, guids: list[bytes], folders: Mapping[bytes, object]) -> None:
        self._guids = guids
        self._folders = folders

    def __contains__(self, guid: object) -> bool:
        if not isinstance(guid, bytes):
            return False
        row = bisect_left(self._guids, guid)
        return guid in self._folders or (row < len(self._guids) and self._guids[row] == guid)


class ProjectState:
    """The database and the index of one project, and the tables that it takes to follow edits.

    Attributes:
        entries: the database; of assets that share a GUID it has the first by path.
    """

    def __init__(
        self,
        directories: Iterable[DirectoryFacts] | PackedDirectories,
        sanitize: Sanitize | None,
        start_beside: StartBeside | None,
    ) -> None:
        """See :meth:`build`."""
        self._sanitize = sanitize
        self._directories: dict[bytes, DirectoryFacts] | PackedDirectories = (
            directories
            if isinstance(directories, PackedDirectories)
            else {directory.path: directory for directory in directories}
        )
        self._rows: dict[bytes, dict[bytes, _Row]] = {}  # by directory, as of now
        self._homes: dict[bytes, bytes] = {}  # the directory of each entry
        self._claimants: dict[bytes, list[_Claimant]] = {}  # where assets share a GUID: all, the entry's first
        self._folders: dict[bytes, list[bytes]] = {}  # the paths of those that have a GUID, in order
        self._duplicates: dict[bytes, list[Diagnostic]] = {}
        self._rewritten: dict[bytes, list[Diagnostic]] = {}
        self._guid_columns: tuple[bytes, bytes] | None = None
        self._folder_columns: index.FolderColumns | None = None

        known = self._directories
        facts = fields_of(list(known.values()) if isinstance(known, dict) else known)
        folders = folders_in(facts)
        for guid, path in sorted(folders):
            self._folders.setdefault(guid, []).append(path)
        packed = facts.joined("guids")
        order = array("I", schema.order_of(packed))  # whose objects would be 32 bytes each, in both processes
        # Objects that are made in the order that they are used in: half the time of those that lie anywhere.
        guids = [packed[position * 16 : position * 16 + 16] for position in order]
        columns = None
        kept: list[int] | None = None
        twice = any(map(eq, guids, islice(guids, 1, None))) or len(self._folders) < len(folders)
        if twice or not self._folders.keys().isdisjoint(guids):
            columns = columns_of(facts)
            kept = self._without_duplicates(columns, facts)
            columns = columns.only(kept)
            order = array("I", schema.order_of(b"".join(columns.guids)))
            guids = [columns.guids[position] for position in order]
        if sanitize is not None:
            columns, self._rewritten = sanitized(columns or columns_of(facts), sanitize)

        packed_guids = PackedGuids(b"".join(guids))

        def links() -> Links:
            return links_of(facts) if kept is None else links_of(facts).only(kept)

        def edges() -> Edges:
            return encode(packed_guids, links(), self._folders, order)

        def start(work: Callable[[], Edges]) -> Callable[[], Edges]:
            # The same work, but of objects that are made where they are needed: both processes would have them all.
            return start_beside(edges, self._places(guids, order, kept), self.problems) if start_beside else work

        # Who refers to whom does not depend on names: where there is a second processor, it is found out meanwhile.
        self._graph = GraphState(
            guids,
            links,
            self._folders,
            order,
            start if start_beside is not None else None,
        )
        if columns is None:  # not before: what the other process needs is less
            columns = columns_of(facts, _in_places(guids, order))
        if kept is None:
            self._homes = dict(zip(columns.guids, homes_of(facts), strict=True))
        self._pool = NamePool(
            [*columns.keys, *columns.sub_keys],
            [*columns.guids, *chain.from_iterable(map(repeat, columns.guids, columns.sub_counts))],
            self._paths_in(columns, guids, order),
        )
        distinct: dict[bytes, bytes] = {}
        types = [distinct.setdefault(kind, kind) for kind in map(_type_of, columns.keys)]
        types = [types[position] for position in order]
        rows = compress(range(len(guids)), map(self._pool.renamed.__contains__, guids))
        keys = {row: columns.keys[order[row]] for row in rows}
        columns = columns._replace(guids=[], keys=[], sub_keys=[])
        if start_beside is not None:  # of a bake: a million assets' keys take 230 MB, which the entries need now
            self._pool.forget_uncontested()
            self._homes = {guid: self._homes[guid] for guid in self._pool.renamed}
            give_back(len(packed) * _NAMES_SIZE)
        self.entries = EntryTable(guids, types, chain.from_iterable(self._bodies(columns, guids, order, keys)))

    def _bodies(
        self, columns: AssetColumns, guids: list[bytes], order: Sequence[int], keys: Mapping[int, bytes]
    ) -> Iterator[list[bytes]]:
        """Return the bodies of all entries, some at a time; ``keys`` are of the rows that got other names."""
        for start in range(0, len(order), schema.AT_ONCE):
            bodies = columns.bodies_in(order[start : start + schema.AT_ONCE])
            numbered = range(start, start + len(bodies))
            for row in compress(numbered, map(keys.__contains__, numbered)):
                names, has_rows = self._pool.names_of(guids[row]), bool(columns.sub_counts[order[row]])
                bodies[row - start] = renamed(bodies[row - start], keys[row], names, has_rows=has_rows)
            yield bodies

    def _paths_in(self, columns: AssetColumns, guids: list[bytes], order: Sequence[int]) -> Paths:
        """Return the paths of assets in columns; the GUIDs are in order, with the position of each."""

        def path_of(guid: bytes) -> bytes:
            return path_in(columns.body(order[bisect_left(guids, guid)]), self._homes[guid])

        return Paths(self._homes, path_of)

    @classmethod
    def build(
        cls,
        directories: Iterable[DirectoryFacts] | PackedDirectories,
        sanitize: Sanitize | None = None,
        start_beside: StartBeside | None = None,
    ) -> ProjectState:
        """Build the state of a whole project at once.

        Args:
            directories: all of them, each with its facts.
            sanitize: is given every name before the rule is applied; returns another, or None to keep it.
            start_beside: is given what encodes the graph, the place of the asset behind each entry among those of the
                directories (-1 where several share its GUID) and the project's problems, and starts that; returns what
                gives the graph.
        """
        return cls(directories, sanitize, start_beside)

    def _places(self, guids: list[bytes], order: Sequence[int], kept: list[int] | None) -> Sequence[int]:
        """Return the place of the asset behind each entry among those of the directories; see :meth:`build`."""
        if kept is None:
            return order
        places = array("q", map(kept.__getitem__, order))
        for guid in self._claimants:
            places[bisect_left(guids, guid)] = -1
        return places

    def _without_duplicates(self, columns: AssetColumns, facts: Fields) -> list[int]:
        """Note who claims the same GUIDs; return the positions of all but these and of their first by path."""
        places: dict[bytes, list[int]] = {}
        for place, guid in enumerate(columns.guids):
            places.setdefault(guid, []).append(place)
        homes = list(homes_of(facts))
        self._homes = dict(zip(columns.guids, homes, strict=True))
        links = [pair for directory in self._directories.values() for pair in reference_columns(directory)]
        dropped: set[int] = set()
        ends = list(accumulate(columns.sub_counts))
        for guid, found in places.items():
            if len(found) > 1:
                rows = []
                for place in found:
                    key, body = columns.keys[place], columns.body(place)
                    sub_keys = tuple(columns.sub_keys[ends[place] - columns.sub_counts[place] : ends[place]])
                    row = self._sanitized_row(key, body, sub_keys, links[place])
                    rows.append((_Claimant(path_in(body, homes[place]), homes[place], row), place))
                rows.sort(key=lambda row: _PLACE(row[0]))
                self._claimants[guid] = [claimant for claimant, _ in rows]
                self._homes[guid] = rows[0][0].home
                dropped.update(place for _, place in rows[1:])
        for guid in {*self._claimants, *self._folders}:
            self._check_duplicates(guid)
        self._rows.clear()
        return [place for place in range(len(homes)) if place not in dropped]

    # --- what it amounts to

    @property
    def database(self) -> bytes:
        """The bytes of the database."""
        return self.entries.data

    @property
    def problems(self) -> list[Diagnostic]:
        """What only the project as a whole shows: duplicate GUIDs, and rewritten names; in order."""
        return sorted(chain.from_iterable(chain(self._duplicates.values(), self._rewritten.values())))

    @property
    def folder_guids(self) -> list[bytes]:
        """The GUIDs of all folders, 16 bytes each, in order."""
        return sorted(self._folders)

    def index(self) -> bytes:
        """Return the bytes of the index of the database."""
        if self._guid_columns is None:
            self._guid_columns = halves(self.entries.guids)
        if self._folder_columns is None:
            self._folder_columns = index.folder_columns(
                (guid, path) for guid, paths in self._folders.items() for path in paths
            )
        columns = [*self._guid_columns, self.entries.starts[1:-1].tobytes()]
        data = self.entries.data
        edges = self._graph.edges()
        return b"".join(
            index.assembled(
                index.digest_of([data]), len(data), columns, self._folder_columns, edges, self._supplement()
            )
        )

    def inseparable_names(self) -> list[tuple[str, list[str]]]:
        """Return the names that directories cannot tell apart, each with the paths of its claimants."""
        return [
            (key.partition(b":")[2].decode(), sorted(self._path_of(guid).decode() for guid in guids))
            for key, guids in self._pool.inseparable(self._paths())
        ]

    def shared_names(self) -> list[list[Diagnostic]]:
        """Return what is to be said of the claimants of each of these."""
        return [
            [
                Diagnostic("shared-name", path, 0, f"shares the name {name!r} with {others(paths, path)}")
                for path in paths
            ]
            for name, paths in self.inseparable_names()
        ]

    def _supplement(self) -> bytes:
        rivals = [
            RivalFacts(guid, row.key, row.body, row.links)
            for guid, claimants in self._claimants.items()
            for _, _, row in claimants[1:]
        ]
        known = _Known(self.entries.guids, self._folders)
        return supplement.encode(rivals, known, unread_files(self._diagnosed()))

    def _diagnosed(self) -> Iterable[DirectoryFacts]:
        found = self._directories
        return found.values() if isinstance(found, dict) else found.diagnosed()

    # --- edits

    def update(self, changes: Collection[Change]) -> set[bytes]:
        """Take in directories as they were and as they are, with their facts; None where there was or is none.

        Returns the GUIDs of the entries that came, went or changed. Should this raise, nothing can be done with this
        object any more.
        """
        self._rows.clear()
        gone: _Rows = {}
        came: _Rows = {}
        folders_gone: set[tuple[bytes, bytes]] = set()
        folders_came: set[tuple[bytes, bytes]] = set()
        for old, new in changes:
            if old is not None:
                folders_gone.update(folders_of(old))
                for guid, row in self._all_rows(old):
                    gone.setdefault(guid, []).append((row, old.path))
            if new is not None:
                folders_came.update(folders_of(new))
                for guid, row in self._all_rows(new):
                    came.setdefault(guid, []).append((row, new.path))
        affected = gone.keys() | came.keys()
        before = {guid: self._entry_before(guid, gone) for guid in affected}
        old_rows = {guid: row for guid, row in before.items() if row is not None}
        assert isinstance(self._directories, dict)  # noqa: S101 - what a bake builds beside is not followed by edits
        for old, new in changes:
            if new is not None:
                self._directories[new.path] = new
            elif old is not None:
                del self._directories[old.path]
        for guid in affected:
            self._claim(guid, gone, came)
        new_rows = {guid: self._entry_after(guid, came) for guid in affected if guid in self._homes}
        folders_before, folders_after = self._move_folders(folders_gone - folders_came, folders_came - folders_gone)
        for guid in affected.union(folders_before, folders_after):
            self._check_duplicates(guid)
        removed = old_rows.keys() - new_rows.keys()
        added = new_rows.keys() - old_rows.keys()
        touched = {guid for guid, row in new_rows.items() if old_rows.get(guid) != row}
        found = self._update_entries(old_rows, new_rows, removed, added, touched)
        links = {
            guid: new_rows[guid].links
            for guid in touched
            if guid in added or old_rows[guid].links != new_rows[guid].links
        }
        self._graph.update(
            self.entries.guids, added, removed, links, folders_after - folders_before, folders_before - folders_after
        )
        if folders_gone != folders_came:
            self._folder_columns = None
        if added or removed:
            self._guid_columns = None
        return found

    def _update_entries(
        self,
        old_rows: Mapping[bytes, _Row],
        new_rows: Mapping[bytes, _Row],
        removed: Collection[bytes],
        added: Collection[bytes],
        touched: Collection[bytes],
    ) -> set[bytes]:
        gone = {
            guid: (old_rows[guid].key, *old_rows[guid].sub_keys) for guid in (*removed, *touched) if guid in old_rows
        }
        came = {guid: (new_rows[guid].key, *new_rows[guid].sub_keys) for guid in touched}
        for guid in gone:
            self._rewritten.pop(guid, None)
        for guid in touched:
            row = new_rows[guid]
            if row.problems:
                self._rewritten[guid] = list(row.problems)
        renamed_now = self._pool.update(gone, came, self._paths()).difference(removed)
        self.entries.retype((old_rows[guid].type for guid in gone), (new_rows[guid].type for guid in came))
        made = {guid: self._entry(guid, new_rows.get(guid) or self._row_of(guid)) for guid in renamed_now}
        self._rows.clear()
        return self.entries.splice(removed, added, made)

    def _entry(self, guid: bytes, row: _Row) -> bytes:
        names = self._pool.names_of(guid)
        body = renamed(row.body, row.key, names, has_rows=bool(row.sub_keys)) if names else row.body
        return self.entries.entry(guid, row.type, body)

    # --- who has a GUID

    def _entry_before(self, guid: bytes, gone: _Rows) -> _Row | None:
        """Return the row of a GUID's entry as it was; ``gone`` are the rows of directories that changed."""
        claimants = self._claimants.get(guid)
        if claimants is not None:
            first = claimants[0]
            return next(
                (row for row, home in gone.get(guid, ()) if path_in(row.body, home) == first.path), None
            ) or self._row_of(guid)
        if guid in gone:
            return gone[guid][0][0]
        return self._row_of(guid) if guid in self._homes else None

    def _claim(self, guid: bytes, gone: _Rows, came: _Rows) -> None:
        """Note who has a GUID now."""
        claimants = self._claimants.pop(guid, None)
        new = came.get(guid, [])
        if claimants is not None:
            left = {path_in(row.body, home) for row, home in gone.get(guid, ())}
            claimants = [claimant for claimant in claimants if claimant.path not in left]
        elif guid in gone or guid not in self._homes:
            if len(new) == 1:  # nearly always
                self._homes[guid] = new[0][1]
                return
            claimants = []
        else:
            claimants = [_Claimant(self._path_of(guid), self._homes[guid], self._row_of(guid))]
        claimants += [_Claimant(path_in(row.body, home), home, row) for row, home in new]
        claimants.sort(key=_PLACE)
        if len(claimants) > 1:
            self._claimants[guid] = claimants
        if claimants:
            self._homes[guid] = claimants[0].home
        else:
            self._homes.pop(guid, None)

    def _entry_after(self, guid: bytes, came: _Rows) -> _Row:
        claimants = self._claimants.get(guid)
        for row, home in came.get(guid, ()):
            if home == self._homes[guid] and (claimants is None or path_in(row.body, home) == claimants[0].path):
                return row
        return self._row_of(guid)

    def _move_folders(
        self, gone: Collection[tuple[bytes, bytes]], came: Collection[tuple[bytes, bytes]]
    ) -> tuple[set[bytes], set[bytes]]:
        """Take folders out and in; return which of their GUIDs a folder had before, and which one has now."""
        guids = {guid for guid, _ in (*gone, *came)}
        before = guids & self._folders.keys()
        for guid, path in gone:
            self._folders[guid].remove(path)
            if not self._folders[guid]:
                del self._folders[guid]
        for guid, path in came:
            insort(self._folders.setdefault(guid, []), path)
        return before, guids & self._folders.keys()

    def _check_duplicates(self, guid: bytes) -> None:
        """Note whether several assets or folders claim a GUID."""
        folders = self._folders.get(guid, ())
        paths = [claimant.path for claimant in self._claimants.get(guid, ())]
        if folders and not paths and guid in self._homes:
            paths = [self._path_of(guid)]
        if len(folders) + len(paths) < 2:
            self._duplicates.pop(guid, None)
            return
        self._duplicates[guid] = duplicate_guid(guid, sorted([*folders, *paths]))

    # --- rows

    def _all_rows(self, directory: DirectoryFacts) -> list[tuple[bytes, _Row]]:
        return [
            (bytes.fromhex(guid.decode("ascii")), self._sanitized_row(key, body, sub_keys, (references, candidates)))
            for guid, key, body, sub_keys, _, references, candidates in asset_rows(directory)
        ]

    def _sanitized_row(self, key: bytes, body: bytes, sub_keys: tuple[bytes, ...], links: tuple[bytes, bytes]) -> _Row:
        if self._sanitize is None:
            return _Row(key, body, sub_keys, links, ())
        key, body, sub_keys, problems = sanitized_row(key, body, sub_keys, self._sanitize)
        return _Row(key, body, sub_keys, links, problems)

    def _row_of(self, guid: bytes) -> _Row:
        """Return the row of a GUID's entry: in its directory the first by path, should more have it."""
        home = self._homes[guid]
        rows = self._rows.get(home)
        if rows is None:
            rows = self._rows[home] = {}
            for other, row in self._all_rows(self._directories[home]):
                known = rows.get(other)
                if known is None or path_in(row.body, home) < path_in(known.body, home):
                    rows[other] = row
        return rows[guid]

    def _path_of(self, guid: bytes) -> bytes:
        return path_in(self._row_of(guid).body, self._homes[guid])

    def _paths(self) -> Paths:
        return Paths(self._homes, self._path_of)


def _in_places(guids: Iterable[bytes], places: Sequence[int]) -> list[bytes]:
    """Return the GUIDs, each in its place: the same objects."""
    found = [b""] * len(places)
    any(map(found.__setitem__, places, guids))  # in the interpreter's own loop
    return found


def _type_of(key: bytes) -> bytes:
    return key[: key.index(b":")]
