"""Values of an object with the names of references and enums."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts.judging import judge_project
from assetdb.contents.overrides import Reference
from assetdb.contents.values import Scalar
from assetdb.errors import FileError
from assetdb.query.inspecting import (
    PropertyRow,
    SettingRow,
    ValueNamer,
    ValueText,
    described_value,
    plain_value,
    value_fields,
    values_of,
)
from assetdb.query.selecting.selector import NO_GUID, Subject
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, make_project, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

LIGHT = "  m_Type: 1\n  m_Intensity: 2.5\n  m_Flare: {fileID: 0}\n  m_Empty: []\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root = make_project(tmp_path_factory.mktemp("inspecting") / "P")
    lamp = component(108, 300, 100, "Light", LIGHT)
    write(root, "Assets/Lamp.prefab", 50, HEAD + game_object(100, "Lamp", components=lamp), "PrefabImporter:\n")
    change = (
        f"    - target: {{fileID: 300, guid: {guid(50)}, type: 3}}\n      propertyPath: m_Type\n"
        "      value: 2\n      objectReference: {fileID: 0}\n"
    )
    placed = instance(9000, 50).replace("    m_RemovedComponents", f"{change}    m_RemovedComponents")
    write(root, "Assets/Variant.prefab", 51, HEAD + placed, "PrefabImporter:\n")
    write(root, "Assets/Empty.prefab", 52, HEAD, "PrefabImporter:\n")
    lost = instance(9000, 99)
    write(root, "Assets/Lost.prefab", 53, HEAD + lost, "PrefabImporter:\n")
    body = "--- !u!21 &2100000\nMaterial:\n  m_Name: m\n--- !u!114 &7\nMonoBehaviour:\n  m_Name: more\n"
    write(root, "Assets/m.mat", 54, HEAD + body, "NativeFormatImporter:\n")
    damaged = "--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: 'not closed\n  x: 1\n"
    write(root, "Assets/bad.asset", 55, HEAD + damaged, "NativeFormatImporter:\n")
    opened = open_project(str(root))
    yield opened
    opened.close()


def test_the_values_of_an_object(project: Snapshot) -> None:
    found = values_of(Subject(guid(50), 300), project)
    assert found[:7] == (guid(50), 300, "Lamp.prefab (Light)", "Light", guid(50), "Assets/Lamp.prefab", 300)
    rows = {row.path: row for row in found.properties}
    assert rows["m_Type"] == PropertyRow("m_Type", ValueText("1", "Directional"), "", ValueText("1", "Directional"), ())
    assert rows["m_Intensity"].value == ValueText("2.5")
    assert rows["m_Flare"].value == ValueText("None", file_id=0)
    assert (rows["m_Empty"].value, rows["m_Empty"].base) == (None, None)
    game_object_row = rows["m_GameObject"].value
    assert game_object_row == ValueText("Lamp.prefab (GameObject)", "", "", 100, "")
    assert not found.truncated


def test_an_override_is_told_with_the_file_that_sets_it(project: Snapshot) -> None:
    found = values_of(Subject(guid(51), 9000 ^ 300), project)
    assert (found.source, found.source_path, found.source_id) == (guid(50), "Assets/Lamp.prefab", 300)
    (row,) = values_of(Subject(guid(51), 9000 ^ 300), project, overrides=True).properties
    step = SettingRow("Assets/Variant.prefab", guid(51), 9000, ValueText("2", "Point"))
    assert row == PropertyRow("m_Type", ValueText("2", "Point"), "", ValueText("1", "Directional"), (step,))
    assert len(found.properties) > 1
    assert values_of(Subject(guid(50), 300), project, overrides=True).properties == []


def test_values_of_references(project: Snapshot) -> None:
    found = {row.path: row.value for row in values_of(Subject(guid(8), 20), project).properties}
    assert found["player"] == ValueText("Player.prefab (GameObject)", "", guid(1), 100, "")
    assert found["gone"] == ValueText("Assets/Prefabs/Player.prefab", "", guid(1), 12345, "dangling")
    assert found["unknown"] == ValueText(guid(77), "", guid(77), 12345, "missing-asset")


@pytest.mark.parametrize(
    ("number", "file_id", "kind"),
    [(1, 100, "GameObject"), (9, 11400000, "Health"), (54, 2100000, "Material"), (51, 9000 ^ 100, "GameObject")],
)
def test_an_asset_has_a_main_object(project: Snapshot, number: int, file_id: int, kind: str) -> None:
    found = values_of(Subject(guid(number), None), project)
    assert (found.file_id, found.type) == (file_id, kind)


@pytest.mark.parametrize(
    ("number", "file_id", "message"),
    [
        (8, None, "Assets/Main.unity: has no main object: `assetdb ls` lists the objects that can be shown"),
        (52, None, "Assets/Empty.prefab: "),
        (7, None, "Assets/Art/lost.mat: is a Git LFS pointer: run `git lfs pull`"),
        (7, 2100000, "Assets/Art/lost.mat: is a Git LFS pointer: run `git lfs pull`"),
        (77, 5, f"{guid(77)}: no asset has this GUID"),
        (4, None, "Assets/Art/tiles.png: its importer makes the objects, and no file has their values: see Assets/Art"),
        (4, 555, "Assets/Art/tiles.png: its importer makes the objects, and no file has their values: see Assets/Art"),
        (1, 12345, "Assets/Prefabs/Player.prefab: has no object 12345: `assetdb ls` lists those it has"),
        (
            53,
            9000 ^ 100,
            "Assets/Lost.prefab: object 9036 is of a prefab or model that cannot be opened (missing-asset)",
        ),
    ],
)
def test_an_object_without_a_document_is_an_error(
    project: Snapshot, number: int, file_id: int | None, message: str
) -> None:
    with pytest.raises(FileError) as error:
        values_of(Subject(guid(number), file_id), project)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("subject", [Subject(NO_GUID, None, folder="Assets/Art"), Subject(guid(90), None)])
def test_a_folder_has_no_values(project: Snapshot, subject: Subject) -> None:
    write_meta(Path(project.root), "Assets/Art", 90, "folderAsset: yes\n")
    project.expire(0)
    with pytest.raises(FileError, match=r"^Assets/Art: is a folder"):
        values_of(subject, project)


def test_a_damaged_document_is_an_error_with_its_place(project: Snapshot) -> None:
    with pytest.raises(FileError) as error:
        values_of(Subject(guid(55), 11400000), project)
    assert str(error.value).startswith("Assets/bad.asset: object 11400000: ")
    assert str(error.value).endswith("; `assetdb check` says where the file is damaged")


@pytest.mark.parametrize(
    ("header", "lines", "version", "told"),
    [
        ("!u!114 &7", "MonoBehaviour:\n  m_Text: a: b\n", "2019.2.1f1", "line 3 of its document has a colon"),
        ("!u!114 &7", "MonoBehaviour:\n  m_Text: a: b\n", "2019.3.1f1", ""),
        ("!u!114 &7", "MonoBehaviour:\n  m_List:\n  -\n  - a\n", "2019.2.1f1", ""),
        ("!u!114 &7", "MonoBehaviour:\n  m_List:\n  -\n  - a\n", "2019.3.1f1", "line 4 of its document has a dash"),
        ("!u!114 &7", "MonoBehaviour:\n  m_Text: 'a' b\n", "2019.2.1f1", "line 3 of its document has text behind"),
        ("!u!114 &7", "MonoBehaviour:\n  m_Text: 'a' b\n", "6000.0.1f1", ""),
        ("!u!114 &7", "GameObject:\n  m_Name: a\n", "6000.0.1f1", "line 2 of its document begins a GameObject"),
        ("!u!4 &7", "Transform:\n  m_Father: {fileID: 0}\n", "6000.0.1f1", "line 2 of its document begins a comp"),
    ],
)
def test_what_check_calls_broken_is_not_read_by_the_version(
    tmp_path: Path, header: str, lines: str, version: str, told: str
) -> None:
    root = tmp_path / "Game"
    write(root, "Assets/a.asset", 50, f"{HEAD}--- {header}\n{lines}", "NativeFormatImporter:\n")
    (root / "ProjectSettings").mkdir()
    (root / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")
    opened = open_project(str(root))
    problems = judge_project(opened).problems
    reasons = [row.verdict.reason for rows in problems.values() for row in rows]
    assert ("broken-asset" in reasons) == bool(told)
    if not told:
        assert values_of(Subject(guid(50), 7), opened).properties
        return
    with pytest.raises(FileError) as error:
        values_of(Subject(guid(50), 7), opened)
    assert told in str(error.value)


def test_json_has_values_bases_and_overrides(project: Snapshot) -> None:
    fields = value_fields(values_of(Subject(guid(51), 9000 ^ 300), project, overrides=True))
    assert fields["properties"] == [
        {
            "path": "m_Type",
            "group": "",
            "value": {"value": 2, "name": "Point"},
            "base": {"value": 1, "name": "Directional"},
            "overrides": [
                {
                    "path": "Assets/Variant.prefab",
                    "guid": guid(51),
                    "instance": 9000,
                    "value": {"value": 2, "name": "Point"},
                }
            ],
        }
    ]
    assert (fields["type"], fields["source_id"]) == ("Light", 300)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ValueText("Lamp", "", guid(1), 100), "Lamp"),
        (ValueText("Player.prefab", "", guid(1), 5, "dangling"), "Player.prefab:5 (dangling)"),
        (ValueText("", "", guid(1), 5, "missing-asset"), f"{guid(1)}:5 (missing-asset)"),
        (ValueText("2", "Point"), "Point (2)"),
        (ValueText("2"), "2"),
    ],
)
def test_a_value_for_people(value: ValueText, expected: str) -> None:
    assert described_value(value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("-0", -0.0),
        ("-17", -17),
        ("017", "017"),
        ("1234567890123456789", 1234567890123456789),
        ("12345678901234567890", "12345678901234567890"),
        ("0.5", 0.5),
        ("-00.5", -0.5),
        ("1.", "1."),
        (".5", ".5"),
        ("1.2.3", "1.2.3"),
        ("1e5", "1e5"),
        ("", ""),
        ("-", "-"),
        ("0." + "1" * 37, float("0." + "1" * 37)),
        ("0." + "1" * 38, "0." + "1" * 38),
    ],
)
def test_numbers_are_numbers_in_json(text: str, expected: object) -> None:
    found = plain_value(ValueText(text))
    assert (found, type(found)) == (expected, type(expected))
    assert plain_value(ValueText(text, quoted=True)) == text


def test_other_values_in_json() -> None:
    assert plain_value(None) is None
    assert plain_value(ValueText("None", file_id=0)) == {"guid": "", "file_id": 0, "name": "None", "reason": ""}
    assert plain_value(ValueText("2", "Point")) == {"value": 2, "name": "Point"}


def test_quoted_text_stays_text_with_its_quotes_known(project: Snapshot) -> None:
    namer = ValueNamer(project.resolver, guid(50), "Light")
    assert namer.shown("x", Scalar("5", quoted=True)) == ValueText("5", quoted=True)
    assert namer.shown("m_Type", Scalar("1")) == ValueText("1", "Directional")
    assert namer.shown("x", Reference(100, "")) == ValueText("Lamp.prefab (GameObject)", "", "", 100)
    assert namer.shown("x", Reference(0, guid(1))) == ValueText("None", file_id=0)
