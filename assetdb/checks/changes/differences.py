"""Differences as text, JSON and Markdown."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.query.differences import ORDER
from assetdb.system.escaping import printable
from assetdb.unity.kinds import extension_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.query.compared_files import ComparedFiles
    from assetdb.query.differences import AssetChange, Comparison, NamedObject, NamedValue, ReferenceChange
    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.inspecting import ValueText

    Differences = Comparison | ComparedFiles

_MOST_VALUES: Final = 10
_MOST_OBJECTS: Final = 20
_MOST_ROWS: Final = 20
_LONGEST: Final = 200
_ROOM_FOR_NOTE: Final = 200  # bytes for the last line of a comment: that more differs
_SIGNS: Final = {"added": "+", "removed": "-", "changed": "~"}
_WORDS: Final = {"guid": "new GUID"}


def as_json(found: Differences) -> Iterator[dict[str, object]]:
    """Yield a row for each asset, object, reference and asset reached."""
    from assetdb.query.inspecting import plain_value  # noqa: PLC0415 - where nothing differs it is not needed

    for change in found.assets:
        yield {"kind": "asset", **change._asdict()}
        for item in found.objects(change):
            values = [
                {"path": row.path, "old": plain_value(row.old), "new": plain_value(row.new)} for row in item.values
            ]
            fields = item._asdict()
            del fields["values"]  # they come last
            yield {"kind": "object", "path": change.path, "guid": change.guid, **fields, "values": values}
    for reference in found.references:
        yield {"kind": "reference", **reference._asdict()}
    for info in found.reached:
        yield {"kind": "reached", "path": info.path, "guid": info.guid, "type": info.type}


# --- text


def as_text(found: Differences, *, every: bool) -> Iterator[str]:
    """Yield lines for people; without ``every`` the first ones of each list."""
    if not found.assets:
        yield "nothing differs"
        return
    for change in found.assets:
        yield printable(_asset_line(change))
        yield from _object_lines(found.objects(change), every=every)
    if found.references:
        yield ""
        shown = found.references if every else found.references[:_MOST_ROWS]
        yield from (printable(f"{row.change:8}  {_reference_line(row)}") for row in shown)
        yield from _more(len(found.references) - len(shown), "references")
    if found.reached:
        yield ""
        yield printable(_reached_line(found.reached))
    yield ""
    yield _summary(found)


def _asset_line(change: AssetChange) -> str:
    path = f"{change.old_path} -> {change.path}" if change.old_path else change.path
    kind = f"{change.old_type} -> {change.type}" if change.old_type else change.type
    former = f", was {change.old_guid}" if change.old_guid else ""
    details = f"  ({kind}{former})" if kind or former else ""
    return f"{_WORDS.get(change.change, change.change):8}  {path}{details}"


def _object_lines(objects: Iterable[NamedObject], *, every: bool) -> Iterator[str]:
    left_out = 0
    for number, item in enumerate(objects):
        if number >= _MOST_OBJECTS and not every:
            left_out += 1
            continue
        note = f": {item.note}" if item.note else ""
        yield printable(f"  {_SIGNS[item.change]} {item.name}{note}")
        rows = list(_value_rows(item.values))
        shown = rows if every else rows[:_MOST_VALUES]
        width = max((len(path) for path, _ in shown), default=0)
        yield from (printable(f"      {path:{width}}  {text}") for path, text in shown)
        yield from (f"      {line}" for line in _more(len(rows) - len(shown), "values"))
    yield from (f"  {line}" for line in _more(left_out, "objects"))


def _value_rows(values: Iterable[NamedValue]) -> Iterator[tuple[str, str]]:
    """Yield path and change of each value or whole list item."""
    for (item, is_new), group in groupby(values, key=lambda row: (row.item, row.old is None)):
        rows = list(group)
        if item and (len(rows) > 1 or rows[0].path != item):
            fields = [f"{row.path[len(item) :].lstrip('.')}: {_shown(row.new if is_new else row.old)}" for row in rows]
            whole = _shortened(f"{{{', '.join(fields)}}}")
            yield item, f"(none) -> {whole}" if is_new else f"{whole} -> (none)"
        else:
            yield from ((row.path, f"{_shown(row.old)} -> {_shown(row.new)}") for row in rows)


def _more(count: int, what: str) -> Iterator[str]:
    if count > 0:
        yield f"and {count:,} more {what if count > 1 else what[:-1]} (--verbose lists all)"


def _shown(value: ValueText | None) -> str:
    if value is None:
        return "(none)"
    from assetdb.query.inspecting import described_value  # noqa: PLC0415 - where nothing differs it is not needed

    text = described_value(value)
    return _shortened(text) or '""'


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _reference_line(row: ReferenceChange) -> str:
    return f"{row.path or row.guid} -> {row.target or row.target_guid}"


def _reached_line(reached: Sequence[AssetInfo]) -> str:
    """Return the scenes, prefabs and groups that reach a change."""
    kinds = Counter(_kind(info) for info in reached)
    counts = ", ".join(f"{count:,} {kind}{'s' * (count > 1)}" for kind, count in sorted(kinds.items(), key=_rank))
    first = sorted(reached, key=lambda info: (_rank((_kind(info), 0)), info.path))[:3]
    names = ", ".join(info.path for info in first)
    return f"reached by {counts}: {names}{', ...' * (len(reached) > len(first))}"


def _kind(info: AssetInfo) -> str:
    return {"unity": "scene", "prefab": "prefab"}.get(extension_of(info.path), "group")


def _rank(row: tuple[str, int]) -> int:
    return ("scene", "group", "prefab").index(row[0])


def _summary(found: Differences) -> str:
    counts = Counter(change.change for change in found.assets)
    parts = [f"{counts[kind]:,} {_WORDS.get(kind, kind)}" for kind in ORDER if counts[kind]]
    references = Counter(row.change for row in found.references)
    details = [f"{count:,} {kind}" for kind, count in sorted(references.items())]
    return f"assets: {', '.join(parts)}" + (f"; references: {', '.join(details)}" if details else "")


# --- Markdown


def as_markdown(found: Differences, largest: int) -> str:
    """Return a comment of at most some bytes, the most important first."""
    from html import escape  # noqa: PLC0415 - 4 ms, for comments alone

    from assetdb.checks.reports.markdown import code_span  # noqa: PLC0415 - for comments alone

    counts = Counter(row.change for row in found.references)
    lines = ["### assetdb diff", "", _summary(found) if found.assets else "Nothing differs."]
    dangling = [row for row in found.references if row.change == "dangling"]
    if dangling:
        number = counts["dangling"]
        lines += ["", f"**{counted(number, 'reference')} {'leads' if number == 1 else 'lead'} to nothing now**", ""]
        lines += [f"- {code_span(_reference_line(row))}" for row in dangling]
    if found.reached:
        lines += ["", code_span(_reached_line(found.reached))]
    if found.assets:
        lines += ["", "**Assets**", ""]
        lines += [f"- {code_span(' '.join(_asset_line(change).split()))}" for change in found.assets]
    size = sum(len(line.encode()) + 1 for line in lines)
    size, lines = _fit(lines, size, largest)
    for change in found.assets:
        if size >= largest:
            break
        rows = [line.strip("\n") for line in _object_lines(found.objects(change), every=False)]
        if not rows:
            continue
        block = [
            "",
            f"<details><summary>{escape(printable(change.path), quote=False)}</summary>",
            "",
            *(f"    {row}" for row in rows),
            "",
            "</details>",
        ]
        needed = sum(len(line.encode()) + 1 for line in block)
        if size + needed > largest - _ROOM_FOR_NOTE:
            lines += ["", "More objects differ: `assetdb diff --verbose` lists all."]
            break
        lines += block
        size += needed
    return "\n".join(lines)


def _fit(lines: list[str], size: int, largest: int) -> tuple[int, list[str]]:
    """Return the first lines that fit with a note, and their size.

    The size is ``largest`` if lines were left out: then nothing more fits.
    """
    room = largest - _ROOM_FOR_NOTE
    if size <= room:
        return size, lines
    kept, size = [], 0
    for line in lines:
        size += len(line.encode()) + 1
        if size > room:
            break
        kept.append(line)
    return largest, [*kept, "", f"and {len(lines) - len(kept):,} more lines: `assetdb diff --verbose` lists all."]
