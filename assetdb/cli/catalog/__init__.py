"""assetdb catalog: Addressables catalogs and the files beside them, whatever package wrote them."""

# ruff: noqa: ANN401 - modules are imported only where their command runs

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.parsing import add_manners
from assetdb.errors import UsageError

if TYPE_CHECKING:
    import argparse

_LISTS: Final = ("bundles", "keys", "labels", "locations", "types", "providers", "initialization", "duplicates")
_FLAVOURS: Final = ("json", "binary")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    def action(name: str, module: str, help_text: str, *, reads_catalog: bool = True) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        made.set_defaults(action=(module, name))
        add_manners(made)
        if reads_catalog:
            made.add_argument(
                "--salvage", action="store_true", help="go on where the file is broken; say what was lost"
            )
            made.add_argument(
                "--intended-prefixes",
                action="store_true",
                help="expand N#rest at the first '#', as its writer meant it (Unity takes the last)",
            )
        return made

    def add_catalogs(made: argparse.ArgumentParser, *, several: bool = True) -> None:
        made.add_argument("catalog", nargs="+" if several else None,
                          help="a catalog file, or a folder of a build, an APK or a zip that holds one")  # fmt: skip

    def add_inside(made: argparse.ArgumentParser) -> None:
        made.add_argument("--in", dest="inside", metavar="FILE_OR_FOLDER", action="append",
                          help="catalogs to look in: files, folders of builds, APKs, zips (default: .)")  # fmt: skip

    def add_json(made: argparse.ArgumentParser) -> None:
        made.add_argument("--json", action="store_true", help="print JSON Lines")

    made = action("info", "show", "Show what a catalog is and which package wrote it.")
    add_catalogs(made)
    add_json(made)
    made = action("ls", "show", "List bundles with their sizes, or keys, labels, locations, types, providers.")
    add_catalogs(made)
    made.add_argument("--kind", choices=_LISTS, default="bundles", help="what to list (default: bundles)")
    add_json(made)
    made = action("deps", "ask", "List what loading a key loads, with the bytes to download for it.")
    made.add_argument("key", nargs="+", help="address, GUID, label, or any other key")
    add_inside(made)
    made.add_argument("--direct", action="store_true", help="only what it needs itself")
    add_json(made)
    made = action("usages", "ask", "List what loads a bundle or an asset.")
    made.add_argument("key", nargs="+", help="a key, the name of a bundle, or an internal id")
    add_inside(made)
    made.add_argument("--direct", action="store_true", help="only what needs it itself")
    add_json(made)
    made = action("find", "ask", "Search keys and internal ids, by text, class and label.")
    made.add_argument("text", nargs="*", help="part of a key or internal id, in any case")
    add_inside(made)
    made.add_argument("--class", "--type", dest="type", metavar="CLASS", help="class, with or without its namespace")
    made.add_argument("--label", help="a key that what is found has")
    made.add_argument("--regex", action="store_true", help="the text is a regular expression")
    add_json(made)
    made = action("diff", "compare", "Show what changed between catalogs, and what a player downloads.")
    made.add_argument("catalog", nargs="+", help="two catalogs, or a series: each is compared with the next")
    add_json(made)
    made = action("verify", "compare", "Check a catalog: hash file, tables, dependency sets, bundles, build layout.")
    add_catalogs(made)
    made.add_argument("--hash", metavar="FILE", help="the .hash file (default: the one beside the catalog)")
    made.add_argument("--layout", metavar="FILE", help="the build layout (default: buildlayout.json beside)")
    made.add_argument("--bundles", metavar="FOLDER", help="where the bundles of remote groups are")
    add_json(made)
    made = action("convert", "write", "Write a catalog in another format, or as another package version would.")
    add_catalogs(made, several=False)
    made.add_argument("--format", metavar="FLAVOUR", help="json, binary, or one such as json-1.21.3, binary-2.0.8")
    _add_output(made)
    made = action("edit", "write", "Change a catalog and write it again with its hash.")
    add_catalogs(made, several=False)
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
    made = action("extract", "write", "Write all of a catalog as Unity's extract text or as JSON Lines.")
    add_catalogs(made, several=False)
    add_json(made)
    made.add_argument("--format", help=_argparse_suppress())
    made.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    made.add_argument("--to", metavar="FOLDER", help="a folder to write to, under the catalog's name")
    _add_companions(action, add_json)


def _argparse_suppress() -> str:
    from argparse import SUPPRESS  # noqa: PLC0415 - the parser is made, so it is imported

    return SUPPRESS


