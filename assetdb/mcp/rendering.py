"""Rows of answers as lines of text.

Each line is short, and has the GUID or fileID that the next question needs.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from assetdb.checks.counting import counted
from assetdb.diagnostics.codes import CODES
from assetdb.diagnostics.pages import PAGES
from assetdb.query.completeness import UNREAD_FILES
from assetdb.query.inspecting import HIDDEN
from assetdb.query.selecting.labels import labels_text
from assetdb.system.json_text import write_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assetdb.checks.reports.grouping import Group

    Row = Mapping[str, Any]


def _joined(*parts: object) -> str:
    return "  ".join(text for text in map(str, parts) if text)


def _position(path: str, line: int) -> str:
    return f"{path}:{line}" if line else path


def title(row: Row) -> str:
    """Return path or name, type and GUID of a subject."""
    kind = f"({row['type']})" if row["type"] else ""
    parts: tuple[str, ...] = (row["path"] or row["name"], kind, row["guid"])
    return " ".join(filter(None, parts))


def found_row(row: Row) -> str:
    """Return a line of ``find``."""
    is_part = row["file_id"] is not None
    guid = f"{row['guid']}:{row['file_id']}" if is_part else row["guid"]
    name = row["name"] if is_part else ""
    labels = labels_text(row.get("labels", ()))
    return _joined(row["path"], row["type"], *_bytes(row), *_imported(row), guid, name, labels)


def objects_row(rows: Sequence[Row]) -> str:
    """Return a line for the objects of a file that ``find`` lists."""
    first = rows[0]
    objects = ", ".join(f"{row['name']} ({row['type']} &{row['file_id']})" for row in rows)
    return _joined(first["path"], first["guid"], f"{counted(len(rows), 'object')}: {objects}")


def info_row(row: Row) -> str:
    """Return a line for an asset that refers, or is referred to."""
    path = row["path"] or f"({row['name'] or 'not in the project'})"
    return _joined(path, row["type"], *_bytes(row), row["guid"], row["package"])


def _imported(row: Row) -> list[str]:
    """Return a texture as a platform gets it, if it is one."""
    found = row.get("imported")
    if not found:
        return []
    size = "? bytes" if found["bytes"] is None else counted(found["bytes"], "byte")
    return [f"imported: {found['width']}x{found['height']} {found['format']} {size}"]


def _bytes(row: Row) -> list[str]:
    """Return the cell of a row's size, if the row has one."""
    return ["-" if row["bytes"] is None else str(row["bytes"])] if "bytes" in row else []


def place_row(row: Row) -> str:
    """Return a line for a place that refers: file, line, object, property."""
    subject = row["hierarchy"] or row["object_name"]
    described = " ".join(filter(None, (subject, f"({row['class']} &{row['object_id']})" if row["class"] else "")))
    override = f" = {row['override']}" if row["override"] else ""
    return _joined(_position(row["path"], row["line"]), described, row["property"] + override)


