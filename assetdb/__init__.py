"""Names of the GUIDs and fileIDs of a Unity project, without Unity.

>>> import assetdb
>>> result = assetdb.bake("MyProject")              # doctest: +SKIP
>>> database = assetdb.open_database(result.database)  # doctest: +SKIP
>>> database.by_guid("8f57b4a070f7b43bbb3925467e6752ab").name  # doctest: +SKIP
'TX_FlagBig_Main'

Importing this package costs next to nothing: each name below is loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.baking import BakeResult, bake
    from assetdb.client.api import Client
    from assetdb.diagnostics import Diagnostic
    from assetdb.errors import (
        AssetdbError,
        BakeError,
        ConfigurationError,
        DaemonError,
        DatabaseError,
        FileError,
        LockedError,
        NotRunningError,
        ProjectError,
        RequestError,
        UsageError,
    )
    from assetdb.query.project import Project, open_project
    from assetdb.settings.project import find_project
    from assetdb.store.database import Database, open_database
    from assetdb.store.entry import Asset, SubAsset

__all__ = [
    "Asset",
    "AssetdbError",
    "BakeError",
    "BakeResult",
    "Client",
    "ConfigurationError",
    "DaemonError",
    "Database",
    "DatabaseError",
    "Diagnostic",
    "FileError",
    "LockedError",
    "NotRunningError",
    "Project",
    "ProjectError",
    "RequestError",
    "SubAsset",
    "UsageError",
    "bake",
    "find_project",
    "open_database",
    "open_project",
]

_HOMES = {
    "assetdb.baking": ("BakeResult", "bake"),
    "assetdb.settings.project": ("find_project",),
    "assetdb.query.project": ("Project", "open_project"),
    "assetdb.store.database": ("Database", "open_database"),
    "assetdb.diagnostics": ("Diagnostic",),
    "assetdb.errors": (
        *("AssetdbError", "BakeError", "ConfigurationError", "DaemonError", "DatabaseError", "FileError"),
        *("LockedError", "NotRunningError", "ProjectError", "RequestError", "UsageError"),
    ),
    "assetdb.store.entry": ("Asset", "SubAsset"),
    "assetdb.client.api": ("Client",),
}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - the package itself stays empty

    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
