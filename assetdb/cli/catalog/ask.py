"""``assetdb catalog info``, ``ls``, ``deps``, ``usages`` and ``find``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable  # noqa: TC003 - fields of a named tuple
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.cli.catalog.answers import NoAnswerError, each_catalog, size_text
from assetdb.cli.catalog.options import CatalogJsonOptions, Catalogs, Direct  # noqa: TC001 - typer looks them up
from assetdb.cli.terminal import RowsAgain, print_long_table, suggestion, table
from assetdb.errors import UsageError
from assetdb_formats.addressables.model import key_text, key_to_plain
from assetdb_formats.addressables.queries import listing
from assetdb_formats.addressables.queries.extract import extract_plain, location_to_plain
from assetdb_formats.addressables.queries.listing import list_locations
from assetdb_formats.addressables.queries.query import (
    locations_named,
    needs_of,
    search,
    similar_classes,
    similar_keys,
    users_of,
)
from assetdb_formats.addressables.queries.summary import summary_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.cli.catalog.answers import Show
    from assetdb.cli.options import Annotated, Argument, In, Literal, Option
    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.opening import OpenCatalog
    from assetdb_formats.addressables.queries.listing import InitialProvider, ListedBundle, ListedLocation
    from assetdb_formats.addressables.queries.query import Needs
    from assetdb_formats.addressables.queries.summary import Summary

    Rows = Iterable[tuple[object, ...]]


def info(options: CatalogJsonOptions, catalog: Catalogs) -> int:
    """Print the facts of each catalog."""

    def show(opened: OpenCatalog, answer: Show) -> None:
        facts = _facts(summary_of(opened))
        row = {name.replace(" ", "_"): value for name, value in facts.items()}
        answer([row], lambda _: _print_facts(facts))

    return each_catalog(catalog, options, show, titled=False)


def _print_facts(facts: dict[str, Any]) -> None:
    facts["bundle bytes"] = f"{facts['bundle bytes']:,} ({size_text(facts['bundle bytes'])})"
    facts["bytes"] = f"{facts['bytes']:,}"
    facts["key types"] = ", ".join(f"{count:,} {kind}" for kind, count in facts["key types"].items())
    facts["lost"] = "; ".join(facts["lost"])
    print(table((name, value) for name, value in facts.items() if value not in (None, "", 0) or name == "bundles"))


def _facts(found: Summary) -> dict[str, Any]:
    origin = found.provenance
    return {
        "catalog": found.name,
        "format": found.format,
        "bytes": found.size,
        "package": origin.version or f"{origin.first} to {origin.last}",
        "package from": "settings.json" if origin.version else "; ".join(origin.evidence),
        "locator": found.locator_id,
        "build hash": found.build_hash,
        "hash file": found.hash_text,
        "keys": found.keys,
        "key types": found.key_types,
        "locations": found.locations,
        "bundles": found.bundles,
        "bundle bytes": found.bundle_bytes,
        "providers": found.providers,
        "types": found.types,
        "build target": found.build_target,
        "contradiction": origin.contradiction,
        "lost": list(origin.lost),
        "problems": found.problems,
    }


def ls(
    options: CatalogJsonOptions,
    catalog: Catalogs,
    kind: Annotated[
        Literal["bundles", "keys", "labels", "locations", "types", "providers", "initialization", "duplicates"],
        Option("--kind", help="What to list."),
    ] = "bundles",
) -> int:
    """Print one list of each catalog."""
    *rest, last = catalog
    if rest and last in LISTS and not os.path.exists(last):
        raise UsageError(f"catalog ls: what to list is an option; write --kind {last}")
    chosen = LISTS[kind]

    def show(opened: OpenCatalog, answer: Show) -> None:
        def plain() -> Iterator[dict[str, Any]]:  # asks only if JSON is printed
            yield from map(chosen.plain, (chosen.ask_plain or chosen.ask)(opened.catalog))

        def print_rows(_: str) -> None:
            found = chosen.ask(opened.catalog)

            def rows() -> Rows:
                return chosen.rows(found if isinstance(found, list) else chosen.ask(opened.catalog))

            print_long_table(RowsAgain(rows), right=chosen.right)

        answer(plain(), print_rows)

    return each_catalog(catalog, options, show)


class List(NamedTuple):
    """One list that a command can print: its query and its rows."""

    ask: Callable[[Catalog], Iterable[Any]]
    rows: Callable[[Iterable[Any]], Rows]
    plain: Callable[[Any], dict[str, Any]]
    right: frozenset[int] = frozenset({0})
    ask_plain: Callable[[Catalog], Iterable[Any]] | None = None


def _bundle_rows(bundles: Iterable[ListedBundle]) -> Rows:
    found = sorted(bundles, key=lambda one: (-one.options.size, one.internal_id))
    yield "bytes", "crc", "assets", "internal id"
    for one in found:
        yield f"{one.options.size:,}", f"{one.options.crc:08x}", one.assets, one.internal_id
    yield f"{sum(one.options.size for one in found):,}", "", "", f"{len(found)} bundles"


def _bundle_plain(one: ListedBundle) -> dict[str, object]:
    options = {name: value for name, value in one.options._asdict().items() if name not in ("shape", "type")}
    named = {"number": one.number, "primary_key": one.primary_key, "internal_id": one.internal_id}
    return {**options, **named, "assets": one.assets}


def _provider_row(one: InitialProvider) -> tuple[str, ...]:
    role, provider = one
    kind = provider.type
    names = (kind.name, kind.assembly or "") if kind is not None else ("", "")
    return role, provider.id or "", *names, provider.data or ""


def location_row(one: ListedLocation) -> tuple[object, ...]:
    """Return class, primary key and internal id of a location."""
    return one.class_name, one.primary_key or "", one.internal_id


def _list(ask: Callable[[Catalog], Iterable[Any]], row: Callable[[Any], tuple[object, ...]], *names: str) -> List:
    right = frozenset({0}) if names[0] in ("assets", "locations", "bundles") else frozenset()
    return List(ask, lambda found: map(row, found), lambda one: dict(zip(names, row(one), strict=True)), right)


LISTS: Final[dict[str, List]] = {
    "bundles": List(listing.list_bundles, _bundle_rows, _bundle_plain, frozenset({0, 2})),
    "keys": List(
        listing.list_keys,
        lambda found: ((one.locations, one.stored_as, key_text(one.key)) for one in found),
        lambda one: {"key": key_to_plain(one.key), "type": one.stored_as, "locations": one.locations},
    ),
    "labels": _list(listing.list_labels, lambda one: (one.assets, one.label), "assets", "label"),
    "locations": List(listing.list_locations, lambda found: map(location_row, found), dict, frozenset(), extract_plain),
    "types": _list(
        listing.list_types,
        lambda one: (one.locations, one.type.name, one.type.assembly or ""),
        "locations",
        "type",
        "assembly",
    ),
    "providers": List(
        listing.list_providers,
        lambda found: ((one.locations, one.provider or '""') for one in found),  # an empty id is one, too
        lambda one: {"locations": one.locations, "provider": one.provider},
    ),
    "initialization": _list(listing.list_initialization, _provider_row, "role", "id", "class", "assembly", "data"),
    "duplicates": _list(
        listing.list_duplicates, lambda one: (len(one.locations), one.internal_id), "bundles", "internal_id"
    ),
}


def deps(
    options: CatalogJsonOptions,
    key: Annotated[list[str], Argument(metavar="KEY", help="Addresses, GUIDs, labels, or any other keys.")],
    look_in: In = None,
    direct: Direct = False,
) -> int:
    """Print the bundles and assets that keys load."""
    if look_in is None and len(key) > 1 and os.path.exists(key[0]):
        keys = " ".join(key[1:])
        raise UsageError(f"catalog deps: the catalog is an option; write assetdb catalog deps {keys} --in {key[0]}")

    def show(opened: OpenCatalog, answer: Show) -> None:
        catalog = opened.catalog
        starts: dict[int, None] = {}
        for text in key:
            found = locations_named(catalog, text)
            if not found:
                raise _no_key(text, similar_keys(catalog, text))
            starts.update(dict.fromkeys(found))
        needs = needs_of(catalog, list(starts), direct=direct)

        def rows() -> Iterator[dict[str, Any]]:
            each = {"locations": starts, "needs": needs.locations}
            found = {
                name: [location_to_plain(catalog, catalog.location(index)) for index in indices]
                for name, indices in each.items()
            }
            yield {"keys": key, **found, "download_bytes": needs.size}

        answer(rows(), lambda _: _print_needs(catalog, needs))

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
    options: CatalogJsonOptions,
    key: Annotated[str, Argument(metavar="KEY", help="A key, the name of a bundle, or an internal id.")],
    look_in: In = None,
    direct: Direct = False,
) -> int:
    """Print the keys that load something."""

    def show(opened: OpenCatalog, answer: Show) -> None:
        catalog = opened.catalog
        targets = locations_named(catalog, key)
        if not targets:
            raise _no_key(key, similar_keys(catalog, key))
        users = users_of(catalog, targets, direct=direct)
        if not users:
            raise NoAnswerError(f"nothing loads {key!r}")
        _show_locations(catalog, users, answer)

    return each_catalog(look_in or [os.curdir], options, show)


def find(
    options: CatalogJsonOptions,
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

    def show(opened: OpenCatalog, answer: Show) -> None:
        catalog = opened.catalog
        found = search(catalog, text=text, classes=classes or (), label=label, regular=regex)
        if found:
            _show_locations(catalog, found, answer)
            return
        if label is not None and catalog.find_key(label) is None:
            raise _no_key(label, similar_keys(catalog, label))
        for name in classes or ():
            if not search(catalog, classes=(name,)):
                raise NoAnswerError(f"no asset of class {name!r}{suggestion(similar_classes(catalog, name))}")
        if look_in is None and text is not None and os.path.exists(text):
            raise NoAnswerError(f"no match; to look in {text!r}, write --in before it")
        raise NoAnswerError("no match")

    return each_catalog(look_in or [os.curdir], options, show)


def _show_locations(catalog: Catalog, found: Iterable[int], answer: Show) -> None:
    rows = (location_to_plain(catalog, catalog.location(index)) for index in found)
    answer(rows, lambda _: print(table(map(location_row, list_locations(catalog, found)))))


def _no_key(text: str, similar: list[str]) -> NoAnswerError:
    return NoAnswerError(f"no key named {text!r}{suggestion(similar)}")
