"""Objects behind ``[SerializeReference]`` fields of types that are gone.

Unity loads nothing in their place, and the next save forgets them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import FILES_TO_AN_EMPTY_ONE, Sources
from assetdb.checks.rules import MISSING_TYPE
from assetdb.checks.rules.csharp.compiled import units_of
from assetdb.checks.rules.csharp.scripts import USES, text_users
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.unity.referring.persistent_calls import ReferencedType


def find_types(project: View) -> Iterator[Finding]:
    """Yield objects of types that no script of their assembly declares."""
    sources = Sources(project)
    known = DeclaredTypes(project, sources)
    if not known.assemblies:
        return
    for path, guid in text_users(project, list(sources.paths)):
        lost = [managed for managed in project.facts(path, USES).managed if known.lack(managed)]
        where = places(project.read(path) or b"", [managed.offset for managed in lost]) if lost else []
        for managed, place in zip(lost, where, strict=True):
            name = ".".join(filter(None, (managed.namespace, managed.name.replace("/", "."))))
            said = f"is of the type {name}, which no script of {managed.assembly} declares (any more)"
            yield Finding.of(
                MISSING_TYPE,
                path,
                said,
                place.line,
                project.resolver.local_name(guid, place.file_id) or "",
                place.path,
                guid,
                place.file_id,
                name,
            )


class DeclaredTypes:
    """Names of types that the scripts of each assembly declare.

    The types of an empty file may be elsewhere (a Git LFS pointer, a partial checkout). One of many files may be empty
    on purpose, or have comments alone: then a type of its name counts as declared.

    Attributes:
        assemblies: of which enough files are here.
    """

    def __init__(self, project: View, sources: Sources) -> None:
        """Look at the scripts of a project."""
        self._sources = sources
        self._units = units_of(project)
        self._empty: set[tuple[str, str]] = set()
        self.assemblies: set[str] = set()
        files: dict[str, list[str]] = {}
        for path, unit in self._units.items():
            files.setdefault(unit.name, []).append(path)
        for name, paths in files.items():
            empty = project.empty_among(paths, len(paths) // FILES_TO_AN_EMPTY_ONE)
            if empty is not None:
                self.assemblies.add(name)
                self._empty.update((name, path.rpartition("/")[2].partition(".")[0]) for path in empty)

    def lack(self, managed: ReferencedType) -> bool:
        """Whether no script declares a type in its namespace."""
        if managed.assembly not in self.assemblies or "`" in managed.name or "[" in managed.name:
            return False
        sources, names = self._sources, managed.name.split("/")
        if not all(self._has(managed.assembly, name) for name in names):
            return not any(sources.mentions(name) for name in names[-1:])
        declared = [each for path, _ in sources.mentions(names[-1]) for each in sources.source(path).types]
        candidates = [each for each in declared if each.name == names[-1]]
        unclear = not candidates or any(each.unclear for each in candidates)
        return not unclear and all(each.namespace != managed.namespace for each in candidates)

    def _has(self, assembly: str, name: str) -> bool:
        """Whether a file of an assembly may declare a type."""
        units = (self._units.get(path) for path, _ in self._sources.mentions(name))
        return (assembly, name) in self._empty or any(unit is not None and unit.name == assembly for unit in units)
