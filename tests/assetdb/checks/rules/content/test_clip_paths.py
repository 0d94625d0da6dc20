"""Paths of clips are those of objects below each Animator that plays them, in whatever file it is."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.content.clip_paths import find_paths
from tests.assetdb.checks.healthy import NATIVE, PREFAB, guid_of, put
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path

CLIP = "Assets/Open.anim"
MENU = "Assets/Menu.prefab"
CONTROLLER = "Assets/Menu.controller"
SCENE = "Assets/Level.unity"
PLAIN = "DefaultImporter:\n  userData: \n"


def curve(path: str) -> str:
    return f"  - curve:\n      m_Curve: []\n    attribute: m_IsActive\n    path: {path}\n    classID: 1\n"


def clip(root: Path, *paths: str, rotations: str = " []\n", importer: str = NATIVE) -> None:
    text = f"--- !u!74 &7400000\nAnimationClip:\n  m_Name: Open\n  m_RotationCurves:{rotations}  m_FloatCurves:\n"
    drawn = "  m_SampleRate: 60\n  m_EditorCurves:\n" + curve("Drawn/Before")
    put(root, CLIP, HEAD + text + "".join(map(curve, paths)) + drawn, importer)


def controller(root: Path) -> None:
    state = f"--- !u!1102 &1\nAnimatorState:\n  m_Motion: {{fileID: 7400000, guid: {guid_of(CLIP)}, type: 2}}\n"
    put(root, CONTROLLER, f"{HEAD}--- !u!91 &9100000\nAnimatorController:\n  m_Name: Menu\n{state}", NATIVE)


def game_object(number: int, name: str, parent: int, *children: int, animator: str = "") -> str:
    """Return a GameObject with its Transform, one more than its number, and an Animator, two more."""
    rows = f"  - component: {{fileID: {number + 1}}}\n"
    rows += f"  - component: {{fileID: {number + 2}}}\n" if animator else ""
    below = "".join(f"\n  - {{fileID: {child + 1}}}" for child in children) or " []"
    father = parent + 1 if parent else 0
    text = (
        f"--- !u!1 &{number}\nGameObject:\n  m_Component:\n{rows}  m_Name: {name}\n  m_IsActive: 1\n"
        f"--- !u!4 &{number + 1}\nTransform:\n  m_GameObject: {{fileID: {number}}}\n  m_Children:{below}\n"
        f"  m_Father: {{fileID: {father}}}\n"
    )
    played = f"{{fileID: 9100000, guid: {animator}, type: 2}}"
    own = f"--- !u!95 &{number + 2}\nAnimator:\n  m_GameObject: {{fileID: {number}}}\n  m_Controller: {played}\n"
    return text + (own if animator else "")


def menu(root: Path, child: str = "Panel", grandchild: str = "Title", animator: str = guid_of(CONTROLLER)) -> None:
    objects = game_object(10, "Menu", 0, 20, animator=animator)
    objects += game_object(20, child, 10, 30) + game_object(30, grandchild, 20)
    put(root, MENU, HEAD + objects, PREFAB)


def scene(root: Path, *rows: tuple[str, str, str], extra: str = "") -> None:
    """Write a scene with an instance of the menu and overrides: property, value and reference."""
    overrides = "".join(
        f"    - target: {{fileID: 12, guid: {guid_of(MENU)}, type: 3}}\n      propertyPath: {name}\n"
        f"      value: {value}\n      objectReference: {{{reference}}}\n"
        for name, value, reference in rows
    )
    text = (
        f"--- !u!1001 &100\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
        f"    m_Modifications:\n{overrides}    m_RemovedComponents: []\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {guid_of(MENU)}, type: 3}}\n"
    )
    put(root, SCENE, HEAD + text + extra, PLAIN)


def said(root: Path) -> list[tuple[str, str]]:
    return [(row.target, row.message) for row in found_by(find_paths, root)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "Game"
    controller(folder)
    menu(folder)
    return folder


def test_a_path_that_no_object_has_is_told_at_its_curve(root: Path) -> None:
    clip(root, "Panel", "Panel/Title", "Panel/Text", "Title")
    line = (root / CLIP).read_text().split("\n").index("    path: Panel/Text") + 1
    found = found_by(find_paths, root)
    assert [(row.path, row.line, row.property_path, row.target) for row in found] == [
        (CLIP, line, "m_FloatCurves[2].path", "Panel/Text"),
        (CLIP, line + 5, "m_FloatCurves[3].path", "Title"),
    ]
    assert found[0].message == "animates 'Panel/Text', which Menu in Assets/Menu.prefab does not have"
    assert found[1].message.endswith("; there is 'Panel/Title'")


def test_a_clip_that_was_copied_out_of_a_model_has_bones_that_nobody_misses(root: Path) -> None:
    clip(root, "Hips/Spine", rotations="\n" + curve("Hips"))
    assert said(root) == []


@pytest.mark.parametrize(
    ("paths", "lacking"),
    [
        (("Panel", "Panel/Title", "Panel/Text"), ["Panel/Text"]),
        (("Panel", "Panel/Title", "Panel/Text", "Body", "Hips"), []),  # two that are not below one
        (("Panel", "Panel/Text"), []),  # no more are there than are not
        (("Hips",), []),
        (("Panel", "Panel/Title"), []),
    ],
)
def test_of_a_clip_from_a_model_one_renamed_object_is_told(
    root: Path, paths: tuple[str, ...], lacking: list[str]
) -> None:
    clip(root, *paths, rotations="\n" + curve("Panel"))
    assert [target for target, _ in said(root)] == lacking


def test_all_below_a_renamed_object_is_told(root: Path) -> None:
    menu(root, child="Board")
    objects = (root / MENU).read_text()
    more = game_object(40, "Legs", 10) + game_object(50, "Arms", 10) + game_object(60, "Head", 10)
    above = "m_Children:\n  - {fileID: 21}"
    assert above in objects
    objects = objects.replace(above, above + "".join(f"\n  - {{fileID: {number}}}" for number in (41, 51, 61)), 1)
    put(root, MENU, objects + more, PREFAB)
    clip(root, "Legs", "Panel/Title", "Panel", "Arms", "Head", rotations="\n" + curve("Legs"))
    assert [target for target, _ in said(root)] == ["Panel/Title", "Panel"]


def test_a_path_of_a_plain_clip_is_told_beside_a_copied_one(root: Path) -> None:
    clip(root, "Hips", "Spine", rotations="\n" + curve("Legs"))
    plain = "--- !u!74 &7400002\nAnimationClip:\n  m_Name: Shut\n  m_RotationCurves: []\n  m_FloatCurves:\n"
    put(root, CLIP, (root / CLIP).read_text() + plain + curve("Spine"), NATIVE)
    assert [target for target, _ in said(root)] == ["Spine"]


def test_one_of_several_players_may_have_the_path(root: Path) -> None:
    clip(root, "Panel/Text")
    objects = game_object(10, "Other", 0, 20, animator=guid_of(CONTROLLER)) + game_object(20, "Panel", 10, 30)
    put(root, "Assets/Other.prefab", HEAD + objects + game_object(30, "Text", 20), PREFAB)
    assert said(root) == []
    put(root, "Assets/Other.prefab", HEAD + objects + game_object(30, "Texts", 20), PREFAB)
    assert [target for target, _ in said(root)] == ["Panel/Text"]


def of_a_script(root: Path) -> None:
    text = f"--- !u!114 &1\nMonoBehaviour:\n  clip: {{fileID: 7400000, guid: {guid_of(CLIP)}, type: 2}}\n"
    put(root, "Assets/Plays.prefab", HEAD + text, PREFAB)


def of_an_override_of_a_script(root: Path) -> None:
    scene(root, ("controller", "", f"fileID: 9100000, guid: {guid_of(CONTROLLER)}, type: 2"))


def of_resources(root: Path) -> None:
    (root / "Assets/Resources").mkdir()
    for end in ("", ".meta"):
        (root / (CLIP + end)).rename(root / f"Assets/Resources/Open.anim{end}")


def of_a_bundle(root: Path) -> None:
    clip(root, "Panel/Text", importer=NATIVE + "  assetBundleName: menus\n")


def of_an_asset(root: Path) -> None:
    put(
        root,
        "Assets/Set.asset",
        f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n  c: {{fileID: 1, guid: {guid_of(CLIP)}, type: 2}}\n",
    )


def of_a_scene_with_the_name(root: Path) -> None:
    scene(root, ("m_Name", "Text", "fileID: 0"))


def of_a_scene_with_such_a_child(root: Path) -> None:
    scene(root, extra=game_object(40, "Text", 0))


def of_nobody(root: Path) -> None:
    menu(root, animator=guid_of("Assets/None.controller"))


@pytest.mark.parametrize(
    "change",
    [
        of_a_script,
        of_an_override_of_a_script,
        of_resources,
        of_a_bundle,
        of_an_asset,
        of_a_scene_with_the_name,
        of_a_scene_with_such_a_child,
        of_nobody,
    ],
)
def test_nothing_is_said_where_something_else_may_play_it_or_have_it(root: Path, change: object) -> None:
    clip(root, "Panel/Text")
    assert [target for target, _ in said(root)] == ["Panel/Text"]
    assert callable(change)
    change(root)
    assert said(root) == []


@pytest.mark.parametrize(
    ("name", "written"),
    [
        *(("Text", "'Text'"), ("Text", "Text"), ("It's", "'It''s'"), ("T\xe9xt", '"T\\xE9xt"'), ("T\xe9xt", "T\xe9xt")),
        *(
            ("T\xe9\\t", '"T\\xE9\\\\t"'),
            ("\xe9 #1", '"\\xe9 #1"'),
            (".*", ".*"),
            ("Long " * 20 + "x", "Long " * 19 + "Long\n    x"),
        ),
    ],
)
def test_a_name_around_may_be_written_in_quotes(root: Path, name: str, written: str) -> None:
    clip(root, f"Panel/{name}")
    assert [target for target, _ in said(root)] == [f"Panel/{name}"]
    scene(root, extra=game_object(40, written, 0).replace("\n", "\r\n"))
    assert said(root) == []


def test_names_of_any_length_and_number_take_no_time(root: Path) -> None:
    clip(root, "\xe9" * 100_000, *(str(number) + "\xe9" * 50 for number in range(3000)))
    scene(root, extra=game_object(40, "Text", 0) + "  value: 1\n" * 300_000)
    started = process_time()
    assert len(said(root)) == 3001
    assert process_time() - started < 10


@pytest.mark.parametrize("name", ["Text Panel", "Texts", "Text.001", "Old Text"])
def test_a_longer_name_around_is_another_one(root: Path, name: str) -> None:
    clip(root, "Panel/Text")
    scene(root, ("m_Name", name, "fileID: 0"), extra=game_object(40, name, 0))
    assert [target for target, _ in said(root)] == ["Panel/Text"]


def test_an_instance_may_choose_the_controller(root: Path) -> None:
    clip(root, "Panel/Text")
    menu(root, animator=guid_of("Assets/None.controller"))
    scene(root, ("m_Controller", "", f"fileID: 9100000, guid: {guid_of(CONTROLLER)}, type: 2"))
    assert [message for _, message in said(root)] == [
        "animates 'Panel/Text', which Menu in Assets/Level.unity does not have"
    ]


def test_an_override_controller_plays_the_clips_of_another(root: Path) -> None:
    clip(root, "Panel/Text")
    played = f"{{fileID: 9100000, guid: {guid_of(CONTROLLER)}, type: 2}}"
    text = f"--- !u!221 &22100000\nAnimatorOverrideController:\n  m_Controller: {played}\n"
    put(root, "Assets/Own.overrideController", HEAD + text, NATIVE)
    menu(root, animator=guid_of("Assets/Own.overrideController"))
    assert [target for target, _ in said(root)] == ["Panel/Text"]


def test_an_animation_plays_its_clips_itself(root: Path) -> None:
    clip(root, "Panel/Text")
    (root / CONTROLLER).unlink()
    (root / f"{CONTROLLER}.meta").unlink()
    played = f"{{fileID: 7400000, guid: {guid_of(CLIP)}, type: 2}}"
    own = f"--- !u!111 &12\nAnimation:\n  m_GameObject: {{fileID: 10}}\n  m_Animation: {played}\n"
    text = (root / MENU).read_text()
    start, end = text.index("--- !u!95"), text.index("--- !u!1 &20")
    put(root, MENU, text[:start] + own + text[end:], PREFAB)
    assert [target for target, _ in said(root)] == ["Panel/Text"]


def test_below_a_model_there_may_be_anything(root: Path) -> None:
    clip(root, "Panel/Text")
    put(root, "Assets/Body.fbx", "", "ModelImporter:\n  userData: \n")
    instance = (
        "--- !u!1001 &100\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 21}\n"
        f"    m_Modifications:\n    - target: {{fileID: 100000, guid: {guid_of('Assets/Body.fbx')}, type: 3}}\n"
        "      propertyPath: m_Name\n      value: Body\n      objectReference: {fileID: 0}\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {guid_of('Assets/Body.fbx')}, type: 3}}\n"
    )
    put(root, MENU, (root / MENU).read_text() + instance, PREFAB)
    assert [target for target, _ in said(root)] == ["Panel/Text"]
    clip(root, "Panel/Body/Hips/Spine")
    assert said(root) == []
