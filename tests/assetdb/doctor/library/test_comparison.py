"""Differences from the editor's rows, each on an asset that has it and on one that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.library.comparison import (
    INNER,
    INVENTED,
    MAIN,
    NO_NAME,
    NO_REFERENCE,
    NOT_LISTED,
    OTHER_PARENTS,
    OWN_REFERENCE,
    SUB,
    UNKNOWN_ASSET,
    UNREADABLE,
    WRONG_ASSET_TYPE,
    WRONG_MAIN,
    WRONG_NAME,
    WRONG_TYPE,
    EditorObject,
    EditorReference,
    compare_lists,
    compare_objects,
    compare_references,
)
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root = make_project(tmp_path_factory.mktemp("Game"))
    snapshot = open_project(str(root))
    yield snapshot
    snapshot.close()


def row(
    number: int, part: str, file_id: int, kind: str, name: str = "", script: str = "", way: str = ""
) -> EditorObject:
    return EditorObject(guid(number), "", part, file_id, kind, script, name, tuple(way.split("/")) if way else ())


RIGHT = [
    row(1, MAIN, 100, "GameObject", "Player"),
    row(1, INNER, 200, "GameObject", "Body", way="Player/Body"),
    row(1, INNER, 201, "Transform", way="Former/Body"),
    row(1, INNER, 300, "MonoBehaviour", script="Acme.Health", way="Player/Body"),
    row(3, MAIN, 11500000, "MonoScript", "Health", "Acme.Health"),
    row(4, MAIN, 2800000, "Texture2D", "tiles"),
    row(4, SUB, 21300000, "Sprite", "tiles_first"),
    row(9, MAIN, 11400000, "MonoBehaviour", "data", "Health"),
    row(10, MAIN, 102900000, "DefaultAsset", "Art"),
]


@pytest.mark.parametrize("right", RIGHT, ids=str)
def test_a_row_that_is_right_makes_no_difference(project: Snapshot, right: EditorObject) -> None:
    assert list(compare_objects([right], project)) == []


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (row(99, MAIN, 2100000, "Material", "x"), UNKNOWN_ASSET),
        (row(1, INNER, 12345, "GameObject", "x"), NO_NAME),
        (row(7, MAIN, 2100000, "Material", "lost"), NO_NAME),
        (row(4, SUB, 21300000, "Sprite", "first"), WRONG_NAME),
        (row(1, INNER, 201, "Transform", way="Player/Head"), WRONG_NAME),
        (row(1, INNER, 100, "GameObject", way="Robot/Player"), WRONG_NAME),  # ours is the asset as a whole
        (row(1, INNER, 200, "GameObject", "Body", way="Player/Arm/Body"), OTHER_PARENTS),
        (row(4, SUB, 21300000, "Texture2D", "tiles_first"), WRONG_TYPE),
        (row(9, MAIN, 11400000, "MonoBehaviour", "data", "Acme.Other"), WRONG_TYPE),
        (row(10, MAIN, 2800000, "Texture2D", "Art"), WRONG_TYPE),
        (row(4, MAIN, 21300000, "Sprite", "tiles_first"), WRONG_MAIN),
    ],
    ids=str,
)
def test_a_row_that_is_wrong_makes_one_difference(project: Snapshot, wrong: EditorObject, kind: str) -> None:
    assert [found.kind for found in compare_objects([wrong], project)] == [kind]


def test_the_type_in_the_database_is_compared_beside_that_of_the_object(
    project: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = project.resolver
    assert resolver.name(guid(4), 2800000).type == "Texture2D"  # from now on it knows the asset as it is
    found = project.assets.by_guid(guid(4))
    assert found is not None
    monkeypatch.setattr(project.assets, "by_guid", lambda _: found._replace(class_id=21))
    right = row(4, MAIN, 2800000, "Texture2D", "tiles")
    assert resolver.name(guid(4), 2800000).type == "Texture2D"
    assert [each[:1] + each[-2:] for each in compare_objects([right], project)] == [
        (WRONG_ASSET_TYPE, "Texture2D", "Material")
    ]


def test_lists_are_compared_of_assets_whose_inner_objects_are_known(project: Snapshot) -> None:
    parts = [(100, "GameObject"), (101, "Transform"), (200, "GameObject"), (201, "Transform"), (300, "MonoBehaviour")]
    known = [row(1, INNER, number, kind) for number, kind in [*parts, (400, "GameObject"), (401, "Transform")]]
    assert list(compare_lists(known, project)) == []
    assert list(compare_lists([row(1, SUB, 100, "GameObject")], project)) == []
    missing = [found.file_id for found in compare_lists(known[:-1], project)]
    assert [found.kind for found in compare_lists(known[:-1], project)] == [INVENTED]
    assert missing == [401]
    more = [*known, row(1, INNER, 999, "Light", way="Player")]
    assert [(found.kind, found.file_id) for found in compare_lists(more, project)] == [(NOT_LISTED, 999)]


def test_lists_of_textures_and_other_imports_are_compared(project: Snapshot) -> None:
    texture = row(4, MAIN, 2800000, "Texture2D", "tiles")
    sprites = [row(4, SUB, 555, "Sprite", "tiles_first"), row(4, SUB, -666, "Sprite", "tiles_second")]
    assert list(compare_lists([texture, *sprites], project)) == []
    assert [(found.kind, found.file_id) for found in compare_lists([texture, sprites[0]], project)] == [
        (INVENTED, -666)
    ]
    other = row(4, SUB, 8900000, "Cubemap", "tiles")  # has a name, and is not in the list
    assert [(found.kind, found.file_id) for found in compare_lists([texture, *sprites, other], project)] == [
        (NOT_LISTED, 8900000)
    ]
    unnamed = row(4, SUB, 999, "Sprite", "no such")  # told when objects are compared
    assert list(compare_lists([texture, *sprites, unnamed], project)) == []
    assert list(compare_lists([row(3, MAIN, 11500000, "MonoScript", "Health")], project)) == []
    assert list(compare_lists([row(10, MAIN, 102900000, "DefaultAsset", "Art")], project)) == []


def test_an_asset_that_cannot_be_listed_is_a_difference(project: Snapshot) -> None:
    assert [found.kind for found in compare_lists([row(7, INNER, 1, "GameObject")], project)] == [UNREADABLE]


def test_references_are_compared_in_both_directions(project: Snapshot) -> None:
    def reference(target: str) -> EditorReference:
        return EditorReference(guid(1), "Player.prefab", target, "")

    built_in = reference("0000000000000000e000000000000000")
    assert list(compare_references([reference(guid(3)), built_in], project)) == []
    found = list(compare_references([reference(guid(4))], project))
    assert [each.kind for each in found] == [NO_REFERENCE, OWN_REFERENCE]
    assert found[0].editor == guid(4)
    assert found[1].ours == "Assets/Scripts/Health.cs"


def test_references_of_prefabs_in_a_prefab_are_its_own(tmp_path: Path) -> None:
    root = make_project(tmp_path / "Game")
    for number, inner in ((30, 31), (31, 32), (32, 30)):  # a circle
        uses = f"  m_A: {{fileID: 100, guid: {guid(inner)}, type: 3}}\n"
        uses += f"  m_B: {{fileID: 2100000, guid: {guid(4)}, type: 3}}\n" if number == 32 else ""
        write(
            root, f"Assets/{number}.prefab", number, HEAD + game_object(100, "A", components=uses), "PrefabImporter:\n"
        )
    snapshot = open_project(str(root))
    theirs = [EditorReference(guid(30), "30.prefab", guid(target), "") for target in (31, 4, 32)]
    assert list(compare_references(theirs, snapshot)) == []
    far = EditorReference(guid(30), "30.prefab", guid(3), "Health.cs")
    assert [found.kind for found in compare_references([*theirs, far], snapshot)] == [NO_REFERENCE]
    snapshot.close()
