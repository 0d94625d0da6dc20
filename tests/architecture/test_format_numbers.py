"""The numbers of formats, as the documentation lists them."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from tests.architecture.imports import CHECKOUT

_ROW = re.compile(r"^\| \w+ \| (\d+) \| `(assetdb[\w.]+)\.([A-Z_]+)`", re.MULTILINE)
ROWS = _ROW.findall((CHECKOUT / "docs" / "architecture.md").read_text("utf-8"))


def test_six_formats_are_listed() -> None:
    assert len(ROWS) == 6


@pytest.mark.parametrize(("number", "module", "name"), ROWS)
def test_a_number_is_that_of_its_module(number: str, module: str, name: str) -> None:
    assert getattr(import_module(module), name) == int(number)
