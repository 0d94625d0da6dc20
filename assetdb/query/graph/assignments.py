"""AssetBundles and labels that metas assign to assets.

A daemon has them from its scan. Others read them from the cache if it belongs to the current files, else from the
metas: a daemon started on an unbaked project writes its database long before its cache.
"""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

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


class Assigned(NamedTuple):
    """The AssetBundle (``""`` for none) and the labels of an asset."""

    bundle: str
    labels: tuple[str, ...]


NOTHING: Final = Assigned("", ())


def of_directories(directories: Iterable[DirectoryFacts]) -> dict[str, Assigned]:
    """Return AssetBundles and labels by path, from complete directories."""
    found: dict[str, Assigned] = {}
    for directory in directories:
        if directory.details:
            names = directory.files.split(SLASH)[::2]
            for name, detail in zip(names, directory.details.split(SEPARATOR), strict=False):
                if detail:
                    bundle, _, *labels = _text(detail).split("\x1f")
                    found[_text(directory.path + SLASH + name)] = Assigned(bundle, tuple(labels))
    return found


def of_files(root: str, database: Database) -> dict[str, Assigned]:
    """Return assignments as of the last bake, or of current metas.

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


def of_metas(root: str, paths: Iterable[str]) -> dict[str, Assigned]:
    """Return assignments of assets and folders by path, read from metas.

    Raises:
        ScanError: whether a meta can be read cannot be determined now.
    """
    found = {path: of_meta(asset_file(root, f"{path}.meta")) for path in paths}
    return {path: assigned for path, assigned in found.items() if assigned != NOTHING}


def of_meta(file: str) -> Assigned:
    """Return AssetBundle and labels of a meta on this machine.

    Raises:
        ScanError: whether it can be read cannot be determined now.
    """
    data = read_file(file)
    if not data or not (b"assetBundleName" in data or b"labels" in data):
        return NOTHING
    facts = read_meta(data)[1]
    return Assigned(facts.asset_bundle_name, facts.labels)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
