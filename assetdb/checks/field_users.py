"""Assets that store serialized fields, by the C# of the project.

A field belongs to a component, an asset, or a ``[Serializable]`` type in one. Types go by their names, together with
the types that derive from them: who asks must know that the project has one type of a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.lineage import Sources
from assetdb.memo.inputs import SCRIPTS
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.completeness import of_whole, unread_fields
from assetdb.query.graph.relations import describe_subject
from assetdb.unity.kinds import DOCUMENTS, extension_of, kind_of
from assetdb.unity.yaml.property_path import places
from assetdb.unity.yaml.stored_values import stored_values

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.yaml.stored_values import StoredValue

_PREFAB: Final = ".prefab"
_CODE: Final = ".cs"


class FieldUse(NamedTuple):
    """A place where an asset stores a field.

    Attributes:
        path: the asset.
        guid: of the asset.
        line: 1-based.
        object_id: fileID of the object in the asset.
        property: as in the file.
        is_default: whether the value is zero or empty.
    """

    path: str
    guid: str
    line: int
    object_id: int
    property: str
    is_default: bool


class Storage(NamedTuple):
    """The places where assets store a field of a script.

    Attributes:
        uses: by path and line.
        others: other files that declare a type called like one of the script, whose values may be among these.
    """

    uses: list[FieldUse]
    others: list[str]


def storage_of(project: Snapshot, script: str, field: str) -> Storage:
    """Return the places where assets store a field of a script's types.

    A field that no type of the file declares is one of a base class, or was removed. Values under a former name
    (``FormerlySerializedAs``) are the field's.
    """
    view = View(memo_of(project).inputs(project))
    sources = Sources(view)
    names = {field, f"<{field}>k__BackingField"}
    types = sources.source(script).types if script in sources.guids else ()
    declaring = {each.name for each in types if any(name in names for name, _ in each.types)}
    names |= {former.name for each in types for former in each.renamed if former.field in names}
    owners = declaring or {each.name for each in types if not each.outer}
    found = users_of_fields(view, sources, dict.fromkeys(sorted(owners), names))
    others = {path for name in owners for path, _ in sources.mentions(name)} - {script}
    return Storage(sorted({use for rows in found.values() for use in rows}), sorted(others))


def storage_fields(query: str, subject: Subject, project: Snapshot, field: str) -> dict[str, object]:
    """Return the places where assets store a field, for JSON."""
    itself = describe_subject(subject, project)
    uses, others = storage_of(project, itself.path, field)
    rows = [{**use._asdict(), "hierarchy": project.resolver.hierarchy(use.guid, use.object_id)} for use in uses]
    counts = {"total": len(rows), "not_default": sum(not use.is_default for use in uses)}
    fields: dict[str, object] = {
        "query": query,
        **itself._asdict(),
        "field": field,
        "is_script": is_script(itself.path),
    }
    return {**fields, **counts, "values": rows, "others": others, **unread_fields(of_whole(project))}


def is_script(path: str) -> bool:
    """Whether a path leads to a C# file."""
    return path.lower().endswith(_CODE)


class _Owners(NamedTuple):
    """Where the values of a type are.

    Attributes:
        classes: the type and those that derive from it.
        scripts: GUIDs of components and assets of the classes.
        holders: names of fields that hold a value of one of the classes.
        around: GUIDs of the scripts of components and assets with such a field, at any depth.
        components: names of all these components' classes.
    """

    classes: frozenset[str]
    scripts: frozenset[str]
    holders: frozenset[str]
    around: frozenset[str]
    components: frozenset[str]


