"""Faults that only the merge of two sides would have."""

from __future__ import annotations

from assetdb.unity.merging.envelope import body_start, text_of
from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.judging.refusals import judge_of
from assetdb.unity.yaml.structure import BROKEN_ASSET, FATHER, find_contradictions, find_faults, missing_objects
from assetdb.unity.yaml.tree import UnreadableError, read_tree
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.unity.merging.envelope import Version
    from assetdb.unity.yaml.structure import Fault


class Contested(NamedTuple):
    """A value or object that a fault leaves open.

    Attributes:
        key: of the object.
        place: the keys of the value; nothing for the whole object.
    """

    key: tuple[int, int]
    place: tuple[str, ...]


def new_faults(
    text: bytes, merged: bytes, ours: Version, theirs: Version, settled: frozenset[Contested] = frozenset()
) -> list[Contested]:
    """Return where a merged text has faults that neither side has.

    Args:
        text: the merged text, with line ends LF.
        merged: the file's head and the objects that are neither side's, in which alone lines may be broken.
        ours: one side.
        theirs: the other.
        settled: values and objects that people chose; where a fault leaves open one of them, and something else as
            well, it is that.
    """
    found = [*_contradictions(text), *_broken(text, merged)]
    if not found:
        return []
    judge = judge_of(libyaml=False)  # what a version refuses is in both sides
    sides = text_of(ours), text_of(theirs)
    known = {_sign(fault) for side in sides for fault in (*_contradictions(side), *find_faults(side, judge))}
    new = {_sign(fault): fault for fault in found if _sign(fault) not in known}
    places = [list(_contested(text, fault, ours, theirs)) for fault in new.values()]
    return [next((one for one in found if not {one, one._replace(place=())} & settled), found[0]) for found in places]


def _contradictions(text: bytes) -> list[Fault]:
    """Return contradictions and missing objects, also of unreached objects."""
    return [*missing_objects(text), *find_contradictions(text)]


def _broken(text: bytes, merged: bytes) -> list[Fault]:
    """Return the broken lines of merged objects, with their places."""
    if b"\n--- " not in merged:
        return []
    faults = []
    for fault in find_faults(merged, judge_of(libyaml=False)):
        if fault.code == BROKEN_ASSET:
            start = merged.rfind(b"\n--- ", 0, fault.offset + 1)
            # With its line end: the header of object 10 is the beginning of the header of object 100.
            header = merged[start : merged.find(b"\n", start + 1) + 1]
            faults.append(fault._replace(offset=text.find(header) + fault.offset - start))
    return faults


def _sign(fault: Fault) -> tuple[str, int, str]:
    return fault.code, fault.file_id, fault.detail


def _contested(text: bytes, fault: Fault, ours: Version, theirs: Version) -> Iterator[Contested]:
    """Yield places of a fault or objects it names, likeliest first.

    The place counts if the sides differ there.
    """
    part, start = _object_at(text, fault.offset)
    key, named = (_file_id(part), 0), (fault.file_id, 0)
    if key not in ours.objects or key not in theirs.objects:
        yield Contested(key, ())
    elif place := _differing(part, fault.offset - start, ours, theirs):
        yield Contested(key, place)
    # Only then the whole text is read, which merges with thousands of faults do not afford for each.
    for offset in _circle(text, fault) if key == named and _names_father(part, fault.offset - start) else ():
        part, start = _object_at(text, offset)
        if place := _differing(part, offset - start, ours, theirs):
            yield Contested((_file_id(part), 0), place)
    if ours.objects.get(named) != theirs.objects.get(named):
        yield Contested(named, ())
    yield Contested(key, ())


def _object_at(text: bytes, offset: int) -> tuple[bytes, int]:
    """Return the object around a byte, and where it begins."""
    header = text.rfind(b"\n--- !u!", 0, offset + 1) + 5
    end = text.find(b"\n--- ", header)
    return text[header : end if end >= 0 else len(text)], header


def _file_id(part: bytes) -> int:
    digits = part[part.find(b"&") + 1 : body_start(part)].split(b" ")[0]
    return int(digits) if digits.removeprefix(b"-").isdigit() else 0


def _differing(part: bytes, offset: int, ours: Version, theirs: Version) -> tuple[str, ...]:
    """Return the place at a byte, nothing if the sides agree."""
    key = _file_id(part), 0
    mine, other = ours.objects.get(key), theirs.objects.get(key)
    place = _place(part, offset) if mine is not None and other is not None else ()
    return place if place and _value(mine or b"", place) != _value(other or b"", place) else ()


def _names_father(part: bytes, offset: int) -> bool:
    """Whether a byte of an object is where it names its parent."""
    father = FATHER.search(part)
    return father is not None and father.start(1) == offset


def _circle(text: bytes, fault: Fault) -> Iterator[int]:
    """Yield where the other objects of a circle name their parents.

    The fault names one of them, and either side's value there may leave the circle as it is.
    """
    fathers = {
        file_id: father
        for _, file_id, _, start, end in cut(text)
        if (father := FATHER.search(text, start, end)) is not None
    }
    first = fathers.get(fault.file_id)
    if first is None or first.start(1) != fault.offset:  # another object with its fileID does
        return
    current = int(first[1])
    while current != fault.file_id and current in fathers:
        father = fathers.pop(current)
        yield father.start(1)
        current = int(father[1])


def _place(part: bytes, offset: int) -> tuple[str, ...]:
    """Return class and key of a byte of an object, or nothing."""
    start = body_start(part)
    try:
        tree = read_tree(part[start:] + b"\n")
    except UnreadableError:
        return ()
    for outer in tree.entries:
        for entry in outer.value.entries:
            if entry.start <= offset - start < entry.end:
                return outer.key, entry.key
    return ()


def _value(part: bytes, place: tuple[str, ...]) -> bytes | None:
    """Return the text of a value at a place."""
    body = part[body_start(part) :] + b"\n"
    try:
        outer = read_tree(body).get(place[0])
    except UnreadableError:
        return None
    for entry in outer.entries if outer is not None else ():
        if entry.key == place[1]:
            return body[entry.start : entry.end]
    return None
