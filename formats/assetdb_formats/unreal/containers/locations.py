"""The kind of a path: package, container, registry or folder."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from assetdb_formats.files import open_file
from assetdb_formats.unreal.scanning.mounts import EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CONTAINER_EXTENSIONS: Final = (".utoc", ".pak")
_TABLE: Final = ".utoc"
_DATA: Final = ".ucas"  # the data of the .utoc of the same name: an argument may be either
_PARTITION: Final = re.compile(r"_s\d{1,4}\Z", re.IGNORECASE)  # of the second and later files of its data
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
GLOBAL: Final = "global.utoc"  # the container with the script objects, beside the others


def is_container(path: str) -> bool:
    """Whether ``path`` is a .utoc, .pak, or a folder of them alone.

    A folder that also has packages is read as packages: projects keep builds beside their content.
    """
    if not os.path.isdir(path):
        return path.lower().endswith((*CONTAINER_EXTENSIONS, _DATA))
    found = False
    for _, _, names in os.walk(path):
        for name in names:
            if name.lower().endswith(EXTENSIONS):
                return False
            found = found or name.lower().endswith(CONTAINER_EXTENSIONS)
    return found


def table_of(path: str, is_there: Callable[[str], bool] = os.path.isfile) -> str | None:
    """Return the .utoc of a .ucas; None for any other file.

    ``X_s1.ucas`` belongs to ``X.utoc``, unless ``X_s1.utoc`` is there.
    """
    stem, suffix = os.path.splitext(path)
    if suffix.lower() != _DATA:
        return None
    own = f"{stem}{_TABLE}"
    return own if is_there(own) else f"{_PARTITION.sub('', stem)}{_TABLE}"


def containers_in(*paths: str) -> list[str]:
    """Return .utoc and .pak files at or below ``paths``, in mount order."""
    from assetdb_formats.unreal.iostore.package_graph import mount_order  # noqa: PLC0415 - only where there are containers

    named: list[str] = []
    inside: list[str] = []
    for path in paths:
        table = table_of(path)
        if table is not None:
            named.append(table)
        elif path.lower().endswith(CONTAINER_EXTENSIONS) and not os.path.isdir(path):
            named.append(path)
        else:
            inside += _below(path)
    found: dict[str, str] = {}  # one that is named and lies in a named folder is one, as the folder has it
    for place in (*inside, *named):
        found.setdefault(os.path.abspath(place), place)
    return mount_order(found.values())


def _below(folder: str) -> Iterable[str]:
    for place, _, names in os.walk(folder):
        for name in names:
            if name.lower().endswith(CONTAINER_EXTENSIONS):
                yield os.path.join(place, name)


def global_container(path: str) -> str:
    """Return the container of a build's script objects, or "".

    It lies beside the .utoc, or one folder up: mods and plug-ins have folders below ``Paks``.
    """
    if os.path.basename(path).lower() == GLOBAL:
        return ""
    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path))
    for place in (folder, os.path.dirname(folder)):
        found = os.path.join(place, GLOBAL)
        if os.path.isfile(found):
            return found
    return ""


def is_registry(path: str) -> bool:
    """Whether a file starts as an asset registry does."""
    from assetdb_formats.unreal.asset_registry import MAGIC  # noqa: PLC0415 - most commands never ask

    with open_file(path) as file:
        return file.read(len(MAGIC)) == MAGIC


def is_zen_package(path: str) -> bool:
    """Whether a file is a zen package; False if unreadable."""
    from assetdb_formats.unreal.zen.package import FIRST_READ, header_size  # noqa: PLC0415 - the same

    try:
        with open_file(path) as file:
            return header_size(file.read(FIRST_READ)) > 0
    except OSError:
        return False


def is_archive(path: str) -> bool:
    """Whether a path is a zip archive; False if unreadable."""
    try:
        if not os.path.isfile(path):
            return False
        with open_file(path) as file:
            return file.read(4) in _ZIP
    except OSError:
        return False
