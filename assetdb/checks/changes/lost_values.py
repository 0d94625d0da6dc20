"""Fields that a change takes while assets still store them.

Unity reads a value by the name of its field, and forgets it without a word where no field has the name.
"""

from __future__ import annotations

import os
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import counted, listed
from assetdb.checks.field_users import is_class_of_file, users_of_fields
from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import Sources
from assetdb.diagnostics.codes import NOTE
from assetdb.history.git.entries import FILE
from assetdb.history.git.objects import read_blobs
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.settings.project import asset_prefix
from assetdb.unity.scripts.csharp import read_source

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from assetdb.checks.field_users import FieldUse
    from assetdb.history.git.entries import Entries
    from assetdb.history.git.repository import Repository
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.scripts.csharp import Declaration

LOST_VALUE: Final = "lost-value"
SOURCES: Final = (":(glob)**/*.cs",)
_CODE: Final = b".cs"
_LARGEST: Final = 1 << 24  # bytes of a C# file; generated ones have a few MB
_SHOWN: Final = 3
_LIKE: Final = 0.6  # similarity of two names, of which one may be the other's new one
_BACKING: Final = ">k__BackingField"
_NUMBERS: Final = frozenset(
    [
        "bool",
        "byte",
        "sbyte",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "float",
        "double",
        "char",
        "Boolean",
        "Byte",
        "Int16",
        "Int32",
        "Int64",
        "Single",
        "Double",
    ]
)
_TEXTS: Final = frozenset(("string", "String"))
_COLLECTIONS: Final = frozenset(
    ("Dictionary", "SortedDictionary", "HashSet", "SortedSet", "Queue", "Stack", "LinkedList", "ConcurrentDictionary")
)
_REFERENCES: Final = "references."  # of SerializeReference, whose objects need no field of their type
_STRUCTS: Final = frozenset(
    (
        *("Vector2", "Vector3", "Vector4", "Vector2Int", "Vector3Int", "Color", "Color32", "Quaternion"),
        *("Rect", "RectInt", "Bounds", "Matrix4x4"),
    )
)


class _Change(NamedTuple):
    """The fields of one type that a change took or retyped.

    Attributes:
        declared: the type now.
        removed: types of the removed fields, by name.
        added: types of the new fields, by name.
        retyped: old and new type of fields that keep their name.
        hidden: fields that stay and are no longer serialized, and why.
        is_unserializable: whether the type itself is no longer ``[Serializable]``.
        script: GUID of its file, where the project has another type of its name; else ``""``.
    """

    declared: Declaration
    removed: dict[str, str]
    added: dict[str, str]
    retyped: dict[str, tuple[str, str]]
    hidden: dict[str, str]
    is_unserializable: bool
    script: str = ""

    @property
    def fields(self) -> set[str]:
        """Names of fields with values that are lost, if assets store any."""
        return {*self.removed, *self.retyped, *self.hidden}


def find_lost_values(
    after: Snapshot, before: Mapping[str, bytes], only: Collection[str] | None = None
) -> list[Finding]:
    """Return findings for the fields with values that a change loses.

    There is one for each field that the change renames, retypes or hides, and one for all that it plainly removes from
    a type. A plain removal is mostly meant, and a note.

    Args:
        after: the project with the change.
        before: the former bytes of the C# files that the change touches, by path.
        only: paths of assets to look at; all if absent.
    """
    if not before:
        return []
    view = View(memo_of(after).inputs(after))
    sources = Sources(view)
    changes = list(_changes(sources, before))
    found = []
    for path, change in changes:
        owner = change.declared.name
        uses = users_of_fields(view, sources, {owner: change.fields}, change.script)
        if only is not None:
            uses = {key: [use for use in rows if use.path in only] for key, rows in uses.items()}
        stored = {name: rows for name in sorted(change.fields) if (rows := uses.get((owner, name)))}
        for name, message, is_meant in _messages(change, stored):
            row = Finding.of(LOST_VALUE, path, message, change.declared.line, "", name, sources.guids.get(path, ""))
            found.append(row._replace(severity=NOTE) if is_meant else row)
    return found


