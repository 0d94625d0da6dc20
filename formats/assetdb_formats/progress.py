"""Progress of long work, for whoever shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

_Item = TypeVar("_Item")

Progress: TypeAlias = "Callable[[int, int], None] | None"
"""Called with the number of items done and of all, or None."""


def tracked(items: Collection[_Item], progress: Progress) -> Iterator[_Item]:
    """Yield items, reporting before each how many are done."""
    for number, item in enumerate(items):
        if progress is not None:
            progress(number, len(items))
        yield item
