"""The inventory of a build: Unreal Engine's packages or CrystalEngine's objects."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PACKAGE: Final = "package"
OBJECT: Final = "object"
FILE: Final = "file"
"""A file of a .pak, or a named chunk of a container, that is not a package."""

SAME_ID: Final = "same id"
"""One package in several containers, of which the one mounted last counts; or one UUID in several bundles."""
SAME_DATA: Final = "same data"
"""The same bytes under different names."""

UNKNOWN: Final = "(class not known)"


class InventoryFile(NamedTuple):
    """A file of a build; a .utoc includes its .ucas files.

    Attributes:
        name: what people see: relative to the build, with ``/``.
        format: such as ``.utoc 8``, ``.casset 3.1``.
    """

    name: str
    path: str
    format: str
    disk: int
    compressions: tuple[str, ...] = ()
    is_encrypted: bool = False


class Item(NamedTuple):
    """A package or an object of a build; sizes in bytes.

    Attributes:
        kind: :data:`PACKAGE`, :data:`OBJECT` or :data:`FILE`.
        name: of a package its name (or its id), of an object its path in the bundle.
        identity: the id of a package of a container, the UUID of an object; ``""`` without one.
        class_name: ``""`` if it is not known; of a file its extension, of a chunk its type in brackets.
        size: decoded; of a package its exports.
        streamed: decoded bulk data, which is loaded apart.
        disk: what both take in the files.
    """

    file: int
    kind: str
    name: str
    identity: str
    class_name: str
    size: int
    streamed: int
    disk: int

    @property
    def shown_class(self) -> str:
        """The class, or that it is not known."""
        return self.class_name or UNKNOWN


class Rest(NamedTuple):
    """Bytes of no item, by description and file."""

    what: str
    file: int
    decoded: int
    disk: int


class Missing(NamedTuple):
    """A target that the build lacks, and its users."""

    name: str
    needed_by: tuple[str, ...]


class Duplicate(NamedTuple):
    """An item that is stored several times.

    Places of the items, bytes of one copy (the largest), and the bytes that one would save.

    ``by`` is :data:`SAME_ID` or :data:`SAME_DATA`; the bytes are decoded ones. ``is_equal`` is None if that is not
    known.
    """

    by: str
    items: tuple[int, ...]
    is_equal: bool | None
    size: int
    saved: int


class Inventory(NamedTuple):
    """The contents of a build; items and rest add up.

    Attributes:
        others: how many other files lie there, and their bytes.
        missing: missing targets; empty if not examined (``is_whole``).
        duplicates: items stored several times, largest savings first; empty if not examined.
        problems: unreadable parts, one sentence each.
        unread: unknown parts, one sentence each.
        is_whole: whether headers and data were read; otherwise classes are unknown, too.
    """

    engine: str
    paths: tuple[str, ...]
    files: tuple[InventoryFile, ...]
    items: tuple[Item, ...]
    rest: tuple[Rest, ...] = ()
    others: tuple[int, int] = (0, 0)
    missing: tuple[Missing, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    problems: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def disk(self) -> int:
        """Bytes of the files."""
        return sum(file.disk for file in self.files)

    @property
    def decoded(self) -> int:
        """Bytes of the contents, decoded."""
        return sum(item.size + item.streamed for item in self.items) + sum(rest.decoded for rest in self.rest)

    @property
    def streamed(self) -> int:
        """Bytes of bulk data."""
        return sum(item.streamed for item in self.items)

    @property
    def missing_references(self) -> int:
        """The number of users of missing targets, once for each target."""
        return sum(len(missing.needed_by) for missing in self.missing)

    def count(self, kind: str) -> int:
        """Return how many items of a kind there are."""
        return sum(item.kind == kind for item in self.items)


def counted(values: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return each value and its count, the most frequent first."""
    return tuple(Counter(values).most_common())


class Copies:
    """The digests of a build's data, by which items are compared."""

    def __init__(self) -> None:
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
                found.append(_duplicate(SAME_ID, places, sizes, is_equal=is_equal))
        alike: dict[tuple[int, ...], int] = {}  # the items -> bytes that all of them have
        for (_, size), places in self._prints.items():
            one_each = {items[place].identity or str(place): place for place in reversed(places)}
            if len(one_each) > 1:
                own = tuple(sorted(one_each.values()))
                alike[own] = alike.get(own, 0) + size
        found += [_duplicate(SAME_DATA, list(own), [size] * len(own), is_equal=True) for own, size in alike.items()]
        return tuple(sorted(found, key=lambda row: (-row.saved, row.items)))


def _duplicate(by: str, places: list[int], sizes: list[int], *, is_equal: bool | None) -> Duplicate:
    return Duplicate(by, tuple(places), is_equal, max(sizes), sum(sizes) - max(sizes))
