"""``assetdb bake``."""

from __future__ import annotations

import os
import sys
import time

from assetdb.baking import BakeResult, Timing
from assetdb.baking import bake as bake_project
from assetdb.cli.arguments import DatabaseOptions
from assetdb.cli.terminal import Progress, fail, print_folded, print_json, printable, say, shown_path, table, waiting
from assetdb.diagnostics import Diagnostic
from assetdb.errors import BakeError, UsageError
from assetdb.settings.output_folder import output_folder
from assetdb.settings.project import find_project
from assetdb_formats.atomic import replace_file
from assetdb_formats.processes import Uncollected

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Final

    from assetdb.workspace.contested import ContestedName


_TIMING_VARIABLE: Final = "UNITY_ASSETDB_TIMING"  # the variable of the crate, which scripts set


class BakeOptions(DatabaseOptions):
    """The options of ``assetdb bake``."""

    check: bool = False
    verify: bool = False
    keep_going: bool = False
    strict_names: bool = False
    scrub_chars: str = ""
    follow_links: bool = False
    workers: int | None = None
    rev: str | None = None
    fetch: bool = False
    to: str | None = None
    timing: bool = False
    json: bool = False


def bake(options: BakeOptions) -> int:
    """Bake, or have the project's daemon do it."""
    if options.rev is not None or options.to is not None:
        return _bake_revision(options)
    if options.verify:
        return _verify(options)
    plain = not (options.check or options.keep_going or options.strict_names or options.scrub_chars)
    if plain and not options.follow_links and options.workers is None:
        result = _bake_in_daemon(options)
        if result is not None:
            return _report(options, result)
    with Uncollected(is_last=True):
        return _run(options)


def _run(options: BakeOptions) -> int:
    folder = output_folder(find_project(options.project), options.out_dir)
    if folder.reason and not os.path.isdir(folder.path):  # reported once
        say(f"{folder.reason}: writing to {folder.path}")
    try:
        with Progress("reading") as progress:
            result = bake_project(
                options.project,
                options.out_dir,
                keep_going=options.keep_going,
                strict_names=options.strict_names,
                scrub_characters=options.scrub_chars,
                follow_links=options.follow_links,
                check=options.check,
                workers=options.workers,
                may_change_directory=True,  # a process of its own
                on_progress=None if options.quiet or options.json else progress,
                on_wait=None if options.quiet else waiting,
            )
    except BakeError as error:
        if options.json:
            print_json({"error": str(error), "diagnostics": _rows(error.root, error.diagnostics)})
        else:
            from assetdb.cli.review.diagnostics import show_findings  # noqa: PLC0415 - most bakes find nothing

            shown = [found for found in error.diagnostics if found.fatal or not options.quiet]
            show_findings(shown, verbose=options.verbose, root=error.root, referrers=error.referrers)
        return fail(str(error))
    return _report(options, result)


def _bake_revision(options: BakeOptions) -> int:
    """Write the database of a revision to a file."""
    if options.rev is None or options.to is None or options.check or options.verify:
        raise UsageError("bake: --rev and --to must be given together, without --check and --verify")
    from assetdb.query.snapshots.revisions import bytes_of_revision  # noqa: PLC0415 - a bake of the disk does without
    from assetdb.query.snapshots.snapshot import open_project  # noqa: PLC0415 - the same

    project = open_project(options.project, options.out_dir, may_change_directory=True)
    try:
        size = replace_file(options.to, [bytes_of_revision(project, options.rev, fetch=options.fetch)])
    finally:
        project.close()
    if options.json:
        print_json({"database": os.path.abspath(options.to), "bytes": size})
    elif not options.quiet:
        print(f"{printable(options.to)}: {size:,} bytes, as of {printable(options.rev)}")
    return 0


def _verify(options: BakeOptions) -> int:
    from assetdb.query.snapshots.verification import verify  # noqa: PLC0415 - a bake does without

    _ask_daemon(options)  # a daemon's files may be some moments behind
    found = verify(options.project, options.out_dir, may_change_directory=True)
    if options.json:
        print_json({"database": found.database, "assets": found.asset_count, "findings": list(found.findings)})
    elif found.findings:
        print("\n".join(map(printable, found.findings)))
        folder = shown_path(os.path.dirname(found.database))
        say(f"run `assetdb bake`; if findings remain, delete {folder} and bake again")
    elif not options.quiet:
        print(f"verified {found.asset_count:,} assets; {shown_path(found.database)} matches the tree")
    return 1 if found.findings else 0


def _ask_daemon(options: BakeOptions) -> dict[str, Any] | None:
    """Have the project's daemon, if any, update the files."""
    from assetdb.daemon.files.status_file import find_status  # noqa: PLC0415 - a bake with options of its own does without

    root = find_project(options.project)
    status = find_status(root, options.out_dir)
    if status is None:
        return None
    from assetdb.client.command import bake_with_daemon  # noqa: PLC0415 - most projects have no daemon

    return bake_with_daemon(root, status)


