"""Bundle files of a catalog, beside it or in a folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.queries.verify import BundleFile
from assetdb_formats.files import open_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from assetdb_formats.addressables.opening import OpenCatalog

RUNTIME_PATH: Final = "{UnityEngine.AddressableAssets.Addressables.RuntimePath}"


def bundle_finder(opened: OpenCatalog, folder: str | None = None) -> Callable[[str], BundleFile | None]:
    """Return what finds a bundle by its internal id: beside the catalog, or by its name in ``folder``.

    The result is None for a bundle that should be there and is not; it raises KeyError for one that is on a server
    or under an unknown token, where no folder is given and it does not lie beside the catalog either.
    """

    def find(internal_id: str) -> BundleFile | None:
        path = internal_id.replace("\\", "/")
        if path.startswith(RUNTIME_PATH):
            file = opened.beside(path.removeprefix(RUNTIME_PATH).lstrip("/"))
            if file is not None:
                return BundleFile(file.size, lambda: _content_crc(file.open()))
            if folder is None:
                return None
        parts = [part for part in path.partition("?")[0].split("/") if part not in ("", ".", "..")]
        if folder is None:
            near = opened.beside(parts[-1]) if parts else None
            if near is None:
                raise KeyError(internal_id)
            return BundleFile(near.size, lambda: _content_crc(near.open()))
        for start in range(len(parts)):  # names of bundles may hold folders: the longest tail that is there
            place = os.path.join(folder, *parts[start:])
            if os.path.isfile(place):
                return BundleFile(os.path.getsize(place), lambda: _content_crc(open_file(place)))  # noqa: B023 - returned at once
        return None

    return find


def _content_crc(stream: BinaryIO) -> int:
    from assetdb_formats.unityfs.bundle import content_crc32  # noqa: PLC0415 - only where bundles lie beside the catalog

    with stream:
        return content_crc32(stream)
