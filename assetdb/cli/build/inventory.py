"""Tables of builds of other engines, and of duplicates in any build."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb.builds.engines.detection import UNREAL
from assetdb.builds.engines.inventory import FILE, OBJECT, PACKAGE, SAME_DATA, counted
from assetdb.builds.engines.rows import KEYS, class_rows, inventory_rows, known_item_classes, select_items
from assetdb.cli.build.opened import say_problems
from assetdb.cli.fields import fields_of
from assetdb.cli.terminal import not_found, plain, print_json_lines, print_rows, say, table
from assetdb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final, TypeVar

    from assetdb.builds.engines.inventory import Duplicate, Inventory, Item
    from assetdb.builds.query.duplicates import ObjectDuplicate
    from assetdb.builds.query.tables import SizeRow
    from assetdb.cli.build.options import AnyEngineOptions

    _Row = TypeVar("_Row", Duplicate, ObjectDuplicate)

_SHOWN: Final = 30  # without --all
_PLACES: Final = 3
_LISTED: int = 8  # missing packages


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
    """Print copies, the most bytes to be saved first; 1 if any.

    ``copies_of`` describes a row, and is called only for those that are shown; ``thing`` is a noun.
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


def _facts(row: Duplicate | ObjectDuplicate, found: Copies) -> dict[str, Any]:
    named = {"by": row.by, "class": found.class_name, "name": plain(found.name), "equal": found.is_equal}
    return {**named, "size": row.size, "saved": row.saved, "objects": found.objects}


def summary_rows(found: Inventory, *, everything: bool) -> list[tuple[str, str]]:
    """Return the rows of `info` above the classes."""
    formats = ", ".join(f"{name} ({count:,})" for name, count in counted(file.format for file in found.files))
    methods = dict.fromkeys(method for file in found.files for method in file.compressions)
    locked = sum(file.is_encrypted for file in found.files)
    packages, files = found.count(PACKAGE), found.count(FILE)
    others, other_bytes = found.others
    beside = f", and {other_bytes:,} in {others:,} other file{'s' if others > 1 else ''}" if others else ""
    rows = [
        ("build", ", ".join(found.paths)),
        ("engine", found.engine),
        ("formats", formats),
        ("compression", ", ".join(methods)),
        ("encrypted", f"{locked:,} of {len(found.files):,} files" if locked else ""),
        ("packages", f"{packages:,}" if packages else ""),
        ("objects", "" if packages or files else f"{len(found.items):,}"),
        ("other files in it", f"{files:,}" if files else ""),
        ("bytes on disk", f"{found.disk:,}{beside}"),
        ("bytes decoded", f"{found.decoded:,}" + (f", {found.streamed:,} of them bulk data" if found.streamed else "")),
        ("missing references", missing_text(found)),
        ("duplicates", duplicates_text(len(found.duplicates), sum(row.saved for row in found.duplicates))),
    ]
    rows = [row for row in rows if row[1]]
    shown = found.missing if everything else found.missing[:_LISTED]
    rows += [("missing", missing.name) for missing in shown]
    if len(shown) < len(found.missing):
        rows.append(("missing", f"and {len(found.missing) - len(shown):,} more (-v lists them)"))
    return rows


def missing_text(found: Inventory) -> str:
    """Return how many references lead to nothing, and to how much."""
    if not found.missing:
        return ""
    nouns = ("package", "packages") if found.engine == UNREAL else ("bundle or object", "bundles or objects")
    noun = nouns[len(found.missing) > 1]
    return f"{found.missing_references:,}, to {len(found.missing):,} {noun}"


def duplicates_text(count: int, saved: int) -> str:
    """Return how much is stored several times."""
    return f"{count:,}, one copy of each would save {saved:,} bytes" if count else ""


