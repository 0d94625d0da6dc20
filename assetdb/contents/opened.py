"""Files as hierarchies need them: children, components and roots by fileID.

A file is read once however often it is nested; a place where it is nested is a :class:`Frame`, whose objects have
other fileIDs in the file around it.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.overrides import Override, overrides_of, removed_by
from assetdb.unity.yaml.objects import GAME_OBJECT, MONO_BEHAVIOUR, PREFAB_INSTANCE, TextObject, TextObjects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb.resolve.instances import Imported

TRANSFORMS: Final = (4, 224)
_SCENE_ROOTS: Final = 1660057539
_ID_MASK: Final = (1 << 63) - 1
_ROW: Final = re.compile(rb"\{fileID: (-?\d{1,20})\}")
_COMPONENT: Final = re.compile(rb"\n  - (?:component|\d{1,10}): \{fileID: (-?\d{1,20})\}")
_LIST: Final = rb"\n  %b:((?:\n  - \{fileID: -?\d{1,20}\})+)"
_CHILDREN: Final = re.compile(_LIST % b"m_Children")
_ROOTS: Final = re.compile(_LIST % b"m_Roots")
_MOST_DIGITS: Final = 10  # with a sign; Python refuses to read thousands
_ORDER: Final = re.compile(rb"\n  m_RootOrder: (-?\d{1,9})(?=\s|\Z)")  # the last line in scenes of Unity 4
_INACTIVE: Final = b"\n  m_IsActive: 0"


class Part(NamedTuple):
    """A component.

    Attributes:
        file_id: in its own file.
        class_id: Unity's class number, 0 if only ``class_name`` is known or nothing has the fileID.
        class_name: for components of models, else ``""``.
        script: (fileID, GUID) of a MonoBehaviour's script.
    """

    file_id: int
    class_id: int
    class_name: str = ""
    script: tuple[int, str] = (0, "")


class OpenText:
    """The hierarchy of one prefab or scene by its own documents."""

    def __init__(self, content: TextObjects) -> None:
        self.content = content
        # Of objects that were asked for: a prefab may have many instances.
        self._parts: dict[int, list[Part]] = {}
        self._overrides: dict[int, dict[int, list[Override]]] = {}

    @cached_property
    def _scanned(
        self,
    ) -> tuple[dict[int, list[int]], dict[int, list[int]], dict[tuple[int, int], int], dict[int, int]]:
        """Children by Transform, components by GameObject, stripped objects by instance and source.

        And the GameObject by Transform.
        """
        children: dict[int, list[int]] = {}
        components: dict[int, list[int]] = {}
        stand_ins: dict[tuple[int, int], int] = {}
        owners: dict[int, int] = {}
        for file_id, item in self.content.objects.items():
            if item.class_id == PREFAB_INSTANCE:
                if item.source_prefab:
                    children.setdefault(item.transform_parent, []).append(file_id)
            elif item.stripped:
                stand_ins[item.instance, item.source.file_id] = file_id
            elif item.class_id != GAME_OBJECT:
                owner = item.game_object
                if owner:
                    components.setdefault(owner, []).append(file_id)
                    if item.class_id in TRANSFORMS:
                        owners[file_id] = owner
                        children.setdefault(item.father, []).append(file_id)
        return children, components, stand_ins, owners

    @cached_property
    def removals(self) -> Mapping[int, frozenset[int]]:
        """FileIDs that each PrefabInstance removes, as their source has them."""
        objects = self.content.objects
        return {instance: removed_by(objects[instance]) for instance, _ in self.content.instances}

    def overrides(self, instance: TextObject) -> Mapping[int, list[Override]]:
        """Return an instance's values of this file, by fileID of the target."""
        found = self._overrides.get(instance.file_id)
        if found is None:
            found = self._overrides[instance.file_id] = {}
            for change in overrides_of(instance):
                found.setdefault(change.target, []).append(change)
        return found

    def stand_in(self, instance: int, source: int) -> int:
        """Return the fileID here of an object in an instance."""
        known = self._scanned[2].get((instance, source))
        return (instance ^ source) & _ID_MASK if known is None else known

    def children(self, transform: int) -> list[int]:
        """Return Transforms and PrefabInstances in the editor's order (0: roots)."""
        found = self._scanned[0].get(transform, [])
        if len(found) < 2:
            return found
        objects = self.content.objects
        order: dict[int, int] = {}
        if transform:
            item = objects.get(transform)
            match = _CHILDREN.search(item.body) if item is not None else None
        else:
            roots = next((item for item in objects.values() if item.class_id == _SCENE_ROOTS), None)
            match = _ROOTS.search(roots.body) if roots is not None else None
        if match is None:
            return found if transform else sorted(found, key=self._root_order)
        for place, row in enumerate(_ROW.finditer(match[1])):
            listed = objects.get(int(row[1]))
            if listed is not None:
                order.setdefault(listed.instance if listed.stripped else listed.file_id, place)
        return sorted(found, key=lambda file_id: order.get(file_id, len(order)))

    def _root_order(self, file_id: int) -> int:
        item = self.content.objects[file_id]
        if item.class_id == PREFAB_INSTANCE:
            order = next((change.value for change in overrides_of(item) if change.path == "m_RootOrder"), "")
            return int(order) if order.removeprefix("-").isdecimal() and len(order) <= _MOST_DIGITS else 0
        match = _ORDER.search(item.body)
        return int(match[1]) if match is not None else 0

    @cached_property
    def _holders(self) -> dict[int, list[int]]:
        """Objects with children or components in this file, by instance or 0."""
        found: dict[int, dict[int, None]] = {}
        children, components, *_ = self._scanned
        for number in (*children, *components):
            holder = self.content.objects.get(number)
            instance = holder.instance if holder is not None and holder.stripped else 0
            found.setdefault(instance, {})[number] = None
        return {instance: list(numbers) for instance, numbers in found.items()}

    def holders(self, instance: int) -> list[int]:
        """Return objects of an instance (0: none) with additions here."""
        return self._holders.get(instance, [])

    def game_object(self, transform: int) -> int:
        """Return the GameObject of a Transform of this file."""
        known = self._scanned[3].get(transform)
        return self.content.objects[transform].game_object if known is None else known

    def name(self, game_object: int) -> str:
        """Return the name in the document of a GameObject."""
        item = self.content.objects.get(game_object)
        return item.name if item is not None else ""

    def is_active(self, game_object: int) -> bool:
        """Whether the document of a GameObject has it active."""
        item = self.content.objects.get(game_object)
        return item is None or _INACTIVE not in item.body

    def components(self, game_object: int) -> list[Part]:
        """Return a GameObject's components in this file, listed ones first."""
        parts = self._parts.get(game_object)
        if parts is None:
            item = self.content.objects.get(game_object)
            listed = [int(row[1]) for row in _COMPONENT.finditer(item.body)] if item is not None else []
            known = frozenset(listed)
            rest = [number for number in self._scanned[1].get(game_object, ()) if number not in known]
            parts = self._parts[game_object] = [self.part(number) for number in (*listed, *rest)]
        return parts

    def part(self, file_id: int) -> Part:
        """Return a component of this file."""
        item = self.content.objects.get(file_id)
        if item is None:
            return Part(file_id, 0)
        return Part(file_id, item.class_id, "", item.script if item.class_id == MONO_BEHAVIOUR else (0, ""))


