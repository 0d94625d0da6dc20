"""``assetdb build``: commands on players and bundles."""

from __future__ import annotations

from assetdb.cli.commands import Command

_SHOW = "assetdb.cli.build.show"
_ASK = "assetdb.cli.build.ask"
_COMPARE = "assetdb.cli.build.compare"

COMMANDS = (
    Command("info", _SHOW, "Show what a build is: versions, platform, scenes, how much it holds."),
    Command("ls", _SHOW, "List the objects of a build."),
    Command("find", _ASK, "Find objects by a part of their name, path or script."),
    Command("get", _ASK, "Print the values of an object of a build."),
    Command("deps", _ASK, "List what an object or file of a build refers to, and which targets are missing."),
    Command("usages", _ASK, "List what refers to an object or file of a build, or why it is there."),
    Command(
        "size", "assetdb.cli.build.size", "Show what takes how many bytes, on disk and decoded, and what is duplicated."
    ),
    Command("diff", _COMPARE, "Compare two builds: what a player downloads, and why. Exit code 1: they differ."),
    Command(
        "check",
        "assetdb.cli.build.check",
        "Compare a build with the budgets of assetdb.toml. Exit code 1: it is too large.",
    ),
    Command("verify", _COMPARE, "Check that a build is complete, and list what could not be read."),
)