def former_sources(repository: Repository, entries: Entries, root: str) -> dict[str, bytes]:
    """Return the C# of one side that differs on another, by path.

    Raises:
        HistoryError: git fails.
    """
    rows = [
        (path, entry.oid)
        for path, entry in entries.items()
        if path.lower().endswith(_CODE) and entry and entry.kind == FILE
    ]
    prefix = asset_prefix(root)
    blobs = zip(rows, read_blobs(repository, [oid for _, oid in rows]), strict=True)
    return {
        prefix + os.fsdecode(path): b"".join(blob.pieces())
        for (path, _), blob in blobs
        if blob is not None and blob.size <= _LARGEST
    }


def _changes(sources: Sources, before: Mapping[str, bytes]) -> Iterator[tuple[str, _Change]]:
    """Yield path and change of each type that certainly lost a field."""
    old: dict[object, list[Declaration]] = {}
    for data in before.values():
        for each in read_source(data).types:
            old.setdefault(each.identity, []).append(each)
    for identity, parts in sorted(old.items(), key=repr):
        called_so = list(_declarations(sources, parts[0].name))
        rows = [row for row in called_so if row[1].identity == identity]
        declared = [each for _, each in rows]
        if not rows or any(each.unclear for each in (*parts, *(each for _, each in called_so))):
            continue  # the type went, or may be another one: no proof
        path = rows[0][0]
        script = ""
        if len(rows) < len(called_so):  # pixel-adventure has a CameraController, and TextMesh Pro's examples another
            if len(rows) > 1 or not is_class_of_file(sources, path, parts[0].name):
                continue
            script = sources.guids.get(path, "")
        untouched = [each for path, each in rows if path not in before]  # other parts of a partial type
        change = _change(sources, [*parts, *untouched], declared, _inherited(sources, parts[0].name))
        if change.fields and (script or len(rows) == len(called_so)):
            yield path, change._replace(script=script)


def _declarations(sources: Sources, name: str) -> Iterator[tuple[str, Declaration]]:
    """Yield path and declaration of all types with a name."""
    for path in dict.fromkeys(path for path, _ in sources.mentions(name)):
        yield from ((path, each) for each in sources.source(path).types if each.name == name)


def _inherited(sources: Sources, name: str) -> list[Declaration]:
    """Return the types that a type may derive from, by names."""
    names = sources.ancestors(name) - {name}
    return [each for base in sorted(names) for _, each in _declarations(sources, base)]


def _change(
    sources: Sources, parts: list[Declaration], declared: list[Declaration], inherited: list[Declaration]
) -> _Change:
    """Return the difference between the fields of a type before and now."""
    former, current = _stored(sources, parts), _stored(sources, declared)
    known = {*current, *_stored(sources, inherited)}
    for each in (*declared, *inherited):
        known |= each.former
    hidden = {
        field: why for field, why in _unstored(sources, declared).items() if field in former and field not in known
    }
    lost = _is_serializable(parts) and not _is_serializable(declared) and not sources.may_be_component(parts[0].name)
    return _Change(
        declared[0],
        {field: kind for field, kind in former.items() if field not in known and field not in hidden},
        {field: kind for field, kind in current.items() if field not in former},
        {
            field: (kind, current[field])
            for field, kind in former.items()
            if field in current and _differ(kind, current[field])
        },
        {**hidden, **(dict.fromkeys(current.keys() & former.keys(), "") if lost else {})},
        lost,
    )


def _is_serializable(parts: Iterable[Declaration]) -> bool:
    return any(each.serializable for each in parts)


def _stored(sources: Sources, parts: list[Declaration]) -> dict[str, str]:
    """Return types of fields that may be stored, backing fields included."""
    unstored = _unstored(sources, parts)
    return {field: kind for each in parts for field, kind in each.types if kind and field not in unstored}


