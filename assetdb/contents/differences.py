"""Differences of two versions of a file: objects, and their values.

Objects are the same where they have one fileID. Documents whose bytes are equal are not parsed, and of a PrefabInstance
what it overrides is compared for each object that it is about.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.opened import OpenText
from assetdb.contents.overrides import Reference, damaged_overrides, index_of, overrides_of
from assetdb.contents.values import Scalar, read_values
from assetdb.unity.yaml.objects import NOTHING, PREFAB_INSTANCE, TextObjects
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.contents.values import Value
    from assetdb.unity.yaml.objects import Target, TextObject

    Leaf = Scalar | Reference
    Element = tuple[tuple[str, Leaf], ...]
    """A row of a list: its leaves by the path below it."""

ADDED: Final = "added"
REMOVED: Final = "removed"
CHANGED: Final = "changed"
EMPTY: Final = Scalar("[]")
"""The value of a list or mapping without anything in it."""
_NO_OBJECTS: Final = TextObjects(b"")
_MOST_ALIGNED: Final = 300  # rows between the equal ones at both ends; more are compared by their places
_MODIFICATIONS: Final = b"\n    m_Modifications:"
_AFTER_MODIFICATIONS: Final = b"\n    m_"
_DAMAGED: Final = "has overrides that cannot be read"


class ValueChange(NamedTuple):
    """A value that differs.

    Attributes:
        path: of the property; as on the newer side in lists whose rows moved.
        old: None if the older side has none.
        new: None if the newer side has none.
        item: path of the row of a list that one side lacks with all its values, else ``""``.
    """

    path: str
    old: Leaf | None
    new: Leaf | None
    item: str = ""


class ObjectChange(NamedTuple):
    """An object that differs.

    Attributes:
        change: :data:`ADDED`, :data:`REMOVED` or :data:`CHANGED`.
        file_id: of the object; of an overridden one that in the nesting file.
        class_id: Unity's class number; 0 for an overridden object, whose document is elsewhere.
        class_name: of the document, or ``""`` if no values are compared.
        script: ``m_Script`` of a MonoBehaviour.
        instance: fileID of the PrefabInstance whose overrides differ, else 0.
        source: fileID of an overridden object in the source of the instance.
        values: those that differ; none of an object that was added or removed.
        note: why values are not known, else ``""``.
    """

    change: str
    file_id: int
    class_id: int
    class_name: str = ""
    script: Target = NOTHING
    instance: int = 0
    source: int = 0
    values: tuple[ValueChange, ...] = ()
    note: str = ""


def compare_objects(old: TextObjects | None, new: TextObjects | None) -> Iterator[ObjectChange]:
    """Yield the objects that differ, removed ones last.

    The others are in the order of the newer file. Stripped objects are left out: the prefab has their values.
    """
    before, after = old or _NO_OBJECTS, new or _NO_OBJECTS
    opened = OpenText(after)
    for file_id, item in after.objects.items():
        known = before.objects.get(file_id)
        if item.stripped:
            continue
        if known is None or known.stripped:
            yield _alone(ADDED, item)
        elif not _are_same(known, item):
            yield from _of_instance(known, item, opened) if item.class_id == PREFAB_INSTANCE else _changed(known, item)
    for file_id, item in before.objects.items():
        if not item.stripped and (file_id not in after.objects or after.objects[file_id].stripped):
            yield _alone(REMOVED, item)


def compare_values(old: bytes, new: bytes) -> tuple[str, tuple[ValueChange, ...], str]:
    """Return the class, the differing values and a note.

    The note is ``""`` unless a document has more values than are read: then only values of both sides are compared.

    Args:
        old: a document, as :func:`assetdb.contents.values.read_values` takes it.
        new: the other document.

    Raises:
        FormatError: Unity does not read one.
    """
    before, after = read_values(old), read_values(new)
    values = tuple(_compare(before.rows, after.rows))
    if not before.truncated and not after.truncated:
        return after.class_name, values, ""
    values = tuple(row for row in values if row.old is not None and row.new is not None)
    return after.class_name, values, f"only its first {min(len(before.rows), len(after.rows)):,} values are compared"


def _are_same(one: TextObject, other: TextObject) -> bool:
    """Whether documents have equal bytes, but for the file's last line feed."""
    if one.class_id != other.class_id:
        return False
    return one.body == other.body or one.body.removesuffix(b"\n") == other.body.removesuffix(b"\n")


def _alone(change: str, item: TextObject) -> ObjectChange:
    return ObjectChange(change, item.file_id, item.class_id, script=item.script)


def _changed(old: TextObject, new: TextObject) -> Iterator[ObjectChange]:
    found = ObjectChange(CHANGED, new.file_id, new.class_id, script=new.script)
    try:
        name, values, note = compare_values(old.body, new.body)
    except FormatError as error:
        yield found._replace(note=str(error))
        return
    if values or note or old.class_id != new.class_id:
        yield found._replace(class_name=name, values=values, note=note)


# --- values


