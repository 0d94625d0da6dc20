"""Hierarchies of prefabs, scenes and models, with nested prefabs opened.

Depth of data is never depth of recursion: GameObjects that are still to come wait on a stack.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.inspection import find_document
from assetdb.contents.opened import Frame, OpenModel, OpenText
from assetdb.resolve.instances import DANGLING, Imported
from assetdb.unity.yaml.objects import PREFAB_INSTANCE, TextObject
from assetdb.unity.yaml.structure import BROKEN_HIERARCHY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assetdb.contents.opened import Opened, Part
    from assetdb.resolve.instances import Content

CYCLE: Final = "prefab-cycle"
_MOST_STEPS: Final = 300_000
"""Limit of one walk: about three steps for each object, more if it is deeply nested. Two instances a level make 2**n
objects at depth n; L4_City_46080.prefab of EntityComponentSystemSamples has 49,150 objects at depths up to 5."""

_INDENTED: Final = 16
"""Levels that count as a step: thirty prefabs of one fileID, each with the next twice, are 13,000 levels deep."""
_INHERITED: Final = 32
"""Components times nested prefabs that count as a step: 400 prefabs of one fileID add one each to all below."""


class Component(NamedTuple):
    """A component of a GameObject in the requested file.

    Attributes:
        file_id: in the requested file.
        class_id: Unity's class number, 0 if only ``class_name`` is known or nothing has the fileID.
        class_name: for components of models, else ``""``.
        script: (fileID, GUID) of a MonoBehaviour's script.
        guid: of the file that has its document.
        source_id: its fileID there.
        overridden: how many property values instances set.
        added: a file that nests the GameObject adds it.
        removed: a file that nests the GameObject removes it.
    """

    file_id: int
    class_id: int
    class_name: str
    script: tuple[int, str]
    guid: str
    source_id: int
    overridden: int
    added: bool
    removed: bool


class Node(NamedTuple):
    """A GameObject in the requested file.

    Attributes:
        depth: 0 for a root.
        file_id: in the requested file; 0 if the source of an instance is unknown.
        name: with the overrides of all files around it.
        is_active: its own switch, with the overrides of all files around it.
        components: in their order; removed ones too.
        guid: of the file that has its document, or would have.
        source_id: its fileID there, 0 if that is not known.
        instance: fileID, in the requested file, of the innermost PrefabInstance whose root it is, or 0.
        places: GUID of the source of that instance, or ``""``.
        overridden: how many property values of the GameObject itself instances set.
        added: a file that nests its parent adds it.
        removed: a file that nests it removes it, with all that is below.
        reason: why the source of the instance was not opened; ``broken-hierarchy`` if the parent is not in the file or
            the object is its own; else ``""``.
    """

    depth: int
    file_id: int
    name: str
    is_active: bool
    components: tuple[Component, ...]
    guid: str
    source_id: int
    instance: int
    places: str
    overridden: int
    added: bool
    removed: bool
    reason: str


class _Task(NamedTuple):
    """A Transform or PrefabInstance to be listed, or an iterator of such."""

    frame: Frame
    file_id: int
    depth: int
    added: bool = False
    removed: bool = False
    placed: TextObject | None = None
    reason: str = ""
    lost: Iterator[_Task] | None = None


class Hierarchy:
    """The GameObjects of one asset, in the editor's order."""

    def __init__(self, content_of: Callable[[str], Content], guid: str) -> None:
        """Take an asset, and a function from GUIDs to contents or reasons."""
        self._content_of = content_of
        self._opened: dict[str, Opened | str] = {}
        self._guid = guid
        self.truncated = False
        """Whether the last walk ended before all objects were listed."""
        self.left_out: Counter[str] = Counter()
        """How many objects the last walk had not yet reached, by the GUID of the file or nested prefab."""

    def open(self, guid: str) -> Opened | str:
        """Return a file, or the reason why it cannot be opened."""
        known = self._opened.get(guid)
        if known is None:
            content = self._content_of(guid)
            if isinstance(content, str):
                known = content
            else:
                known = OpenModel(content) if isinstance(content, Imported) else OpenText(content)
            self._opened[guid] = known
        return known

    def nodes(
        self, *, nested: bool = True, depth: int | None = None, having: Callable[[Part], bool] | None = None
    ) -> Iterator[Node]:
        """Yield the GameObjects, each before its children.

        Args:
            nested: whether what instances place is opened.
            depth: list only GameObjects with fewer parents.
            having: components are listed only of GameObjects in opened files that have one which this accepts. To
                list all of them takes most of a walk.
        """
        top = self.open(self._guid)
        self.truncated = False
        self.left_out = Counter()
        if isinstance(top, str):
            return
        frame = Frame(self._guid, top)
        listed: set[tuple[Frame, int]] = set()
        stack = [_Task(frame, 0, 0, lost=_unreached(frame, listed))] if depth is None else []
        stack += [_Task(frame, number, 0) for number in reversed(top.children(0))]
        unclaimed = _Unclaimed(self.open)
        steps = 0
        while stack:
            task = stack.pop()
            steps += 1 + task.depth // _INDENTED + (task.frame.depth // 4 if task.lost is None else 0)
            if steps + unclaimed.compared > _MOST_STEPS:
                self.truncated = True
                self.left_out = _prefabs_of((task, *reversed(stack)))
                return
            if task.lost is not None:
                following = next(task.lost, None)
                if following is not None:
                    stack += (task, following)
                continue
            if (task.frame, task.file_id) in listed or (depth is not None and task.depth >= depth):
                continue
            instance = task.frame.opened.content.objects[task.file_id]
            if isinstance(instance, TextObject) and instance.class_id == PREFAB_INSTANCE:
                listed.add((task.frame, task.file_id))
                holders = [(task.frame, number) for number in task.frame.opened.holders(task.file_id)]
                roots = self._enter(task, instance, nested=nested)
                if isinstance(roots, str):
                    holders += unclaimed.of(task.frame, task.file_id)
                    yield _closed(task, instance, roots, holders)
                if depth is None:
                    stack.append(task._replace(lost=_below_unknown(task, holders, listed)))
                stack += roots if isinstance(roots, list) else ()
                continue
            listed.update(task.frame.levels(task.file_id))
            parts = _parts(task)
            steps += len(parts) * task.frame.depth // _INHERITED
            node = _node(task, parts if having is None or any(having(part) for _, part in parts) else ())
            yield node
            stack += reversed(list(_children(task, removed=node.removed)))

    def _enter(self, task: _Task, instance: TextObject, *, nested: bool) -> list[_Task] | str:
        """Return the roots that an instance places, or the reason for none."""
        source = instance.source_prefab
        opened = self.open(source) if nested else ""
        if isinstance(opened, str):
            return opened
        if task.frame.nests(source):
            return CYCLE
        frame = Frame(source, opened, task.frame, instance)
        roots = opened.children(0)
        return [task._replace(frame=frame, file_id=root, placed=instance) for root in reversed(roots)] or DANGLING


