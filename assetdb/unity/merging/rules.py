"""Unity's fields: identities of rows, generated values, rotations."""

from __future__ import annotations

import re

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Final

    from assetdb.unity.yaml.tree import Tree, TreeEntry

GENERATED: Final = frozenset({"m_LocalEulerAnglesHint", "m_currentHash", "totalSpriteSurfaceArea"})
"""Values that Unity computes from others."""
ROOT_ORDER: Final = "m_RootOrder"
OVERRIDES: Final = "m_Modifications"
_SETS: Final = frozenset({"m_Children", "m_Component", "m_Roots", "m_RemovedComponents", "m_RemovedGameObjects"})
"""Lists of references in which none is twice, and each stands for itself."""
_VECTORS: Final = (("x", "y"), ("x", "y", "z"), ("r", "g", "b", "a"))
_ROTATIONS: Final = ("rotation", "euler")
# A reading of each row takes 0.2 ms, of 50,000 of them in three versions half a minute.
_OVERRIDE: Final = re.compile(
    rb"- target: \{fileID: (-?\d{1,20})(?:, guid: ([0-9a-f]{32}),\s{1,20}type: (\d))?\}"
    rb"\n *propertyPath: ([^\s'\"][^\n'\"]*)\n *value:"
)
_DICTIONARY: Final = (("keys", "values"), ("Keys", "Values"))
_NUMBERED: Final[tuple[tuple[str, ...], ...]] = (("target", "propertyPath"), ("addedObject",), ("rid",))
"""Keys whose values nobody changes: another value is another row."""
_IDENTITIES: Final[tuple[tuple[str, ...], ...]] = (
    *_NUMBERED,
    ("id",),
    ("guid",),
    ("first",),
    ("name",),
    ("m_Name",),
)


def dictionaries(names: Collection[str]) -> list[tuple[str, str]]:
    """Return pairs of fields: keys and values of one dictionary.

    Unity writes none itself; the classes that do it for the Inspector write ``m_Keys``, ``_keys`` or ``keys``.
    """
    pairs = [
        (name, name[: -len(keys)] + values) for keys, values in _DICTIONARY for name in names if name.endswith(keys)
    ]
    return [pair for pair in pairs if pair[1] in names]


def is_rotation(key: str) -> bool:
    """Whether the components of a field of this name belong together."""
    lowered = key.lower()
    return any(word in lowered for word in _ROTATIONS)


def is_vector(keys: Sequence[str], name: str) -> bool:
    """Whether the components of a value in braces are independent.

    A rotation's belong together. Four of them, x to w, are one, or cannot be told from one.
    """
    return tuple(keys) in _VECTORS and not is_rotation(name)


def is_generated_override(path: str) -> bool:
    """Whether an instance overrides a generated value."""
    return path.partition(".")[0] in GENERATED


class Identities(NamedTuple):
    """Identities of the rows of a list.

    Attributes:
        names: of base, ours and theirs: a text for each row.
        is_set: whether a row that both replaced is two new rows, and not one with two new names.
    """

    names: list[list[str]]
    is_set: bool


def identities(key: str, lists: Sequence[Sequence[TreeEntry]]) -> Identities | None:
    """Return the identities of a list's rows, None if they have none.

    A row that is nothing but a reference or a name has none, for a change of it would be a removal and an addition. A
    row that all versions have is not read: its text is its identity.

    Args:
        key: of the list.
        lists: the rows of base, ours and theirs.
    """
    texts = [[row.raw for row in entries] for entries in lists]
    unread = set(texts[0]).intersection(*texts[1:])
    changed = [[row for row in entries if row.raw not in unread] for entries in lists]
    if any(len(set(names)) < len(names) for names in texts):
        return None
    found = _of_changed(key, changed, lists)
    if found is None or [len(names) for names in found.names] == [len(entries) for entries in lists]:
        return found
    named = [iter(names) for names in found.names]
    names = [
        [text.decode("utf-8", "surrogateescape") if text in unread else next(left) for text in versions]
        for versions, left in zip(texts, named, strict=True)
    ]
    return Identities(names, found.is_set)


