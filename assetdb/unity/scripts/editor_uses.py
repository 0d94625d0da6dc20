"""Uses of the editor's classes in C#, outside of ``#if``.

Up to Unity 2018.1 the compiler of a player knows no namespace ``UnityEditor`` at all. Since then the engine's own DLLs
have some names there (:data:`IN_PLAYERS`, as in a player of 2022.3), so that ``using UnityEditor;`` alone does no harm:
a script of VRGame's Oculus package has it.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from assetdb.unity.scripts.tokens import Tokens

EDITOR: Final = "UnityEditor"
IN_PLAYERS: Final = ("UnityEditor", "UnityEditor.Animations", "UnityEditor.Experimental", "UnityEditor.UIElements")
"""Namespaces that players have, too, since Unity 2018.2."""
CLASSES: Final = frozenset(
    (
        *("AnimationUtility", "AssetDatabase", "AssetImporter", "AssetPostprocessor", "BuildPipeline"),
        *("BuildPlayerOptions", "CanEditMultipleObjects", "CustomEditor", "CustomPropertyDrawer"),
        *("DrawGizmo", "EditorApplication", "EditorBuildSettings", "EditorGUI", "EditorGUILayout"),
        *("EditorGUIUtility", "EditorPrefs", "EditorSceneManager", "EditorStyles"),
        *("EditorUserBuildSettings", "EditorUtility", "EditorWindow", "GameObjectUtility"),
        *("HandleUtility", "Handles", "InitializeOnLoad", "InitializeOnLoadMethod", "MenuItem"),
        *("ModelImporter", "MonoScript", "PlayerSettings", "PrefabUtility", "PropertyDrawer"),
        *("SceneView", "ScriptableWizard", "SerializedObject", "SerializedProperty", "ShaderUtil"),
        *("TextureImporter"),
    )
)
"""Classes of the editor with names that hardly another class has."""


def editor_uses(tokens: Tokens) -> Iterator[tuple[str, int]]:
    """Yield imports, qualified names and classes of the editor, with lines."""
    found = tokens.all
    texts = [token.text for token in found]
    if EDITOR not in texts:
        return
    imports = False
    for at, text in enumerate(texts):
        if text not in CLASSES and text != EDITOR:
            continue
        before = texts[at - 1] if at else ""
        if before in (".", "namespace", "class", "struct", "enum", "interface") or tokens.conditions(found[at].line):
            continue
        end = at
        while texts[end + 1 : end + 2] == ["."]:
            end += 2
        name = "".join(texts[at : end + 1])
        if text != EDITOR:
            if imports:
                yield text, found[at].line
        elif before == "using" and texts[end + 1 : end + 2] == [";"]:
            imports = True
            yield f"using {name}", found[at].line
        elif end > at:
            yield ".".join(name.split(".")[:2]), found[at].line
