"""C# types of a project and their bases, read from the sources.

A name means the only type of the project that has it, if the namespace of that type is visible. Any ambiguity (two
types with one name, an alias, a package's type, a branch of ``#if``) ends the proof: then the answer is None, and
nothing is reported.
"""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.memo.marks import TYPES
from assetdb.memo.script_facts import SOURCE
from assetdb.unity.kinds import ASSET_MAIN
from assetdb.unity.settings.editor_version import VERSION_FILE, unity_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.unity.referring.persistent_calls import PersistentCall
    from assetdb.unity.scripts.csharp import Base, Declaration, Source

COMPONENT: Final = "MonoBehaviour"
COMPONENTS: Final = frozenset((COMPONENT, "ScriptableObject"))
"""Base classes of components and assets in the engine."""
NO_CLASS: Final = "object"
"""The end of a lineage without a class of the engine."""
FILES_TO_AN_EMPTY_ONE: Final = 10
"""C# files without bytes are so on purpose, not for want of Git LFS, if there are this many files to each of them."""
_UNITY: Final = ("", "UnityEngine")
# Common interfaces of .NET and the engine; a class with no other base is proven.
_INTERFACES: Final = frozenset(
    (
        *("IDisposable", "ICloneable", "IComparable", "IEquatable", "IEnumerable", "IEnumerator", "IComparer"),
        *("IEqualityComparer", "IFormattable", "ISerializable", "IAsyncDisposable", "INotifyPropertyChanged"),
        *("ISerializationCallbackReceiver", "IPointerClickHandler", "IPointerDownHandler", "IPointerUpHandler"),
        *("IPointerEnterHandler", "IPointerExitHandler", "IDragHandler", "IBeginDragHandler", "IEndDragHandler"),
        *("IDropHandler", "IScrollHandler", "ISelectHandler", "IDeselectHandler", "ISubmitHandler"),
    )
)
# A file of 50,000 classes, each with the next one as its base, took a check minutes.
_MOST_BASES: Final = 100
_MOST_ANCESTORS: Final = 1000
_UNKNOWN: Final = "?"
_GENERATORS: Final = (2021, 2)  # first version with source generators, which may extend partial types


class Lineage(NamedTuple):
    """A class and its ancestors.

    Attributes:
        declarations: of the class and of all classes of the project that it derives from.
        end: what the last declaration derives from: one of :data:`COMPONENTS`, or :data:`NO_CLASS`.
    """

    declarations: tuple[Declaration, ...]
    end: str


