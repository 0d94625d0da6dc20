"""``assetdb bake``."""

from __future__ import annotations

import gc
import os
import sys
import time

from assetdb.baking import BakeResult, Timing, bake
from assetdb.cli.findings import counted, show_findings
from assetdb.cli.terminal import Progress, fail, print_json, printable, shown_path, waiting
from assetdb.daemon.client import bake_beside
from assetdb.diagnostics import Diagnostic
from assetdb.errors import BakeError
from assetdb.project import find_project
from assetdb.settings.output_folder import output_folder

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from typing import Final


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb bake``."""
    from assetdb.cli.parsing import positive  # noqa: PLC0415 - plain words do without argparse

    parser.add_argument(
        "--project", metavar="DIR", help="the Unity project (default: here, or the nearest folder above)"
    )
    parser.add_argument("--out-dir", metavar="DIR", help="where to write (default: Library/assetdb in the project)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 and show what would change")
    parser.add_argument(
        "--verify", action="store_true", help="write nothing; compare the files with their checksums and with the tree"
    )
    parser.add_argument("--keep-going", action="store_true", help="bake the rest when GUIDs are there twice")
    parser.add_argument("--strict-names", action="store_true", help="fail where folders cannot tell names apart")
    parser.add_argument("--scrub-chars", metavar="CHARS", default="", help="replace these characters in names by _")
    parser.add_argument("--follow-links", action="store_true", help="follow links that lead out of the project, too")
    parser.add_argument("--workers", type=positive, metavar="N", help="processes (default: one a processor, at most 8)")
    parser.add_argument("--timing", action="store_true", help="show where the time went")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    from assetdb.cli.parsing import add_manners  # noqa: PLC0415 - plain words are understood without argparse

    add_manners(parser)


_VALUES: Final = ("--project", "--out-dir", "--scrub-chars")
_SWITCHES: Final = (
    *("--check", "--verify", "--keep-going", "--strict-names", "--follow-links", "--timing", "--json", "--quiet"),
    "--verbose",
)


class Words:
    """What argparse would have made of plain words."""

    def __init__(self) -> None:
        self.workers: int | None = None
        self.project: str | None = None
        self.out_dir: str | None = None
        self.scrub_chars = ""
        self.verify = False
        self.check = self.keep_going = self.strict_names = self.follow_links = False
        self.timing = self.json = self.quiet = self.verbose = False


def plain_arguments(words: list[str]) -> Words | None:
    """Return what the words say, or None where argparse should read them: help, a mistake, another spelling.

    argparse takes 8 ms, as long as the interpreter's start and a fifth of a bake that changes nothing.
    """
    found = Words()
    rest = iter(words)
    for word in rest:
        if word in _VALUES:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
            setattr(found, word[2:].replace("-", "_"), value)
        elif word == "--workers":
            digits = next(rest, "")
            if not digits.isdecimal() or digits.startswith("0"):
                return None
            found.workers = int(digits)
        elif word in _SWITCHES:
            setattr(found, word[2:].replace("-", "_"), True)
        else:
            return None
    return found


def run(arguments: argparse.Namespace | Words) -> int:
    """Bake, or have the project's daemon do it, and say what was found."""
    if arguments.verify:
        return _verify(arguments)
    plain = not (arguments.check or arguments.keep_going or arguments.strict_names or arguments.scrub_chars)
    if plain and not arguments.follow_links and arguments.workers is None:
        beside = _beside(arguments)
        if beside is not None:
            return _tell(arguments, beside)
    collecting = gc.isenabled()
    gc.disable()  # nothing in a bake goes in circles: 2 % of a first one
    try:
        return _run(arguments)
    finally:
        if collecting:
            gc.enable()


def _run(arguments: argparse.Namespace | Words) -> int:
    progress = None if arguments.quiet or arguments.json else Progress("reading")
    folder = output_folder(find_project(arguments.project), arguments.out_dir)
    if folder.reason and not os.path.isdir(folder.path):  # said once
        print(f"assetdb: {printable(folder.reason)}: writing to {printable(folder.path)}", file=sys.stderr)
    try:
        result = bake(
            arguments.project,
            arguments.out_dir,
            keep_going=arguments.keep_going,
            strict_names=arguments.strict_names,
            scrub_characters=arguments.scrub_chars,
            follow_links=arguments.follow_links,
            check=arguments.check,
            workers=arguments.workers,
            may_change_directory=True,  # a process of its own
            on_progress=progress,
            on_wait=None if arguments.quiet else waiting,
        )
    except BakeError as error:
        if progress:
            progress.close()
        if arguments.json:
            print_json({"error": str(error), "diagnostics": _diagnostics(error.diagnostics)})
        else:
            show_findings(error.diagnostics, verbose=arguments.verbose, root=error.root, referrers=error.referrers)
        return fail(str(error))
    if progress:
        progress.close()
    return _tell(arguments, result)


