"""Numbers of children and roots, which follow from their merged order.

Up to 2022.1 every Transform stores its place among its siblings in ``m_RootOrder``, and an instance in an override of
it. Where both sides changed the order, neither side's numbers are right.
"""

from __future__ import annotations

import re

from assetdb.unity.merging.containers import Step
from assetdb.unity.merging.envelope import class_of, is_stripped
from assetdb.unity.merging.sequences import ordered
from assetdb.unity.referring.reach import INSTANCE, TRANSFORMS
from assetdb.unity.yaml.structure import OF_INSTANCE

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping
    from typing import Final, TypeAlias

    from assetdb.unity.merging.pieces import Piece

    Key: TypeAlias = "tuple[int, int]"
    Objects: TypeAlias = "Mapping[Key, bytes]"

RECOMPUTED: Final = "m_RootOrder from the order of the children"
_ORDER_KEY: Final = b"m_RootOrder"
_ORDER: Final = re.compile(rb"(\n  m_RootOrder: )(-?\d{1,9})")
_OVERRIDE: Final = re.compile(rb"(\n      propertyPath: m_RootOrder\n      value: )(-?\d{1,9})")
_FATHER: Final = re.compile(rb"\n  (?:  m_TransformParent|m_Father): \{fileID: (-?\d{1,20})\}")
_CHILDREN: Final = re.compile(rb"\n  m_Children:((?:\n  - \{fileID: -?\d{1,20}\})+)")
_ROW: Final = re.compile(rb"fileID: (-?\d{1,20})")


def renumbered(merged: MutableMapping[Key, list[Piece]], base: Objects, ours: Objects, theirs: Objects) -> list[Step]:
    """Write numbers anew where both sides changed an order.

    The steps are returned.

    Args:
        merged: the objects of the merge, which are changed.
        base: the objects of the common ancestor.
        ours: the objects of one side.
        theirs: the objects of the other side.
    """
    changed_by_ours = [key for key in {**base, **ours} if base.get(key) != ours.get(key)]
    changed_by_theirs = [key for key in {**base, **theirs} if base.get(key) != theirs.get(key)]
    objects = (base, ours, theirs)
    if not any(_ORDER_KEY in side.get(key, b"") for key in changed_by_ours for side in objects):
        return []
    if not any(_ORDER_KEY in side.get(key, b"") for key in changed_by_theirs for side in objects):
        return []
    steps: list[Step] = []
    for key in set(changed_by_ours).intersection(changed_by_theirs):
        if class_of(ours.get(key, b"")) in TRANSFORMS and len({_children(side.get(key, b"")) for side in objects}) > 2:
            text = _joined(merged.get(key))
            found = _CHILDREN.search(text) if text is not None else None
            for number, row in enumerate(_ROW.finditer(found[1]) if found is not None else ()):
                steps += _numbered(merged, int(row[1]), number)
    if _moves_roots(changed_by_ours, base, ours) and _moves_roots(changed_by_theirs, base, theirs):
        sequences = [_roots(side) for side in objects]
        if sequences[0] not in sequences[1:] and sequences[1] != sequences[2]:
            order = ordered(*sequences) or [*sequences[1], *[k for k in sequences[2] if k not in sequences[1]]]
            present = [key for key in order if _joined(merged.get(key)) is not None]
            for number, root in enumerate(present):
                steps += _write(merged, root, number)
    return steps


def _joined(pieces: list[Piece] | None) -> bytes | None:
    """Return an object's text, None if absent or partly open."""
    if not pieces:
        return None
    texts = [piece for piece in pieces if isinstance(piece, bytes)]
    return b"".join(texts) if len(texts) == len(pieces) else None


def _children(part: bytes) -> bytes:
    found = _CHILDREN.search(part)
    return found[1] if found is not None else b""


def _numbered(merged: MutableMapping[Key, list[Piece]], file_id: int, number: int) -> list[Step]:
    """Write the number of a child, also of a prefab instance."""
    key = (file_id, 0)
    text = _joined(merged.get(key))
    if text is not None and is_stripped(text[4:]):
        instance = OF_INSTANCE.search(text)
        key = (int(instance[1]), 0) if instance is not None else key
    return _write(merged, key, number)


def _write(merged: MutableMapping[Key, list[Piece]], key: Key, number: int) -> list[Step]:
    text = _joined(merged.get(key))
    if text is None:
        return []
    pattern = _OVERRIDE if class_of(text[4:]) == INSTANCE else _ORDER
    found = pattern.search(text)
    if found is None or int(found[2]) == number:
        return []
    merged[key] = [text[: found.start(2)] + b"%d" % number + text[found.end(2) :]]
    return [Step(RECOMPUTED, key[0], ())]


def _root_order(part: bytes) -> int | None:
    """Return the number of a root, None if it is none."""
    class_id = class_of(part)
    if class_id not in (*TRANSFORMS, INSTANCE) or is_stripped(part):
        return None
    father = _FATHER.search(part)
    if father is None or father[1] != b"0":
        return None
    found = (_OVERRIDE if class_id == INSTANCE else _ORDER).search(part)
    return int(found[2]) if found is not None else None


def _moves_roots(changed: list[Key], base: Objects, side: Objects) -> bool:
    return any(_root_order(base.get(key, b"")) != _root_order(side.get(key, b"")) for key in changed)


def _roots(side: Objects) -> list[Key]:
    """Return the roots in their order."""
    numbers = [
        (order, number, key)
        for number, (key, part) in enumerate(side.items())
        if (order := _root_order(part)) is not None
    ]
    return [key for _, _, key in sorted(numbers)]
