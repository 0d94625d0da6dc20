"""``assetdb find``."""

from __future__ import annotations

from assetdb.cli.asking import guid_text, opened
from assetdb.cli.terminal import columns, nearest, print_json_lines, print_rows, say, suggestion, table_lines
from assetdb.errors import UsageError
from assetdb.query.selecting.selector import find as find_assets
from assetdb.query.selecting.selector import find_sorted, suggestions

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.arguments import QueryOptions
    from assetdb.query.objects import ObjectMatches
    from assetdb.query.snapshots.snapshot import Snapshot

_NO_TYPE = "nothing has the type"
_STYLES = ("", "type", "", "path")


def find(
    options: QueryOptions,
    pattern: str = "",
    types: list[str] | None = None,
    inside: str | None = None,
    component: str | None = None,
) -> int:
    """List assets, sub-assets and objects by name."""
    project = opened(options)
    if inside is not None or component is not None:
        if types:
            raise UsageError("--type applies to assets: use --component for objects")
        from assetdb.query.objects import find_objects  # noqa: PLC0415 - assets are found without

        return _print_objects(find_objects(project, options.cwd, pattern, inside or "", component or ""), options)
    if not pattern:
        raise UsageError("give a PATTERN, or --in or --component")
    found = find_sorted(pattern, project, types or ())
    if found:
        if options.json:
            print_json_lines(item._asdict() for item in found)
            return 0
        rows = ((guid_text(item.guid, item.file_id), item.type, item.name, item.path) for item in found)
        for line in table_lines(rows, styles=_STYLES, width=columns()):
            print(line)
        return 0
    why = _why(pattern, types or (), project)
    say(why)
    if not options.quiet and not why.startswith(_NO_TYPE):
        from assetdb.cli.asking.target import say_unread  # noqa: PLC0415 - what is found needs no note
        from assetdb.query.completeness import of_whole  # noqa: PLC0415 - the same

        say_unread(of_whole(project), every=options.verbose, may="may have objects of this name")
    return 1


def _print_objects(found: ObjectMatches, options: QueryOptions) -> int:
    rows = list(found.rows)
    print_rows(
        rows,
        lambda row: row._asdict(),
        lambda row: (f"{row.guid}:{row.file_id}", row.type, row.name, row.path),
        as_json=options.json,
        styles=_STYLES,
    )
    if not (rows or options.json):
        say("no object matches")
    if found.unread and not options.quiet:
        from assetdb.cli.asking.target import say_unread  # noqa: PLC0415 - only where something is wrong

        say_unread(found.unread, every=options.verbose, may="may have more objects")
    return 0 if rows else 1


def _why(pattern: str, types: Sequence[str], project: Snapshot) -> str:
    """Return why nothing was found, with suggestions."""
    if types:
        found = find_assets("", project.database, type_of=lambda guid: project.resolver.name(guid, None).type)
        known = {item.type.casefold(): item.type for item in found}
        absent = [kind for kind in types if kind.casefold() not in known]
        if absent:
            return f"{_NO_TYPE} {absent[0]!r}{nearest(absent[0], known.values(), str.casefold, most=2)}"
    close = list(suggestions(pattern, project))
    kind = f" of type {' or '.join(types)}" if types else ""
    return f"nothing{kind} is called {pattern!r}{suggestion(close)}"
