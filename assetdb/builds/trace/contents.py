"""Objects of an asset by fileID, with class, name and references."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.resolve.instances import Imported
from assetdb.settings.project import asset_file
from assetdb.system.reading import read_file
from assetdb.unity.engine.builtin import built_in
from assetdb.unity.engine.classes import canonical_file_id, class_name
from assetdb.unity.kinds import BYTE_ORDER_MARK, SCRIPT_MAIN, extension_of
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.query.snapshots.snapshot import Snapshot

MONO_BEHAVIOUR: Final = 114
UNKNOWN: Final = "MonoBehaviour"
"""The class of an object whose script is in no project and no package that is known."""
_BUILT_IN: Final = "0000000000000000"
_SHADER: Final = 48
_TEXTURE: Final = 28
_FONT: Final = 128
_MODEL: Final = 1
_AVATAR: Final = 9000000
_MAIN_TEXTURE: Final = 2800000
_MAIN_CUBEMAP: Final = 8900000
_MAIN_SPRITE: Final = 21300000
_SHADER_NAME: Final = re.compile(rb'^[ \t]*Shader[ \t\r\n]*"([^"\n]{1,512})"', re.MULTILINE)
_SHADER_HEAD: Final = 1 << 16
_REFERENCE: Final = re.compile(rb"\{fileID:\s*(-?\d{1,19})(?:,\s*guid:\s*([0-9a-fA-F]{32}))?")
# Properties that players do not have, or that every object of a kind has.
_PASSED: Final = re.compile(rb"\n  m_(?:CorrespondingSourceObject|PrefabInstance|PrefabAsset|Script|GameObject):.*")


class Known(NamedTuple):
    """An object's class (a MonoBehaviour's script) and name."""

    kind: str
    name: str


class Contents:
    """The contents of a project's assets, read lazily."""

    def __init__(self, project: Snapshot) -> None:
        """Take a project with files that are up to date."""
        self._project = project
        self._objects: dict[str, dict[int, Known]] = {}
        self._references: dict[tuple[str, int | None], tuple[tuple[str, int], ...]] = {}

    def objects(self, guid: str) -> Mapping[int, Known]:
        """Return the listed objects of an asset by fileID."""
        if guid not in self._objects:
            self._objects[guid] = self._read(guid)
        return self._objects[guid]

    def script_kind(self, file_id: int, guid: str) -> str:
        """Return the name of a script's class, or ``""``."""
        if not guid:
            return ""
        if guid.startswith(_BUILT_IN):
            found = built_in(bytes.fromhex(guid), file_id)
            return found.name if found is not None else ""
        if file_id == SCRIPT_MAIN:
            return self._project.resolver.script_name(guid)
        name = self._project.resolver.name(guid, file_id).name
        return name.rpartition(" / ")[2].partition(" (")[0].rpartition(".")[2]

    def shader_name(self, path: str) -> str:
        """Return the name in a ``.shader``, or ``""``."""
        data = (read_file(asset_file(self._project.root, path)) or b"")[:_SHADER_HEAD].removeprefix(BYTE_ORDER_MARK)
        found = _SHADER_NAME.search(data)
        return found[1].decode("utf-8", "replace") if found is not None else ""

    def references(self, guid: str, file_id: int | None) -> tuple[tuple[str, int], ...]:
        """Return the references of an object, or with None of its asset.

        References of a prefab or scene include those in the prefabs that it has instances of. An imported object may
        refer to any object of its asset.
        """
        content = self._project.resolver.content(guid)
        if isinstance(content, TextObjects) and file_id not in content.objects:
            file_id = None  # of an instance: its references are in its source
        key = guid, file_id
        if key not in self._references:
            self._references[key] = tuple(dict.fromkeys(self._find_references(guid, file_id)))
        return self._references[key]

    def _find_references(self, guid: str, file_id: int | None) -> list[tuple[str, int]]:
        content = self._project.resolver.content(guid)
        if not isinstance(content, TextObjects):
            return [(guid, own) for own in self.objects(guid)]
        item = content.objects.get(file_id) if file_id is not None else None
        if item is not None:
            return _references_in(item.body, guid)
        found: dict[tuple[str, int], None] = {}
        seen = {guid}
        waiting = [guid]
        while waiting:
            place = waiting.pop()
            inner = self._project.resolver.content(place)
            if not isinstance(inner, TextObjects):
                found.update(dict.fromkeys((place, own) for own in self.objects(place)))
                continue
            for one in inner.objects.values():
                found.update(dict.fromkeys(_references_in(one.body, place)))
            for _, source in inner.instances:
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return list(found)

    def _read(self, guid: str) -> dict[int, Known]:
        asset = self._project.assets.by_guid(guid)
        content = self._project.resolver.content(guid)
        found: dict[int, Known] = {}
        if isinstance(content, TextObjects):
            for file_id, item in content.objects.items():
                kind = class_name(item.class_id)
                if item.class_id == MONO_BEHAVIOUR:
                    script = item.script
                    kind = self.script_kind(script.file_id, script.guid) or UNKNOWN
                if not item.stripped:
                    found[file_id] = Known(kind, item.name)
        elif isinstance(content, Imported):
            for file_id, row in content.objects.items():
                if row.class_name:
                    found[file_id] = Known(row.class_name, row.path.rpartition("/")[2] or content.stem)
        if asset is None:
            return found
        stem = stem_of(asset.path)
        main = canonical_file_id(asset.class_id)
        if main and main not in found and not isinstance(content, TextObjects):
            name = self.shader_name(asset.path) if asset.class_id == _SHADER else stem
            found[main] = Known(class_name(asset.class_id), name)
        if asset.class_id == _MODEL:
            found.setdefault(_AVATAR, Known("Avatar", f"{stem}Avatar"))
        if asset.class_id == _FONT:  # the importer makes it; only some releases name it in the meta
            found.setdefault(_MAIN_TEXTURE, Known("Texture2D", "Font Texture"))
        if asset.class_id == _TEXTURE and extension_of(asset.path) != "asset":  # a picture, which the importer reads
            found.setdefault(_MAIN_TEXTURE, Known("Texture2D", stem))
            found.setdefault(_MAIN_CUBEMAP, Known("Cubemap", stem))
            found.setdefault(_MAIN_SPRITE, Known("Sprite", stem))
        return found


def _references_in(body: bytes, guid: str) -> list[tuple[str, int]]:
    """Return a document's references, filling in its own GUID."""
    rows = _REFERENCE.findall(_PASSED.sub(b"", body))
    return [(other.decode().lower() or guid, int(number)) for number, other in rows if int(number)]


def stem_of(path: str) -> str:
    """Return a file's name without extension: its main object's name."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name
