"""Standard streams of the servers that speak on them."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import BinaryIO


def claim_stdout() -> BinaryIO:
    """Return stdout for messages alone; all else goes to stderr."""
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own
