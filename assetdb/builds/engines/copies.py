"""Duplicates in a build of another engine, by name and by content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.engines.inventory import SAME_DATA, SAME_ID, Duplicate, duplicate, sorted_duplicates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.engines.inventory import Item


class Copies:
    """The digests of a build's data, by which items are compared."""

    def __init__(self) -> None:
        """Begin without any."""
        self._prints: dict[tuple[bytes, int], list[int]] = {}
        self._of_items: dict[int, set[tuple[bytes, int]]] = {}

    def add(self, item: int, digest: bytes, size: int) -> None:
        """Note the digest of ``size`` bytes of an item, unless zeros."""
        if size and any(digest):
            self._prints.setdefault((digest, size), []).append(item)
            self._of_items.setdefault(item, set()).add((digest, size))

    def find(self, items: Sequence[Item]) -> tuple[Duplicate, ...]:
        """Return items stored several times, by id or by content."""
        found = []
        by_id: dict[str, list[int]] = {}
        for place, item in enumerate(items):
            if item.identity:
                by_id.setdefault(item.identity, []).append(place)
        for places in by_id.values():
            if len({items[place].file for place in places}) > 1:
                prints = [self._of_items.get(place) for place in places]
                is_equal = None if None in prints else all(each == prints[0] for each in prints)
                sizes = [items[place].size + items[place].streamed for place in places]
                found.append(duplicate(SAME_ID, places, sizes, is_equal=is_equal))
        alike: dict[tuple[int, ...], int] = {}  # the items -> bytes that all of them have
        for (_, size), places in self._prints.items():
            one_each = {items[place].identity or str(place): place for place in reversed(places)}
            if len(one_each) > 1:
                own = tuple(sorted(one_each.values()))
                alike[own] = alike.get(own, 0) + size
        found += [duplicate(SAME_DATA, list(own), [size] * len(own), is_equal=True) for own, size in alike.items()]
        return sorted_duplicates(found)
