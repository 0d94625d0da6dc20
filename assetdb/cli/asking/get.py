"""``assetdb get``."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from assetdb.cli.asking import opened, say_sharing, say_unmatched
from assetdb.cli.terminal import not_found, print_json, printable, say, table
from assetdb.query.inspecting import HIDDEN, described_value, value_fields, values_of
from assetdb.query.selecting.selector import Unmatched, find_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.cli.arguments import QueryOptions
    from assetdb.query.inspecting import ObjectValues, ValueText


def get(options: QueryOptions, query: str, *, overrides: bool = False) -> int:
    """Print the values of one object as the Inspector would."""
    project = opened(options)
    project.expire()
    subject = find_subject(query, project, options.cwd)
    if isinstance(subject, Unmatched):
        return say_unmatched(query, subject, as_json=options.json)
    if not options.quiet:
        say_sharing(subject, project)
    found = values_of(subject, project, overrides=overrides)
    if options.json:
        print_json(value_fields(found))
    elif overrides and not found.properties:
        return not_found(f"{found.name}: nothing is overridden")
    else:
        source = f"  [{found.source_path}:{found.source_id}]"
        print(printable(found.name + source))
        rows = list(_chains(found) if overrides else _lines(found))
        if rows:
            print(table(rows, styles=("", "")))
    if found.imported:
        say(f"{found.name}: the importer of {found.source_path} makes its values; only overrides are in files")
    if found.truncated:
        say(f"{found.name}: has more values than are shown")
    if found.repeated:
        say(f"{found.name}: has {', '.join(found.repeated)} more than once: which of them Unity takes is not known")
    return 0


def _lines(found: ObjectValues) -> Iterator[tuple[str, str, str]]:
    """Yield path, value and overriding files; a vector as one line."""
    for _, group in groupby(found.properties, lambda row: row.group or id(row)):
        rows = list(group)
        row = rows[0]
        if row.path.partition(".")[0] in HIDDEN:
            continue
        setters = {step.path: None for item in rows for step in item.settings[-1:]}
        by = ", ".join(path.rpartition("/")[2] for path in setters)
        note = f"overridden by {by}" if by else ""
        if row.group:
            fields = ", ".join(f"{item.path.rpartition('.')[2]}: {_shown(item.value)}" for item in rows)
            yield f"  {row.group}", f"({fields})", note
        else:
            yield f"  {row.path}", _shown(row.value), note


def _shown(value: ValueText | None) -> str:
    return "-" if value is None else described_value(value)


def _chains(found: ObjectValues) -> Iterator[tuple[str, str]]:
    """Yield path and the values of each file, inside out."""
    for row in found.properties:
        steps = [] if row.base is None else [(found.source_path, row.base)]
        steps += [(step.path, step.value) for step in row.settings]
        yield (f"  {row.path}", " -> ".join(f"{path.rpartition('/')[2]}: {_shown(value)}" for path, value in steps))
