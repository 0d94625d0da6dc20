"""``assetdb coverage``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.cli.lookup import add_project_arguments, opened, say_cut
from assetdb.cli.parsing import positive
from assetdb.cli.terminal import Progress, print_json, table
from assetdb.query.coverage import measure
from assetdb.resolve.resolver import MISSING_ASSET, REASONS

if TYPE_CHECKING:
    import argparse

_MOST_WORKERS: Final = 64  # more only wait for each other, and a slip of the finger forks without end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb coverage``."""
    parser.add_argument("--workers", type=positive, metavar="N", help="processes (default: one a processor, at most 8)")
    add_project_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Count references and names."""
    project = opened(arguments)
    project.refresh()
    progress = None if arguments.json else Progress("reading")
    workers = min(arguments.workers or min(os.cpu_count() or 1, 8), _MOST_WORKERS)
    found = measure(project.resolver, workers=workers, on_progress=progress)
    if progress:
        progress.close()
    if found.outside and not arguments.quiet:
        say_cut(project, every=arguments.verbose)
    if arguments.json:
        print_json({**found._asdict(), "share": round(found.share, 3)})
        return 0
    rows: list[tuple[str, str, str]] = [
        ("references", f"{found.total:,}", ""),
        ("of this project or built in", f"{found.in_tree:,}", ""),
        ("named", f"{found.named:,}", f"{found.share:.2f} %"),
    ]
    rows += [(reason, f"{count:,}", REASONS[reason]) for reason, count in found.reasons.items()]
    rows += [(f"apart: {reason}", f"{count:,}", REASONS[reason]) for reason, count in found.apart.items()]
    rows.append(("in packages on this machine", f"{found.packages:,}", ""))
    rows.append(("in public packages not here", f"{found.absent:,}", "named by the table of public packages"))
    rows.append(("missing-asset", f"{found.missing:,}", REASONS[MISSING_ASSET]))
    rows.append(("outside", f"{found.outside:,}", "of packages that are neither on this machine nor known, or gone"))
    print(table(rows, right=frozenset((1,))))
    return 0