def by_instance(places: Iterable[Row]) -> list[list[Row]]:
    """Return places in groups: all overrides of an instance, else one."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for number, row in enumerate(places):
        key = (row["path"], row["object_id"]) if row["override"] and row["object_id"] else (number,)
        groups.setdefault(key, []).append(row)
    return list(groups.values())


def places_row(rows: list[Row]) -> str:
    """Return a line for places: the first, and how many more."""
    return _joined(place_row(rows[0]), f"and {len(rows) - 1:,} more overrides" if len(rows) > 1 else "")


def value_row(row: Row) -> str:
    """Return a line for a stored value: file, line, object, property."""
    default = "zero or empty" if row["is_default"] else ""
    return _joined(_position(row["path"], row["line"]), row["hierarchy"], row["property"], default)


def way_rows(way: Row) -> list[str]:
    """Return the lines of a chain, each the place of a reference."""
    lines = [f"{way['reason']}:"] if way["reason"] else []
    for step in way["steps"]:
        text = place_row(step["place"]) if step["place"] is not None else step["path"]
        more = f"and {step['places'] - 1:,} more" if step["places"] > 1 else ""
        lines.append(_joined(text, step["guid"], more))
    return lines


def overview_rows(found: Row) -> list[str]:
    """Return lines for the project as a whole."""
    absent = f", of which are not on this machine: {', '.join(found['absent'])}" if found["absent"] else ""
    unread = f", {counted(found['unread'], 'file')} could not be read" if found["unread"] else ""
    check = found["check"]
    last_check = "never"
    if check is not None:
        codes = "".join(f", {count:,} {code}" for code, count in check["codes"].items())
        notes = f", {counted(check['notes'], 'note')}" if check["notes"] else ""
        last_check = f"{counted(check['errors'], 'error')}, {counted(check['warnings'], 'warning')}{notes}{codes}"
    assets = f"{counted(found['assets'], 'asset')} in {counted(found['folders'], 'folder')}"
    return [
        f"Unity {found['unity'] or 'of an unknown version'}",
        f"{counted(found['packages'], 'package')} outside the project{absent}",
        f"{assets}, {found['bytes']:,} bytes{unread}",
        f"{counted(found['references'], 'reference')}",
        f"last check: {last_check}",
        "types, the largest first:",
        *(f"  {row['type']}  {counted(row['assets'], 'asset')}  {row['bytes']:,} bytes" for row in found["types"]),
        "most used:",
        *(
            f"  {_joined(row['path'], row['type'], row['guid'])}  {counted(row['users'], 'user')}"
            for row in found["used"]
        ),
    ]


def asset_row(row: Row) -> str:
    """Return a line for an asset in a folder."""
    return _joined(row["path"], row["type"], row["bytes"], *_imported(row), row["guid"])


def part_row(row: Row) -> str:
    """Return a line for an object of an asset without hierarchy."""
    return _joined(row["name"] or "-", row["type"], f"&{row['file_id']}")


def object_row(row: Row, path: str) -> str:
    """Return an indented line for an object of a hierarchy."""
    notes = (
        "" if row["active"] else "inactive",
        "added" if row["added"] else "",
        "removed" if row["removed"] else "",
        f"{row['overridden']} overridden" if row["overridden"] else "",
        row["reason"],
    )
    source = ""
    if row["places"]:
        source = f"[from {row['source_path']} {row['source']}]"
    elif row["source_path"] != path:
        source = f"[{row['source_path'].rpartition('/')[2] or row['source']}]"
    parts = ", ".join(map(_component, row["components"]))
    indent: str = "  " * row["depth"]
    return indent + _joined(row["name"], f"&{row['file_id']}", parts, source, ", ".join(filter(None, notes)))


def _component(row: Row) -> str:
    mark = "-" if row["removed"] else "+" if row["added"] else ""
    return f"{mark}{row['type']}{'*' if row['overridden'] else ''} &{row['file_id']}"


def value_rows(found: Row) -> list[str]:
    """Return lines for an object's values; a vector is one line."""
    lines: list[str] = []
    for _, group in groupby(found["properties"], lambda row: row["group"] or id(row)):
        rows = list(group)
        row = rows[0]
        if row["path"].partition(".")[0] in HIDDEN:
            continue
        setters = {step["path"]: None for item in rows for step in item["overrides"][-1:]}
        note = f"(overridden by {', '.join(setters)})" if setters else ""
        if row["group"]:
            fields = ", ".join(f"{item['path'].rpartition('.')[2]}: {_value(item['value'])}" for item in rows)
            lines.append(_joined(f"{row['group']} = ({fields})", note))
        else:
            lines.append(_joined(f"{row['path']} = {_value(row['value'])}", note))
    return lines


def chain_rows(found: Row) -> list[str]:
    """Return lines of values with their overrides, the innermost first."""
    lines = []
    for row in found["properties"]:
        steps = [] if row["base"] is None else [f"{found['source_path']}: {_value(row['base'])}"]
        steps += [f"{step['path']}: {_value(step['value'])}" for step in row["overrides"]]
        lines.append(f"{row['path']} = {' -> '.join(steps)}")
    return lines


def _value(value: object) -> str:
    """Return a value of ``get --json`` as text."""
    if value is None:
        return "-"
    if not isinstance(value, dict):
        return str(value)
    if "value" in value:
        return f"{value['name']} ({value['value']})"
    if not value["guid"] and not value["file_id"]:
        return value["name"] or "None"
    reference = f"{value['guid']}:{value['file_id']}" if value["guid"] else f"&{value['file_id']}"
    return " ".join(filter(None, (value["name"], reference, f"({value['reason']})" if value["reason"] else "")))


