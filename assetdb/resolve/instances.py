"""Objects of nested prefabs and variants, with names and parents.

An object of a PrefabInstance has the id ``(instance ^ id in the source) & 0x7fff_ffff_ffff_ffff`` in the file that
nests it, with or without a stripped document; the source may nest it in turn (real projects have 9 levels). The id in
the source may be negative, so ``x`` and ``x - 2**63`` are both tried.

Nested data is not read recursively: each question is a generator that yields further ones, driven by a loop. A question
that waits for itself (a prefab that nests itself) is answered with "dangling", and a query has at most 100,000
questions: two instances per level make 2**n candidates at depth n.
"""

from __future__ import annotations

from assetdb.unity.yaml.objects import GAME_OBJECT, PREFAB_INSTANCE, TextObject, TextObjects
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from typing import Final

    from assetdb.unity.engine.file_ids import ImportedObject, LaterObjects

DANGLING: Final = "dangling"
_MASK: Final = (1 << 63) - 1
_QUESTIONS: Final = 100_000
_REMEMBERED: Final = 400_000
_SHOWN_NAMES: Final = 64
_LOCAL_STEPS: Final = 100_000
_ELLIPSIS: Final = (0, "...")


class Imported(NamedTuple):
    """The objects that an importer makes of a file without documents.

    Attributes:
        stem: the file's name without extension, which a model's root object has, too.
        objects: by fileID.
        missing: the reason for other ids.
    """

    stem: str
    objects: dict[int, ImportedObject] | LaterObjects
    missing: str

    @property
    def held(self) -> int:
        """How many objects there may be, without guessing any."""
        return len(self.objects) if isinstance(self.objects, dict) else self.objects.held


class ObjectInfo(NamedTuple):
    """An object that was found.

    Attributes:
        class_id: Unity's class number, 0 if only ``class_name`` is known.
        class_name: for imported objects, else ``""``.
        name: its own name if it is in no hierarchy; else ``""``.
        chain: (fileID, name) of the GameObjects from the root to itself or its own GameObject; at most the last 64.
        script: (fileID, GUID) of a MonoBehaviour's script.
        certain: False if only its id is evidence (see ``assetdb.unity.importers.model``).
    """

    class_id: int
    class_name: str
    name: str
    chain: tuple[tuple[int, str], ...]
    script: tuple[int, str] = (0, "")
    certain: bool = True


Question = tuple[str, int]
Answer = ObjectInfo | str
if TYPE_CHECKING:
    Content = TextObjects | Imported | str
    Asking = Generator[Question, Answer, Answer]
    Chain = tuple[tuple[int, str], ...]


