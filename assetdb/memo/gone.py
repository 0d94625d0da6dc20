"""Tables of files from which those that are gone are taken.

Each file of a project that was ever looked at would stay in a daemon, which lives for weeks.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

_LEAST: Final = 1000  # files; below that looking at all of them is not worth it


class Growth:
    """The growth of a table since its last clearing.

    Looking at a file takes 2 us, and lets other threads have the interpreter: it is done once a table has doubled.
    """

    def __init__(self) -> None:
        """Begin at the first question."""
        self._most = 0

    def gone(self, table: Mapping[str, object], exists: Callable[[str], bool]) -> list[str]:
        """Return gone paths, none before the table has doubled."""
        if not self._most:
            self._most = 2 * len(table) + _LEAST
        if len(table) <= self._most:
            return []
        paths = list(table)  # at once, as other threads add to it
        found = [path for path in paths if not exists(path)]
        self._most = 2 * (len(paths) - len(found)) + _LEAST
        return found
