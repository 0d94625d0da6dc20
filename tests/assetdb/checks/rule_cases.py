"""What breaks a healthy project by one rule each: C#, settings, content; and what looks like it and is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tests.assetdb.checks.healthy import BEHAVIOUR, SCRIPT, guid_of, put, script_of
from tests.assetdb.unity_project import HEAD, component, game_object

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Row: TypeAlias = tuple[
        Callable[[Path], object], tuple[tuple[str, str], ...], Callable[[Path], object], tuple[tuple[str, str], ...]
    ]

ASSEMBLY = "AssemblyDefinitionImporter:\n  userData: \n"


def code(root: Path, path: str, text: str) -> None:
    put(root, path, text, SCRIPT)


def helper(root: Path, folder: str) -> None:
    """Place a component whose script is in a folder."""
    code(root, f"{folder}/Helper.cs", "using UnityEngine;\nclass Helper : MonoBehaviour {}\n")
    body = component(BEHAVIOUR, 12, 10, "MonoBehaviour", script_of(guid_of(f"{folder}/Helper.cs")))
    put(root, "Assets/Scenes/Helped.unity", HEAD + game_object(10, "Helped", 0, body))


def sound(root: Path, more: str) -> None:
    """Make an assembly with a namespace of its own, and import that in another assembly."""
    put(root, "Assets/Sound/Sound.asmdef", '{"name": "Sound"}', ASSEMBLY)
    code(root, "Assets/Sound/Player.cs", "namespace Studio.Sound { class Player {} }\n")
    code(root, "Assets/Scripts/Uses.cs", f"using Studio.Sound;\n{more}class Uses {{}}\n")


RULE_CASES: dict[str, Row] = {
    "editor-api": (
        lambda root: code(root, "Assets/Scripts/Tool.cs", "using UnityEditor;\nclass T { AssetImporter found; }\n"),
        (("editor-api", "Assets/Scripts/Tool.cs"),),
        lambda root: code(
            root,
            "Assets/Scripts/Tool.cs",
            "using UnityEditor;\nclass T {\n#if UNITY_EDITOR\n  AssetImporter found;\n#endif\n}\n",
        ),
        (),
    ),
    "editor-script": (
        lambda root: helper(root, "Assets/Tools/Editor"),
        (("editor-script", "Assets/Scenes/Helped.unity"),),
        lambda root: helper(root, "Assets/Scripts/Editor"),  # below a definition it is a folder like others
        (),
    ),
    "duplicate-type": (
        lambda root: code(root, "Assets/Scripts/Old/Copy.cs", "class Item {}\n"),
        (("duplicate-type", "Assets/Scripts/Item.cs"), ("duplicate-type", "Assets/Scripts/Old/Copy.cs")),
        lambda root: code(root, "Assets/Other/Copy.cs", "class Item {}\n"),
        (),
    ),
    "assembly-namespace": (
        lambda root: sound(root, ""),
        (("assembly-namespace", "Assets/Scripts/Uses.cs"),),
        lambda root: sound(root, "namespace Studio.Sound { class Mine {} }\n"),
        (),
    ),
}
"""By code, the fields of a Case of ``test_every_code.py``."""
