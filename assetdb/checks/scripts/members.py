"""Members of a script that assets use: methods called, fields set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.field_users import users_of_fields
from assetdb.checks.lineage import Sources
from assetdb.checks.scripts.callers import callers_in
from assetdb.memo.memo import memo_of
from assetdb.query.completeness import of_whole, unread_fields
from assetdb.query.graph.relations import describe_subject
from assetdb.unity.kinds import extension_of

if TYPE_CHECKING:
    from assetdb.memo.view import View
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot

_BACKING_FIELD: Final = re.compile("<(.+)>k__BackingField")
_SCENE: Final = "unity"


class CalledMethod(NamedTuple):
    """A method that events call.

    Attributes:
        name: of the method.
        calls: by events, overrides of them and animation events.
        first: hierarchy of the first of them, or its file.
    """

    name: str
    calls: int
    first: str


class SetField(NamedTuple):
    """A serialized field that assets set to more than zero or empty.

    Attributes:
        type: of the script that declares it.
        name: as in the source.
        prefabs: that set it.
        scenes: that set it.
        others: other assets that set it.
    """

    type: str
    name: str
    prefabs: int
    scenes: int
    others: int


class Members(NamedTuple):
    """The members of a script that assets use, by name."""

    methods: list[CalledMethod]
    fields: list[SetField]


def members_of(project: Snapshot, script: str) -> Members:
    """Return the members of a script that assets use."""
    memo = memo_of(project)
    return memo.derive(
        memo.inputs(project),
        f"members of {script}",
        "",
        lambda view: Members(_called_methods(view, script), _set_fields(view, script)),
    )


def _called_methods(view: View, script: str) -> list[CalledMethod]:
    found: dict[str, list[str]] = {}
    for row in callers_in(view, script):
        way = view.resolver.hierarchy(row.guid, row.object_id) if row.object_id and row.method not in found else ""
        stem = row.path.rpartition("/")[2].partition(".")[0]
        found.setdefault(row.method, []).append(f"{stem} / {way}" if way and not way.startswith(stem) else way or stem)
    return [CalledMethod(name, len(ways), ways[0]) for name, ways in sorted(found.items())]


def _set_fields(view: View, script: str) -> list[SetField]:
    sources = Sources(view)
    fields: dict[str, list[str]] = {}
    for each in sources.source(script).types if script in sources.guids else ():
        unstored = dict(each.unstored)
        fields.setdefault(each.name, []).extend(name for name, _ in each.types if name not in unstored)
    found = []
    for (owner, name), uses in sorted(users_of_fields(view, sources, fields).items()):
        paths = {use.path for use in uses if not use.is_default}
        kinds = [extension_of(path) for path in paths]
        prefabs, scenes = kinds.count("prefab"), kinds.count(_SCENE)
        if paths:
            plain = _BACKING_FIELD.sub(r"\1", name)
            found.append(SetField(owner, plain, prefabs, scenes, len(paths) - prefabs - scenes))
    return found


def member_fields(query: str, subject: Subject, project: Snapshot) -> dict[str, object]:
    """Return the members of a script that assets use, for JSON."""
    itself = describe_subject(subject, project)
    found = members_of(project, itself.path)
    return {
        "query": query,
        **itself._asdict(),
        "methods": [row._asdict() for row in found.methods],
        "fields": [row._asdict() for row in found.fields],
        **unread_fields(of_whole(project)),
    }
