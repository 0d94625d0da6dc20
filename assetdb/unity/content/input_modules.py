"""Axes and buttons of the input manager that event systems name."""

from __future__ import annotations

import re
from typing import Any, Final

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.scalars import scalar_at

INPUT_MODULE: Final = "4f231c4fb786f3946a6b90b886c48677"
"""GUID of StandaloneInputModule.cs of com.unity.ugui."""
_BEHAVIOUR: Final = 114
_SCRIPT: Final = b"\n  m_Script: {fileID: 11500000, guid: %b," % INPUT_MODULE.encode()
_ENABLED: Final = b"\n  m_Enabled: 1"
_INACTIVE: Final = b"\n  m_IsActive: 0"
_OWNER: Final = re.compile(rb"\n  m_GameObject: \{fileID: (-?\d{1,20})\}")
_NAME: Final = re.compile(rb"\n  (m_(?:Horizontal|Vertical)Axis|m_(?:Submit|Cancel)Button):")
_COLUMN: Final = 2


def read_named_axes(data: bytes) -> tuple[tuple[int, str], ...]:
    """Return place and name of axes and buttons of enabled modules.

    An object that is switched off, as one event system of two mostly is, asks for none.
    """
    found: list[tuple[int, str]] = []
    every = documents(data) if _SCRIPT in data else []
    inactive = {item.file_id for item in every if data.find(_INACTIVE, item.start, item.end) >= 0}
    for item in every:
        if item.class_id == _BEHAVIOUR and all(
            data.find(each, item.start, item.end) >= 0 for each in (_SCRIPT, _ENABLED)
        ):
            owner = _OWNER.search(data, item.start, item.end)
            if owner is not None and int(owner[1]) in inactive:
                continue
            matches = _NAME.finditer(data, item.start, item.end)
            found += [(match.start(1), scalar_at(data, match.end(), _COLUMN)) for match in matches]
    return tuple(found)


def named_axes_of(rows: list[Any]) -> tuple[tuple[int, str], ...]:
    """Return axes and buttons of their JSON.

    Raises:
        ValueError, TypeError: they are of another form.
    """
    return tuple((int(place), str(name)) for place, name in rows)
