"""Objects of prefabs and scenes by name and by component."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import UsageError
from assetdb.query.completeness import links_out, of_kinds
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import describe_subject
from assetdb.query.listing import BETWEEN, HIERARCHIES, has_hierarchy, list_objects
from assetdb.query.selecting.selector import Unmatched, find_subject, is_guid, name_matcher_of
from assetdb.resolve.resolver import ENGINE
from assetdb.resolve.sizes import is_too_large
from assetdb.settings.project import asset_file
from assetdb.settings.user import refused_link
from assetdb.system.reading import read_file
from assetdb.unity.binary.opening import as_text
from assetdb.unity.engine.builtin import is_engine_script
from assetdb.unity.engine.classes import class_number
from assetdb.unity.kinds import extension_of
from assetdb.unity.yaml.objects import MONO_BEHAVIOUR, TextObjects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver
    from assetdb.store.entry import Asset
    from assetdb.store.indexes.supplement import Unread

_SCRIPT: Final = ".cs"
_LIBRARY: Final = "dll"
_MONO_SCRIPT: Final = 115
_NOT_COMPONENTS: Final = frozenset(("GameObject", "PrefabInstance", "Prefab"))


class ObjectMatch(NamedTuple):
    """An object of an asset.

    Attributes:
        guid: of the asset.
        file_id: of the object in it.
        name: the names from the root of the asset down to it, `` / `` between them.
        path: of the asset, relative to the project.
        type: the requested component, or all of its components.
    """

    guid: str
    file_id: int
    name: str
    path: str
    type: str


class _Kind(NamedTuple):
    """A type of components: a class of the engine, or of scripts.

    Attributes:
        name: of the class.
        class_id: of the engine's class.
        scripts: GUIDs of the files that have the class, none for a class of the engine.
        is_named: whether a component counts only if its script's class has the name, since a DLL has many classes.
    """

    name: str
    class_id: int
    scripts: tuple[str, ...] = ()
    is_named: bool = False


class ObjectMatches(NamedTuple):
    """Objects that match, and unread files that may have more.

    Attributes:
        rows: the objects.
        unread: the files.
        truncated: whether the asset has more objects than were looked at.
    """

    rows: Iterable[ObjectMatch]
    unread: Sequence[Unread]
    truncated: bool = False


def find_objects(
    project: Snapshot, cwd: str, pattern: str = "", inside: str = "", component: str = ""
) -> ObjectMatches:
    """Return objects by name or component, in one asset or all.

    Args:
        project: the project that is searched.
        cwd: the directory that paths are relative to.
        pattern: as for :func:`find_in`.
        inside: the prefab, scene or model, as a query; ``""``: all prefabs and scenes, which takes a ``component``.
        component: as for :func:`find_components`.

    Raises:
        UsageError: ``inside`` is not a prefab, scene or model, there is no such component, or the pattern is invalid.
        FileError: the asset cannot be opened; the message gives the reason.
    """
    if not inside:
        found = find_components(component, project, AssetGraph(project), cwd, pattern)
        files = _with_extensions(project, HIERARCHIES)
        return ObjectMatches(found, [*of_kinds(project, HIERARCHIES), *links_out(project, files)])
    subject = find_subject(inside, project, cwd, folders=True)
    if isinstance(subject, Unmatched):
        raise UsageError(subject.why)
    path = describe_subject(subject, project).path
    if subject.folder or not has_hierarchy(path):
        raise UsageError(f"{inside!r} is not a prefab, scene or model: only these have objects to find")
    return find_in(subject, path, project, pattern, component, cwd)


def find_in(
    subject: Subject, path: str, project: Snapshot, pattern: str = "", component: str = "", cwd: str = ""
) -> ObjectMatches:
    """Return GameObjects of an asset, nested ones too, by name.

    Args:
        subject: the asset.
        path: the path of the asset.
        project: the project that has the asset.
        pattern: text that the name contains, in any case, or with ``*``, ``?`` or ``[`` a pattern for the whole name.
        component: the class or script of a component that the GameObjects have, as for :func:`find_components`, names
            in any case; ``""``: any.
        cwd: the directory that a path is relative to.

    Raises:
        FileError: the asset cannot be opened; the message gives the reason.
        UsageError: the pattern is invalid, or nothing has the path of a script.
    """
    matches = name_matcher_of(pattern)
    classes: tuple[str, ...] = (component,) if component else ()
    if "/" in component:
        classes = _kind_of(component, project, cwd).scripts
    listed = list_objects(subject, project, classes=classes)
    found = [
        ObjectMatch(subject.guid, row.file_id, BETWEEN.join(row.way), path, ", ".join(p.type for p in row.components))
        for row in listed.objects
        if row.file_id and not row.removed and matches(row.name)
    ]
    return ObjectMatches(found, listed.unread, listed.truncated)


def find_components(
    component: str, project: Snapshot, graph: AssetGraph, cwd: str = "", pattern: str = ""
) -> Iterator[ObjectMatch]:
    """Yield the components of a type in all prefabs and scenes.

    They come in the order of paths. A component of a nested prefab is listed in that prefab only.

    Args:
        component: ``Camera``, the name of a script (one of a package or DLL, too), or its path or GUID.
        project: the project that is searched.
        graph: the graph of the project.
        cwd: the directory that a path is relative to.
        pattern: as for :func:`find_in`, for the name of the object.

    Raises:
        UsageError: there is no such type, or the pattern is invalid.
    """
    kind = _kind_of(component, project, cwd)
    matches = name_matcher_of(pattern)
    resolver = project.resolver
    is_known = not kind.is_named
    for asset in _candidates(kind, project, graph):
        file = asset_file(project.root, asset.path)
        for file_id in _component_ids(file, kind, resolver) if not refused_link(file, project.root) else ():
            is_known = True
            name = resolver.hierarchy(project.key_at(asset.path, asset.guid), file_id)
            if matches(name.rpartition(BETWEEN)[2]):
                yield ObjectMatch(asset.guid, file_id, name, asset.path, kind.name)
    if not is_known:
        raise UsageError(f"--component {component!r}: neither a class of Unity nor a script that an object has")


def _kind_of(component: str, project: Snapshot, cwd: str) -> _Kind:
    """Return the type of components with a name.

    Raises:
        UsageError: nothing has this name.
    """
    if not component.endswith(_SCRIPT):
        number = class_number(component)
        if number and component not in _NOT_COMPONENTS:
            return _Kind(component, number)
    if is_guid(component):
        guid = component.lower()
        return _Kind(project.resolver.script_name(guid) or guid, MONO_BEHAVIOUR, (guid,))
    wanted = component.rpartition("/")[2].removesuffix(_SCRIPT)
    scripts = [
        asset
        for asset in project.database.candidates(wanted.casefold())
        if asset.class_id == _MONO_SCRIPT and asset.path.rpartition("/")[2] == f"{wanted}{_SCRIPT}"
    ]
    if "/" in component or len(scripts) != 1:
        found = find_subject(component if component.endswith(_SCRIPT) else f"{component}{_SCRIPT}", project, cwd)
        if isinstance(found, Unmatched):
            if not scripts and "/" not in component:
                return _Kind(wanted, MONO_BEHAVIOUR, tuple(_script_files(wanted, project)), is_named=True)
            several = ", ".join(sorted(asset.path for asset in scripts))
            why = f"several scripts have this name: {several}" if several else "neither a class of Unity nor a script"
            raise UsageError(f"--component {component!r}: {why}")
        return _Kind(wanted, MONO_BEHAVIOUR, (found.guid,))
    return _Kind(wanted, MONO_BEHAVIOUR, (scripts[0].guid,))


def _script_files(name: str, project: Snapshot) -> Iterator[str]:
    """Yield the GUIDs of scripts with a name, and of all DLLs.

    The engine and the table of public packages have names of scripts; DLLs have the UI's classes until Unity 2019.1.
    """
    resolver, graph = project.resolver, project.database.graph
    if is_engine_script(name):
        yield ENGINE
    for guid in graph.guids(range(graph.asset_count, graph.node_count)):
        location = resolver.locate(guid)
        if location is not None and (extension_of(location.path) == _LIBRARY or resolver.script_name(guid) == name):
            yield guid
    yield from (asset.guid for asset in _with_extensions(project, (_LIBRARY,)))


def _candidates(kind: _Kind, project: Snapshot, graph: AssetGraph) -> list[Asset]:
    """Return the prefabs and scenes that may have a component, by path."""
    if kind.class_id == MONO_BEHAVIOUR:
        guids = {user for script in kind.scripts for user in graph.usages(script)}
        users = map(project.database.by_guid, guids)
        found = [asset for asset in users if asset and extension_of(asset.path) in HIERARCHIES]
    else:
        found = list(_with_extensions(project, HIERARCHIES))
    found += [item.asset for item in project.duplicates if extension_of(item.asset.path) in HIERARCHIES]
    return sorted(found, key=lambda asset: asset.path)


def _with_extensions(project: Snapshot, extensions: Iterable[str]) -> Iterator[Asset]:
    """Yield the assets with some extensions, also in capitals (``Hall.UNITY``)."""
    for extension in sorted(extensions):
        yield from project.database.ending(f".{extension}")


def _component_ids(file: str, kind: _Kind, resolver: Resolver) -> list[int]:
    """Return the fileIDs of the components of a type in a file."""
    if is_too_large(file):
        return []
    data = as_text(read_file(file) or b"")
    marks = [script.encode() for script in kind.scripts] or [b"--- !u!%d &" % kind.class_id]
    if not any(mark in data for mark in marks):
        return []
    return [
        file_id
        for file_id, item in TextObjects(data).objects.items()
        if item.class_id == kind.class_id
        and not item.stripped
        and (not kind.scripts or item.script[1] in kind.scripts)
        and (not kind.is_named or resolver.script_name(item.script[1], item.script[0]) == kind.name)
    ]
