"""Numbers of children and roots after both sides changed the order."""

from __future__ import annotations

import re

from tests.assetdb.unity.merging.texts import GUID, merged, nothing


def transform(file_id: int, father: int, order: int, *children: int) -> str:
    listed = "".join(f"  - {{fileID: {child}}}\n" for child in children)
    rows = f"  m_Children:\n{listed}" if children else "  m_Children: []\n"
    return f"--- !u!4 &{file_id}\nTransform:\n{rows}  m_Father: {{fileID: {father}}}\n  m_RootOrder: {order}\n"


def instance(file_id: int, father: int, order: int) -> str:
    return (
        f"--- !u!1001 &{file_id}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: {father}}}\n"
        f"    m_Modifications:\n    - target: {{fileID: 4, guid: {GUID}, type: 3}}\n"
        f"      propertyPath: m_RootOrder\n      value: {order}\n"
        f"--- !u!4 &{file_id + 1} stripped\nTransform:\n  m_PrefabInstance: {{fileID: {file_id}}}\n"
    )


def orders(text: str) -> dict[int, int]:
    found = {}
    for part in text.split("\n--- ")[1:]:
        order = re.search(r"(?:m_RootOrder: |m_RootOrder\n      value: )(\d+)", part)
        if order:
            found[int(part.split("&")[1].split()[0])] = int(order[1])
    return found


def test_children_of_both_sides_are_numbered() -> None:
    base = transform(1, 0, 0, 2) + transform(2, 1, 0)
    ours = transform(1, 0, 0, 3, 2) + transform(2, 1, 1) + transform(3, 1, 0)
    theirs = transform(1, 0, 0, 2, 51) + transform(2, 1, 0) + instance(50, 1, 1)
    result = merged(base, ours, theirs)
    assert not result.conflicts
    assert orders(result.data(nothing).decode()) == {1: 0, 3: 0, 2: 1, 50: 2}


def test_roots_of_both_sides_are_numbered() -> None:
    base = transform(1, 0, 0) + transform(2, 0, 1)
    ours = transform(1, 0, 0) + transform(3, 0, 1) + transform(2, 0, 2)
    theirs = transform(4, 0, 0) + transform(1, 0, 1) + transform(2, 0, 2)
    result = merged(base, ours, theirs)
    assert not result.conflicts
    assert orders(result.data(nothing).decode()) == {4: 0, 1: 1, 3: 2, 2: 3}


def test_numbers_of_one_side_stay() -> None:
    base = transform(1, 0, 5) + transform(2, 0, 9)
    result = merged(base, base.replace("Order: 9", "Order: 4"), base.replace("m_Children: []", "m_Children: [] ", 1))
    assert orders(result.data(nothing).decode()) == {1: 5, 2: 4}