def _compare(old: Iterable[Value], new: Iterable[Value]) -> Iterator[ValueChange]:
    """Yield the leaves that differ, lists compared row by row."""
    before, after = _lists_of(old), _lists_of(new)
    for base in dict.fromkeys((*after, *before)):
        one, other = before.get(base), after.get(base)
        if one == other:
            continue
        yield from _compare_rows(base, one or {}, other or {})


def _lists_of(rows: Iterable[Value]) -> dict[str, dict[int, list[tuple[str, Leaf]]]]:
    """Return leaves by list and row, -1 for those in none."""
    found: dict[str, dict[int, list[tuple[str, Leaf]]]] = {}
    for row in rows:
        base, bracket, rest = row.path.partition("[")
        number, _, below = rest.partition("]")
        place = index_of(number) if bracket else None
        if place is None:
            base, place, below = row.path, -1, ""
        leaf: Leaf = EMPTY if row.value is None else row.value
        found.setdefault(base, {}).setdefault(place, []).append((below, leaf))
    return found


def _compare_rows(
    base: str, old: dict[int, list[tuple[str, Leaf]]], new: dict[int, list[tuple[str, Leaf]]]
) -> Iterator[ValueChange]:
    whole = [row.pop(-1, []) for row in (old, new)]
    if whole[0] or whole[1]:
        before, after = (
            [leaf for leaf in leaves if not (leaf[1] is EMPTY and other)]
            for leaves, other in ((whole[0], new), (whole[1], old))
        )
        yield from _compare_leaves(base, before, after)
    for place, number in _pairs(old, new):
        path = f"{base}[{place if number is None else number}]"
        one, other = old.get(place, []) if place is not None else [], new.get(number, []) if number is not None else []
        for change in _compare_leaves(path, one, other):
            yield change if one and other else change._replace(item=path)


def _pairs(
    old: dict[int, list[tuple[str, Leaf]]], new: dict[int, list[tuple[str, Leaf]]]
) -> Iterator[tuple[int | None, int | None]]:
    """Yield corresponding rows that may differ, None opposite single ones."""
    before: list[Element] = [tuple(row) for row in old.values()]
    after: list[Element] = [tuple(row) for row in new.values()]
    places, numbers = list(old), list(new)
    if len(before) == len(after):
        yield from zip(places, numbers, strict=True)
        return
    most = min(len(before), len(after))
    head = next((row for row in range(most) if before[row] != after[row]), most)
    tail = next((row for row in range(most - head) if before[-1 - row] != after[-1 - row]), most - head)
    before, after = before[head : len(before) - tail], after[head : len(after) - tail]
    steps: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(before), 0, len(after))]
    if max(len(before), len(after)) <= _MOST_ALIGNED:
        steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for step, start, end, begin, stop in steps:
        if step == "equal":
            continue
        both = min(end - start, stop - begin)
        one, other = places[head + start : head + end], numbers[head + begin : head + stop]
        yield from zip(one[:both], other[:both], strict=True)
        yield from ((place, None) for place in one[both:])
        yield from ((None, number) for number in other[both:])


def _compare_leaves(
    base: str, old: Iterable[tuple[str, Leaf]], new: Iterable[tuple[str, Leaf]]
) -> Iterator[ValueChange]:
    before, after = dict(old), dict(new)
    for below in dict.fromkeys((*after, *before)):
        one, other = before.get(below), after.get(below)
        if one != other:
            yield ValueChange(base + below, one, other)


# --- overrides


def _of_instance(old: TextObject, new: TextObject, opened: OpenText) -> Iterator[ObjectChange]:
    """Yield differences of a PrefabInstance and of its overrides."""
    yield from _changed(
        old._replace(body=_without_overrides(old.body)), new._replace(body=_without_overrides(new.body))
    )
    if damaged_overrides(old) != damaged_overrides(new):
        yield ObjectChange(CHANGED, new.file_id, new.class_id, note=_DAMAGED)
    before, after = _by_target(old), _by_target(new)
    for source in dict.fromkeys((*after, *before)):
        one, other = before.get(source, {}), after.get(source, {})
        if one == other:
            continue
        values = tuple(
            ValueChange(path, one.get(path), other.get(path))
            for path in dict.fromkeys((*other, *one))
            if one.get(path) != other.get(path)
        )
        number = opened.stand_in(new.file_id, source)
        yield ObjectChange(CHANGED, number, 0, instance=new.file_id, source=source, values=values)


def _by_target(instance: TextObject) -> dict[int, dict[str, Leaf]]:
    found: dict[int, dict[str, Leaf]] = {}
    for row in overrides_of(instance):
        is_reference = row.reference.file_id or row.reference.guid
        found.setdefault(row.target, {})[row.path] = row.reference if is_reference else Scalar(row.value)
    return found


def _without_overrides(body: bytes) -> bytes:
    """Return a PrefabInstance without the list of values that it sets."""
    start = body.find(_MODIFICATIONS)
    if start < 0:
        return body
    end = body.find(_AFTER_MODIFICATIONS, start + len(_MODIFICATIONS))
    return body[:start] + (body[end:] if end >= 0 else b"\n")
