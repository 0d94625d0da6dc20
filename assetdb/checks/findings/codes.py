"""Codes of findings about references, and of fixable ones.

Light: every check asks for them.
"""

from __future__ import annotations

from assetdb.checks.rules import ASMDEF_REFERENCE, RECURSIVE_PREFAB
from assetdb.diagnostics.codes import DECLARED_CODES, REASONS, STRUCTURE_CODES

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

MISSING_SCRIPT: Final = "missing-script"
ABSENT_PACKAGES: Final = "absent-packages"
UNKNOWN_GUID: Final = "unknown-guid"
"""For changes only: it adds a reference to a GUID that nothing has or had."""
ABSENT_CODES: Final = (MISSING_SCRIPT, "missing-asset", ASMDEF_REFERENCE, "package-leftover", "package-not-present")
"""For references to a GUID that nothing here has, in a full check."""
REFERENCE_CODES: Final = frozenset(
    (*REASONS, MISSING_SCRIPT, ASMDEF_REFERENCE, ABSENT_PACKAGES, RECURSIVE_PREFAB, *STRUCTURE_CODES, *DECLARED_CODES)
)
"""Codes of references, and of the structure of the files that hold them: one pass reads both."""

MISSING: Final = "missing-meta"
ORPHAN: Final = "orphan-meta"
DUPLICATE: Final = "duplicate-guid"
NO_FOLDER: Final = "missing-directory"
"""Of the meta of a folder: never mended, but it may belong to a folder that has none."""
PLACEHOLDER: Final = "placeholder-guid"
fixable_codes: Final = frozenset((MISSING, ORPHAN, DUPLICATE, PLACEHOLDER))
"""The codes that ``plan_fixes`` may do something about."""
