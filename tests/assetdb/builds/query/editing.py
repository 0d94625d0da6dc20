"""Edits players with UnityPy as reader and writer, as a project's next build would differ."""

from __future__ import annotations

import shutil
from functools import partial
from struct import pack_into, unpack_from
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MONO_BEHAVIOUR = "MonoBehaviour"
GLOBALS, SCRIPTS = "globalgamemanagers", "globalgamemanagers.assets"
Pointer = tuple[int, int]
GONE: Pointer = (0, 0)
_SCRIPT = 16  # where a MonoBehaviour has the reference to its script
_ASIDE = b"\xfe not in any file \xfe"


class Player:
    """A copy of a player whose SerializedFiles UnityPy reads, and writes where they were edited."""

    def __init__(self, source: Path, folder: Path) -> None:
        unitypy = pytest.importorskip("UnityPy")
        shutil.copytree(source, folder)
        self.folder = folder
        self.files: dict[str, Any] = {}
        for path in sorted(folder.iterdir()):
            if path.suffix in ("", ".assets") and path.is_file():
                self.files[path.name] = unitypy.load(path.read_bytes()).file
        self.edited: set[str] = set()

    def find(self, file: str, kind: str, name: str = "") -> Any:  # noqa: ANN401 - UnityPy's own
        """Return the first object of a class and name."""
        for item in self.files[file].objects.values():
            if item.type.name == kind and (not name or item.peek_name() == name):
                return item
        raise LookupError(f"{file} has no {kind} {name}")

    def change(self, file: str, item: Any, edit: Callable[[dict[str, Any]], None]) -> None:  # noqa: ANN401
        """Change the values of an object."""
        tree = item.read_typetree()
        edit(tree)
        item.save_typetree(tree)
        self.edited.add(file)

    def remove(self, file: str, *path_ids: int) -> None:
        """Take objects out, close the gaps in the numbers, and lead all references to the new ones."""
        objects = self.files[file].objects
        left = [number for number in sorted(objects) if number not in path_ids]
        moved = {old: new for new, old in enumerate(left, 1)}
        self.files[file].objects = {}
        for old, new in moved.items():
            item = objects[old]
            item.path_id = new
            self.files[file].objects[new] = item
        self.edited.add(file)
        for name, other in self.files.items():
            places = {0} if name == file else set()
            places |= {place for place, own in enumerate(other.externals, 1) if own.name == file}
            if places:
                self._lead(name, partial(_moved, places, moved))

    def _lead(self, name: str, where: Callable[[Pointer], Pointer]) -> None:
        """Lead the references of a file elsewhere; rows of lists without a target go."""
        file = self.files[name]
        for kind in file.script_types:
            at = kind.local_serialized_file_index, kind.local_identifier_in_file
            if where(at) != at:
                kind.local_identifier_in_file = where(at)[1]
                self.edited.add(name)
        for item in file.objects.values():
            if item.type.name == MONO_BEHAVIOUR:
                self._lead_words(name, item, where)
                continue
            tree = item.read_typetree()
            if _lead_values(tree, where):
                item.save_typetree(tree)
                self.edited.add(name)

    def _lead_words(self, name: str, item: Any, where: Callable[[Pointer], Pointer]) -> None:  # noqa: ANN401
        """Lead the references of a MonoBehaviour: to its GameObject, its script, and of words that are like one.

        References to scripts are at one place: in other words a number 1 before a font's size would be one.
        """
        data = bytearray(item.get_raw_data())
        for place in (0, *range(16, len(data) - 11, 4)):
            at = unpack_from("<iq", data, place)
            if at[1] > 0 and (place <= _SCRIPT or at[0] == 0) and where(at) != at:
                pack_into("<iq", data, place, *(where(at) if where(at)[1] else GONE))
        if bytes(data) != item.get_raw_data():
            item.set_raw_data(bytes(data))
            self.edited.add(name)

    def save(self) -> None:
        for name in self.edited:
            (self.folder / name).write_bytes(self.files[name].save())


def _moved(places: set[int], moved: dict[int, int], at: Pointer) -> Pointer:
    return (at[0], moved.get(at[1], 0)) if at[0] in places else at


def _lead_values(value: Any, where: Callable[[Pointer], Pointer]) -> bool:  # noqa: ANN401
    """Whether a reference among the values of an object was led elsewhere."""
    changed = False
    waiting = [value]
    while waiting:
        found = waiting.pop()
        rows = found.values() if isinstance(found, dict) else found if isinstance(found, list | tuple) else ()
        if isinstance(found, dict) and found.keys() == {"m_FileID", "m_PathID"}:
            at = found["m_FileID"], found["m_PathID"]
            if at[1] and where(at) != at:
                found["m_FileID"], found["m_PathID"] = where(at) if where(at)[1] else GONE
                changed = True
            continue
        waiting += rows
    return changed


def swap_levels(folder: Path, one: int, other: int) -> None:
    """Give two levels each other's number, in names of files and in all that refers to them."""
    stems = [(f"{stem}{one}", f"{stem}{other}") for stem in ("level", "sharedassets")]
    for path in sorted(folder.iterdir()):
        if path.suffix in ("", ".assets") and path.is_file():
            data = path.read_bytes()
            for left, right in stems:
                for ending in (b"\0", b".assets", b".resource"):
                    first, second = left.encode() + ending, right.encode() + ending
                    data = data.replace(first, _ASIDE).replace(second, first).replace(_ASIDE, second)
            path.write_bytes(data)
    names = [path.name for path in folder.iterdir()]
    for left, right in stems:
        for name in names:
            stem, dot, rest = name.partition(".")
            if stem in (left, right):
                (folder / name).rename(folder / f"swapped {right if stem == left else left}{dot}{rest}")
    for path in folder.glob("swapped *"):
        path.rename(folder / path.name.removeprefix("swapped "))
