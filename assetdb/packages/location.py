"""The location of an asset."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

EDITOR: Final = "Unity editor"
"""The package of DLLs that came with the editor itself."""


class Location(NamedTuple):
    """The location of the asset of a GUID.

    Attributes:
        path: see ``assetdb.resolve.resolver.Name.path``.
        file: path on this machine, ``""`` for a known package that is not on it.
        class_id: of the main object, or 0 if unknown.
        script: GUID of the script that is the type, or ``""``.
        folder: whether it is a folder.
        package: name of the package it is in, for packages outside the database; else ``""``.
        absent: whether only its meta exists.
        standing: of a file of an absent public package, as ``assetdb.packages.belonging`` has it; else ``""``.
        leftover: whether Unity leaves references to it behind when its package goes.
        by_prefix: whether only the first digits of the GUID are known to fit; without a path several assets have these.
    """

    path: str
    file: str
    class_id: int = 0
    script: str = ""
    folder: bool = False
    package: str = ""
    absent: bool = False
    standing: str = ""
    leftover: bool = False
    by_prefix: bool = False
