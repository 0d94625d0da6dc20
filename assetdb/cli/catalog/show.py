"""info and ls: what a catalog is, and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.catalog.each import Reading, each_catalog, size_text, title
from assetdb.cli.terminal import print_json, print_json_lines, table
from formats.addressables import listing
from formats.addressables.extract import extract_plain
from formats.addressables.model import key_text, key_to_plain
from formats.addressables.summary import summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from formats.addressables.catalog import Catalog
    from formats.addressables.opening import OpenCatalog

    Rows = Iterable[tuple[object, ...]]


def run_info(catalog: list[str], reading: Reading, *, json: bool) -> int:
    """Print what each catalog is."""
    printed = 0

    def answer(opened: OpenCatalog, _several: bool) -> None:  # noqa: FBT001 - as each_catalog calls it
        nonlocal printed
        facts = _facts(opened)
        if json:
            print_json({name.replace(" ", "_"): value for name, value in facts.items()})
            return
        if printed:
            print()
        printed += 1
        facts["bundle bytes"] = f"{facts['bundle bytes']:,} ({size_text(facts['bundle bytes'])})"
        facts["bytes"] = f"{facts['bytes']:,}"
        facts["key types"] = ", ".join(f"{count:,} {kind}" for kind, count in facts["key types"].items())
        facts["lost"] = "; ".join(facts["lost"])
        print(table((name, value) for name, value in facts.items() if value not in (None, "", 0) or name == "bundles"))

    return each_catalog(catalog, reading, answer).found


def _facts(opened: OpenCatalog) -> dict[str, Any]:
    found = summary_of(opened)
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


def location_row(catalog: Catalog, index: int) -> tuple[object, ...]:
    """Return a location as a line shows it: class, primary key, internal id."""
    kind = catalog.type(index)
    name = kind.name.rpartition(".")[2] if kind else catalog.provider(index).rpartition(".")[2]
    return name, catalog.primary_key(index) or "", catalog.internal_id(index)


def run_ls(catalog: list[str], reading: Reading, *, kind: str, json: bool) -> int:
    """Print one list of each catalog."""
    as_rows, as_plain, right = LISTS[kind]

    def answer(opened: OpenCatalog, several: bool) -> None:  # noqa: FBT001 - as each_catalog calls it
        if json:
            print_json_lines({"catalog": opened.name, **plain} for plain in as_plain(opened.catalog))
            return
        title(opened.name, several=several)
        rows = list(as_rows(opened.catalog))
        if rows:
            print(table(rows, right=frozenset(right)))

    return each_catalog(catalog, reading, answer).found


def _bundle_rows(catalog: Catalog) -> Rows:
    bundles = sorted(listing.list_bundles(catalog), key=lambda one: (-one.options.size, one.internal_id))
    yield "bytes", "crc", "assets", "internal id"
    for one in bundles:
        yield f"{one.options.size:,}", f"{one.options.crc:08x}", one.assets, one.internal_id
    yield f"{sum(one.options.size for one in bundles):,}", "", "", f"{len(bundles)} bundles"


def _bundles_plain(catalog: Catalog) -> Iterable[dict[str, object]]:
    for one in listing.list_bundles(catalog):
        options = {name: value for name, value in one.options._asdict().items() if name not in ("shape", "type")}
        named = {"number": one.number, "primary_key": one.primary_key, "internal_id": one.internal_id}
        yield {**options, **named, "assets": one.assets}


def _key_rows(catalog: Catalog) -> Rows:
    return ((one.locations, one.stored_as, key_text(one.key)) for one in listing.list_keys(catalog))


def _keys_plain(catalog: Catalog) -> Iterable[dict[str, object]]:
    for one in listing.list_keys(catalog):
        yield {"key": key_to_plain(one.key), "type": one.stored_as, "locations": one.locations}


def _location_rows(catalog: Catalog) -> Rows:
    return (location_row(catalog, index) for index in range(catalog.location_count))


def _label_rows(catalog: Catalog) -> Rows:
    return ((one.assets, one.label) for one in listing.list_labels(catalog))


def _type_rows(catalog: Catalog) -> Rows:
    return ((one.locations, one.type.name, one.type.assembly or "") for one in listing.list_types(catalog))


def _provider_rows(catalog: Catalog) -> Rows:
    return ((one.locations, one.provider) for one in listing.list_providers(catalog))


def _initialization_rows(catalog: Catalog) -> Rows:
    for role, provider in listing.list_initialization(catalog):
        kind = provider.type
        names = (kind.name, kind.assembly or "") if kind is not None else ("", "")
        yield role, provider.id or "", *names, provider.data or ""


def _duplicate_rows(catalog: Catalog) -> Rows:
    return ((len(one.locations), one.internal_id) for one in listing.list_duplicates(catalog))


def _named(rows: Callable[[Catalog], Rows], *names: str) -> Callable[[Catalog], Iterable[dict[str, object]]]:
    return lambda catalog: (dict(zip(names, row, strict=True)) for row in rows(catalog))


LISTS: Final[
    dict[
        str,
        tuple[Callable[[Catalog], Rows], Callable[[Catalog], Iterable[dict[str, Any]]], tuple[int, ...]],
    ]
] = {
    "bundles": (_bundle_rows, _bundles_plain, (0, 2)),
    "keys": (_key_rows, _keys_plain, (0,)),
    "labels": (_label_rows, _named(_label_rows, "assets", "label"), (0,)),
    "locations": (_location_rows, extract_plain, ()),
    "types": (_type_rows, _named(_type_rows, "locations", "type", "assembly"), (0,)),
    "providers": (_provider_rows, _named(_provider_rows, "locations", "provider"), (0,)),
    "initialization": (
        _initialization_rows, _named(_initialization_rows, "role", "id", "class", "assembly", "data"), ()),
    "duplicates": (_duplicate_rows, _named(_duplicate_rows, "bundles", "internal_id"), (0,)),
}  # fmt: skip
"""What ``ls`` lists: the rows of a table, the same for programs, and the columns that align right."""
