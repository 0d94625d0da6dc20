"""A project and its database, found and opened; baked first where there is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.configuration import FILE_NAME as CONFIGURATION
from assetdb.database import Database, open_database
from assetdb.naming import Resolver
from assetdb.project import find_project
from assetdb.store.database import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_FOLDER: Final = os.path.join("Library", "assetdb")
"""``assetdb.baking.OUT_DIR``, without importing all that bakes."""


class Opened(NamedTuple):
    """A project that can be asked: its root, its database, and what names references."""

    root: str
    database: Database
    resolver: Resolver


def open_project(
    project: str | None = None, out_dir: str | None = None, on_bake: Callable[[str], None] | None = None
) -> Opened:
    """Open the database of a project, baking it first where there is none.

    Args:
        project: the project's root; by default the working directory or the nearest parent that is one.
        out_dir: where the database is, by default what ``assetdb.toml`` says, else ``Library/assetdb``.
        on_bake: is told the path of the database that is about to be made.

    Raises:
        ProjectError: there is no project, or the output folder cannot be made.
        DatabaseError: the database is damaged, or of another version.
        OSError: it cannot be read, or not be written.
    """
    root = find_project(project)
    if out_dir is None and os.path.isfile(os.path.join(root, CONFIGURATION)):
        from assetdb.configuration import read_configuration  # noqa: PLC0415 - few projects have the file

        out_dir = os.path.join(root, read_configuration(root).out_dir or DEFAULT_FOLDER)
    folder = os.path.abspath(out_dir) if out_dir else os.path.join(root, DEFAULT_FOLDER)
    path = os.path.join(folder, FILE_NAME)
    if not os.path.isfile(path):
        from assetdb.baking import bake  # noqa: PLC0415 - the first command of a project only

        if on_bake is not None:
            on_bake(path)
        bake(root, out_dir, keep_going=True)  # names can be told where two assets share a GUID
    database = open_database(path)
    return Opened(root, database, Resolver(root, database))
