"""Events, their overrides, and animations that call a script's methods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.field_users import component_files, is_script, scripts_of
from assetdb.checks.lineage import Sources, called_script, script_of_asset
from assetdb.checks.scripts.clip_files import clip_files
from assetdb.contents.named_values import property_values
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.completeness import of_whole, unread_fields
from assetdb.query.graph.relations import describe_subject
from assetdb.unity.referring.persistent_calls import SCRIPT, script_uses
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.property_path import places
from assetdb.unity.yaml.stored_values import OVERRIDE_ROW

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot

EVENT: Final = "event"
OVERRIDE: Final = "override"
ANIMATION: Final = "animation event"
_METHOD: Final = "m_MethodName"
_TARGET: Final = "m_Target"
_TYPE: Final = "m_TargetAssemblyTypeName"
_FUNCTION: Final = "functionName"
_ITEM: Final = re.compile(r"\.Array\.data(?=\[)")


class Caller(NamedTuple):
    """An event that calls a method.

    Attributes:
        path: of the asset, or of the meta of a model with the clip.
        guid: of the asset.
        line: 1-based.
        object_id: fileID of the object that has the event, or of the prefab instance that overrides it.
        property: of the name, as in the file.
        method: that is called.
        kind: :data:`EVENT`, :data:`OVERRIDE`, or :data:`ANIMATION`, which calls the method on whatever object plays it.
    """

    path: str
    guid: str
    line: int
    object_id: int
    property: str
    method: str
    kind: str


class _Row(NamedTuple):
    """One override with its value, and the object it refers to."""

    offset: int
    value: str
    local: int
    asset: str


def callers_of(project: Snapshot, script: str, method: str = "") -> list[Caller]:
    """Return the events that call a script's method, by path.

    Derived classes are included; without a ``method`` all methods that the classes declare.
    """
    return callers_in(View(memo_of(project).inputs(project)), script, method)


def callers_in(view: View, script: str, method: str = "") -> list[Caller]:
    """Return the events that call a script's method in a view."""
    sources = Sources(view)
    guids = [sources.guids[script]] if script in sources.guids else []
    types = [each for each in sources.source(script).types if not each.outer] if guids else []
    classes = {name for each in types for name in sources.derived(each.name)}
    scripts = frozenset((*guids, *scripts_of(sources, classes)))  # a script that cannot be read has components, too
    declared = {name for each in types for name in each.methods | each.properties}
    found = set(_of_animations(view, {method} if method and guids else declared))
    for path, guid in component_files(view, scripts):
        found.update(_of_file(view, path, guid, scripts, classes, method))
    return sorted(found)


def caller_fields(query: str, subject: Subject, project: Snapshot, method: str) -> dict[str, object]:
    """Return the events that call a method of a script, for JSON."""
    itself = describe_subject(subject, project)
    rows = [
        {**row._asdict(), "hierarchy": project.resolver.hierarchy(row.guid, row.object_id) if row.object_id else ""}
        for row in callers_of(project, itself.path, method)
    ]
    known = {"query": query, **itself._asdict(), "method": method, "is_script": is_script(itself.path)}
    return {**known, "total": len(rows), "callers": rows, **unread_fields(of_whole(project))}


def _of_file(
    view: View, path: str, guid: str, scripts: Collection[str], classes: Collection[str], method: str
) -> Iterator[Caller]:
    """Yield the calls of a text asset to one of the scripts."""
    data = view.read(path) or b""
    calls = [
        (call.offset, call.method)
        for call in script_uses(data).calls
        if method in ("", call.method) and called_script(view, call) in scripts
    ]
    for (_, name), place in zip(calls, places(data, [offset for offset, _ in calls]), strict=True):
        yield Caller(path, guid, place.line, place.file_id, place.path, name, EVENT)
    rows = _overrides(data)
    overrides = sorted(
        (row.offset, row.value)
        for key, row in rows.items()
        if key[2].endswith(f".{_METHOD}")
        and method in ("", row.value)
        and _calls(view, data, key, rows, scripts, classes)
    )
    for (_, name), place in zip(overrides, places(data, [offset for offset, _ in overrides]), strict=True):
        yield Caller(path, guid, place.line, place.file_id, place.override or place.path, name, OVERRIDE)


def _overrides(data: bytes) -> dict[tuple[int, str, str], _Row]:
    """Return the overrides of calls by fileID, GUID and property."""
    if f".{_METHOD}".encode() not in data:
        return {}
    return {
        (int(row[1]), row[2].decode(), row[3].decode("utf-8", "replace")): _Row(
            row.start(3), row[4].decode("utf-8", "replace").strip("'\""), int(row[6]), (row[7] or b"").decode()
        )
        for row in OVERRIDE_ROW.finditer(data)
        if row[6] is not None
    }


def _calls(
    view: View,
    data: bytes,
    key: tuple[int, str, str],
    rows: dict[tuple[int, str, str], _Row],
    scripts: Collection[str],
    classes: Collection[str],
) -> bool:
    """Whether an overridden call is to one of the scripts.

    The target is overridden, too, or is the one that the prefab has.
    """
    file_id, guid, name = key
    call = name.removesuffix(_METHOD)
    target = rows.get((file_id, guid, call + _TARGET))
    if target is not None:
        return (script_of_asset(view, target.asset, target.local) or _local_script(data, target.local)) in scripts
    kind = rows.get((file_id, guid, call + _TYPE))
    if kind is not None:
        return kind.value.partition(",")[0].rpartition(".")[2].rpartition("+")[2] in classes
    prefab = view.database.by_guid(guid)
    source = view.read(prefab.path) or b"" if prefab is not None else b""
    known = script_uses(source).calls
    for made, place in zip(known, places(source, [each.offset for each in known]), strict=True):
        if place.file_id == file_id and place.path == _ITEM.sub("", name):
            return called_script(view, made) in scripts
    return False


def _local_script(data: bytes, file_id: int) -> str:
    for item in documents(data):
        if item.file_id == file_id:
            found = SCRIPT.search(data, item.start, item.end)
            return found[1].decode() if found else ""
    return ""


def _of_animations(view: View, methods: Collection[str]) -> Iterator[Caller]:
    """Yield the events of clips that call one of the methods."""
    for path, guid in clip_files(view.database) if methods else ():
        for row in property_values(view.read(path) or b"", _FUNCTION, methods.__contains__):
            yield Caller(path, guid, row.place.line, row.place.file_id, row.path, row.value, ANIMATION)
