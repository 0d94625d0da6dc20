"""``assetdb catalog deps``, ``usages`` and ``find``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.catalog.each import NoAnswerError, each_catalog, size_text, title
from assetdb.cli.catalog.options import Direct, Reading  # noqa: TC001 - typer looks them up
from assetdb.cli.catalog.show import location_row
from assetdb.cli.terminal import print_json, print_json_lines, table
from assetdb.errors import UsageError
from assetdb_formats.addressables.queries.extract import location_to_plain
from assetdb_formats.addressables.queries.listing import list_locations
from assetdb_formats.addressables.queries.query import (
    locations_named,
    needs_of,
    search,
    similar_classes,
    similar_keys,
    users_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.cli.options import Annotated, Argument, In, Json, Option
    from assetdb_formats.addressables.opening import OpenCatalog


def deps(
    options: Reading,
    key: Annotated[list[str], Argument(metavar="KEY", help="Addresses, GUIDs, labels, or any other keys.")],
    look_in: In = None,
    direct: Direct = False,
    json: Json = False,
) -> int:
    """Print the bundles and assets that keys load."""
    if look_in is None and len(key) > 1 and os.path.exists(key[0]):
        keys = " ".join(key[1:])
        raise UsageError(f"catalog deps: the catalog is an option; write assetdb catalog deps {keys} --in {key[0]}")

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

    return each_catalog(look_in or [os.curdir], options, answer).exit_code()


def usages(
    options: Reading,
    key: Annotated[str, Argument(metavar="KEY", help="A key, the name of a bundle, or an internal id.")],
    look_in: In = None,
    direct: Direct = False,
    json: Json = False,
) -> int:
    """Print the keys that load something."""

    def answer(opened: OpenCatalog, several: bool) -> None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        targets = locations_named(catalog, key)
        if not targets:
            raise _no_key(key, similar_keys(catalog, key))
        users = users_of(catalog, targets, direct=direct)
        if not users:
            raise NoAnswerError(f"nothing loads {key!r}")
        _print_locations(opened, users, several=several, json=json)

    return each_catalog(look_in or [os.curdir], options, answer).exit_code()


def find(
    options: Reading,
    text: Annotated[str | None, Argument(metavar="TEXT", help="Part of a key or internal id, in any case.")] = None,
    look_in: In = None,
    classes: Annotated[
        list[str] | None,
        Option("--class", metavar="CLASS", help="Only this class, bare or with namespace; may be repeated."),
    ] = None,
    label: Annotated[str | None, Option("--label", metavar="KEY", help="Only locations with this key.")] = None,
    regex: Annotated[bool, Option("--regex", help="The text is a regular expression.")] = False,
    json: Json = False,
) -> int:
    """Print the locations that fit a text, a class and a label."""
    if text is None and not classes and label is None:
        raise UsageError("catalog find: say what to find: a text, --class or --label")

    def answer(opened: OpenCatalog, several: bool) -> None:  # noqa: FBT001 - as each_catalog calls it
        catalog = opened.catalog
        found = search(catalog, text=text, classes=classes or (), label=label, regular=regex)
        if found:
            _print_locations(opened, found, several=several, json=json)
            return
        if label is not None and catalog.find_key(label) is None:
            raise _no_key(label, similar_keys(catalog, label))
        for name in classes or ():
            if not search(catalog, classes=(name,)):
                raise NoAnswerError(f"no asset of class {name!r}{_meant(similar_classes(catalog, name))}")
        if look_in is None and text is not None and os.path.exists(text):
            raise NoAnswerError(f"no match; to look in {text!r}, write --in before it")
        raise NoAnswerError("no match")

    return each_catalog(look_in or [os.curdir], options, answer).exit_code()


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
