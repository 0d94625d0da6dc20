"""``assetdb find``."""

from __future__ import annotations

from assetdb.cli.asking import guid_text, opened, spare_guid
from assetdb.cli.terminal import (
    ASSET_STYLES,
    columns,
    nearest,
    print_cells,
    print_json,
    print_json_lines,
    print_table,
    say,
    suggestion,
)
from assetdb.errors import UsageError
from assetdb.query.selecting.selector import find as find_assets
from assetdb.query.selecting.selector import find_sorted, suggestions

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.arguments import QueryOptions
    from assetdb.query.objects import ObjectMatches
    from assetdb.query.property_values import ValueMatches
    from assetdb.query.selecting.labels import LabelledMatch
    from assetdb.query.selecting.selector import Match
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.textures.imported import ImportedTexture

_NO_TYPE = "nothing has the type"
_NO_LABEL = "no asset has the label"


def find(
    options: QueryOptions,
    pattern: str = "",
    types: list[str] | None = None,
    inside: str | None = None,
    component: str | None = None,
    labels: list[str] | None = None,
    where: str | None = None,
    *,
    size: bool = False,
    imported: str | None = None,
) -> int:
    """List assets, sub-assets and objects by name, or by a value."""
    project = opened(options)
    if (size or imported is not None) and (where is not None or inside is not None or component is not None):
        raise UsageError("--size and --imported are of assets: leave out --where, --in and --component")
    if where is not None:
        if types or labels or component is not None:
            raise UsageError("--where lists values: leave out --type, --label and --component")
        from assetdb.query.property_values import find_values  # noqa: PLC0415 - assets are found without

        return _print_values(find_values(project, options.cwd, where, pattern, inside or ""), options)
    if inside is not None or component is not None:
        if types or labels:
            raise UsageError(f"{'--type' if types else '--label'} applies to assets: use --component for objects")
        from assetdb.query.objects import find_objects  # noqa: PLC0415 - assets are found without

        return _print_objects(find_objects(project, options.cwd, pattern, inside or "", component or ""), options)
    if not (pattern or types or labels):
        raise UsageError("give a PATTERN, or --type, --label, --where, --in or --component")
    if _print_matches(pattern, types or (), labels or (), project, options, sized=size, imported=imported):
        return 0
    why = _why(pattern, types or (), labels or (), project)
    say(why)
    if not options.quiet and not why.startswith((_NO_TYPE, _NO_LABEL)):
        from assetdb.cli.asking.target import say_unread  # noqa: PLC0415 - what is found needs no note
        from assetdb.query.completeness import of_whole  # noqa: PLC0415 - the same

        say_unread(of_whole(project), every=options.verbose, may="may have objects of this name")
    return 1


def _print_matches(
    pattern: str,
    types: Sequence[str],
    labels: Sequence[str],
    project: Snapshot,
    options: QueryOptions,
    *,
    sized: bool,
    imported: str | None,
) -> int:
    """Print the assets and sub-assets that match; return how many."""
    found: list[Match] | list[LabelledMatch]
    if labels or options.verbose:
        from assetdb.query.selecting.labels import find_labelled, labels_text  # noqa: PLC0415 - metas are not asked otherwise

        found = labelled = find_labelled(pattern, project, types, labels)
        notes = [labels_text(item.labels) if options.verbose else "" for item in labelled]
    else:
        found = find_sorted(pattern, project, types)
        notes = [""] * len(found)
    sizes: dict[str, int] = {}
    if sized:
        from assetdb.query.sizes import sizes_of  # noqa: PLC0415 - few ask for sizes

        sizes = sizes_of(project, found)
    textures: dict[str, ImportedTexture] = {}
    if imported is not None:
        from assetdb.query.imported_sizes import imported_fields, imported_sizes  # noqa: PLC0415 - the same

        textures = imported_sizes(project, found, imported)
    if options.json:
        rows = ({**item._asdict(), **({"bytes": sizes.get(item.path)} if sized else {})} for item in found)
        if imported is not None:
            rows = ({**row, "imported": imported_fields(textures.get(str(row["path"])))} for row in rows)
        print_json_lines(rows)
        return len(found)
    cells = [(guid_text(item.guid, item.file_id), item.type, item.name, item.path) for item in found]
    if not sized and imported is None:
        _print_table([(*row, note) for row, note in zip(cells, notes, strict=True)], options)
    elif found:
        from assetdb.cli.asking import sizes as columns_of  # noqa: PLC0415 - few ask for sizes

        more = [
            [
                *columns_of.size_cells(sizes, row[3], wanted=sized),
                *(columns_of.imported_cells(textures, row[3]) if imported is not None else ()),
            ]
            for row in cells
        ]
        shown = [(*row, *own, note) for row, own, note in zip(cells, more, notes, strict=True)]
        _print_table(shown, options, numbers=len(more[0]))
        if sized:
            columns_of.print_total(sizes)
        if imported is not None:
            columns_of.print_imported(textures, imported)
    return len(found)