def unmoved(key: str, lists: Sequence[Sequence[TreeEntry]]) -> dict[int, str] | None:
    """Return the identities of the rows that differ, by place.

    None unless all versions have the same rows in the same order: then rows between these are one piece of text.
    Arguments are as of :func:`identities`.
    """
    base, ours, theirs = ([row.raw for row in entries] for entries in lists)
    if not len(base) == len(ours) == len(theirs):
        return None
    places = [number for number, texts in enumerate(zip(base, ours, theirs, strict=True)) if len({*texts}) > 1]
    if any(len({*texts}) < len(texts) for texts in (base, ours, theirs)):
        return None
    found = _of_changed(key, [[entries[place] for place in places] for entries in lists], lists)
    if found is None or len(found.names[0]) != len(places) or found.names[1:] != [found.names[0]] * 2:
        return None
    return dict(zip(places, found.names[0], strict=True))


def _of_changed(
    key: str, lists: Sequence[Sequence[TreeEntry]], whole: Sequence[Sequence[TreeEntry]]
) -> Identities | None:
    """Return the identities of changed rows, or of all rows."""
    rows = [row for entries in lists for row in entries]
    if not rows:
        return None
    if key == OVERRIDES:
        names = [[_override(row.raw) for row in entries] for entries in lists]
        if not any("" in found for found in names):
            return _unique(names, is_set=True)
    if key in _SETS:
        return _unique([[_reference(row.value) for row in entries] for entries in lists], is_set=True)
    if any(not row.value.entries or row.value.flow for row in rows):
        return None
    if all(len(row.value.entries) == 1 for row in rows):
        return _unique([[row.value.entries[0].key for row in entries] for entries in lists], is_set=True)
    present = [entry.key for entry in rows[0].value.entries]
    for keys in _IDENTITIES:
        if set(keys) <= set(present):
            found = _unique(
                [[_identity(row.value, keys) for row in entries] for entries in lists], is_set=keys in _NUMBERED
            )
            if found is not None:
                return found
    for name in present:
        found = _unique([[_identity(row.value, (name,)) for row in entries] for entries in whole], is_set=False)
        if found is not None and _keeps_order(found.names):
            return found
    return None


def _override(row: bytes) -> str:
    """Return the identity of an override as Unity writes it, or ``""``."""
    found = _OVERRIDE.match(row)
    if found is None:
        return ""
    file_id, guid, kind, path = (
        group.decode("utf-8", "replace") if group is not None else "" for group in found.groups()
    )
    asset = f"\1type:{kind}\1guid:{guid}" if guid else ""
    return f":{asset}\1fileID:{file_id}\0{path}"


def _keeps_order(found: Sequence[Sequence[str]]) -> bool:
    """Whether both sides kept the base's rows, in order."""
    base = list(found[0])
    in_base = set(base)
    return all([name for name in side if name in in_base] == base for side in found[1:])


def _identity(tree: Tree, keys: Sequence[str]) -> str:
    """Return some keys' values as one text, ``""`` if one is absent."""
    texts = []
    for key in keys:
        value = tree.get(key)
        text = identity_of(value) if value is not None else ""
        if not text:
            return ""
        texts.append(text)
    return "\0".join(texts)


def _reference(tree: Tree) -> str:
    """Return a row's reference, behind a key where it has one (``component:``)."""
    if len(tree.entries) == 1 and not tree.flow:
        tree = tree.entries[0].value
    return identity_of(tree) if tree.flow and tree.get("fileID") is not None else ""


def identity_of(tree: Tree) -> str:
    """Return a value as one text."""
    if not tree.entries:
        return tree.text
    parts = []
    waiting = [("", tree)]
    while waiting:
        key, found = waiting.pop()
        parts.append(f"{key}:{found.text}")
        waiting += [(entry.key, entry.value) for entry in found.entries]
    return "\1".join(parts)


def _unique(found: list[list[str]], *, is_set: bool) -> Identities | None:
    """Return the identities if every row has its own."""
    for names in found:
        if "" in names or len(set(names)) < len(names):
            return None
    return Identities(found, is_set)
