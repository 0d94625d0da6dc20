"""Pages of rules show a line of output that names the code, as the others do."""

from __future__ import annotations

import re

import pytest

from assetdb.diagnostics.codes import CODES
from assetdb.diagnostics.pages import PAGES
from assetdb.diagnostics.rule_pages import RULE_PAGES


@pytest.mark.parametrize("code", RULE_PAGES)
def test_an_example_is_a_finding_of_the_code(code: str) -> None:
    page = PAGES[code]
    assert page is RULE_PAGES[code]
    assert re.match(rf"\S[^:]*(?::\d+)?: {re.escape(code)}: \S", page.example)
    assert all(text.endswith(".") for text in (page.why, page.mend))
    assert code in CODES
