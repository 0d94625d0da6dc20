"""Options and arguments of several commands, as annotations.

A command's function takes them by their names::

    def log(options: DatabaseOptions, follow: Annotated[bool, Option("--follow", "-f", help="...")] = False) -> int:

Annotations are read by ``assetdb.cli.reading.application``; modules of commands therefore import the names below for
the type checker alone. They are found here. The words of hot commands are rows in ``assetdb.cli.plain``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from assetdb.cli.plain import (
    COLOR,
    FETCH,
    IN,
    JSON,
    NO_REFRESH,
    OUT_DIR,
    PROJECT,
    QUERIES,
    QUIET,
    REV,
    VERBOSE,
    VERSION,
    WORKERS,
    Argument,
    Option,
)

__all__ = ["Annotated", "Argument", "Literal", "Option"]  # of other modules; the rest is made here

Quiet = Annotated[bool, QUIET]
Verbose = Annotated[bool, VERBOSE]
Color = Annotated[Literal["auto", "always", "never"], COLOR]
Version = Annotated[bool, VERSION]
Project = Annotated[str | None, PROJECT]
OutDir = Annotated[str | None, OUT_DIR]
NoRefresh = Annotated[bool, NO_REFRESH]
Rev = Annotated[str | None, REV]
Fetch = Annotated[bool, FETCH]
Json = Annotated[bool, JSON]
Workers = Annotated[int | None, WORKERS]
In = Annotated[list[str] | None, IN]
Queries = Annotated[list[str], QUERIES]
Key = Annotated[
    str | None,
    Option(
        "--key",
        metavar="KEY",
        help="AES-256 key of encrypted containers: 64 hexadecimal digits, base64, or @FILE with one.",
    ),
]
DryRun = Annotated[bool, Option("--dry-run", help="Change nothing, and print what would change as a diff.")]
TrustJournal = Annotated[
    bool,
    Option(
        "--trust-journal",
        help="Undo an unfinished change first, even if its journal is of another place or from before a restart.",
    ),
]
Files = Annotated[list[str], Argument(metavar="FILE", help="Files, or folders that hold some.")]
