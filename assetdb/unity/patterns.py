"""Regular expressions, compiled when they are first used."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any, Final

_METHODS: Final = ("findall", "finditer", "fullmatch", "match", "search")


class Pattern:
    """A regular expression of bytes, compiled when it is first used.

    Each takes 0.1 to 0.5 ms to compile, and importing ``re`` 3: a command that looks at one file uses few or none.
    """

    __slots__ = (*_METHODS, "_flags", "_source")

    if TYPE_CHECKING:
        findall: Callable[..., list[Any]]
        finditer: Callable[..., Iterator[re.Match[bytes]]]
        fullmatch: Callable[..., re.Match[bytes] | None]
        match: Callable[..., re.Match[bytes] | None]
        search: Callable[..., re.Match[bytes] | None]

    def __init__(self, source: bytes, *, multiline: bool = False) -> None:
        """Take the expression; ``multiline`` as ``re.MULTILINE``."""
        self._source = source
        self._flags = 8 if multiline else 0

    def __getattr__(self, name: str) -> object:
        """Compile; from then on each method is an attribute."""
        from re import compile as compiled  # noqa: PLC0415 - usual files are read without

        pattern = compiled(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)
