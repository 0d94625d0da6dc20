"""A project's database and index, updated after edits.

It has no tables of its own: if an edit depends on the other assets that claim a name, the facts are searched
(:mod:`assetdb.state.search`). So a first edit needs no preparation, and a daemon of a million assets holds only their
facts and files. The result of an edit is byte for byte what :class:`~assetdb.state.project_state.ProjectState` builds
from all directories. Pure.
"""

from __future__ import annotations

from array import array
from bisect import insort
from itertools import chain

from assetdb.scan.content_id import content_id
from assetdb.scan.directory import unread_files
from assetdb.scan.known.slices import trimmed
from assetdb.state.columns import folders_of, path_in
from assetdb.state.edges import GraphUpdate
from assetdb.state.entries import Entries, Types, entry, renamed
from assetdb.state.guid_columns import GuidColumns
from assetdb.state.guid_owners import GuidOwners
from assetdb.state.names import NamePool, Paths, disambiguate
from assetdb.state.rows import PLACE, PlacedRow, rows_in
from assetdb.state.search import FactSearch
from assetdb.store import schema
from assetdb.store.indexes import supplement, writer
from assetdb.store.indexes.graph import edges_in
from assetdb.store.indexes.reader import Index

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import TypeAlias

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.state.columns import Sanitize
    from assetdb.state.rows import Row

    Change: TypeAlias = tuple[DirectoryFacts | None, DirectoryFacts | None]
    _Rows: TypeAlias = dict[bytes, list[tuple[Row, bytes]]]  # by GUID: rows, each with its directory
    _Names: TypeAlias = dict[bytes, dict[bytes, bytes]]  # by owner and claimed key: the given name


