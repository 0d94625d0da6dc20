"""``assetdb build ls --columns``: facts of textures, meshes, sounds and others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from assetdb.builds.objects.columns import COLUMNS, column_names, facts_of
from assetdb.checks.counting import counted
from assetdb.cli.build.opened import object_facts
from assetdb.cli.terminal import not_found, print_json_lines, print_table, say
from assetdb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.build import Build
    from assetdb.builds.objects.columns import Fact
    from assetdb.cli.build.options import AnyEngineOptions

_ALL: Final = "all"


def print_columns(build: Build, numbers: Sequence[int], columns: str, options: AnyEngineOptions) -> int:
    """Print the columns of objects; 1 if none has some.

    Raises:
        UsageError: no class has a column of this name.
    """
    wanted = _wanted(columns)
    kinds = dict.fromkeys(build.class_name(build.class_ids[number]) for number in numbers)
    own = column_names(kinds)
    shown = own if _ALL in wanted else [name for name in wanted if name in own]
    if not shown:
        return not_found(f"no object has {columns}: {', '.join(COLUMNS)} have columns")
    with_columns = [number for number in numbers if build.class_name(build.class_ids[number]) in COLUMNS]
    rows = [row for row in facts_of(build, with_columns) if row.problem or any(name in row.columns for name in shown)]
    if options.json:
        print_json_lines(
            {
                **object_facts(build, build.object(row.number)),
                "columns": {name: row.columns.get(name) for name in shown if name in row.columns},
                **({"problem": row.problem} if row.problem else {}),
            }
            for row in rows
        )
    else:
        cells: list[tuple[str, ...]] = [("file", "PathID", "class", *shown, "name")]
        for row in rows:
            item = build.object(row.number)
            facts = (_cell(row.columns.get(name)) for name in shown)
            name = item.name or build.title(row.number)
            cells.append((build.files[item.file].name, str(item.path_id), item.class_name, *facts, name))
        print_table(cells, right=frozenset(range(3, 3 + len(shown))) | {1}, heads=1)
    for problem, count in Counter(row.problem for row in rows if row.problem).most_common():
        say(f"{counted(count, 'object')} could not be read: {problem}")
    return 0


def _wanted(columns: str) -> list[str]:
    """Return the names of columns.

    Raises:
        UsageError: one is none.
    """
    wanted = [name for name in (name.strip() for name in columns.split(",")) if name]
    known = column_names(COLUMNS)
    unknown = next((name for name in wanted if name not in (*known, _ALL)), None)
    if unknown is not None or not wanted:
        raise UsageError(f"--columns: there is no {unknown or ''!r} (columns are {', '.join(known)}, or {_ALL})")
    return wanted


def _cell(fact: Fact) -> str:
    if fact is None:
        return ""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    return f"{fact:,}" if isinstance(fact, int) else str(fact)
