"""``assetdb catalog``: Addressables catalogs and the files beside them."""

from __future__ import annotations

from assetdb.cli.commands import Command

_ASK = "assetdb.cli.catalog.ask"
_COMPARE = "assetdb.cli.catalog.compare"
_WRITE = "assetdb.cli.catalog.write"
_COMPANIONS = "assetdb.cli.catalog.companions"
_CATALOGS = "Catalogs"
_BESIDE = "Files beside a catalog"
_WRITING = "Writing"

COMMANDS = (
    Command("info", _ASK, "Show what a catalog is and which package wrote it.", _CATALOGS),
    Command("ls", _ASK, "List bundles with their sizes, or keys, labels, locations, types, providers.", _CATALOGS),
    Command("find", _ASK, "Search keys and internal ids, by text, class and label.", _CATALOGS,
            old_words={"": "--in before the catalog", "--type": "--class"}),
    Command("deps", _ASK, "List what loading a key loads, with the bytes to download for it.", _CATALOGS),
    Command("usages", _ASK, "List what loads a bundle or an asset.", _CATALOGS,
            old_words={"": "--in before the catalog"}),
    Command("diff", _COMPARE, "Show what changed between catalogs, and what a player downloads.", _CATALOGS),
    Command("verify", _COMPARE, "Check a catalog: hash, tables, dependency sets, bundles, build layout.", _CATALOGS),
    Command("layout", _COMPANIONS, "Show a build layout: its bundles, assets, groups.", _BESIDE),
    Command("state", _COMPANIONS, "Show a content state: what the next build compares with.", _BESIDE),
    Command("settings", _COMPANIONS, "Show settings.json, which a game reads first.", _BESIDE),
    Command("hash", _COMPANIONS, "Compare a catalog with the .hash beside it.", _BESIDE),
    Command("convert", _WRITE, "Write a catalog in another format, or as another package version would.", _WRITING),
    Command("edit", _WRITE, "Change a catalog and write it again with its hash.", _WRITING),
    Command("extract", _WRITE, "Write all of a catalog as Unity's extract text or as JSON Lines.", _WRITING,
            old_words={"--format": "--json for JSON Lines; text is the default"}),
)  # fmt: skip
