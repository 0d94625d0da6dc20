"""Animation events call functions that scripts of the project declare."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.clips import find_events
from assetdb.unity.engine.file_ids import hashed_id
from tests.assetdb.checks.healthy import NATIVE, PREFAB, guid_of, put
from tests.assetdb.checks.rule_cases import CLIP, clip, code
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity.importers import fbx_writer
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "Game"
    require(folder, "com.unity.timeline")
    body = "public void Step() {} protected void\n  Land (int a) {} public void Swing<T>() {} int Jump { get; set; }"
    code(folder, "Assets/Scripts/Hero.cs", f"class Hero : UnityEngine.MonoBehaviour {{ {body} }}")
    return folder


def require(root: Path, *names: str) -> None:
    (root / "Packages").mkdir(parents=True, exist_ok=True)
    versions = dict.fromkeys(names, "1.6.4")
    (root / "Packages/manifest.json").write_text(json.dumps({"dependencies": versions}))


def found(root: Path) -> list[tuple[str, int, str, str]]:
    return [(row.path, row.line, row.property_path, row.message) for row in found_by(find_events, root)]


def test_a_function_of_no_script_is_told_at_its_event(root: Path) -> None:
    clip(root, "Step", "Stomp", "Land")
    said = "calls Stomp, which no script declares"
    line = (root / CLIP).read_text().splitlines().index("    functionName: Stomp") + 1
    assert found(root) == [(CLIP, line, "m_Events[1].functionName", said)]


@pytest.mark.parametrize(("others", "told"), [(0, 0), (9, 1)])
def test_an_empty_script_may_have_the_function_unless_it_is_one_of_many(root: Path, others: int, told: int) -> None:
    """In a checkout without the files of Git LFS each script is a pointer."""
    clip(root, "Stomp")
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 4096\n"
    code(root, "Assets/Scripts/Hero.cs", pointer)
    for number in range(others):
        code(root, f"Assets/Scripts/Other{number}.cs", f"class Other{number} : UnityEngine.MonoBehaviour {{ }}")
    assert len(found(root)) == told


def test_an_event_without_a_function_calls_nothing(root: Path) -> None:
    clip(root, "")
    assert [row[3] for row in found(root)] == ["calls no function"]


@pytest.mark.parametrize("name", ["Step", "Land", "SendMessage"])
def test_a_function_of_a_script_or_of_the_engine_is_found(root: Path, name: str) -> None:
    clip(root, name)
    assert found(root) == []


def test_an_event_that_needs_no_receiver_is_not_judged(root: Path) -> None:
    clip(root, "Stomp", options=1)
    assert found(root) == []


@pytest.mark.parametrize("name", ["Lib.dll", "Lib.DLL"])
def test_a_library_may_have_the_function(root: Path, name: str) -> None:
    clip(root, "Stomp")
    put(root, f"Assets/Plugins/{name}", "MZ\0Stamp\0Stomp\0", "PluginImporter:\n")
    assert found(root) == []


@pytest.mark.parametrize("name", ["com.acme.steps", "jp.keijiro.steps"])
def test_packages_of_others_may_have_the_function(root: Path, name: str) -> None:
    clip(root, "Stomp")
    require(root, "com.unity.timeline", name)
    assert found(root) == []


def test_events_of_models_are_in_their_metas(root: Path) -> None:
    event = "      - time: 0.3\n        functionName: Stomp\n        data: FootDown\n        messageOptions: 0\n"
    put(
        root,
        "Assets/Run.fbx",
        "",
        f"ModelImporter:\n  animations:\n    clipAnimations:\n    - name: Run\n      events:\n{event}",
    )
    assert [(row[0], row[3]) for row in found(root)] == [
        ("Assets/Run.fbx.meta", "calls Stomp, which no script declares")
    ]


HERO = "Assets/Hero.prefab"
CONTROLLER = "Assets/Hero.controller"


def playing(root: Path, *scripts: str, around: str = "") -> None:
    """Write a controller with the clip, a prefab whose Animator plays it beside scripts, and a prefab that nests it."""
    motion = f"{{fileID: 7400000, guid: {guid_of(CLIP)}, type: 2}}"
    state = f"--- !u!1102 &1\nAnimatorState:\n  m_Motion: {motion}\n"
    put(root, CONTROLLER, f"{HEAD}--- !u!91 &9100000\nAnimatorController:\n  m_Name: Hero\n{state}", NATIVE)
    rows = "".join(f"  - component: {{fileID: {number}}}\n" for number in (11, 12, *range(20, 20 + len(scripts))))
    objects = (
        f"--- !u!1 &10\nGameObject:\n  m_Component:\n{rows}  m_Name: Hero\n  m_IsActive: 1\n"
        "--- !u!4 &11\nTransform:\n  m_GameObject: {fileID: 10}\n  m_Children: []\n  m_Father: {fileID: 0}\n"
        "--- !u!95 &12\nAnimator:\n  m_GameObject: {fileID: 10}\n"
        f"  m_Controller: {{fileID: 9100000, guid: {guid_of(CONTROLLER)}, type: 2}}\n"
    )
    for number, path in enumerate(scripts, 20):
        script = f"{{fileID: 11500000, guid: {guid_of(path)}, type: 3}}"
        objects += f"--- !u!114 &{number}\nMonoBehaviour:\n  m_GameObject: {{fileID: 10}}\n  m_Script: {script}\n"
    put(root, HERO, HEAD + objects, PREFAB)
    if around:
        script = f"{{fileID: 11500000, guid: {guid_of(around)}, type: 3}}"
        nested = f"--- !u!1001 &1\nPrefabInstance:\n  m_SourcePrefab: {{fileID: 1, guid: {guid_of(HERO)}, type: 3}}\n"
        added = f"--- !u!114 &2\nMonoBehaviour:\n  m_GameObject: {{fileID: 3}}\n  m_Script: {script}\n"
        put(root, "Assets/Team.prefab", HEAD + nested + added, PREFAB)


STEPS = "Assets/Scripts/Steps.cs"
BASE = "Assets/Scripts/Base.cs"
OTHER = "Assets/Scripts/Other.cs"


@pytest.fixture
def played(root: Path) -> Path:
    code(root, BASE, "using UnityEngine; class Base : MonoBehaviour { public void Leap() {} }")
    code(root, STEPS, "using UnityEngine; class Steps : Base { public void Walk() {} }")
    code(root, OTHER, "using UnityEngine; class Other : MonoBehaviour { public void Fly() {} }")
    clip(root, "Walk", "Leap", "Fly")
    return root


def test_a_function_of_no_script_of_the_object_that_plays_the_clip_is_told(played: Path) -> None:
    playing(played, STEPS)
    line = (played / CLIP).read_text().splitlines().index("    functionName: Fly") + 1
    said = f"calls Fly, which no script of Hero in {HERO} declares; {OTHER} has it"
    assert found(played) == [(CLIP, line, "m_Events[2].functionName", said)]


def test_a_clip_with_an_extension_in_capitals_is_one(played: Path) -> None:
    playing(played, STEPS)
    capital = CLIP.replace(".anim", ".ANIM")
    for end in ("", ".meta"):
        (played / f"{CLIP}{end}").rename(played / f"{capital}{end}")
    assert [path for path, *_ in found(played)] == [capital]


def test_an_object_without_scripts_receives_nothing(played: Path) -> None:
    playing(played)
    assert [row[3].partition(",")[0] for row in found(played)] == ["calls Walk", "calls Leap", "calls Fly"]


def test_scripts_of_packages_of_others_matter_only_to_their_own_objects(played: Path) -> None:
    require(played, "com.acme.steps")
    playing(played, STEPS)
    assert [row[3].partition(",")[0] for row in found(played)] == ["calls Fly"]
    playing(played, STEPS, "Assets/Acme/Unknown.cs")
    assert found(played) == []


def test_a_script_that_derives_from_an_unknown_class_may_have_the_function(played: Path) -> None:
    code(played, BASE, "class Base : Acme.Walker { public void Leap() {} }")
    playing(played, STEPS)
    assert found(played) == []


@pytest.mark.parametrize(
    "text",
    [
        "class Adds { void A(GameObject o) { o.AddComponent<Other>(); } }",
        "class Adds { void A(GameObject o) { o.AddComponent( typeof(Acme.Other) ); } }",
    ],
)
def test_code_may_add_the_script(played: Path, text: str) -> None:
    playing(played, STEPS)
    code(played, "Assets/Scripts/Adds.cs", text)
    assert found(played) == []


def test_a_prefab_around_may_add_the_script(played: Path) -> None:
    playing(played, STEPS, around=STEPS)
    assert len(found(played)) == 1
    playing(played, STEPS, around=OTHER)
    assert found(played) == []


RIG = "Assets/Rig.fbx"


def playing_on_a_model(root: Path, script: str, *, has_model: bool = True) -> None:
    """Write a prefab of a model whose Animator plays the clip, with a script beside the Animator."""
    playing(root)
    (root / HERO).unlink()
    importer = "ModelImporter:\n  serializedVersion: 22200\n  meshes:\n    fileIdsGeneration: 2\n  animationType: 2\n"
    put(root, RIG, "", importer)
    data = fbx_writer.model(7400, (fbx_writer.Node("Hips", children=(fbx_writer.Node("Spine"),)),), ("Take 001",))
    (root / RIG).write_bytes(data if has_model else b"version https://git-lfs.github.com/spec/v1\n")
    source, above = f"guid: {guid_of(RIG)}, type: 3}}", "//RootNode/root"
    animator, own = hashed_id("Animator", f"{above}/Animator"), hashed_id("GameObject", above)
    controller = f"{{fileID: 9100000, guid: {guid_of(CONTROLLER)}, type: 2}}"
    objects = (
        "--- !u!1001 &7000\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n"
        f"    m_Modifications:\n    - target: {{fileID: {animator}, {source}\n      propertyPath: m_Controller\n"
        f"      value: \n      objectReference: {controller}\n    m_RemovedComponents: []\n"
        f"  m_SourcePrefab: {{fileID: 100100000, {source}\n"
        f"--- !u!1 &70 stripped\nGameObject:\n  m_CorrespondingSourceObject: {{fileID: {own}, {source}\n"
        "  m_PrefabInstance: {fileID: 7000}\n"
        "--- !u!114 &71\nMonoBehaviour:\n  m_GameObject: {fileID: 70}\n"
        f"  m_Script: {{fileID: 11500000, guid: {guid_of(script)}, type: 3}}\n"
    )
    put(root, HERO, HEAD + objects, PREFAB)


def test_the_object_of_a_model_has_the_scripts_that_a_prefab_adds(played: Path) -> None:
    playing_on_a_model(played, STEPS)
    said = f"calls Fly, which no script of Rig in {HERO} declares; {OTHER} has it"
    assert [row[3] for row in found(played)] == [said]
    playing_on_a_model(played, OTHER)
    assert [row[3].partition(",")[0] for row in found(played)] == ["calls Walk", "calls Leap"]
    playing_on_a_model(played, OTHER, has_model=False)
    assert found(played) == []
