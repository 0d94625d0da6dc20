"""Options and arguments of several commands, declared once.

A command's function takes them by their names::

    def log(options: Placed, follow: Annotated[bool, Option("--follow", "-f", help="...")] = False) -> int:

Annotations are read by ``assetdb.cli.application`` when typer has to read the words; modules of the commands that
answer in milliseconds therefore import the names below, ``Annotated``, ``Option`` and ``Argument`` for the type checker
alone. They are found here.
"""

from __future__ import annotations

from typing import Annotated, Literal

from typer import Argument, Exit, Option

from assetdb.cli.completion import assets_beginning, codes_beginning, projects_beginning
from assetdb.version import described_version

__all__ = [
    "Annotated",
    "Argument",
    "Color",
    "DryRun",
    "Fetch",
    "Files",
    "In",
    "Json",
    "Key",
    "Literal",
    "NoRefresh",
    "Option",
    "OutDir",
    "Project",
    "Queries",
    "Quiet",
    "Rev",
    "TextureForSprite",
    "Verbose",
    "Version",
    "Workers",
    "assets_beginning",
    "codes_beginning",
]


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer's callbacks are given the value alone
    if wanted:
        print(described_version())
        raise Exit


Quiet = Annotated[bool, Option("--quiet", "-q", help="Print answers and errors only, no notes.")]
Verbose = Annotated[bool, Option("--verbose", "-v", help="Print all that notes give examples of.")]
Color = Annotated[
    Literal["auto", "always", "never"],
    Option("--color", help="When to colour answers (default: on a terminal, or as NO_COLOR and FORCE_COLOR say)."),
]
Version = Annotated[
    bool, Option("--version", "-V", is_eager=True, callback=_print_version, help="Print the version and exit.")
]
Project = Annotated[
    str | None,
    Option(
        "--project",
        metavar="DIR",
        autocompletion=projects_beginning,
        help="The Unity project (default: here, or the nearest above).",
    ),
]
OutDir = Annotated[
    str | None, Option("--out-dir", metavar="DIR", help="Where its database is (default: Library/assetdb).")
]
NoRefresh = Annotated[
    bool, Option("--no-refresh", help="Answer as of the last bake, without a look at what changed since.")
]
Rev = Annotated[
    str | None,
    Option("--rev", metavar="REV", help="Ask about a git revision (main, HEAD~3, v1.2) instead of the files here."),
]
Fetch = Annotated[
    bool, Option("--fetch", help="Let git fetch the files of other revisions that a partial clone left out.")
]
Key = Annotated[
    str | None,
    Option(
        "--key",
        metavar="KEY",
        help="AES-256 key of encrypted containers: 64 hexadecimal digits, base64, or @FILE with one.",
    ),
]
Json = Annotated[bool, Option("--json", help="Print JSON Lines: one object a line.")]
DryRun = Annotated[bool, Option("--dry-run", help="Change nothing, and print what would change as a diff.")]
Workers = Annotated[
    int | None, Option("--workers", min=1, metavar="N", help="Processes (default: one a processor, at most 8).")
]
Queries = Annotated[
    list[str],
    Argument(
        metavar="QUERY",
        autocompletion=assets_beginning,
        help="A GUID, GUID:fileID, a pasted {fileID: ..., guid: ...}, a path or a name;"
        " - reads one a line from stdin and answers each with one line of JSON.",
    ),
]
TextureForSprite = Annotated[
    bool,
    Option(
        "--texture-for-sprite",
        help="Answer with the texture where its sprite's fileID (21300000) is asked for and it has no such sprite.",
    ),
]

Files = Annotated[list[str], Argument(metavar="FILE", help="Files, or folders that hold some.")]
In = Annotated[
    list[str] | None, Option("--in", metavar="PATH", help="A file or folder to look in; may be given several times.")
]
