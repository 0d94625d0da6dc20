"""From how much on the work for verdicts is shared over processes."""

from __future__ import annotations

from typing import Final

FEW_READ: Final = 500
"""As many files are read sooner than a process is started."""
FEW_KEYS: Final = 2000
"""As many keys are judged sooner."""
FEW_PLACED: Final = 50
"""In as many files problems are placed sooner."""
KEPT_FOR_ONE: Final = 6000
"""All that is known of as many files is written sooner than the problems of one of them are placed again: 20 ms."""


class Limits:
    """The amounts of work from which processes share it.

    Each up to so much is done by one.

    Attributes:
        workers: how many processes may work at once.
        files: to be read.
        keys: to be judged.
        placed: files in which problems are placed.
        kept_for_one: all that is known is written where since then more took place than problems were to be placed
            in one of so many of its files.
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        files: int = FEW_READ,
        keys: int = FEW_KEYS,
        placed: int = FEW_PLACED,
        kept_for_one: int = KEPT_FOR_ONE,
    ) -> None:
        self.workers = workers
        self.files = files
        self.keys = keys
        self.placed = placed
        self.kept_for_one = kept_for_one
