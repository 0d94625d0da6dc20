"""``assetdb usages Script.cs --field NAME`` and ``--method NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.counting import counted
from assetdb.checks.field_users import is_script, storage_fields, storage_of
from assetdb.checks.scripts.callers import EVENT, caller_fields, callers_of
from assetdb.cli.asking.target import ABSENT, answer_queries
from assetdb.cli.terminal import print_cells, print_json, say
from assetdb.errors import UsageError
from assetdb.query.completeness import of_whole
from assetdb.query.graph.relations import describe_subject

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.cli.arguments import QueryOptions
    from assetdb.cli.asking.target import Notes
    from assetdb.query.graph.references import AssetGraph
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot


def answer_field(queries: list[str], field: str, options: QueryOptions) -> int:
    """Print a field's stored values; 1 if there is none.

    Raises:
        UsageError: a query is no script.
    """

    def show(project: Snapshot, script: str) -> bool:
        uses, others = storage_of(project, script, field)
        for use in uses:
            way = project.resolver.hierarchy(use.guid, use.object_id)
            cells = (f"{use.path}:{use.line}" if use.line else use.path, way, use.property)
            print_cells((*cells, "zero or empty" if use.is_default else ""))
        if others and not options.quiet:
            say(f"types of the same name are in {', '.join(others)}: values of theirs may be among these")
        if not uses:
            say(f"no asset stores {field} of {script}")
        elif not options.quiet:
            files = counted(len({use.path for use in uses}), "asset")
            given = sum(not use.is_default for use in uses)
            say(f"{counted(len(uses), 'value')} ({given:,} not zero or empty) in {files}")
        return bool(uses)

    refusal = "--field is for C# scripts"
    return _answer(
        queries,
        options,
        refusal,
        lambda query, subject, project: storage_fields(query, subject, project, field),
        show,
    )


def answer_method(queries: list[str], method: str, options: QueryOptions) -> int:
    """Print the events that call a method or any; 1 for none.

    Raises:
        UsageError: a query is no script.
    """

    def show(project: Snapshot, script: str) -> bool:
        found = callers_of(project, script, method)
        for row in found:
            way = project.resolver.hierarchy(row.guid, row.object_id) if row.object_id else ""
            called = "" if method else f"calls {row.method}"
            cells = (f"{row.path}:{row.line}", way, row.property, called, "" if row.kind == EVENT else row.kind)
            print_cells(cells)
        if not found:
            say(f"no event calls {method or 'a method'} of {script}")
        return bool(found)

    refusal = "--method and --event are for C# scripts"
    return _answer(
        queries,
        options,
        refusal,
        lambda query, subject, project: caller_fields(query, subject, project, method),
        show,
    )


def _answer(
    queries: list[str],
    options: QueryOptions,
    refusal: str,
    fields_of: Callable[[str, Subject, Snapshot], dict[str, object]],
    show: Callable[[Snapshot, str], bool],
) -> int:
    """Answer a question about each script; 1 if one has no rows.

    Args:
        queries: the scripts.
        options: of the command.
        refusal: the beginning of the error for any other asset.
        fields_of: returns the rows for JSON, with their ``total``.
        show: prints the rows of a script by its path; returns whether there are any.
    """

    def answer(query: str, subject: Subject, project: Snapshot, _: AssetGraph, as_json: bool, notes: Notes) -> bool:  # noqa: FBT001
        itself = describe_subject(subject, project)
        notes.absent = notes.absent or itself.type == ABSENT
        if not is_script(itself.path):
            raise UsageError(f"{refusal}: {itself.path or subject.guid} is none")
        notes.unread.update(of_whole(project))
        if not as_json:
            return show(project, itself.path)
        fields = fields_of(query, subject, project)
        print_json(fields)
        return bool(fields["total"])

    return answer_queries(queries, options, answer)
