"""Documents that the main object reaches: Unity shows no other."""

from __future__ import annotations

import pytest

from assetdb.unity.referring.reach import reached_documents
from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.judging.refusals import Judge
from assetdb.unity.yaml.structure import MISSING_OBJECT, find_faults

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


def document(class_id: int, file_id: int, name: str, *lines: str, stripped: bool = False) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"--- !u!{class_id} &{file_id}{' stripped' * stripped}\n{name}:\n{body}"


def game_object(file_id: int, *components: int) -> str:
    rows = [f"- component: {{fileID: {each}}}" for each in components]
    return document(1, file_id, "GameObject", "m_Component:", *rows)


def transform(file_id: int, owner: int, father: int, *children: int) -> str:
    rows = [f"- {{fileID: {each}}}" for each in children]
    listed = ["m_Children:", *rows] if rows else ["m_Children: []"]
    return document(
        4, file_id, "Transform", f"m_GameObject: {{fileID: {owner}}}", *listed, f"m_Father: {{fileID: {father}}}"
    )


def component(file_id: int, owner: int, target: int) -> str:
    return document(114, file_id, "MonoBehaviour", f"m_GameObject: {{fileID: {owner}}}", f"door: {{fileID: {target}}}")


def reached(*parts: str) -> set[int]:
    data = (HEAD + "".join(parts)).encode()
    return reached_documents(data, list(cut(data)))


def missing(*parts: str) -> list[int]:
    data = (HEAD + "".join(parts)).encode()
    return [fault.file_id for fault in find_faults(data, Judge(libyaml=False)) if fault.code == MISSING_OBJECT]


TREE = (
    game_object(10, 11, 12),
    transform(11, 10, 0, 21),
    component(12, 10, 0),
    game_object(20, 21),
    transform(21, 20, 11),
)


def test_a_prefab_reaches_its_tree() -> None:
    assert reached(*TREE) == {10, 11, 12, 20, 21}


def test_a_component_that_no_game_object_lists_is_not_reached() -> None:
    assert 99 not in reached(*TREE, component(99, 20, 21))
    assert missing(*TREE, component(99, 20, 7)) == []
    assert missing(
        TREE[0].replace("{fileID: 12}", "{fileID: 12}\n  - component: {fileID: 99}"), *TREE[1:], component(99, 10, 7)
    ) == [7]


def test_what_is_added_to_an_instance_is_reached() -> None:
    instance = document(1001, 500, "PrefabInstance", "m_Modification:", "  m_TransformParent: {fileID: 0}")
    stand_in = document(1, 501, "GameObject", "m_PrefabInstance: {fileID: 500}", stripped=True)
    moved = document(4, 502, "Transform", "m_PrefabInstance: {fileID: 500}", stripped=True)
    added = component(503, 501, 7), game_object(600, 601), transform(601, 600, 502)
    assert reached(instance, stand_in, moved, *added) >= {500, 501, 502, 503, 600, 601}
    assert missing(instance, stand_in, moved, *added) == [7]


def test_a_prefab_before_2018_3_names_its_root() -> None:
    rest = "m_Modification:", "  m_TransformParent: {fileID: 0}", "m_RootGameObject: {fileID: 10}"
    prefab = document(1001, 100100000, "Prefab", *rest)
    left_over = game_object(30, 31), transform(31, 30, 0)
    assert reached(prefab, *TREE, *left_over) >= {10, 11, 12, 20, 21}
    assert not {30, 31} & reached(prefab, *TREE, *left_over)


@pytest.mark.parametrize("settings", [29, 104, 157, 196, 1660057539])
def test_a_scene_has_all_of_its_objects(settings: int) -> None:
    assert reached(document(settings, 1, "Settings", "m_X: 0"), *TREE, component(99, 20, 7)) >= {10, 99}
    assert missing(document(settings, 1, "Settings", "m_X: 0"), *TREE, component(99, 20, 7)) == [7]


def test_a_controller_reaches_its_states() -> None:
    controller = document(91, 9100000, "AnimatorController", "m_AnimatorLayers:", "- m_StateMachine: {fileID: 1107}")
    machine = document(1107, 1107, "AnimatorStateMachine", "m_ChildStates:", "- m_State: {fileID: 1102}")
    state = document(1102, 1102, "AnimatorState", "m_Motion: {fileID: 7}")
    left_over = document(1102, 1103, "AnimatorState", "m_Motion: {fileID: 8}")
    assert reached(controller, machine, state, left_over) == {9100000, 1107, 1102}
    assert missing(controller, machine, state, left_over) == [7]


def test_an_asset_without_a_known_main_object_counts_whole() -> None:
    assert reached(component(77, 0, 7), component(78, 0, 8)) == {77, 78}


def test_a_circle_and_100_000_documents_end() -> None:
    chain = [
        document(114, 11400000 + n, "MonoBehaviour", f"next: {{fileID: {11400000 + (n + 1) % 100_000}}}")
        for n in range(100_000)
    ]
    assert len(reached(*chain)) == 100_000
