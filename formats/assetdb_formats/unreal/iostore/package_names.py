"""Package names from file names, proved by their hash.

A package id is the hash of the package's name, so a name guessed from the directory index is either right or
known to be wrong: ``../../../Project/Content/Maps/Arena.umap`` is tried as ``/Game/Maps/Arena``, a file below
``Plugins/Water/Content`` as ``/Water/...``. No chunk has to be read or decompressed for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.codecs.city_hash import package_id

if TYPE_CHECKING:
    from collections.abc import Iterator


def guess_package_names(path: str) -> Iterator[str]:
    """Yield possible package names of a mounted file, likeliest first."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    if not parts:
        return
    parts[-1] = parts[-1].partition(".")[0]
    for position in range(len(parts) - 1):
        if parts[position] != "Content":
            continue
        below = "/".join(parts[position + 1 :])
        if position == 1:
            yield f"/{'Engine' if parts[0] == 'Engine' else 'Game'}/{below}"
        for folder in reversed(parts[:position]):  # Plugins/Interchange/Runtime/Content is /Interchange
            yield f"/{folder}/{below}"


def package_name(path: str, wanted: int) -> str | None:
    """Return the guessed package name with the ``wanted`` id, or None."""
    return next((name for name in guess_package_names(path) if package_id(name) == wanted), None)