def _verify(arguments: argparse.Namespace | Words) -> int:
    from assetdb.query.verification import verify  # noqa: PLC0415 - a bake does without

    bake_beside(arguments.project, arguments.out_dir)  # a daemon's files may be some moments behind
    found = verify(arguments.project, arguments.out_dir, may_change_directory=True)
    if arguments.json:
        print_json({"database": found.database, "assets": found.asset_count, "findings": list(found.findings)})
    elif found.findings:
        print("\n".join(map(printable, found.findings)))
        folder = shown_path(os.path.dirname(found.database))
        print(f"assetdb: bake, and where that leaves something, delete {folder} and bake again", file=sys.stderr)
    elif not arguments.quiet:
        print(f"verified {found.asset_count:,} assets; {shown_path(found.database)} is what the tree makes")
    return 1 if found.findings else 0


def _beside(arguments: argparse.Namespace | Words) -> BakeResult | None:
    """Return what the project's daemon says, or None where a bake of our own has to."""
    started = time.perf_counter()
    found = bake_beside(arguments.project, arguments.out_dir)
    if found is None:
        return None
    diagnostics = tuple(
        Diagnostic(row["code"], row["path"], row["line"], row["message"]) for row in found["diagnostics"]
    )
    if any(diagnostic.fatal for diagnostic in diagnostics):
        return None  # the daemon goes on where a bake stops and says why
    return BakeResult(
        *(found["project"], found["database"], found["assets"], found["files_read"], found["written"]),
        *(found["unchanged"], diagnostics, Timing(time.perf_counter() - started, 0.0, 0.0, 0.0)),
    )


def _tell(arguments: argparse.Namespace | Words, result: BakeResult) -> int:
    if arguments.json:
        print_json(_as_json(result))
    elif not arguments.quiet:
        if result.diagnostics:
            show_findings(
                result.diagnostics,
                verbose=arguments.verbose,
                root=result.project,
                referrers=None if arguments.check else lambda guid: _referrers(result.database, guid),
            )
        _summarize(result, check=arguments.check)
    if arguments.timing:
        _print_timing(result)
    if arguments.check and result.written:
        if not arguments.json:
            print("\n".join(map(printable, result.difference)))
        return 1
    return 0


def _referrers(database: str, guid: str) -> list[str]:
    """Return the paths of the assets that refer to a GUID, of a database that was just written."""
    from assetdb.query.references import AssetGraph  # noqa: PLC0415 - the same
    from assetdb.store.database import open_database  # noqa: PLC0415 - only where two assets share a GUID

    with open_database(database) as opened:
        users = [opened.by_guid(user) for user in AssetGraph(opened).usages(guid)]
        rivals = [rival.asset.path for rival in opened.supplement.referring_to(guid)]
        return [*(user.path for user in users if user is not None), *rivals]


def _summarize(result: BakeResult, *, check: bool) -> None:
    found = f"; {counted(result.diagnostics)}" if result.diagnostics else ""
    if check:
        done = "would change" if result.written else "is up to date"
        print(f"{result.asset_count:,} assets; {shown_path(result.database)} {done}{found}")
    else:
        done = "unchanged" if not result.written else "written"
        print(f"baked {result.asset_count:,} assets -> {shown_path(result.database)} ({done}){found}")


def _print_timing(result: BakeResult) -> None:
    timing = result.timing
    skipped = " (skipped)" if result.unchanged else ""
    print(
        f"walk {timing.walk * 1000:.1f} ms / read {timing.read * 1000:.1f} ms / names {timing.names * 1000:.1f} ms"
        f" / write {timing.write * 1000:.1f} ms{skipped}; {result.files_read:,} files read",
        file=sys.stderr,
    )


def _diagnostics(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    return [
        {"code": d.code, "path": d.path, "line": d.line, "message": d.message, "advice": d.advice, "fatal": d.fatal}
        for d in diagnostics
    ]


def _as_json(result: BakeResult) -> dict[str, object]:
    return {
        "project": result.project,
        "database": result.database,
        "assets": result.asset_count,
        "files_read": result.files_read,
        "written": result.written,
        "unchanged": result.unchanged,
        "diagnostics": _diagnostics(result.diagnostics),
        "seconds": result.timing._asdict(),
        "difference": list(result.difference),
    }