def _bake_in_daemon(options: BakeOptions) -> BakeResult | None:
    """Return the daemon's result, or None for a bake here."""
    started = time.perf_counter()
    found = _ask_daemon(options)
    if found is None:
        return None
    diagnostics = tuple(
        Diagnostic(row["code"], row["path"], row["line"], row["message"]) for row in found["diagnostics"]
    )
    if any(diagnostic.fatal for diagnostic in diagnostics):
        return None  # a bake fails with the reason, where the daemon continues
    return BakeResult(
        project=found["project"],
        database=found["database"],
        asset_count=found["assets"],
        files_read=found["files_read"],
        written=found["written"],
        unchanged=found["unchanged"],
        diagnostics=diagnostics,
        timing=Timing(time.perf_counter() - started, 0.0, 0.0, 0.0),
    )


def _report(options: BakeOptions, result: BakeResult) -> int:
    contested: tuple[ContestedName, ...] = ()
    if options.verbose and not (options.check and result.written):  # then the names are not in the file
        from assetdb.workspace.contested import contested_in  # noqa: PLC0415 - only with --verbose

        contested = contested_in(result.database)
    if options.json:
        rows = [{**found._asdict(), "claimants": [each._asdict() for each in found.claimants]} for found in contested]
        print_json({**_as_json(result), **({"contested": rows} if options.verbose else {})})
    elif not options.quiet:
        if result.diagnostics:
            from assetdb.cli.review.diagnostics import show_findings  # noqa: PLC0415 - most bakes find nothing

            show_findings(
                result.diagnostics,
                verbose=options.verbose,
                root=result.project,
                referrers=None if options.check else lambda guid: _referrers(result.database, guid),
            )
        if contested:
            _show_contested(contested)
        _summarize(result, check=options.check)
    if options.timing or os.environ.get(_TIMING_VARIABLE) == "1":
        _print_timing(result)
    if options.check and result.written:
        if not options.json:
            print("\n".join(map(printable, result.difference)))
        return 1
    return 0


def _show_contested(contested: Iterable[ContestedName]) -> None:
    """List contested names on stderr, with all claimants."""
    from assetdb.unity.engine.classes import class_name  # noqa: PLC0415 - only with --verbose

    for found in contested:
        kind = found.script or class_name(found.class_id) or str(found.class_id)
        print(f"{printable(found.name)} ({kind}) is claimed by {len(found.claimants):,}:", file=sys.stderr)
        rows = ((f"  {claimant.name}", claimant.path) for claimant in found.claimants)
        print(table(rows), file=sys.stderr)


def _referrers(database: str, guid: str) -> list[str]:
    """Return the paths of the assets that refer to a GUID."""
    from assetdb.query.graph.references import AssetGraph  # noqa: PLC0415 - the same
    from assetdb.store.database import open_database  # noqa: PLC0415 - only where two assets share a GUID

    with open_database(database) as opened:
        users = [opened.by_guid(user) for user in AssetGraph(opened).usages(guid)]
        duplicates = [duplicate.asset.path for duplicate in opened.supplement.referring_to(guid)]
        return [*(user.path for user in users if user is not None), *duplicates]


def _summarize(result: BakeResult, *, check: bool) -> None:
    found = ""
    if result.diagnostics:
        from assetdb.cli.review.diagnostics import counted  # noqa: PLC0415 - as above

        found = f"; {counted(result.diagnostics)}"
    if check:
        done = "would change" if result.written else "is up to date"
        print_folded(f"{result.asset_count:,} assets; {shown_path(result.database)} {done}{found}")
    else:
        done = "unchanged" if not result.written else "written"
        print_folded(f"baked {result.asset_count:,} assets -> {shown_path(result.database)} ({done}){found}")


def _print_timing(result: BakeResult) -> None:
    timing = result.timing
    skipped = " (skipped)" if result.unchanged else ""
    print(
        f"walk {timing.walk * 1000:.1f} ms / read {timing.read * 1000:.1f} ms / names {timing.names * 1000:.1f} ms"
        f" / write {timing.write * 1000:.1f} ms{skipped}; {result.files_read:,} files read",
        file=sys.stderr,
    )


def _rows(root: str, diagnostics: Sequence[Diagnostic]) -> list[dict[str, object]]:
    if not diagnostics:
        return []
    from assetdb.cli.review.diagnostics import severity_in  # noqa: PLC0415 - most bakes find nothing

    severity = severity_in(root)
    return [{**found.fields(), "severity": severity(found)} for found in diagnostics]


def _as_json(result: BakeResult) -> dict[str, object]:
    return {
        "project": result.project,
        "database": result.database,
        "assets": result.asset_count,
        "files_read": result.files_read,
        "written": result.written,
        "unchanged": result.unchanged,
        "diagnostics": _rows(result.project, result.diagnostics),
        "seconds": result.timing._asdict(),
        "difference": list(result.difference),
    }
