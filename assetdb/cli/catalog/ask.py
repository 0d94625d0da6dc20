"""deps, usages and find: what loads what, and where something is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.catalog.each import NoAnswerError, Reading, each_catalog, size_text, title
from assetdb.cli.catalog.show import location_row
from assetdb.cli.terminal import print_json, print_json_lines, table
from formats.addressables.extract import location_to_plain
from formats.addressables.listing import list_locations
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

    from formats.addressables.opening import OpenCatalog


def run_deps(key: list[str], inside: list[str], reading: Reading, *, direct: bool, json: bool) -> int:
    """Print what loading keys loads."""

    def answer(opened: OpenCatalog, several: bool) -> None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        starts: dict[int, None] = {}
        for text in key:
            found = locations_named(catalog, text)
            if not found:
                raise _no_key(text, similar_keys(catalog, text))
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
            return
        title(opened.name, several=several)
        bundles = needs.bundles
        rows = [
            (f"{bundles[one.number].size:,}" if one.number in bundles else "", *location_row(one)[1:])
            for one in list_locations(catalog, needs.locations)
        ]
        noun = "bundle" if len(bundles) == 1 else "bundles"
        rows.append((f"{needs.size:,}", f"{len(bundles)} {noun} to download ({size_text(needs.size)})", ""))
        print(table(rows, right=frozenset({0})))

    return each_catalog(inside, reading, answer).found


def run_usages(key: str, inside: list[str], reading: Reading, *, direct: bool, json: bool) -> int:
    """Print what loads something."""

    def answer(opened: OpenCatalog, several: bool) -> None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        targets = locations_named(catalog, key)
        if not targets:
            raise _no_key(key, similar_keys(catalog, key))
        users = users_of(catalog, targets, direct=direct)
        if not users:
            raise NoAnswerError(f"nothing loads {key!r}")
        _print_locations(opened, users, several=several, json=json)

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

    def answer(opened: OpenCatalog, several: bool) -> None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        found = search(catalog, text=text, type_name=type, label=label, regular=regex)
        if found:
            _print_locations(opened, found, several=several, json=json)
            return
        if label is not None and catalog.find_key(label) is None:
            raise _no_key(label, similar_keys(catalog, label))
        if type is not None and not search(catalog, type_name=type):
            raise NoAnswerError(f"no asset of class {type!r}{_meant(similar_classes(catalog, type))}")
        raise NoAnswerError("no match")

    return each_catalog(inside, reading, answer).found


def _print_locations(opened: OpenCatalog, found: Iterable[int], *, several: bool, json: bool) -> None:
    catalog = opened.catalog
    if json:
        print_json_lines(
            {"catalog": opened.name, **location_to_plain(catalog, catalog.location(index))} for index in found
        )
        return
    title(opened.name, several=several)
    print(table(map(location_row, list_locations(catalog, found))))


def _no_key(text: str, similar: list[str]) -> NoAnswerError:
    return NoAnswerError(f"no key named {text!r}{_meant(similar)}")


def _meant(names: list[str]) -> str:
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""
