"""Merges of one object: maps by key, rows by identity, values.

Depth is bounded: the trees of :mod:`assetdb.unity.yaml.tree` are at most :data:`DEEPEST` levels deep.
"""

from __future__ import annotations

from collections import Counter

from assetdb.unity.merging.pieces import (
    BOTH_ADDED,
    BOTH_CHANGED,
    DICTIONARY,
    FAULT,
    REMOVED_BY_OURS,
    REMOVED_BY_THEIRS,
    ROTATION,
    Conflict,
    rendered,
)
from assetdb.unity.merging.rules import (
    GENERATED,
    OVERRIDES,
    ROOT_ORDER,
    dictionaries,
    identities,
    is_generated_override,
    is_rotation,
    unmoved,
)
from assetdb.unity.merging.sequences import merged_lines, ordered, regions
from assetdb.unity.merging.values import either, is_same, merged_vector
from assetdb.unity.yaml.tree import LIST, MAPPING, TreeEntry
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Final, TypeAlias

    from assetdb.unity.merging.pieces import Piece
    from assetdb.unity.yaml.tree import Tree

    Sides: TypeAlias = "tuple[TreeEntry | None, TreeEntry | None, TreeEntry | None]"
    """Base, ours and theirs."""
    Place: TypeAlias = "tuple[str, ...]"

BOTH_SAME: Final = "both the same"
OURS_ALONE: Final = "ours alone"
THEIRS_ALONE: Final = "theirs alone"
BY_KEY: Final = "map by key"
BY_IDENTITY: Final = "rows by identity"
BY_PLACE: Final = "rows by place"
BY_DICTIONARY: Final = "dictionary by key"
BY_COMPONENT: Final = "vector by component"
GENERATED_VALUE: Final = "generated value"
BY_LINES: Final = "text by lines"
GONE_WITH_TARGET: Final = "override went with its target"

_REPEATED: Final = "data"
"""The key of every entry in the maps of Unity 5."""
_AXES: Final = ("x", "y", "z", "w")
_BOTH: Final = 3
_THEIRS: Final = 2


class Step(NamedTuple):
    """One decision of a merge.

    Attributes:
        rule: the name of its rule.
        file_id: of the object; 0 in a file without objects.
        place: the keys that lead to the value.
    """

    rule: str
    file_id: int
    place: tuple[str, ...]


