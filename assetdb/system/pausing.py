"""Points at which long work yields to others in a daemon.

Whoever loops over all assets, or over what a client sent, calls :func:`pause_here` in the loop, with nothing half done;
whoever parses a file lets :func:`beside` do that, which needs nothing but the bytes. See ``assetdb.daemon.rpc.jobs``.
"""

from __future__ import annotations

from errno import EAGAIN

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final, TypeVar

    _Item = TypeVar("_Item")
    _Made = TypeVar("_Made")

LARGE: Final = 1 << 16
"""Bytes from which on parsing takes longer than handing over to others: a millisecond."""

_pause: Callable[[], None] | None = None
_beside: Callable[[Callable[[], object]], object] | None = None
_before_long: Callable[[], None] | None = None
_wait: Callable[[Callable[[], bool]], None] | None = None


def install(
    pause: Callable[[], None],
    beside: Callable[[Callable[[], object]], object],
    before_long: Callable[[], None],
    wait: Callable[[Callable[[], bool]], None] | None = None,
) -> None:
    """Have something done at the places that call the functions below."""
    global _pause, _beside, _before_long, _wait
    _pause, _beside, _before_long, _wait = pause, beside, before_long, wait


def pause_here() -> None:
    """Let others go before, if this has taken long."""
    if _pause is not None:
        _pause()


def before_long() -> None:
    """Announce work that takes long, such as a search."""
    if _before_long is not None:
        _before_long()


def wait_until(is_ready: Callable[[], bool]) -> None:
    """Let others go on until a condition holds.

    Raises:
        OSError: there are no others, so that it would never be done.
    """
    if is_ready():
        return
    if _wait is None:
        raise BlockingIOError(EAGAIN, "another request does what this one needs; send it again")
    _wait(is_ready)


def drained(items: list[_Item]) -> Iterator[_Item]:
    """Yield and remove the items of a list, with pauses.

    300,000 objects that end together with a list keep everybody for 80 ms.
    """
    items.reverse()
    while items:
        yield items.pop()
        if _pause is not None:
            _pause()


def paused(items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield items, and pause between them."""
    for item in items:
        yield item
        if _pause is not None:
            _pause()


def beside(work: Callable[[], _Made]) -> _Made:
    """Do independent work while others go on."""
    return work() if _beside is None else _beside(work)  # type: ignore[return-value]  # what the work returns
