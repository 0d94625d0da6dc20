"""Owners of GUIDs: folders, and assets that share one; pure."""

from __future__ import annotations

from itertools import chain

from assetdb.diagnostics import Diagnostic, others
from assetdb.scan.directory import unread_files
from assetdb.state.columns import duplicate_guid, path_in
from assetdb.state.edge_columns import known_targets
from assetdb.state.rows import rows_in
from assetdb.store.indexes import supplement, writer

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.state.columns import Sanitize
    from assetdb.state.guid_columns import GuidColumns
    from assetdb.state.names import NamePool, Paths
    from assetdb.state.rows import PlacedRow, Row


class GuidOwners:
    """The owners of GUIDs in a project.

    Attributes:
        duplicates: of each shared GUID all assets, the one with the entry first.
        folders: the paths of the folders that have a GUID, in order.
        rewritten: warnings about rewritten names, by the GUID of the entry.
    """

    def __init__(
        self,
        directories: Mapping[bytes, DirectoryFacts],
        folders: Iterable[tuple[bytes, bytes]],
        sanitize: Sanitize | None,
    ) -> None:
        """Take directories with facts, read at each call, and folders' GUIDs."""
        self.duplicates: dict[bytes, list[PlacedRow]] = {}
        self.folders: dict[bytes, list[bytes]] = {}
        self.rewritten: dict[bytes, list[Diagnostic]] = {}
        self._shared: dict[bytes, list[Diagnostic]] = {}
        self._directories = directories
        self._sanitize = sanitize
        self._rows: dict[bytes, dict[bytes, Row]] = {}  # by directory, until released
        for guid, path in sorted(folders):
            self.folders.setdefault(guid, []).append(path)

    @property
    def problems(self) -> list[Diagnostic]:
        """Return sorted project-wide diagnostics: duplicate GUIDs and rewritten names."""
        return sorted(chain.from_iterable(chain(self._shared.values(), self.rewritten.values())))

    def folder_columns(self) -> writer.FolderColumns:
        """Return the index's columns of folders."""
        return writer.folder_columns((guid, path) for guid, paths in self.folders.items() for path in paths)

    def check(self, guid: bytes, homes: Mapping[bytes, bytes]) -> None:
        """Record whether several claim a GUID; ``homes`` has such assets' directories."""
        folders = self.folders.get(guid, ())
        paths = [duplicate.path for duplicate in self.duplicates.get(guid, ())]
        if folders and not paths and guid in homes:
            paths = [self.path_of(guid, homes[guid])]
        if len(folders) + len(paths) < 2:
            self._shared.pop(guid, None)
            return
        self._shared[guid] = duplicate_guid(guid, sorted([*folders, *paths]))

    def row_of(self, guid: bytes, home: bytes) -> Row:
        """Return the row of a GUID's entry in a directory, the first."""
        rows = self._rows.get(home)
        if rows is None:
            rows = self._rows[home] = {}
            for other, row in rows_in(self._directories[home], self._sanitize):
                known = rows.get(other)
                if known is None or path_in(row.body, home) < path_in(known.body, home):
                    rows[other] = row
        return rows[guid]

    def path_of(self, guid: bytes, home: bytes) -> bytes:
        """Return the path of a GUID's entry in a directory."""
        return path_in(self.row_of(guid, home).body, home)

    def forget_rows(self) -> None:
        """Release the cached rows, before directories change."""
        self._rows.clear()

    def shared_names(self, pool: NamePool, paths: Paths, homes: Mapping[bytes, bytes]) -> list[list[Diagnostic]]:
        """Return diagnostics of names that directories cannot separate."""
        found = []
        for key, guids in pool.inseparable(paths):
            name = key.partition(b":")[2].decode()
            owners = sorted(self.path_of(guid, homes[guid]).decode() for guid in guids)
            messages = ((path, f"shares the name {name!r} with {others(owners, path)}") for path in owners)
            found.append([Diagnostic("shared-name", path, 0, message) for path, message in messages])
        return found

    def supplement(self, guids: GuidColumns, diagnosed: Iterable[DirectoryFacts]) -> bytes:
        """Return the index's supplement, from entries and diagnosed directories."""
        duplicates = [
            (guid, row.type, row.body, known_targets(row.links, guids, self.folders))
            for guid, duplicates in self.duplicates.items()
            for _, _, row in duplicates[1:]
        ]
        return supplement.encode(duplicates, unread_files(diagnosed))
