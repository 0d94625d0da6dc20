"""Problems are placed: by the offset of a reference, of a fault, or of a property of another kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts.extracting import Extractor, key_of
from assetdb.checks.verdicts.locating import place_problems
from assetdb.checks.verdicts.processing import ALONE, Processing
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, component, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.checks.verdicts.deciding import Outcome
    from assetdb.query.snapshots.snapshot import Snapshot

LOST = ("missing", "missing-asset")
PATH = "Assets/New.prefab"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "Game")
    values = f"""  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}
  first: {{fileID: 5, guid: {guid(77)}, type: 3}}
  other: {{fileID: 6, guid: {guid(77)}, type: 3}}
  again: {{fileID: 5, guid: {guid(77).upper()}, type: 3}}
"""
    parts = component(114, 300, 200, "MonoBehaviour", values)
    write(
        root,
        PATH,
        50,
        HEAD + game_object(100, "Root") + game_object(200, "Body", 101, parts),
        "PrefabImporter:\n  userData: \n",
    )
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def place(project: Snapshot, problems: dict[bytes, Outcome], path: str = PATH, own: str = guid(50)) -> list[object]:
    """Return line, class, fileID, hierarchy, property, GUID, fileID and outcome of each problem."""
    found = place_problems(project, [(path.encode(), own, problems)], ALONE).problems
    return [(row[1:5], row[7], *row[10:]) for row in found[path.encode()]]


def key(number: int, file_id: int | None) -> bytes:
    return key_of(guid(number).encode(), file_id, override=False, candidate=False)


def test_each_reference_of_a_key_has_a_place_in_the_order_of_the_file(project: Snapshot) -> None:
    where = (114, 300, "Root / Body")
    assert place(project, {key(77, 5): LOST}) == [
        ((26, *where), "first", guid(77), 5, *LOST),
        ((28, *where), "again", guid(77), 5, *LOST),
    ]
    assert place(project, {key(77, 6): LOST, key(77, 7): LOST}) == [((27, *where), "other", guid(77), 6, *LOST)]
    assert place(project, {}) == []


def test_a_file_without_a_guid_has_the_names_of_its_own_objects(project: Snapshot) -> None:
    found = place(project, {key(77, 6): LOST}, own="")
    assert found == [((27, 114, 300, "Body"), "other", guid(77), 6, *LOST)]


def test_files_are_placed_alone_and_in_several_processes_and_an_absent_one_is_left_out(project: Snapshot) -> None:
    problems = {key(77, 6): LOST}
    work = [(path.encode(), guid(50), problems) for path in (PATH, "Assets/none.prefab", "Assets/Main.unity")]
    alone = place_problems(project, work, ALONE)
    assert {path: len(rows) for path, rows in alone.problems.items()} == {PATH.encode(): 1, b"Assets/Main.unity": 0}
    assert place_problems(project, work, Processing(workers=2, placed=1)) == alone


def faults(project: Snapshot, text: str) -> tuple[list[object], set[bytes]]:
    """Return the places of all faults and all properties of a file, given as problems, and its keys."""
    data = (HEAD + text).encode()
    write_to = f"{project.root}/{PATH}"
    with open(write_to, "wb") as file:
        file.write(data)
    keys = set(Extractor().extract(data, "prefab").references)
    return place(project, dict.fromkeys(keys, ("broken", "x"))), keys


def test_a_fault_of_the_file_has_the_place_of_its_object(project: Snapshot) -> None:
    text = game_object(200, "Body", 0, component(23, 300, 200, "MeshRenderer", "  other: {fileID: 7}\n"))
    rows, keys = faults(project, text)
    assert len(keys) == 1
    assert rows == [((16, 23, 300, "Body"), "other", "", 7, "broken", "x")]


def test_a_property_that_excludes_the_kind_of_its_target_is_one_problem_and_not_two(project: Snapshot) -> None:
    """Its key and that of the plain reference are of one place."""
    mesh = f"  m_Mesh: {{fileID: 2100000, guid: {guid(7)}, type: 2}}\n"
    rows, keys = faults(project, game_object(200, "Body", 0, component(33, 300, 200, "MeshFilter", mesh)))
    assert len(keys) == 2
    assert rows == [((16, 33, 300, "Body"), "m_Mesh", guid(7), 2100000, "broken", "x")]


@pytest.mark.parametrize(("mode", "number"), [(0, 1), (1, 2)])
def test_a_lost_sprite_that_particles_do_not_use_is_no_problem(project: Snapshot, mode: int, number: int) -> None:
    sprite = f"{{fileID: 5, guid: {guid(4)}, type: 3}}"
    module = f"  UVModule:\n    enabled: 1\n    mode: {mode}\n    sprites:\n    - sprite: {sprite}\n  other: {sprite}\n"
    parts = component(198, 300, 200, "ParticleSystem", module)
    with open(f"{project.root}/{PATH}", "w", encoding="utf-8") as file:
        file.write(HEAD + game_object(200, "Smoke", 0, parts))
    rows = place(project, {key(4, 5): ("unnamed", "sprite-mode")})
    expected = [
        ((lines, 198, 300, "Smoke"), way, guid(4), 5, "unnamed", "sprite-mode")
        for lines, way in ((20, "UVModule.sprites[0].sprite"), (21, "other"))
    ]
    assert rows == expected[-number:]
