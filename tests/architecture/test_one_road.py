"""A bake and a daemon know nothing below the workspace."""

from __future__ import annotations

import pytest

from tests.architecture.imports import imports_of, modules

BELOW = ("assetdb.scan", "assetdb.state", "assetdb.store.files", "assetdb.store.output")


@pytest.mark.parametrize(
    "module", ["assetdb.baking", *(m for m in modules("assetdb") if m.startswith("assetdb.daemon"))]
)
def test_they_import_only_the_workspace(module: str) -> None:
    below = {name for name in imports_of(module) for part in BELOW if name == part or name.startswith(f"{part}.")}
    assert not below
