"""Facts of a binary asset for a bake: class, script, sub-assets.

Only the metadata are read, and the beginning of each object that may be a row.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.binary.opening import LARGEST
from assetdb.unity.main_object import find_main
from assetdb_formats.unityfs.archives.directory import Node
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.loaded import DecodedData, LoadedFile
from assetdb_formats.unityfs.serialized_files.mainclass import serialized_file_main_class
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

if TYPE_CHECKING:
    from assetdb.unity.facts import SubAsset
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry

_HEAD_BYTES: Final = 4096  # enough for a header
_MONO_BEHAVIOUR: Final = 114
_NO_ROWS: Final = (1, 4, 224)  # as in text: GameObject, Transform, RectTransform
_MOST_OBJECTS: Final = 200_000
_NO_GUID: Final = "0" * 32


class BinaryAsset(NamedTuple):
    """The facts of a binary asset; see :data:`assetdb.unity.yaml.text_asset.TextAsset`.

    ``is_read`` is False if the objects have no values that can be read.
    """

    class_id: int
    script: bytes
    rows: list[SubAsset]
    is_read: bool = True


def binary_facts(data: bytes, *, rows: bool, declared: tuple[int, ...], stem: str, prefab: bool) -> BinaryAsset:
    """Return the facts of any binary file; see :func:`read_binary_asset`."""
    if len(data) <= LARGEST:
        try:
            return read_binary_asset(data, rows=rows, declared=declared, stem=stem, prefab=prefab)
        except UnityFSError:
            pass  # a file of another format, or damaged: `check` tells which
    return BinaryAsset(serialized_file_main_class(data[:_HEAD_BYTES]) or 0, b"", [], is_read=False)


def read_binary_asset(
    data: bytes, *, rows: bool, declared: tuple[int, ...], stem: str, prefab: bool = False
) -> BinaryAsset:
    """Return the facts of a SerializedFile of a project.

    Args:
        data: the file.
        rows: whether named objects other than the main one are sub-assets.
        declared: possible fileIDs of the main object, the likeliest first.
        stem: the file's name without extension.
        prefab: whether GameObjects and MonoBehaviours are no sub-assets.

    Raises:
        UnityFSError: it is none, or damaged.
    """
    loaded = LoadedFile(DecodedData(BytesIO(data), None, len(data)), Node(0, len(data), 0, ""))
    entries = list(loaded.facts.objects)
    if not entries:
        return BinaryAsset(serialized_file_main_class(data[:_HEAD_BYTES]) or 0, b"", [], is_read=False)
    if any(entry.class_id < 0 for entry in entries):
        raise UnityFSError("an object of a class below zero", field="objects")
    name_of = cache(loaded.name)  # to find the main object, all may be asked
    if prefab:
        main = entries[0]
    else:
        classes = {entry.path_id: entry.class_id for entry in entries}
        by_id = {entry.path_id: entry for entry in entries}
        main = by_id[find_main(classes, lambda file_id: name_of(by_id[file_id]), stem, declared)]
    script = _script(loaded, main) if main.class_id == _MONO_BEHAVIOUR else b""
    found: list[SubAsset] = []
    for entry in entries[:_MOST_OBJECTS] if rows else ():
        if entry.class_id in _NO_ROWS or (prefab and entry.class_id == _MONO_BEHAVIOUR):
            continue
        if entry.path_id != main.path_id or prefab:
            name = name_of(entry)
            if name:
                found.append((entry.path_id, entry.class_id, name.encode("utf-8", "replace")))
    has_trees = all(kind.tree is not None for kind in loaded.facts.types)
    return BinaryAsset(main.class_id, script, found, is_read=has_trees)


def _script(loaded: LoadedFile, entry: ObjectEntry) -> bytes:
    """Return the GUID of a MonoBehaviour's script, or ``b""``."""
    value = loaded.beginning(entry)
    pointer = value.get("m_Script") if isinstance(value, dict) else None
    externals = loaded.facts.externals
    if not isinstance(pointer, PPtr) or not 0 < pointer.file_id <= len(externals):
        return b""
    guid = externals[pointer.file_id - 1].guid
    return b"" if guid == _NO_GUID else guid.encode()
