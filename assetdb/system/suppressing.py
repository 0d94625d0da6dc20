"""``contextlib.suppress`` without ``contextlib``, for a daemon's start.

All of ``contextlib`` takes 3 ms, with ``collections``.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from types import TracebackType


class suppress:  # noqa: N801 - as its model is called
    """Lets errors of some kinds pass, that a ``with`` block raises."""

    __slots__ = ("_kinds",)

    def __init__(self, *kinds: type[BaseException]) -> None:
        self._kinds = kinds

    def __enter__(self) -> None:
        """Do nothing yet."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Return whether the error is one of these."""
        return kind is not None and issubclass(kind, self._kinds)
