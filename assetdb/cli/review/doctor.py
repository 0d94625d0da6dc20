"""``assetdb doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.counting import counted
from assetdb.cli.terminal import print_hanging, print_json
from assetdb.doctor.examination import examine
from assetdb.doctor.item import ERROR, OK, WARNING, Item, exit_code

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions
    from assetdb.cli.options import Json


def doctor(options: DatabaseOptions, json: Json = False) -> int:
    """Check the installation, project, daemon, git and editors."""
    items: list[Item] = []
    for item in examine(options.project, options.out_dir):
        items.append(item)
        if json:
            print_json(item._asdict())
        elif item.state != OK or not options.quiet:
            _show(item)
    if not json and not options.quiet:
        errors, warnings = (sum(item.state == state for item in items) for state in (ERROR, WARNING))
        print(f"{counted(errors, 'error')}, {counted(warnings, 'warning')}")
    return exit_code(items)


def _show(item: Item) -> None:
    print_hanging(item.state, f"{item.topic}: {item.message}", 9)
    if item.advice:
        print_hanging("", item.advice, 9)
