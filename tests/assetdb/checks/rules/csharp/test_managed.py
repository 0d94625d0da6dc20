"""Types behind references to managed objects, beside the scripts of their assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.csharp.managed import find_types
from tests.assetdb.checks.healthy import NATIVE, SCRIPT, make_healthy, put, scriptable
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = "namespace Studio { class Goal { class Step {} } class List<T> {} }\nclass Plain {}\n"


@pytest.mark.parametrize(
    ("name", "namespace", "assembly", "is_found"),
    [
        ("Goal", "Studio", "Game", False),
        ("Goal/Step", "Studio", "Game", False),
        ("Plain", "", "Game", False),
        ("Goals", "Studio", "Game", True),
        ("Goal/Stop", "Studio", "Game", True),
        ("Goal", "Studio.Old", "Game", True),
        ("Plain", "Studio", "Game", True),
        ("List`1[[Studio.Goal, Game]]", "Studio", "Game", False),
        ("Goals", "Studio", "Vendor", False),  # of a package
        ("Goals", "Studio", "Assembly-CSharp", False),  # the project has no such script
    ],
)
def test_a_type_that_is_gone(tmp_path: Path, name: str, namespace: str, assembly: str, is_found: bool) -> None:  # noqa: FBT001 - a row
    root = make_healthy(tmp_path / "Game")
    put(root, "Assets/Scripts/Goal.cs", SOURCE, SCRIPT)
    row = f"    - rid: 5\n      type: {{class: {name}, ns: {namespace}, asm: {assembly}}}\n      data:\n"
    extra = f"  target: {{fileID: 0}}\n  references:\n    version: 2\n    RefIds:\n{row}"
    put(root, "Assets/Data/Quest.asset", scriptable("Assets/Scripts/Item.cs", "Quest", extra), NATIVE)
    found = [(finding.path, finding.anchor) for finding in found_by(find_types, root)]
    assert found == ([("Assets/Data/Quest.asset", 11400000)] if is_found else [])
    if is_found:
        (finding,) = found_by(find_types, root)
        assert f"class: {name}" in (root / "Assets/Data/Quest.asset").read_text().splitlines()[finding.line - 1]


def test_an_assembly_with_an_empty_script_is_not_judged(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    put(root, "Assets/Scripts/Empty.cs", "", SCRIPT)
    row = "    - rid: 5\n      type: {class: Goals, ns: Studio, asm: Game}\n      data:\n"
    extra = f"  references:\n    version: 2\n    RefIds:\n{row}"
    put(root, "Assets/Data/Quest.asset", scriptable("Assets/Scripts/Item.cs", "Quest", extra), NATIVE)
    assert found_by(find_types, root) == []


@pytest.mark.parametrize(
    ("empty", "text", "name", "is_found"),
    [
        ("Old", "", "Goals", True),
        ("Old", "// nothing is left\n", "Goals", True),
        ("Goals", "", "Goals", False),  # it may be in there
        ("Goals.Editor", "", "Goals", False),
    ],
)
def test_one_empty_script_of_many_hides_only_a_type_of_its_name(
    tmp_path: Path,
    empty: str,
    text: str,
    name: str,
    is_found: bool,  # noqa: FBT001 - a row
) -> None:
    root = make_healthy(tmp_path / "Game")
    for number in range(10):
        put(root, f"Assets/Scripts/Many{number}.cs", f"class Many{number} {{}}\n", SCRIPT)
    put(root, f"Assets/Scripts/{empty}.cs", text, SCRIPT)
    row = f"    - rid: 5\n      type: {{class: {name}, ns: , asm: Game}}\n      data:\n"
    extra = f"  references:\n    version: 2\n    RefIds:\n{row}"
    put(root, "Assets/Data/Quest.asset", scriptable("Assets/Scripts/Item.cs", "Quest", extra), NATIVE)
    assert [finding.target for finding in found_by(find_types, root)] == ([name] if is_found else [])
