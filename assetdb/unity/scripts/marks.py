"""A first look at C#: possible declarations, imports and calls.

Searches of the bytes, twenty times as fast as reading the tokens; names in comments and strings are included. A file is
read in full only if one of its marks says that something may be wrong in it.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from assetdb.unity.scripts.calls import may_call
from assetdb.unity.scripts.csharp import mentioned_types
from assetdb.unity.yaml.text_asset import conflict_line

_NAMESPACE: Final = re.compile(rb"\bnamespace\s{1,99}([\w.\x80-\xff]{1,400})")
_USING: Final = re.compile(
    rb"\busing\s{1,99}(?:static\s{1,99})?(?:\w{1,99}\s{0,9}=\s{0,9})?([\w.\x80-\xff]{1,400})\s{0,99};"
)
_CLASS: Final = b"class "
_OF_EDITOR: Final = re.compile(rb"\bUnityEditor\b")
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
    """

    types: tuple[tuple[str, str], ...]
    namespaces: tuple[str, ...]
    usings: tuple[str, ...]
    editor: bool
    conditional: bool
    calls: bool
    conflict: int

    @property
    def is_empty(self) -> bool:
        """Whether there is no code, as in a pointer of Git LFS."""
        return not (self.types or self.usings or self.namespaces)


def read_marks(data: bytes) -> Marks:
    """Return the marks of any C# file."""
    return Marks(
        mentioned_types(data),
        _names(_NAMESPACE, data),
        _names(_USING, data),
        _OF_EDITOR.search(data) is not None,
        b"#if" in data[: max(data.find(_CLASS), 0)],
        may_call(data),
        conflict_line(data) if _END_OF_CONFLICT.search(data) else 0,
    )


def marks_of(rows: list[Any]) -> Marks:
    """Return marks of their JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    types, namespaces, usings, editor, conditional, calls, conflict = rows
    bases = tuple((name, base) for name, base in types)
    return Marks(bases, tuple(namespaces), tuple(usings), editor, conditional, calls, conflict)


def _names(pattern: re.Pattern[bytes], data: bytes) -> tuple[str, ...]:
    return tuple(sorted({name.decode("utf-8", "replace") for name in pattern.findall(data)}))
