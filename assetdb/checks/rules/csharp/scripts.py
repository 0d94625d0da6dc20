"""Scripts that Unity cannot use, and missing methods and fields.

Read from the C# of the project, and reported only if proven: see :mod:`assetdb.checks.lineage`. A file without any type
proves nothing.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import COMPONENTS, NO_CLASS, Sources, called_script
from assetdb.checks.rules import MISSING_METHOD, SCRIPT_CLASS, STALE_FIELD
from assetdb.memo.facts import Extraction
from assetdb.memo.inputs import SCRIPTS
from assetdb.unity.engine.members import FIELDS, METHODS
from assetdb.unity.kinds import DOCUMENTS, extension_of, kind_of
from assetdb.unity.referring.persistent_calls import script_uses, script_uses_of
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from assetdb.checks.lineage import Lineage
    from assetdb.memo.view import View
    from assetdb.unity.referring.persistent_calls import PersistentCall

USES: Final = Extraction("uses of scripts", "3", script_uses, script_uses_of)
_ANY_NAME: Final = (2023, 0)  # documented since 6000.0; unknown for 2023
# pixel-adventure (2022.3.18) has such files, and its player runs their classes. 2020.3.2 and 2021.3.23 do fail, as
# people report; where between them and 2022.3 the border is, nobody says.
_ONLY_CLASS: Final = (2022, 1)
_NOTHING: Final = 1
# Of modes 2 to 6; mode 0 passes what the event has, of a type that is in no file.
_PASSED: Final[dict[int, tuple[str, tuple[str, ...]]]] = {
    _NOTHING: ("nothing", ()),
    2: ("an object", ()),
    3: ("a number", ("int", "Int32")),
    4: ("a fraction", ("float", "Single")),
    5: ("a text", ("string", "String")),
    6: ("a flag", ("bool", "Boolean")),
}
_VALUES: Final = frozenset(name for _, names in _PASSED.values() for name in names)
_MONO_BEHAVIOUR: Final = 114
_ACCESSOR: Final = re.compile(r"(?:set|get)_|(?:add|remove)_")
_SCRIPT: Final = re.compile(rb"\n  m_Script: \{fileID: 11500000, guid: ([0-9a-f]{32})")
_FIELD: Final = re.compile(rb"\n  ([A-Za-z_]\w{0,200}|<\w{1,200}>k__BackingField):")


def find_classes(project: View) -> Iterator[Finding]:
    """Yield scripts in use without their class in the file."""
    sources = Sources(project)
    reasons: dict[str, tuple[str, int]] = {}
    for script, path in sources.paths.items():
        # Most classes of a project are no object's script, and need not be read.
        reason = _why_no_class(sources, path) if user_nodes(project, (script,)) else None
        if reason is not None:
            reasons[script] = reason
    users: dict[str, list[str]] = {}
    for user, _guid in text_users(project, reasons):
        for script in project.facts(user, USES).scripts:
            users.setdefault(script, []).append(user)
    for script, (why, line) in reasons.items():
        paths = users.get(script)
        if paths:
            more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
            said = f"{why}, but it is the script of a component or asset in {paths[0]}{more}"
            yield Finding.of(SCRIPT_CLASS, sources.paths[script], said, line, asset=script)


def _why_no_class(sources: Sources, path: str) -> tuple[str, int] | None:
    """Return why Unity finds no class for a script, and the line."""
    name = _stem(path)
    if not _is_inner_alone(sources, path, name) and _may_be_declared(sources, path, name):
        unfit = _why_unfit(sources, path, name)
        if unfit is not None:
            return unfit
        # Of classes that share the name, only their lineages tell which one may be a component.
        if sources.may_be_component(name) and len({each for each, _base in sources.mentions(name)}) == 1:
            return None
        lineage = sources.lineage(path, name)
        if lineage is None or lineage.end != NO_CLASS:
            return None
        found = next(each for each in sources.source(path).types if each.name == name)
        derives = "derives from neither MonoBehaviour nor ScriptableObject"
        return f"{name} {derives}" if found.kind == "class" else f"{name} is not a class ({found.kind})", found.line
    source = sources.source(path)
    types = [each for each in source.types if each.kind == "class" and not each.outer]
    if source.unclear or not types or any(each.name.casefold() == name.casefold() for each in types):
        return None
    fitting = list(islice((each for each in types if sources.may_be_component(each.name)), 2))
    if (sources.version >= _ANY_NAME and fitting) or (sources.version >= _ONLY_CLASS and len(fitting) == 1):
        return None
    inner = next((each for each in source.types if each.name == name and each.outer), None)
    if inner is not None:
        return f"{name} is inside another class, and Unity makes no component of it", inner.line
    names = ", ".join(sorted({each.name for each in types}))
    return f"the file has no class {name}, only {names}", types[0].line


def _is_inner_alone(sources: Sources, path: str, name: str) -> bool:
    """Whether all classes of a name are inside others of one file."""
    if {each for each, _base in sources.mentions(name)} != {path}:
        return False
    source = sources.source(path)
    declared = [each for each in source.types if each.name == name]
    return not source.unclear and bool(declared) and all(each.outer for each in declared)


def _may_be_declared(sources: Sources, path: str, name: str) -> bool:
    """Whether a script's class may be in its file or another.

    Another file counts with a class that has no namespace, or one of the script's file: pixel-adventure has a
    CameraController.cs, and TextMesh Pro's examples have another in the namespace TMPro.Examples.
    """
    paths = {each for each, _base in sources.mentions(name)}
    if not paths or path in paths:
        return bool(paths)
    near = {"", *(each.namespace for each in sources.source(path).types)}
    others = [sources.source(each) for each in sorted(paths)]
    return any(
        other.unclear or any(each.name == name and each.namespace in near for each in other.types) for other in others
    )


def _why_unfit(sources: Sources, path: str, name: str) -> tuple[str, int] | None:
    """Return why a class cannot be a component, and the line."""
    source = sources.source(path)
    declared = [each for each in source.types if each.name == name and not each.outer and each.kind == "class"]
    if source.unclear or len({each.identity for each in declared}) != 1 or any(each.unclear for each in declared):
        return None
    if any(each.abstract for each in declared):
        return f"{name} is abstract or static, and Unity makes no component of it", declared[0].line
    return (f"{name} is generic, and Unity makes no component of it", declared[0].line) if declared[0].arity else None


def find_methods(project: View) -> Iterator[Finding]:
    """Yield calls of a UnityEvent to methods that no class declares."""
    sources = Sources(project)
    lineages: dict[str, Lineage | None] = {}
    for path, guid in text_users(project, _judged(project, sources)):
        missing: list[tuple[PersistentCall, str, Lineage, str]] = []
        for call in project.facts(path, USES).calls:
            script = called_script(project, call)
            if script not in lineages:
                lineages[script] = _component(sources, script)
            lineage = lineages[script]
            why = _why_uncalled(lineage, call, sources.paths[script]) if lineage is not None else ""
            if lineage is not None and why:
                missing.append((call, script, lineage, why))
        if missing:
            places_of = places(project.read(path) or b"", [row[0].offset for row in missing])
            for (call, script, lineage, why), place in zip(missing, places_of, strict=True):
                yield Finding.of(
                    MISSING_METHOD,
                    path,
                    f"an event calls {lineage.declarations[0].name}.{call.method}, which {why}",
                    place.line,
                    project.resolver.local_name(guid, place.file_id) or "",
                    place.path,
                    guid,
                    place.file_id,
                    script,
                )


def find_fields(project: View) -> Iterator[Finding]:
    """Yield values in assets of fields that the script no longer declares."""
    sources = Sources(project)
    declared: dict[str, frozenset[str] | None] = {}
    for path, guid in text_users(project, _judged(project, sources)):
        data = project.read(path) or b""
        stale: list[tuple[int, str, str]] = []
        for item in documents(data):
            match = _SCRIPT.search(data, item.start, item.end) if item.class_id == _MONO_BEHAVIOUR else None
            if match is None or item.stripped:
                continue
            script = match[1].decode()
            if script not in declared:
                declared[script] = _fields(_component(sources, script))
            known = declared[script]
            for field in _FIELD.finditer(data, item.start, item.end) if known is not None else ():
                name = field[1].decode()
                if known is not None and name not in known:
                    stale.append((field.start(1), name, script))
        places_of = places(data, [offset for offset, _name, _script in stale])
        for (_offset, name, script), place in zip(stale, places_of, strict=True):
            yield Finding.of(
                STALE_FIELD,
                path,
                f"{sources.paths[script]} declares no field {name} (any more)",
                place.line,
                project.resolver.local_name(guid, place.file_id) or "",
                name,
                guid,
                place.file_id,
                script,
            )


def _judged(project: View, sources: Sources) -> list[str]:
    """Return the GUIDs of used scripts about which something may be proven.

    Of others no name is looked for: a first class in any of unity-explorer's 4,824 empty scripts made both rules run.
    """
    used = [script for script in sources.paths if user_nodes(project, (script,))]
    return [script for script in used if sources.may_be_proven(_stem(sources.paths[script]))]


def text_users(project: View, scripts: Collection[str]) -> list[tuple[str, str]]:
    """Return path and GUID of text assets that refer to scripts."""
    database = project.database
    entries = (database.by_guid(guid) for guid in project.graph(SCRIPTS).guids(sorted(user_nodes(project, scripts))))
    wanted = frozenset(scripts)
    duplicates = (duplicate.asset for duplicate in database.duplicates if not wanted.isdisjoint(duplicate.targets))
    assets = (asset for asset in chain(entries, duplicates) if asset is not None)
    return sorted({(asset.path, asset.guid) for asset in assets if _is_text(asset.path)})


def user_nodes(project: View, scripts: Iterable[str]) -> set[int]:
    """Return the graph's nodes of users of some scripts."""
    graph = project.graph(SCRIPTS)
    found: set[int] = set()
    for script in scripts:
        node = graph.node(int(script, 16))
        found.update(graph.incoming(node) if node is not None else ())
    return found