def named_row(query: str, row: Row, reason: str) -> str:
    """Return a line of ``name``."""
    guid = row["guid"] or ""
    if row["file_id"] is not None:
        guid += f":{row['file_id']}"
    subject = guid if guid == query else f"{query} -> {guid}" if guid else query
    kind = "" if row["name"].endswith(")") else row["type"]
    return _joined(
        subject, row["name"], kind, row["path"], labels_text(row.get("labels", ())), f"({reason})" if reason else ""
    )


def group_row(group: Group) -> str:
    """Return a line of ``check``, for findings of one cause."""
    first = group.first
    fix = "[check --fix fixes it]" if first.fixable else ""
    texts = (first.where, first.message) if len(group.findings) == 1 else (group.text,)
    return _joined(_position(first.path, first.line), f"{first.severity} {first.code}", *texts, fix)


def property_row(row: Row) -> str:
    """Return a line for a value: file, line, object, property."""
    subject = f"{row['name']} ({row['type']})" if row["type"] else ""
    guid = f"{row['guid']}:{row['file_id']}" if row["file_id"] else row["guid"]
    return _joined(_position(row["path"], row["line"]), subject, guid, f"{row['property']} = {row['value']}")


def caller_row(row: Row) -> str:
    """Return a line for a call: file, line, object, property."""
    kind = row["kind"] if row["kind"] != "event" else ""
    return _joined(f"{row['path']}:{row['line']}", row["hierarchy"], row["property"], f"calls {row['method']}", kind)


def unused_row(row: Row) -> str:
    """Return a line of ``unused``."""
    by = f"packed by {row['packed_by']}" if row["packed_by"] else ""
    return _joined(row["path"], row["type"], *_bytes(row), row["guid"], by)


def alone_row(row: Row) -> str:
    """Return a line for the assets that one root keeps alone."""
    return _joined("kept by", row["root"], f"({row['reason']})", counted(row["assets"], "asset"), row["bytes"])


def traced_rows(row: Row) -> list[str]:
    """Return lines for an asset in a build, its parts and objects.

    The row of a built object, or a row of a list, is one line.
    """
    if "parts" not in row:
        return [fields_row(row)]
    others = {key: value for key, value in row.items() if key != "parts" and value != row["path"]}
    lines = [_joined(row["path"], fields_row(others), "" if row["parts"] else "in no part of the build")]
    for part in row["parts"]:
        way = f": {' > '.join(part['way'])}" if len(part["way"]) > 1 else ""
        why = "nothing that loads it was read" if part["why"] == "none" else f"{part['why']} {part['root']}{way}"
        objects = counted(len(part["objects"]), "object")
        lines.append(f"  {_joined(part['part'], counted(part['size'], 'byte'), objects, why)}")
        lines += [f"    {_built_row(each)}" for each in part["objects"]]
    return lines


def _built_row(row: Row) -> str:
    streamed = f"and {row['streamed']:,} streamed" if row["streamed"] else ""
    size = _joined(counted(row["size"], "byte"), streamed)
    sure = f"{row['certainty']} by {row['by']}"
    return _joined(row["class"], row["name"], f"{row['file']}#{row['path_id']}", size, sure)


def fields_row(row: Row) -> str:
    """Return the fields of a row that have a value."""
    given = {key: value for key, value in row.items() if value not in (None, "", [], {})}
    nested = {key: write_json(value).decode() for key, value in given.items() if isinstance(value, list | dict)}
    return _joined(*(f"{key}={value}" for key, value in {**given, **nested}.items()))


def rule_lines(code: str) -> list[str]:
    """Return the explanation of a code as lines."""
    row, about = CODES[code], PAGES[code]
    meaning = [f"For a reference, it means: {row.meaning}."] if row.meaning else []
    text = [
        f"{code} ({row.severity})",
        about.why,
        *meaning,
        f"Example: {about.example}",
        f"How to fix it: {about.mend}",
    ]
    return [line for part in text for line in part.split("\n")]


def doubts(result: Row) -> str:
    """Return why an answer may be incomplete, to follow its summary."""
    text = ""
    if UNREAD_FILES in result:
        text += f"; {counted(result[UNREAD_FILES], 'file')} could not be read, so there may be more"
    if "shares_guid_with" in result:
        text += f"; shares its GUID with {', '.join(result['shares_guid_with'])}"
    return text
