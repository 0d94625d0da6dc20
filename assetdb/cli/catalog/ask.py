"""deps, usages and find: what loads what, and where something is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.catalog.each import Reading, each_catalog, size_text, title
from assetdb.cli.catalog.show import location_row
from assetdb.cli.terminal import print_json, print_json_lines, table
from formats.addressables.extract import location_to_plain
from formats.addressables.query import (
    locations_named,
    needs_of,
    search,
    similar_classes,
    similar_keys,
    users_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from formats.addressables.catalog import Catalog
    from formats.addressables.opening import OpenCatalog


def run_deps(key: list[str], inside: list[str], reading: Reading, *, direct: bool, json: bool) -> int:
    """Print what loading keys loads."""

    def answer(opened: OpenCatalog, several: bool) -> str | None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        starts: dict[int, None] = {}
        for text in key:
            found = locations_named(catalog, text)
            if not found:
                return _no_key(catalog, text)
            starts.update(dict.fromkeys(found))
        needs = needs_of(catalog, list(starts), direct=direct)
        if json:
            print_json(
                {
                    "catalog": opened.name,
                    "keys": key,
                    "locations": [location_to_plain(catalog, catalog.location(index)) for index in starts],
                    "needs": [location_to_plain(catalog, catalog.location(index)) for index in needs.locations],
                    "download_bytes": needs.size,
                }
            )
            return None
        title(opened.name, several=several)
        bundles = needs.bundles
        rows = [
            (f"{bundles[index].size:,}" if index in bundles else "", *location_row(catalog, index)[1:])
            for index in needs.locations
        ]
        noun = "bundle" if len(bundles) == 1 else "bundles"
        rows.append((f"{needs.size:,}", f"{len(bundles)} {noun} to download ({size_text(needs.size)})", ""))
        print(table(rows, right=frozenset({0})))
        return None

    return each_catalog(inside, reading, answer).found


def run_usages(key: str, inside: list[str], reading: Reading, *, direct: bool, json: bool) -> int:
    """Print what loads something."""

    def answer(opened: OpenCatalog, several: bool) -> str | None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        targets = locations_named(catalog, key)
        if not targets:
            return _no_key(catalog, key)
        users = users_of(catalog, targets, direct=direct)
        if not users:
            return f"nothing loads {key!r}"
        _print_locations(opened, users, several=several, json=json)
        return None

    return each_catalog(inside, reading, answer).found


def run_find(
    text: str | None,
    inside: list[str],
    reading: Reading,
    *,
    type: str | None,  # noqa: A002 - the option's name
    label: str | None,
    regex: bool,
    json: bool,
) -> int:
    """Print the locations that fit a text, a class and a label."""

    def answer(opened: OpenCatalog, several: bool) -> str | None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        found = search(catalog, text=text, type_name=type, label=label, regular=regex)
        if found:
            _print_locations(opened, found, several=several, json=json)
            return None
        if label is not None and catalog.find_key(label) is None:
            return _no_key(catalog, label)
        if type is not None and not search(catalog, type_name=type):
            return f"no asset of class {type!r}{_meant(similar_classes(catalog, type))}"
        return "no match"

    return each_catalog(inside, reading, answer).found


def _print_locations(opened: OpenCatalog, found: Iterable[int], *, several: bool, json: bool) -> None:
    catalog = opened.catalog
    if json:
        print_json_lines(
            {"catalog": opened.name, **location_to_plain(catalog, catalog.location(index))} for index in found
        )
        return
    title(opened.name, several=several)
    print(table(location_row(catalog, index) for index in found))


def _no_key(catalog: Catalog, text: str) -> str:
    return f"no key named {text!r}{_meant(similar_keys(catalog, text))}"


def _meant(names: list[str]) -> str:
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""
