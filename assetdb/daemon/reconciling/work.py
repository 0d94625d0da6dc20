"""Work of a loop, done elsewhere one piece at a time.

:attr:`Work.start` decides where; in a daemon it is a thread. The loop itself handles the outcome, so that everything
except the work belongs to one thread.
"""

from __future__ import annotations

import time

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.workspace.updates import Update


class Outcome(NamedTuple):
    """The result of a piece of work, and its times."""

    value: object
    error: BaseException | None
    began: float
    ended: float


class Work:
    """The pieces of work of one loop.

    Attributes:
        start: calls a function, at once or in a thread.
        is_busy: whether a piece is being done.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        """Take a function that wakes the loop, from any thread."""
        self.start: Callable[[Callable[[], None]], None] = lambda work: work()
        self.is_busy = False
        self._wake = wake
        self._ended: list[Callable[[], Update | None]] = []

    @property
    def has_ended(self) -> bool:
        """Whether the outcome of ended work is still to be handled."""
        return bool(self._ended)

    def do(self, work: Callable[[], object], then: Callable[[Outcome], Update | None], *, alone: bool = True) -> None:
        """Have a piece of work done.

        Args:
            work: the function, called in any thread.
            then: called by the loop with the outcome; returns the update, if there is one.
            alone: whether no other work may begin meanwhile.
        """

        def run() -> None:
            began, value, error = time.monotonic(), None, None
            try:
                value = work()
            except BaseException as raised:
                error = raised
                if not isinstance(raised, Exception):
                    raise  # the thread may have to end; the loop goes on nevertheless
            finally:
                outcome = Outcome(value, error, began, time.monotonic())
                self._ended.append(lambda: follow(outcome))
                self._wake()

        def follow(outcome: Outcome) -> Update | None:
            self.is_busy = self.is_busy and not alone
            return then(outcome)

        self.is_busy = self.is_busy or alone
        self.start(run)

    def follow(self) -> Update | None:
        """Handle the outcomes of ended work, up to an update."""
        update = None
        while self._ended and update is None:
            update = self._ended.pop(0)()
        return update
