"""A project with events: calls of methods, values of fields, and an editor that has it open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.assetdb.checks.scripts.test_callers import FILES as CALLS
from tests.assetdb.checks.scripts.test_callers import HEAD, component

if TYPE_CHECKING:
    from tests.assetdb.lsp.editor import Editor

BASE, DOOR = "e" * 32, "9" * 32
BASE_CODE = """using UnityEngine;
namespace Game {
  public class Base : MonoBehaviour
  {
    public void Swing() {}
  }
}
"""
DOOR_CODE = """namespace Game {
  // speed of the Door
  public class Door : Base
  {
    public int speed = 1, hidden;
    public void Knock() { var other = speed; Close(other); }
    void Close(int how) {}
  }
}
"""
FILES = CALLS | {
    "Assets/Base.cs": (BASE, BASE_CODE),
    "Assets/Door.cs": (DOOR, DOOR_CODE),
    "Assets/Door.prefab": ("6" * 32, HEAD + component(1, DOOR, "  speed: 3\n  hidden: 0\n")),
    "Assets/Gate.prefab": ("7" * 32, HEAD + component(1, DOOR, "  speed: 0\n  hidden: 0\n")),
    "Assets/Hall.unity": (
        "8" * 32,
        HEAD
        + component(1, DOOR, "  speed: 5\n  hidden: 0\n")
        + component(
            2,
            "d" * 31 + "e",
            "  m_OnClick:\n    m_PersistentCalls:\n      m_Calls:\n      - m_Target: {fileID: 1}\n"
            "        m_TargetAssemblyTypeName: Game.Door, Assembly-CSharp\n        m_MethodName: Knock\n"
            "        m_Mode: 1\n        m_CallState: 2\n      - m_Target: {fileID: 1}\n"
            "        m_TargetAssemblyTypeName: Game.Base, Assembly-CSharp\n        m_MethodName: Swing\n"
            "        m_Mode: 1\n        m_CallState: 2\n      - m_Target: {fileID: 1}\n"
            "        m_TargetAssemblyTypeName: UnityEngine.GameObject, UnityEngine\n        m_MethodName: \n"
            "        m_Mode: 1\n        m_CallState: 2\n",
        ),
    ),
}


def at(path: str, text: str, number: int = 0) -> tuple[int, int]:
    """The place of a text in a file."""
    found = [(line, row.index(text)) for line, row in enumerate(FILES[path][1].split("\n")) if text in row]
    return found[number]


def value_at(editor: Editor, uri: str, line: int, character: int) -> Any:  # noqa: ANN401 - JSON
    found = editor.at("hover", uri, line, character)
    return found and found["contents"]["value"]