class Instances:
    """Descriptions of objects in text assets and models, cached."""

    def __init__(self, content_of: Callable[[str], Content]) -> None:
        """Take a function from an asset's GUID to content, or a reason."""
        self._content_of = content_of
        self._known: dict[Question, Answer] = {}
        self._overrides: dict[Question, dict[int, str]] = {}

    def describe(self, guid: str, file_id: int) -> Answer:
        """Return the object, or the reason why it is not found."""
        first = guid, file_id
        known = self._known.get(first)
        if known is not None:
            return known
        if len(self._known) > _REMEMBERED:
            self._known.clear()
            self._overrides.clear()
        waiting = {first: self._ask(guid, file_id)}
        stack = [first]
        tainted = False  # an answer that depends on where a cycle was entered is not kept
        found: dict[Question, Answer] = {}
        answer: Answer | None = None
        while True:
            question = stack[-1]
            try:
                asking = waiting[question]
                further = next(asking) if answer is None else asking.send(answer)
            except StopIteration as stop:
                answer = found[question] = stop.value
                stack.pop()
                del waiting[question]
                if not stack:
                    break
                continue
            answer = found.get(further) or self._known.get(further)
            if answer is None:
                if further in waiting or len(found) + len(stack) > _QUESTIONS:
                    answer = DANGLING
                    tainted = True
                else:
                    waiting[further] = self._ask(*further)
                    stack.append(further)
        self._known.update({first: answer} if tainted else found)
        return answer

    def _ask(self, guid: str, file_id: int) -> Asking:
        content = self._content_of(guid)
        if isinstance(content, str):
            return content
        if isinstance(content, Imported):
            return _imported(content, file_id)
        item = content.objects.get(file_id)
        if item is None:
            return (yield from self._from_instances(guid, content, file_id, content.instances))
        if not item.stripped:
            return (yield from self._own(guid, content, item))
        instance = content.objects.get(item.instance)
        source = item.source
        if instance is not None and source.guid:
            answer = yield source.guid, source.file_id
            if isinstance(answer, ObjectInfo):
                return (yield from self._in_parent(guid, instance, answer))
        answer = yield from self._from_instances(guid, content, file_id, content.instances)
        if isinstance(answer, str) and source.guid:
            # Scenes of 2017 and older have stripped objects that belong to no instance.
            found = yield source.guid, source.file_id
            return found if answer == DANGLING or isinstance(found, ObjectInfo) else answer
        return answer

    def _from_instances(
        self, guid: str, content: TextObjects, file_id: int, instances: list[tuple[int, str]]
    ) -> Asking:
        """Find the instance of an object without a document in the file."""
        reason = DANGLING
        held: dict[str, Mapping[int, object] | None] = {}
        for instance, source in instances:
            if source not in held:
                held[source] = self._all_of(source)
            objects = held[source]
            candidate = (file_id ^ instance) & _MASK
            for number in (candidate, candidate - (1 << 63)):
                if objects is not None and number not in objects:
                    continue  # 15,000 questions instead of 313,000 for 98 stale overrides of BoatAttack
                answer = yield source, number
                if isinstance(answer, ObjectInfo):
                    return (yield from self._in_parent(guid, content.objects[instance], answer))
                if answer != DANGLING:
                    reason = answer
        return reason

    def _all_of(self, guid: str) -> Mapping[int, object] | None:
        """Return an asset's objects if other fileIDs dangle, None if unknown."""
        content = self._content_of(guid)
        if isinstance(content, TextObjects):
            return None if content.instances else content.objects
        return content.objects if isinstance(content, Imported) and content.missing == DANGLING else None

    def _in_parent(self, guid: str, instance: TextObject, inner: ObjectInfo) -> Asking:
        """Return an object of the source as the nesting file sees it."""
        if not inner.chain:
            return inner
        prefix = yield from _chain_of(guid, instance.transform_parent)
        key = guid, instance.file_id
        names = self._overrides.get(key)
        if names is None:
            names = self._overrides[key] = instance.overridden_names()
        number = instance.file_id
        chain = [((number ^ there) & _MASK if there else 0, names.get(there, name)) for there, name in inner.chain]
        return inner._replace(chain=_shortened((*prefix, *chain)))

    def _own(self, guid: str, content: TextObjects, item: TextObject) -> Asking:
        """Describe an object with a document in the file."""
        script = item.script if item.class_id == 114 else (0, "")
        owner = item.file_id if item.class_id == GAME_OBJECT else item.game_object
        if item.class_id == PREFAB_INSTANCE:
            return (yield from self._instance(guid, item))
        if not owner:
            return ObjectInfo(item.class_id, "", item.name, (), script)
        names: list[tuple[int, str]] = []
        seen: set[int] = set()
        prefix: Chain = ()
        while owner and owner not in seen and len(seen) < _LOCAL_STEPS:
            seen.add(owner)
            holder = content.objects.get(owner)
            if holder is None or holder.stripped or holder.class_id != GAME_OBJECT:
                prefix = yield from _chain_of(guid, owner)
                break
            names.append((owner, holder.name))
            transform = content.objects.get(holder.transform)
            father = transform.father if transform is not None else 0
            if not father:
                break
            parent = content.objects.get(father)
            if parent is None or parent.stripped:
                prefix = yield from _chain_of(guid, father)
                break
            owner = parent.game_object
        names.reverse()
        return ObjectInfo(item.class_id, "", "", _shortened((*prefix, *names)), script)

    def _instance(self, guid: str, instance: TextObject) -> Asking:
        """Describe a PrefabInstance by the root that it places, or its parent."""
        prefix = yield from _chain_of(guid, instance.transform_parent)
        names = instance.overridden_names()
        name = next(iter(names.values()), "")
        return ObjectInfo(PREFAB_INSTANCE, "", name, prefix)


def _chain_of(guid: str, file_id: int) -> Generator[Question, Answer, Chain]:
    """Return the chain of an object, empty for none."""
    found = (yield guid, file_id) if file_id else ""
    return found.chain if isinstance(found, ObjectInfo) else ()


def _shortened(chain: Chain) -> Chain:
    """Truncate the names of a hierarchy too deep to read."""
    if len(chain) <= _SHOWN_NAMES:
        return chain
    return (_ELLIPSIS, *chain[-_SHOWN_NAMES + 1 :])


def _imported(content: Imported, file_id: int) -> Answer:
    item = content.objects.get(file_id)
    if item is None:
        return content.missing
    from assetdb.unity.engine.file_ids import COMPONENTS  # noqa: PLC0415 - imported already: it has the class of ``item``

    if item.class_name != "GameObject" and item.class_name not in COMPONENTS:
        return ObjectInfo(0, item.class_name, item.path, (), certain=item.certain)
    root = file_id if not item.path and item.class_name == "GameObject" else _root_of(content)
    chain = ((root, content.stem), *((0, name) for name in item.path.split("/") if name))
    return ObjectInfo(0, item.class_name, "", _shortened(chain), certain=item.certain)


def _root_of(content: Imported) -> int:
    for file_id in content.objects:  # one by one: it is among the first, which are certain
        item = content.objects[file_id]
        if not item.path and item.class_name == "GameObject":
            return file_id
    return 0
