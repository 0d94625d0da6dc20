"""Assets that metas assign to AssetBundles.

A daemon has them from its scan. Others read them from the cache if it belongs to the current files, else from the
metas: a daemon started on an unbaked project writes its database long before its cache.
"""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING

from assetdb.scan.directory import SEPARATOR, SLASH
from assetdb.scan.known.cache import DamagedCacheError
from assetdb.settings.effective import read_settings
from assetdb.settings.project import asset_file
from assetdb.store.output import Output
from assetdb.system.reading import read_file
from assetdb.unity.metas.meta import read_meta

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.store.database import Database


def of_directories(directories: Iterable[DirectoryFacts]) -> dict[str, str]:
    """Return the AssetBundles of assets by path, from complete directories."""
    found: dict[str, str] = {}
    for directory in directories:
        if directory.details:
            names = directory.files.split(SLASH)[::2]
            for name, detail in zip(names, directory.details.split(SEPARATOR), strict=False):
                bundle = detail.split(b"\x1f")[0]
                if bundle:
                    found[_text(directory.path + SLASH + name)] = _text(bundle)
    return found


def of_files(root: str, database: Database) -> dict[str, str]:
    """Return AssetBundles as of the last bake, or of current metas.

    Raises:
        ConfigurationError: ``assetdb.toml`` is wrong.
        ScanError: whether a meta can be read cannot be determined now.
    """
    folder = os.path.dirname(database.path)
    output = Output(folder, read_settings(root, folder).check_stat)
    known = output.read_cache()
    if known.directories and known.files == output.identities():
        try:
            return of_directories(map(known.complete, known.directories.values()))
        except DamagedCacheError:
            pass  # the metas have them, too
    return of_metas(
        root, chain((asset.path for asset in database), (duplicate.asset.path for duplicate in database.duplicates))
    )


def of_metas(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the AssetBundle of each asset or folder, read from metas.

    Raises:
        ScanError: whether a meta can be read cannot be determined now.
    """
    found: dict[str, str] = {}
    for path in paths:
        data = read_file(asset_file(root, path + ".meta"))
        bundle = read_meta(data)[1].asset_bundle_name if data and b"assetBundleName" in data else ""
        if bundle:
            found[path] = bundle
    return found


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
