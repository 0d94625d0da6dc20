"""assetdb catalog: Addressables catalogs, whatever wrote them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from assetdb.cli.parsing import add_manners
from formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from formats.binary import FormatError

if TYPE_CHECKING:
    import argparse

_SHOW: Final = "assetdb.cli.catalog.show"
_COMPARE: Final = "assetdb.cli.catalog.compare"
_WRITE: Final = "assetdb.cli.catalog.write"
_LISTS: Final = ("bundles", "keys", "labels", "locations", "types", "providers", "initialization", "duplicates")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    def action(name: str, module: str, help_text: str, *, several: bool = False) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        made.set_defaults(action=(module, name))
        if not several:
            made.add_argument("catalog", help="a catalog file, or a folder of a build, an APK or a zip that holds one")
        add_manners(made)
        made.add_argument("--salvage", action="store_true", help="go on where the file is broken; say what was lost")
        made.add_argument(
            "--intended-prefixes",
            action="store_true",
            help="expand N#rest at the first '#', as its writer meant it (Unity takes the last)",
        )
        return made

    def add_json(made: argparse.ArgumentParser) -> None:
        made.add_argument("--json", action="store_true", help="print JSON")

    made = action("info", _SHOW, "Say what a catalog is and which package wrote it.")
    add_json(made)
    made = action(
        "ls", _SHOW, "List bundles with their sizes, or keys, labels, locations, types, providers and the like."
    )
    made.add_argument("what", nargs="?", choices=_LISTS, default="bundles", help="what to list (default: bundles)")
    add_json(made)
    made = action("deps", _SHOW, "What loading a key loads, and the bytes to download for it.")
    made.add_argument("key", nargs="+", help="address, GUID, label, or any other key")
    made.add_argument("--direct", action="store_true", help="only what it needs itself")
    add_json(made)
    made = action("usages", _SHOW, "What loads this: the keys whose loading loads a bundle or another asset.")
    made.add_argument("key", help="a key, the name of a bundle, or an internal id")
    made.add_argument("--direct", action="store_true", help="only what needs it itself")
    add_json(made)
    made = action("find", _SHOW, "Search keys and internal ids, by text, type and label.")
    made.add_argument("text", nargs="?", help="part of a key or internal id, in any case")
    made.add_argument("--type", metavar="CLASS", help="class of the asset, with or without its namespace")
    made.add_argument("--label", help="a key that what is found has")
    made.add_argument("--regex", action="store_true", help="the text is a regular expression")
    add_json(made)
    made = action("diff", _COMPARE, "What changed between catalogs, and what a player downloads.", several=True)
    made.add_argument("catalog", nargs="+", help="two catalogs, or a series: each is compared with the next")
    add_json(made)
    made = action("verify", _COMPARE, "Prove a catalog: hash file, tables, dependency sets, bundles, build layout.")
    made.add_argument("--hash", metavar="FILE", help="the .hash file (default: the one beside the catalog)")
    made.add_argument("--layout", metavar="FILE", help="the build layout (default: buildlayout.json beside)")
    made.add_argument("--bundles", metavar="FOLDER", help="where the bundles of remote groups are")
    add_json(made)
    made = action("convert", _WRITE, "Write a catalog in another format, or as another package version would.")
    names = ", ".join((*(f"json-{name}" for name in JSON_FLAVOURS), *(f"binary-{name}" for name in BINARY_FLAVOURS)))
    made.add_argument("--to", required=True, metavar="FLAVOUR", help=f"json, binary, or one of {names}")
    _add_output(made)
    made = action("edit", _WRITE, "Change a catalog and write it again with its hash.")
    made.add_argument("--crc", type=int, metavar="N", help="set the CRC of bundles; 0 turns the check off")
    made.add_argument("--only", metavar="KEY", help="with --crc: the one bundle with this key or name")
    for option, first, help_text in (
        ("--prefix", "OLD", "replace the beginning of internal ids"),
        ("--host", "OLD", "replace the host of URLs"),
        ("--rename", "OLD", "give a key another name"),
    ):
        made.add_argument(option, nargs=2, metavar=(first, "NEW"), action="append", default=[], help=help_text)
    made.add_argument("--remove", metavar="KEY", action="append", default=[], help="remove what has this key")
    made.add_argument(
        "--add",
        metavar="JSON",
        action="append",
        default=[],
        help="add an entry: keys, internal_id, provider, and if need be type, assembly, dependencies, bundle",
    )
    _add_output(made)
    made.add_argument("--in-place", action="store_true", help="replace the file itself")
    made = action("extract", _WRITE, "Write all of a catalog as Unity's extract text or as JSON Lines.")
    made.add_argument("--format", choices=("text", "jsonl"), default="text", help="default: text")
    made.add_argument("-o", "--output", metavar="FILE", help="default: standard output")


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write")
    parser.add_argument(
        "--hash-file", choices=("auto", "spooky", "md5", "none"), default="auto",
        help="the .hash beside it: auto writes it where the original has one, with its method",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand; its module is imported only now."""
    module, name = arguments.action
    try:
        code: int = getattr(import_module(module), f"run_{name}")(arguments)
    except FormatError as error:  # of something that was only decoded when it was asked for
        if error.path or not isinstance(arguments.catalog, str):
            raise
        raise error.at(arguments.catalog) from None
    return code
