"""The codes of what may be said of a reference: light, for every check asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules import ASMDEF_REFERENCE
from assetdb.diagnostics.codes import REASONS, STRUCTURE_CODES

if TYPE_CHECKING:
    from typing import Final

MISSING_SCRIPT: Final = "missing-script"
ABSENT_PACKAGES: Final = "absent-packages"
REFERENCE_CODES: Final = frozenset((*REASONS, MISSING_SCRIPT, ASMDEF_REFERENCE, ABSENT_PACKAGES, *STRUCTURE_CODES))
"""Codes of references, and of the structure of the files that hold them: one pass reads both."""
