"""Groups of options as classes that command functions take: ``options: QueryOptions``.

Each annotated attribute is an option, declared once in ``assetdb.cli.options``. Nothing here imports typer: the readers
of the command line set what was given, and the rest keeps the defaults.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from assetdb.cli.options import Color, Fetch, Json, NoRefresh, OutDir, Project, Quiet, Rev, Verbose, Version
    from assetdb.query.snapshots.snapshot import Snapshot

_MOST_WORKERS: Final = 64  # more only wait for each other, and a slip of the finger would fork without end


class CommonOptions:
    """Options of every command: how much it prints, and how."""

    quiet: Quiet = False
    verbose: Verbose = False
    color: Color = "auto"
    version: Version = False


class JsonOptions(CommonOptions):
    """Options of commands that can answer in JSON, and need no project."""

    json: Json = False


class ProjectOptions(CommonOptions):
    """Options of commands on a project."""

    project: Project = None


class DatabaseOptions(ProjectOptions):
    """Options of commands on a project's database."""

    out_dir: OutDir = None


class SnapshotOptions(DatabaseOptions):
    """Options of every question about a project."""

    no_refresh: NoRefresh = False

    def __init__(self) -> None:
        self.opened: Snapshot | None = None
        """The project, where it is open: in a daemon, or as a revision has it."""
        self.in_daemon = False
        """Whether the command runs in a daemon."""
        self.cwd = ""
        """The client's working directory, if not this process's."""
        self.synced = False
        """Whether a daemon has just brought the files up to date."""


class QueryOptions(SnapshotOptions):
    """Options of questions that can answer in JSON, and about a revision."""

    json: Json = False
    rev: Rev = None
    fetch: Fetch = False


def worker_count(wanted: int | None) -> int:
    """Return the number of processes: at most 8 by default."""
    return min(wanted or min(os.cpu_count() or 1, 8), _MOST_WORKERS)


def call(
    function: Callable[..., int],
    values: Mapping[str, object],
    *,
    opened: Snapshot | None = None,
    cwd: str = "",
    synced: bool = False,
    run: Callable[[Callable[..., int], Any, dict[str, object]], int] | None = None,
) -> int:
    """Call a command's function with the options that were given.

    The others are as declared.

    Args:
        function: takes ``options``, whose annotation is the name of a class above or in its own module.
        values: by the name of a parameter, or of an attribute of the options.
        opened: the project, in a daemon.
        cwd: the working directory of its client.
        synced: whether the files were just brought up to date.
        run: calls the function, with the options and what else it takes.
    """
    name = function.__annotations__["options"]
    declared = getattr(function, "__wrapped__", function)
    options = (declared.__globals__.get(name) or globals()[name])()
    own: dict[str, object] = {}
    for name, value in values.items():
        if hasattr(options, name):
            setattr(options, name, value)
        else:
            own[name] = value
    if options.color != "auto":
        # assetdb.cli.terminal reads it there; in a daemon it is the stream of one client.
        sys.stdout.color = options.color == "always"  # type: ignore[union-attr]  # no stream declares it
    if isinstance(options, SnapshotOptions):
        options.opened, options.cwd, options.synced = opened, cwd, synced
        options.in_daemon = opened is not None
    return function(options=options, **own) if run is None else run(function, options, own)
