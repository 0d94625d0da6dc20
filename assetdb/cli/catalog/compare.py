"""``assetdb catalog diff`` and ``verify``."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING

from assetdb.cli.bundle.each import title
from assetdb.cli.catalog.answers import each_catalog, one_catalog, report, size_text
from assetdb.cli.catalog.options import CatalogJsonOptions, Catalogs  # noqa: TC001 - typer looks them up
from assetdb.cli.fields import as_json
from assetdb.cli.terminal import Progress, print_json, printable, table
from assetdb.errors import UsageError
from assetdb_formats.addressables.companions.bundle_files import bundle_finder
from assetdb_formats.addressables.companions.finding import layout_for, read_hash_file
from assetdb_formats.addressables.queries.diff import diff_catalogs
from assetdb_formats.addressables.queries.verify import verify_catalog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.catalog.answers import Show
    from assetdb.cli.options import Annotated, Option
    from assetdb_formats.addressables.opening import OpenCatalog
    from assetdb_formats.addressables.queries.diff import CatalogDiff
    from assetdb_formats.addressables.queries.verify import Check


def diff(options: CatalogJsonOptions, catalog: Catalogs) -> int:
    """Print the changes from each catalog to the next."""
    if len(catalog) < 2:
        raise UsageError("catalog diff: name two catalogs or more")
    changed = False
    before = one_catalog(catalog[0], options)
    for old_path, path in pairwise(catalog):
        after = one_catalog(path, options)
        result = diff_catalogs(before.catalog, after.catalog)
        changed = changed or not result.is_empty
        if options.json:
            row = {"before": old_path, "after": path, **as_json(result, str)}
            row["download_bytes"] = row.pop("download")
            print_json(row)
        else:
            title(f"{old_path} -> {path}", 0, several=len(catalog) > 2)
            _print(result)
        before = after
    return 1 if changed else 0


def _print(result: CatalogDiff) -> None:
    for key in result.keys_removed:
        print(f"- {printable(key)}")
    for key in result.keys_added:
        print(f"+ {printable(key)}")
    for change in result.assets_changed:
        print(f"~ {printable(change.key)}  ({', '.join(change.what)})")
    rows = []
    for bundle in result.bundles:
        sign = "+" if bundle.before is None else "-" if bundle.after is None else "~"
        what = ", ".join(name.replace("_", " ") for name in bundle.changed_fields)
        old, new = (f"{state.size:,}" if state else "" for state in (bundle.before, bundle.after))
        rows.append((sign, "bundle", bundle.name, old, new, what))
    if rows:
        print(table(rows, right=frozenset({3, 4})))
    if result.is_empty:
        print("no difference in what a game loads")
    else:
        print(f"a player downloads {result.download:,} bytes ({size_text(result.download)})")


def verify(
    options: CatalogJsonOptions,
    catalog: Catalogs,
    hash_file: Annotated[
        str | None, Option("--hash", metavar="FILE", help="The .hash file (default: the one beside the catalog).")
    ] = None,
    layout: Annotated[
        str | None,
        Option("--layout", metavar="FILE", help="The build layout (default: the buildlayout.json beside it)."),
    ] = None,
    bundles: Annotated[
        str | None, Option("--bundles", metavar="DIR", help="The folder of the bundles of remote groups.")
    ] = None,
) -> int:
    """Check each catalog; exit code 1 where something is wrong."""
    if bundles is not None and not os.path.isdir(bundles):
        raise UsageError(f"{bundles}: there is no such folder")
    good = True

    def show(opened: OpenCatalog, answer: Show) -> None:
        nonlocal good
        with Progress("checking bundles") as bar:
            checks = verify_catalog(
                opened.catalog,
                hash_text=opened.hash_text if hash_file is None else read_hash_file(hash_file),
                layout=layout_for(opened, layout),
                bundle_file=bundle_finder(opened, bundles),
                lone_is_fine=bundles is None,
                progress=bar,
            )
        good = good and all(check.passed for check in checks)
        answer(map(_check_plain, checks), lambda where: _print_checks(checks, where, every=options.verbose))

    code = each_catalog(catalog, options, show)
    return code or (0 if good else 1)


def _print_checks(checks: Sequence[Check], where: str, *, every: bool) -> None:
    rows = [("", "check", "compared", "wrong", "note")]
    rows += [
        ("ok" if check.passed else "WRONG", check.name, f"{check.compared:,}", f"{check.wrong:,}", check.note)
        for check in checks
    ]
    print(table(rows, right=frozenset({2, 3})))
    for check in checks:
        report(check.problems, check.wrong, where, every=every)


def _check_plain(check: Check) -> dict[str, object]:
    return {
        "check": check.name,
        "compared": check.compared,
        "note": check.note,
        "wrong": check.wrong,
        "problems": [problem._asdict() for problem in check.problems],
    }
