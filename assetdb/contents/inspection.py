"""Values of one object with the overrides of nesting files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.opened import Frame, OpenModel
from assetdb.contents.overrides import MOST_DIGITS, Reference, index_of
from assetdb.contents.values import Scalar, Value, Values, read_values
from assetdb.resolve.instances import DANGLING
from assetdb.unity.yaml.objects import TextObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.contents.opened import Opened
    from assetdb.contents.overrides import Override

_MOST_STEPS: Final = 100_000
_NOTHING: Final = Reference(0, "")
_LONGEST_ARRAY: Final = 10_000
_MOST_MOVED: Final = 2_000_000
"""Rows that overrides of one object may copy or move, for half a second; one that adds a value moves all of them."""
_MASK: Final = (1 << 63) - 1


class DocumentPlace(NamedTuple):
    """The place of a document: a frame and a fileID there."""

    frame: Frame
    item: TextObject


class ImportedPlace(NamedTuple):
    """The place of an imported object, which has no document."""

    frame: Frame
    file_id: int
    class_name: str


class Setting(NamedTuple):
    """One step of the chain that decides a value.

    Attributes:
        guid: of the file that sets it.
        instance: fileID, in that file, of the PrefabInstance that does.
        value: the new value; references as in the requested file.
    """

    guid: str
    instance: int
    value: Scalar | Reference


class Property(NamedTuple):
    """A value of an object.

    Attributes:
        path: from below the class's name: ``m_LocalPosition.x``, ``m_Materials[0]``.
        value: with all overrides; None for an empty list or mapping.
        group: the path of the vector that it is part of, or ``""``.
        base: as the document has it, None if it has none.
        settings: of the files around the document, from the inside out; the last one counts.
    """

    path: str
    value: Scalar | Reference | None
    group: str
    base: Scalar | Reference | None
    settings: tuple[Setting, ...]


class Inspected(NamedTuple):
    """An object with its values.

    Attributes:
        class_name: as the document has it, or of an imported object.
        guid: of the file that has the document, or the object.
        source_id: its fileID there.
        properties: in the order of the document; what only overrides set comes last of its group.
        truncated: whether the document, or what overrides set, has more.
        repeated: paths of keys that the document has more than once, as a bad merge leaves them.
    """

    class_name: str
    guid: str
    source_id: int
    properties: list[Property]
    truncated: bool
    repeated: tuple[str, ...]


def find_document(
    open_file: Callable[[str], Opened | str], guid: str, file_id: int
) -> DocumentPlace | ImportedPlace | str:
    """Return the place of an object, or the reason for none.

    Args:
        open_file: returns the file of a GUID, or the reason why it cannot be opened.
        guid: of the requested file.
        file_id: of the object as that file has it, which a nested prefab may bring.
    """
    top = open_file(guid)
    if isinstance(top, str):
        return top
    reason = DANGLING
    imported: ImportedPlace | None = None
    stack: list[tuple[Frame, int]] = [(Frame(guid, top), file_id)]
    for _ in range(_MOST_STEPS):
        if not stack:
            break
        frame, number = stack.pop()
        item = frame.opened.content.objects.get(number)
        if isinstance(item, TextObject) and not item.stripped:
            return DocumentPlace(frame, item)
        if item is not None and not isinstance(item, TextObject):
            imported = imported or ImportedPlace(frame, number, item.class_name)
            continue
        for source, inner, instance in reversed(list(_inner_ids(frame, number, item))):
            opened = open_file(source)
            if isinstance(opened, str):
                reason = opened if reason == DANGLING else reason
            elif not frame.nests(source) and _may_have(opened, inner):
                stack.append((Frame(source, opened, frame if instance is not None else None, instance), inner))
    return imported or reason


def _inner_ids(frame: Frame, number: int, item: object) -> Iterator[tuple[str, int, TextObject | None]]:
    """Yield GUID, fileID and PrefabInstance of an object's possible sources."""
    if isinstance(frame.opened, OpenModel):
        return
    content = frame.opened.content
    if isinstance(item, TextObject) and item.source.file_id:
        instance = content.objects.get(item.instance)
        source = instance.source_prefab if instance is not None else item.source.guid
        if source:
            yield source, item.source.file_id, instance
        return
    for instance_id, source in content.instances:
        inner = (number ^ instance_id) & _MASK
        for candidate in (inner, inner - (1 << 63)):
            yield source, candidate, content.objects[instance_id]


def _may_have(opened: Opened, number: int) -> bool:
    return number in opened.content.objects or (not isinstance(opened, OpenModel) and bool(opened.content.instances))


