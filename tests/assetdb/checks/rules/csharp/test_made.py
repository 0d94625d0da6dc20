"""Components and assets that scripts make with ``new``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.csharp.made import find_made
from tests.assetdb.checks.healthy import SCRIPT, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

COMPONENT = "using UnityEngine;\npublic class Health : MonoBehaviour {}\n"
GAME = "namespace Game { class A { object F() => new Health(); } }\n"
MAKES = "class Door {\n  object F() {\n    return new Health();\n  }\n}\n"
PATH = "Assets/Scripts/Door.cs"


def told(root: Path, health: str, door: str, path: str = PATH) -> list[tuple[str, int, str]]:
    put(root, "Assets/Scripts/Health.cs", health, SCRIPT)
    put(root, path, door, SCRIPT)
    return [(finding.path, finding.line, finding.message) for finding in found_by(find_made, root)]


@pytest.mark.parametrize(
    ("health", "said"),
    [
        (COMPONENT, "Health is a component: it has no object and compares as null; only AddComponent makes one"),
        (
            COMPONENT.replace("MonoBehaviour", "ScriptableObject"),
            "Health is a ScriptableObject: Unity warns and may not call its messages; CreateInstance makes one",
        ),
        (
            f"{COMPONENT.replace('Health', 'Base')}public class Health : Base {{}}\n",
            "Health is a component: it has no object and compares as null; only AddComponent makes one",
        ),
    ],
)
def test_a_component_that_new_makes_is_told(tmp_path: Path, health: str, said: str) -> None:
    assert told(tmp_path, health, MAKES) == [(PATH, 3, said)]


@pytest.mark.parametrize(
    "door",
    [
        "class Door {\n\n  object F() { return new global::Health (); }\n}\n",
        "class Door {\n\n  Health F() { return new Health { enabled = false }; }\n}\n",
        "namespace Game {\nclass Door {\n  object F() { return new Health(); } } }\n",
    ],
)
def test_other_forms(tmp_path: Path, door: str) -> None:
    assert [line for _, line, _ in told(tmp_path, COMPONENT, door)] == [3]


def test_a_namespace_is_visible_by_an_import_or_around(tmp_path: Path) -> None:
    health = "using UnityEngine;\nnamespace Game { public class Health : MonoBehaviour {} }\n"
    assert told(tmp_path, health, MAKES) == []  # it means another class
    assert [line for _, line, _ in told(tmp_path, health, f"using Game;{MAKES}")] == [3]
    assert [line for _, line, _ in told(tmp_path, health, GAME)] == [1]
    assert [line for _, line, _ in told(tmp_path, health, GAME.replace("Game", "Game.Doors"))] == [1]
    assert told(tmp_path, health, GAME.replace("Game", "Gamer")) == []


@pytest.mark.parametrize(
    ("health", "door"),
    [
        (COMPONENT, "class Door { object F() => new Health[3]; }\n"),
        (COMPONENT, "class Door { object F() => new List<Health>(); }\n"),
        (COMPONENT, "class Door { object F() => new Vendor.Health(); }\n"),
        (COMPONENT, "class Door { object F() => new Health.Event(); }\n"),
        (COMPONENT, "class Door : Item { public new Health Find { get; } }\n"),
        (COMPONENT, "class Door { // new Health()\n}\n"),
        (COMPONENT, 'class Door { string F() => "new Health()"; }\n'),
        (COMPONENT, "using Health = Vendor.Health; class Door { object F() => new Health(); }\n"),
        (COMPONENT, "class Door { class Health {} object F() => new Health(); }\n"),
        (COMPONENT, "class Door<Health> where Health : new() { object F() => new Health(); }\n"),
        (COMPONENT, "class Door { T F<T, Health>() where Health : T, new() => new Health(); }\n"),
        (COMPONENT, "class Door {\n#if UNITY_EDITOR\n  object F() => new Health();\n#endif\n}\n"),
        (COMPONENT, "class Door { object F() => new Health();\n"),
        ("public class Health {}\n", MAKES),
        (COMPONENT.replace("Health", "Health<T>"), MAKES),
        (COMPONENT.replace("public", "#if !VENDOR\npublic") + "#endif\n", MAKES),
        ("using UnityEngine;\npublic class Health : Vendor.Item {}\n", MAKES),
        ("class MonoBehaviour {}\npublic class Health : MonoBehaviour {}\n", MAKES),
    ],
)
def test_of_everything_else_nothing_is_said(tmp_path: Path, health: str, door: str) -> None:
    assert told(tmp_path, health, door) == []


def test_scripts_of_the_editor_may(tmp_path: Path) -> None:
    assert told(tmp_path, COMPONENT, MAKES, "Assets/Scripts/Editor/Door.cs") == []


def test_an_assembly_that_is_not_seen_has_another_class(tmp_path: Path) -> None:
    importer = "AssemblyDefinitionImporter:\n  externalObjects: {}\n"
    put(tmp_path, "Assets/Doors/Doors.asmdef", '{"name": "Doors"}', importer)
    path = "Assets/Doors/Door.cs"
    assert told(tmp_path, COMPONENT, MAKES, path) == []
    put(tmp_path, "Assets/Scripts/Scripts.asmdef", '{"name": "Scripts"}', importer)
    assert told(tmp_path, COMPONENT, MAKES, path) == []
    put(tmp_path, "Assets/Doors/Doors.asmdef", '{"name": "Doors", "references": ["Scripts"]}', importer)
    assert [line for _, line, _ in told(tmp_path, COMPONENT, MAKES, path)] == [3]


def test_hostile_chains_and_names_take_no_time(tmp_path: Path) -> None:
    many = "".join(f"class C{number} : C{number + 1} {{ object F() => new C{number}(); }}\n" for number in range(3000))
    assert told(tmp_path, many, f"{MAKES}class X : C0 {{ object F() => new {'a.' * 100_000}b(); }}\n") == []
