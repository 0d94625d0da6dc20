"""Options and arguments of ``assetdb build``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from assetdb.cli.arguments import CommonOptions
from assetdb.cli.options import Argument, Option

if TYPE_CHECKING:
    from assetdb.cli.options import In, Json, Key, Workers

Builds = Annotated[
    list[str],
    Argument(
        metavar="BUILD",
        help="A player's _Data folder, data.unity3d, a web player's .data, an APK or zip, a folder of bundles;"
        " several are one build. Or a folder of Unreal Engine's containers and packages, or of .casset bundles.",
    ),
]
Classes = Annotated[
    list[str] | None,
    Option("--class", metavar="CLASS", help="Only this class, by name or number, or of this script; may be repeated."),
]
InFiles = Annotated[
    list[str] | None,
    Option("--file", metavar="PATTERN", help="Only files of this name (* and ? as in a shell); may be repeated."),
]

Report = Annotated[
    str | None,
    Option(
        "--report",
        metavar="FILE",
        help="Unity's report of the build; without, one beside the build or in the project's Library is found.",
    ),
]


class BuildOptions(CommonOptions):
    """Options of every command that reads builds."""

    json: Json = False
    workers: Workers = None
    no_cache: Annotated[bool, Option("--no-cache", help="Read everything again, and cache nothing.")] = False


class AnyEngineOptions(BuildOptions):
    """Options of commands for builds of any engine."""

    key: Key = None


class BuildInOptions(BuildOptions):
    """Options of commands on Unity builds, with ``--in``."""

    inside: In = None


class AnyEngineInOptions(AnyEngineOptions):
    """Options of commands on builds of any engine, with ``--in``."""

    inside: In = None
