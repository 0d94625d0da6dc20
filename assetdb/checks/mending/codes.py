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
"""For the meta of a folder: never fixed, but it may belong to a folder without one."""
PLACEHOLDER: Final = "placeholder-guid"
fixable_codes: Final = frozenset((MISSING, ORPHAN, DUPLICATE, PLACEHOLDER))
"""The codes that ``plan_fixes`` may fix."""
