"""Input actions: bindings of actions that their map does not have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import INPUT_BINDING
from assetdb.memo.inputs import assets_ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_ACTIONS: Final = ".inputactions"
_LARGEST: Final = 1 << 24


def find_bindings(project: View) -> Iterator[Finding]:
    """Yield bindings and composites of no action."""
    for asset in assets_ending(project.database, _ACTIONS):
        data = project.read(asset.path) or b""
        for number, row in enumerate(_rows(_read(data), "maps")):
            values = [each.get(key) for each in _rows(row, "actions") for key in ("name", "id")]
            known = {value for value in values if isinstance(value, str)}  # a list in a damaged file is no name
            for place, binding in enumerate(_rows(row, "bindings")):
                action = binding.get("action")
                if isinstance(action, str) and action not in known:
                    kind = "composite" if binding.get("isComposite") is True else "binding"
                    meant = f"the action {action!r}, which the map {row.get('name')!r} lacks" if action else "no action"
                    yield Finding.of(
                        *(
                            INPUT_BINDING,
                            asset.path,
                            f"the {kind} {_name(binding)!r} is of {meant}",
                            _line(data, binding),
                        ),
                        property_path=f"maps[{number}].bindings[{place}].action",
                        asset=asset.guid,
                        target=action,
                    )


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


def _line(data: bytes, binding: dict[str, Any]) -> int:
    """Return the line of a binding's id, 0 without one."""
    found = data.find(json.dumps(binding.get("id")).encode()) if binding.get("id") else -1
    return data.count(b"\n", 0, found) + 1 if found >= 0 else 0
