"""Choice of the package that ends with a given name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.unreal.errors import PackageNotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence


def match_name(name: str, names: Sequence[str]) -> int:
    """Return the index of the one package name that ends so.

    ``name`` may also be the end of an object path or of a file (``Maps/Town.umap``): no package has a dot in its name.

    Raises:
        PackageNotFoundError: there is none, or several.
    """
    folder, slash, leaf = name.replace("\\", "/").lower().rpartition("/")
    end = f"/{folder}{slash}{leaf.partition('.')[0]}"
    ending = [place for place, known in enumerate(names) if known.lower().endswith(end)]
    if len(ending) != 1:
        raise PackageNotFoundError.of(name, [names[place] for place in ending], names)
    return ending[0]