class ObjectMerge:
    r"""The merge of one object.

    A value that one side changed is that side's, at any depth; one that both changed to different values is a conflict,
    unless a rule (:mod:`assetdb.unity.merging.rules`) knows better.

    >>> from assetdb.unity.yaml.tree import read_tree
    >>> texts = "m_Name: Tree\nm_Layer: 0\n", "m_Name: Oak\nm_Layer: 0\n", "m_Name: Elm\nm_Layer: 8\n"
    >>> base, ours, theirs = (read_tree(text.encode()) for text in texts)
    >>> merge = ObjectMerge(100)
    >>> conflict, *pieces = merge.root(base, ours, theirs)
    >>> conflict.reason, conflict.place, conflict.base, conflict.ours, conflict.theirs
    ('both changed it', ('m_Name',), b'm_Name: Tree\n', b'm_Name: Oak\n', b'm_Name: Elm\n')
    >>> b"".join(pieces), merge.steps[-1]
    (b'm_Layer: 8\n', Step(rule='theirs alone', file_id=100, place=('m_Layer',)))

    Attributes:
        steps: what was decided, in order.
    """

    def __init__(
        self, file_id: int, *, contested: Place = (), without_target: Callable[[str], bool] | None = None
    ) -> None:
        """Prepare a merge.

        Args:
            file_id: of the object.
            contested: the place of a value that becomes a conflict if the sides differ.
            without_target: whether a side removed the target of an override of the other side, by the row's identity.
        """
        self.file_id = file_id
        self.steps: list[Step] = []
        self._contested = contested
        self._torn: frozenset[str] = frozenset()
        self._paired: dict[Place, list[Piece]] = {}
        self._without_target = without_target

    def root(self, base: Tree | None, ours: Tree, theirs: Tree) -> list[Piece] | None:
        """Return merged objects, None if they are no mappings."""
        versions = [version for version in (base, ours, theirs) if version is not None]
        if any(tree.kind != MAPPING or tree.flow for tree in versions):
            return None
        return self._mapping(base, ours, theirs, ())

    # --- entries

    def _entry(self, sides: Sides, place: Place) -> list[Piece]:
        """Return one merged key or row."""
        base, ours, theirs = sides
        if place in self._paired:
            return self._paired.pop(place)
        if place[-1] in self._torn and len(place) > 1 and place[-2] == OVERRIDES:
            return [self._conflict(ROTATION, (*place[:-1], place[-1].rpartition(".")[0]), base, ours, theirs)]
        if ours is None or theirs is None:
            return self._presence(base, ours, theirs, place)
        texts = _text(base), _text(ours), _text(theirs)
        if texts[1] == texts[2]:
            return [texts[1]]
        if self._contested[: len(place)] == place:
            if place == self._contested:
                return [self._conflict(FAULT, place, base, ours, theirs)]
            return self._values(base, ours, theirs, place)
        if base is not None and texts[1] == texts[0]:
            self._note(THEIRS_ALONE, place)
            return [texts[2]]
        if base is not None and texts[2] == texts[0]:
            self._note(OURS_ALONE, place)
            return [texts[1]]
        if _is_block(ours.value) and _is_block(theirs.value) and not _is_generated(place):
            return self._values(base, ours, theirs, place)
        spelled = self._but_for_spelling(base, ours, theirs, place)
        if spelled is not None:
            return spelled
        if _is_generated(place):
            self._note(GENERATED_VALUE, place)
            return [either(texts[1], texts[2])]
        return self._values(base, ours, theirs, place)

    def _but_for_spelling(
        self, base: TreeEntry | None, ours: TreeEntry, theirs: TreeEntry, place: Place
    ) -> list[Piece] | None:
        """Return the merge of values of which two are one, or None."""
        if is_same(ours.value, theirs.value):
            self._note(BOTH_SAME, place)
            return [either(ours.raw, theirs.raw)]
        if base is not None and is_same(base.value, ours.value):
            self._note(THEIRS_ALONE, place)
            return [theirs.raw]
        if base is not None and is_same(base.value, theirs.value):
            self._note(OURS_ALONE, place)
            return [ours.raw]
        return None

    def _values(self, base: TreeEntry | None, ours: TreeEntry, theirs: TreeEntry, place: Place) -> list[Piece]:
        """Return the merge of two values that both sides changed or added."""
        mine, other = ours.value, theirs.value
        before = base.value if base is not None else None
        if before is not None:
            vector = merged_vector(ours.key or place[-1], before, mine, other)
            if vector is not None:
                self._note(BY_COMPONENT, place)
                return [ours.data[ours.start : mine.start] + vector + ours.data[mine.end : ours.end]]
        trees = [tree for tree in (before, mine, other) if tree is not None]
        filled = [tree for tree in trees if tree.entries]
        is_block = bool(filled) and not any(tree.flow for tree in filled) and len({tree.kind for tree in trees}) == 1
        if is_block and len({tree.column for tree in filled}) == 1:
            merge = self._list if mine.kind == LIST else self._mapping
            merged = merge(before, mine, other, place)
            if merged is not None:
                return self._around(base, ours, theirs, merged, place)
        if base is not None and b"\n" in _text(base).rstrip(b"\n"):
            lines = merged_lines(_text(base), _text(ours), _text(theirs))
            if lines is not None:
                self._note(BY_LINES, place)
                return [lines]
        spelled = self._but_for_spelling(base, ours, theirs, place) if is_block else None
        if spelled is not None:
            return spelled
        return [self._conflict(BOTH_CHANGED if base is not None else BOTH_ADDED, place, base, ours, theirs)]

    def _around(
        self, base: TreeEntry | None, ours: TreeEntry, theirs: TreeEntry, merged: list[Piece], place: Place
    ) -> list[Piece]:
        """Return a merged mapping or list behind its key or dash."""
        entry = ours if ours.value.entries else theirs
        start = entry.data[entry.start : entry.value.start]
        if merged:
            is_open = all(isinstance(piece, Conflict) or not piece.strip() for piece in merged)
            if is_open and any(not rendered(merged, choose).strip() for choose in (_our_text, _their_text)):
                return [self._conflict(BOTH_CHANGED, place, base, ours, theirs)]
            return [start, *merged]
        empty = b" []" if entry.value.kind == LIST else b" {}"
        return [start.rstrip() + empty + (b"\r\n" if start.endswith(b"\r\n") else b"\n")]

    def _presence(
        self, base: TreeEntry | None, ours: TreeEntry | None, theirs: TreeEntry | None, place: Place
    ) -> list[Piece]:
        """Return an entry that a side does not have."""
        kept = ours or theirs
        if base is None:
            if self._is_without_target(place):
                return []
            return [_text(kept)]
        if kept is None:
            return []
        if _text(kept) == _text(base) or is_same(kept.value, base.value) or _is_generated(place):
            return []
        if self._is_without_target(place):
            return []
        return [self._conflict(REMOVED_BY_OURS if ours is None else REMOVED_BY_THEIRS, place, base, ours, theirs)]

    def _is_without_target(self, place: Place) -> bool:
        if self._without_target is None or len(place) < 2 or place[-2] != OVERRIDES:
            return False
        if not self._without_target(place[-1]):
            return False
        self._note(GONE_WITH_TARGET, place)
        return True

    def _conflict(
        self, reason: str, place: Place, base: TreeEntry | None, ours: TreeEntry | None, theirs: TreeEntry | None
    ) -> Conflict:
        return Conflict(reason, self.file_id, place, _text(base), _text(ours), _text(theirs))

    def _note(self, rule: str, place: Place) -> None:
        self.steps.append(Step(rule, self.file_id, place))

    # --- mappings and lists

    def _mapping(self, base: Tree | None, ours: Tree, theirs: Tree, place: Place) -> list[Piece] | None:
        """Return a merged mapping, None if its keys are not unique."""
        versions = (base, ours, theirs)
        sides = [_by_key(version) for version in versions]
        if any(version and len(side) < len(version.entries) for side, version in zip(sides, versions, strict=True)):
            keys = {key for side in sides for key in side}
            return self._list(base, ours, theirs, place) if keys == {_REPEATED} else None
        self._note(BY_KEY, place)
        names = [list(side) for side in sides]
        order = ordered(*names) or [*sides[1], *[name for name in sides[2] if name not in sides[1]]]
        for pair in dictionaries(order):
            self._pair(sides, pair, place, b" " * ours.column)
        return self._joined(_versions(sides, order), ours, theirs, place)

    def _pair(self, sides: Sequence[dict[str, TreeEntry]], names: tuple[str, str], place: Place, indent: bytes) -> None:
        """Merge keys with values of a dictionary that both sides changed.

        Each list for itself would give keys the values of others.
        """
        versions = [[side.get(name) for name in names] for side in sides]
        base, ours, theirs = ([_text(entry) for entry in entries] for entries in versions)
        places = [(*place, name) for name in names]
        if ours in (base, theirs) or theirs == base or self._contested in places:
            return
        merged = self._dictionary([_pairs(*entries) for entries in versions], places[1])
        for number, (before, mine, other) in enumerate(zip(*versions, strict=True)):
            if merged is None or mine is None or other is None:
                self._paired[places[number]] = [self._conflict(DICTIONARY, places[number], before, mine, other)]
            else:
                self._paired[places[number]] = self._around(before, mine, other, merged[number], places[number])
        if all(isinstance(self._paired[one][0], Conflict) for one in places) and all(
            _adjoin(side, names) for side in sides
        ):
            both = [indent.join(filter(None, texts)) for texts in (base, ours, theirs)]
            self._paired.update({places[0]: [Conflict(DICTIONARY, self.file_id, places[0], *both)], places[1]: []})

    def _dictionary(
        self, versions: Sequence[dict[str, tuple[TreeEntry, TreeEntry]] | None], place: Place
    ) -> tuple[list[Piece], list[Piece]] | None:
        """Return merged keys and values, None where these leave a question."""
        base, ours, theirs = versions
        if base is None or ours is None or theirs is None:
            return None
        rows = [row for version in (base, ours, theirs) for pair in version.values() for row in pair]
        columns = {_column(row) for row in rows}
        order = ordered(list(base), list(ours), list(theirs))
        if order is None or len(columns) != 1:
            return None
        indent = b" " * columns.pop()
        keys: list[Piece] = []
        values: list[Piece] = []
        self._note(BY_DICTIONARY, place[:-1])
        for name in order:
            before, mine, other = base.get(name), ours.get(name), theirs.get(name)
            kept = mine or other
            if kept is None:
                continue
            pieces: list[Piece] = [kept[1].raw]
            if mine is not None and other is not None:
                pieces = self._entry((before[1] if before is not None else None, mine[1], other[1]), (*place, name))
            elif before is not None:
                if not is_same(before[1].value, kept[1].value):
                    return None
                continue
            keys += [indent, kept[0].raw] if keys else [kept[0].raw]
            values += [indent, *pieces] if values else pieces
        return keys, values

    def _list(self, base: Tree | None, ours: Tree, theirs: Tree, place: Place) -> list[Piece] | None:
        """Return a merged list, None if both sides moved its rows."""
        rows = [tree.entries if tree is not None else [] for tree in (base, ours, theirs)]
        key = place[-1] if place else ""  # of a list in the place of an object's own keys
        named = unmoved(key, rows) if key != OVERRIDES else None
        if named is not None:
            self._note(BY_IDENTITY, place)
            self._torn = frozenset()
            return self._joined([*_runs(named, rows)], ours, theirs, place)
        found = identities(key, rows)
        if found is None:
            return self._rows_by_place((ours if ours.entries else theirs).column, rows, place)
        if not found.is_set and _are_replaced(*found.names):
            return self._rows_by_place((ours if ours.entries else theirs).column, rows, place)
        order = ordered(*found.names)
        if order is None:
            return None
        self._note(BY_IDENTITY, place)
        sides: list[dict[str, TreeEntry]] = []
        for names, entries in zip(found.names, rows, strict=True):
            sides.append(dict(zip(names, entries, strict=True)))
        self._torn = _torn_rotations(sides) if key == OVERRIDES else frozenset()
        return self._joined(_versions(sides, order), ours, theirs, place)

    def _joined(
        self,
        entries: Sequence[tuple[str, Sides]],
        ours: Tree,
        theirs: Tree,
        place: Place,
    ) -> list[Piece] | None:
        """Merge entries one after another, each behind its indentation.

        None if a conflict would leave open whether the line of a dash has a key.
        """
        tree = ours if ours.entries else theirs
        indent = tree.column
        is_inline = bool(tree.data[tree.start - indent : tree.start].strip())
        merged: list[Piece] = []
        before = b" " * indent
        for name, versions in entries:
            _, mine, other = versions
            is_whole = not self._paired or (*place, name) not in self._paired
            # Nearly all of a long list.
            if mine is not None and other is not None and merged and mine.raw == other.raw and is_whole:
                merged += (before, mine.raw)
                continue
            pieces = self._entry(versions, (*place, name))
            if not pieces or pieces == [b""]:
                continue
            if merged:
                merged.append(before)
            elif is_inline and any(isinstance(p, Conflict) and not (p.ours and p.theirs) for p in pieces[:1]):
                return None
            merged += pieces
        return merged

    def _rows_by_place(self, column: int, rows: Sequence[Sequence[TreeEntry]], place: Place) -> list[Piece]:
        """Return a merged list of rows without identity."""
        self._note(BY_PLACE, place)
        indent = b" " * column
        texts = [[row.raw for row in entries] for entries in rows]
        merged: list[Piece] = []

        def add(pieces: Sequence[Piece]) -> None:
            if pieces:
                merged.extend([indent, *pieces] if merged else pieces)

        for region in regions(*texts, strict=False):
            bounds = (region.base, region.ours, region.theirs)
            parts = [text[low:high] for text, (low, high) in zip(texts, bounds, strict=True)]
            if region.sides == _BOTH and parts[1] != parts[2]:
                if len(parts[0]) == len(parts[1]) == len(parts[2]):
                    for number in range(len(parts[0])):
                        before, mine, other = (
                            entries[low + number] for entries, (low, _) in zip(rows, bounds, strict=True)
                        )
                        add(self._entry((before, mine, other), (*place, str(region.ours[0] + number))))
                    continue
                if parts[0]:
                    add([Conflict(BOTH_CHANGED, self.file_id, place, *[indent.join(part) for part in parts])])
                    continue
                left = Counter(parts[1])
                for text in parts[1]:
                    add([text])
                for text in parts[2]:  # what both inserted is there once
                    if left[text]:
                        left[text] -= 1
                    else:
                        add([text])
                continue
            for text in parts[2] if region.sides == _THEIRS else parts[1]:
                add([text])
        return merged


