"""A project and its database, found and opened; baked first where there is none."""

from __future__ import annotations

import os

from assetdb.project import DEFAULT_FOLDER, find_project

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.database import Database
    from assetdb.naming import Resolver
    from assetdb.pocket import PocketDatabase
    from assetdb.store.graph import Graph

_CONFIGURATION: Final = "assetdb.toml"
_DATABASE: Final = "asset-db.bin"
"""As in ``assetdb.configuration`` and ``assetdb.store.database``, without importing them."""


class Opened:
    """A project that can be asked: its root, what names references, and its database, opened when it is needed.

    Attributes:
        root: absolute.
        assets: what finds assets, folders and who refers to whom by GUID: a part of the database that opens in 0.2 ms,
            or the whole one where there is any doubt about the files.
    """

    def __init__(
        self, root: str, path: str, database: Database | None = None, resolver: Resolver | None = None
    ) -> None:
        """Open the database at ``path`` of the project at ``root``, unless it is given with what names its assets.

        Raises:
            DatabaseError: the database is damaged, or of another version.
        """
        self.root = root
        self._path = path
        self._database = database
        self._resolver = resolver
        self.assets: Database | PocketDatabase = self._assets() if database is None else database

    @property
    def database(self) -> Database:
        """The whole database."""
        if self._database is None:
            from assetdb.database import open_database  # noqa: PLC0415 - naming a GUID does without

            self._database = open_database(self._path)
        return self._database

    @property
    def graph(self) -> Graph:
        """Who refers to whom.

        Raises:
            DatabaseError: the database was written without.
        """
        from assetdb.pocket import DoubtError  # noqa: PLC0415 - imported already

        try:
            return self.assets.graph
        except DoubtError:
            return self.database.graph

    @property
    def resolver(self) -> Resolver:
        """What names references."""
        if self._resolver is None:
            from assetdb.naming import Resolver  # noqa: PLC0415 - the graph does without, where it stays in the project

            self._resolver = Resolver(self.root, self.assets)
        return self._resolver

    def close(self) -> None:
        """Give the files back."""
        if self._database is not None:
            self._database.close()
        self.assets.close()

    def _assets(self) -> Database | PocketDatabase:
        from assetdb.pocket import DoubtError, PocketDatabase  # noqa: PLC0415 - only this needs it

        try:
            return PocketDatabase(self._path)
        except DoubtError:
            return self.database


def open_project(
    project: str | None = None,
    out_dir: str | None = None,
    on_bake: Callable[[str], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
) -> Opened:
    """Open the database of a project, baking it first where there is none.

    Args:
        project: the project's root; by default the working directory or the nearest parent that is one.
        out_dir: where the database is, by default what ``assetdb.toml`` says, else ``Library/assetdb``.
        on_bake: is told the path of the database that is about to be made.
        on_wait: is told who is making one, where that has been waited for for a second.

    Raises:
        ProjectError: there is no project, or the output folder cannot be made.
        DatabaseError: the database is damaged, or of another version.
        OSError: it cannot be read, or not be written.
    """
    root = find_project(project)
    if out_dir is None and os.path.isfile(os.path.join(root, _CONFIGURATION)):
        from assetdb.configuration import read_configuration  # noqa: PLC0415 - few projects have the file

        out_dir = os.path.join(root, read_configuration(root).out_dir or DEFAULT_FOLDER)
    folder = os.path.abspath(out_dir) if out_dir else os.path.join(root, DEFAULT_FOLDER)
    path = os.path.join(folder, _DATABASE)
    if not os.path.isfile(path):
        from assetdb.baking import bake  # noqa: PLC0415 - the first command of a project only

        if on_bake is not None:
            on_bake(path)
        bake(root, out_dir, keep_going=True, on_wait=on_wait)  # names can be told where two assets share a GUID
    return Opened(root, path)