class Sources:
    """The C# files of a project, read on demand."""

    def __init__(self, project: View) -> None:
        self._project = project
        self.version: tuple[int, int] = unity_version(project.read(VERSION_FILE) or b"")
        self.guids: dict[str, str] = project.scripts
        """GUIDs of the C# files, by path."""
        self._read: dict[str, Source] = {}

    @cached_property
    def paths(self) -> dict[str, str]:
        """Paths of the C# files, by GUID.

        Of two files that share one, it is the path of the file that Unity takes.
        """
        return {guid: path for path, guid in reversed(self.guids.items())}

    def source(self, path: str) -> Source:
        """Return the declarations of a C# file."""
        found = self._read.get(path)
        if found is None:
            found = self._read[path] = self._project.facts(path, SOURCE)
        return found

    def mentions(self, name: str) -> list[tuple[str, str]]:
        """Return files that may declare a type, each with a first base."""
        return self._project.mentions(name)

    def ancestors(self, name: str) -> set[str]:
        """Return a type and all that it may derive from, by names."""
        return {ancestor for ancestor, _rows in self._ancestors(name)}

    def derived(self, name: str) -> set[str]:
        """Return a type and those that derive from it, by names."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self._below.get(each, ())
        return found

    @cached_property
    def _below(self) -> dict[str, set[str]]:
        """The types that may derive from a type, by its name."""
        below: dict[str, set[str]] = {}
        for types in self._project.marked(TYPES).values():
            for name, base in types:
                below.setdefault(base, set()).add(name)
        return below

    @cached_property
    def holders(self) -> dict[str, list[tuple[str, str]]]:
        """Owner and name of fields, by the names in their types.

        ``List<A>`` has ``List`` and ``A``. It is one index, since a search of all files for each of a hundred
        types took 12 s of the 136 files of a project of Sunny's size.
        """
        return self._project.part("fields by the names in their types", "", _fields_by_type, _BY_TYPE)

    def may_be_component(self, name: str) -> bool:
        """Whether, by names, a class may be a component; False is proven."""
        return any(not rows and ancestor not in _INTERFACES for ancestor, rows in self._ancestors(name))

    def may_be_proven(self, name: str) -> bool:
        """Whether, by names, all bases are known; True must be proven."""
        return all(
            rows or ancestor in _INTERFACES or ancestor in COMPONENTS for ancestor, rows in self._ancestors(name)
        )

    def _ancestors(self, name: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield a type's possible bases with the files that mention each.

        Beyond so many, one that is unknown.
        """
        waiting, seen = [name], {name}
        while waiting:
            if len(seen) > _MOST_ANCESTORS:
                yield _UNKNOWN, []
                return
            ancestor = waiting.pop()
            rows = self.mentions(ancestor)
            yield ancestor, rows
            bases = {base for _path, base in rows} - {""} - seen
            waiting += bases
            seen |= bases

    def lineage(self, path: str, name: str) -> Lineage | None:
        """Return the proven lineage of a class, or None."""
        source = self.source(path)
        candidates = [each for each in source.types if each.name == name]
        if source.unclear or len({each.identity for each in candidates}) != 1:
            return None
        declarations: list[Declaration] = []
        seen: set[tuple[str, tuple[str, ...], str, int]] = set()
        current = candidates[0]
        while current.identity not in seen and not current.outer and len(seen) < _MOST_BASES:
            seen.add(current.identity)
            parts = self._parts(current)
            if parts is None:
                return None
            declarations += [part for _, part in parts]
            following = self._base(parts)
            if isinstance(following, str):
                return Lineage(tuple(declarations), following)
            if following is None:
                return None
            current = following
        return None

    def _parts(self, declaration: Declaration) -> list[tuple[Source, Declaration]] | None:
        """Return all declarations of a type, None if there may be more."""
        if declaration.partial and self.version >= _GENERATORS:
            return None
        found: list[tuple[Source, Declaration]] = []
        for path in sorted({path for path, _base in self.mentions(declaration.name)}):
            source = self.source(path)
            if source.unclear:
                return None
            if any(each.unclear for each in source.types if each.name == declaration.name):
                return None
            found += [(source, each) for each in source.types if each.identity == declaration.identity]
        return found if len(found) == 1 or all(each.partial for _, each in found) else None

    def _base(self, parts: list[tuple[Source, Declaration]]) -> Declaration | str | None:
        """Return the proven base of a type, or its lineage's end."""
        found: set[str] = set()
        classes: list[Declaration] = []
        for source, part in parts:
            if part.kind != "class":
                return NO_CLASS
            for base in part.bases:
                if base.name in source.aliases or (base.qualifier and base.qualifier in source.aliases):
                    return None
                if self.mentions(base.name):
                    declared = self._declared(base, source, part)
                    if declared is None:
                        return None
                    classes += [declared] if declared.kind == "class" else []
                elif base.name in COMPONENTS and base.qualifier in _UNITY and not base.arity:
                    found.add(base.name)
                elif base.name not in _INTERFACES:
                    return None
        named = {each.identity for each in classes}
        if len(named) + len(found) > 1:
            return None
        return classes[0] if classes else found.pop() if found else NO_CLASS

    def _declared(self, base: Base, source: Source, user: Declaration) -> Declaration | None:
        """Return the one type of the project that a base means."""
        found: dict[object, Declaration] = {}
        for path in sorted({path for path, _base in self.mentions(base.name)}):
            declaring = self.source(path)
            if declaring.unclear:
                return None
            found.update((each.identity, each) for each in declaring.types if each.name == base.name)
        if len(found) != 1:
            return None
        (declared,) = found.values()
        spaces = {"", *_above(user.namespace)} | source.usings
        if base.qualifier:
            seen = any(declared.namespace == ".".join(filter(None, (space, base.qualifier))) for space in spaces)
        else:
            seen = declared.namespace in spaces
        is_whole = seen and not declared.outer and declared.arity == base.arity and declared.kind in _INHERITED
        return declared if is_whole and base.name not in COMPONENTS else None


def script_of_asset(view: View, asset: str, file_id: int) -> str:
    """Return the script's GUID of an asset's main object, or ``""``."""
    found = view.database.by_guid(asset) if asset and file_id == ASSET_MAIN else None
    return found.script if found is not None else ""


def called_script(view: View, call: PersistentCall) -> str:
    """Return the script's GUID of a call's target, or ``""``."""
    return script_of_asset(view, call.asset, call.target) if call.asset else call.script


_INHERITED: Final = ("class", "interface")
_NAME: Final = re.compile(r"\w+")


def _fields_by_type(view: View) -> dict[str, list[tuple[str, str]]]:
    sources = Sources(view)
    found: dict[str, dict[tuple[str, str], None]] = {}
    for path in sorted(sources.paths.values()):
        for declared in sources.source(path).types:
            for field, kind in declared.types:
                for name in set(_NAME.findall(kind)):
                    found.setdefault(name, {})[declared.name, field] = None
    return {name: list(fields) for name, fields in found.items()}


def _encoded(fields: dict[str, list[tuple[str, str]]]) -> bytes:
    return json.dumps(list(fields.items()), separators=(",", ":")).encode()


def _decoded(data: bytes) -> dict[str, list[tuple[str, str]]]:
    return {name: [(owner, field) for owner, field in fields] for name, fields in json.loads(data)}


_BY_TYPE: Final = (_encoded, _decoded)


def _above(namespace: str) -> Iterator[str]:
    while namespace:
        yield namespace
        namespace = namespace.rpartition(".")[0]