def _is_text(path: str) -> bool:
    return kind_of(extension_of(path)).content == DOCUMENTS and "\ufffd" not in path


def _component(sources: Sources, script: str) -> Lineage | None:
    """Return a class's lineage if it provably ends in the engine."""
    path = sources.paths.get(script)
    if path is None:
        return None
    lineage = sources.lineage(path, _stem(path))
    return lineage if lineage is not None and lineage.end in COMPONENTS else None


def _why_uncalled(lineage: Lineage, call: PersistentCall, path: str) -> str:
    """Return why an event cannot call a method, or ``""``."""
    if not _has_method(lineage, call.method):
        return f"neither {path} nor a base class declares"
    if call.method in METHODS or _ACCESSOR.match(call.method):
        return ""
    forms = [kinds for each in lineage.declarations for name, kinds in each.parameters if name == call.method]
    declared = sum(call.method in each.methods for each in lineage.declarations)
    if call.mode not in _PASSED or len(forms) < declared or any(_fits(kinds, call.mode) for kinds in forms):
        return ""
    takes = " or ".join(f"({', '.join(kinds)})" for kinds in forms)
    return f"takes {takes}, and the event passes {_PASSED[call.mode][0]}"


def _fits(kinds: tuple[str, ...], mode: int) -> bool:
    """Whether a method may take the argument of a call."""
    names = _PASSED[mode][1]
    if mode == _NOTHING:
        return not kinds
    if len(kinds) != 1:
        return False
    name = kinds[0].rpartition(".")[2]
    return name in names if names else name not in _VALUES


def _has_method(lineage: Lineage, method: str) -> bool:
    accessed = _ACCESSOR.match(method)
    name = method[accessed.end() :] if accessed else ""
    return method in METHODS or any(
        method in each.methods or (name and (name in each.properties or name in each.fields))
        for each in lineage.declarations
    )


def _fields(lineage: Lineage | None) -> frozenset[str] | None:
    """Return the names of a class's values, None if not proven."""
    if lineage is None:
        return None
    parts = lineage.declarations
    backing = (f"<{name}>k__BackingField" for each in parts for name in each.properties)
    return FIELDS.union(*(each.fields | each.former | each.properties for each in parts), backing)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]
