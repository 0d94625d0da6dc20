"""Query methods: parameters in, result out, from a snapshot of the project.

The results are what the commands print with ``--json``, made by the same functions.
"""

from __future__ import annotations

import os
import re
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, Final

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.call import MOST_QUERIES
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.daemon.rpc.registry import Registry
from assetdb.errors import ConfigurationError, UsageError
from assetdb.query.annotate import annotated
from assetdb.query.completeness import of_selection, of_whole, unread_fields
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import (
    dependencies_of,
    dependency_fields,
    describe_subject,
    usage_fields,
    usages_of,
)
from assetdb.query.selecting.selector import Subject, Unmatched, find_sorted, find_subject, is_guid, name_of
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.engine.classes import unity_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from assetdb.builds.served.answers import GroupAnswers, TraceAnswers
    from assetdb.checks.findings.finding import Finding
    from assetdb.daemon.rpc.call import Allowance
    from assetdb.query.selecting.labels import LabelledMatch
    from assetdb.query.selecting.selector import Match
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Name
    from assetdb.workspace.workspace import Update

    _OfSubject = TypeVar("_OfSubject", bound=protocol.OfSubject)

_REFERENCE: Final = re.compile(r"([0-9a-fA-F]{32})(?::(-?[0-9]{1,18}))?")
_MOST_FOUND: Final = 100_000
_CHANGES_AT_ONCE: Final = 500
_MOST_CANDIDATES: Final = 100  # of one query
_LONGEST_PATTERN: Final = 1000
_MOST_TYPES: Final = 100
_MOST_PATHS: Final = 10_000
_MOST_BUILDS: Final = 100
_MOST_TRACED: Final = 1000
_BETWEEN_CHECKS: Final = 31  # a mask


query_methods: Final = Registry()
"""Methods that the current project answers, called with parameters, project and allowance."""
method: Final = query_methods.method


@method("resolve", params=protocol.Resolve)
def resolve(params: protocol.Resolve, project: Snapshot, allowance: Allowance) -> list[protocol.Resolved]:
    """Name each of many references, in their order; at most 20,000.

    Raises:
        RpcError: there are too many at once.
    """
    if len(params.queries) > MOST_QUERIES:
        raise RpcError(protocol.INVALID_PARAMS, f"at most {MOST_QUERIES:,} queries at once")
    name = project.resolver.name
    read = _REFERENCE.fullmatch
    understood: dict[str, Subject | Unmatched] = {}  # suggestions for an unknown name take 2 ms
    found = []
    for number, query in enumerate(params.queries):
        if not number & _BETWEEN_CHECKS:
            check_cancelled()
        match = read(query)  # the usual form takes 0.4 us, parsing any form 2
        if match is not None:
            guid, digits = match.groups()
            found.append(_resolved(name(guid, int(digits) if digits else None), params, project))
            continue
        subject = understood.get(query) or find_subject(query, project, params.cwd, suggest=allowance.suggestions > 0)
        if isinstance(subject, Subject):
            found.append(_resolved(name_of(subject, project), params, project))
        else:
            reason = "ambiguous" if subject.ambiguous else "not-found"
            if query not in understood:
                allowance.suggestions -= not subject.ambiguous
                understood[query] = subject
            candidates = subject.candidates[: min(_MOST_CANDIDATES, allowance.candidates)]
            allowance.candidates -= len(candidates)
            found.append(protocol.Resolved(None, None, "", "", "", reason, candidates))
    return found


def _resolved(name: Name, params: protocol.Resolve, project: Snapshot) -> protocol.Resolved:
    if not params.labels:
        return protocol.Resolved(*name)
    from assetdb.query.selecting.labels import labels_of  # noqa: PLC0415 - few clients ask for them

    return protocol.Resolved(*name, labels=labels_of(name.guid, name.path, project))


