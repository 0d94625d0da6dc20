"""No circle of imports, inside folders too; what is imported for types alone counts."""

from __future__ import annotations

from tests.architecture.imports import circle


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle() == []
