"""Work-done progress of slow requests, with notes on their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Progress:
    """The progress of one piece of work, which an editor may follow."""

    def __init__(
        self, notify: Callable[[str, object], None], token: str | int | None, tell: Callable[[str], None]
    ) -> None:
        """Take the editor and its token; without one, ``tell`` gets the notes."""
        self._notify = notify
        self._tell = tell
        self.token = token
        self._begun = False

    def begin(self, title: str) -> None:
        """Report that it begins."""
        if self.token is not None and not self._begun:
            self._begun = True
            self._send({"kind": "begin", "title": title, "cancellable": True})

    def report(self, message: str) -> None:
        """Report a note on the answer."""
        if self._begun:
            self._send({"kind": "report", "message": message})
        elif self.token is None:
            self._tell(message)

    def end(self) -> None:
        """Report that it has ended, in any way."""
        if self._begun:
            self._begun = False
            self._send({"kind": "end"})

    def _send(self, value: dict[str, object]) -> None:
        self._notify("$/progress", {"token": self.token, "value": value})
