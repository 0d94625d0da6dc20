"""Names of the GUIDs and fileIDs of a Unity project, without Unity.

>>> import assetdb
>>> result = assetdb.bake("fixtures/unity_project", keep_going=True)
>>> with assetdb.open_database(result.database) as database:
...     database.by_guid("864eb4c93ac1f6e40d118fd26989f203").path
'Assets/Prefabs/Base.prefab'

Importing this package costs next to nothing: each name below is loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.baking import BakeResult as BakeResult
    from assetdb.baking import bake as bake
    from assetdb.client.api import Client as Client
    from assetdb.diagnostics import Diagnostic as Diagnostic
    from assetdb.errors import AssetdbError as AssetdbError
    from assetdb.errors import BakeError as BakeError
    from assetdb.errors import ConfigurationError as ConfigurationError
    from assetdb.errors import DaemonError as DaemonError
    from assetdb.errors import DatabaseError as DatabaseError
    from assetdb.errors import FileError as FileError
    from assetdb.errors import LockedError as LockedError
    from assetdb.errors import NotRunningError as NotRunningError
    from assetdb.errors import ProjectError as ProjectError
    from assetdb.errors import RequestError as RequestError
    from assetdb.errors import UsageError as UsageError
    from assetdb.query.project import Project as Project
    from assetdb.query.project import open_project as open_project
    from assetdb.settings.project import find_project as find_project
    from assetdb.store.database import Database as Database
    from assetdb.store.database import open_database as open_database
    from assetdb.store.entry import Asset as Asset
    from assetdb.store.entry import SubAsset as SubAsset
else:
    _HOMES = {
        "assetdb.baking": ("BakeResult", "bake"),
        "assetdb.client.api": ("Client",),
        "assetdb.diagnostics": ("Diagnostic",),
        "assetdb.errors": (
            "AssetdbError",
            "BakeError",
            "ConfigurationError",
            "DaemonError",
            "DatabaseError",
            "FileError",
            "LockedError",
            "NotRunningError",
            "ProjectError",
            "RequestError",
            "UsageError",
        ),
        "assetdb.query.project": ("Project", "open_project"),
        "assetdb.settings.project": ("find_project",),
        "assetdb.store.database": ("Database", "open_database"),
        "assetdb.store.entry": ("Asset", "SubAsset"),
    }
    __all__ = [name for names in _HOMES.values() for name in names]

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
