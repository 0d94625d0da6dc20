"""The hierarchy of a scene with its prefabs and models expanded.

An object of an instance has the fileID ``(instance ^ id in the source) & 0x7fff_ffff_ffff_ffff``; before 2018.3 a
stripped document gives it another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.objects.hierarchy import DEEPEST, names_from_root
from assetdb.builds.trace.contents import MONO_BEHAVIOUR, UNKNOWN
from assetdb.contents.overrides import removed_by
from assetdb.resolve.instances import Imported
from assetdb.unity.engine.classes import class_name
from assetdb.unity.yaml.objects import GAME_OBJECT, PREFAB_INSTANCE, TextObjects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.trace.contents import Contents
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.yaml.objects import TextObject

MOST_OBJECTS: Final = 400_000
"""Maximum size of a scene with its instances; the rest is left out."""
_MASK: Final = (1 << 63) - 1
_TRANSFORMS: Final = frozenset(("Transform", "RectTransform"))
_MODEL_COMPONENTS: Final = _TRANSFORMS | {"MeshFilter", "MeshRenderer", "SkinnedMeshRenderer", "Animator", "Animation"}


class Placed(NamedTuple):
    """An object of a hierarchy.

    Attributes:
        kind: its class, of a MonoBehaviour its script's class.
        name: of a GameObject, or of an object without one (a scene's settings); ``""`` for a component.
        owner: fileID of a component's GameObject; for a GameObject, of its parent's Transform, or 0.
        origins: GUID and fileID in each prefab or model that it is placed from, the innermost first.
    """

    kind: str
    name: str
    owner: int
    origins: tuple[tuple[str, int], ...] = ()


class Hierarchies:
    """The hierarchies of scenes and prefabs, each made once."""

    def __init__(self, project: Snapshot, contents: Contents) -> None:
        self._project = project
        self._contents = contents
        self._known: dict[str, dict[int, Placed]] = {}

    def of(self, guid: str) -> dict[int, Placed]:
        """Return the objects by fileID, without instances of itself."""
        waiting, seen = [(guid, self._sources(guid))], {guid}
        while waiting:
            current, sources = waiting[-1]
            source = next((inner for inner in sources if inner not in self._known and inner not in seen), None)
            if source is not None:
                waiting.append((source, self._sources(source)))
                seen.add(source)
                continue
            waiting.pop()
            if current not in self._known:
                self._known[current] = self._expanded(self._project.resolver.content(current))
        return self._known[guid]

    def _sources(self, guid: str) -> Iterator[str]:
        """Return an iterator over the assets that a file places."""
        content = self._project.resolver.content(guid)
        return iter([source for _, source in content.instances] if isinstance(content, TextObjects) else [])

    def paths(self, guid: str) -> dict[int, tuple[str, ...]]:
        """Return the names from the root to each object's GameObject."""
        objects = self.of(guid)
        owners = {
            file_id: file_id if item.kind == "GameObject" else item.owner
            for file_id, item in objects.items()
            if item.kind == "GameObject" or item.owner
        }

        def above(number: int) -> int | None:
            transform = objects.get(objects[number].owner)
            return transform.owner if transform is not None and transform.owner in objects else None

        found = names_from_root(filter(objects.__contains__, owners.values()), above, lambda owner: objects[owner].name)
        return {
            file_id: found.get(owners[file_id], ()) if file_id in owners else ("", item.name)
            for file_id, item in objects.items()
        }

    def _expanded(self, content: object) -> dict[int, Placed]:
        if isinstance(content, Imported):
            return _of_model(content)
        if not isinstance(content, TextObjects):
            return {}
        found: dict[int, Placed] = {}
        stripped: dict[tuple[int, int], int] = {}
        for file_id, item in content.objects.items():
            if item.stripped:
                stripped[item.instance, item.source.file_id] = file_id
            elif item.class_id == GAME_OBJECT:
                father = content.objects.get(item.transform)
                above = father.father if father is not None else 0
                found[file_id] = Placed("GameObject", item.name, above, _origin(item))
            elif item.class_id != PREFAB_INSTANCE:
                owner = item.game_object
                found[file_id] = Placed(self._kind(item), "" if owner else item.name, owner, _origin(item))
        for number, source in content.instances:
            instance = content.objects[number]
            removed = removed_by(instance)
            names = instance.overridden_names()
            inner = self._known.get(source, {})
            if len(found) + len(inner) > MOST_OBJECTS:
                return found
            ids = {inner_id: stripped.get((number, inner_id)) or (number ^ inner_id) & _MASK for inner_id in inner}
            for inner_id, row in inner.items():
                if inner_id in removed or row.owner in removed:
                    continue
                owner = ids.get(row.owner, 0)
                if row.kind == "GameObject" and not owner:
                    owner = instance.transform_parent
                origins = (*row.origins, (source, inner_id))[-DEEPEST:]
                found[ids[inner_id]] = Placed(row.kind, names.get(inner_id, row.name), owner, origins)
        return found

    def _kind(self, item: TextObject) -> str:
        if item.class_id != MONO_BEHAVIOUR:
            return class_name(item.class_id)
        return self._contents.script_kind(item.script.file_id, item.script.guid) or UNKNOWN


def _origin(item: TextObject) -> tuple[tuple[str, int], ...]:
    """Return the source of an unpacked object, as in Unity 2017."""
    source = item.source
    return ((source.guid, source.file_id),) if source.guid else ()


def _of_model(content: Imported) -> dict[int, Placed]:
    """Return the GameObjects and components of an imported model."""
    owners = {row.path: file_id for file_id, row in content.objects.items() if row.class_name == "GameObject"}
    transforms = {row.path: file_id for file_id, row in content.objects.items() if row.class_name in _TRANSFORMS}
    found = {}
    for file_id, row in content.objects.items():
        if row.class_name == "GameObject":
            above = transforms.get(row.path.rpartition("/")[0], 0) if row.path else 0
            found[file_id] = Placed("GameObject", row.path.rpartition("/")[2] or content.stem, above)
        elif row.path in owners and row.class_name in _MODEL_COMPONENTS:
            found[file_id] = Placed(row.class_name, "", owners[row.path])
    return found
