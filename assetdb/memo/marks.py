"""The marks of all C# files, and their uses by answers.

A use is an aspect of all files, the files that may declare one type (``type Health``), the types that several files may
declare, or whether one file is empty. A new class of a name that nobody looked for changes no use. When all marks were
one input, it made eleven rules look at unity-explorer's 5,023 scripts.

>>> from assetdb.unity.scripts.marks import read_marks
>>> sorted(changed_uses(read_marks(b"class Health {}"), read_marks(b"class Lives {}")))
['', 'named Health', 'named Lives', 'type Health', 'type Lives', 'types']
"""

from __future__ import annotations

from functools import cached_property

from assetdb.memo.script_facts import MARKS
from assetdb.scan.content_id import digest_state
from assetdb.system.identity import RACY
from assetdb_formats.records import Generic, NamedTuple, TypeVar

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any, Final, Protocol

    from assetdb.memo.facts import Extraction
    from assetdb.unity.scripts.marks import Marks

    class MarkInputs(Protocol):
        """The inputs of a project, see :class:`assetdb.memo.inputs.Inputs`."""

        @property
        def scripts(self) -> dict[str, str]:
            """The GUIDs of the C# files, by path."""

        def facts_of_all(
            self, extraction: Extraction[Marks], paths: Iterable[str]
        ) -> dict[str, tuple[int | str, Marks]]:
            """Return origins and facts of files, by path."""


_Value = TypeVar("_Value")


class Aspect(NamedTuple, Generic[_Value]):
    """A part of a file's marks.

    Attributes:
        name: which no other aspect has.
        of: returns the part; a false one is of no interest.
    """

    name: str
    of: Callable[[Marks], _Value]


CALLS: Final[Aspect[bool]] = Aspect("calls", lambda marks: marks.calls)
CONDITIONAL: Final[Aspect[bool]] = Aspect("conditional", lambda marks: marks.conditional)
CONFLICT: Final[Aspect[int]] = Aspect("conflict", lambda marks: marks.conflict)
EDITOR: Final[Aspect[bool]] = Aspect("editor", lambda marks: marks.uses_editor)
EMPTY: Final[Aspect[bool]] = Aspect("empty", lambda marks: marks.is_empty)
MADE: Final[Aspect[tuple[str, ...]]] = Aspect("made", lambda marks: marks.made)
NAMESPACES: Final[Aspect[tuple[str, ...]]] = Aspect("namespaces", lambda marks: marks.namespaces)
TYPES: Final[Aspect[tuple[tuple[str, str], ...]]] = Aspect("types", lambda marks: marks.types)
UNEVEN: Final[Aspect[bool]] = Aspect("uneven", lambda marks: marks.uneven and not marks.conflict)
UNFIT: Final[Aspect[tuple[tuple[str, str, int], ...]]] = Aspect("unfit", lambda marks: marks.unfit)
USINGS: Final[Aspect[tuple[str, ...]]] = Aspect("usings", lambda marks: marks.usings)
ASPECTS: Final[dict[str, Aspect[Any]]] = {
    each.name: each
    for each in (CALLS, CONDITIONAL, CONFLICT, EDITOR, EMPTY, MADE, NAMESPACES, TYPES, UNEVEN, UNFIT, USINGS)
}
TYPE: Final = "type "
"""Begins the use of the files that may declare one type, before its name."""
EMPTY_FILE: Final = "empty "
"""Begins the use of whether one file is empty, before its path."""
_ALL: Final = ""
"""The use of all marks, which an older commit of this version notes."""
_TWINS: Final = "twins "  # before all names, joined by NULs: a class of another name has no twin
_NAMED: Final = "named "
_NEW_TWINS: Final = "new twins"


