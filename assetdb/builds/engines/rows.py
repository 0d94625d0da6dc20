"""An inventory as rows: classes, sizes, a tree, selected items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.builds.objects.selection import is_in
from assetdb.builds.query.summary import ClassRow
from assetdb.builds.query.tables import BUNDLE, CLASS, FILE, OBJECT, SizeRow, SizeSums, TreeRow
from assetdb_formats.globs import name_matcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.builds.engines.inventory import Inventory, Item

KEYS = (CLASS, FILE, BUNDLE, OBJECT)


def class_rows(inventory: Inventory) -> tuple[ClassRow, ...]:
    """Return the classes of an inventory, the most bytes first."""
    sums: dict[str, list[int]] = {}
    for item in inventory.items:
        row = sums.setdefault(item.shown_class, [0, 0, 0])
        row[0] += 1
        row[1] += item.size
        row[2] += item.streamed
    rows = [ClassRow(name, *row) for name, row in sums.items()]
    return tuple(sorted(rows, key=lambda row: (-row.size - row.streamed, row.name)))


def inventory_rows(inventory: Inventory, key: str) -> list[SizeRow]:
    """Return the bytes under one of :data:`KEYS`.

    The largest on the disk first; all rows together are the files.
    """
    sums = SizeSums()
    for item in inventory.items:
        file = inventory.files[item.file].name
        name = item.shown_class if key == CLASS else f"{file}#{item.name}" if key == OBJECT else file
        sums.add(name, 1, item.size, item.streamed, item.disk)
    for rest in inventory.rest:
        name = inventory.files[rest.file].name if key in (FILE, BUNDLE) else rest.what
        sums.add(name, 0, rest.decoded, 0, rest.disk)
    return sums.table()


def inventory_tree(inventory: Inventory) -> list[TreeRow]:
    """Return the files and their classes, the largest on disk first."""
    top = SizeSums()
    below = [SizeSums() for _ in inventory.files]
    for item in inventory.items:
        top.add(inventory.files[item.file].name, 1, item.size, item.streamed, item.disk)
        below[item.file].add(item.shown_class, 1, item.size, item.streamed, item.disk)
    for rest in inventory.rest:
        top.add(inventory.files[rest.file].name, 0, rest.decoded, 0, rest.disk)
        below[rest.file].add(rest.what, 0, rest.decoded, 0, rest.disk)
    places = {file.name: place for place, file in enumerate(inventory.files)}
    found = []
    for row in top.table():
        found.append(TreeRow(0, row))
        found += [TreeRow(1, inner) for inner in below[places[row.name]].table()]
    return found


def select_items(inventory: Inventory, classes: Sequence[str] = (), files: Sequence[str] = ()) -> Iterator[Item]:
    """Yield the items of some classes in some files.

    Classes by their whole name or its last part; files by patterns.
    """
    wanted = {name.casefold() for name in classes}
    matchers = [name_matcher(pattern.casefold()) for pattern in files]
    chosen = [not matchers or is_in(matchers, file.name.casefold()) for file in inventory.files]
    for item in inventory.items:
        if chosen[item.file] and (not wanted or wanted & _class_words(item.shown_class)):
            yield item


def _class_words(name: str) -> set[str]:
    """Return a class's whole name, and its last parts."""
    folded = name.casefold()
    return {folded, folded.rpartition(".")[2], folded.rpartition(":")[2]}


def known_item_classes(inventory: Inventory) -> set[str]:
    """Return the classes of an inventory, and their short names."""
    return {item.shown_class for item in inventory.items} | {
        item.shown_class.rpartition(":")[2].rpartition(".")[2] for item in inventory.items
    } - {""}
