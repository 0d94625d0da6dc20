"""A bake and a daemon know nothing below the workspace."""

from __future__ import annotations

from tests.architecture.imports import imports_of, modules

BELOW = ("assetdb.scan", "assetdb.state", "assetdb.store.files", "assetdb.store.output")


def test_they_import_only_the_workspace() -> None:
    names = {(module, name) for module in ("assetdb.baking", *modules("assetdb/daemon")) for name in imports_of(module)}
    assert not {row for row in names for part in BELOW if row[1] == part or row[1].startswith(f"{part}.")}
