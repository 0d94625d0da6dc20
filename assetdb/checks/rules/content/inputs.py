"""Input: twins of actions, bindings of nothing, axes of event systems."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import INPUT_BINDING, UNKNOWN_NAME
from assetdb.memo.facts import Extraction
from assetdb.unity.content.input_modules import INPUT_MODULE, named_axes_of, read_named_axes
from assetdb.unity.settings.tags import AXES_FILE, read_axes
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from assetdb.memo.view import View

    _Fault: TypeAlias = tuple[str, dict[str, Any], str, str]
    """The place in a map, the row there, the message, and the name or id that is meant."""

_ACTIONS: Final = ".inputactions"
_NAMED_AXES: Final = Extraction("axes of event systems", "2", read_named_axes, named_axes_of)
_SETTINGS: Final = "ProjectSettings/ProjectSettings.asset"
# Of the Input System alone; the second is of Unity 2018.3 and 2019.
_NO_AXES: Final = re.compile(rb"^  (?:activeInputHandler|disableOldInputManagerSupport): 1\r?$", re.MULTILINE)
_LARGEST: Final = 1 << 24
_ID: Final = re.compile(rb'"id"\s*:\s*"([^"\\\n]*)"')


def find_bindings(project: View) -> Iterator[Finding]:
    """Yield bindings of nothing, and actions of one id or name."""
    for asset in project.database.ending(_ACTIONS):
        data = project.read(asset.path) or b""
        tree = _read(data)
        lines: dict[str, int] | None = None
        schemes = {str(row.get("bindingGroup")) for row in _rows(tree, "controlSchemes")}
        for number, row in enumerate(_rows(tree, "maps")):
            faults = (
                _of_no_action(row),
                _of_no_scheme(row, schemes) if schemes else (),
                _of_one_id(row),
                _of_one_name(row),
            )
            for where, what, message, target in chain(*faults):
                lines = _lines_of(data) if lines is None else lines
                yield Finding.of(
                    INPUT_BINDING,
                    asset.path,
                    message,
                    lines.get(str(what.get("id")), 0),
                    property_path=f"maps[{number}].{where}",
                    asset=asset.guid,
                    target=target,
                )


def find_axes(project: View) -> Iterator[Finding]:
    """Yield axes and buttons of event systems that the settings lack.

    Unity throws in each frame: *Input Axis Fire9 is not setup*.
    """
    users = sorted(project.users([INPUT_MODULE]).get(INPUT_MODULE, ()))
    known = read_axes(project.read(AXES_FILE) or b"") if users else frozenset()
    if not known or _NO_AXES.search(project.read(_SETTINGS) or b""):
        return
    for asset in filter(None, map(project.database.by_guid, users)):
        lost = [(place, name) for place, name in project.facts(asset.path, _NAMED_AXES) if name not in known]
        where = places(project.read(asset.path) or b"", [place for place, _ in lost]) if lost else ()
        for (_, name), place in zip(lost, where, strict=True):
            said = f"names {name!r}: {AXES_FILE} has no such axis or button, and Unity throws in each frame"
            way = project.resolver.local_name(asset.guid, place.file_id) or ""
            yield Finding.of(
                UNKNOWN_NAME, asset.path, said, place.line, way, place.path, asset.guid, place.file_id, name
            )


def _of_no_action(row: dict[str, Any]) -> Iterator[_Fault]:
    """Yield bindings and composites of no action."""
    values = [each.get(key) for each in _rows(row, "actions") for key in ("name", "id")]
    known = {value for value in values if isinstance(value, str)}  # a list in a damaged file is no name
    for place, binding in enumerate(_rows(row, "bindings")):
        action = binding.get("action")
        if isinstance(action, str) and action not in known:
            kind = "composite" if binding.get("isComposite") is True else "binding"
            meant = f"the action {action!r}, which the map {row.get('name')!r} lacks" if action else "no action"
            yield f"bindings[{place}].action", binding, f"the {kind} {_name(binding)!r} is of {meant}", action


def _of_no_scheme(row: dict[str, Any], schemes: set[str]) -> Iterator[_Fault]:
    """Yield the first binding of each control scheme that a file lacks.

    Bindings that are pasted from another file keep its schemes (Unity's InputSystem, pull request 1445).
    """
    users: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for place, binding in enumerate(_rows(row, "bindings")):
        groups = binding.get("groups")
        for group in dict.fromkeys(groups.split(";") if isinstance(groups, str) else ()):
            if group and group not in schemes:
                users.setdefault(group, []).append((place, binding))
    for group, ((place, binding), *others) in users.items():
        also = f", as are {len(others):,} more of the map" if others else ""
        message = f"the binding {_name(binding)!r} is of the control scheme {group!r}, which the file lacks{also}"
        yield f"bindings[{place}].groups", binding, message, group


def _of_one_id(row: dict[str, Any]) -> Iterator[_Fault]:
    """Yield actions with the id of an earlier one of the map.

    References to one of them reach the other (Unity's InputSystem, issue 387).
    """
    first: dict[str, object] = {}
    for place, action in enumerate(_rows(row, "actions")):
        known = action.get("id")
        if not isinstance(known, str) or not known:
            continue
        if known in first:
            message = f"the action {action.get('name')!r} has the id of the action {first[known]!r}"
            yield f"actions[{place}].id", action, message, known
        first.setdefault(known, action.get("name"))


def _of_one_name(row: dict[str, Any]) -> Iterator[_Fault]:
    """Yield actions with the name of an earlier one of the map.

    Case is ignored. A binding or script that names the action gets the first of the two; the C# that Unity makes of the
    file has a member for each, and does not compile.
    """
    first: set[str] = set()
    for place, action in enumerate(_rows(row, "actions")):
        name = action.get("name")
        if isinstance(name, str) and name:
            if name.casefold() in first:
                yield f"actions[{place}].name", action, f"the map has another action {name!r}", name
            first.add(name.casefold())


def _read(data: bytes) -> object:
    try:
        return json.loads(data[:_LARGEST].decode("utf-8-sig"))
    except (ValueError, RecursionError):  # of another form: nothing is known
        return None


def _rows(value: object, key: str) -> list[dict[str, Any]]:
    rows = value.get(key) if isinstance(value, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _name(binding: dict[str, Any]) -> str:
    return str(binding.get("path") or binding.get("name") or "")


def _lines_of(data: bytes) -> dict[str, int]:
    """Return the line of each id, the last of equal ones."""
    found: dict[str, int] = {}
    line, end = 1, 0
    for match in _ID.finditer(data):
        line, end = line + data.count(b"\n", end, match.start()), match.start()
        found[match[1].decode("utf-8", "replace")] = line
    return found
