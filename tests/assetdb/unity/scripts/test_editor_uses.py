"""Uses of the editor's classes, which no player has."""

from __future__ import annotations

import pytest

from assetdb.unity.scripts.editor_uses import editor_uses
from assetdb.unity.scripts.tokens import tokens_of


def found(source: str) -> list[tuple[str, int]]:
    tokens = tokens_of(source.encode())
    assert not tokens.unclear, source
    return list(editor_uses(tokens))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("using UnityEditor;", [("using UnityEditor", 1)]),
        ("using UnityEditor.SceneManagement;", [("using UnityEditor.SceneManagement", 1)]),
        ("\nUnityEditor.EditorApplication.isPlaying = false;", [("UnityEditor.EditorApplication", 2)]),
        ("using UnityEditor;\n[MenuItem(0)]", [("using UnityEditor", 1), ("MenuItem", 2)]),
        ("#if UNITY_EDITOR\nusing UnityEditor;\n#endif\nUnityEditor.Handles.a", [("UnityEditor.Handles", 4)]),
        ("#if DEBUG\nusing UnityEditor;\n#endif", []),
        ("AssetDatabase.Refresh();", []),  # a class of its own
        ("using UnityEditor;\nclass Handles {}\na.Handles", [("using UnityEditor", 1)]),
        ("namespace UnityEditor.Tools {}", []),
        ("using UnityEditorInternal;", []),
        ("[MenuItem(0)] UnityEditor.Handles.a", [("UnityEditor.Handles", 1)]),  # the attribute is one of its own
        ('// using UnityEditor;\nx = "UnityEditor.A";', []),
    ],
)
def test_only_uses_outside_of_branches_count(source: str, expected: list[tuple[str, int]]) -> None:
    assert found(source) == expected
