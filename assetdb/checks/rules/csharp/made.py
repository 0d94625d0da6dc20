"""Components and assets that scripts make with ``new``.

Unity warns, and the object is none of its own: without a GameObject, and equal to null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import COMPONENT, COMPONENTS, Sources
from assetdb.checks.rules import NEW_COMPONENT
from assetdb.checks.rules.csharp.compiled import units_of
from assetdb.memo.facts import Extraction
from assetdb.memo.marks import MADE
from assetdb.unity.scripts.made_types import made_of, made_types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.rules.csharp.compiled import Unit
    from assetdb.memo.view import View
    from assetdb.unity.scripts.csharp import Declaration, Source

_MADE: Final = Extraction("types of which C# makes objects", "1", made_types, made_of)
_WHY: Final = {
    True: "a component: it has no object and compares as null; only AddComponent makes one",
    False: "a ScriptableObject: Unity warns and may not call its messages; CreateInstance makes one",
}


def find_made(project: View) -> Iterator[Finding]:
    """Yield objects that ``new`` makes of Unity's own kinds."""
    sources = Sources(project)
    made_by = project.marked(MADE)
    # From the names up: with all classes below Unity's own, each new class of a project would ask this rule again.
    names = {
        name
        for name in set[str]().union(*made_by.values()) - COMPONENTS
        if not COMPONENTS.isdisjoint(sources.ancestors(name))
    }
    makers = {path: found for path, made in made_by.items() if (found := names.intersection(made))}
    units = units_of(project) if makers else {}
    known = _Known(sources, units)
    for path, made in sorted(makers.items()):
        unit = units.get(path)
        if unit is None or unit.is_of_editor or sources.source(path).unclear:
            continue
        for name, line in project.facts(path, _MADE):
            base = known.base(path, unit, name) if name in made else ""
            if base:
                said = f"{name} is {_WHY[base == COMPONENT]}"
                yield Finding.of(NEW_COMPONENT, path, said, line, asset=sources.guids[path], target=name)


class _Known:
    """Classes of the project with proven bases, by name."""

    def __init__(self, sources: Sources, units: dict[str, Unit]) -> None:
        self._sources = sources
        self._units = units
        self._bases: dict[str, tuple[str, Declaration | None, str]] = {}

    def base(self, path: str, unit: Unit, name: str) -> str:
        """Return the engine's base of a name in a file, or ``""``."""
        if name not in self._bases:
            self._bases[name] = self._base(name)
        place, declared, base = self._bases[name]
        if declared is None or not _is_visible(declared, self._sources.source(path), name):
            return ""
        own = self._units.get(place)
        sees = own is not None and (own.name == unit.name or not unit.path or own.name.casefold() in unit.references)
        return base if sees else ""

    def _base(self, name: str) -> tuple[str, Declaration | None, str]:
        """Return file, declaration and base of the only class of a name."""
        paths = {path for path, _ in self._sources.mentions(name)}
        if len(paths) != 1:
            return "", None, ""
        (path,) = paths
        lineage = self._sources.lineage(path, name)
        if lineage is None or lineage.end not in COMPONENTS:
            return path, None, ""
        declared = lineage.declarations[0]
        if declared.arity or declared.conditions:  # a package may have Pool beside Pool<T>, or instead of a branch's
            return path, None, ""
        return path, declared, lineage.end


def _is_visible(declared: Declaration, source: Source, name: str) -> bool:
    """Whether a name in a file means a class of the project."""
    if name in source.aliases:
        return False
    spaces = {f"{each.namespace}." for each in source.types}
    seen = not declared.namespace or declared.namespace in source.usings
    return seen or any(space.startswith(f"{declared.namespace}.") for space in spaces)
