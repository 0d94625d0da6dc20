"""Builds: what was built from a project, as one thing; a layer above :mod:`formats`.

>>> from assetdb.builds import open_build
>>> build = open_build("Game_Data")                     # doctest: +SKIP
>>> for found in build.objects():                        # doctest: +SKIP
...     print(build.files[found.file].name, found.path_id, found.class_name, found.name)
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.builds.build import Build, BuildFile, BuildObject, Reference
    from assetdb.builds.opening import open_build

__all__ = ["Build", "BuildFile", "BuildObject", "Reference", "open_build"]

_HOMES = {"build": ("Build", "BuildFile", "BuildObject", "Reference"), "opening": ("open_build",)}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - the package itself stays empty

    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"{__name__}.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
