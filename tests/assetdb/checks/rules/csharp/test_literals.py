"""Names in C# beside the names that a project has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.csharp.literals import find_names
from tests.assetdb.checks.healthy import FOLDER, NATIVE, SCRIPT, guid_of, make_healthy, put, put_meta
from tests.assetdb.checks.rule_cases import animator, put_tags
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RAIN = "Assets/Art/Rain.shader"
TO_RAIN = f"{{fileID: 4800000, guid: {guid_of(RAIN)}, type: 3}}"
RAINY = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Rain\n  m_Shader: {TO_RAIN}\n"
INCLUDED = f"{HEAD}--- !u!30 &1\nGraphicsSettings:\n  m_AlwaysIncludedShaders:\n  - {TO_RAIN}\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with scenes, resources, addresses, tags, layers, axes, parameters and shaders."""
    root = make_healthy(tmp_path_factory.mktemp("literals") / "Game")
    put_tags(root)
    animator(root)
    put(root, "Assets/Art/Water.shader", 'Shader "Studio/Water" {}')
    put(root, "Assets/Resources/Old.SHADER", 'Shader "Hall" {}')
    put(root, "Assets/Art/Water.mat", RAINY.replace(guid_of(RAIN), guid_of("Assets/Art/Water.shader")), NATIVE)
    (root / "ProjectSettings/InputManager.asset").write_text(
        f"{HEAD}--- !u!13 &1\nInputManager:\n  m_Axes:\n  - serializedVersion: 3\n    m_Name: Horizontal\n"
    )
    scenes = "".join(
        f"  - enabled: {enabled}\n    path: Assets/Scenes/Level{number}.unity\n    guid: {'0' * 32}\n"
        for number, enabled in ((0, 1), (1, 0))
    )
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{scenes}"
    )
    (root / "Packages/manifest.json").write_text('{"dependencies": {}}')  # with Addressables, scenes may be in bundles
    (root / "Packages/packages-lock.json").write_text('{"dependencies": {}}')
    return root


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('SceneManager.LoadScene("Level0")', ""),
        ('SceneManager.LoadScene("assets/scenes/level0.unity")', ""),
        ('SceneManager.LoadScene("Scenes/Level0")', ""),
        ('SceneManager.LoadScene("Level1")', "the scene is disabled in the build settings"),
        ('SceneManager.LoadSceneAsync("Level2")', "the build settings do not list Assets/Scenes/Level2.unity"),
        ('SceneManager.LoadScene("Levl0")', "no scene is called so"),
        ('EditorSceneManager.LoadScene("Levl0")', ""),
        ("SceneManager.LoadScene(0)", ""),
        ("SceneManager.LoadScene(1)", "the build settings have 1 enabled scene, and count from 0"),
        ("EditorSceneManager.LoadScene(1)", ""),
        ('SceneManager.LoadScene<int>("Levl0")', "no scene is called so"),
        ('Resources.Load<Texture>("Icons/coin")', ""),
        ('Resources.Load("icons/Coin")', ""),
        ('Resources.Load("Icons/coins")', "no folder called Resources has it; there is 'icons/coin'"),
        ('Resources.LoadAll("Icons")', ""),
        ('Resources.LoadAll("Sounds")', "no folder called Resources has it"),
        ('Addressables.LoadAssetAsync<Item>("Items/0")', ""),
        (
            'Addressables.LoadAssetAsync<Item>("Items/9")',
            "no Addressables entry or label is called so; there is 'Items/2'",
        ),
        ('Shader.Find("Studio/Water")', ""),
        ('Shader.Find("Hall")', ""),
        ('Shader.Find("Studio/Wate")', "no shader is called so; there is 'Studio/Water'"),
        ('Shader.Find("Universal Render Pipeline/Lit")', ""),
        ('GameObject.Find("Nothing")', ""),
        ('x.CompareTag("Boss")', ""),
        ('x.CompareTag("Player")', ""),
        ('x.CompareTag("boss")', "ProjectSettings/TagManager.asset has no such tag; there is 'Boss'"),
        ('GameObject.FindWithTag("Exit")', "ProjectSettings/TagManager.asset has no such tag"),
        ('LayerMask.NameToLayer("Ground")', ""),
        ('LayerMask.GetMask("Ground", "Wall")', "ProjectSettings/TagManager.asset has no such layer"),
        ('Input.GetAxis("Horizontal")', ""),
        ('Input.GetAxis("Vertical")', "ProjectSettings/InputManager.asset has no such axis or button"),
        ('animator.SetTrigger("Jump")', ""),
        ('animator.SetBool("Jmp", true)', "no animator controller has such a parameter; there is 'Jump'"),
        ('body.SetTrigger("Fly")', "no animator controller has such a parameter"),
        ('animator.Play("Open")', ""),
        ('anim.CrossFade("Base Layer.Open", 0.1f)', ""),
        ('animator.Play("Opn")', "no animator controller has such a state; there is 'Open'"),
        ('animator.Play("Level0")', ""),  # an asset is called so: it may be a clip
        ('sound.Play("Opn")', ""),
        ('animation.Play("Opn")', ""),
        ('material.SetFloat("_Cutoff", 1)', ""),
        ('x.CompareTag("Bo" + "ss")', ""),
    ],
)
def test_a_name_that_nothing_has(root: Path, call: str, said: str) -> None:
    put(root, "Assets/Scripts/Asks.cs", f"class Asks {{\n  void F() {{ {call}; }}\n}}\n", SCRIPT)
    put(root, "Assets/Tools/Editor/Also.cs", f"class Also {{ void F() {{ {call}; }} }}\n", SCRIPT)
    found = [(finding.path, finding.line, finding.message.partition(": ")[2]) for finding in found_by(find_names, root)]
    assert found == ([("Assets/Scripts/Asks.cs", 2, said)] if said else [])


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ('gameObject.tag == "Boss"', ""),
        ('gameObject.tag == "Untagged"', ""),
        ('gameObject.tag == "boss"', "ProjectSettings/TagManager.asset has no such tag; there is 'Boss'"),
        ('it.tag.Equals("Exit")', "ProjectSettings/TagManager.asset has no such tag"),
        ('body.tag == "Exit"', ""),  # the project has a class of that name
        ('legs.tag == "Exit"', ""),  # and the file another name for a class
    ],
)
def test_a_tag_that_nothing_has(root: Path, use: str, said: str) -> None:
    put(root, "Assets/Scripts/Body.cs", "class Rigidbody { public string tag; }\n", SCRIPT)
    names = "using UnityEngine;\nusing Transform = Legs;\n"
    text = f"{names}class Asks {{\n  bool F(Collider it, Rigidbody body, Transform legs) => {use};\n}}\n"
    put(root, "Assets/Scripts/Asks.cs", text, SCRIPT)
    found = [(finding.line, finding.message) for finding in found_by(find_names, root)]
    word = use.split('"')[1]
    assert found == ([(4, f"tag {word!r}: {said}")] if said else [])
    put(root, "Assets/Scripts/Asks.cs", text.replace("using UnityEngine;", "using Box2D;"), SCRIPT)
    assert found_by(find_names, root) == []


