"""The polling observer: a rescan periodically, without events."""

from __future__ import annotations

from assetdb.daemon.observers.api import Observation


class PollingObserver:
    """Observes nothing by itself."""

    name = "polling"
    needs_polling = True
    knows_if_late = False
    is_late = True

    def start(self) -> None:
        """Do nothing: there is nothing to begin."""

    def listen(self) -> None:
        """Do nothing: there are no events."""

    def collect(self) -> Observation:
        """Return that nothing was seen."""
        return Observation()

    def has_backlog(self) -> bool:
        """Return that there is nothing to do."""
        return False

    def status(self) -> dict[str, object]:
        """Return no facts."""
        return {}

    def stop(self) -> None:
        """Do nothing: nothing runs."""
