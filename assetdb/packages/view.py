"""A view of outside packages: assets, references and places."""

from __future__ import annotations

import os

from assetdb.errors import DatabaseError
from assetdb.packages.listing import read_list
from assetdb.packages.location import Location
from assetdb.store.database import open_baked, open_database
from assetdb.store.files import DATABASE_NAME, PACKAGES_FOLDER

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.packages.listing import PackageList, PackageRow
    from assetdb.store.database import Database
    from assetdb.store.entry import Asset
    from assetdb.store.indexes.graph import Graph
    from assetdb.store.indexes.supplement import Unread


class PackageView:
    """The packages of one project, as of the last bake."""

    def __init__(self, folder: str) -> None:
        """Open the packages' files in an output folder, if there are any.

        Raises:
            DatabaseError: the packages' database is damaged.
        """
        self.list: PackageList = read_list(folder)
        self._rows: dict[str, PackageRow] = {row.name: row for row in self.list.rows}
        self._path = os.path.join(folder, PACKAGES_FOLDER, DATABASE_NAME)
        self.database: Database | None = None
        """All of the packages' assets; None if there are none."""
        if any(row.folder for row in self.list.rows) and os.path.isfile(self._path):
            self.database = _open(self._path)

    @property
    def graph(self) -> Graph | None:
        """The references of assets in packages, there and to the project."""
        return self.database.graph if self.database is not None else None

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The files of packages that could not be read."""
        return self.database.supplement.unread if self.database is not None else ()

    def by_guid(self, guid: str) -> Asset | None:
        """Return the asset of a package that has a GUID, or None."""
        return self.database.by_guid(guid) if self.database is not None else None

    def containing(self, text: bytes) -> Iterator[Asset]:
        """Iterate over assets that may have a text in path or names."""
        return self.database.containing(text) if self.database is not None else iter(())

    def candidates(self, text: str) -> Iterator[Asset]:
        """Iterate over assets that may contain a folded text, in any case."""
        return self.database.candidates(text) if self.database is not None else iter(())

    def ending(self, text: str) -> Iterator[Asset]:
        """Iterate over assets with paths that end with an extension."""
        return self.database.ending(text) if self.database is not None else iter(())

    def row_of(self, path: str) -> PackageRow | None:
        """Return the package of a ``Packages/<name>/...`` path, None for the project."""
        parts = path.split("/", 2)
        return self._rows.get(parts[1]) if parts[0] == "Packages" and len(parts) > 1 else None

    def file_of(self, path: str) -> str:
        """Return a file's location on this machine, ``""`` in no package."""
        row = self.row_of(path)
        below = [rest.replace("/", os.sep) for rest in path.split("/", 2)[2:]]
        return (
            os.path.join(row.folder, *below) if row is not None and row.folder and ".." not in path.split("/") else ""
        )

    def locate(self, guid: str) -> Location | None:
        """Return the location of an asset or folder, or None."""
        asset = self.by_guid(guid)
        if asset is not None:
            row = self.row_of(asset.path)
            package = row.name if row is not None else ""
            return Location(asset.path, self.file_of(asset.path), asset.class_id, asset.script, package=package)
        path = self.database.folder(guid) if self.database is not None else None
        if path is None:
            return None
        row = self.row_of(path)
        return Location(path, self.file_of(path), folder=True, package=row.name if row is not None else "")

    def close(self) -> None:
        """Release the files."""
        if self.database is not None:
            self.database.close()


def _open(path: str) -> Database:
    try:
        return open_baked(path)[0]
    except DatabaseError:  # its index is rebuilt
        return open_database(path)