class OpenModel:
    """The hierarchy of an imported model, its objects known by path."""

    def __init__(self, content: Imported) -> None:
        self.content = content
        self.removals: Mapping[int, frozenset[int]] = {}
        self._game_objects: dict[str, int] = {}
        self._parts: dict[str, list[Part]] = {}
        self._transforms: dict[str, int] = {}
        self._children: dict[str | None, list[str]] = {}
        # A guess is another fileID of an object that is there, or one that the model may not have.
        for file_id, item in sorted(content.objects.items(), key=lambda pair: not pair[1].certain):
            if item.class_name == "GameObject":
                self._game_objects.setdefault(item.path, file_id)
            elif item.class_name == "Transform" and item.path not in self._transforms:
                self._transforms[item.path] = file_id
                self._parts.setdefault(item.path, []).append(Part(file_id, 0, item.class_name))
            elif item.certain and item.class_name in _ON_GAME_OBJECTS:
                self._parts.setdefault(item.path, []).append(Part(file_id, 0, item.class_name))
        for path in self._game_objects:
            if path in self._transforms:
                above, _, name = path.rpartition("/")
                self._children.setdefault(above if name else None, []).append(path)

    def stand_in(self, instance: int, source: int) -> int:
        """Return an object's fileID here (a model places none)."""
        return (instance ^ source) & _ID_MASK

    def children(self, transform: int) -> list[int]:
        """Return the Transforms below a Transform (0: the root)."""
        if not transform:
            root = self._transforms.get("") if "" in self._game_objects else None
            return [root] if root is not None else []
        item = self.content.objects.get(transform)
        paths = self._children.get(item.path, ()) if item is not None else ()
        return [self._transforms[path] for path in paths]

    def is_certain(self, transform: int) -> bool:
        """Whether the model has a Transform, which is not a guess."""
        return self.content.objects[transform].certain

    @property
    def guesses(self) -> list[tuple[str, int]]:
        """Path and Transform of each GameObject that the model may not have."""
        return [(path, number) for path, number in self._transforms.items() if not self.is_certain(number)]

    def holders(self, instance: int) -> list[int]:  # noqa: ARG002 - as of a text
        """Return nothing: a model places no instance."""
        return []

    def game_object(self, transform: int) -> int:
        """Return the GameObject of a Transform."""
        return self._game_objects[self.content.objects[transform].path]

    def name(self, game_object: int) -> str:
        """Return a GameObject's name; the root has the file's."""
        item = self.content.objects.get(game_object)
        return (item.path.rpartition("/")[2] or self.content.stem) if item is not None else ""

    def is_active(self, game_object: int) -> bool:  # noqa: ARG002 - as of a text
        """Return True: importers make all GameObjects active."""
        return True

    def components(self, game_object: int) -> list[Part]:
        """Return the components of a GameObject."""
        item = self.content.objects.get(game_object)
        return self._parts.get(item.path, []) if item is not None else []


