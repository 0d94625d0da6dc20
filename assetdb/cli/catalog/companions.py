"""``assetdb catalog layout``, ``state``, ``settings`` and ``hash``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.arguments import Printing  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.catalog.each import each_input, failed, size_text, title
from assetdb.cli.terminal import print_json, print_json_lines, printable, table
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
    from assetdb_formats.addressables.companions.layout import BuildLayout
    from assetdb_formats.addressables.companions.settings import Settings
    from assetdb_formats.inputs import Input

    Plain = Iterable[dict[str, Any]]

_METHODS: Final = {"spooky": "SpookyHash V2", "md5": "MD5"}


def layout(
    options: Printing,
    path: Annotated[
        list[str], Argument(metavar="PATH", help="buildlayout.json or .txt, or folders or zips that hold some.")
    ],
    kind: Annotated[
        Literal["summary", "bundles", "assets", "groups"], Option("--kind", help="What to print.")
    ] = "summary",
) -> int:
    """Print build layouts."""

    def show(file: Input) -> tuple[Plain, Callable[[], str]]:
        found = open_layout(file)
        if kind == "summary":
            facts = summary_of_layout(found)._asdict()
            return [{"layout": file.name, **facts}], lambda: _facts_table("layout", file.name, facts)
        if kind == "groups":
            groups = groups_of(found)
            return [group._asdict() for group in groups], lambda: _table(
                [("bytes", "bundles", "assets", "group")], [(f"{one.size:,}", one.bundles, one.assets, one.name)
                for one in groups], {0, 1, 2})  # fmt: skip
        if kind == "assets":
            return [_layout_asset(found, number) for number in range(len(found.assets))], lambda: _table(
                [("bytes", "guid", "address", "path", "bundle")], [
                    (f"{one.size:,}", one.guid or "", one.address, one.path,
                     "" if one.bundle is None else found.bundles[one.bundle].name)
                    for one in sorted(found.assets, key=lambda one: (-one.size, one.path))], {0})  # fmt: skip
        counts = assets_by_bundle(found)
        rows = [
            (bundle.size, "" if bundle.crc is None else f"{bundle.crc:08x}", count, bundle.group or "", bundle.name)
            for bundle, count in zip(found.bundles, counts, strict=True)
        ]
        rows.sort(key=lambda row: (-row[0], row[4]))
        return [
            {**bundle._asdict(), "assets": count} for bundle, count in zip(found.bundles, counts, strict=True)
        ], lambda: _table(
            [("bytes", "crc", "assets", "group", "bundle")], [(f"{row[0]:,}", *row[1:]) for row in rows], {0, 2}
        )

    return _each(path, find_layouts, show, name="" if kind == "summary" else "layout", json=options.json)


def _layout_asset(layout: BuildLayout, number: int) -> dict[str, Any]:
    asset = layout.assets[number]
    return {**asset._asdict(), "bundle": None if asset.bundle is None else layout.bundles[asset.bundle].name}


def state(
    options: Printing,
    path: Annotated[
        list[str], Argument(metavar="PATH", help="addressables_content_state.bin, or folders or zips that hold some.")
    ],
    kind: Annotated[Literal["summary", "assets", "bundles"], Option("--kind", help="What to print.")] = "summary",
) -> int:
    """Print content states."""

    def show(file: Input) -> tuple[Plain, Callable[[], str]]:
        found = open_content_state(file)
        if kind == "summary":
            facts = summary_of_state(found)._asdict()
            return [{"state": file.name, **facts}], lambda: _facts_table("state", file.name, facts)
        if kind == "bundles":
            return [one._asdict() for one in found.bundles], lambda: _table(
                [("bytes", "crc", "hash", "bundle")],
                [
                    (f"{one.size:,}" if one.size is not None else "", "" if one.crc is None else f"{one.crc:08x}",
                     one.hash or "", one.file)
                    for one in found.bundles
                ],
                {0},
            )  # fmt: skip
        return [
            {**one._asdict(), "dependencies": [{"guid": guid, "hash": digits} for guid, digits in one.dependencies]}
            for one in found.assets
        ], lambda: _table(
            [("guid", "hash", "dependencies", "group", "bundle")],
            [
                (one.guid, one.hash, len(one.dependencies), one.group or "", one.bundle_file or "")
                for one in found.assets
            ],
            {2},
        )

    return _each(path, find_content_states, show, name="" if kind == "summary" else "state", json=options.json)


def settings(
    options: Printing,
    path: Annotated[
        list[str], Argument(metavar="PATH", help="settings.json, or folders, APKs or zips that hold some.")
    ],
) -> int:
    """Print the files that a game reads first."""

    def show(file: Input) -> tuple[Plain, Callable[[], str]]:
        found = open_settings(file)
        facts = _settings_facts(found)

        def text() -> str:
            rows = [(" ".join(one.keys), one.internal_id) for one in found.catalogs]
            return "\n".join((_facts_table("settings", file.name, facts), *([table(rows)] if rows else ())))

        catalogs = [{**one._asdict(), "data": data_to_plain(one.data)} for one in found.catalogs]
        return [{"settings": file.name, **facts, "catalogs": catalogs}], text

    return _each(path, find_settings, show, json=options.json)


def _settings_facts(settings: Settings) -> dict[str, Any]:
    return {
        "package": settings.version,
        "build_target": settings.build_target,
        "settings_hash": settings.settings_hash,
        "catalog_in_bundle": settings.catalog_in_bundle,
        "disable_catalog_update": settings.disable_catalog_update,
        "max_concurrent_requests": settings.max_concurrent_requests,
        "catalog_timeout": settings.catalog_timeout,
    }


def hash(  # noqa: A001 - the command's name
    options: Printing,
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
    show: Callable[[Input], tuple[Plain, Callable[[], str]]],
    *,
    json: bool,
    name: str = "",
) -> int:
    """Print each file, as JSON Lines or under its path."""
    files, broken = each_input(paths, find)

    def shown(file: Input) -> None:
        plain, text = show(file)
        if json:
            print_json_lines({**({name: file.name} if name else {}), **row} for row in plain)
            return
        if name:
            title(file.name, several=len(files) > 1)
        elif file is not files[0]:
            print()
        if said := text():
            print(said)

    for file in files:
        broken += failed(file.name, partial(shown, file))
    return 2 if broken else 0


def _facts_table(what: str, name: str, facts: dict[str, Any]) -> str:
    """Return the facts of a file, a line each."""
    rows: list[tuple[str, str]] = [(what, name)]
    for fact, value in facts.items():
        shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
        if fact == "bundle_bytes":
            shown = f"{value:,} ({size_text(value)})"
        if shown not in (None, ""):
            rows.append((fact.replace("_", " "), f"{shown:,}" if type(shown) is int else str(shown)))
    return table(rows)


def _table(head: list[tuple[object, ...]], rows: list[tuple[object, ...]], right: set[int]) -> str:
    return table([*head, *rows], right=frozenset(right)) if rows else ""
