"""The memory that a call takes at most."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def most_memory(call: Callable[[], object]) -> int:
    """Return the bytes that a call has at most, beside those that were there."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
