"""Choice among several files of one name.

Two players in one folder both have a ``sharedassets0.assets``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_DEEPEST: Final = 16  # leading folders that are compared: a path in an archive may have thousands


class Nearest:
    """Choice of the files that share the most folders with another."""

    def __init__(self, named: Mapping[str, Sequence[int]], place_of: Callable[[int], str]) -> None:
        self._named = named
        self._near: dict[tuple[str, str], list[int]] = {}
        for name, numbers in named.items():
            for number in numbers if len(numbers) > 1 else ():
                for folder in _folders(place_of(number)):
                    self._near.setdefault((name, folder), []).append(number)

    def find(self, name: str, path: str) -> Sequence[int]:
        """Return the nearest files of a name; several if equally near."""
        known = self._named.get(name, ())
        if len(known) > 1:
            return next((near for folder in _folders(path) if (near := self._near.get((name, folder)))), known)
        return known


def _folders(path: str) -> Iterator[str]:
    """Yield the folders above a path, the innermost first."""
    words = path.split("/")[:-1][:_DEEPEST]
    return ("/".join(words[:count]) for count in range(len(words), 0, -1))
