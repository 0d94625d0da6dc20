"""C# that does not compile, or that a player lacks.

Read from the text alone, and reported only where every player has the script: an assembly without constraints, a line
outside of ``#if``.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import Sources
from assetdb.checks.rules import (
    ASSEMBLY_NAMESPACE,
    CONFLICT_MARKERS,
    DUPLICATE_TYPE,
    EDITOR_API,
    EDITOR_SCRIPT,
    UNCLEAR_SCRIPT,
)
from assetdb.checks.rules.csharp.compiled import Unit, units_of
from assetdb.checks.rules.csharp.scripts import text_users, user_nodes
from assetdb.memo.marks import CONDITIONAL, CONFLICT, NAMESPACES, UNEVEN, USINGS
from assetdb.memo.marks import EDITOR as USES_EDITOR
from assetdb.unity.referring.persistent_calls import SCRIPT
from assetdb.unity.scripts.editor_uses import CLASSES, IN_PLAYERS
from assetdb.unity.scripts.tokens import is_of_editor
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.unity.scripts.csharp import Declaration

_PLACED: Final = (".unity", ".prefab")
_NOT_SHIPPED: Final = ("/editor/", "/editor default resources/", "/tests/", "/test/")
_NO_OBJECT: Final = b"\n  m_GameObject: {fileID: 0}"
_MONO_BEHAVIOUR: Final = 114
_ENTITIES: Final = "com.unity.entities"
_IMPORT: Final = "using "
_WITH_NAMES: Final = (2018, 2)


def find_conflicts(project: View) -> Iterator[Finding]:
    """Yield C# files with an unresolved merge."""
    for path, line in project.marked(CONFLICT).items():
        yield Finding.of(CONFLICT_MARKERS, path, "an unresolved merge", line, asset=project.scripts[path])


def find_unclear(project: View) -> Iterator[Finding]:
    """Yield C# files that cannot be followed.

    A compiler may follow them: of a method with two heads in branches of ``#if`` it reads one.
    """
    sources = Sources(project)
    units = units_of(project)
    for path in project.marked(UNEVEN):
        fault = sources.source(path).fault if path in units else None
        if fault is not None:
            said = f"cannot be followed, and is left out by rules on C#: {fault.text}"
            yield Finding.of(UNCLEAR_SCRIPT, path, said, fault.line, asset=sources.guids[path])


def find_editor_uses(project: View) -> Iterator[Finding]:
    """Yield uses of the editor's classes in scripts of players."""
    sources = Sources(project)
    units = units_of(project)
    for path in project.marked(USES_EDITOR):
        unit = units.get(path)
        if unit is None or unit.is_of_editor or not unit.is_certain:
            continue
        for name, line in sources.source(path).editor:
            if _fails(name, sources):
                where = f"the assembly {unit.name}" if unit.path else "no Editor folder"
                said = f"{name} outside of #if UNITY_EDITOR, in {where}: no player has it, and the build fails"
                yield Finding.of(EDITOR_API, path, said, line, asset=sources.guids[path], target=name)
                break


def _fails(use: str, sources: Sources) -> bool:
    """Whether no player compiles a use of the editor."""
    if use.startswith(_IMPORT):
        return sources.version < _WITH_NAMES or use.removeprefix(_IMPORT) not in IN_PLAYERS
    name = use.rpartition(".")[2]
    return name in CLASSES and not sources.mentions(name)


def find_editor_scripts(project: View) -> Iterator[Finding]:
    """Yield components with scripts that only the editor has.

    With Entities, scenes are baked in the editor: NetcodeSamples has its authoring components in assemblies of it.
    """
    if any(row.name == _ENTITIES for row in project.packages.list.rows):
        return
    sources = Sources(project)
    units = units_of(project)
    reasons: dict[str, str] = {}
    conditional = project.marked(CONDITIONAL)
    for guid, path in sources.paths.items():
        unit = units.get(path)
        if unit is not None and unit.is_of_editor:
            where = f"the assembly {unit.name}" if unit.path else "an Editor folder"
            reasons[guid] = f"is in {where}"
        elif unit is not None and path in conditional and _is_in_branch(project, sources, path, guid):
            reasons[guid] = "is inside of #if UNITY_EDITOR"
    for path, guid in text_users(project, reasons):
        if not path.endswith(_PLACED) or any(part in path.casefold() for part in _NOT_SHIPPED):
            continue
        data = project.read(path) or b""
        found = [(match.start(1), match[1].decode()) for match in _components(data)]
        found = [(offset, script) for offset, script in found if script in reasons]
        for (_offset, script), place in zip(found, places(data, [offset for offset, _ in found]), strict=True):
            said = f"its script {sources.paths[script]} {reasons[script]}: a player has no such component"
            yield Finding.of(
                EDITOR_SCRIPT,
                path,
                said,
                place.line,
                project.resolver.local_name(guid, place.file_id) or "",
                place.path,
                guid,
                place.file_id,
                script,
            )