def _prefabs_of(tasks: Iterable[_Task]) -> Counter[str]:
    """Count tasks by the GUID of the prefab that each is of."""
    found: Counter[str] = Counter()
    for task in tasks:
        if task.lost is None:
            item = task.frame.opened.content.objects.get(task.file_id)
            found[item.source_prefab if isinstance(item, TextObject) and item.source_prefab else task.frame.guid] += 1
    return found


def _below_unknown(
    task: _Task, holders: Iterable[tuple[Frame, int]], listed: set[tuple[Frame, int]]
) -> Iterator[_Task]:
    """Yield children that files put below objects of an unopened instance."""
    for level, parent in holders:
        if (level, parent) not in listed:
            listed.add((level, parent))
            for number in level.opened.children(parent):
                yield _Task(level, number, task.depth + 1, added=True, removed=task.removed)


def _unreached(frame: Frame, listed: set[tuple[Frame, int]]) -> Iterator[_Task]:
    """Yield, as roots, objects below absent Transforms, then those in cycles."""
    opened = frame.opened
    objects = opened.content.objects
    parents = [number for number in opened.holders(0) if opened.children(number)]
    for parent in parents:
        if parent and parent not in objects and (frame, parent) not in listed:
            for number in opened.children(parent):
                yield _Task(frame, number, 0, reason=BROKEN_HIERARCHY)
    for parent in parents:
        if parent in objects and (frame, parent) not in listed:
            yield _Task(frame, parent, 0, reason=BROKEN_HIERARCHY)


def _children(task: _Task, *, removed: bool) -> Iterator[_Task]:
    """Yield a Transform's children, those that outer files add last."""
    for level, number in task.frame.levels(task.file_id):
        for child in level.children(number):
            yield _Task(level, child, task.depth + 1, level is not task.frame, removed)


def _parts(task: _Task) -> list[tuple[Frame, Part]]:
    """Return the components of a GameObject, those that outer files add last."""
    frame = task.frame
    return [
        (level, part)
        for level, number in frame.levels(frame.opened.game_object(task.file_id))
        for part in level.opened.components(number)
    ]


