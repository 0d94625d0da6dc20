"""The work on verdicts, shared by several processes where that is faster."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.processes import can_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    _Item = TypeVar("_Item")
    _Made = TypeVar("_Made")


_MORE_BESIDE: Final = 2


class Processing(NamedTuple):
    """The processes for verdicts, and amounts up to which one is faster.

    Attributes:
        workers: how many processes may work at once.
        on_progress: called periodically with the files read and the total.
        files: number of files to read.
        keys: number of keys to judge.
        placed: number of files in which to locate problems.
        kept_for_one: the state is written once the work since then exceeds what locating problems takes (20 ms and more
            a file) in one of so many files.
    """

    workers: int = 1
    on_progress: Callable[[int, int], None] | None = None
    files: int = 500
    keys: int = 2000
    placed: int = 50
    kept_for_one: int = 6000

    def beside(self) -> Processing:
        """Return the processes that are faster while another works beside them.

        Each that is forked costs a few hundredths of a second, which only pays where there is much to do.
        """
        more = _MORE_BESIDE
        return self._replace(files=self.files * more, keys=self.keys * more, placed=self.placed * more)


ALONE: Final = Processing()
"""One process, without progress."""


def in_parts(
    work: Callable[[int, Sequence[_Item]], _Made],
    items: Sequence[_Item],
    few: int,
    workers: int,
    part_of: Callable[[_Item], int] | None = None,
) -> list[_Made]:
    """Return the results of work on parts of some items.

    Args:
        work: called with the number of a part and its items, in a process of its own if possible.
        items: in any order.
        few: number of items up to which there is one part.
        workers: how many parts there are otherwise.
        part_of: items for which it returns the same number are in one part; by default any items are.
    """
    if workers == 1 or len(items) <= few:
        return [work(0, items)]
    parts: list[Sequence[_Item]] = [items[number::workers] for number in range(workers)]
    if part_of is not None:
        parts = [[item for item in items if part_of(item) % workers == number] for number in range(workers)]
    return share_out(lambda number: work(number, parts[number]), workers)


def share_out(work: Callable[[int], _Made], workers: int) -> list[_Made]:
    """Return ``work(0) ... work(workers - 1)``, from several processes where possible."""
    if sys.platform != "win32" and workers > 1 and can_fork():
        from assetdb_formats.forking import fork_out  # noqa: PLC0415 - only where processes can fork

        return fork_out(work, workers)
    return [work(number) for number in range(workers)]