@pytest.mark.parametrize(
    ("settings", "more", "is_told"),
    [
        ("  - enabled: 1\n    path: Assets/Scenes/Level0.unity\n", "", True),
        ("  - enabled: 0\n    path: Assets/Scenes/Level0.unity\n", "", False),  # a build takes the open scene
        ("", "", False),
        (
            "  - enabled: 1\n    path: Assets/Scenes/Level0.unity\n",
            "Assets/Settings/Build Profiles/Phone.asset",
            False,
        ),
    ],
)
def test_the_index_of_a_scene(tmp_path: Path, settings: str, more: str, is_told: bool) -> None:  # noqa: FBT001 - a row
    root = make_healthy(tmp_path / "Game")
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{settings}"
    )
    if more:
        put(root, more, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Phone\n", NATIVE)
    put(root, "Assets/Scripts/Asks.cs", "class Asks { void F() { SceneManager.LoadScene(17); } }\n", SCRIPT)
    assert bool(found_by(find_names, root)) == is_told


ITEM = "using UnityEngine;\nclass Item : MonoBehaviour {{ {} }}\n"
DOOR = "using UnityEngine;\n{}class Door : Item {{\n  void F() {{ {}; }}\n}}\n"
LACKS = "Door has no method of that name, nor has a base or a derived class"


@pytest.mark.parametrize(
    ("call", "item", "more", "is_told"),
    [
        ('Invoke("Opn", 2)', "", "", True),
        ('this.InvokeRepeating("Opn", 2, 1)', "void Open() {}", "", True),
        ('StartCoroutine("Opn")', "", "enum Side {}\n", True),
        ('StartCoroutine("F")', "", "", False),
        ('Invoke("Open", 2)', "void Open() {}", "", False),
        ('Invoke("Open", 2)', "", "class Gate : Door { void Open() {} }\n", False),
        ('Invoke("Opn")', "void Invoke(string name) {}", "", False),
        ('Invoke("Opn")', "", "class Bus { void Invoke(string name) {} }\n", False),
        ('opened?.Invoke("Opn")', "", "", False),
        ('opened.Invoke("Opn")', "", "", False),
        ('Invoke("Opn", 2)', "", "partial class Side {}\n", False),
        ('Invoke("Opn", 2)', "", "class Side : Vendor.Side {}\n", False),
    ],
)
def test_a_component_calls_by_name(tmp_path: Path, call: str, item: str, more: str, is_told: bool) -> None:  # noqa: FBT001 - a row
    root = tmp_path / "Game"
    put(root, "Assets/Scripts/Item.cs", ITEM.format(item), SCRIPT)
    put(root, "Assets/Scripts/Door.cs", DOOR.format(more, call), SCRIPT)
    found = [finding.message.partition(": ")[2] for finding in found_by(find_names, root)]
    assert found == ([LACKS] if is_told else [])


def test_nothing_is_said_where_nothing_is_declared(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    calls = (
        "SceneManager.LoadScene",
        "x.CompareTag",
        "Input.GetAxis",
        "animator.SetTrigger",
        "animator.Play",
        "Shader.Find",
        "LayerMask.GetMask",
    )
    put(root, "Assets/Asks.cs", "class A { void F() { " + " ".join(f'{call}("X");' for call in calls) + " } }", SCRIPT)
    put(root, "Assets/Data.asset", "x", NATIVE)
    assert found_by(find_names, root) == []


@pytest.mark.parametrize(
    ("package", "more", "is_told"),
    [
        ("com.unity.burst", "", True),  # absent, and it is known what it needs
        ("com.unity.addressables", "", False),
        ("com.acme.levels", "", False),  # which may need Addressables
        ("com.unity.burst", "AssetBundle bundle; ", False),
    ],
)
def test_scenes_come_from_the_build_or_from_bundles(tmp_path: Path, package: str, more: str, is_told: bool) -> None:  # noqa: FBT001 - a row
    root = make_healthy(tmp_path / "Game")
    (root / "Packages/manifest.json").write_text(f'{{"dependencies": {{"{package}": "1.8.4"}}}}')
    (root / "Packages/packages-lock.json").unlink()
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n"
        f"    path: Assets/Scenes/Level0.unity\n    guid: {'0' * 32}\n"
    )
    put(root, "Assets/Scripts/Asks.cs", f'class A {{ {more}void F() {{ SceneManager.LoadScene("Levl"); }} }}', SCRIPT)
    assert [row.target for row in found_by(find_names, root)] == (["Levl"] if is_told else [])


def in_resources(root: Path) -> None:
    (root / "Assets/Art").rename(root / "Assets/Resources")


FOUND = 'class Finds { void F() { Shader.Find("Studio/Rain"); } }\n'


@pytest.mark.parametrize(
    "more",
    [
        lambda root: put(root, "Assets/Art/Rain.mat", RAINY, NATIVE),
        lambda root: put(root, "Assets/Art/Storm.shader", 'Shader "Studio/Storm" {\n  Fallback "Studio/Rain"\n}'),
        lambda root: put(root, "Assets/Art/Storm.shader", 'Shader "Studio/Storm" {\n  UsePass "Studio/Rain/WET"\n}'),
        lambda root: put(root, "Assets/Art/Again.shader", 'Shader "Studio/Rain" {}'),
        lambda root: put_meta(root, "Assets/Art", f"{FOLDER}  assetBundleName: rain\n"),
        lambda root: (root / "ProjectSettings/GraphicsSettings.asset").write_text(INCLUDED),
        in_resources,
        None,
    ],
    ids=["material", "fallback", "pass", "two", "bundle", "settings", "resources", "nothing"],
)
def test_a_shader_that_only_the_editor_finds(tmp_path: Path, more: Callable[[Path], object] | None) -> None:
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    put(root, RAIN, 'Shader "Studio/Rain" {}')
    put(root, "Assets/Scripts/Finds.cs", FOUND, SCRIPT)
    if more is not None:
        more(root)
    found = [finding.message for finding in found_by(find_names, root)]
    said = f"Find('Studio/Rain'): no build has {RAIN}, since nothing refers to it"
    assert found == ([said] if more is None else [])


@pytest.mark.parametrize(
    ("path", "text", "is_told"),
    [
        ("Assets/Art/Rain.shadergraph", '{\n    "m_Path": "Studio",\n    "m_Edges": []\n}', False),  # BoatAttack
        ("Assets/Art/Rain.shadergraph", '{\n    "m_Path": "Shader Graphs"\n}', True),
        ("Assets/Art/Rain.lilcontainer", 'Shader "Studio/Rain" {}', False),
        ("Assets/Art/Rain.png", "x", True),
    ],
)
def test_a_shader_of_another_form(tmp_path: Path, path: str, text: str, is_told: bool) -> None:  # noqa: FBT001 - a row
    root = tmp_path / "Game"
    put(root, "Assets/Art/Snow.shader", 'Shader "Studio/Snow" {}')
    put(root, "Assets/Scripts/Finds.cs", FOUND, SCRIPT)
    put(root, path, text)
    assert [row.target for row in found_by(find_names, root)] == (["Studio/Rain"] if is_told else [])
