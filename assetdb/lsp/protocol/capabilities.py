"""The capabilities of the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

UTF_8: Final = "utf-8"
UTF_16: Final = "utf-16"
UTF_32: Final = "utf-32"
ENCODINGS: Final = (UTF_8, UTF_16, UTF_32)
"""What characters of positions may count: code units of one encoding."""


class Capabilities:
    """The capabilities of a client; malformed values count as absent."""

    def __init__(self, declared: Mapping[str, object]) -> None:
        self._declared = declared

    def get(self, *way: str) -> object:
        """Return the value at a path of keys, or None."""
        found: object = self._declared
        for key in way:
            if not isinstance(found, dict):
                return None
            found = found.get(key)
        return found

    def has(self, *way: str) -> bool:
        """Whether a capability is true."""
        return self.get(*way) is True

    def words(self, *way: str) -> list[str]:
        """Return a list of words."""
        found = self.get(*way)
        return [word for word in found if isinstance(word, str)] if isinstance(found, list) else []

    def number(self, *way: str) -> int | None:
        """Return a whole number, None if there is none."""
        found = self.get(*way)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    @property
    def encoding(self) -> str:
        """The unit of character positions: the client's first that is known here."""
        wanted = self.words("general", "positionEncodings")
        return next((word for word in wanted if word in ENCODINGS), UTF_16)

    @property
    def pulls_diagnostics(self) -> bool:
        """Whether it pulls findings; then none are pushed."""
        return isinstance(self.get("textDocument", "diagnostic"), dict)

    @property
    def markdown(self) -> bool:
        """Whether hovers may be Markdown."""
        return self.words("textDocument", "hover", "contentFormat")[:1] != ["plaintext"] and bool(
            self.words("textDocument", "hover", "contentFormat")
        )

    @property
    def shows_labels(self) -> bool:
        """Whether it shows the labels of changes."""
        return isinstance(self.get("workspace", "workspaceEdit", "changeAnnotationSupport"), dict)
