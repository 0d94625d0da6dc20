"""Every code has its row and its page, and nothing is said that has none."""

from __future__ import annotations

import ast

import pytest

from assetdb.diagnostics import Diagnostic
from assetdb.diagnostics.codes import CODES, SEVERITIES
from assetdb.diagnostics.pages import PAGES, whole_page
from tests.architecture.imports import CHECKOUT, modules, nodes


def test_every_code_has_a_page() -> None:
    new, gone = sorted(CODES.keys() - PAGES.keys()), sorted(PAGES.keys() - CODES.keys())
    assert not new, "write a page for each of these in assetdb/diagnostics/pages.py"
    assert not gone, "these are no codes"


@pytest.mark.parametrize("name", CODES)
def test_a_row_is_whole(name: str) -> None:
    code, page = CODES[name], PAGES[name]
    assert code.severity in SEVERITIES
    assert code.advice
    assert not code.advice.endswith(".")
    assert page.why.endswith(".")
    assert page.mend.endswith((".", "`."))
    assert page.example


def test_the_documentation_is_made_from_the_table() -> None:
    written = (CHECKOUT / "docs" / "diagnostics.md").read_text("utf-8")
    assert written == whole_page(list(CODES.values())), "run python -m scripts.pages"


def test_every_diagnostic_that_is_made_has_a_code() -> None:
    made = {
        node.args[0].value
        for module in modules("assetdb")
        for node in nodes(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Diagnostic", "Finding")
        if node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value  # "": nothing is found
        if not module.startswith("assetdb.cli.")
    }
    assert len(made) > 10
    assert made <= CODES.keys()


def test_a_diagnostic_says_where_what_and_how_to_mend_it() -> None:
    found = Diagnostic("duplicate-guid", "Assets/a.png", 3, "has the GUID of Assets/b.png")
    assert found.fatal
    assert str(found) == (
        f"Assets/a.png:3: duplicate-guid: has the GUID of Assets/b.png ({CODES['duplicate-guid'].advice})"
    )
    assert not Diagnostic("missing-meta", "Assets/a.png", 0, "has no .meta").fatal
