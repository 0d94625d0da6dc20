"""C# that fails in a build, and what only looks like it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.csharp.assembly_graph import find_invalid
from assetdb.checks.rules.csharp.code import (
    find_conflicts,
    find_editor_scripts,
    find_editor_uses,
    find_namespaces,
    find_twins,
    find_unclear,
)
from tests.assetdb.checks.healthy import SCRIPT, guid_of, put, script_of
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD, component, game_object

if TYPE_CHECKING:
    from pathlib import Path

ASSEMBLY = "AssemblyDefinitionImporter:\n  userData: \n"
LEFT_OUT = "cannot be followed, and is left out by rules on C#: "


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        put(root, path, text, ASSEMBLY if path.endswith(".asmdef") else SCRIPT)


def version(root: Path, number: str) -> None:
    (root / "ProjectSettings").mkdir(parents=True, exist_ok=True)
    (root / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {number}\n")


@pytest.mark.parametrize(
    ("number", "source", "line"),
    [
        ("2017.4.1f1", "using UnityEditor;\nclass A {}", 1),
        ("2018.2.0f1", "using UnityEditor;\nclass A {}", 0),
        ("2022.3.1f1", "using UnityEditor.SceneManagement;\nclass A {}", 1),
        ("2022.3.1f1", "using UnityEditor.Animations;\nclass A {}", 0),
        ("2022.3.1f1", "class A {\nvoid F() { UnityEditor.EditorApplication.isPlaying = false; } }", 2),
        ("2022.3.1f1", "using UnityEditor;\nclass A {\nvoid F() { AssetDatabase.Refresh(); } }", 3),
        ("2022.3.1f1", "using UnityEditor;\nclass A {\nvoid F() { Handles.x(); } }\nclass Handles {}", 0),
        ("2022.3.1f1", "namespace UnityEditor.My { class A { AssetImporter a; UnityEditor.MonoScript b; } }", 0),
        ("2022.3.1f1", "#if UNITY_EDITOR\nusing UnityEditor;\nclass A { AssetImporter a; }\n#endif", 0),
    ],
)
def test_the_editor_is_used_where_no_player_has_it(tmp_path: Path, number: str, source: str, line: int) -> None:
    root = tmp_path / "Game"
    version(root, number)
    write(root, {"Assets/A.cs": source, "Assets/Editor/B.cs": source, "Assets/E/E.cs": source})
    write(root, {"Assets/E/E.asmdef": '{"name": "E", "includePlatforms": ["Editor"]}'})
    assert [(finding.path, finding.line) for finding in found_by(find_editor_uses, root)] == (
        [("Assets/A.cs", line)] if line else []
    )


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ("#if UNITY_EDITOR\nclass H : MonoBehaviour {}\n#endif", True),
        ("#if DEBUG && UNITY_EDITOR\nclass H : MonoBehaviour {}\n#endif", True),
        ("#if !UNITY_EDITOR\n#else\nclass H : MonoBehaviour {}\n#endif", True),
        ("#if UNITY_EDITOR || DEBUG\nclass H : MonoBehaviour {}\n#endif", False),
        ("#if !UNITY_EDITOR\nclass H : MonoBehaviour {}\n#endif", False),
        ("#if UNITY_EDITOR\nclass H : MonoBehaviour {}\n#else\nclass H : MonoBehaviour {}\n#endif", False),
        ("class H : MonoBehaviour {\n#if UNITY_EDITOR\n#endif\n}", False),
    ],
)
def test_a_component_has_a_script_of_the_editor(tmp_path: Path, source: str, is_found: bool) -> None:  # noqa: FBT001 - a row
    root = tmp_path / "Game"
    write(root, {"Assets/H.cs": source})
    body = component(114, 12, 10, "MonoBehaviour", script_of(guid_of("Assets/H.cs")))
    for path in ("Assets/A.prefab", "Assets/Editor/B.prefab"):
        put(root, path, HEAD + game_object(10, "Helped", 0, body))
    found = found_by(find_editor_scripts, root)
    assert [(each.path, each.object_path, each.property_path, each.anchor) for each in found] == (
        [("Assets/A.prefab", "Helped (H)", "m_Script", 12)] if is_found else []
    )
    if found:
        assert HEAD.count("\n") < found[0].line <= len((root / "Assets/A.prefab").read_text().splitlines())
        assert "m_Script" in (root / "Assets/A.prefab").read_text().splitlines()[found[0].line - 1]


@pytest.mark.parametrize(
    ("one", "other", "is_found"),
    [
        ("class A {}", "class A {}", True),
        ("namespace N { struct A {} }", "namespace N { class A {} }", True),
        ("namespace N { class A {} }", "class A {}", False),
        ("partial class A {}", "partial class A {}", False),
        ("partial class A {}", "class A {}", True),
        ("class A<T> {}", "class A {}", False),
        ("class B { class A {} }", "class A {}", False),
        ("#if X\nclass A {}\n#endif", "class A {}", False),
        ("// class A {}", "class A {}", False),
    ],
)
def test_two_files_declare_one_type(tmp_path: Path, one: str, other: str, is_found: bool) -> None:  # noqa: FBT001 - a row
    root = tmp_path / "Game"
    write(root, {"Assets/One.cs": one, "Assets/Two.cs": other, "Assets/Editor/Three.cs": other})
    assert [finding.path for finding in found_by(find_twins, root)] == (
        ["Assets/One.cs", "Assets/Two.cs"] if is_found else []
    )


def test_a_copy_with_its_meta_declares_the_type_a_second_time(tmp_path: Path) -> None:
    """The editor takes one of two files with one GUID; its compiler takes both."""
    root = tmp_path / "Game"
    write(root, {"Assets/One.cs": "class A {}", "Assets/Copy/One.cs": "class A {}"})
    shutil.copy(root / "Assets/One.cs.meta", root / "Assets/Copy/One.cs.meta")
    assert [finding.path for finding in found_by(find_twins, root)] == ["Assets/Copy/One.cs", "Assets/One.cs"]


@pytest.mark.parametrize(
    ("references", "source", "is_found"),
    [
        ([], "using S.Audio;", True),
        (["Audio"], "using S.Audio;", False),
        (["GUID:" + guid_of("Assets/Audio/Audio.asmdef")], "using S.Audio;", False),
        ([], "#if AUDIO\nusing S.Audio;\n#endif", False),
        ([], "using S;", False),  # nobody declares it, a package may
        ([], "using System.Linq;", False),
    ],
)
def test_a_namespace_of_an_assembly_that_is_not_referred_to(
    tmp_path: Path,
    references: list[str],
    source: str,
    is_found: bool,  # noqa: FBT001 - a row
) -> None:
    root = tmp_path / "Game"
    write(
        root,
        {"Assets/Audio/Audio.asmdef": '{"name": "Audio"}', "Assets/Audio/P.cs": "namespace S.Audio { class P {} }"},
    )
    write(root, {"Assets/G/G.asmdef": json.dumps({"name": "G", "references": references}), "Assets/G/U.cs": source})
    write(root, {"Assets/Own.cs": source})  # sees all
    found = [(finding.path, finding.line, finding.target) for finding in found_by(find_namespaces, root)]
    assert found == ([("Assets/G/U.cs", 1, "Audio")] if is_found else [])


@pytest.mark.parametrize(("references", "is_found"), [([], True), (["Music"], False), (["Audio"], False)])
def test_a_namespace_of_two_assemblies_needs_one_of_them(
    tmp_path: Path,
    references: list[str],
    is_found: bool,  # noqa: FBT001 - a row
) -> None:
    root = tmp_path / "Game"
    for name, inner in (("Audio", ""), ("Music", ".Notes")):
        text = f"namespace S.Audio{inner} {{ class P {{}} }} namespace S.Audio {{ class {name} {{}} }}"
        write(root, {f"Assets/{name}/{name}.asmdef": json.dumps({"name": name}), f"Assets/{name}/P.cs": text})
    write(root, {"Assets/G/G.asmdef": json.dumps({"name": "G", "references": references})})
    write(root, {"Assets/G/U.cs": "using S.Audio;"})
    found = found_by(find_namespaces, root)
    assert [finding.line for finding in found] == ([1] if is_found else [])
    assert all("which Audio, Music have; G refers to none of them" in finding.message for finding in found)


def test_a_merge_is_unresolved(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    write(root, {"Assets/A.cs": "class A {\n<<<<<<< HEAD\n=======\n>>>>>>> main\n}\n", "Assets/B.cs": "class B {}\n"})
    assert [(finding.path, finding.line) for finding in found_by(find_conflicts, root)] == [("Assets/A.cs", 2)]


@pytest.mark.parametrize(
    ("document", "is_found"),
    [
        ({"name": "A", "includePlatforms": ["Editor"], "excludePlatforms": ["iOS"]}, True),
        ({"name": "A", "includePlatforms": ["Editor"], "excludePlatforms": []}, False),
        *(
            ({"name": "A", "versionDefines": [{"name": "com.a.b", "expression": text, "define": "X"}]}, is_found)
            for text, is_found in (
                ("", False),
                ("1.2.3", False),
                ("[1.0,2.0)", False),
                ("(,2.0.0-preview.3]", False),
                ("[ 2021.3.0f1 , ]", False),
                ("[2.1]", False),
                (">=1.2", True),
                ("[1.0,2.0", True),
                ("latest", True),
            )
        ),
    ],
)
def test_definitions_that_unity_refuses(tmp_path: Path, document: object, is_found: bool) -> None:  # noqa: FBT001 - a row
    root = tmp_path / "Game"
    write(root, {"Assets/A.asmdef": json.dumps(document)})
    assert [finding.path for finding in found_by(find_invalid, root)] == (["Assets/A.asmdef"] if is_found else [])


def unclear(root: Path) -> list[tuple[str, int, str]]:
    rows = [(each.path, each.line, each.message) for each in found_by(find_unclear, root)]
    return [(path, line, message.removeprefix(LEFT_OUT)) for path, line, message in rows]


def test_a_file_that_cannot_be_followed_is_told_with_the_line(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    version(root, "2022.3.1f1")
    head = "using UnityEngine;\nclass A : MonoBehaviour\n{\n"
    write(root, {"Assets/A.cs": f"{head}    void Open()\n    {{\n    void Close()\n    {{\n    }}\n}}\n"})
    assert unclear(root) == [("Assets/A.cs", 5, "{ seems not to be closed")]


def test_branches_that_open_one_brace_are_told_as_such(tmp_path: Path) -> None:
    """A compiler takes one of them."""
    root = tmp_path / "Game"
    version(root, "2022.3.1f1")
    write(root, {"Assets/A.cs": "#if NET\nclass A : B {\n#else\nclass A {\n#endif\n}\n"})
    assert unclear(root) == [("Assets/A.cs", 2, "{ is not closed in its branch of #if (line 1)")]


def test_a_file_of_another_encoding_is_told_without_a_line(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    version(root, "2022.3.1f1")
    put(root, "Assets/A.cs", "class A { }".encode("utf-16"), SCRIPT)
    assert unclear(root) == [("Assets/A.cs", 0, "the text is encoded as UTF-16")]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("Assets/A.cs", "class A { char open = '{'; string b = \"(\"; } // }\n"),
        ("Assets/A.cs", 'class A { string a = $"{b:{c}}" + @"""" + \'"\'; }\n#region )\n#endregion\n'),
        ("Assets/A.cs", "<<<<<<< HEAD\nclass A {\n=======\nclass A {\n>>>>>>> other\n}\n"),  # has an error of its own
        ("Assets/StreamingAssets/A.cs", "class A {\n"),  # no script
        ("Assets/A~/A.cs", "class A {\n"),
    ],
)
def test_files_that_are_followed_or_not_compiled_are_not_told(tmp_path: Path, path: str, source: str) -> None:
    root = tmp_path / "Game"
    version(root, "2022.3.1f1")
    write(root, {path: source})
    assert unclear(root) == []
