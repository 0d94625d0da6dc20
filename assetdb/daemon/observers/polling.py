"""No events at all: everything is looked at again, now and then. The last resort that always works."""

from __future__ import annotations

from assetdb.daemon.observers.select import Seen


class PollingObserver:
    """Sees nothing by itself."""

    name = "polling"
    unsure = True

    def start(self) -> None:
        """Do nothing: there is nothing to begin."""

    def listen(self) -> None:
        """Do nothing: nothing will be heard."""

    def collect(self) -> Seen:
        """Return that nothing was seen."""
        return Seen()

    def more(self) -> bool:
        """Return that there is nothing to do."""
        return False

    def status(self) -> dict[str, object]:
        """Return no facts."""
        return {}

    def stop(self) -> None:
        """Do nothing: nothing runs."""
