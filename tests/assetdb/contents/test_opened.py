"""Files as hierarchies need them: children, components and roots."""

from __future__ import annotations

import pytest

from assetdb.contents.opened import Frame, OpenModel, OpenText, Part
from assetdb.contents.overrides import Override, Reference
from assetdb.resolve.instances import Imported
from assetdb.unity.engine.file_ids import ImportedObject
from assetdb.unity.yaml.objects import TextObjects
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, stripped

MASK = (1 << 63) - 1


def text(body: str) -> OpenText:
    return OpenText(TextObjects((HEAD + body).encode()))


def rooted(number: int, order: int) -> str:
    return game_object(number, f"n{number}") + f"  m_RootOrder: {order}\n"


@pytest.mark.parametrize(("order", "expected"), [("1", [31, 21, 900, 700, 11]), ("1" * 5000, [31, 21, 700, 900, 11])])
def test_roots_are_in_the_order_of_their_numbers(order: str, expected: list[int]) -> None:
    """Equal ones as the file has them; numbers that Unity does not write are 0."""
    placed = instance(700, 5).replace(
        "    m_RemovedComponents",
        f"    - target: {{fileID: 4, guid: {guid(5)}, type: 3}}\n      propertyPath: m_RootOrder\n"
        f"      value: {order}\n      objectReference: {{fileID: 0}}\n    m_RemovedComponents",
    )
    opened = text(rooted(10, 2) + rooted(20, 0) + placed + rooted(30, -1) + instance(900, 5))
    assert opened.children(0) == expected


def test_roots_of_a_scene_are_in_the_order_of_its_list() -> None:
    roots = "--- !u!1660057539 &9\nSceneRoots:\n  m_Roots:\n  - {fileID: 21}\n  - {fileID: 700}\n  - {fileID: 5}\n"
    opened = text(rooted(10, 0) + rooted(20, 1) + instance(700, 5) + roots)
    assert opened.children(0) == [21, 700, 11]  # what is not listed comes last


def test_children_are_in_the_order_of_their_parent() -> None:
    father = game_object(10, "top") + "  m_Children:\n  - {fileID: 31}\n  - {fileID: 801}\n  - {fileID: 21}\n"
    nested = instance(800, 5, 11) + stripped(4, 801, "Transform", 5, 4, 800)
    opened = text(father + game_object(20, "a", 11) + game_object(30, "b", 11) + nested)
    assert opened.children(11) == [31, 800, 21]
    assert opened.children(0) == [11]
    assert opened.children(99) == []


def test_children_without_a_list_are_as_the_file_has_them() -> None:
    opened = text(game_object(10, "top") + game_object(30, "b", 11) + game_object(20, "a", 11))
    assert opened.children(11) == [31, 21]
    assert text(game_object(30, "b", 99) + game_object(20, "a", 99)).children(99) == [31, 21]


def test_components_are_listed_ones_first() -> None:
    light = component(108, 300, 10, "Light")
    script = component(114, 301, 10, "MonoBehaviour", f"  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n")
    top = game_object(10, "top", components=script)
    listed = top.replace("  - component: {fileID: 301}\n", "  - 33: {fileID: 302}\n  - component: {fileID: 301}\n")
    opened = text(light + listed)
    assert opened.components(10) == [
        *(Part(11, 4), Part(302, 0), Part(301, 114, "", (11500000, guid(3))), Part(300, 108))
    ]
    assert opened.components(99) == []
    assert opened.part(300) == Part(300, 108, "", (0, ""))


def test_names_and_states_of_game_objects() -> None:
    off = game_object(20, "off").replace("  m_Name: off\n", "  m_Name: off\n  m_IsActive: 0\n")
    opened = text(game_object(10, "on") + off)
    assert [opened.name(number) for number in (10, 20, 99)] == ["on", "off", ""]
    assert [opened.is_active(number) for number in (10, 20, 99)] == [True, False, True]
    assert opened.game_object(21) == 20


def test_an_object_of_an_instance_has_a_document_or_a_computed_id() -> None:
    opened = text(instance(800, 5) + stripped(1, 44, "GameObject", 5, 100, 800))
    assert opened.stand_in(800, 100) == 44
    assert opened.stand_in(800, 101) == 800 ^ 101
    assert opened.stand_in(-1, 1) == (-1 ^ 1) & MASK


def test_an_instance_without_a_prefab_has_no_place() -> None:
    broken = instance(800, 5).replace("m_SourcePrefab", "m_Nothing")
    assert text(broken).children(0) == []


