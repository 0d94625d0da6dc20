"""Objects behind ``[SerializeReference]`` fields of types that are gone.

Unity loads nothing in their place, and the next save forgets them.
"""

from __future__ import annotations

from collections import Counter
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
    known = types_by_assembly(project, sources)
    if not known:
        return
    for path, guid in text_users(project, list(sources.paths)):
        lost = [managed for managed in project.facts(path, USES).managed if is_lost(managed, known, sources)]
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


def types_by_assembly(project: View, sources: Sources) -> dict[str, set[str]]:
    """Return names of types by assembly, without those that are not here.

    The types of an empty file may be elsewhere (a Git LFS pointer, a partial checkout). One of many files may be empty
    on purpose, or have comments alone: then a type of its name counts as declared.
    """
    found: dict[str, set[str]] = {}
    files: Counter[str] = Counter()
    empty: Counter[str] = Counter()
    for path, unit in units_of(project).items():
        marks = sources.marks[path]
        files[unit.name] += 1
        types = found.setdefault(unit.name, set())
        types.update(name for name, _ in marks.types)
        if marks.is_empty:
            empty[unit.name] += 1
            types.add(path.rpartition("/")[2].partition(".")[0])
    return {name: types for name, types in found.items() if empty[name] * FILES_TO_AN_EMPTY_ONE <= files[name]}


def is_lost(managed: ReferencedType, known: dict[str, set[str]], sources: Sources) -> bool:
    """Whether no script declares a type in its namespace."""
    types = known.get(managed.assembly)
    if types is None or "`" in managed.name or "[" in managed.name:
        return False
    names = managed.name.split("/")
    if not all(name in types for name in names):
        return not any(sources.mentions(name) for name in names[-1:])
    declared = [each for path, _ in sources.mentions(names[-1]) for each in sources.source(path).types]
    candidates = [each for each in declared if each.name == names[-1]]
    unclear = not candidates or any(each.unclear for each in candidates)
    return not unclear and all(each.namespace != managed.namespace for each in candidates)
