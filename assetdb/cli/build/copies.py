"""Duplicates in a build, as JSON Lines or as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb.cli.terminal import plain, print_json_lines, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final, TypeVar

    from assetdb.builds.engines.inventory import Duplicate as ItemDuplicate
    from assetdb.builds.query.duplicates import Duplicate

    _Row = TypeVar("_Row", Duplicate, ItemDuplicate)

_SHOWN: Final = 30  # without --all
_PLACES: Final = 3


class Copies(NamedTuple):
    """The copies of one thing; ``class_name`` and ``objects`` are for JSON."""

    class_name: str | None
    name: str
    is_equal: bool | None
    objects: list[dict[str, Any]]
    shown_class: str
    why: str
    places: Sequence[str]


def print_copies(
    rows: Sequence[_Row], copies_of: Callable[[_Row], Copies], thing: str, *, as_json: bool, everything: bool
) -> int:
    """Print copies; 1 if there are any.

    Args:
        rows: all of it, the most bytes to be saved first.
        copies_of: describes a row; called only for rows that are shown.
        thing: the noun for one of them.
        as_json: whether each is a line of JSON.
        everything: whether all are shown.
    """
    if as_json:
        print_json_lines(_facts(row, copies_of(row)) for row in rows)
        return int(bool(rows))
    if not rows:
        print("nothing is duplicated")
        return 0
    shown = rows if everything else rows[:_SHOWN]
    cells: list[tuple[object, ...]] = [("saved", "copies", "bytes", "class", "name", "why", "in")]
    for row in shown:
        found = copies_of(row)
        more = len(found.places) - _PLACES
        listed = ", ".join(found.places[:_PLACES]) + (f" and {more} more" if more > 0 else "")
        sizes: tuple[object, ...] = (f"{row.saved:,}", len(found.objects), f"{row.size:,}")
        cells.append((*sizes, found.shown_class, found.name, found.why, listed))
    print(table(cells, right=frozenset((0, 1, 2))))
    unshown = f" ({len(rows) - len(shown):,} not shown; --all shows them)" if len(shown) < len(rows) else ""
    what = f"{thing} is" if len(rows) == 1 else f"{thing}s are"
    saved = sum(row.saved for row in rows)
    print(f"\n{len(rows):,} {what} stored several times{unshown}; one copy of each would save {saved:,} bytes, decoded")
    return 1


def _facts(row: Duplicate | ItemDuplicate, found: Copies) -> dict[str, Any]:
    named = {"by": row.by, "class": found.class_name, "name": plain(found.name), "equal": found.is_equal}
    return {**named, "size": row.size, "saved": row.saved, "objects": found.objects}