def summary_facts(found: Inventory) -> dict[str, Any]:
    """Return `info` for JSON, with the names used for Unity's builds."""
    return {
        "engine": found.engine,
        "paths": [*map(plain, found.paths)],
        "formats": dict(counted(file.format for file in found.files)),
        "compressions": sorted({method for file in found.files for method in file.compressions}),
        "encrypted": sum(file.is_encrypted for file in found.files),
        "files": len(found.files),
        "objects": len(found.items),
        "kinds": dict(Counter(item.kind for item in found.items)),
        "disk": found.disk,
        "decoded": found.decoded,
        "others": found.others[1],
        "streamed": found.streamed,
        "missing": [plain(missing.name) for missing in found.missing],
        "missing_references": found.missing_references,
        "needed_by": {plain(missing.name): [*map(plain, missing.needed_by)] for missing in found.missing},
        "duplicates": {"objects": len(found.duplicates), "saved": sum(row.saved for row in found.duplicates)},
        "whole": found.is_whole,
        "classes": [row._asdict() for row in class_rows(found)],
    }


def say_unread(found: Inventory, options: AnyEngineOptions) -> int:
    """Print unreadable and unknown parts; return 2 for unreadable ones."""
    code = say_problems(found)
    for text in found.unread if not options.quiet else ():
        say(f"not known: {text}")
    return code


def item_facts(found: Inventory, item: Item) -> dict[str, Any]:
    """Return a package or object for JSON."""
    facts = {**fields_of(item, identity="id"), "file": plain(found.files[item.file].name)}
    return {**facts, "class": facts["class"] or None}


def list_items(found: Inventory, options: AnyEngineOptions, classes: Sequence[str], files: Sequence[str]) -> int:
    """Print the items of some classes in some files."""
    code = say_unread(found, options)
    items = list(select_items(found, classes, files))
    if items:
        _print_items(found, items, options)
        return code
    word = next(iter((*classes, *files)), "")
    known = known_item_classes(found) if classes else {file.name for file in found.files}
    what = f" of {word!r}" if word else ""
    return max(code, not_found(f"nothing{what} in {', '.join(found.paths)}", word, known))


def find_items(
    found: Inventory,
    text: str,
    matches: Callable[[str], object],
    options: AnyEngineOptions,
    chosen: tuple[Sequence[str], Sequence[str]],
) -> int:
    """Print the items with a match in name, class or id."""
    code = say_unread(found, options)
    items = [
        item
        for item in select_items(found, *chosen)
        if any(part and matches(part) for part in (item.name, item.class_name, item.identity))
    ]
    if items:
        _print_items(found, items, options)
        return code
    known = {item.name.rpartition("/")[2] for item in found.items}
    return max(code, not_found(f"nothing matches {text!r} in {', '.join(found.paths)}", text, known))


def _print_items(found: Inventory, items: Sequence[Item], options: AnyEngineOptions) -> None:
    def cells(item: Item) -> tuple[str, ...]:
        sizes = f"{item.size:,}", f"{item.streamed:,}" if item.streamed else "", f"{item.disk:,}"
        return found.files[item.file].name, item.shown_class, *sizes, item.name

    head = ("file", "class", "bytes", "streamed", "on disk", "name")
    print_rows(items, partial(item_facts, found), cells, as_json=options.json, head=head, right=frozenset((2, 3, 4)))


def sizes_of(found: Inventory, key: str) -> list[SizeRow]:
    """Return a build's bytes by a key; raises UsageError."""
    if key not in KEYS:
        raise UsageError(f"--by {key}: builds of {found.engine} have no {key}s; write {', '.join(KEYS[:-1])} or object")
    return inventory_rows(found, key)


def print_duplicates(found: Inventory, options: AnyEngineOptions, *, everything: bool) -> int:
    """Print copies; 1 if there are any."""
    return print_copies(found.duplicates, partial(_copies, found), "thing", as_json=options.json, everything=everything)


def _copies(found: Inventory, row: Duplicate) -> Copies:
    items = [found.items[place] for place in row.items]
    why = row.by if row.by == SAME_DATA or row.is_equal is not False else f"{row.by}, not the same data"
    places = dict.fromkeys(
        item.name if row.by == SAME_DATA and item.kind != OBJECT else found.files[item.file].name for item in items
    )
    head = items[0]
    objects = [
        {"file": plain(found.files[item.file].name), "name": plain(item.name), "id": item.identity} for item in items
    ]
    class_name = plain(head.class_name) or None
    return Copies(class_name, head.name, row.is_equal, objects, head.shown_class, why, list(places))