@method("locate", params=protocol.Locate)
def locate(params: protocol.Locate, project: Snapshot, allowance: Allowance) -> list[protocol.Located]:  # noqa: ARG001
    """Locate the assets of up to 20,000 GUIDs on this machine.

    Raises:
        RpcError: there are too many at once, or one is not a GUID.
    """
    if len(params.guids) > MOST_QUERIES or not all(map(is_guid, params.guids)):
        raise RpcError(protocol.INVALID_PARAMS, f"at most {MOST_QUERIES:,} GUIDs at once, of 32 hex digits each")
    found = []
    for guid in params.guids:
        location = project.resolver.locate(guid.lower())
        if location is None:
            found.append(protocol.Located(reason=project.resolver.name(guid, None).reason))
        else:
            shown = location._replace(class_id=unity_number(location.class_id))
            found.append(protocol.Located(*shown[:6], standing=location.standing, absent=location.absent))
    return found


@method("find", params=protocol.Find)
def find_assets(params: protocol.Find, project: Snapshot, allowance: Allowance) -> dict[str, object]:  # noqa: ARG001
    """List assets and sub-assets by name and type, sorted by path.

    Raises:
        RpcError: more are requested than one answer holds, or a pattern or platform is invalid.
    """
    if not 0 < params.limit <= _MOST_FOUND:
        raise RpcError(protocol.INVALID_PARAMS, f"limit is 1 to {_MOST_FOUND:,}")
    try:
        return _found(params, project)
    except UsageError as error:
        raise RpcError(protocol.INVALID_PARAMS, str(error)) from error


def _found(params: protocol.Find, project: Snapshot) -> dict[str, object]:
    """Return matches as :func:`find_assets` does.

    Raises:
        RpcError: the pattern, or the types or labels, are too many.
        UsageError: the pattern or the platform is invalid.
    """
    special = len(params.pattern) > _LONGEST_PATTERN and any(character in params.pattern for character in "*?[")
    if special or len(params.types) > _MOST_TYPES or len(params.labels) > _MOST_TYPES:
        most = f"there are at most {_MOST_TYPES} types and {_MOST_TYPES} labels"
        raise RpcError(protocol.INVALID_PARAMS, f"a pattern has at most {_LONGEST_PATTERN:,} characters, and {most}")
    found: list[Match] | list[LabelledMatch]
    if params.labels:
        from assetdb.query.selecting.labels import find_labelled  # noqa: PLC0415 - few clients ask for them

        found = find_labelled(params.pattern, project, params.types, params.labels)
    else:
        found = find_sorted(params.pattern, project, params.types)
    rows: list[Match | LabelledMatch] = [*found[: params.limit]]
    shown: Iterable[dict[str, object]] = (row._asdict() for row in rows)
    if params.sizes:
        from assetdb.query.sizes import sizes_of  # noqa: PLC0415 - few clients ask for sizes

        sizes = sizes_of(project, rows)
        shown = ({**row._asdict(), "bytes": sizes.get(row.path)} for row in rows)
    if params.imported:
        from assetdb.query.imported_sizes import imported_fields, imported_sizes  # noqa: PLC0415 - the same

        textures = imported_sizes(project, rows, params.imported)
        shown = [{**fields, "imported": imported_fields(textures.get(str(fields["path"])))} for fields in shown]
    return {"found": shown, "total": len(found), **unread_fields(of_whole(project))}


@method("info")
def info(params: protocol.Parameters, project: Snapshot, allowance: Allowance) -> dict[str, object]:  # noqa: ARG001
    """Summarize the project: the object of `info --json`."""
    from assetdb.checks.overview import overview_fields, overview_of  # noqa: PLC0415 - few clients ask for it

    return overview_fields(overview_of(project))


@method("objects", params=protocol.Objects, is_long=True)
def objects(params: protocol.Objects, project: Snapshot, allowance: Allowance) -> dict[str, object]:  # noqa: ARG001
    """List objects by name and component: rows of `find --in --json`.

    Raises:
        RpcError: there is no such asset or component, or neither is named.
    """
    from assetdb.query.objects import find_objects  # noqa: PLC0415 - few clients ask for it

    if not params.inside and not params.component:
        raise RpcError(protocol.INVALID_PARAMS, "give inside or component")
    try:
        found = find_objects(project, params.cwd, params.pattern, params.inside, params.component)
        more = {"truncated": True} if found.truncated else {}
        return {"objects": [row._asdict() for row in found.rows], **more, **unread_fields(found.unread)}
    except UsageError as error:
        raise RpcError(protocol.INVALID_PARAMS, str(error)) from error


