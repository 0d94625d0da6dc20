"""A first look at C#: possible declarations, imports and calls.

Searches of the bytes, twenty times as fast as reading the tokens; names in comments and strings are included. A file is
read in full only if one of its marks says that something may be wrong in it.
"""

from __future__ import annotations

import re

from assetdb.unity.scripts.calls import may_call
from assetdb.unity.scripts.faults import LARGEST, UTF_16
from assetdb.unity.scripts.made_types import may_make
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

_MENTION: Final = re.compile(
    rb"\b(?:class|struct|interface|record|enum)\s{1,99}(?:(?:class|struct)\s{1,99})?@?([\w\x80-\xff]+)"
    rb"(?:\s{0,99}<[^<>{};]{0,200}>)?(?:\s{0,99}:\s{0,99}(?:\w+::)?([\w.\x80-\xff]+))?"
)
_NAMESPACE: Final = re.compile(rb"\bnamespace\s{1,99}([\w.\x80-\xff]{1,400})")
_USING: Final = re.compile(
    rb"\busing\s{1,99}(?:static\s{1,99})?(?:\w{1,99}\s{0,9}=\s{0,9})?([\w.\x80-\xff]{1,400})\s{0,99};"
)
_CLASS: Final = b"class "
_EDITOR: Final = "UnityEditor"
_OF_EDITOR: Final = re.compile(rb"\b%b\b" % _EDITOR.encode())
_PAIRS: Final = ((b"{", b"}"), (b"(", b")"), (b"[", b"]"), (b"/*", b"*/"), (b"#if", b"#endif"))
_HIDDEN: Final = re.compile(rb"\"[^\"\n]*\"|'[(){}\[\]]'|//[^\n]*")  # texts, characters and comments, nearly
_MESSAGE: Final = re.compile(
    rb"\bvoid\s{1,9}(On(?:Collision|Trigger)(?:Enter|Exit|Stay)(?:2D)?)\s{0,9}"
    rb"\(\s{0,9}(?:(?:global\s{0,9}::\s{0,9})?UnityEngine\s{0,9}\.\s{0,9})?(\w{1,40})\s{1,9}@?\w{1,99}\s{0,9}\)"
)
_FLAT: Final = "2D"
# A base of the type that is passed may do.
_OTHERS: Final = frozenset(
    (
        *(name + end for name in ("Collision", "Collider", "Rigidbody") for end in ("", "2D")),
        *("ControllerColliderHit", "ContactPoint", "ContactPoint2D", "RaycastHit", "RaycastHit2D"),
        *("GameObject", "Transform", "int", "float", "bool", "string"),
    )
)
_END_OF_CONFLICT: Final = re.compile(rb"^>>>>>>>+ ", re.MULTILINE)


class Marks(NamedTuple):
    """The marks of a C# file.

    Attributes:
        types: that it may declare, each with its first base.
        namespaces: that it may declare.
        usings: namespaces that it may import.
        editor: whether it may use the editor's classes.
        conditional: whether a branch of ``#if`` begins before its first class.
        calls: whether it may find something by its name (:mod:`assetdb.unity.scripts.calls`).
        conflict: line of an unresolved merge, or 0.
        uneven: whether something may be open at the end, since its beginnings and ends are not of one number.
        unfit: physics messages with a parameter of another of Unity's types than it passes; that type, and the line.
        made: types of which it may make objects with ``new``.
    """

    types: tuple[tuple[str, str], ...]
    namespaces: tuple[str, ...]
    usings: tuple[str, ...]
    editor: bool
    conditional: bool
    calls: bool
    conflict: int
    uneven: bool
    unfit: tuple[tuple[str, str, int], ...]
    made: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is no code, as in a pointer of Git LFS."""
        return not (self.types or self.usings or self.namespaces)

    @property
    def uses_editor(self) -> bool:
        """Whether it may use the editor's classes, and adds none to them."""
        return self.editor and not any(name.split(".")[0] == _EDITOR for name in self.namespaces)


def read_marks(data: bytes) -> Marks:
    """Return the marks of any C# file."""
    return Marks(
        mentioned_types(data),
        _names(_NAMESPACE, data),
        _names(_USING, data),
        _OF_EDITOR.search(data) is not None,
        b"#if" in data[: max(data.find(_CLASS), 0)],
        may_call(data),
        _conflict(data) if _END_OF_CONFLICT.search(data) else 0,
        _is_uneven(data),
        tuple(_unfit(data)),
        may_make(data),
    )


def _unfit(data: bytes) -> Iterator[tuple[str, str, int]]:
    """Yield physics messages, outside of ``#if``, that take another value."""
    line, open_branches, after = 1, 0, 0
    found = set()
    for match in _MESSAGE.finditer(data):
        name, kind = match[1].decode(), match[2].decode("utf-8", "replace")
        if kind == passed_type(name) or kind not in _OTHERS or (name, kind) in found:
            continue
        at = match.start(1)
        line += data.count(b"\n", after, at)
        open_branches += data.count(b"#if", after, at) - data.count(b"#endif", after, at)
        after = at
        if not open_branches:
            found.add((name, kind))
            yield name, kind, line


def passed_type(message: str) -> str:
    """Return the type that Unity passes to a physics message.

    >>> passed_type("OnTriggerEnter2D")
    'Collider2D'
    """
    return ("Collision" if "Collision" in message else "Collider") + (_FLAT if message.endswith(_FLAT) else "")


def _conflict(data: bytes) -> int:
    from assetdb.unity.yaml.text_asset import conflict_line  # noqa: PLC0415 - few scripts have one

    return conflict_line(data)


def _is_uneven(data: bytes) -> bool:
    """Whether a source may be one that cannot be followed.

    A brace in a text may stand in for one that is not there: both numbers count, with texts and without.
    """
    if len(data) > LARGEST or data.startswith(UTF_16) or data.count(b'"') % 2:
        return True
    texts = (data, _HIDDEN.sub(b"", data))
    return any(text.count(beginning) != text.count(end) for text in texts for beginning, end in _PAIRS)


def mentioned_types(data: bytes) -> tuple[tuple[str, str], ...]:
    """Return types that a file may declare, with their first bases.

    Much faster than :func:`read_source`; names in comments and strings are included.
    """
    found = {(name, base.rpartition(b".")[2]) for name, base in _MENTION.findall(data)}
    return tuple(sorted((name.decode("utf-8", "replace"), base.decode("utf-8", "replace")) for name, base in found))


def marks_of(rows: list[Any]) -> Marks:
    """Return marks of their JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    types, namespaces, usings, editor, conditional, calls, conflict, uneven, unfit, made = rows
    bases = tuple((name, base) for name, base in types)
    messages = tuple((name, kind, line) for name, kind, line in unfit)
    names = tuple(namespaces), tuple(usings)
    return Marks(bases, *names, editor, conditional, calls, conflict, uneven, messages, tuple(made))


def _names(pattern: re.Pattern[bytes], data: bytes) -> tuple[str, ...]:
    return tuple(sorted({name.decode("utf-8", "replace") for name in pattern.findall(data)}))
