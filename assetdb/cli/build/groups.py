"""``assetdb groups``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from assetdb.builds.groups.implicit import planned_duplicates
from assetdb.builds.groups.rows import bundle_rows, duplicate_rows, entry_rows, group_rows
from assetdb.builds.served.cache import cached_contents, cached_plan
from assetdb.checks.counting import counted
from assetdb.cli.asking import opened
from assetdb.cli.terminal import not_found, print_json_lines, print_table, printable, say_first, table
from assetdb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.groups.implicit import PlannedContent, PlannedDuplicate
    from assetdb.builds.groups.plan import Plan, PlannedGroup
    from assetdb.cli.arguments import QueryOptions

_WHERE: Final = {True: "remote", False: "local", None: "custom"}


def groups(
    options: QueryOptions,
    names: list[str] | None = None,
    *,
    duplicates: bool = False,
    entries: bool = False,
    profile: str = "",
) -> int:
    """Print the contents of a build of the Addressables groups."""
    if duplicates and entries:
        raise UsageError("--duplicates and --entries cannot be combined")
    project = opened(options)
    project.refresh()
    plan = cached_plan(project, profile)
    if plan is None:
        return not_found("the project has no Addressables settings")
    known = {group.name for group in plan.groups}
    for name in names or ():
        if name not in known:
            return not_found(f"no group named {name!r}", name, known)
    chosen = [group for group in plan.groups if not names or group.name in names]
    if not options.quiet:
        _say_problems(plan, every=options.verbose)
    held = () if entries else cached_contents(project, plan)
    mine = {bundle.name for group in chosen for bundle in group.bundles}
    code = 0
    if entries:
        rows, show = entry_rows(chosen), partial(_print_entries, chosen)
    elif duplicates:
        found = [row for row in planned_duplicates(held) if not names or mine.intersection(row.holders)]
        rows, show = duplicate_rows(found), partial(_print_duplicates, found)
        code = 1 if found else 0
    elif names:
        held = [content for content in held if content.name in mine]
        rows, show = bundle_rows(held), partial(_print_bundles, held, chosen)
    else:
        rows, show = group_rows(plan, held), partial(_print_groups, plan, held)
    if options.json:
        print_json_lines(rows)
    else:
        show()
    return code


def _say_problems(plan: Plan, *, every: bool) -> None:
    lines = [
        *plan.problems,
        *(f"{row.group}: {row.address or row.guid}: its asset is gone ({row.guid})" for row in plan.missing),
    ]
    say_first(lines, "and {:,} more problems", every=every)


def _print_groups(plan: Plan, held: Sequence[PlannedContent]) -> None:
    found = list(group_rows(plan, held))
    head = ("group", "bundles", "entries", "assets", "pulled in", "source bytes", "packing", "")
    rows = [
        (
            *(group.name, f"{len(group.bundles):,}", f"{group.entries:,}", f"{len(group.members):,}"),
            *(f"{row['implicit']:,}", f"{row['source_bytes']:,}"),
            group.schema.packing if group.schema is not None and not group.skipped else "-",
            group.skipped or f"{_WHERE[group.remote]}: {group.load_path}",
        )
        for group, row in zip(plan.groups, found[:-1], strict=True)
    ]
    player = found[-1]
    last = ("(player)", "", "", *(f"{player[key]:,}" for key in ("assets", "implicit", "source_bytes")), "", "")
    print(table([head, *rows, last], right=frozenset((1, 2, 3, 4, 5))))


def _print_bundles(held: Sequence[PlannedContent], chosen: Sequence[PlannedGroup]) -> None:
    for content in held:
        assets = counted(len(content.members), "asset")
        print(printable(f"{content.name}.bundle: {assets}, {len(content.implicit):,} pulled in"))
        rows = [("  asset", one.path, one.address if one.address != one.path else "", "") for one in content.members]
        rows += [("  pulled in", row.path, _bytes(row.size), f"by {row.way[-1]}") for row in content.implicit]
        print(table(rows))
    for group in chosen:
        if group.skipped:
            print(printable(f"{group.name}: no bundle: {group.skipped}"))


def _print_entries(chosen: Sequence[PlannedGroup]) -> None:
    print_table(
        [
            (group.name, member.path, member.address, " ".join(member.labels), member.entry and f"by {member.entry}")
            for group in chosen
            for member in group.members
        ]
    )


def _print_duplicates(rows: Sequence[PlannedDuplicate]) -> None:
    cells = [(_bytes(row.wasted if row.size is not None else None), row.path, ", ".join(row.holders)) for row in rows]
    print_table([("wasted", "asset", "in"), *cells], right=frozenset((0,)), heads=1)
    wasted = sum(row.wasted for row in rows)
    count = counted(len(rows), "asset") if rows else "nothing"
    print(f"{count} would be built more than once" + (f": {wasted:,} source bytes too many" if rows else ""))


def _bytes(size: int | None) -> str:
    return f"{size:,}" if size is not None else "?"
