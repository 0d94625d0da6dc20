"""Methods and components that C# mentions, found without reading its grammar."""

from __future__ import annotations

import pytest

from assetdb.unity.scripts.mentions import added_components, mentioned_methods


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("void Open() { }", {"Open"}),
        ("public List<int> All (int a) => b;", {"All"}),
        ("int[] Rows()", {"Rows"}),
        ("int? Maybe()", {"Maybe"}),
        ("void\n\tStep\n(", {"Step"}),
        ("void _1st()", {"_1st"}),
        ("void 1st()", set()),
        ("// void Old()", {"Old"}),
        ("void Öffnen()", {"Öffnen"}),
        ("return this.Call(1)", set()),
        ("", set()),
    ],
)
def test_methods_are_mentioned_where_one_may_be_declared(code: str, names: set[str]) -> None:
    assert mentioned_methods(code.encode()) == names


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("go.AddComponent<Door>();", {"Door"}),
        ("go.AddComponent < Acme . Door > ();", {"Door"}),
        ("go.AddComponent(typeof(Acme.Door));", {"Door"}),
        ("go.AddComponent( typeof (Door) );", {"Door"}),
        ("AddComponent<Door>(); AddComponent(typeof(Window));", {"Door", "Window"}),
        ("go.AddComponent(type);", set()),
        ("go.GetComponent<Door>();", set()),
    ],
)
def test_components_are_added_by_their_type(code: str, names: set[str]) -> None:
    assert added_components(code.encode()) == names
