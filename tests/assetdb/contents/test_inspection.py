"""Values of one object with the overrides of the prefabs and scenes around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.contents.hierarchy import Hierarchy
from assetdb.contents.inspection import ImportedPlace, Inspected, Property, find_document, inspect
from assetdb.contents.overrides import Reference, property_path
from assetdb.contents.values import Scalar
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.instances import Imported
from assetdb.unity.engine.file_ids import ImportedObject
from assetdb.unity.yaml.objects import TextObjects
from tests.assetdb.contents.expansion import Expansion
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, stripped

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.resolve.instances import Content


def changed(number: int, source: int, parent: int, rows: list[tuple[int, str, str, str]]) -> str:
    """An instance with overrides: target, path, value, reference."""
    text = "".join(
        f"    - target: {{fileID: {target}, guid: {guid(source)}, type: 3}}\n      propertyPath: {path}\n"
        f"      value: {value}\n      objectReference: {reference}\n"
        for target, path, value, reference in rows
    )
    return instance(number, source, parent).replace("    m_RemovedComponents", f"{text}    m_RemovedComponents")


def inspected(files: dict[int, str], file_id: int, number: int = 1) -> Inspected:
    contents: dict[str, Content] = {guid(key): TextObjects((HEAD + text).encode()) for key, text in files.items()}
    place = find_document(
        Hierarchy(lambda key: contents.get(key, "missing-asset"), guid(number)).open, guid(number), file_id
    )
    assert not isinstance(place, str), place
    return inspect(place)


def texts(found: Inspected) -> dict[str, Any]:
    return {row.path: row.value.text if isinstance(row.value, Scalar) else row.value for row in found.properties}


INNER = game_object(
    10,
    "Inner",
    components=component(65, 12, 10, "BoxCollider", "  size: {x: 1, y: 2, z: 3}\n  l:\n  - 5\n  r: {fileID: 10}\n"),
)
NOTHING = "{fileID: 0}"


def test_the_outermost_override_counts_and_the_chain_is_told() -> None:
    middle = changed(100, 3, 0, [(12, "size.y", "20", NOTHING), (12, "size.x", "9", NOTHING)])
    outer = changed(200, 2, 0, [(100 ^ 12, "size.y", "21", NOTHING)])
    found = inspected({1: outer, 2: middle, 3: INNER}, 200 ^ 100 ^ 12)
    assert (found.class_name, found.guid, found.source_id) == ("BoxCollider", guid(3), 12)
    rows = {row.path: row for row in found.properties}
    assert [(step.guid, step.instance, step.value) for step in rows["size.y"].settings] == [
        (guid(2), 100, Scalar("20")),
        (guid(1), 200, Scalar("21")),
    ]
    assert (rows["size.y"].base, rows["size.y"].value) == (Scalar("2"), Scalar("21"))
    assert rows["size.z"] == Property("size.z", Scalar("3"), "size", Scalar("3"), ())
    assert rows["r"].value == Reference(200 ^ 100 ^ 10, "")


def test_arrays_grow_and_shrink_as_their_size_is_overridden() -> None:
    grown = changed(100, 2, 0, [(12, "l.Array.size", "3", NOTHING), (12, "l.Array.data[1]", "7", NOTHING)])
    found = texts(inspected({1: grown, 2: INNER}, 100 ^ 12))
    assert [found[f"l[{number}]"] for number in range(3)] == ["5", "7", "5"]
    assert list(found)[-1] == "r"
    emptied = texts(inspected({1: changed(100, 2, 0, [(12, "l.Array.size", "0", NOTHING)]), 2: INNER}, 100 ^ 12))
    assert (emptied["l"], "l[0]" in emptied) == (None, False)
    rows = [(12, f"l[{'1' * 5000}]", "7", NOTHING), (12, "l.Array.size", "1", NOTHING)]
    assert texts(inspected({1: changed(100, 2, 0, rows), 2: INNER}, 100 ^ 12))["l[0]"] == "5"


@pytest.mark.long
def test_overrides_without_end_are_cut_off() -> None:
    """Each added value moves all others: 30,000 in one instance took minutes, and an array's size gigabytes."""
    for rows in (
        [(12, f"added{number}", "1", NOTHING) for number in range(30_000)],
        [(12, "size.y", str(number), NOTHING) for number in range(30_000)],
    ):
        found = inspected({1: changed(100, 2, 0, rows), 2: INNER}, 100 ^ 12)
        assert found.truncated
    many = "".join(f"    v{number}: 1\n" for number in range(2_000))
    inner = game_object(10, "Inner", components=component(65, 12, 10, "BoxCollider", f"  l:\n  - first: 1\n{many}"))
    found = inspected({1: changed(100, 2, 0, [(12, "l.Array.size", "9999", NOTHING)]), 2: inner}, 100 ^ 12)
    assert found.truncated
    assert len(found.properties) < 10_000