def _print_objects(found: ObjectMatches, options: QueryOptions) -> int:
    rows = list(found.rows)
    if options.json:
        print_json_lines(row._asdict() for row in rows)
    else:
        cells = [(f"{row.guid}:{row.file_id}", row.type, row.name, row.path, "") for row in rows]
        _print_table(cells, options, objects=True)
    if not (rows or options.json):
        say("no object matches")
    if found.truncated:
        say("not all objects were looked at, there are too many: search the prefabs in it, each by itself")
    if found.unread and not options.quiet:
        from assetdb.cli.asking.target import say_unread  # noqa: PLC0415 - only where something is wrong

        say_unread(found.unread, every=options.verbose, may="may have more objects")
    return 0 if rows else 1


def _print_values(found: ValueMatches, options: QueryOptions) -> int:
    is_any = False
    for row in found.rows:
        is_any = True
        if options.json:
            print_json(row._asdict())
        else:
            at = f"{row.path}:{row.line}" if row.line else row.path
            what = f"{row.name} ({row.type})" if row.type else ""
            print_cells((at, what, f"{row.property} = {row.value}"))
    if not (is_any or options.json):
        say("nothing has this value")
    if found.unread and not options.quiet:
        from assetdb.cli.asking.target import say_unread  # noqa: PLC0415 - only where something is wrong

        say_unread(found.unread, every=options.verbose, may="may have the value, too")
    return 0 if is_any else 1


def _print_table(
    rows: Sequence[tuple[str, ...]], options: QueryOptions, *, objects: bool = False, numbers: int = 0
) -> None:
    """Print rows of matches, on a terminal with the GUID last.

    A row is GUID, type, name, path, ``numbers`` columns about its size, and a note. On a terminal an object's name
    comes first, else the path of the asset, whose name is left out where the path has it.
    """
    if not columns():
        print_table(rows, right=frozenset((4,) if numbers else ()), styles=("", "type", "", "path"))
        return
    if objects:
        shown = [(name, kind, path, *rest, guid) for guid, kind, name, path, *rest in rows]
    else:
        shown = [
            (path, kind, "" if name == _stem(path) else name, *rest, guid) for guid, kind, name, path, *rest in rows
        ]
    right = frozenset((3,) if numbers else ())
    print_table(shown, right=right, styles=ASSET_STYLES, spare=spare_guid(4 + numbers, options))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _why(pattern: str, types: Sequence[str], labels: Sequence[str], project: Snapshot) -> str:
    """Return why nothing was found, with suggestions."""
    if labels:
        from assetdb.query.selecting.labels import Labels, find_labelled  # noqa: PLC0415 - metas are not asked otherwise

        absent = [label for label in labels if not find_labelled("", project, (), (label,))]
        if absent:
            return f"{_NO_LABEL} {absent[0]!r}{nearest(absent[0], Labels(project).known(), str.casefold, most=2)}"
    if types:
        found = find_assets("", project.database, type_of=lambda guid: project.resolver.name(guid, None).type)
        known = {item.type.casefold(): item.type for item in found}
        absent = [kind for kind in types if kind.casefold() not in known]
        if absent:
            return f"{_NO_TYPE} {absent[0]!r}{nearest(absent[0], known.values(), str.casefold, most=2)}"
    close = list(suggestions(pattern, project))
    kind = f" of type {' or '.join(types)}" if types else ""
    called = f" is called {pattern!r}" if pattern else " is there"
    marked = f" with the label {' or '.join(labels)}" if labels else ""
    return f"nothing{kind}{marked}{called}{suggestion(close)}"
