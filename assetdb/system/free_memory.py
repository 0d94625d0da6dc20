"""Memory that nobody uses any more, given back to the system.

The C library gives back what lies above all that is in use. Of the facts of 300,000 assets, which were read beside much
that is small and stays, it keeps 115 MB that way, in each process that is forked then.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

WORTH_IT: Final = 1 << 24  # bytes that were given up, from which on it is worth 3 ms, most of it the import of ctypes


def give_back(given_up: int) -> None:
    """Give memory back, where about so many bytes were given up and the C library can (glibc's can)."""
    if given_up < WORTH_IT:
        return
    try:
        import ctypes  # noqa: PLC0415 - only a large project's bake has it, and not every Python

        ctypes.CDLL(None).malloc_trim(0)
    except (ImportError, OSError, AttributeError, TypeError):  # on Windows None is no library
        pass