def _components(data: bytes) -> Iterator[re.Match[bytes]]:
    for item in documents(data):
        if item.class_id == _MONO_BEHAVIOUR and not item.stripped:
            found = SCRIPT.search(data, item.start, item.end)
            if found and _NO_OBJECT not in data[item.start : found.start()]:
                yield found


def _is_in_branch(project: View, sources: Sources, path: str, guid: str) -> bool:
    """Whether only the editor compiles the class called as the file."""
    if not user_nodes(project, (guid,)):
        return False
    name = path.rpartition("/")[2].rpartition(".")[0]
    source = sources.source(path)
    declared = [each for each in source.types if each.name == name and not each.outer]
    return not source.unclear and bool(declared) and all(is_of_editor(each.conditions) for each in declared)


def find_twins(project: View) -> Iterator[Finding]:
    """Yield types that two files of one assembly declare."""
    sources = Sources(project)
    units = units_of(project)
    files: dict[tuple[Unit, str], list[str]] = defaultdict(list)
    for name, all_files in project.twins.items():
        for path in all_files:
            unit = units.get(path)
            if unit is not None:
                files[unit, name].append(path)
    for (unit, name), paths in files.items():
        if len(paths) == 1:
            continue
        declared: dict[object, list[tuple[str, Declaration]]] = defaultdict(list)
        for path in paths:
            source = sources.source(path)
            for each in source.types:
                if each.name == name and not each.conditions and not source.unclear:
                    declared[each.identity].append((path, each))
        for rows in declared.values():
            if len({path for path, _ in rows}) > 1 and not all(each.partial for _, each in rows):
                yield from _twins(unit, rows, sources.guids)


def _twins(unit: Unit, rows: list[tuple[str, Declaration]], guids: dict[str, str]) -> Iterator[Finding]:
    for path, each in rows:
        others = sorted({other for other, _ in rows if other != path})
        if not others:
            continue
        name = ".".join(filter(None, (each.namespace, *each.outer, each.name)))
        said = f"{unit.name} has another type {name}, in {listed(others)}: it does not compile"
        yield Finding.of(DUPLICATE_TYPE, path, said, each.line, asset=guids[path], target=guids[others[0]])


def find_namespaces(project: View) -> Iterator[Finding]:
    """Yield imports of namespaces of assemblies that are not referred to."""
    sources = Sources(project)
    units = units_of(project)
    owners: dict[str, set[Unit | None]] = defaultdict(set)
    for path, namespaces in project.marked(NAMESPACES).items():
        for name in namespaces:
            owners[name].add(units.get(path))
    for path, usings in project.marked(USINGS).items():
        unit = units.get(path)
        if unit is None or not unit.path:  # Unity's own assemblies see all that are referred to automatically
            continue
        wanted = [name for name in usings if _lacks(unit, owners.get(name))]
        for name, line in sources.source(path).imports if wanted else ():
            if name in wanted and all(_lacks(unit, owners[other]) for other in owners if other.startswith(f"{name}.")):
                names = sorted(owner.name for owner in owners[name] if owner is not None)
                said = f"imports {name}, which only {names[0]} has; {unit.name} does not refer to that assembly"
                if len(names) > 1:
                    said = f"imports {name}, which {listed(names)} have; {unit.name} refers to none of them"
                yield Finding.of(ASSEMBLY_NAMESPACE, path, said, line, asset=sources.guids[path], target=names[0])


def _lacks(unit: Unit, owners: set[Unit | None] | None) -> bool:
    """Whether an assembly refers to no owner of a namespace."""
    if owners is None or None in owners or unit in owners:
        return False
    return unit.references.isdisjoint(owner.name.casefold() for owner in owners if owner is not None)
