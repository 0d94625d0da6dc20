"""Builds of other engines than Unity, in one shape: what is in them, and what it takes.

* :mod:`~assetdb.builds.engines.detection`: whose build lies at some paths.
* :mod:`~assetdb.builds.engines.inventory`: files, objects or packages, bytes, what is missing, what is there twice.
* :mod:`~assetdb.builds.engines.unreal`, :mod:`~assetdb.builds.engines.casset`: reading one of Unreal Engine's
  containers and packages, or of CrystalEngine's bundles.
* :mod:`~assetdb.builds.engines.rows`: an inventory as tables of bytes; :mod:`~assetdb.builds.engines.verification`.

>>> from assetdb.builds.engines.unreal import read_unreal
>>> inventory = read_unreal(["Game/Content/Paks"])                # doctest: +SKIP
>>> for found in inventory.items:                                 # doctest: +SKIP
...     print(inventory.files[found.file].name, found.class_name, found.name, found.disk)
"""
