"""Explanations of codes of rules about code, settings and content."""

from __future__ import annotations

from typing import Final

from assetdb.diagnostics.page import Page

RULE_PAGES: Final = {
    "editor-api": Page(
        "A script that every player has uses a class of the editor outside of `#if UNITY_EDITOR`. Players have no such"
        " classes: the editor compiles the script, and the build fails. An Editor folder below an assembly definition"
        " is a part of that assembly, and makes no difference. `using UnityEditor;` alone fails up to Unity 2018.1;"
        " since then players have some names of that namespace.",
        "Assets/Scripts/Spawner.cs:31: editor-api: EditorApplication outside of #if UNITY_EDITOR, in no Editor folder:"
        " no player has it, and the build fails",
        "Put the lines between `#if UNITY_EDITOR` and `#endif`, or move the script into an Editor folder or an assembly"
        " of the editor.",
    ),
    "editor-script": Page(
        "The script of a component is in an Editor folder, in an assembly that only the editor has, or inside of"
        " `#if UNITY_EDITOR`. It works in the editor's play mode; a player has no such component and warns that its"
        " script is missing. Scenes and prefabs in folders called Editor or Tests are left out.",
        "Assets/Scenes/Level.unity:118: editor-script: Spawner (SpawnHelper): m_Script: its script"
        " Assets/Editor/SpawnHelper.cs is in an Editor folder: a player has no such component",
        "Move the script out of the Editor folder or assembly, or remove the component.",
    ),
    "duplicate-type": Page(
        "Two files of one assembly declare a type of one name and namespace, neither of them as a part (`partial`): a"
        " copied script, or a merge that kept a moved file in both places. The assembly does not compile. Types inside"
        " of `#if` are left out.",
        "Assets/Scripts/Old/Health.cs:3: duplicate-type: Assembly-CSharp has another type Health, in"
        " Assets/Scripts/Health.cs: it does not compile",
        "Remove one of the files with its `.meta`, or rename one of the types.",
    ),
    "assembly-namespace": Page(
        "A script imports a namespace that only one assembly of the project has, and the assembly definition of the"
        " script does not refer to that one: the script does not compile. A package or DLL may have the namespace, too,"
        " so that this is a warning.",
        "Assets/Game/Player.cs:2: assembly-namespace: imports Studio.Audio, which only Studio.Audio has; Game does not"
        " refer to that assembly",
        "Add the assembly to the references of the definition, or remove the import.",
    ),
}
"""The text of each of these codes, by its name."""
