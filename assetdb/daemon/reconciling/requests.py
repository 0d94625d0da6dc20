"""Clients that wait until all changes made before their question are known.

A request creates an empty file, its cookie, in the output folder. Observers report changes in order, so that the
cookie's event proves that they have reported all that happened before.
"""

from __future__ import annotations

import itertools
import os
import time
from contextlib import suppress

from assetdb.daemon.observers import events
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

_PATIENCE: Final = 1.0  # seconds until an unseen cookie counts as lost, and everything is scanned


class WaitingClient(NamedTuple):
    """A client that waits for all earlier changes.

    Attributes:
        done: called when they are known.
        files: whether they must be written, too.
        since: ``time.monotonic()`` of the question.
        is_urgent: whether the changes are read at once.
    """

    done: Callable[[], None]
    files: bool
    since: float
    is_urgent: bool


class Requests:
    """The waiting clients, by cookie until their changes were reported.

    Attributes:
        answerable: those whose changes were reported, and will be read next.
    """

    def __init__(self, folder: Callable[[], str]) -> None:
        """Take a function that returns the output folder, which may move."""
        self.answerable: list[WaitingClient] = []
        self._folder = folder
        self._waiting: dict[str, WaitingClient] = {}
        self._numbers = itertools.count(1)

    def wait(self, request: WaitingClient) -> None:
        """Have a request wait for its cookie.

        Raises:
            OSError: the cookie cannot be created; the request waits nevertheless.
        """
        cookie = f"{os.fsdecode(events.COOKIE)}{os.getpid()}-{next(self._numbers)}"
        self._waiting[cookie] = request
        os.close(os.open(os.path.join(self._folder(), cookie), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))

    def follow(self, request: WaitingClient) -> None:
        """Have a request wait for its cookie, if there can be one."""
        overdue = time.monotonic() - _PATIENCE
        # Whoever follows has gone on by then: nothing is scanned for a cookie that does not appear.
        lost = [name for name, other in self._waiting.items() if not other.is_urgent and other.since < overdue]
        for cookie in lost:
            self._drop(cookie)
        try:
            self.wait(request)
        except OSError:
            self._drop(next(reversed(self._waiting)))

    def _drop(self, cookie: str) -> None:
        self._remove(cookie)
        self._waiting.pop(cookie).done()

    def overdue_at(self) -> float | None:
        """Return when the oldest cookie of an urgent request counts as lost."""
        return next((request.since + _PATIENCE for request in self._waiting.values() if request.is_urgent), None)

    def saw(self, cookies: Iterable[str]) -> bool:
        """Make the requests of seen cookies answerable; return whether one is urgent."""
        found = False
        for cookie in cookies:
            request = self._waiting.pop(cookie, None)
            if request is not None:
                self._remove(cookie)
                self.answerable.append(request)
                found = found or request.is_urgent
        return found

    def release(self) -> None:
        """Make all answerable: cookies may be lost, and everything will be scanned."""
        self.saw(list(self._waiting))

    def take(self) -> list[WaitingClient]:
        """Return the answerable requests, which are then somebody else's."""
        taken, self.answerable = self.answerable, []
        return taken

    def close(self) -> None:
        """Remove all cookies; nobody is answered."""
        for cookie in self._waiting:
            self._remove(cookie)
        self._waiting.clear()

    def remove_old_cookies(self) -> None:
        """Remove cookies that an ended process has left.

        Raises:
            OSError: the output folder cannot be listed.
        """
        for name in os.listdir(self._folder()):
            if name.startswith(os.fsdecode(events.COOKIE)):
                self._remove(name)

    def _remove(self, cookie: str) -> None:
        with suppress(OSError):
            os.unlink(os.path.join(self._folder(), cookie))