_ON_GAME_OBJECTS: Final = frozenset(
    (
        *("Transform", "MeshFilter", "MeshRenderer", "SkinnedMeshRenderer", "Animator", "Animation"),
        *("Camera", "Light", "LODGroup", "MeshCollider"),
    )
)

Opened = OpenText | OpenModel


class Frame:
    """One file where it is nested, or the requested file.

    Attributes:
        guid: of the file.
        opened: its contents.
        outer: the frame of the file that places it; None for the outermost.
        instance: the PrefabInstance there.
        depth: how many frames are around it.
    """

    def __init__(
        self, guid: str, opened: Opened, outer: Frame | None = None, instance: TextObject | None = None
    ) -> None:
        self.guid = guid
        self.opened = opened
        self.outer = outer
        self.instance = instance
        self.depth: int = outer.depth + 1 if outer is not None else 0

    @cached_property
    def overrides(self) -> Mapping[int, list[Override]]:
        """Values that the instance sets, by fileID of the target."""
        outer = self.outer.opened if self.outer is not None else None
        return outer.overrides(self.instance) if isinstance(outer, OpenText) and self.instance is not None else {}

    @cached_property
    def removed(self) -> frozenset[int]:
        """Objects that the instance removes, by fileID in this file."""
        if self.outer is None or self.instance is None:
            return frozenset()
        return self.outer.opened.removals.get(self.instance.file_id, frozenset())

    def levels(self, file_id: int) -> Iterator[tuple[Frame, int]]:
        """Yield this frame and those around it with an object's fileIDs."""
        frame: Frame | None = self
        while frame is not None:
            yield frame, file_id
            if frame.instance is not None and frame.outer is not None:
                file_id = frame.outer.opened.stand_in(frame.instance.file_id, file_id)
            frame = frame.outer

    def children(self, transform: int) -> list[int]:
        """Return the Transforms below one in this file.

        Of what a model may not have, only that to which a file around it adds something.
        """
        found = self.opened.children(transform)
        if isinstance(self.opened, OpenText) or not transform:
            return found
        return [number for number in found if self.opened.is_certain(number) or number in self._proven]

    @cached_property
    def _proven(self) -> set[int]:
        """Transforms to which files around add something, and those above."""
        if isinstance(self.opened, OpenText) or self.outer is None:
            return set()
        guesses = dict(self.opened.guesses)
        proven = set()
        for path, number in guesses.items():
            owner = self.opened.game_object(number)
            around = [*self.levels(number), *self.levels(owner)]
            if any(
                level is not self and (level.opened.children(own) or level.opened.components(own))
                for level, own in around
            ):
                while path in guesses and guesses[path] not in proven:
                    proven.add(guesses[path])
                    path = path.rpartition("/")[0]  # noqa: PLW2901 - up to the root
        return proven

    def outermost(self, file_id: int) -> int:
        """Return the fileID of an object in the outermost frame."""
        for _, number in self.levels(file_id):
            file_id = number
        return file_id

    def nests(self, guid: str) -> bool:
        """Whether this frame or one around it is of a file."""
        frame: Frame | None = self
        while frame is not None:
            if frame.guid == guid:
                return True
            frame = frame.outer
        return False
