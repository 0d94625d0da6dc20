"""Detection of builds by Unreal Engine and CrystalEngine.

The name of a file and its first or last bytes decide.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.errors import UsageError
from assetdb_formats.files import open_file
from assetdb_formats.inputs import Archive, Folder, InputError, is_archive

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

UNITY: Final = "Unity"
UNREAL: Final = "Unreal Engine"
CRYSTAL: Final = "CrystalEngine"

_CASSET: Final = ".casset"
_UNREAL: Final = (".utoc", ".ucas", ".uasset")
_MAP: Final = ".umap"  # other programs have files of this name, too
_NESTED: Final = (".obb", ".obb.png")  # in an APK; the archive of its containers
_PAK: Final = ".pak"
# Chromium, which games bring for their web views, has .pak files of another format.
_FOLDER_OF_PAKS: Final = "/paks/"
_PAK_TAIL: Final = 512
_TAG: Final = (0x9E2A83C1).to_bytes(4, "little")


def other_engines(paths: Sequence[str]) -> tuple[str, ...]:
    """Return other engines with files at some paths, skipping unreadable ones."""
    found: dict[str, None] = {}
    for path in paths:
        try:
            if os.path.isdir(path):
                _look(Folder(path).names(), path, found)
            elif is_archive(path):
                _look_into(path, found)
            else:
                _look([os.path.basename(path)], os.path.dirname(path), found)
        except (OSError, InputError):  # reported on opening
            continue
    return tuple(found)


def _look(names: Iterable[str], folder: str, found: dict[str, None]) -> None:
    for name in names:
        lower = name.lower()
        if lower.endswith(_CASSET):
            found[CRYSTAL] = None
        elif lower.endswith(_UNREAL) or _is_unreal(lower, os.path.join(folder, *name.split("/"))):
            found[UNREAL] = None
        if len(found) > 1:
            return


def _is_unreal(name: str, path: str) -> bool:
    """Whether a file with a common name is one of Unreal Engine."""
    return (name.endswith(_PAK) and is_pak(path)) or (name.endswith(_MAP) and _is_package(path))


def _is_package(path: str) -> bool:
    from assetdb_formats.unreal.containers.locations import is_zen_package  # noqa: PLC0415 - few folders have a file of this name

    try:
        if not os.path.isfile(path):
            return False
        with open_file(path) as file:
            return file.read(len(_TAG)) in (_TAG, _TAG[::-1]) or is_zen_package(path)
    except OSError:
        return False


def _look_into(path: str, found: dict[str, None]) -> None:
    """Look into a zip archive, by its names alone."""
    for name in Archive(path).names():
        lower = f"/{name.lower()}"
        if lower.endswith(_CASSET):
            found[CRYSTAL] = None
            return
        if lower.endswith((*_UNREAL, *_NESTED)) or (lower.endswith(_PAK) and _FOLDER_OF_PAKS in lower):
            found[UNREAL] = None
            return


def is_pak(path: str) -> bool:
    """Whether a readable file ends as a .pak of Unreal Engine."""
    from assetdb_formats.unreal.containers.pak import MAGIC  # noqa: PLC0415 - few folders have a file of this name

    try:
        if not os.path.isfile(path):
            return False
        with open_file(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _PAK_TAIL))
            return MAGIC.to_bytes(4, "little") in file.read(_PAK_TAIL)
    except OSError:
        return False


def engine_of(paths: Sequence[str]) -> str:
    """Return the engine of the build at some paths, by default Unity.

    Raises:
        UsageError: files of two engines lie there, or one package, which is not a build.
        FormatError: an archive that was named is damaged.
        OSError: a path cannot be read.
    """
    others = other_engines(paths)
    if not others:
        return UNITY
    engines = [*([UNITY] if _has_unity(paths) else []), *others]
    shown = ", ".join(paths)
    if len(engines) > 1:
        raise UsageError(f"{shown}: holds files of {' and '.join(engines)}; name the folders or files of one of them")
    from assetdb_formats.unreal.scanning.mounts import EXTENSIONS  # noqa: PLC0415 - of builds of another engine alone

    for path in paths:
        if path.lower().endswith(EXTENSIONS) and not os.path.isdir(path):
            raise UsageError(f"{path}: is one package, not a build: `assetdb unreal info` reads it")
    return others[0]


def _has_unity(paths: Sequence[str]) -> bool:
    from assetdb.builds.parts.facts import ARCHIVE, SERIALIZED  # noqa: PLC0415 - only where other engines' files are, too
    from assetdb.builds.parts.finding import find_parts  # noqa: PLC0415 - the same

    try:
        return any(part.kind in (ARCHIVE, SERIALIZED) for part in find_parts(paths, now_ns=0).parts)
    except UsageError:
        return False
