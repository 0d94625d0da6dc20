"""Script objects: native classes by the hash of their path.

Engine 5 keeps them in chunk ScriptObjects of the ``global`` container (a name batch, u32 n, n x 32 bytes), engine 4
in LoaderInitialLoadMeta (i32 n, n x 32 bytes) with names in LoaderGlobalNames. A row is a name, the object's
index, its outer's, and the index of the class it is the default object of.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.objects import LONGEST_PATH
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.zen.name_batch import NameBatch, read_batch, read_names_apart

_ROW: Final = struct.Struct("<IIQQQ")
_DEEPEST: Final = 64  # outers; real ones nest 4 deep


class ScriptObject(NamedTuple):
    """An engine object: name, outer and class of a default object."""

    name: str
    outer: int
    default_of: int


class ScriptObjects:
    """Script objects by their FPackageObjectIndex."""

    __slots__ = ("_base", "objects")

    def __init__(self, objects: dict[int, ScriptObject], base: int = 0) -> None:
        self.objects = objects
        self._base = base  # where their rows begin, for errors

    def __len__(self) -> int:
        return len(self.objects)

    def path(self, index: int) -> str | None:
        """Return an object's path, ``/Script/Engine.Actor:Tick``, or None.

        Raises:
            UnrealError: its outers form a circle, or the path is out of proportion.
        """
        parts: list[str] = []
        length = 0
        while (found := self.objects.get(index)) is not None:
            parts.append(found.name)
            length += len(found.name) + 1
            if len(parts) > _DEEPEST or length > LONGEST_PATH:
                what = f"has its outers in a circle, or a path of over {LONGEST_PATH} characters"
                raise UnrealError(what, offset=self._base, field=f"objects[{index:016x}]")
            index = found.outer
        if not parts:
            return None
        parts.reverse()
        package, *inner = parts
        return package if not inner else f"{package}.{':'.join(inner)}"


def parse_script_objects(data: bytes) -> ScriptObjects:
    """Read a ScriptObjects chunk (engine 5)."""
    reader = Reader(data)
    names = read_batch(reader, "names")
    return _objects(reader, names)


def parse_loader_globals(meta: bytes, names: bytes, hashes: bytes) -> ScriptObjects:
    """Read the script objects of engine 4: LoaderInitialLoadMeta, LoaderGlobalNames, LoaderGlobalNameHashes."""
    return _objects(Reader(meta), read_names_apart(names, hashes))


def _objects(reader: Reader, names: NameBatch) -> ScriptObjects:
    count, base = reader.u32("objects"), reader.position
    rows = reader.rows(_ROW, count, "objects")
    resolve = names.resolve
    return ScriptObjects(
        {
            global_index: ScriptObject(resolve(name, number, "objects.name", base), outer, default_of)
            for name, number, global_index, outer, default_of in rows
        },
        base,
    )
