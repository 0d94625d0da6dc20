"""Limits on reading outside the project."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final


class Limits(NamedTuple):
    """Bounds of reading outside the project.

    Attributes:
        outside: whether links out of the project are followed at all.
        files: largest number of assets behind all such links.
        seconds: time limit.
    """

    outside: bool = False
    files: int = 100_000
    seconds: float = 20.0


NOT_OUTSIDE: Final = Limits()
