"""Values and overrides that go with a removed object."""

from __future__ import annotations

import re

from assetdb.unity.merging.rules import OVERRIDES, identity_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from assetdb.unity.yaml.tree import Tree

_GENERATED: Final = re.compile(rb"\n  m_(?:RootOrder|LocalEulerAnglesHint): [^\n]*")
_INSTANCE: Final = b"\n  m_Modification:"
_REMOVED: Final = ("m_RemovedComponents", "m_RemovedGameObjects")


def without_generated(part: bytes) -> bytes:
    """Return an object without values that changes of others change."""
    return _GENERATED.sub(b"", part)


def targets_removed(base: Tree | None, ours: Tree | None, theirs: Tree | None) -> frozenset[str]:
    """Return the identities of overrides without a target.

    The other side removed it from the instance.
    """
    if base is None or ours is None or theirs is None or _INSTANCE not in ours.data:
        return frozenset()
    before = _removed(base)
    removed: set[str] = set()
    for remover, other in ((ours, theirs), (theirs, ours)):
        targets = _removed(remover) - before
        if targets:
            removed.update(name for name, target in _overrides(other) if target in targets)
    return frozenset(removed)


def _lists(tree: Tree, keys: tuple[str, ...]) -> Iterator[Tree]:
    """Yield lists of an instance, which lie in ``m_Modification``."""
    for entry in tree.entries:
        modification = entry.value.get("m_Modification")
        for key in keys:
            found = modification.get(key) if modification is not None else None
            if found is not None:
                yield found


def _removed(tree: Tree) -> set[str]:
    return {identity_of(row.value) for rows in _lists(tree, _REMOVED) for row in rows.entries}


def _overrides(tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield identity and target of each override."""
    for rows in _lists(tree, (OVERRIDES,)):
        for row in rows.entries:
            target, path = row.value.get("target"), row.value.get("propertyPath")
            if target is not None and path is not None:
                text = identity_of(target)
                yield f"{text}\0{path.text}", text
