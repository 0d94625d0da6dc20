"""``assetdb help``."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import CommonOptions
    from assetdb.cli.options import Annotated, Argument


def help(  # noqa: A001 - that is what the command is called
    options: CommonOptions,
    command: Annotated[
        list[str] | None, Argument(metavar="COMMAND", complete="commands", help="A command: name, or catalog ls.")
    ] = None,
) -> int:
    """Show the help of a command; the reader does that."""
    raise AssertionError(options, command)
