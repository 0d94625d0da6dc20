"""Write ``docs/diagnostics.md`` from the table of codes and their texts."""

from __future__ import annotations

import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from assetdb.diagnostics.codes import CODES  # noqa: E402 - of this checkout
from assetdb.diagnostics.pages import whole_page  # noqa: E402 - of this checkout

PAGE = CHECKOUT / "docs" / "diagnostics.md"

if __name__ == "__main__":
    PAGE.write_text(whole_page(list(CODES.values())), "utf-8")
    print(PAGE.relative_to(CHECKOUT))