def users_of_fields(
    project: View, sources: Sources, fields: Mapping[str, Collection[str]], script: str = ""
) -> dict[tuple[str, str], list[FieldUse]]:
    """Return, by type and field, the places where assets store it.

    Args:
        project: with the assets.
        sources: its C#.
        fields: names of fields by the name of the type that declares them, or declared them.
        script: GUID of the type's file, where the project has another type of its name: then only the values of its
            own components and assets certainly belong to it, and only those are returned.
    """
    found: dict[tuple[str, str], list[FieldUse]] = {}
    nothing: frozenset[str] = frozenset()
    for owner, names in fields.items():
        owners = _Owners(nothing, frozenset((script,)), *(nothing,) * 3) if script else _owners(sources, owner)
        for path, guid in component_files(project, owners.scripts | owners.around):
            data = project.read(path) or b""
            values = [row for row in stored_values(data, names) if _is_of(project, row, owners)]
            for row, place in zip(values, places(data, [row.offset for row in values]), strict=True):
                property_path = place.override or place.path
                use = FieldUse(path, guid, place.line, place.file_id, property_path, row.is_default)
                found.setdefault((owner, row.name), []).append(use)
    return found


def component_users(project: View, sources: Sources, name: str) -> set[str] | None:
    """Return the assets that may store a class's fields, None if any."""
    if not sources.may_be_component(name):
        return None
    owners = _owners(sources, name)
    return {path for path, _ in component_files(project, owners.scripts | owners.around)} if owners.scripts else None


def _owners(sources: Sources, name: str) -> _Owners:
    """Return where the values of a type may be."""
    classes = sources.derived(name)
    scripts = scripts_of(sources, classes)
    holders: set[str] = set()
    outer: set[str] = set()
    waiting = sorted(classes)
    seen = set(waiting)
    while waiting:
        held = waiting.pop()
        for declared, field in sources.holders.get(held, ()):
            if held in classes:
                holders.add(field)
            if declared not in outer:  # otherwise all that derive from it are there, too
                above = sources.derived(declared)
                outer |= above
                waiting += sorted(above - seen)
                seen |= above
    around = scripts_of(sources, outer)
    return _Owners(
        frozenset(classes), frozenset(scripts), frozenset(holders), frozenset(around), frozenset(classes | outer)
    )


def scripts_of(sources: Sources, classes: Collection[str]) -> set[str]:
    """Return the GUIDs of files called as a class, or without another."""
    found: set[str] = set()
    for name in classes:
        paths = dict.fromkeys(path for path, _ in sources.mentions(name))
        found.update(sources.guids[path] for path in paths if is_class_of_file(sources, path, name))
    return found


def is_class_of_file(sources: Sources, path: str, name: str) -> bool:
    """Whether components with a file for their script are of a class."""
    # pixel-adventure (2022.3) has components whose class is not called as its file, and its player runs them.
    types = [each.name for each in sources.source(path).types if each.kind == "class" and not each.outer]
    return path.rpartition("/")[2].rpartition(".")[0] == name or types == [name]


def component_files(project: View, scripts: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield text assets with some components, and users of their prefabs."""
    database = project.database
    graph = project.graph(SCRIPTS)
    nodes = [node for script in scripts if (node := graph.node(int(script, 16))) is not None]
    waiting = graph.guids(sorted({user for node in nodes for user in graph.incoming(node)}))
    seen = set(waiting)
    while waiting:
        prefabs = []
        for guid in sorted(waiting):
            asset = database.by_guid(guid)
            if asset is not None and kind_of(extension_of(asset.path)).content == DOCUMENTS:
                yield asset.path, guid
                prefabs += [guid] if asset.path.lower().endswith(_PREFAB) else []
        users = project.users(prefabs)
        waiting = sorted({user for found in users.values() for user in found} - seen)
        seen.update(waiting)


def _is_of(project: View, row: StoredValue, owners: _Owners) -> bool:
    """Whether a value is one of the type."""
    if row.target is not None:
        kind = project.resolver.name(*row.target, override=True).type
        if kind not in owners.components:
            return False
        return kind in owners.classes if not row.parents else row.parents[-1] in owners.holders
    if row.reference:
        return row.reference.rpartition("/")[2] in owners.classes and row.parents[-1:] == ("data",)
    if not row.parents:
        return row.script in owners.scripts
    return row.parents[-1] in owners.holders and row.script in owners.around
