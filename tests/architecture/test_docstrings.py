"""First lines of docstrings: short, and in the field's terms."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.imports import OURS, modules, tree

MOST_WORDS = 12
RIDDLES = re.compile(r"\b(?:is another|likewise|stands|what|who|whom|whose)\b", re.IGNORECASE)


@pytest.mark.parametrize("module", [name for package in OURS for name in modules(package)])
def test_a_module_begins_with_a_short_plain_line(module: str) -> None:
    first, _, rest = (ast.get_docstring(tree(module)) or "").partition("\n")
    assert first.endswith("."), first
    assert len(first.split()) <= MOST_WORDS, first
    assert not RIDDLES.search(first), first
    assert not rest or rest.startswith("\n"), "an empty line follows the first one"
