"""``assetdb coverage``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.coverage import measure
from assetdb.cli.arguments import worker_count
from assetdb.cli.asking import opened, say_cut
from assetdb.cli.asking.target import say_unread
from assetdb.cli.terminal import Progress, print_json, table
from assetdb.diagnostics.codes import REASONS
from assetdb.resolve.resolver import MISSING_ASSET
from assetdb_formats.processes import Uncollected

if TYPE_CHECKING:
    from assetdb.cli.arguments import QueryOptions


def coverage(options: QueryOptions, workers: int | None = None) -> int:
    """Count references and names."""
    with Uncollected(wanted=not options.in_daemon):  # a daemon collects as it sees fit
        return _count(options, workers)


def _count(options: QueryOptions, workers: int | None) -> int:
    project = opened(options)
    project.refresh()
    with Progress("reading") as progress:
        found = measure(project, workers=worker_count(workers), on_progress=None if options.json else progress)
    if found.outside and not options.quiet:
        say_cut(project, every=options.verbose)
    unread = project.unread
    if not options.quiet:
        say_unread(unread, every=options.verbose)
    if options.json:
        print_json({**found._asdict(), "share": round(found.share, 3), "unread_files": len(unread)})
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