class LiveState:
    """The database and the index of one project, which follow edits.

    Attributes:
        database: the bytes of the database.
        search: the facts of all directories.
    """

    def __init__(
        self,
        directories: Iterable[DirectoryFacts],
        contents: tuple[bytes, bytes],
        sanitize: Sanitize | None = None,
    ) -> None:
        """Continue from a project's current files.

        Args:
            directories: all of them, each with its facts.
            contents: the bytes of the database and index made from these.
            sanitize: called with every name before the rule is applied; returns a new one, or None to keep it.

        Raises:
            DatabaseError: the contents are damaged.
        """
        self.database, self._index_data = contents
        self._sanitize = sanitize
        known = {each.path: each for each in directories}
        self._owners = GuidOwners(known, chain.from_iterable(map(folders_of, known.values())), sanitize)
        self.search = FactSearch(known, self._owners.duplicates, sanitize)
        self._types: Types | None = None
        self._find_duplicates()
        if sanitize is not None:
            self._find_rewritten()

    def _find_duplicates(self) -> None:
        """Find shared GUIDs of assets and folders."""
        found = self._index()
        shared = {
            bytes.fromhex(duplicate.asset.guid)
            for duplicate in supplement.Supplement(found.supplement_bytes).duplicates
        }
        for directory in self.search.sharing(shared):
            for guid, row in rows_in(directory, self._sanitize):
                if guid in shared:
                    placed = PlacedRow(path_in(row.body, directory.path), directory.path, row)
                    self._owners.duplicates.setdefault(guid, []).append(placed)
        for duplicates in self._owners.duplicates.values():
            duplicates.sort(key=PLACE)
        guids = _guids(found)
        both = [guid for guid, paths in self._owners.folders.items() if len(paths) > 1 or guid in guids]
        homes = self.search.homes([guid for guid in both if guid in guids and guid not in self._owners.duplicates])
        for guid in {*both, *self._owners.duplicates}:
            self._owners.check(guid, homes)
        self._owners.forget_rows()

    def _find_rewritten(self) -> None:
        """Find rewritten names."""
        for directory in self.search.directories.values():
            for guid, row in rows_in(directory, self._sanitize):
                if row.problems and self._is_first(guid, row, directory.path):
                    self._owners.rewritten[guid] = list(row.problems)

    def _is_first(self, guid: bytes, row: Row, home: bytes) -> bool:
        duplicates = self._owners.duplicates.get(guid)
        return duplicates is None or duplicates[0][:2] == (path_in(row.body, home), home)

    # --- results

    @property
    def asset_count(self) -> int:
        """How many entries the database has."""
        return self._index().count

    @property
    def problems(self) -> list[Diagnostic]:
        """Return sorted project-wide diagnostics: duplicate GUIDs and rewritten names."""
        return self._owners.problems

    def index(self) -> bytes:
        """Return the bytes of the index of the database."""
        return self._index_data

    def shared_names(self) -> list[list[Diagnostic]]:
        """Return diagnostics of names that directories cannot separate."""
        homes: dict[bytes, bytes] = {}
        pool, paths = self._pool(homes)
        found = self._owners.shared_names(pool, paths, homes)
        self._owners.forget_rows()
        return found

    def _index(self) -> Index:
        return Index(memoryview(self._index_data))

    # --- edits

    def update(self, changes: Collection[Change]) -> set[bytes]:
        """Apply changed directories, each before and after, with facts or None.

        Returns the GUIDs of the entries that were added, removed or changed. If this raises, the object is unusable.
        """
        removed_rows, added_rows = self._differing_rows(changes)
        before = self._index()
        guids = _guids(before)
        affected = removed_rows.keys() | added_rows.keys()
        elsewhere = [guid for guid in affected - removed_rows.keys() - self._owners.duplicates.keys() if guid in guids]
        homes = self.search.homes(elsewhere)
        had_duplicates = bool(self._owners.duplicates)
        old_rows = {guid: row for guid in affected if (row := self._row_before(guid, removed_rows, homes)) is not None}
        new_rows: dict[bytes, Row] = {}
        for guid in affected:
            first = self._claim(guid, removed_rows, added_rows, homes)
            if first is not None:
                new_rows[guid] = first.row
                homes[guid] = first.home
        removed_folders, added_folders = _folders_of(changes)
        for old, new in changes:
            if new is not None:
                self.search.directories[new.path] = new
                self.search.take(new)
            elif old is not None:
                del self.search.directories[old.path]
        self._owners.forget_rows()
        folders_before, folders_after = self._move_folders(
            removed_folders - added_folders, added_folders - removed_folders
        )
        entries = Entries(self.database, guids, _offsets(before, len(self.database)))
        entries, different = self._entries(entries, old_rows, new_rows, homes)
        # Shared GUIDs after the edit.
        claimed = affected.union(folders_before, folders_after)
        both = [guid for guid in claimed if guid in self._owners.folders and guid in entries.guids]
        homes.update(
            self.search.homes([guid for guid in both if guid not in homes and guid not in self._owners.duplicates])
        )
        for guid in claimed:
            self._owners.check(guid, homes)

        added, removed = new_rows.keys() - old_rows.keys(), old_rows.keys() - new_rows.keys()
        links = {
            guid: row.links for guid, row in new_rows.items() if guid in added or row.links != old_rows[guid].links
        }
        turned = {*added, *removed, *(folders_before ^ folders_after)}
        holders = {guid: pair for guid, pair in self.search.holders(turned).items() if guid not in links}
        assert before.graph_parts is not None  # noqa: S101 - for the type checker: of a project's index
        edges = edges_in(before.graph_parts[0], before.count, *before.graph_parts[3:])
        new_edges = GraphUpdate(edges, guids).updated(
            entries.guids, added, removed, links, holders, self._owners.folders
        )
        has_unread = any(unread_files([each for each in pair if each is not None]) for pair in changes)
        supplement_bytes = before.supplement_bytes
        if had_duplicates or self._owners.duplicates or has_unread:
            supplement_bytes = self._owners.supplement(entries.guids, self.search.directories.values())
        folders = writer.FolderColumns(before.folder_count, [before.folder_columns()])
        if removed_folders != added_folders:
            folders = self._owners.folder_columns()
        same = entries.data is self.database
        self._index_data = b"".join(
            writer.assembled(
                before.digest if same else content_id(entries.data),
                len(entries.data),
                [*entries.guids.parts, memoryview(entries.offsets).cast("B")[:-8]],
                folders,
                new_edges,
                supplement_bytes,
            )
        )
        self.database = entries.data
        self._owners.forget_rows()
        return different

    def _differing_rows(self, changes: Iterable[Change]) -> tuple[_Rows, _Rows]:
        """Return removed and added rows by GUID."""
        removed: _Rows = {}
        added: _Rows = {}
        for change in changes:
            old, new = change
            if old is not None and new is not None:
                old, new = trimmed(old, new)
            rows = [rows_in(directory, self._sanitize) if directory is not None else [] for directory in (old, new)]
            former, current = map(dict, rows)
            alone = len(former) == len(rows[0]) and len(current) == len(rows[1])
            for found, other, directory, into in ((rows[0], current, old, removed), (rows[1], former, new, added)):
                for guid, row in found:
                    if directory is not None and not (alone and other.get(guid) == row):
                        into.setdefault(guid, []).append((row, directory.path))
        return removed, added

    # --- owners of GUIDs

    def _row_before(self, guid: bytes, removed_rows: _Rows, homes: Mapping[bytes, bytes]) -> Row | None:
        """Return a GUID's former row; ``removed_rows`` are of changed directories."""
        duplicates = self._owners.duplicates.get(guid)
        if duplicates is not None:
            return duplicates[0].row
        if guid in removed_rows:
            return removed_rows[guid][0][0]
        return self._owners.row_of(guid, homes[guid]) if guid in homes else None

    def _claim(
        self, guid: bytes, removed_rows: _Rows, added_rows: _Rows, homes: Mapping[bytes, bytes]
    ) -> PlacedRow | None:
        """Record the assets with a GUID; return the one with the entry."""
        owners = self._owners.duplicates.pop(guid, None)
        if owners is not None:
            left = {path_in(row.body, home) for row, home in removed_rows.get(guid, ())}
            owners = [owner for owner in owners if owner.path not in left]
        elif guid in homes:
            home = homes[guid]
            owners = [PlacedRow(self._owners.path_of(guid, home), home, self._owners.row_of(guid, home))]
        else:
            owners = []
        owners += [PlacedRow(path_in(row.body, home), home, row) for row, home in added_rows.get(guid, ())]
        owners.sort(key=PLACE)
        if len(owners) > 1:
            self._owners.duplicates[guid] = owners
        return owners[0] if owners else None

    def _move_folders(
        self, removed: Collection[tuple[bytes, bytes]], added: Collection[tuple[bytes, bytes]]
    ) -> tuple[set[bytes], set[bytes]]:
        """Replace folders; return their former and present GUIDs."""
        guids = {guid for guid, _ in (*removed, *added)}
        before = guids & self._owners.folders.keys()
        for guid, path in removed:
            self._owners.folders[guid].remove(path)
            if not self._owners.folders[guid]:
                del self._owners.folders[guid]
        for guid, path in added:
            insort(self._owners.folders.setdefault(guid, []), path)
        return before, guids & self._owners.folders.keys()

    # --- entries

    def _entries(
        self, entries: Entries, old_rows: Mapping[bytes, Row], new_rows: Mapping[bytes, Row], homes: dict[bytes, bytes]
    ) -> tuple[Entries, set[bytes]]:
        """Return entries after an edit, and GUIDs that changed."""
        changed = {
            guid
            for guid in old_rows.keys() | new_rows.keys()
            if _naming(old_rows.get(guid)) != _naming(new_rows.get(guid))
        }
        if not changed:
            return entries, set()
        for guid in changed:
            self._owners.rewritten.pop(guid, None)
            row = new_rows.get(guid)
            if row is not None and row.problems:
                self._owners.rewritten[guid] = list(row.problems)
        former = {guid: old_rows[guid] for guid in changed if guid in old_rows}
        current = {guid: new_rows[guid] for guid in changed if guid in new_rows}
        names = self._names(former, current, homes)
        entries = self._with_types(
            entries, [row.type for row in former.values()], [row.type for row in current.values()]
        )
        types = self._types
        assert types is not None  # noqa: S101 - for the type checker: they have just been made
        made = {}
        for guid, new_names in names.items():
            row = current.get(guid) or self._owners.row_of(guid, homes[guid])
            body = renamed(row.body, row.key, new_names, has_rows=bool(row.sub_keys)) if new_names else row.body
            new = entry(guid, types.code(row.type), body)
            if new != entries.entry(guid):
                made[guid] = new
        removed = former.keys() - current.keys()
        # A different type may be encoded like the one before.
        different = {
            *made,
            *removed,
            *(guid for guid in former.keys() & current.keys() if former[guid].type != current[guid].type),
        }
        head = types.header(len(entries.guids) + len(current.keys() - former.keys()) - len(removed))
        return entries.spliced(head, removed, made), different

    def _with_types(self, entries: Entries, former: Iterable[bytes], current: Iterable[bytes]) -> Entries:
        """Return entries rewritten after types came or went."""
        if self._types is None:
            scripts = schema.read_header(self.database).scripts
            self._types = Types([script.encode("ascii") for script in scripts])
        before = self._types.scripts
        new = set(filter(schema.is_script, current))
        known = set(before)
        lost = set(filter(schema.is_script, former)) - new
        lost -= self.search.scripts_in_use(lost)
        if new <= known and not lost:
            return entries
        self._types = Types((known | new) - lost)
        return self._types.written_in(entries, before)

    # --- names

    def _names(self, former: Mapping[bytes, Row], current: Mapping[bytes, Row], homes: dict[bytes, bytes]) -> _Names:
        """Return names that an edit may change.

        Args:
            former: entries before the edit that differ.
            current: entries after the edit that differ.
            homes: the directories of the present entries; the directories of other returned owners are added.
        """
        touched = set(chain.from_iterable(row.claims for row in (*former.values(), *current.values())))
        found = self.search.stems(touched)
        stems = found or set()
        buckets = self.search.claims(touched | stems)
        owners = set(current)
        may_collide = found is None
        less, more = _by_key(former), _by_key(current)
        for key in touched | stems:
            claimants = buckets.get(key, {})
            before = (claimants.keys() - more.get(key, set())) | less.get(key, set())
            if len(claimants) > 1 or len(before) > 1:
                owners.update(claimants)
                homes.update(claimants)
                may_collide = may_collide or key in stems
        if may_collide:
            return self._all_names(owners, homes)
        rows = {guid: current.get(guid) or self._owners.row_of(guid, homes[guid]) for guid in owners}
        buckets.update(
            self.search.claims(set(chain.from_iterable(row.claims for row in rows.values())) - touched - stems)
        )
        for bucket in buckets.values():
            homes.update(bucket)
        paths = Paths(homes, lambda guid: self._owners.path_of(guid, homes[guid]))
        runs: dict[bytes, dict[bytes, bytes]] = {}
        names: _Names = {guid: {} for guid in owners}
        for guid, row in rows.items():
            for key in row.claims:
                bucket = buckets[key]
                if len(bucket) > 1:
                    if key not in runs:
                        runs[key] = disambiguate(set(bucket), paths)[0]
                        if len(set(runs[key].values())) < len(bucket):  # a file with the name of a folder
                            return self._all_names(owners, homes)
                    names[guid][key] = key[key.index(b":") + 1 :] + b"^" + runs[key][guid]
        return names

    def _all_names(self, owners: set[bytes], homes: dict[bytes, bytes]) -> _Names:
        """Return names of owners and all renamed: chosen ones may collide."""
        pool, _ = self._pool(homes)
        return {guid: pool.names_of(guid) for guid in owners.union(pool.renamed)}

    def _pool(self, homes: dict[bytes, bytes]) -> tuple[NamePool, Paths]:
        """Decide all names; ``homes`` gets the directories of all."""
        keys, owners = [], []
        for key, guid, home in self.search.all_claims():
            keys.append(key)
            owners.append(guid)
            homes[guid] = home
        paths = Paths(homes, lambda guid: self._owners.path_of(guid, homes[guid]))
        return NamePool([(keys, owners)], lambda _: paths), paths


def _guids(found: Index) -> GuidColumns:
    high, low = found.halves
    return GuidColumns(high, low)


def _offsets(found: Index, end: int) -> array[int]:
    offsets = array("Q")
    offsets.frombytes(found.offsets.cast("B"))
    offsets.append(end)
    return offsets


def _naming(row: Row | None) -> tuple[object, ...] | None:
    """Return the parts of a row that names depend on."""
    return (row.key, row.body, row.sub_keys, row.problems) if row is not None else None


def _by_key(rows: Mapping[bytes, Row]) -> dict[bytes, set[bytes]]:
    found: dict[bytes, set[bytes]] = {}
    for guid, row in rows.items():
        for key in row.claims:
            found.setdefault(key, set()).add(guid)
    return found


def _folders_of(changes: Iterable[Change]) -> tuple[set[tuple[bytes, bytes]], set[tuple[bytes, bytes]]]:
    """Return GUID and path of the folders, before and after changes."""
    removed: set[tuple[bytes, bytes]] = set()
    added: set[tuple[bytes, bytes]] = set()
    for old, new in changes:
        removed.update(folders_of(old) if old is not None else ())
        added.update(folders_of(new) if new is not None else ())
    return removed, added
