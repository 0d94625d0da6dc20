"""The watch over a project: an observer, or periodic scans."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from assetdb.daemon.observers.api import Observation, Observer, ObserverError
from assetdb.daemon.observers.paths import WatchedPaths
from assetdb.daemon.observers.polling import PollingObserver
from assetdb.daemon.observers.select import select_observers
from assetdb.settings.output_folder import make_folder

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.daemon.reconciling.requests import Requests
    from assetdb.daemon.session import Session

_FIRST_POLL: Final = 1.0  # seconds after the start
_REWATCH: Final = 30.0  # seconds until watching is retried


class Watch:
    """Chooses an observer, and another one when it fails.

    Attributes:
        observer: what reports changes; one that only polls before :meth:`start`.
        poll_at: ``time.monotonic()`` of the next periodic scan; None where changes are reported.
    """

    def __init__(
        self, session: Session, requests: Requests, wake: Callable[[], None], backend: str, log: Callable[..., None]
    ) -> None:
        """Watch nothing yet; the arguments are the reconciler's."""
        self.observer: Observer = PollingObserver()
        self.poll_at: float | None = None
        self._session = session
        self._requests = requests
        self._wake = wake
        self._backend = backend
        self._log = log
        self._paths = WatchedPaths(b"", b"")
        self._unwatched = ""  # why the files are not watched
        self._rewatch_at: float | None = None

    def start(self) -> None:
        """Begin to watch with the best observer that works."""
        with suppress(OSError):
            make_folder(self._session.folder, self._session.root)
            self._requests.remove_old_cookies()
        paths = WatchedPaths(os.fsencode(self._session.root), os.fsencode(self._session.folder), self._session.known)
        self._paths = paths
        self._unwatched = ""
        remote = paths.remote_file_system()
        if remote and not self._backend:
            self._log("changes made by other machines are not reported", file_system=remote)
        for observer in select_observers(paths, self._wake, self._backend):
            try:
                observer.start()
            except ObserverError as error:
                self._unwatched = self._unwatched or str(error)
                self._log(str(error), backend=observer.name)
                continue
            self.observer = observer
            break
        if self._backend not in ("", self.observer.name):
            self._log("not available here", backend=self._backend)
        self._log("watching", backend=self.observer.name, **self.observer.status())
        if self.observer.needs_polling:
            self._log("no source of changes: everything is scanned periodically")

    def plan(self, now: float) -> None:
        """Plan the first periodic scan, and when watching is tried again."""
        self.poll_at = now + _FIRST_POLL if self.observer.needs_polling else None
        self._rewatch_at = now + _REWATCH if self._unwatched else None

    def collect(self) -> Observation:
        """Return the latest changes; poll from now on if that fails."""
        try:
            return self.observer.collect()
        except ObserverError as error:
            self._unwatched = str(error)
            self._log(str(error), backend=self.observer.name)
            self.observer.stop()
            self.observer = PollingObserver()
            self.poll_at = time.monotonic()
            self._rewatch_at = self.poll_at + _REWATCH
            return Observation(rescan_reason="files are no longer watched")

    def may_be_retried(self, now: float) -> bool:
        """Whether watching failed long enough ago to be tried again."""
        return self._rewatch_at is not None and now >= self._rewatch_at

    def retry(self) -> bool:
        """Try to watch after a failure; return whether files are watched now.

        Too many open files are such a failure: it passes.
        """
        self.start()
        self.observer.listen()
        if self.observer.needs_polling:
            self._rewatch_at = time.monotonic() + _REWATCH
            return False
        self._rewatch_at = self.poll_at = None
        return True

    def follow_folder(self) -> bool:
        """Watch anew if the output folder has moved; return whether it has."""
        if os.fsencode(self._session.folder) == self._paths.folder:
            return False
        self.observer.stop()
        self.start()
        self.observer.listen()
        self.poll_at = time.monotonic() if self.observer.needs_polling else None
        return True

    def status(self) -> dict[str, object]:
        """Return facts for people and tests."""
        unwatched = {"not_watched": self._unwatched} if self._unwatched and self.observer.needs_polling else {}
        return {"backend": self.observer.name, **unwatched, **self.observer.status()}