def _of_subject(
    function: Callable[[_OfSubject, Snapshot, Subject], dict[str, object]],
) -> Callable[[_OfSubject, Snapshot, Allowance], dict[str, object]]:
    """Return a method that finds the query's subject, or similar names.

    Suggestions reduce the allowance.
    """

    @wraps(function)
    def answered(params: _OfSubject, project: Snapshot, allowance: Allowance) -> dict[str, object]:
        subject = find_subject(params.query, project, params.cwd, suggest=allowance.suggestions > 0, folders=True)
        if isinstance(subject, Unmatched):
            allowance.suggestions -= not subject.ambiguous
            return {"query": params.query, **subject.fields()}
        try:
            return {"query": params.query, **function(params, project, subject)}
        except UsageError as error:
            raise RpcError(protocol.INVALID_PARAMS, str(error)) from error

    return answered


@method("ways", params=protocol.Ways, is_long=True)
@_of_subject
def ways(params: protocol.Ways, project: Snapshot, subject: Subject) -> dict[str, object]:
    """Return chains of references to an asset.

    Raises:
        UsageError: one of the assets is unknown, or a folder.
    """
    from assetdb.query.graph.ways import (  # noqa: PLC0415 - few clients ask for it
        MOST_WAYS,
        find_ways_between,
        find_ways_from_roots,
        one_asset,
        way_fields,
    )

    graph, most = AssetGraph(project), MOST_WAYS if params.every else 1
    if params.to:
        found, target = find_ways_between(params.query, subject, params.to, project, graph, params.cwd, most=most)
    else:
        target = one_asset(params.query, subject, project)
        found = find_ways_from_roots(target.guid, project, graph, most=most)
    itself = describe_subject(target, project)._asdict()
    rows = [way_fields(way, project) for way in found.ways]
    return {**itself, "ways": rows, "truncated": found.truncated, **unread_fields(of_whole(project))}


@method("ls", params=protocol.Ls)
@_of_subject
def ls(params: protocol.Ls, project: Snapshot, subject: Subject) -> dict[str, object]:
    """List the parts of an asset or folder: rows of `ls --json`.

    Raises:
        UsageError: ``inside`` is not in the asset.
    """
    from assetdb.query.listing import contents_fields, contents_of  # noqa: PLC0415 - few clients ask for it

    contents = contents_of(
        subject,
        project,
        params.cwd,
        nested=params.nested,
        depth=params.depth if params.depth > 0 else None,
        classes=params.classes,
        inside=params.inside,
        deep=params.deep,
    )
    itself = describe_subject(subject, project)
    textures = None
    if params.imported:
        from assetdb.query.imported_sizes import imported_sizes  # noqa: PLC0415 - few clients ask for it

        textures = imported_sizes(project, contents.assets or [itself], params.imported)
    return {**itself._asdict(), **contents_fields(contents, subject, textures)}


@method("get", params=protocol.Get)
@_of_subject
def get(params: protocol.Get, project: Snapshot, subject: Subject) -> dict[str, object]:
    """Return the values of one object: the object of `get --json`."""
    from assetdb.query.inspecting import value_fields, values_of  # noqa: PLC0415 - few clients ask for it

    return value_fields(values_of(subject, project, overrides=params.overrides))


