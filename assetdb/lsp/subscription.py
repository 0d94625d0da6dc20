"""A subscription to a project's daemon, for changes by other programs."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from assetdb.client.api import Client
from assetdb.errors import AssetdbError

if TYPE_CHECKING:
    from collections.abc import Callable

_LOOK_AGAIN: Final = 3.0  # seconds between searches for a missing daemon
_WAIT: Final = 5.0  # seconds for which a thread may outlive its project


class Subscription:
    """A thread that reports a daemon's updates, all earlier ones as one."""

    def __init__(self, root: str, on_update: Callable[[], None], out_dir: str | None = None) -> None:
        """Take a project, and its files' folder if settings do not say."""
        self._place = root, out_dir
        self._on_update = on_update
        self._ended = threading.Event()
        threading.Thread(target=self._follow, name=f"subscription {root}", daemon=True).start()

    def close(self) -> None:
        """Stop reporting."""
        self._ended.set()

    def _follow(self) -> None:
        while not self._ended.is_set():
            try:
                with Client.connect(*self._place) as client:
                    self._listen(client)
            except (AssetdbError, OSError):  # none runs, or it ended, or the project is gone
                self._ended.wait(_LOOK_AGAIN)

    def _listen(self, client: Client) -> None:
        updates = client.subscribe(timeout=_WAIT)
        self._on_update()  # before this call the daemon may have read changes without reporting them
        while not self._ended.is_set():
            for update in updates:
                if self._ended.is_set():
                    return
                if not update.more:
                    self._on_update()
            updates = client.subscribe(timeout=_WAIT)
