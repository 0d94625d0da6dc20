"""``assetdb catalog deps``, ``usages`` and ``find``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.catalog.each import NoAnswerError, each_catalog, size_text
from assetdb.cli.catalog.options import Direct, Querying  # noqa: TC001 - typer looks them up
from assetdb.cli.catalog.show import location_row
from assetdb.cli.terminal import table
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
    from collections.abc import Iterable, Iterator
    from typing import Any

    from assetdb.cli.catalog.each import Shown
    from assetdb.cli.options import Annotated, Argument, In, Option
    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.opening import OpenCatalog
    from assetdb_formats.addressables.queries.query import Needs


def deps(
    options: Querying,
    key: Annotated[list[str], Argument(metavar="KEY", help="Addresses, GUIDs, labels, or any other keys.")],
    look_in: In = None,
    direct: Direct = False,
) -> int:
    """Print the bundles and assets that keys load."""
    if look_in is None and len(key) > 1 and os.path.exists(key[0]):
        keys = " ".join(key[1:])
        raise UsageError(f"catalog deps: the catalog is an option; write assetdb catalog deps {keys} --in {key[0]}")

    def show(opened: OpenCatalog) -> Shown:
        catalog = opened.catalog
        starts: dict[int, None] = {}
        for text in key:
            found = locations_named(catalog, text)
            if not found:
                raise _no_key(text, similar_keys(catalog, text))
            starts.update(dict.fromkeys(found))
        needs = needs_of(catalog, list(starts), direct=direct)

        def rows() -> Iterator[dict[str, Any]]:
            found = {"locations": list(_plain(catalog, starts)), "needs": list(_plain(catalog, needs.locations))}
            yield {"keys": key, **found, "download_bytes": needs.size}

        return rows(), lambda _: _print_needs(catalog, needs)

    return each_catalog(look_in or [os.curdir], options, show)


def _print_needs(catalog: Catalog, needs: Needs) -> None:
    bundles = needs.bundles
    rows = [
        (f"{bundles[one.number].size:,}" if one.number in bundles else "", *location_row(one)[1:])
        for one in list_locations(catalog, needs.locations)
    ]
    noun = "bundle" if len(bundles) == 1 else "bundles"
    rows.append((f"{needs.size:,}", f"{len(bundles)} {noun} to download ({size_text(needs.size)})", ""))
    print(table(rows, right=frozenset({0})))


def usages(
    options: Querying,
    key: Annotated[str, Argument(metavar="KEY", help="A key, the name of a bundle, or an internal id.")],
    look_in: In = None,
    direct: Direct = False,
) -> int:
    """Print the keys that load something."""

    def show(opened: OpenCatalog) -> Shown:
        catalog = opened.catalog
        targets = locations_named(catalog, key)
        if not targets:
            raise _no_key(key, similar_keys(catalog, key))
        users = users_of(catalog, targets, direct=direct)
        if not users:
            raise NoAnswerError(f"nothing loads {key!r}")
        return _locations(catalog, users)

    return each_catalog(look_in or [os.curdir], options, show)


def find(
    options: Querying,
    text: Annotated[str | None, Argument(metavar="TEXT", help="Part of a key or internal id, in any case.")] = None,
    look_in: In = None,
    classes: Annotated[
        list[str] | None,
        Option("--class", metavar="CLASS", help="Only this class, bare or with namespace; may be repeated."),
    ] = None,
    label: Annotated[str | None, Option("--label", metavar="KEY", help="Only locations with this key.")] = None,
    regex: Annotated[bool, Option("--regex", help="The text is a regular expression.")] = False,
) -> int:
    """Print the locations that fit a text, a class and a label."""
    if text is None and not classes and label is None:
        raise UsageError("catalog find: say what to find: a text, --class or --label")

    def show(opened: OpenCatalog) -> Shown:
        catalog = opened.catalog
        found = search(catalog, text=text, classes=classes or (), label=label, regular=regex)
        if found:
            return _locations(catalog, found)
        if label is not None and catalog.find_key(label) is None:
            raise _no_key(label, similar_keys(catalog, label))
        for name in classes or ():
            if not search(catalog, classes=(name,)):
                raise NoAnswerError(f"no asset of class {name!r}{_meant(similar_classes(catalog, name))}")
        if look_in is None and text is not None and os.path.exists(text):
            raise NoAnswerError(f"no match; to look in {text!r}, write --in before it")
        raise NoAnswerError("no match")

    return each_catalog(look_in or [os.curdir], options, show)


def _locations(catalog: Catalog, found: Iterable[int]) -> Shown:
    return _plain(catalog, found), lambda _: print(table(map(location_row, list_locations(catalog, found))))


def _plain(catalog: Catalog, found: Iterable[int]) -> Iterator[dict[str, Any]]:
    return (location_to_plain(catalog, catalog.location(index)) for index in found)


def _no_key(text: str, similar: list[str]) -> NoAnswerError:
    return NoAnswerError(f"no key named {text!r}{_meant(similar)}")


def _meant(names: list[str]) -> str:
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""