def _add_companions(action: Any, add_json: Any) -> None:
    made = action("layout", "companions", "Show a build layout: its bundles, assets, groups.", reads_catalog=False)
    made.add_argument("path", nargs="+", help="buildlayout.json or .txt, or a folder or zip that holds some")
    made.add_argument("--kind", choices=("summary", "bundles", "assets", "groups"), default="summary",
                      help="what to print (default: summary)")  # fmt: skip
    add_json(made)
    made = action("state", "companions", "Show a content state: what the next build compares.", reads_catalog=False)
    made.add_argument("path", nargs="+", help="addressables_content_state.bin, or a folder or zip that holds some")
    made.add_argument("--kind", choices=("summary", "assets", "bundles"), default="summary",
                      help="what to print (default: summary)")  # fmt: skip
    add_json(made)
    made = action("settings", "companions", "Show settings.json, which a game reads first.", reads_catalog=False)
    made.add_argument("path", nargs="+", help="settings.json, or a folder, an APK or a zip that holds some")
    add_json(made)
    made = action("hash", "companions", "Compare a catalog with the .hash beside it.", reads_catalog=False)
    made.add_argument("path", nargs="+", help="a catalog or a .hash file, or a folder, an APK or a zip")
    add_json(made)


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write")
    parser.add_argument("--to", metavar="FOLDER", help="a folder to write to, under the catalog's name")
    parser.add_argument(
        "--hash-file", choices=("auto", "spooky", "md5", "none"), default="auto",
        help="the .hash beside it: auto writes it where the original has one, with its method",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand; its module is imported only now."""
    module, name = arguments.action
    given = vars(arguments)
    home = import_module(f"assetdb.cli.catalog.{module}")
    if module == "companions":
        code: int = getattr(home, f"run_{name}")(
            given["path"], json=given["json"], **({"kind": given["kind"]} if "kind" in given else {})
        )
        return code
    each = import_module("assetdb.cli.catalog.each")
    reading = each.Reading(given["salvage"], given["intended_prefixes"], given["verbose"])
    return _CALLS[name](home, given, reading)


def _info(home: Any, given: dict[str, Any], reading: Any) -> int:
    code: int = home.run_info(given["catalog"], reading, json=given["json"])
    return code


def _ls(home: Any, given: dict[str, Any], reading: Any) -> int:
    *paths, last = given["catalog"]
    if paths and last in _LISTS and not os.path.exists(last):
        raise UsageError(f"what to list is an option: write --kind {last}")
    code: int = home.run_ls(given["catalog"], reading, kind=given["kind"], json=given["json"])
    return code


def _inside(given: dict[str, Any], words: list[str], rest: str) -> list[str]:
    """Return where to look; who still names the catalog first is told what to write now."""
    if given["inside"] is None and len(words) > 1 and os.path.exists(words[0]):
        raise UsageError(f"the catalog is an option: write assetdb catalog {rest} --in {words[0]}")
    return given["inside"] or ["."]


def _deps(home: Any, given: dict[str, Any], reading: Any) -> int:
    inside = _inside(given, given["key"], f"deps {' '.join(given['key'][1:])}")
    code: int = home.run_deps(given["key"], inside, reading, direct=given["direct"], json=given["json"])
    return code


def _usages(home: Any, given: dict[str, Any], reading: Any) -> int:
    inside = _inside(given, given["key"], f"usages {' '.join(given['key'][1:])}")
    if len(given["key"]) > 1:
        raise UsageError(f"usages takes one key; {given['key'][1]!r} is one too many")
    code: int = home.run_usages(given["key"][0], inside, reading, direct=given["direct"], json=given["json"])
    return code


def _find(home: Any, given: dict[str, Any], reading: Any) -> int:
    inside = _inside(given, given["text"], f"find {' '.join(given['text'][1:])}")
    if len(given["text"]) > 1:
        raise UsageError(f"find takes one text; {given['text'][1]!r} is one too many")
    text = given["text"][0] if given["text"] else None
    if text is None and given["type"] is None and given["label"] is None:
        raise UsageError("say what to find: a text, --class or --label")
    code: int = home.run_find(
        text, inside, reading, type=given["type"], label=given["label"], regex=given["regex"], json=given["json"]
    )
    return code


def _diff(home: Any, given: dict[str, Any], reading: Any) -> int:
    if len(given["catalog"]) < 2:
        raise UsageError("name two catalogs or more")
    code: int = home.run_diff(given["catalog"], reading, json=given["json"])
    return code


def _verify(home: Any, given: dict[str, Any], reading: Any) -> int:
    if given["bundles"] is not None and not os.path.isdir(given["bundles"]):
        raise UsageError(f"{given['bundles']}: there is no such folder")
    code: int = home.run_verify(
        given["catalog"], reading, hash_file=given["hash"], layout=given["layout"], bundles=given["bundles"],
        json=given["json"],
    )  # fmt: skip
    return code


def _convert(home: Any, given: dict[str, Any], reading: Any) -> int:
    if given["format"] is None:
        if given["to"] is not None and given["to"].partition("-")[0] in _FLAVOURS:
            raise UsageError(f"--to is a folder now: write --format {given['to']}")
        raise UsageError("say which flavour: --format json, binary, or one such as json-1.21.3, binary-2.0.8")
    code: int = home.run_convert(
        given["catalog"], reading, format=given["format"], target=home.Target(given["output"], given["to"]),
        hash_file=given["hash_file"],
    )  # fmt: skip
    return code


def _edit(home: Any, given: dict[str, Any], reading: Any) -> int:
    edits = home.Edits(
        given["crc"], given["only"], *(tuple(map(tuple, given[name])) for name in ("prefix", "host", "rename")),
        tuple(given["remove"]),
    )  # fmt: skip
    target = home.Target(given["output"], given["to"], given["in_place"])
    code: int = home.run_edit(
        given["catalog"],
        reading,
        edits=edits,
        add=given["add"],
        target=target,
        hash_file=given["hash_file"],
        quiet=given["quiet"],
    )
    return code


def _extract(home: Any, given: dict[str, Any], reading: Any) -> int:
    if given["format"] is not None:
        raise UsageError("--format is gone: write --json for JSON Lines; text is the default")
    target = home.Target(given["output"], given["to"])
    code: int = home.run_extract(given["catalog"], reading, target=target, json=given["json"])
    return code


_CALLS: Final = {
    "info": _info, "ls": _ls, "deps": _deps, "usages": _usages, "find": _find, "diff": _diff, "verify": _verify,
    "convert": _convert, "edit": _edit, "extract": _extract,
}  # fmt: skip