@method("unused", params=protocol.Unused, is_long=True)
def unused(params: protocol.Unused, project: Snapshot, allowance: Allowance) -> dict[str, object]:  # noqa: ARG001
    """List unreachable assets: the object of `unused --json`, without ``kept``.

    ``unread`` lists files that could not be read; if there are any, nothing is listed unless ``incomplete`` is set.
    ``unmatched_roots`` are given patterns that no asset matches.
    """
    from assetdb.query.graph.unused import (  # noqa: PLC0415 - few clients ask for it
        find_unused,
        has_build_scenes,
        lacking,
        unmatched_roots,
    )
    from assetdb.query.graph.unused_rows import kept_alone, unused_fields  # noqa: PLC0415 - the same
    from assetdb.query.sizes import sizes_of  # noqa: PLC0415 - the same

    missing = [item._asdict() for item in lacking(project.root, project.database)]
    fields: dict[str, object] = {"unread": missing, "build_scenes": has_build_scenes(project.root)}
    if missing and not params.incomplete:
        return {"unused": [], "roots": {}, **fields}
    report = find_unused(project, params.roots, alone=params.sizes)
    fields["unmatched_roots"] = unmatched_roots(report, params.roots)
    sizes = sizes_of(project, [*report.unused, *report.kept]) if params.sizes else {}
    if params.sizes:
        fields["alone"] = [row._asdict() for row in kept_alone(report, sizes)]
    return {"unused": unused_fields(report.unused, sizes), "roots": report.roots, **fields}


@method("check", params=protocol.Check)
def check(params: protocol.Check, project: Snapshot, allowance: Allowance) -> dict[str, object]:  # noqa: ARG001
    """List findings by path: the rows of `check --format json`.

    Raises:
        RpcError: more are requested than one answer holds, or a code or pattern is invalid.
    """
    from assetdb.checks.daemon_report import cached_report  # noqa: PLC0415 - the same
    from assetdb.checks.findings.selection import within  # noqa: PLC0415 - the same
    from assetdb.settings.checking import known_codes  # noqa: PLC0415 - the same

    if not 0 < params.limit <= _MOST_FOUND:
        raise RpcError(protocol.INVALID_PARAMS, f"limit is 1 to {_MOST_FOUND:,}")
    if len(params.paths) > _MOST_PATHS or max(map(len, params.paths), default=0) > _LONGEST_PATTERN:
        message = f"at most {_MOST_PATHS:,} paths, of {_LONGEST_PATTERN:,} characters"
        raise RpcError(protocol.INVALID_PARAMS, message)
    try:
        inside = within(params.paths)
        select, ignore = known_codes("select", params.select), known_codes("ignore", params.ignore)
    except (ConfigurationError, UsageError) as error:
        raise RpcError(protocol.INVALID_PARAMS, str(error)) from error
    report = cached_report(project, select, ignore)
    found = [finding for finding in report.findings if inside(finding.path)] if params.paths else report.findings
    rows = (finding.fields() for finding in islice(found, params.limit))
    return {"findings": rows, "total": len(found), **unread_fields(of_selection(project, inside))}


@method("deps", params=protocol.Deps)
@_of_subject
def deps(params: protocol.Deps, project: Snapshot, subject: Subject) -> dict[str, object]:
    """List the dependencies of an asset."""
    found = dependencies_of(subject, project, AssetGraph(project), deep=params.deep)
    return dependency_fields(params.query, subject, project, found, deep=params.deep, sized=params.sizes)


@method("usages", params=protocol.Usages)
@_of_subject
def usages(params: protocol.Usages, project: Snapshot, subject: Subject) -> dict[str, object]:
    """List references to an asset, with ``objects`` also their places.

    With ``field`` the values of that field of a script, with ``method`` the events that call it, or with ``*`` any.
    """
    if params.method:
        from assetdb.checks.scripts.callers import caller_fields  # noqa: PLC0415 - few clients ask for it

        return caller_fields(params.query, subject, project, "" if params.method == "*" else params.method)
    if params.field:
        from assetdb.checks.field_users import storage_fields  # noqa: PLC0415 - few clients ask for it

        return storage_fields(params.query, subject, project, params.field)
    graph = AssetGraph(project)
    files, places = usages_of(subject, project, graph, deep=params.deep, objects=params.objects)
    named = places if params.objects else None
    return usage_fields(params.query, subject, project, files, named, deep=params.deep, sized=params.sizes)


