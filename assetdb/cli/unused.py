"""``assetdb unused``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from assetdb.cli.lookup import add_project_arguments, opened
from assetdb.cli.terminal import print_json, printable, table
from assetdb.unity.classes import class_name
from assetdb.unused import find_unused, is_meant

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb unused``."""
    parser.add_argument(
        *("--roots", "--root"),
        metavar="PATTERN",
        nargs="+",
        default=[],
        help="further paths to keep with all that they refer to (Assets/Mods, 'Assets/*/Shared.prefab')",
    )
    parser.add_argument("--why", action="store_true", help="list what is kept instead, each with its reason")
    add_project_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the assets that nothing uses; 1 if there are any."""
    project = opened(arguments)
    report = find_unused(project.root, project.database, arguments.roots)
    paths = [*(row.path for row in report.unused), *(row.path for row in report.kept)]
    for pattern in arguments.roots:
        if not any(is_meant(path, pattern) for path in paths):
            print(f"assetdb: no asset matches --roots {printable(pattern)!r}", file=sys.stderr)
    if arguments.json:
        print_json(
            {
                "unused": [{**row._asdict(), "type": _type(row.type)} for row in report.unused],
                "kept": [{**row._asdict(), "type": _type(row.type)} for row in report.kept],
                "roots": report.roots,
            }
        )
    elif arguments.why:
        if report.kept:
            print(table((row.path, row.reason or f"used by {row.used_by}") for row in report.kept))
    else:
        if report.unused:
            print(table((row.path, _type(row.type), row.guid) for row in report.unused))
        roots = ", ".join(f"{count:,} {reason}" for reason, count in report.roots.items())
        print(f"{len(report.unused):,} of {len(report.unused) + len(report.kept):,} assets are unused; roots: {roots}")
    return 1 if report.unused else 0


def _type(class_id: int) -> str:
    return class_name(class_id) or str(class_id)
