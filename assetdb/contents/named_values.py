"""Values of properties by name, in documents, metas and overrides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.yaml.property_path import places
from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.unity.yaml.property_path import Place

_ITEM: Final = re.compile(r"\.Array\.data\[\d+\]|\.Array(?=\.size$)|\[\d+\]")
_OVERRIDE: Final = re.compile(rb"\n( *)propertyPath:([^\r\n]*)\r?\n *value:")
_LONGEST: Final = 4000  # characters of a value that is shown


class PropertyValue(NamedTuple):
    """A property of an object, or of a meta, with its value.

    Attributes:
        place: of the property.
        path: ``m_OnClick.m_PersistentCalls.m_Calls[0].m_MethodName``, as it is written for an override.
        value: as text; of a reference as it is written, of a list or map of several lines ``""``.
    """

    place: Place
    path: str
    value: str


def property_values(data: bytes, name: str, is_wanted: Callable[[str], object]) -> list[PropertyValue]:
    """Return the wanted values of a property, in order.

    Args:
        data: a text asset or a meta.
        name: of the property, with as many of the names around it as shall count: ``m_Calls.m_MethodName``.
        is_wanted: given the text of a value.
    """
    last = name.rpartition(".")[2].encode()
    if last not in data:
        return []
    found: list[tuple[int, str]] = []
    row = re.compile(rb"^( *(?:- )*)(" + re.escape(last) + rb"):(?=[ \r\n]|\Z)", re.MULTILINE)
    for match in row.finditer(data):
        value = scalar_at(data, match.end(), len(match[1]))
        if is_wanted(value):
            found.append((match.start(2), value))
    for match in _OVERRIDE.finditer(data):
        path = scalar_at(data, match.start(2), len(match[1]))
        if _names(path)[-1:] == [last.decode("utf-8", "replace")]:
            value = scalar_at(data, match.end(), len(match[1]))
            if is_wanted(value):
                found.append((match.start(2) + 1, value))
    found.sort()
    wanted = _names(name)
    rows = []
    for (_, value), place in zip(found, places(data, [offset for offset, _ in found]), strict=True):
        path = place.override or place.path
        if _names(path)[-len(wanted) :] == wanted:
            rows.append(PropertyValue(place, path, value[:_LONGEST]))
    return rows


def _names(path: str) -> list[str]:
    """Return the names of a property path, without list items."""
    return _ITEM.sub("", path).split(".")
