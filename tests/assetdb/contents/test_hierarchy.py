"""Hierarchies with nested prefabs opened, beside an independent expansion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.contents.hierarchy import BROKEN_HIERARCHY, CYCLE, Hierarchy, Node
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.instances import Imported
from assetdb.unity.yaml.objects import TextObjects
from tests.assetdb.contents.expansion import Expansion
from tests.assetdb.unity_project import HEAD, MASK, component, game_object, guid, instance, make_project, stripped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from assetdb.resolve.instances import Content


def walked(files: Mapping[int, str], number: int = 1, **options: Any) -> list[Node]:  # noqa: ANN401 - of nodes()
    return list(Hierarchy(content_in(files), guid(number)).nodes(**options))


def content_in(files: Mapping[int, str]) -> Callable[[str], Content]:
    contents = {guid(number): TextObjects((HEAD + text).encode()) for number, text in files.items()}
    return lambda key: contents.get(key, "missing-asset")


def fields(node: Node) -> tuple[Any, ...]:
    """Return of a node what the expansion yields."""
    parts = [
        (part.file_id, part.class_id, part.script[1], part.overridden, part.added, part.removed)
        for part in node.components
    ]
    source = (node.guid, node.source_id)
    return node.depth, node.file_id, node.name, parts, source, node.added, node.removed


def names(nodes: list[Node]) -> list[tuple[int, str]]:
    return [(node.depth, node.name) for node in nodes]


def compare(project: Path, patterns: tuple[tuple[str, int], ...], most_bytes: int = 1 << 20) -> int:
    """Compare files of a project, of each pattern some; return how many objects were equal."""
    snapshot = open_project(str(project), str(project / "Library" / "assetdb"))

    def content(key: str) -> Content:
        found = snapshot.resolver.content(key)
        return "importer-unknown" if isinstance(found, Imported) else found

    def read(key: str) -> str | None:
        if isinstance(content(key), str):
            return None
        location = snapshot.resolver.locate(key)
        assert location is not None
        with open(location.file, encoding="utf-8-sig", errors="replace") as file:
            return file.read()

    expansion = Expansion(read)
    count = 0
    for extension, most in patterns:
        assets = [asset for asset in snapshot.database if asset.path.endswith(extension)]
        for asset in sorted(assets, key=lambda asset: asset.guid)[:: max(1, len(assets) // most)]:
            if (project / asset.path).stat().st_size > most_bytes or isinstance(content(asset.guid), str):
                continue
            found = [fields(node) for node in Hierarchy(content, asset.guid).nodes()]
            assert found == list(expansion.nodes(asset.guid)), asset.path
            count += len(found)
    return count


def test_objects_come_in_the_editors_order_with_their_components() -> None:
    first = game_object(10, "Canvas", components=component(20, 12, 10, "Camera"))
    text = first + game_object(30, "Second", 11) + game_object(40, "First", 11)
    text = text.replace(
        "  m_Father: {fileID: 0}\n", "  m_Father: {fileID: 0}\n  m_Children:\n  - {fileID: 41}\n  - {fileID: 31}\n", 1
    )
    found = walked({1: text})
    assert names(found) == [(0, "Canvas"), (1, "First"), (1, "Second")]
    assert [part.class_id for part in found[0].components] == [4, 20]


def test_nested_prefabs_are_opened_with_what_is_overridden_and_added(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    assert compare(root, ((".prefab", 9), (".unity", 9))) == 14
    project = open_project(str(root), str(tmp_path / "out"))
    nodes = list(Hierarchy(project.resolver.content, guid(2)).nodes())
    assert names(nodes) == [(0, "Level"), (1, "Hero"), (2, "Body"), (3, "Head #1"), (3, "Sword")]
    hero, body, head, sword = nodes[1:]
    assert (hero.overridden, hero.places, hero.instance, hero.added) == (1, guid(1), 7000, False)
    assert (body.guid, body.source_id, body.file_id) == (guid(1), 200, 7000 ^ 200)
    assert (head.added, sword.added, sword.guid) == (False, True, guid(2))


def test_only_instances_themselves_are_listed_where_nothing_is_opened() -> None:
    files = {1: game_object(10, "A") + instance(7000, 2, 11, {100: "Hero"}), 2: game_object(100, "B")}
    assert names(walked(files, nested=False)) == [(0, "A"), (1, "Hero")]
    assert names(walked(files, depth=1)) == [(0, "A")]


def test_what_an_instance_removes_is_marked() -> None:
    inner = game_object(100, "Root", components=component(20, 102, 100, "Camera")) + game_object(200, "Arm", 101)
    outer = instance(7000, 2).replace(
        "    m_RemovedComponents: []\n",
        f"    m_RemovedComponents:\n    - {{fileID: 102, guid: {guid(2)}, type: 3}}\n"
        f"    m_RemovedGameObjects:\n    - {{fileID: 200, guid: {guid(2)}, type: 3}}\n    m_AddedGameObjects: []\n",
    )
    root, arm = walked({1: outer, 2: inner})
    assert [part.removed for part in root.components] == [False, True]
    assert (root.removed, arm.removed) == (False, True)


def test_a_component_that_is_added_to_a_nested_object_is_marked() -> None:
    outer = instance(7000, 2) + stripped(1, 7000 ^ 100, "GameObject", 2, 100, 7000)
    outer += component(20, 50, 7000 ^ 100, "Camera")
    (root,) = walked({1: outer, 2: game_object(100, "Root")})
    assert [(part.class_id, part.added, part.guid) for part in root.components] == [
        (4, False, guid(2)),
        (20, True, guid(1)),
    ]


def test_components_are_listed_only_of_objects_that_have_a_wanted_one() -> None:
    inner = game_object(100, "Root", components=component(20, 102, 100, "Camera")) + game_object(200, "Arm", 101)
    outer = instance(7000, 2) + instance(8000, 2) + stripped(1, 70, "GameObject", 2, 200, 7000)
    outer += component(95, 71, 70, "Animator")
    files = {1: outer, 2: inner}
    whole = walked(files)
    found = walked(files, having=lambda part: part.class_id == 95)
    assert [len(node.components) for node in found] == [0, 2, 0, 0]
    assert found[1] == whole[1]
    assert [node._replace(components=()) for node in found] == [node._replace(components=()) for node in whole]


def test_a_prefab_that_nests_itself_is_opened_once() -> None:
    files = {1: game_object(10, "A") + instance(7000, 1, 11)}
    assert [(node.depth, node.reason) for node in walked(files)] == [(0, ""), (1, CYCLE)]


def test_three_hundred_levels_are_opened() -> None:
    files = {
        number: game_object(10, str(number)) + instance(7000 + 97 * number, number + 1, 11) for number in range(1, 300)
    }
    files[300] = game_object(10, "last")
    hierarchy = Hierarchy(content_in(files), guid(1))
    found = list(hierarchy.nodes())
    assert not hierarchy.truncated
    assert [node.depth for node in found] == list(range(300))
    assert (found[-1].name, found[-1].guid) == ("last", guid(300))


@pytest.mark.long
def test_many_components_of_one_object_are_listed_once() -> None:
    """A set of the listed ones was made for each of the others."""
    count = 30_000
    rows = "".join(f"  - component: {{fileID: {number}}}\n" for number in range(1000, 1000 + count // 2))
    text = game_object(10, "Wide").replace("  m_Name", f"{rows}  m_Name", 1)
    text += "".join(component(65, number, 10, "BoxCollider") for number in range(1000, 1000 + count))
    (node,) = walked({1: text})
    assert len({part.file_id for part in node.components}) == len(node.components) >= count


@pytest.mark.long
def test_two_instances_a_level_end_with_a_mark_and_not_with_two_to_the_nth() -> None:
    files = {
        number: game_object(10, "A") + instance(7000 + number, number + 1, 11) + instance(9000 + number, number + 1, 11)
        for number in range(1, 40)
    }
    hierarchy = Hierarchy(content_in(files), guid(1))
    assert sum(1 for _ in hierarchy.nodes()) < 100_000
    assert hierarchy.truncated


def test_a_hierarchy_in_a_circle_is_listed_once_and_marked() -> None:
    found = walked({1: game_object(10, "A", 21) + game_object(20, "B", 11) + game_object(30, "C", 21)})
    assert sorted(node.name for node in found) == ["A", "B", "C"]
    assert [node.reason for node in found].count(BROKEN_HIERARCHY) == 1


def test_an_object_whose_parent_is_not_there_is_a_root_and_marked() -> None:
    found = walked({1: game_object(10, "A", 999)})
    assert [(node.depth, node.name, node.reason) for node in found] == [(0, "A", BROKEN_HIERARCHY)]


def test_of_two_documents_of_one_file_id_the_first_counts() -> None:
    assert names(walked({1: game_object(10, "A") + game_object(10, "B")})) == [(0, "A")]


def test_an_instance_whose_source_is_gone_is_one_object_with_what_hangs_below_it() -> None:
    text = game_object(10, "A") + instance(7000, 9, 11, {100: "Lost"})
    text += stripped(4, 7000 ^ 101, "Transform", 9, 101, 7000) + game_object(50, "Below", (7000 ^ 101) & MASK)
    text += stripped(1, 7000 ^ 100, "GameObject", 9, 100, 7000) + component(20, 60, 7000 ^ 100, "Camera")
    found = walked({1: text})
    assert names(found) == [(0, "A"), (1, "Lost"), (2, "Below")]
    assert found[1].reason == "missing-asset"
    assert [part.class_id for part in found[1].components] == [20]


@pytest.mark.parametrize("has_document", [False, True])
def test_what_is_added_to_an_unopened_model_of_a_nested_prefab_is_listed(*, has_document: bool) -> None:
    # Factory_Furnace_A.prefab of FPSSample: the middle prefab has no document of the model's object.
    there = (8000 ^ 100) & MASK
    middle = game_object(10, "Middle") + instance(8000, 9, 11, {100: "Model"}) + instance(8100, 4, 11)
    if has_document:
        there, middle = 8200, middle + stripped(1, 8200, "GameObject", 9, 100, 8000)
    outer = instance(7000, 2) + stripped(1, 70, "GameObject", 2, there, 7000) + component(65, 71, 70, "BoxCollider")
    outer += stripped(4, 80, "Transform", 2, (8000 ^ 101) & MASK, 7000) + game_object(90, "Child", 80)
    outer += stripped(1, 60, "GameObject", 2, (8100 ^ 10) & MASK, 7000) + component(20, 61, 60, "Camera")
    files = {1: outer, 2: middle, 4: game_object(10, "Opened")}
    _, model, child, opened = found = walked(files)
    assert names(found) == [(0, "Middle"), (1, "Model"), (2, "Child"), (1, "Opened")]
    assert [(part.class_id, part.file_id, part.guid, part.added) for part in model.components] == [
        (65, 71, guid(1), True)
    ]
    assert (child.added, child.guid) == (True, guid(1))
    assert [part.class_id for part in opened.components] == [4, 20]

    def text(key: str) -> str | None:
        return next((HEAD + files[number] for number in files if guid(number) == key), None)

    assert [fields(node) for node in found] == list(Expansion(text).nodes(guid(1)))


@pytest.mark.long
@pytest.mark.corpus("unity/BoatAttack")
def test_prefabs_and_scenes_of_a_project_are_as_pyyaml_expands_them(corpus: Path, tmp_path: Path) -> None:
    project = tmp_path / "P"
    (project / "Assets").parent.mkdir()
    for name in ("Assets", "Packages", "ProjectSettings"):
        (project / name).symlink_to(corpus / "unity" / "BoatAttack" / name)
    assert compare(project, ((".prefab", 60), (".unity", 2)), 1 << 19) > 1000
