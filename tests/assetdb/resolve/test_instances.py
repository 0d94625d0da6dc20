"""Objects that instances bring, by hand: names, ids and reasons in a few small files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.resolve import instances
from assetdb.resolve.instances import DANGLING, Imported, Instances, ObjectInfo
from assetdb.unity.engine.file_ids import ImportedObject
from assetdb.unity.yaml.objects import TextObjects
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, stripped

if TYPE_CHECKING:
    from assetdb.resolve.instances import Content

MASK = (1 << 63) - 1
SCRIPT = f"  m_Script: {{fileID: 11500000, guid: {guid(9)}, type: 3}}\n"
PLAYER = game_object(100, "Player") + game_object(200, "Body", 101) + component(114, 300, 200, "MonoBehaviour", SCRIPT)
BOAT = Imported(
    "boat",
    {
        1: ImportedObject("GameObject", "", certain=True),
        2: ImportedObject("Transform", "Hull/Mast", certain=False),
        43: ImportedObject("Mesh", "Hull", certain=True),
    },
    "importer-unknown",
)


def described(files: dict[int, str | Imported]) -> Instances:
    contents: dict[str, Content] = {
        guid(key): TextObjects((HEAD + text).encode()) if isinstance(text, str) else text for key, text in files.items()
    }
    return Instances(lambda key: contents.get(key, "missing-asset"))


def names(answer: ObjectInfo | str) -> list[str]:
    assert isinstance(answer, ObjectInfo), answer
    return [name for _, name in answer.chain]


def test_objects_of_the_file_itself() -> None:
    found = described({1: PLAYER})
    body = found.describe(guid(1), 200)
    assert body == ObjectInfo(1, "", "", ((100, "Player"), (200, "Body")))
    assert found.describe(guid(1), 201) == ObjectInfo(4, "", "", ((100, "Player"), (200, "Body")))
    script = found.describe(guid(1), 300)
    assert isinstance(script, ObjectInfo)
    assert script.script == (11500000, guid(9))
    assert found.describe(guid(1), 999) == DANGLING
    assert found.describe(guid(2), 1) == "missing-asset"
    assert found.describe(guid(1), 200) is body


def test_objects_that_are_in_no_hierarchy_have_a_name() -> None:
    found = described({1: "--- !u!21 &2100000\nMaterial:\n  m_Name: Grass\n"})
    assert found.describe(guid(1), 2100000) == ObjectInfo(21, "", "Grass", ())


@pytest.mark.parametrize("placed", [7000, -7000, 1 << 62])
def test_objects_that_an_instance_brings(placed: int) -> None:
    outer = game_object(10, "Level") + instance(placed, 1, 11, {100: "Hero"})
    found = described({1: PLAYER, 2: outer})
    answer = found.describe(guid(2), (placed ^ 200) & MASK)
    assert names(answer) == ["Level", "Hero", "Body"]
    assert isinstance(answer, ObjectInfo)
    assert answer.chain[1][0] == (placed ^ 100) & MASK
    assert found.describe(guid(2), (placed ^ 999) & MASK) == DANGLING
    assert names(found.describe(guid(1), 200)) == ["Player", "Body"]  # as it is there


def test_ids_of_a_source_may_be_negative() -> None:
    inner = game_object(-5, "Negative")
    found = described({1: inner, 2: game_object(10, "Level") + instance(7000, 1, 11)})
    assert names(found.describe(guid(2), (7000 ^ -5) & MASK)) == ["Level", "Negative"]


@pytest.mark.parametrize("has_document", [True, False])
def test_objects_below_what_an_instance_brings(has_document: bool) -> None:  # noqa: FBT001
    parent = stripped(4, 7000 ^ 201, "Transform", 1, 201, 7000) if has_document else ""
    outer = instance(7000, 1) + parent + game_object(500, "Sword", 7000 ^ 201)
    found = described({1: PLAYER, 2: outer, 3: instance(80, 2, 0, {7000 ^ 100: "Renamed", 500: "Axe"})})
    assert names(found.describe(guid(2), 500)) == ["Player", "Body", "Sword"]
    assert names(found.describe(guid(2), 7000 ^ 201)) == ["Player", "Body"]
    assert names(found.describe(guid(3), 80 ^ 500)) == ["Renamed", "Body", "Axe"]
    assert names(found.describe(guid(3), 80 ^ 7000 ^ 300)) == ["Renamed", "Body"]


@pytest.mark.parametrize("has_document", [True, False])
def test_a_component_that_the_outer_file_adds_is_where_the_instance_has_its_object(has_document: bool) -> None:  # noqa: FBT001
    body = stripped(1, 7000 ^ 200, "GameObject", 1, 200, 7000) if has_document else ""
    outer = instance(7000, 1) + body + component(114, 600, 7000 ^ 200, "MonoBehaviour", SCRIPT)
    assert names(described({1: PLAYER, 2: outer}).describe(guid(2), 600)) == ["Player", "Body"]


def test_objects_of_imported_files() -> None:
    found = described({1: BOAT, 2: game_object(10, "Level") + instance(7000, 1, 11, {1: "Ship"})})
    assert found.describe(guid(1), 43) == ObjectInfo(0, "Mesh", "Hull", ())
    mast = found.describe(guid(1), 2)
    assert mast == ObjectInfo(0, "Transform", "", ((1, "boat"), (0, "Hull"), (0, "Mast")), certain=False)
    assert found.describe(guid(1), 99) == "importer-unknown"
    assert names(found.describe(guid(2), 7000 ^ 2)) == ["Level", "Ship", "Hull", "Mast"]
    assert found.describe(guid(2), 7000 ^ 99) == "importer-unknown"
    rootless = described({1: BOAT._replace(objects={2: BOAT.objects[2]})})
    assert rootless.describe(guid(1), 2) == ObjectInfo(
        *(0, "Transform", "", ((0, "boat"), (0, "Hull"), (0, "Mast"))), certain=False
    )


def test_a_hierarchy_of_an_imported_file_begins_with_the_root_that_an_instance_renames() -> None:
    objects = {
        number: ImportedObject("GameObject", path, certain=True) for number, path in ((1, ""), (3, "Hull"), (4, ""))
    }
    found = described({1: BOAT._replace(objects=objects)})
    assert found.describe(guid(1), 3) == ObjectInfo(0, "GameObject", "", ((1, "boat"), (0, "Hull")))
    assert found.describe(guid(1), 4) == ObjectInfo(0, "GameObject", "", ((4, "boat"),))


def test_an_instance_is_called_as_what_it_renames() -> None:
    found = described(
        {1: PLAYER, 2: game_object(10, "Level") + instance(7000, 1, 11, {100: "Hero"}) + instance(8000, 1)}
    )
    assert found.describe(guid(2), 7000) == ObjectInfo(1001, "", "Hero", ((10, "Level"),))
    assert found.describe(guid(2), 8000) == ObjectInfo(1001, "", "", ())


def test_prefabs_that_nest_themselves_end() -> None:
    found = described({1: instance(70, 1), 2: instance(70, 3), 3: instance(80, 2) + game_object(5, "End")})
    assert found.describe(guid(1), 1) == DANGLING
    assert found.describe(guid(2), 1) == DANGLING
    assert names(found.describe(guid(2), 70 ^ 5)) == ["End"]


def test_an_object_below_a_parent_that_is_nowhere_is_a_root() -> None:
    found = described({1: game_object(500, "Sword", 999)})
    assert names(found.describe(guid(1), 500)) == ["Sword"]


def test_circles_and_long_hierarchies_are_cut() -> None:
    circle = described({1: game_object(10, "A", 21) + game_object(20, "B", 11)})
    assert sorted(names(circle.describe(guid(1), 10))) == ["A", "B"]
    rows = "".join(
        game_object(10 * number, f"N{number}", 10 * (number - 1) + 1 if number > 1 else 0) for number in range(1, 80)
    )
    found = described({1: rows})
    last = names(found.describe(guid(1), 790))
    assert (len(last), last[0], last[1], last[-1]) == (64, "...", "N17", "N79")
    assert len(names(found.describe(guid(1), 640))) == 64
    assert names(found.describe(guid(1), 640))[0] == "N1"


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "_REMEMBERED", 2)
    found = described({1: PLAYER})
    first = found.describe(guid(1), 100)
    for file_id in (101, 200, 201):
        found.describe(guid(1), file_id)
    again = found.describe(guid(1), 100)
    assert again == first
    assert again is not first
