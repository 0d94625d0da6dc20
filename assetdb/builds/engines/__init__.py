"""Builds of engines other than Unity, in one shape.

>>> from assetdb.builds.engines import read_unreal
>>> inventory = read_unreal(["Game/Content/Paks"])
>>> for found in inventory.items:
...     print(inventory.files[found.file].name, found.name)
game.utoc /Game/Maps/Arena
game.utoc /Game/Meshes/Rock

* :mod:`~assetdb.builds.engines.detection`: whose build lies at some paths.
* :mod:`~assetdb.builds.engines.inventory`: files, objects or packages, bytes, missing and duplicate ones.
* :mod:`~assetdb.builds.engines.unreal`, :mod:`~assetdb.builds.engines.casset`: reading one of Unreal Engine's
  containers and packages, or of CrystalEngine's bundles.
* :mod:`~assetdb.builds.engines.rows`: an inventory as tables of bytes; :mod:`~assetdb.builds.engines.verification`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from assetdb.builds.engines.casset import read_casset as read_casset
    from assetdb.builds.engines.detection import engine_of as engine_of
    from assetdb.builds.engines.inventory import Inventory as Inventory
    from assetdb.builds.engines.inventory import Item as Item
    from assetdb.builds.engines.unreal import read_unreal as read_unreal
    from assetdb.builds.engines.verification import verify_inventory as verify_inventory
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        globals(),
        {
            "casset": ("read_casset",),
            "detection": ("engine_of",),
            "inventory": ("Inventory", "Item"),
            "unreal": ("read_unreal",),
            "verification": ("verify_inventory",),
        },
    )
