"""``assetdb build``: what players and bundles are as a whole, whatever they lie in."""

from __future__ import annotations

from assetdb.cli.commands import Command

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_SHOW: Final = "assetdb.cli.build.show"

COMMANDS: Final[tuple[Command, ...]] = (
    Command("info", _SHOW, "Show what a build is: versions, platform, scenes, how much it holds."),
    Command("ls", _SHOW, "List the objects of a build."),
)
