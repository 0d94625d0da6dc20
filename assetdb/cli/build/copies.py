"""The table of duplicates in a build."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.cli.terminal import table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final, TypeVar

    _Row = TypeVar("_Row")

_SHOWN: Final = 30  # without --all
_PLACES: Final = 3


class Copies(NamedTuple):
    """A row of the table of copies: savings, count, size, reason, places."""

    saved: int
    number: int
    size: int
    class_name: str
    name: str
    why: str
    places: Sequence[str]


def print_copies(
    rows: Sequence[_Row], copies_of: Callable[[_Row], Copies], thing: str, saved: int, *, everything: bool
) -> int:
    """Print copies; 1 if there are any.

    Args:
        rows: all of it, the most bytes to be saved first.
        copies_of: returns a row; called only for rows that are shown.
        thing: the noun for one of them.
        saved: the bytes that one copy of each would save.
        everything: whether all are shown.
    """
    if not rows:
        print("nothing is duplicated")
        return 0
    shown = rows if everything else rows[:_SHOWN]
    cells: list[tuple[object, ...]] = [("saved", "copies", "bytes", "class", "name", "why", "in")]
    for row in map(copies_of, shown):
        more = len(row.places) - _PLACES
        listed = ", ".join(row.places[:_PLACES]) + (f" and {more} more" if more > 0 else "")
        cells.append((f"{row.saved:,}", row.number, f"{row.size:,}", row.class_name, row.name, row.why, listed))
    print(table(cells, right=frozenset((0, 1, 2))))
    unshown = f" ({len(rows) - len(shown):,} not shown; --all shows them)" if len(shown) < len(rows) else ""
    what = f"{thing} is" if len(rows) == 1 else f"{thing}s are"
    print(f"\n{len(rows):,} {what} stored several times{unshown}; one copy of each would save {saved:,} bytes, decoded")
    return 1
