"""Following a project's daemon: whoever changes the project, the editor shows it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from assetdb.client.api import Client
from assetdb.errors import AssetdbError

if TYPE_CHECKING:
    from collections.abc import Callable

_LOOK_AGAIN: Final = 3.0  # seconds after which a daemon is looked for that was not there
_WAIT: Final = 5.0  # seconds; so long a thread may outlive its project


class Subscription:
    """A thread that reports every update of a project's daemon.

    What a daemon did before it was asked to tell is told once when it is, as if it were an update.
    """

    def __init__(self, root: str, on_update: Callable[[], None]) -> None:
        self._root = root
        self._on_update = on_update
        self._ended = threading.Event()
        threading.Thread(target=self._follow, name=f"subscription {root}", daemon=True).start()

    def close(self) -> None:
        """Tell nothing more."""
        self._ended.set()

    def _follow(self) -> None:
        while not self._ended.is_set():
            try:
                with Client.connect(self._root) as client:
                    self._listen(client)
            except (AssetdbError, OSError):  # none runs, or it ended, or the project is gone
                self._ended.wait(_LOOK_AGAIN)

    def _listen(self, client: Client) -> None:
        updates = client.subscribe(timeout=_WAIT)
        self._on_update()  # between its start and this call a daemon had read what others wrote, and told nobody
        while not self._ended.is_set():
            for update in updates:
                if self._ended.is_set():
                    return
                if not update.more:
                    self._on_update()
            updates = client.subscribe(timeout=_WAIT)
