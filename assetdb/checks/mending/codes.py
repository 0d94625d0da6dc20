"""Codes of the findings that a fix may correct.

Light: every check asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

MISSING: Final = "missing-meta"
ORPHAN: Final = "orphan-meta"
DUPLICATE: Final = "duplicate-guid"
NO_FOLDER: Final = "missing-directory"
"""Of the meta of a folder: never mended, but it may belong to a folder that has none."""
PLACEHOLDER: Final = "placeholder-guid"
fixable_codes: Final = frozenset((MISSING, ORPHAN, DUPLICATE, PLACEHOLDER))
"""The codes that ``plan_fixes`` may do something about."""
