"""The codes of what may be said of a reference: light, for every check asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules import ASMDEF_REFERENCE
from assetdb.diagnostics.codes import REASONS

if TYPE_CHECKING:
    from typing import Final

MISSING_SCRIPT: Final = "missing-script"
ABSENT_PACKAGES: Final = "absent-packages"
REFERENCE_CODES: Final = frozenset((*REASONS, MISSING_SCRIPT, ASMDEF_REFERENCE, ABSENT_PACKAGES))
"""What may be said of a reference."""
