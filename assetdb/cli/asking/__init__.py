"""Shared parts of the questions about a project."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from assetdb.cli.terminal import Progress, print_json, say, say_first, say_listed, waiting
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.settings.user import read_user_settings

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.cli.arguments import SnapshotOptions
    from assetdb.query.selecting.selector import Subject, Unmatched

STDIN = "-"


def opened(options: SnapshotOptions) -> Snapshot:
    """Open the project of the options, unless a daemon has it open.

    Each command that asks begins with it. The files are as they are on the disk now, unless ``--no-refresh`` asks for
    the last bake; in a daemon, which follows them, the project is open already.

    >>> from assetdb.cli.arguments import QueryOptions
    >>> options = QueryOptions()
    >>> options.project, options.quiet = "fixtures/unity_project", True
    >>> opened(options).assets.by_guid("864eb4c93ac1f6e40d118fd26989f203").path
    'Assets/Prefabs/Base.prefab'
    """
    if options.opened is not None:
        return options.opened
    if options.no_refresh:
        say("as of the last bake")
    found = open_project(
        options.project,
        options.out_dir,
        None if options.quiet else _say_bake,
        waiting,
        progress=None if options.quiet else Progress("reading"),
        refresh=not (options.no_refresh or options.synced),
        may_change_directory=True,  # a process of its own
    )
    if not options.no_refresh and read_user_settings().auto_watch:
        from assetdb.client.autostart import autostart_daemon  # noqa: PLC0415 - a daemon has it done already

        autostart_daemon(found.root, found.folder)
    return found


def _say_bake(path: str, reason: str) -> None:
    if reason:
        say(reason)
    say(f"no database yet, baking {path}")


def say_cut(project: Snapshot, *, every: bool) -> None:
    """Print the packages that were not read, or only in part."""
    cut = [problem for problem in project.packages.list.problems if problem.code == "package-too-large"]
    notes = [f"{problem.path}: {problem.code}: {problem.message}" for problem in cut]
    say_first(notes, "and {:,} more packages", every=every)


def guid_text(guid: str, file_id: int | None) -> str:
    """Return a GUID, with the fileID if there is one."""
    return guid if file_id is None else f"{guid}:{file_id}"


def spare_guid(column: int, options: SnapshotOptions) -> frozenset[int]:
    """Return the column that narrow terminals do without, unless verbose."""
    return frozenset() if options.verbose else frozenset((column,))


def queries_of(words: Iterable[str]) -> Iterator[str]:
    """Yield each query; for a ``-`` each line of stdin."""
    for word in words:
        if word == STDIN:
            if isinstance(sys.stdin, TextIOWrapper):
                sys.stdin.reconfigure(encoding="utf-8", errors="replace")
            for line in sys.stdin:
                if line.strip():
                    yield line.rstrip("\r\n")
        else:
            yield word


def say_unmatched(query: str, found: Unmatched, *, as_json: bool) -> int:
    """Print why a query has no subject; return 1."""
    if as_json:
        print_json({"query": query, **found.fields()})
        sys.stdout.flush()  # a program that asks line by line waits for it
    else:
        say_listed(found.why)
    return 1


def say_sharing(subject: Subject, project: Snapshot) -> None:
    """Print that several assets share the GUID of a subject."""
    duplicates = project.duplicates
    if not subject.folder and not any(duplicate.asset.guid == subject.guid for duplicate in duplicates):
        return
    from assetdb.query.graph.relations import sharing  # noqa: PLC0415 - hardly any project has such a GUID

    own = subject.path or subject.folder or project.assets.by_guid(subject.guid)
    shown = own if isinstance(own, str) or own is None else own.path
    from assetdb.diagnostics import others  # noqa: PLC0415 - the same

    sharers = sharing(subject, project)
    if any(path != shown for path in sharers):
        text = f"{shown} shares its GUID with {others(sharers, shown or '')}"
        say(text)