def test_what_only_an_override_sets_stands_with_its_group() -> None:
    rows = [
        (12, "size.w", "4", NOTHING),
        (12, "other", "1", NOTHING),
        (12, "r", "", f"{{fileID: 8, guid: {guid(9)}, type: 3}}"),
    ]
    found = texts(inspected({1: changed(100, 2, 0, rows), 2: INNER}, 100 ^ 12))
    assert list(found)[-6:] == ["size.y", "size.z", "size.w", "l[0]", "r", "other"]
    assert found["r"] == Reference(8, guid(9))


def test_the_parent_of_a_placed_root_is_where_it_is_placed() -> None:
    text = game_object(50, "Outer") + instance(100, 2, 51)
    assert texts(inspected({1: text, 2: INNER}, 100 ^ 11))["m_Father"] == Reference(51, "")


def test_a_stripped_object_is_found_in_its_source() -> None:
    text = instance(100, 2) + stripped(65, 777, "BoxCollider", 2, 12, 100)
    assert inspected({1: text, 2: INNER}, 777).class_name == "BoxCollider"


@pytest.mark.parametrize(
    ("files", "file_id", "reason"),
    [
        ({1: instance(100, 9) + stripped(65, 777, "BoxCollider", 9, 12, 100)}, 777, "missing-asset"),
        ({1: INNER}, 999, "dangling"),
        ({1: instance(100, 1)}, 999, "dangling"),
    ],
)
def test_an_object_without_a_document_has_a_reason(files: dict[int, str], file_id: int, reason: str) -> None:
    contents: dict[str, Content] = {guid(key): TextObjects((HEAD + text).encode()) for key, text in files.items()}
    contents[guid(7)] = Imported("boat", {43: ImportedObject("Mesh", "Hull", certain=True)}, "importer-unknown")
    hierarchy = Hierarchy(lambda key: contents.get(key, "missing-asset"), guid(1))
    assert find_document(hierarchy.open, guid(1), file_id) == reason


def test_an_object_of_a_model_has_its_place_there_and_what_is_overridden() -> None:
    row = (
        f"    - target: {{fileID: 43, guid: {guid(7)}, type: 3}}\n      propertyPath: m_Name\n      value: Keel\n"
        "      objectReference: {fileID: 0}\n"
    )
    text = instance(100, 7).replace("    m_RemovedComponents", f"{row}    m_RemovedComponents")
    contents: dict[str, Content] = {guid(1): TextObjects((HEAD + text).encode())}
    contents[guid(7)] = Imported("boat", {43: ImportedObject("Mesh", "Hull", certain=True)}, "importer-unknown")
    hierarchy = Hierarchy(lambda key: contents.get(key, "missing-asset"), guid(1))
    place = find_document(hierarchy.open, guid(1), 100 ^ 43)
    assert isinstance(place, ImportedPlace)
    found = inspect(place)
    assert (found.class_name, found.guid, found.source_id) == ("Mesh", guid(7), 43)
    assert [(row.path, row.value, row.base) for row in found.properties] == [("m_Name", Scalar("Keel"), None)]


@pytest.mark.long
@pytest.mark.corpus("unity/BoatAttack")
def test_overridden_values_of_a_project_are_what_the_chain_says(corpus: Path, tmp_path: Path) -> None:
    project = tmp_path / "P"
    project.mkdir()
    for name in ("Assets", "Packages", "ProjectSettings"):
        (project / name).symlink_to(corpus / "unity" / "BoatAttack" / name)
    assert compare_overrides(project, 25, 1 << 18) > 500


def compare_overrides(project: Path, most: int, most_bytes: int) -> int:
    """Compare overridden numbers and texts of some prefabs and scenes; return how many were equal."""
    snapshot = open_project(str(project), str(project / "Library" / "assetdb"))
    resolver = snapshot.resolver

    def read(key: str) -> str | None:
        location = resolver.locate(key)
        if not isinstance(resolver.content(key), TextObjects) or location is None:
            return None
        with open(location.file, encoding="utf-8-sig", errors="replace") as file:
            return file.read()

    expansion = Expansion(read)
    count = 0
    assets = sorted(asset for asset in snapshot.database if asset.path.endswith((".prefab", ".unity")))
    for asset in assets[:: max(1, len(assets) // most)]:
        if (project / asset.path).stat().st_size > most_bytes or not isinstance(
            resolver.content(asset.guid), TextObjects
        ):
            continue
        hierarchy = Hierarchy(resolver.content, asset.guid)
        expanded = expansion.file(asset.guid)
        assert expanded is not None
        for number, thing in expanded.things.items():
            if not thing.overrides or thing.class_id in (-1, 1001):
                continue
            place = find_document(hierarchy.open, asset.guid, number)
            assert not isinstance(place, str), (asset.path, number)
            found = {row.path: row for row in inspect(place).properties}
            for path, value in thing.overrides.items():
                row = found.get(property_path(path))
                if row is not None and isinstance(row.value, Scalar):
                    assert row.value.text == value, (asset.path, number, path)
                    assert row.settings
                    count += 1
    return count
