"""Objects of a build that a path on the disk names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.builds.build import resolve_streams
from assetdb.builds.parts.facts import CODE, RESOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.build import Build
    from assetdb.builds.parts.finding import Part

_DLL: Final = ".dll"


def objects_at(word: str, build: Build, cwd: str = "") -> tuple[int, ...] | None:
    """Return the objects of a path, or None outside the build.

    For a folder these are the objects of all parts below it, for resource data those that stream from it, for a DLL its
    MonoScripts. ``PATH#PATHID`` is one object.

    Args:
        word: a path, absolute or relative to the working directory, also into an archive (``game.zip/level0``).
        build: the build.
        cwd: the working directory, if not this process's.
    """
    if not word.strip() or "\0" in word:
        return None
    head, _, number = word.rpartition("#")
    parts = _parts_at(os.path.join(cwd, word), build)
    if parts:
        return tuple(sorted({item for part in parts for item in _objects_of(build, part)}))
    if not head or not number.removeprefix("-").isdecimal():
        return None
    parts = _parts_at(os.path.join(cwd, head), build)
    found = (item for part in parts for item in build.objects_of_part(part) if str(build.path_ids[item]) == number)
    return tuple(found) or None


def objects_of_named(word: str, build: Build, *, is_whole: bool, of_any_kind: bool = False) -> tuple[int, ...] | None:
    """Return the objects of resource data or DLLs by name, or None.

    Args:
        word: a name as lists of the build have it, relative to the build, or the last part of one. Folders that the
            build lies in may stand before it, as in ``Game_Data/Managed/Game.dll``.
        build: the build.
        is_whole: whether the last part alone does not do.
        of_any_kind: whether other files count, too, of which there are no objects.
    """
    wanted = word.replace("\\", "/").casefold()
    found = [
        number
        for number, part in enumerate(build.parts)
        if (of_any_kind or part.kind in (RESOURCE, CODE)) and _is_named(part, wanted, is_whole=is_whole)
    ]
    return tuple(sorted({item for part in found for item in _objects_of(build, part)})) if found else None


def _is_named(part: Part, wanted: str, *, is_whole: bool) -> bool:
    """Whether a folded name means a part; see :func:`objects_of_named`."""
    name = part.name.casefold()
    if wanted == name or (not is_whole and wanted == name.rpartition("/")[2]):
        return True
    if not wanted.endswith(f"/{name}"):
        return False
    return os.path.abspath(part.input.name).replace("\\", "/").casefold().endswith(f"/{wanted}")


def objects_of_file(build: Build, file: int) -> list[int]:
    """Return the objects in a file, or streaming from it."""
    known = build.files[file]
    if known.facts.serialized:
        return list(known.numbers)
    return sorted({stream.object for stream in resolve_streams(build) if stream.file == file})


def holds_build(word: str, build: Build, cwd: str = "") -> bool:
    """Whether all of a build is below a folder."""
    path = os.path.join(cwd, word)
    if "\0" in path or not os.path.isdir(path):
        return False
    folders = {_folded(os.path.abspath(path)), _folded(os.path.realpath(path))}
    return all(any(_folded(os.path.abspath(root)).startswith(_below(one)) for one in folders) for root in build.paths)


def _parts_at(path: str, build: Build) -> list[int]:
    wanted = set(_spellings(path, build))
    if not wanted:
        return []
    below = tuple(map(_below, wanted))
    names = (_folded(os.path.abspath(part.input.name)) for part in build.parts)
    return [number for number, name in enumerate(names) if name in wanted or name.startswith(below)]


def _spellings(path: str, build: Build) -> Iterator[str]:
    """Yield a path's spellings in the build, links resolved or not."""
    spellings = {_folded(os.path.abspath(path)), _folded(os.path.realpath(path))}
    for root in build.paths:
        absolute = _folded(os.path.abspath(root))
        for start in {absolute, _folded(os.path.realpath(root))}:
            for one in spellings:
                if one == start or one.startswith(_below(start)):
                    yield absolute + one[len(start) :]


def _folded(path: str) -> str:
    return os.path.normcase(path)


def _below(folder: str) -> str:
    return folder.rstrip(os.sep) + os.sep


def _objects_of(build: Build, part: int) -> Iterator[int]:
    kind = build.parts[part].kind
    if kind == RESOURCE:
        for stream in resolve_streams(build):
            if stream.file is not None and build.files[stream.file].part == part:
                yield stream.object
    elif kind == CODE:
        name = os.path.basename(build.parts[part].name).casefold().removesuffix(_DLL)
        for number, script in build.scripts.items():
            if script.assembly.casefold().removesuffix(_DLL) == name:
                yield number
    else:
        yield from build.objects_of_part(part)
