"""diff and verify."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING

from assetdb.cli.catalog.show import opened_from, report, size_text
from assetdb.cli.catalog.sources import bundle_files, find_layout
from assetdb.cli.terminal import fail, print_json, printable, table
from assetdb.errors import UsageError
from formats.addressables.diff import diff_catalogs
from formats.addressables.verify import verify_catalog
from formats.files import open_file

if TYPE_CHECKING:
    import argparse

    from formats.addressables.diff import BundleState, CatalogDiff


def run_diff(arguments: argparse.Namespace) -> int:
    """Compare two catalogs, or each of a series with the next."""
    if len(arguments.catalog) < 2:
        return fail("name two catalogs or more")
    changed = False
    results = []
    before = opened_from(arguments, arguments.catalog[0])
    for old_path, path in pairwise(arguments.catalog):
        after = opened_from(arguments, path)
        result = diff_catalogs(before.catalog, after.catalog)
        changed = changed or not result.is_empty
        if arguments.json:
            results.append({"before": old_path, "after": path, **_plain(result)})
        else:
            _print(result, f"{old_path} -> {path}" if len(arguments.catalog) > 2 else "")
        before = after
    if arguments.json:
        print_json(results if len(results) > 1 else results[0])
    return 1 if changed else 0


def _plain(result: CatalogDiff) -> dict[str, object]:
    def state(bundle: BundleState | None) -> object:
        return None if bundle is None else bundle._asdict()

    return {
        "keys_added": result.keys_added,
        "keys_removed": result.keys_removed,
        "assets_changed": [{"key": change.key, "what": change.what} for change in result.assets_changed],
        "bundles": [
            {
                "name": change.name,
                "before": state(change.before),
                "after": state(change.after),
                "download": change.download,
            }
            for change in result.bundles
        ],
        "build_hash": result.build_hash,
        "download_bytes": result.download,
    }


def _print(result: CatalogDiff, title: str) -> None:
    if title:
        print(printable(title))
    for key in result.keys_removed:
        print(f"- {printable(key)}")
    for key in result.keys_added:
        print(f"+ {printable(key)}")
    for change in result.assets_changed:
        print(f"~ {printable(change.key)}  ({', '.join(change.what)})")
    rows = []
    for bundle in result.bundles:
        sign = "+" if bundle.before is None else "-" if bundle.after is None else "~"
        what = ""
        if bundle.before is not None and bundle.after is not None:
            pairs = zip(bundle.before._fields, bundle.before, bundle.after, strict=True)
            what = ", ".join(name.replace("_", " ") for name, one, other in pairs if one != other)
        old, new = (f"{state.size:,}" if state else "" for state in (bundle.before, bundle.after))
        rows.append((sign, "bundle", bundle.name, old, new, what))
    if rows:
        print(table(rows, right=frozenset({3, 4})))
    if result.is_empty:
        print("no difference in what a game loads")
    else:
        print(f"a player downloads {result.download:,} bytes ({size_text(result.download)})")


def run_verify(arguments: argparse.Namespace) -> int:
    """Prove a catalog; exit code 1 where something is wrong."""
    if arguments.bundles is not None and not os.path.isdir(arguments.bundles):
        raise UsageError(f"{arguments.bundles}: there is no such folder")
    opened = opened_from(arguments)
    hash_text = opened.hash_text
    if arguments.hash is not None:
        with open_file(arguments.hash) as stream:
            hash_text = stream.read(64).decode("ascii", "replace")
    checks = verify_catalog(
        opened.catalog,
        hash_text=hash_text,
        layout=find_layout(opened, arguments.layout),
        bundle_file=bundle_files(opened, arguments.bundles),
        lone_is_fine=arguments.bundles is None,
    )
    good = all(check.passed for check in checks)
    if arguments.json:
        print_json(
            [
                {
                    "check": check.name,
                    "compared": check.compared,
                    "note": check.note,
                    "wrong": check.wrong,
                    "problems": [problem._asdict() for problem in check.problems],
                }
                for check in checks
            ]
        )
        return 0 if good else 1
    rows = [("", "check", "compared", "wrong", "note")]
    rows += [
        ("ok" if check.passed else "WRONG", check.name, f"{check.compared:,}", f"{check.wrong:,}", check.note)
        for check in checks
    ]
    print(table(rows, right=frozenset({2, 3})))
    for check in checks:
        report(check.problems, check.wrong, every=arguments.verbose)
    return 0 if good else 1
