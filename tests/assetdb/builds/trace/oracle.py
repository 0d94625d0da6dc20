"""A player as UnityPy reads it and its project as PyYAML does: what ties between them are compared with.

Nothing of assetdb is used here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
import yaml

from tests.libyaml import UnityReader
from tests.unity_text import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Key = tuple[str, int]
    Place = tuple[str, int]

_DOCUMENT: Final = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?[ \t]*$", re.MULTILINE)
_GUID: Final = re.compile(r"^guid: ([0-9a-f]{32})", re.MULTILINE)
_NAME: Final = re.compile(r"^  m_Name:(.*)$", re.MULTILINE)
_SOURCE: Final = re.compile(r"^  m_SourcePrefab: \{[^}]*guid: ([0-9a-f]{32})", re.MULTILINE)
_SHADER: Final = re.compile(r'Shader\s*"([^"]+)"')
_MASK: Final = (1 << 63) - 1
_PREFAB_INSTANCE: Final = 1001
_MONO_BEHAVIOUR: Final = 114
_read: Final = UnityReader(getattr(yaml, "CSafeLoader", yaml.SafeLoader))
# Classes of objects that importers make and call as their file; without fileIDs here, as importers give several.
_IMPORTED: Final = {
    "png": (28, 213),
    "psd": (28, 213),
    "jpg": (28, 213),
    "tga": (28, 213),
    "ttf": (128,),
    "otf": (128,),
    "wav": (83,),
    "mp3": (83,),
    "ogg": (83,),
    "cs": (115,),
    "txt": (49,),
    "bytes": (49,),
    "json": (49,),
}


class Document(NamedTuple):
    """An object of a project: its class number, name (None where it is not said) and YAML (of text assets)."""

    class_id: int
    name: str | None
    text: str = ""

    @property
    def value(self) -> object:
        """Its values, None where the project does not have them."""
        body = _read(self.text)
        return next(iter(body.values())) if isinstance(body, dict) else None


class Project:
    """The objects of a project by GUID and fileID.

    Attributes:
        paths: GUID -> path from the project on.
        documents: GUID and fileID -> object.
        names: class number and name -> GUIDs of the assets that have such an object.
    """

    def __init__(self, root: Path) -> None:
        self.paths: dict[str, str] = {}
        self.documents: dict[Place, Document] = {}
        self.names: dict[tuple[int, str], set[str]] = {}
        self._instances: dict[str, list[tuple[int, str]]] = {}
        for meta in (root / "Assets").rglob("*.meta"):
            text = meta.read_text("utf-8", "replace")
            found, file = _GUID.search(text), meta.with_suffix("")
            if found is None or not file.is_file():
                continue
            self.paths[found[1]] = str(file.relative_to(root))
            for class_id, name in _of_file(file):
                self.names.setdefault((class_id, name), set()).add(found[1])
            if file.read_bytes()[:5] == b"%YAML":
                self._read_text(found[1], file.read_text("utf-8", "replace"))
            else:
                self._read_meta(found[1], text)
        for (guid, _), row in self.documents.items():
            if row.name:
                self.names.setdefault((row.class_id, row.name), set()).add(guid)

    def at(self, guid: str, file_id: int) -> Document | None:
        """Return an object; of one that an instance brings, its source, without values that the instance may change."""
        found = self.documents.get((guid, file_id))
        if found is not None:
            return found
        for instance, source in self._instances.get(guid, ()):
            own = (file_id ^ instance) & _MASK
            inner = self.at(source, own) or self.at(source, own | ~_MASK)
            if inner is not None:
                return Document(inner.class_id, None)
        return None

    def _read_text(self, guid: str, text: str) -> None:
        found = [*_DOCUMENT.finditer(text)]
        for head, following in zip(found, [*found[1:], None], strict=True):
            body = text[head.end() : following.start() if following else None]
            if int(head[1]) == _PREFAB_INSTANCE:
                source = _SOURCE.search(body)
                if source is not None:
                    self._instances.setdefault(guid, []).append((int(head[2]), source[1]))
            elif not head[3]:
                name = _NAME.search(body)
                row = Document(int(head[1]), value_of([name[1]]) if name is not None else None, body)
                self.documents[guid, int(head[2])] = row

    def _read_meta(self, guid: str, text: str) -> None:
        meta = _read(text) or {}
        importer = next((value for key, value in meta.items() if key.endswith("Importer") and value), {})
        for file_id, name in (importer.get("fileIDToRecycleName") or {}).items():
            self.documents[guid, int(file_id)] = Document(int(file_id) // 100000, str(name))
        for row in importer.get("internalIDToNameTable") or ():
            ((class_id, file_id),) = row["first"].items()
            self.documents[guid, int(file_id)] = Document(int(class_id), str(row["second"]))
        for sprite in (importer.get("spriteSheet") or {}).get("sprites") or ():
            if sprite.get("internalID"):
                self.documents[guid, int(sprite["internalID"])] = Document(213, str(sprite["name"]))


class Player:
    """The objects of a player by file and PathID."""

    def __init__(self, folder: Path) -> None:
        unitypy = pytest.importorskip("UnityPy")
        self.objects: dict[Key, Any] = {}
        waiting = [unitypy.load(str(path)) for path in sorted(folder.rglob("*")) if path.is_file()]
        while waiting:
            item = waiting.pop()
            if item.__class__.__name__ == "SerializedFile":
                self.objects |= {(_last(item.name), path_id): reader for path_id, reader in item.objects.items()}
            else:
                waiting += getattr(item, "files", {}).values()

    def name(self, key: Key) -> str:
        """Return the name of an object; that of a shader lies in its parsed form."""
        reader = self.objects[key]
        if reader.type.name == "Shader":
            return str(reader.read_typetree()["m_ParsedForm"]["m_Name"])
        return str(reader.peek_name() or "")

    def target(self, key: Key, pointer: dict[str, int]) -> Key | None:
        """Return what a reference of an object leads to."""
        if not pointer["m_PathID"]:
            return None
        if not pointer["m_FileID"]:
            return key[0], pointer["m_PathID"]
        return _last(self.objects[key].assets_file.externals[pointer["m_FileID"] - 1].path), pointer["m_PathID"]

    def references(self, key: Key, document: Document, guid: str) -> Iterator[tuple[str, Key | None, Place | None]]:
        """Yield the references that an object has at equal properties in the player and in the project.

        Each is the path of the property, the object of the player, and GUID and fileID in the project.
        """
        own = document.value
        if own is None or document.class_id == _MONO_BEHAVIOUR:  # what scripts hold only DLLs tell
            return
        for where, pointer, said in _pairs(self.objects[key].read_typetree(), own, ""):
            place = (str(said.get("guid", guid)).lower(), int(said["fileID"])) if said["fileID"] else None
            yield where, self.target(key, pointer), place


def _pairs(built: object, own: object, where: str) -> Iterator[tuple[str, dict[str, int], dict[str, Any]]]:
    if isinstance(built, dict) and isinstance(own, dict):
        if set(built) == {"m_FileID", "m_PathID"}:
            if "fileID" in own:
                yield where, built, own
            return
        for key in built.keys() & own.keys():
            yield from _pairs(built[key], own[key], f"{where}.{key}")
    elif isinstance(built, list | tuple) and isinstance(own, list) and len(built) == len(own):
        for number, (one, other) in enumerate(zip(built, own, strict=True)):
            if isinstance(one, list | tuple) and isinstance(other, dict):  # a pair of a map
                values = {str(key): value for key, value in other.items()}
                name = "second" if set(values) == {"first", "second"} else str(one[0])  # before 2017.3 the former
                if name in values:
                    yield from _pairs(one[1], values[name], f"{where}[{one[0]}]")
            else:
                yield from _pairs(one, other, f"{where}[{number}]")


def _of_file(file: Path) -> Iterator[tuple[int, str]]:
    extension = file.suffix[1:].lower()
    for class_id in _IMPORTED.get(extension, ()):
        yield class_id, file.stem
    if extension == "shader":
        found = _SHADER.search(file.read_text("utf-8", "replace"))
        if found is not None:
            yield 48, found[1]


def _last(path: object) -> str:
    return str(path).replace("\\", "/").rpartition("/")[2]
