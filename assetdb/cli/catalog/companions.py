"""``assetdb catalog layout``, ``state``, ``settings`` and ``hash``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.arguments import JsonOptions  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.bundle.each import each_input, failed
from assetdb.cli.catalog.answers import each_shown, size_text
from assetdb.cli.terminal import print_json, print_table, printable, table
from assetdb_formats.addressables.companions.content_state import summary_of_state
from assetdb_formats.addressables.companions.finding import (
    check_hash,
    find_content_states,
    find_hashes,
    find_layouts,
    find_settings,
    open_content_state,
    open_layout,
    open_settings,
)
from assetdb_formats.addressables.companions.layout import assets_by_bundle, groups_of, summary_of_layout
from assetdb_formats.addressables.queries.extract import data_to_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assetdb.cli.options import Annotated, Argument, Literal, Option
    from assetdb_formats.addressables.companions.layout import BuildLayout, LayoutAsset
    from assetdb_formats.inputs import Input

    Cells = Iterable[tuple[object, ...]]
    Read = tuple[Iterable[dict[str, Any]], Callable[[str], object]]

_METHODS: Final = {"spooky": "SpookyHash V2", "md5": "MD5"}


def layout(
    options: JsonOptions,
    path: Annotated[
        list[str], Argument(metavar="PATH", help="buildlayout.json or .txt, or folders or zips that hold some.")
    ],
    kind: Annotated[
        Literal["summary", "bundles", "assets", "groups"], Option("--kind", help="What to print.")
    ] = "summary",
) -> int:
    """Print build layouts."""

    def read(file: Input) -> Read:
        found = open_layout(file)
        if kind == "summary":
            return _summary("layout", file.name, summary_of_layout(found)._asdict())
        if kind == "groups":
            groups = groups_of(found)
            cells: Cells = ((f"{one.size:,}", one.bundles, one.assets, one.name) for one in groups)
            return _listed((one._asdict() for one in groups), "bytes bundles assets group", cells, {0, 1, 2})
        if kind == "assets":
            ordered = sorted(found.assets, key=lambda one: (-one.size, one.path))
            cells = (
                (f"{one.size:,}", one.guid or "", one.address, one.path, _bundle(found, one) or "") for one in ordered
            )
            rows = ({**one._asdict(), "bundle": _bundle(found, one)} for one in found.assets)
            return _listed(rows, "bytes guid address path bundle", cells, {0})
        counted = list(zip(found.bundles, assets_by_bundle(found), strict=True))
        bundles = sorted(counted, key=lambda row: (-row[0].size, row[0].name))
        cells = ((f"{one.size:,}", _crc(one.crc), count, one.group or "", one.name) for one, count in bundles)
        rows = ({**one._asdict(), "assets": count} for one, count in counted)
        return _listed(rows, "bytes crc assets group bundle", cells, {0, 2})

    return _each(path, find_layouts, read, "layout", json=options.json, titled=kind != "summary")


def _bundle(layout: BuildLayout, asset: LayoutAsset) -> str | None:
    return None if asset.bundle is None else layout.bundles[asset.bundle].name


def _crc(crc: int | None) -> str:
    return "" if crc is None else f"{crc:08x}"


def state(
    options: JsonOptions,
    path: Annotated[
        list[str], Argument(metavar="PATH", help="addressables_content_state.bin, or folders or zips that hold some.")
    ],
    kind: Annotated[Literal["summary", "assets", "bundles"], Option("--kind", help="What to print.")] = "summary",
) -> int:
    """Print content states."""

    def read(file: Input) -> Read:
        found = open_content_state(file)
        if kind == "summary":
            return _summary("state", file.name, summary_of_state(found)._asdict())
        if kind == "bundles":
            cells = (
                (f"{one.size:,}" if one.size is not None else "", _crc(one.crc), one.hash or "", one.file)
                for one in found.bundles
            )
            return _listed((one._asdict() for one in found.bundles), "bytes crc hash bundle", cells, {0})
        assets = (
            (one.guid, one.hash, len(one.dependencies), one.group or "", one.bundle_file or "") for one in found.assets
        )
        rows = (
            {**one._asdict(), "dependencies": [{"guid": guid, "hash": digits} for guid, digits in one.dependencies]}
            for one in found.assets
        )
        return _listed(rows, "guid hash dependencies group bundle", assets, {2})

    return _each(path, find_content_states, read, "state", json=options.json, titled=kind != "summary")


def settings(
    options: JsonOptions,
    path: Annotated[
        list[str], Argument(metavar="PATH", help="settings.json, or folders, APKs or zips that hold some.")
    ],
) -> int:
    """Print the files that a game reads first."""

    def read(file: Input) -> Read:
        found = open_settings(file)
        facts = {
            "package": found.version,
            "build_target": found.build_target,
            "settings_hash": found.settings_hash,
            "catalog_in_bundle": found.catalog_in_bundle,
            "disable_catalog_update": found.disable_catalog_update,
            "max_concurrent_requests": found.max_concurrent_requests,
            "catalog_timeout": found.catalog_timeout,
        }

        def print_text(_: str) -> None:
            _print_facts("settings", file.name, facts)
            print_table([(" ".join(one.keys), one.internal_id) for one in found.catalogs])

        catalogs = [{**one._asdict(), "data": data_to_plain(one.data)} for one in found.catalogs]
        return [{**facts, "catalogs": catalogs}], print_text

    return _each(path, find_settings, read, "settings", json=options.json, titled=False)


def hash(  # noqa: A001 - the command's name
    options: JsonOptions,
    path: Annotated[
        list[str], Argument(metavar="PATH", help="Catalogs or .hash files, or folders, APKs or zips that hold some.")
    ],
) -> int:
    """Compare catalogs with the ``.hash`` files beside them."""
    files, broken = each_input(path, find_hashes)
    rows: list[tuple[str, str, str, str]] = []
    wrong = 0

    def compare(file: Input) -> None:
        nonlocal wrong
        found = check_hash(file)
        wrong += found.is_wrong
        if options.json:
            print_json({**found._asdict(), "wrong": found.is_wrong})
            return
        name = found.name or found.catalog or file.name
        if found.digits is None:  # what a .hash file would say
            rows.extend(("none", _METHODS[method], digits, name) for method, digits in found.right.items())
            return
        verdict = "WRONG" if found.is_wrong else "alone" if found.catalog is None else "ok"
        rows.append((verdict, _METHODS.get(found.method or "", ""), found.digits, name))
        if found.is_wrong:
            expected = " or ".join(f"{digits} ({_METHODS[method]})" for method, digits in found.right.items())
            print(printable(f"{name}: is not the hash of {found.catalog}, which is {expected}"), file=sys.stderr)

    for file in files:
        broken += failed(file.name, partial(compare, file))
    if rows:
        print(table(rows))
    return 2 if broken else 1 if wrong else 0


def _each(
    paths: list[str],
    find: Callable[[str], list[Input]],
    read: Callable[[Input], Read],
    key: str,
    *,
    json: bool,
    titled: bool,
) -> int:
    return each_shown(paths, find, lambda file, answer: answer(file.name, *read(file)), key, json=json, titled=titled)


def _summary(what: str, name: str, facts: dict[str, Any]) -> Read:
    return [facts], lambda _: _print_facts(what, name, facts)


def _listed(rows: Iterable[dict[str, Any]], head: str, cells: Cells, right: set[int]) -> Read:
    return rows, lambda _: print_table([tuple(head.split()), *cells], right=frozenset(right), heads=1)


def _print_facts(what: str, name: str, facts: dict[str, Any]) -> None:
    """Print the facts of a file, a line each."""
    rows: list[tuple[str, str]] = [(what, name)]
    for fact, value in facts.items():
        shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
        if fact == "bundle_bytes":
            shown = f"{value:,} ({size_text(value)})"
        if shown not in (None, ""):
            rows.append((fact.replace("_", " "), f"{shown:,}" if type(shown) is int else str(shown)))
    print(table(rows))
