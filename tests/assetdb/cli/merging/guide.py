"""The scene of ``docs/merge.md``, in three versions."""

from __future__ import annotations

from tests.assetdb.unity_project import HEAD

PLAYER = """--- !u!1 &10
GameObject:
  m_Component:
  - component: {fileID: 20}
  m_Name: Player
--- !u!4 &20
Transform:
  m_GameObject: {fileID: 10}
  m_Children:
  - {fileID: 40}
  m_Father: {fileID: 0}
--- !u!1 &30
GameObject:
  m_Component:
  - component: {fileID: 40}
  m_Name: Body
"""


def scene(position: int = 1, scale: int = 1, light: str = "Lamp") -> str:
    """Return the scene with some values."""
    return (
        f"{HEAD}{PLAYER}--- !u!4 &40\nTransform:\n  m_GameObject: {{fileID: 30}}\n"
        f"  m_LocalPosition: {{x: 0, y: {position}, z: 0}}\n  m_LocalScale: {{x: {scale}, y: 1, z: 1}}\n"
        f"  m_Children: []\n  m_Father: {{fileID: 20}}\n--- !u!114 &50\nMonoBehaviour:\n  m_Name: {light}\n"
    )


BASE, OURS, THEIRS = scene(), scene(2, 2), scene(3, 1, "Light")
