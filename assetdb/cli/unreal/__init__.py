"""The registry of ``assetdb unreal``, one row for each command."""

from __future__ import annotations

from assetdb.cli.commands import Command

_HERE = "assetdb.cli.unreal"
_PACKAGES = "Packages, folders and containers"
_CONTAINERS = "Containers"
_CHUNKS = "assetdb.cli.unreal.containers.commands"

COMMANDS = (
    Command("info", f"{_HERE}.info", "Show what a package or container is and what is in it.", _PACKAGES),
    Command("ls", f"{_HERE}.ls", "List the packages of a folder or container.", _PACKAGES),
    Command("find", f"{_HERE}.ls", "Find packages by name and class.", _PACKAGES),
    Command("deps", f"{_HERE}.deps", "List what a package needs.", _PACKAGES),
    Command("usages", f"{_HERE}.deps", "List the packages that need a package.", _PACKAGES),
    Command("unused", f"{_HERE}.deps", "List packages that nothing uses.", _PACKAGES),
    Command("tags", f"{_HERE}.assets", "Print or search the asset registry tags of packages.", _PACKAGES),
    Command(
        "parts",
        f"{_HERE}.parts",
        "List the data behind a package's exports and in files beside it, or write it.",
        _PACKAGES,
    ),
    Command("thumbs", f"{_HERE}.assets", "List the thumbnails of packages, or write them to a folder.", _PACKAGES),
    Command("diff", f"{_HERE}.diff", "Compare two packages, folders or containers.", _PACKAGES),
    Command("chunks", _CHUNKS, "List the chunks of a .utoc, or a .pak's files.", _CONTAINERS),
    Command("extract", _CHUNKS, "Write chunks or files to a folder.", _CONTAINERS),
    Command("verify", _CHUNKS, "Check hashes, lookups and tables of containers.", _CONTAINERS),
)