def _node(task: _Task, parts: Iterable[tuple[Frame, Part]]) -> Node:
    frame = task.frame
    game_object = frame.opened.game_object(task.file_id)
    name, is_active = frame.opened.name(game_object), frame.opened.is_active(game_object)
    is_removed = task.removed
    paths: set[str] = set()
    number = game_object
    for level, number in frame.levels(game_object):
        is_removed = is_removed or number in level.removed
        for change in level.overrides.get(number, ()):
            paths.add(change.path)
            if change.path == "m_Name":
                name = change.value
            elif change.path == "m_IsActive":
                is_active = change.value != "0"
    instance = task.placed
    return Node(
        task.depth,
        number,
        name,
        is_active,
        tuple(_component(level, part, added=level is not frame) for level, part in parts),
        frame.guid,
        game_object,
        frame.outer.outermost(instance.file_id) if instance is not None and frame.outer is not None else 0,
        frame.guid if instance is not None else "",
        len(paths),
        task.added,
        is_removed,
        task.reason,
    )


def _closed(task: _Task, instance: TextObject, reason: str, holders: Iterable[tuple[Frame, int]]) -> Node:
    """Return an instance that is not opened as one object."""
    names = instance.overridden_names()
    source = instance.source_prefab
    components = tuple(
        _component(level, part, added=True) for level, owner in holders for part in level.opened.components(owner)
    )
    return Node(
        depth=task.depth,
        file_id=0,
        name=next(iter(names.values()), ""),
        is_active=True,
        components=components,
        guid=source,
        source_id=0,
        instance=task.frame.outermost(instance.file_id),
        places=source,
        overridden=0,
        added=task.added,
        removed=task.removed,
        reason=reason,
    )


class _Unclaimed:
    """Objects of no opened file to which files further out add something.

    An outer file names such an object by its fileID in the nested prefab, which may have no document of it. Then it is
    unknown which of several unopened instances has the object, and the first one gets it. ``compared`` counts the
    objects that were compared with instances.
    """

    def __init__(self, open_file: Callable[[str], Opened | str]) -> None:
        self._open_file = open_file
        self._left: dict[Frame, list[int]] = {}
        self.compared = 0

    def of(self, frame: Frame, instance: int) -> Iterator[tuple[Frame, int]]:
        """Yield objects of an unopened instance with frames that add to them."""
        inner, instances = frame, [instance]
        while inner.outer is not None and inner.instance is not None:
            level = inner.outer
            if inner not in self._left:
                self._left[inner] = list(self._unresolved(level, inner.instance.file_id, inner.guid))
            for number in tuple(self._left[inner]):
                self.compared += 1
                if _is_in(frame, instances, _source_of(level, number)):
                    self._left[inner].remove(number)
                    yield level, number
            instances.append(inner.instance.file_id)
            inner = level

    def _unresolved(self, level: Frame, instance: int, guid: str) -> Iterator[int]:
        for number in level.opened.holders(instance):
            found = find_document(self._open_file, guid, _source_of(level, number))
            if isinstance(found, str):
                yield number


def _source_of(frame: Frame, number: int) -> int:
    item = frame.opened.content.objects.get(number)
    return item.source.file_id if isinstance(item, TextObject) else 0


def _is_in(frame: Frame, instances: list[int], number: int) -> bool:
    """Whether an object may be in an instance of a frame.

    Args:
        frame: the innermost one.
        instances: in it and in the frames around it, from the inside out.
        number: fileID of the object in the outermost frame.
    """
    frames = [frame]
    while len(frames) < len(instances) and frames[-1].outer is not None:
        frames.append(frames[-1].outer)
    for level, instance in zip(reversed(frames), reversed(instances), strict=True):
        item = level.opened.content.objects.get(number)
        if item is None:
            number = level.opened.stand_in(instance, number)
        elif isinstance(item, TextObject) and item.stripped and item.instance == instance:
            number = item.source.file_id
        else:
            return False
    return True


def _component(frame: Frame, part: Part, *, added: bool) -> Component:
    paths: set[str] = set()
    removed = False
    number = part.file_id
    for level, number in frame.levels(part.file_id):
        paths.update(change.path for change in level.overrides.get(number, ()))
        removed = removed or number in level.removed
    return Component(
        number,
        part.class_id,
        part.class_name,
        part.script,
        frame.guid,
        part.file_id,
        len(paths),
        added,
        removed,
    )
