"""info, ls, deps, usages and find: questions about one catalog."""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.catalog.sources import Opened, open_catalog
from assetdb.cli.terminal import fail, print_json, printable, table
from assetdb.errors import UsageError
from formats.addressables.json_reader import JsonCatalog
from formats.addressables.model import TypeName, key_text, key_to_plain
from formats.addressables.provenance import provenance_of
from formats.addressables.query import (
    assets_in_several_bundles,
    closure_of,
    keys_by_location,
    labels_of,
    location_to_plain,
    search,
    users_of,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from formats.addressables.catalog import Catalog
    from formats.addressables.model import Problem

_SHOWN: Final = 10
"""Problems of one sort that are shown."""


def opened_from(arguments: argparse.Namespace, path: str | None = None) -> Opened:
    """Open the catalog of a command line and say on stderr what could not be decoded."""
    opened = open_catalog(
        path or arguments.catalog, salvage=arguments.salvage, intended_prefixes=arguments.intended_prefixes
    )
    report_problems(opened, every=arguments.verbose)
    return opened


def report(problems: Sequence[Problem], count: int, where: str = "", *, every: bool = False) -> None:
    """Say on stderr what is wrong: the first of each sort (or ``every``), and how many more; ``count`` is of all."""
    shown = len(problems) if every else _SHOWN
    sorts: dict[str, list[Problem]] = {}
    for problem in problems:
        sorts.setdefault(problem.code, []).append(problem)
    for code, found in sorts.items():
        for problem in found[:shown]:
            print(printable(f"{where}{problem}"), file=sys.stderr)
        more = max(0, len(found) - shown)
        if len(sorts) == 1:
            more += count - len(problems)
        if more > 0:
            print(printable(f"{where}{code}: and {more:,} more"), file=sys.stderr)
    if len(sorts) > 1 and count > len(problems):
        print(printable(f"{where}and {count - len(problems):,} more"), file=sys.stderr)


def report_problems(opened: Opened, *, every: bool = False) -> None:
    """Say on stderr what a salvaging read lost."""
    problems = opened.catalog.problems
    report(problems, len(problems), f"{opened.source.name}: ", every=every)


def size_text(size: int) -> str:
    """Return bytes as people read them."""
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if amount < 1024 or unit == "TB":
            return f"{size} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    raise AssertionError(size)


def run_info(arguments: argparse.Namespace) -> int:
    """Say what a catalog is."""
    opened = opened_from(arguments)
    catalog = opened.catalog
    origin = provenance_of(catalog, opened.settings)
    bundles = catalog.bundles()
    facts: dict[str, Any] = {
        "catalog": opened.source.name,
        "format": _format_text(catalog),
        "bytes": len(catalog.data),
        "package": origin.version or f"{origin.first} to {origin.last}",
        "package from": "settings.json" if origin.version else "; ".join(origin.evidence),
        "locator": catalog.locator_id,
        "build hash": catalog.build_result_hash,
        "hash file": opened.hash_text.strip() if opened.hash_text is not None else None,
        "keys": len(catalog.keys),
        "key types": dict(Counter(map(catalog.key_type, range(len(catalog.keys)))).most_common()),
        "locations": catalog.location_count,
        "bundles": len(bundles),
        "bundle bytes": sum(options.size for options in bundles.values()),
        "providers": len({catalog.provider(index) for index in range(catalog.location_count)}),
        "types": len({catalog.type(index) for index in range(catalog.location_count)}),
        "build target": opened.settings.build_target if opened.settings else None,
        "contradiction": origin.contradiction,
        "lost": list(origin.lost),
        "problems": len(catalog.problems),
    }
    if arguments.json:
        print_json({name.replace(" ", "_"): value for name, value in facts.items()})
        return 0
    facts["bundle bytes"] = f"{facts['bundle bytes']:,} ({size_text(facts['bundle bytes'])})"
    facts["bytes"] = f"{facts['bytes']:,}"
    facts["key types"] = ", ".join(f"{count:,} {kind}" for kind, count in facts["key types"].items())
    facts["lost"] = "; ".join(origin.lost)
    print(table((name, value) for name, value in facts.items() if value not in (None, "", 0) or name == "bundles"))
    return 0


def _format_text(catalog: Catalog) -> str:
    if isinstance(catalog, JsonCatalog):
        return f"JSON, {catalog.width} columns" + (", prefixed internal ids" if catalog.prefixes else "")
    return f"binary, version {getattr(catalog, 'version', '?')}, header of {getattr(catalog, 'header_size', '?')} bytes"


def run_ls(arguments: argparse.Namespace) -> int:
    """List one thing."""
    catalog = opened_from(arguments).catalog
    what = arguments.what
    indices = range(catalog.location_count)
    if what == "bundles":
        return _list_bundles(catalog, as_json=arguments.json)
    if what == "locations":
        names = keys_by_location(catalog)
        if arguments.json:
            print_json([location_to_plain(catalog, one, names[one.number]) for one in catalog.locations()])
            return 0
        return _rows((_line(catalog, index) for index in indices), None, as_json=False)
    if what == "keys":
        rows = [
            (catalog.keys[at], catalog.key_type(at), len(catalog.key_locations(at))) for at in range(len(catalog.keys))
        ]
        if arguments.json:
            print_json([{"key": key_to_plain(key), "type": kind, "locations": count} for key, kind, count in rows])
            return 0
        return _rows(((count, kind, key_text(key)) for key, kind, count in rows), None, as_json=False, right={0})
    if what == "labels":
        found = [(count, key_text(catalog.keys[at])) for at, count in labels_of(catalog).items()]
        return _rows(found, ("assets", "label"), as_json=arguments.json, right={0})
    if what == "duplicates":
        several = [(len(places), internal_id) for internal_id, places in assets_in_several_bundles(catalog).items()]
        return _rows(several, ("bundles", "internal_id"), as_json=arguments.json, right={0})
    if what == "initialization":
        return _rows(_initialization(catalog), ("role", "id", "class", "assembly", "data"), as_json=arguments.json)
    counts: Counter[tuple[str, ...]] = Counter()
    for index in indices:
        kind = catalog.type(index) or TypeName(None, "")
        counts[(catalog.provider(index),) if what == "providers" else (kind.name, kind.assembly or "")] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    columns = ("locations", "provider") if what == "providers" else ("locations", "type", "assembly")
    return _rows(((count, *words) for words, count in ordered), columns, as_json=arguments.json, right={0})


def _initialization(catalog: Catalog) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the providers that a game makes when it starts: role, id, class, assembly, data."""
    roles = [("instance", catalog.instance_provider), ("scene", catalog.scene_provider)]
    roles += [("resource", provider) for provider in catalog.resource_providers]
    for role, provider in roles:
        if provider is not None:
            kind = provider.type
            names = (kind.name, kind.assembly or "") if kind is not None else ("", "")
            yield role, provider.id or "", *names, provider.data or ""


def _rows(
    rows: Iterable[tuple[object, ...]], names: tuple[str, ...] | None, *, as_json: bool, right: set[int] | None = None
) -> int:
    listed = list(rows)
    if as_json:
        print_json([dict(zip(names or (), row, strict=True)) for row in listed])
    elif listed:
        print(table(listed, right=frozenset(right or ())))
    return 0


def _line(catalog: Catalog, index: int) -> tuple[object, ...]:
    kind = catalog.type(index)
    name = kind.name.rpartition(".")[2] if kind else catalog.provider(index).rpartition(".")[2]
    return name, catalog.primary_key(index) or "", catalog.internal_id(index)


def _list_bundles(catalog: Catalog, *, as_json: bool) -> int:
    bundles = catalog.bundles()
    assets: dict[int, int] = {}
    for index in range(catalog.location_count):
        needed = catalog.dependencies(index)
        if needed and index not in bundles:
            assets[needed[0]] = assets.get(needed[0], 0) + 1
    if as_json:
        print_json(
            [
                {
                    **{name: value for name, value in options._asdict().items() if name not in ("shape", "type")},
                    "number": index,
                    "primary_key": catalog.primary_key(index),
                    "internal_id": catalog.internal_id(index),
                    "assets": assets.get(index, 0),
                }
                for index, options in bundles.items()
            ]
        )
        return 0
    ordered = sorted(bundles.items(), key=lambda item: (-item[1].size, catalog.internal_id(item[0])))
    rows: list[tuple[object, ...]] = [("bytes", "crc", "assets", "internal id")]
    rows += [
        (f"{options.size:,}", f"{options.crc:08x}", assets.get(index, 0), catalog.internal_id(index))
        for index, options in ordered
    ]
    rows.append((f"{sum(options.size for options in bundles.values()):,}", "", "", f"{len(bundles)} bundles"))
    print(table(rows, right=frozenset({0, 2})))
    return 0


def _located(catalog: Catalog, text: str) -> list[int]:
    """Return what a name on the command line means: a key, the name of a bundle, or an internal id."""
    at = catalog.find_key(text)
    if at is not None:
        return list(catalog.key_locations(at))
    return [
        index
        for index in range(catalog.location_count)
        if catalog.internal_id(index) == text
        or ((options := catalog.bundle(index)) is not None and options.bundle_name == text)
    ]


def _not_found(catalog: Catalog, text: str) -> int:
    from difflib import get_close_matches  # noqa: PLC0415 - only on this error

    names = [key_text(key) for key in catalog.keys]
    folded = text.casefold()
    close = [name for name in names if folded in name.casefold()][:3]
    close = close or get_close_matches(text, names[:20_000], n=3)
    hint = f"; did you mean {' or '.join(repr(name) for name in close)}?" if close else ""
    print(printable(f"assetdb: {catalog.path}: nothing has the key {text!r}{hint}"), file=sys.stderr)
    return 1


def run_deps(arguments: argparse.Namespace) -> int:
    """Print the closure of keys."""
    catalog = opened_from(arguments).catalog
    starts: list[int] = []
    for text in arguments.key:
        found = _located(catalog, text)
        if not found:
            return _not_found(catalog, text)
        starts += found
    starts = list(dict.fromkeys(starts))
    if arguments.direct:
        needed = list(dict.fromkeys(other for index in starts for other in catalog.dependencies(index)))
        bundles = {index: options for index in needed if (options := catalog.bundle(index)) is not None}
        size = sum(options.size for options in bundles.values())
    else:
        closure = closure_of(catalog, starts)
        needed = [index for index in closure.locations if index not in starts]
        bundles, size = dict(closure.bundles), closure.size
    if arguments.json:
        print_json(
            {
                "keys": arguments.key,
                "locations": [location_to_plain(catalog, catalog.location(index)) for index in starts],
                "needs": [location_to_plain(catalog, catalog.location(index)) for index in needed],
                "download_bytes": size,
            }
        )
        return 0
    rows = [(f"{bundles[index].size:,}" if index in bundles else "", *_line(catalog, index)[1:]) for index in needed]
    rows.append(
        (
            f"{size:,}",
            f"{len(bundles)} {'bundle' if len(bundles) == 1 else 'bundles'} to download ({size_text(size)})",
            "",
        )
    )
    print(table(rows, right=frozenset({0})))
    return 0


def run_usages(arguments: argparse.Namespace) -> int:
    """Print what loads something."""
    catalog = opened_from(arguments).catalog
    targets = _located(catalog, arguments.key)
    if not targets:
        return _not_found(catalog, arguments.key)
    users = users_of(catalog, targets, direct=arguments.direct)
    if arguments.json:
        print_json([location_to_plain(catalog, catalog.location(index)) for index in users])
    elif users:
        print(table(_line(catalog, index) for index in users))
    return 0 if users else 1


def run_find(arguments: argparse.Namespace) -> int:
    """Search."""
    if arguments.text is None and arguments.type is None and arguments.label is None:
        return fail("say what to find: a text, --type or --label")
    catalog = opened_from(arguments).catalog
    try:
        found = search(
            catalog, text=arguments.text, type_name=arguments.type, label=arguments.label, regular=arguments.regex
        )
    except re.error as error:
        raise UsageError(f"find: {arguments.text!r} is not a regular expression: {error}") from None
    if arguments.json:
        print_json([location_to_plain(catalog, catalog.location(index)) for index in found])
    elif found:
        print(table(_line(catalog, index) for index in found))
    if found:
        return 0
    if arguments.label is not None and catalog.find_key(arguments.label) is None:
        return _not_found(catalog, arguments.label)
    if arguments.type is not None and not search(catalog, type_name=arguments.type):
        return _no_such_class(catalog, arguments.type)
    print(printable(f"assetdb: {catalog.path}: nothing fits"), file=sys.stderr)
    return 1


def _no_such_class(catalog: Catalog, wanted: str) -> int:
    from difflib import get_close_matches  # noqa: PLC0415 - only on this error

    kinds = map(catalog.type, range(catalog.location_count))
    bare = sorted({kind.name.rpartition(".")[2] for kind in kinds if kind is not None})
    close = get_close_matches(wanted.rpartition(".")[2], bare, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    print(printable(f"assetdb: {catalog.path}: nothing is of the class {wanted!r}{hint}"), file=sys.stderr)
    return 1
