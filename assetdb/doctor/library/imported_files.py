"""The SerializedFile of an import: objects and references of an asset.

Up to Unity 2019.2 it is the file beside ``GUID.info``, since then a file of ``Library/Artifacts`` or a value in
``ArtifactDB``. Its objects have their fileIDs as PathIDs, and their fields are named by type trees.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.doctor.library.comparison import INNER, EditorObject, EditorReference
from assetdb.unity.binary.opening import LARGEST
from assetdb.unity.engine.classes import class_name
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.archives.directory import Node
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.loaded import DecodedData, LoadedFile
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

if TYPE_CHECKING:
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry
    from assetdb_formats.unityfs.serialized_files.tree_values import Value

_GAME_OBJECT: Final = 1
_TRANSFORMS: Final = (4, 224)
_SCRIPTED: Final = "MonoBehaviour"
_NOT_SHOWN: Final = ("Prefab", "PrefabInstance", "AssetMetaData", "Object", "")
_IMPORTER: Final = "Importer"
_MOST_OBJECTS: Final = 200_000
_DEEPEST: Final = 100  # names of a way; models have 30
_COMPONENT_BYTES: Final = 1 << 20
_NO_GUID: Final = "0" * 32


class Imported(NamedTuple):
    """The objects of an import, and the assets that they refer to.

    The type of a MonoBehaviour is ``""``: its script is not named in the file.
    """

    objects: list[EditorObject]
    references: list[EditorReference]


def read_imported(data: bytes, guid: str, path: str) -> Imported:
    """Return the content of an imported file.

    Args:
        data: the file.
        guid: of its asset.
        path: of its asset.

    Raises:
        FormatError: it is no SerializedFile, is damaged, too large, or has no type trees.
    """
    if len(data) > LARGEST:
        raise FormatError(f"has {len(data):,} bytes, more than are read at once ({LARGEST:,})")
    loaded = LoadedFile(DecodedData(BytesIO(data), None, len(data)), Node(0, len(data), 0, ""))
    entries = loaded.facts.objects
    if not loaded.facts.has_type_trees:
        raise FormatError("has no type trees")
    if len(entries) > _MOST_OBJECTS:
        raise FormatError(f"has {len(entries):,} objects, more than are read ({_MOST_OBJECTS:,})")
    tree = _read_tree(loaded, list(entries))
    rows = []
    for entry in entries:
        kind = class_name(entry.class_id)
        if kind not in _NOT_SHOWN and not kind.endswith(_IMPORTER):
            name, way = tree.described(entry.path_id)
            rows.append(
                EditorObject(guid, path, INNER, entry.path_id, "" if kind == _SCRIPTED else kind, "", name, way)
            )
    references = {
        external.guid: EditorReference(guid, path, external.guid, external.path)
        for external in loaded.facts.externals
        if external.guid not in (_NO_GUID, guid)
    }
    return Imported(rows, list(references.values()))


class _Tree(NamedTuple):
    """Names, owners of components, and parents of GameObjects, by PathID."""

    names: dict[int, str]
    owners: dict[int, int]
    parents: dict[int, int]

    def described(self, number: int) -> tuple[str, tuple[str, ...]]:
        """Return an object's name, and the way to its GameObject."""
        owner = self.owners.get(number, number)
        names: list[str] = []
        at = owner if owner in self.parents else 0
        while at and len(names) <= _DEEPEST:
            names.append(self.names.get(at, ""))
            at = self.parents.get(at, 0)
        way = tuple(reversed(names)) if len(names) <= _DEEPEST else ()  # a circle, too
        return "" if owner != number else self.names.get(number, ""), way


def _read_tree(loaded: LoadedFile, entries: list[ObjectEntry]) -> _Tree:
    names: dict[int, str] = {}
    owners: dict[int, int] = {}
    fathers: dict[int, int] = {}  # of Transforms
    for entry in entries:
        value = loaded.beginning(entry)
        name = value.get("m_Name") if isinstance(value, dict) else None
        if isinstance(name, str):
            names[entry.path_id] = name
        elif entry.size <= _COMPONENT_BYTES:  # components have no name
            value = _whole(loaded, entry)
        if entry.class_id != _GAME_OBJECT and (owner := _pointer(value, "m_GameObject")):
            owners[entry.path_id] = owner
            if entry.class_id in _TRANSFORMS:
                fathers[entry.path_id] = _pointer(value, "m_Father")
    parents = dict.fromkeys((entry.path_id for entry in entries if entry.class_id == _GAME_OBJECT), 0)
    for number, father in fathers.items():
        if owners[number] in parents:
            parents[owners[number]] = owners.get(father, 0)
    return _Tree(names, owners, parents)


def _whole(loaded: LoadedFile, entry: ObjectEntry) -> Value | None:
    try:
        return loaded.value(entry, largest=_COMPONENT_BYTES) if loaded.plan(entry) is not None else None
    except UnityFSError:  # where it is in the hierarchy is not known
        return None


def _pointer(value: Value | None, key: str) -> int:
    """Return the PathID of a pointer into the same file, else 0."""
    found = value.get(key) if isinstance(value, dict) else None
    return found.path_id if isinstance(found, PPtr) and not found.file_id else 0