def _is_generated(place: Place) -> bool:
    """Whether Unity computes the value at a place from others."""
    name = place[-1]
    if name in GENERATED or name == ROOT_ORDER:
        return True
    if len(place) > 1 and place[-2] == OVERRIDES:
        path = name.rpartition("\0")[2]
        return is_generated_override(path) or path == ROOT_ORDER
    return len(place) > 2 and place[-3] == OVERRIDES and _is_generated(place[:-1])


def _is_block(tree: Tree) -> bool:
    return bool(tree.entries) and not tree.flow


def _by_key(version: Tree | None) -> dict[str, TreeEntry]:
    if version is None:
        return {}
    return {entry.key: entry for entry in version.entries}


def _versions(sides: Sequence[dict[str, TreeEntry]], names: Sequence[str]) -> list[tuple[str, Sides]]:
    base, ours, theirs = sides
    return [(name, (base.get(name), ours.get(name), theirs.get(name))) for name in names]


def _runs(named: Mapping[int, str], rows: Sequence[Sequence[TreeEntry]]) -> Iterator[tuple[str, Sides]]:
    """Yield rows that differ, and each run of others as one."""
    base, ours, theirs = rows
    done = 0
    for place in (*named, len(ours)):
        if place > done:
            run = TreeEntry(ours[0].data, "", ours[done].start, ours[place - 1].end, None)
            yield "", (run, run, run)
        if place in named:
            yield named[place], (base[place], ours[place], theirs[place])
        done = place + 1


