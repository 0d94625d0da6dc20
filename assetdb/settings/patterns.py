"""How many patterns a list of the settings may have.

Each of them is tried on each path.
"""

from __future__ import annotations

from assetdb.errors import ConfigurationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sized
    from typing import Final

MOST_PATTERNS: Final = 1000


def refuse_many(where: str, patterns: Sized) -> None:
    """Refuse more patterns than are tried.

    Raises:
        ConfigurationError: there are more; its message begins with ``where``.
    """
    if len(patterns) > MOST_PATTERNS:
        raise ConfigurationError(
            f"{where} has {len(patterns):,} patterns, and at most {MOST_PATTERNS:,} are tried:"
            " name folders (`Generated/`) or use `*`"
        )
