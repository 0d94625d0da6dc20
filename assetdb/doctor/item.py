"""One line of an examination, and the exit code of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

OK: Final = "ok"
WARNING: Final = "warning"
ERROR: Final = "error"
EXIT_CODES: Final = {OK: 0, WARNING: 1, ERROR: 2}
"""The exit code of an examination by its worst state."""


class Item(NamedTuple):
    """One fact of an examination, with ``advice`` unless in order."""

    topic: str
    state: str
    message: str
    advice: str = ""


def exit_code(items: Iterable[Item]) -> int:
    """Return 0 if all is fine, 1 for warnings, 2 for errors."""
    return max((EXIT_CODES[item.state] for item in items), default=0)