def test_holders_are_objects_of_an_instance_with_additions() -> None:
    nested = instance(800, 5) + stripped(4, 801, "Transform", 5, 4, 800) + stripped(1, 802, "GameObject", 5, 1, 800)
    opened = text(nested + game_object(20, "added", 801) + component(108, 300, 802, "Light"))
    assert opened.holders(800) == [801, 802]
    assert opened.holders(0) == [0, 20]  # the root of the instance itself, and what holds its own Transform
    assert opened.holders(7) == []


def model(*objects: tuple[int, str, str, bool]) -> OpenModel:
    found = {number: ImportedObject(kind, path, certain) for number, kind, path, certain in objects}
    return OpenModel(Imported("boat", found, "dangling"))


def test_a_model_is_a_hierarchy_of_paths() -> None:
    opened = model(
        (1, "GameObject", "", True),
        (2, "Transform", "", True),
        (3, "GameObject", "Hull", True),
        (4, "Transform", "Hull", True),
        (5, "MeshFilter", "Hull", True),
        (6, "MeshRenderer", "Hull", False),
        (7, "Mesh", "Hull", True),
        (8, "GameObject", "Hull/Door", True),
        (9, "Transform", "Hull/Door", False),
        (10, "GameObject", "Alone", True),
    )
    assert (opened.children(0), opened.children(2), opened.children(4), opened.children(9)) == ([2], [4], [9], [])
    assert [opened.name(number) for number in (1, 3, 8, 99)] == ["boat", "Hull", "Door", ""]
    assert opened.components(3) == [Part(4, 0, "Transform"), Part(5, 0, "MeshFilter")]
    assert opened.components(99) == []
    assert opened.children(99) == opened.holders(0) == []
    assert (opened.game_object(9), opened.stand_in(800, 4), opened.is_active(3)) == (8, 800 ^ 4, True)


def test_an_object_with_two_ids_is_one_object() -> None:
    opened = model(
        (7, "GameObject", "", False),
        (8, "Transform", "", False),
        (1, "GameObject", "", True),
        (2, "Transform", "", True),
    )
    assert (opened.children(0), opened.game_object(2), opened.guesses) == ([2], 1, [])
    assert opened.components(1) == [Part(2, 0, "Transform")]


def test_of_what_a_model_may_not_have_a_file_around_it_shows_what_it_has() -> None:
    opened = model(
        (1, "GameObject", "", True),
        (2, "Transform", "", True),
        *((10 + number, "GameObject", path, False) for number, path in enumerate(("Hips", "Hips/Hand", "Tail", "Hat"))),
        *((20 + number, "Transform", path, False) for number, path in enumerate(("Hips", "Hips/Hand", "Tail", "Hat"))),
    )
    assert Frame(guid(2), opened).children(2) == []
    added = instance(800, 2) + stripped(4, 30, "Transform", 2, 21, 800) + game_object(40, "Sword", 30)
    outer = text(added + stripped(1, 50, "GameObject", 2, 13, 800) + component(108, 51, 50, "Light"))
    placed = Frame(guid(2), opened, Frame(guid(1), outer), outer.content.objects[800])
    assert placed.children(0) == [2]
    assert placed.children(2) == [20, 23]
    assert placed.children(20) == [21]


@pytest.mark.parametrize("kinds", [["GameObject"], ["Transform"], []])
def test_a_model_without_a_root_has_no_children(kinds: list[str]) -> None:
    opened = model(*((number, kind, "", True) for number, kind in enumerate(kinds, 1)))
    assert opened.children(0) == []


def test_a_frame_tells_an_object_by_the_files_around_it() -> None:
    own = (
        f"    - target: {{fileID: 4, guid: {guid(2)}, type: 3}}\n      propertyPath: m_X\n      value: 1\n"
        "      objectReference: {fileID: 0}\n"
    )
    middle = text(instance(800, 3) + stripped(1, 44, "GameObject", 3, 100, 800))
    removed = f"{own}    m_RemovedComponents:\n    - {{fileID: 4, guid: {guid(2)}, type: 3}}\n"
    placed = instance(900, 2).replace("    m_RemovedComponents: []\n", removed)
    outer = text(placed)
    first = Frame(guid(1), outer)
    second = Frame(guid(2), middle, first, outer.content.objects[900])
    third = Frame(guid(3), text(game_object(100, "core")), second, middle.content.objects[800])
    assert [frame.depth for frame in (first, second, third)] == [0, 1, 2]
    assert list(third.levels(100)) == [(third, 100), (second, 44), (first, 900 ^ 44)]
    assert third.outermost(101) == 900 ^ 800 ^ 101
    assert [third.nests(guid(number)) for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert (first.nests(guid(1)), first.nests(guid(2))) == (True, False)
    assert second.overrides == {4: [Override(4, "m_X", "1", Reference(0, ""))]}
    assert (first.overrides, third.overrides) == ({}, {})
    assert (first.removed, second.removed, third.removed) == (frozenset(), frozenset({4}), frozenset())
