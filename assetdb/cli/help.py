"""``assetdb help``."""

from __future__ import annotations

from assetdb.cli.commands import COMMANDS

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Annotated

    from typer import Argument

    from assetdb.cli.arguments import Manners


def commands_beginning(incomplete: str) -> list[str]:
    """Return the commands that a word may become."""
    return [row.name for row in COMMANDS if row.name.startswith(incomplete) and not row.hidden]


def help(  # noqa: A001 - that is what the command is called
    options: Manners,
    command: Annotated[
        list[str] | None,
        Argument(metavar="COMMAND", autocompletion=commands_beginning, help="A command: name, or catalog ls."),
    ] = None,
) -> int:
    """Show the help of a command.

    ``help COMMAND`` is read as ``COMMAND --help``, so this only has to be declared.
    """
    raise AssertionError(options, command)