def inspect(place: DocumentPlace | ImportedPlace) -> Inspected:
    """Return the values of an object with all overrides.

    Of an imported object, files have the overrides alone.

    Raises:
        FormatError: Unity does not read its document.
    """
    frame = place.frame
    if isinstance(place, ImportedPlace):
        file_id, read = place.file_id, Values(place.class_name, [], truncated=False)
    else:
        file_id, read = place.item.file_id, read_values(place.item.body)
    table = _Table(read.rows, frame)
    for level, number in frame.levels(file_id):
        if level.outer is not None and level.instance is not None:
            for change in level.overrides.get(number, ()):
                table.apply(change, level.outer, level.instance.file_id)
            parent = level.instance.transform_parent
            table.place(Reference(level.outer.outermost(parent), "") if parent else _NOTHING)
    truncated = read.truncated or table.truncated
    return Inspected(read.class_name, frame.guid, file_id, list(table.rows.values()), truncated, read.repeated)


class _Table:
    """Values by path, while overrides are applied to them."""

    def __init__(self, rows: list[Value], frame: Frame) -> None:
        self.rows: dict[str, Property] = {}
        self._moved = 0
        for row in rows:
            value = _as_outermost(row.value, frame) if isinstance(row.value, Reference) else row.value
            self.rows[row.path] = Property(row.path, value, row.group, value, ())

    @property
    def truncated(self) -> bool:
        """Whether some overrides were left out."""
        return self._moved > _MOST_MOVED

    def _may_move(self, count: int) -> bool:
        """Whether so many more rows may be copied or moved."""
        self._moved += count
        return not self.truncated

    def place(self, parent: Reference) -> None:
        """Set the parent of a root that an instance places."""
        known = self.rows.get("m_Father")
        if known is not None and known.value == _NOTHING and parent.file_id:
            self.rows["m_Father"] = known._replace(value=parent)

    def apply(self, change: Override, outer: Frame, instance: int) -> None:
        """Set a value as an instance of the file ``outer`` does."""
        if change.path.endswith(".size") and change.value.isdecimal() and change.path not in self.rows:
            self._resize(change.path.removesuffix(".size"), int(change.value[:MOST_DIGITS]))
            return
        known = self.rows.get(change.path)
        is_reference = change.reference.file_id != 0 or (known is not None and isinstance(known.value, Reference))
        value = _as_outermost(change.reference, outer) if is_reference else Scalar(change.value)
        setting = Setting(outer.guid, instance, value)
        if not self._may_move(len(self.rows if known is None else known.settings)):
            return
        if known is None:
            known = Property(change.path, None, self._group_of(change.path), None, ())
            self._insert(known)
        self.rows[change.path] = known._replace(value=value, settings=(*known.settings, setting))

    def _group_of(self, path: str) -> str:
        above = path.rpartition(".")[0]
        return above if above and any(row.group == above for row in self.rows.values()) else ""

    def _insert(self, new: Property) -> None:
        """Insert a value behind the last one with the same parent."""
        above = new.path.rpartition("[")[0] if new.path.endswith("]") else new.path.rpartition(".")[0]
        self.rows.pop(above, None)  # the empty list or mapping that it was
        rows = list(self.rows.values())
        place = len(rows)
        if above:
            own = [number for number, row in enumerate(rows) if row.path.startswith((f"{above}[", f"{above}."))]
            place = own[-1] + 1 if own else place
        rows.insert(place, new)
        self.rows = {row.path: row for row in rows}

    def _resize(self, path: str, size: int) -> None:
        """Cut an array, or repeat its last element as the editor does."""
        if not self._may_move(len(self.rows)):
            return
        rows = list(self.rows.values())
        elements: dict[int, list[Property]] = {}
        kept: list[Property] = []
        for row in rows:
            digits = row.path[len(path) + 1 :].partition("]")[0] if row.path.startswith(f"{path}[") else ""
            number = index_of(digits)
            if number is not None:
                elements.setdefault(number, []).append(row)
            if number is None or number < size:
                kept.append(row)
            elif not size:  # one row for all, as the result is by path
                kept.append(self.rows.get(path, Property(path, None, "", None, ())))
        count = len(elements)
        last = elements.get(count - 1, [])
        if last and count < size <= _LONGEST_ARRAY and self._may_move(len(last) * (size - count)):
            old = f"{path}[{count - 1}]"
            added = [
                row._replace(
                    path=f"{path}[{number}]{row.path[len(old) :]}",
                    group=f"{path}[{number}]{row.group[len(old) :]}" if row.group.startswith(old) else row.group,
                    base=None,
                    settings=(),
                )
                for number in range(count, size)
                for row in last
            ]
            place = max(number for number, row in enumerate(kept) if row.path.startswith(old)) + 1
            kept[place:place] = added
        self.rows = {row.path: row for row in kept}


def _as_outermost(reference: Reference, frame: Frame) -> Reference:
    """Return a reference as the outermost file has it."""
    if reference.guid or not reference.file_id:
        return reference
    return Reference(frame.outermost(reference.file_id), "")