@method("members", params=protocol.Members)
@_of_subject
def members(params: protocol.Members, project: Snapshot, subject: Subject) -> dict[str, object]:
    """Count the events that call methods, and assets that set fields."""
    from assetdb.checks.scripts.members import member_fields  # noqa: PLC0415 - few clients ask for it

    return member_fields(params.query, subject, project)


@method("trace", params=protocol.Trace, is_long=True)
def trace(params: protocol.Trace, project: Snapshot, allowance: Allowance) -> TraceAnswers:  # noqa: ARG001
    """Follow assets to builds, and back: rows of `trace --json`.

    Raises:
        RpcError: no build is named, a path is not absolute, or there are too many queries or none.
    """
    from assetdb.builds.served.answers import trace_answers  # noqa: PLC0415 - some 0.2 s, and few clients ask for it
    from assetdb.builds.trace.rows import LISTS  # noqa: PLC0415 - the same

    if not 0 < len(params.builds) <= _MOST_BUILDS or not all(map(os.path.isabs, params.builds)):
        raise RpcError(protocol.INVALID_PARAMS, f"builds are 1 to {_MOST_BUILDS} absolute paths")
    if params.report and not os.path.isabs(params.report):
        raise RpcError(protocol.INVALID_PARAMS, "report is an absolute path")
    if "\0" in "".join((*params.builds, params.cwd, params.report)):
        raise RpcError(protocol.INVALID_PARAMS, "no path has a null character")
    if not params.queries and not params.lists:
        raise RpcError(protocol.INVALID_PARAMS, "give queries or lists to trace")
    if len(params.queries) > _MOST_TRACED or not set(params.lists) <= set(LISTS):
        raise RpcError(protocol.INVALID_PARAMS, f"at most {_MOST_TRACED:,} queries; lists are of {', '.join(LISTS)}")
    return trace_answers(params.builds, project, params.queries, params.lists, params.cwd, params.report)


@method("groups", params=protocol.Groups, is_long=True)
def groups(params: protocol.Groups, project: Snapshot, allowance: Allowance) -> GroupAnswers:  # noqa: ARG001
    """Show results of Addressables groups: the rows of `groups --json`.

    Raises:
        RpcError: there is no such group or profile, or the options exclude each other.
    """
    from assetdb.builds.served.answers import group_answers  # noqa: PLC0415 - the same

    try:
        return group_answers(
            project, params.names, duplicates=params.duplicates, entries=params.entries, profile=params.profile
        )
    except UsageError as error:
        raise RpcError(protocol.INVALID_PARAMS, str(error)) from error


@method("annotate", params=protocol.Annotate)
def annotate(params: protocol.Annotate, project: Snapshot, allowance: Allowance) -> dict[str, object]:  # noqa: ARG001
    """Return YAML with names as comments.

    Raises:
        RpcError: there is too much of it.
    """
    return {"text": annotated(params.text.encode(), project.resolver).decode()}


def update_notifications(update: Update) -> Iterable[bytes]:
    """Yield an update's notifications, with ``more`` in all but the last."""
    changes = [protocol.ChangeEntry(*change) for change in update.changes]
    added = [found.fields() for found in update.diagnostics_added]
    removed = [found.fields() for found in update.diagnostics_removed]
    start = 0
    while start < len(changes) or added or removed:
        part = changes[start : start + _CHANGES_AT_ONCE]
        start += _CHANGES_AT_ONCE
        fields = {"changes": part, "diagnostics_added": added, "diagnostics_removed": removed}
        yield protocol.notification("update", {**fields, "more": start < len(changes)})
        added = removed = []


def finding_notifications(added: list[Finding], removed: list[Finding]) -> Iterable[bytes]:
    """Yield notifications of findings, with ``more`` in all but the last."""
    while added or removed:
        parts = [[finding.fields() for finding in found[:_CHANGES_AT_ONCE]] for found in (added, removed)]
        added, removed = added[_CHANGES_AT_ONCE:], removed[_CHANGES_AT_ONCE:]
        fields = {"added": parts[0], "removed": parts[1], "more": bool(added or removed)}
        yield protocol.notification("findings", fields)