def _pairs(keys: TreeEntry | None, values: TreeEntry | None) -> dict[str, tuple[TreeEntry, TreeEntry]] | None:
    """Return rows of two lists by key, None without a dictionary."""
    if keys is None and values is None:
        return {}
    lists = [entry.value for entry in (keys, values) if entry is not None]
    if len(lists) < 2 or any(tree.kind != LIST or (tree.flow and tree.entries) for tree in lists):
        return None
    rows = {
        key.raw.strip().decode("utf-8", "replace").removeprefix("- "): (key, value)
        for key, value in zip(lists[0].entries, lists[1].entries, strict=False)
    }
    return rows if len(lists[0].entries) == len(lists[1].entries) == len(rows) else None


def _adjoin(side: dict[str, TreeEntry], names: tuple[str, str]) -> bool:
    """Whether a side has both entries as neighbours, or neither."""
    keys = list(side)
    found = [keys.index(name) for name in names if name in side]
    return not found or (len(found) == 2 and found[1] == found[0] + 1)


def _column(row: TreeEntry) -> int:
    return row.start - row.data.rfind(b"\n", 0, row.start) - 1


def _text(side: TreeEntry | None) -> bytes:
    return side.raw if side is not None else b""


def _our_text(conflict: Conflict) -> bytes:
    return conflict.ours


def _their_text(conflict: Conflict) -> bytes:
    return conflict.theirs


def _are_replaced(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether a row of the base may have two new names."""
    known, mine, other = set(base), set(ours), set(theirs)
    return bool(known - mine - other and mine - known - other and other - known - mine)


def _torn_rotations(sides: Sequence[dict[str, TreeEntry]]) -> frozenset[str]:
    """Return the rows of rotations that both sides overrode differently."""
    groups: dict[str, list[str]] = {}
    for name in {name for side in sides for name in side}:
        path, dot, axis = name.rpartition(".")
        field = path.rpartition("\0")[2]
        if dot and axis in _AXES and is_rotation(field) and not is_generated_override(field):
            groups.setdefault(path, []).append(name)
    torn: set[str] = set()
    for names in groups.values():
        base, ours, theirs = ({name: _text(side.get(name)) for name in names} for side in sides)
        if ours not in (base, theirs) and theirs != base:
            torn.update(names)
    return frozenset(torn)
