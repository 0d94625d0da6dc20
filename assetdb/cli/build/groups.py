"""``assetdb groups``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.builds.groups.implicit import planned_duplicates
from assetdb.builds.groups.rows import bundle_rows, duplicate_rows, entry_rows, group_rows
from assetdb.builds.served.standing import standing_contents, standing_plan
from assetdb.cli.asking import opened
from assetdb.cli.terminal import not_found, print_json, printable, say_first, table
from assetdb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb.builds.groups.implicit import Content, PlannedDuplicate
    from assetdb.builds.groups.plan import Plan, PlannedGroup
    from assetdb.cli.arguments import Asking

_WHERE: Final = {True: "remote", False: "local", None: "custom"}


def groups(
    options: Asking,
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
    plan = standing_plan(project, profile)
    if plan is None:
        return not_found("the project has no Addressables settings")
    known = {group.name for group in plan.groups}
    for name in names or ():
        if name not in known:
            return not_found(f"no group named {name!r}", name, known)
    chosen = [group for group in plan.groups if not names or group.name in names]
    if not options.quiet:
        _say_problems(plan, every=options.verbose)
    if entries:
        return _print_entries(chosen, as_json=options.json)
    held = standing_contents(project, plan)
    mine = {bundle.name for group in chosen for bundle in group.bundles}
    if duplicates:
        rows = [row for row in planned_duplicates(held) if not names or mine.intersection(row.holders)]
        return _print_duplicates(rows, as_json=options.json)
    if names:
        return _print_bundles([content for content in held if content.name in mine], chosen, as_json=options.json)
    return _print_groups(plan, held, as_json=options.json)


def _say_problems(plan: Plan, *, every: bool) -> None:
    lines = [
        *plan.problems,
        *(f"{row.group}: {row.address or row.guid}: its asset is gone ({row.guid})" for row in plan.missing),
    ]
    say_first(lines, "and {:,} more problems", every=every)


def _print_groups(plan: Plan, held: Sequence[Content], *, as_json: bool) -> int:
    found = list(group_rows(plan, held))
    if as_json:
        return _print_rows(found)
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
    return 0


def _print_bundles(held: Sequence[Content], chosen: Sequence[PlannedGroup], *, as_json: bool) -> int:
    if as_json:
        return _print_rows(bundle_rows(held))
    for content in held:
        print(printable(f"{content.name}.bundle: {_assets(len(content.members))}, {len(content.implicit):,} pulled in"))
        rows = [("  asset", member.path, _address(member.path, member.address), "") for member in content.members]
        rows += [("  pulled in", row.path, _bytes(row.size), f"by {row.way[-1]}") for row in content.implicit]
        print(table(rows))
    for group in chosen:
        if group.skipped:
            print(printable(f"{group.name}: no bundle: {group.skipped}"))
    return 0


def _print_entries(chosen: Sequence[PlannedGroup], *, as_json: bool) -> int:
    if as_json:
        return _print_rows(entry_rows(chosen))
    rows = [
        (group.name, member.path, member.address, " ".join(member.labels), member.entry and f"by {member.entry}")
        for group in chosen
        for member in group.members
    ]
    if rows:
        print(table(rows))
    return 0


def _print_duplicates(rows: Sequence[PlannedDuplicate], *, as_json: bool) -> int:
    if as_json:
        _print_rows(duplicate_rows(rows))
        return 1 if rows else 0
    if rows:
        shown = [
            (_bytes(row.wasted if row.size is not None else None), row.path, ", ".join(row.holders)) for row in rows
        ]
        print(table([("wasted", "asset", "in"), *shown], right=frozenset((0,))))
    wasted = sum(row.wasted for row in rows)
    count = f"{len(rows):,} asset{'s' * (len(rows) != 1)}" if rows else "nothing"
    print(f"{count} would be built more than once" + (f": {wasted:,} source bytes too many" if rows else ""))
    return 1 if rows else 0


def _print_rows(rows: Iterable[dict[str, Any]]) -> int:
    for row in rows:
        print_json(row)
    return 0


def _address(path: str, address: str) -> str:
    return "" if address == path else address


def _assets(count: int) -> str:
    return f"{count:,} asset{'s' * (count != 1)}"


def _bytes(size: int | None) -> str:
    return f"{size:,}" if size is not None else "?"