class MarkTable:
    """The marks of all C# files at one moment."""

    def __init__(self, inputs: MarkInputs) -> None:
        """Read the marks of a project."""
        rows = inputs.facts_of_all(MARKS, inputs.scripts)
        self._is_racy = any(origin == RACY for origin, _ in rows.values())
        self._marks = {path: marks for path, (_, marks) in rows.items()}

    def marked(self, aspect: Aspect[_Value]) -> dict[str, _Value]:
        """Return an aspect of the files that have it, by path."""
        rows = ((path, aspect.of(marks)) for path, marks in self._marks.items())
        return {path: value for path, value in rows if value}

    @cached_property
    def empty(self) -> dict[str, bool]:
        """The empty files, by path."""
        return self.marked(EMPTY)

    @cached_property
    def files(self) -> dict[str, list[tuple[str, str]]]:
        """The files that may declare each type, with its first bases."""
        found: dict[str, list[tuple[str, str]]] = {}
        for path, marks in sorted(self._marks.items()):
            for name, base in marks.types:
                found.setdefault(name, []).append((path, base))
        return found

    @cached_property
    def twins(self) -> dict[str, list[str]]:
        """The files that may declare each type, of types with several."""
        paths = {name: list(dict.fromkeys(path for path, _ in rows)) for name, rows in self.files.items()}
        return {name: files for name, files in paths.items() if len(files) > 1}

    @cached_property
    def use_of_twins(self) -> str:
        """The use of :attr:`twins`, with the names of all types."""
        return _TWINS + "\0".join(sorted(self.files))

    def value(self, use: str) -> int | str:
        """Return the value of a use, :data:`RACY` if a file may change."""
        found: object = None
        if use.startswith(TYPE):
            found = self.files.get(use[len(TYPE) :], [])
        elif use.startswith(EMPTY_FILE):
            found = self.empty.get(use[len(EMPTY_FILE) :], False)
        elif use == self.use_of_twins:  # with other names another one: a new name may get its twin later
            found = sorted(self.twins.items())
        elif use in ASPECTS:
            found = self.marked(ASPECTS[use])
        if self._is_racy or found is None:
            return RACY
        return digest_state(repr(found).encode("utf-8", "surrogatepass"), size=16).hexdigest() if found else ""


def changed_uses(before: Marks, after: Marks) -> set[str]:
    """Return the uses that other marks of one file may change.

    The use of twins is there in parts, as in :func:`parts_of_use`.
    """
    found = {aspect.name for aspect in ASPECTS.values() if aspect.of(before) != aspect.of(after)}
    found.update([_ALL] if before != after else ())
    found.update(TYPE + name for name, _ in {*before.types} ^ {*after.types})
    found.update(_NAMED + name for name in {name for name, _ in before.types} ^ {name for name, _ in after.types})
    return found


def is_unchanged(use: str, changed: Collection[str]) -> bool:
    """Whether a use has its value, and its names, after some changes.

    An answer with the names of before would be kept when a later edit adds the twin of a name of now.

    Args:
        use: of an answer.
        changed: by :func:`uses_of_edits`.
    """
    if use.startswith(_TWINS):
        return not any(each.startswith(_NAMED) for each in changed)
    return use not in changed


def parts_of_use(use: str) -> Iterable[str]:
    """Return parts of a use, one of which changes if it does.

    For types with twins, the edits are all those since the answer was derived: see :func:`is_unchanged`.
    """
    if not use.startswith(_TWINS):
        return (use,)
    return (_NEW_TWINS, *(_NAMED + name for name in use[len(_TWINS) :].split("\0")))


def uses_of_edits(changes: Iterable[tuple[str, Marks, Marks]]) -> frozenset[str]:
    """Return parts of uses that edits may change.

    Args:
        changes: path of each edited file, and its marks before and after.
    """
    found: set[str] = set()
    for path, before, after in changes:
        changed = changed_uses(before, after)
        changed.update([EMPTY_FILE + path] if EMPTY.name in changed else ())
        if any(use.startswith(_NAMED) and use in found for use in changed):  # two files have a new class
            changed.add(_NEW_TWINS)
        found |= changed
    return frozenset(found)