def _unstored(sources: Sources, parts: Iterable[Declaration]) -> dict[str, str]:
    """Return the unserialized fields of a class, and why."""
    found = {}
    for each in parts:
        for field, kind in each.types:
            name = kind.partition("<")[0].rpartition(".")[2]
            if name in _COLLECTIONS and "<" in kind and not sources.mentions(name):
                found[field] = f"is a {name}"
            elif "[][]" in kind or "[," in kind:
                found[field] = "is an array of several dimensions"
        found.update(each.unstored)
    return found


def _shown(field: str) -> str:
    return field.removeprefix("<").removesuffix(_BACKING)


def _differ(old: str, new: str) -> bool:
    """Whether Unity certainly cannot read a value of one type as another."""
    one, other = _kind(old), _kind(new)
    return bool(one and other) and one != other


def _kind(text: str) -> str:
    """Return the form of a type's stored values, ``""`` if unknown."""
    if text.endswith("[]") or text.startswith(("List<", "System.Collections.Generic.List<")):
        return "list"
    name = text.rpartition(".")[2]
    if name in _NUMBERS:
        return "number"
    if name in _TEXTS:
        return "text"
    return name if name in _STRUCTS else ""


def _messages(change: _Change, uses: Mapping[str, list[FieldUse]]) -> Iterator[tuple[str, str, bool]]:
    """Yield fields with messages, and whether the loss is mostly meant."""
    owner = change.declared.name
    removed: list[str] = []
    for name, stored in uses.items():
        field = _shown(name)
        if name in change.retyped:
            old, new = change.retyped[name]
            yield field, f"{owner}.{field} was {old} and is {new}: Unity cannot read {_where(stored)} as such", False
        elif change.hidden.get(name):
            said = f"{owner}.{field} {change.hidden[name]}: {_unread(stored)}"
            yield field, said, False
        elif name in change.removed and (fitting := _successor(change, name)):
            attribute = f'[FormerlySerializedAs("{name}")]'
            if name.endswith(_BACKING):
                attribute = f'[field: FormerlySerializedAs("{name}")]'
            kept = f"add {attribute} to {_shown(fitting)}"
            said = f"{owner}.{field} went and {_shown(fitting)} came: {_where(stored)} would be lost; {kept}"
            yield field, said, False
        elif name in change.removed:
            removed.append(name)
    if removed:
        listing = listed([f"{owner}.{_shown(name)}" for name in removed], _SHOWN)
        stored = [use for name in removed for use in uses[name]]
        yield ", ".join(map(_shown, removed)), f"{listing} went: {_unread(stored)}", True
    if change.is_unserializable:
        stored = [use for rows in uses.values() for use in rows if not use.property.startswith(_REFERENCES)]
        if stored:
            yield "", f"{owner} is no longer [Serializable]: {_unread(stored)}", False


def _where(uses: Sequence[FieldUse]) -> str:
    """Return how many values there are, and in which assets."""
    given = sum(not use.is_default for use in uses)
    paths = list(dict.fromkeys(use.path for use in uses))
    return f"{counted(len(uses), 'value')} ({given:,} not zero or empty) in {listed(paths, _SHOWN)}"


def _unread(uses: Sequence[FieldUse]) -> str:
    return f"{_where(uses)} {'is' if len(uses) == 1 else 'are'} no longer read"


def _successor(change: _Change, name: str) -> str:
    """Return the new name that a field likely has, or ``""``."""
    kind = change.removed[name]
    fitting = [each for each, other_kind in change.added.items() if other_kind == kind]
    rivals = [each for each, other_kind in change.removed.items() if other_kind == kind]
    if len(fitting) == 1 and len(rivals) == 1:
        return fitting[0]
    ratios = sorted(
        (SequenceMatcher(None, _shown(name).lower(), _shown(each).lower()).ratio(), each) for each in fitting
    )
    return ratios[-1][1] if ratios and ratios[-1][0] >= _LIKE else ""
