"""The interface of observers of a project's files.

An observer only marks directories and files dirty. It never reads a file of the project and never claims that something
did *not* change; if it is unsure, it gives a reason for scanning everything (:attr:`Observation.rescan_reason`).
"""

from __future__ import annotations

from assetdb.errors import AssetdbError
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final, Protocol
else:
    Protocol = object  # typing takes 4 ms of a start

BACKENDS: Final = ("inotify", "windows", "watchman", "watchdog", "polling")


class ObserverError(AssetdbError):
    """Files cannot be watched this way; the message gives the remedy."""


class Observation(NamedTuple):
    """The changes since the last call.

    Attributes:
        dirty: directories to list again and files to read again, relative to the project. In a directory that is not
            given itself, only the given files have changed.
        cookies: names of cookie files that were seen; whatever happened before them is in ``dirty``, now or earlier.
        output_touched: whether other processes touched the output files.
        rescan_reason: why everything must be scanned, or ``""``.
        last: ``time.monotonic()`` of the last event; 0.0 if there was none.
        events: how many there were.
    """

    dirty: Collection[bytes] = ()
    cookies: Collection[str] = ()
    output_touched: bool = False
    rescan_reason: str = ""
    last: float = 0.0
    events: int = 0


class Observer(Protocol):
    """One way to watch; one thread calls all but ``is_late``.

    Attributes:
        name: one of :data:`BACKENDS`.
        needs_polling: whether ``collect`` finds nothing by itself, so that everything must be scanned periodically.
        knows_if_late: whether ``is_late`` is found out, and not always true.
    """

    name: str
    needs_polling: bool
    knows_if_late: bool

    @property
    def is_late(self) -> bool:
        """Whether :meth:`collect` may not have returned all changes; from any thread."""

    def start(self) -> None:
        """Begin to watch; later changes are seen.

        Raises:
            ObserverError: it cannot watch.
        """

    def listen(self) -> None:
        """Begin to call ``wake``; unlike :meth:`start`, may start threads."""

    def collect(self) -> Observation:
        """Return the changes since the last call."""

    def has_backlog(self) -> bool:
        """Whether :meth:`collect` has something to do even without an event."""

    def status(self) -> dict[str, object]:
        """Return facts for people."""

    def stop(self) -> None:
        """Stop watching; threads have ended when this returns."""
