"""Files of ``ProjectSettings/``: merges, pointers, damage and references of files that no scan reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.project_settings import (
    damage_of_settings,
    find_conflicts,
    find_doubts,
    find_lost_references,
    find_pointers,
    invalid_guids_of_settings,
)
from tests.assetdb.checks.healthy import guid_of, material, put
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path

GRAPHICS = "ProjectSettings/GraphicsSettings.asset"
NOBODY = "8f57b4a070f7b43bbb3925467e6752ab"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
MERGE = b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n"
BUILD = "ProjectSettings/EditorBuildSettings.asset"
PAINT = "Assets/Paint.mat"
BUILT_IN = "{fileID: 46, guid: 0000000000000000f000000000000000, type: 0}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "Game"


def settle(root: Path, data: bytes, path: str = GRAPHICS) -> Path:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)
    return root


@pytest.mark.parametrize(("name", "is_read"), [("A.asset", True), ("A.json", True), ("A.txt", True), ("A.md", False)])
def test_merges_and_pointers_are_looked_for_in_the_formats_of_settings(root: Path, name: str, is_read: bool) -> None:  # noqa: FBT001
    path = f"ProjectSettings/{name}"
    found = found_by(find_conflicts, settle(root, MERGE, path))
    assert [(row.code, row.path, row.line, row.message) for row in found] == (
        [("conflict-markers", path, 2, "an unresolved merge")] if is_read else []
    )
    found = found_by(find_pointers, settle(root, POINTER, path))
    assert [(row.code, row.path, row.message) for row in found] == (
        [("lfs-pointer", path, "the settings are a Git LFS pointer")] if is_read else []
    )


def test_settings_without_a_merge_a_pointer_or_content_are_no_finding(root: Path) -> None:
    settle(root, HEAD.encode())
    settle(root, b"", "ProjectSettings/Empty.asset")
    assert found_by(find_conflicts, root) == found_by(find_pointers, root) == found_by(damage_of_settings, root) == []


@pytest.mark.parametrize(
    ("data", "path", "is_damaged"),
    [
        (b"lorem ipsum\n", GRAPHICS, True),
        (b"\0\0\1\2 no serialized file", GRAPHICS, True),
        (HEAD.encode(), GRAPHICS, False),
        (b' {"a": 1}', GRAPHICS, False),
        (b"\n[1]", GRAPHICS, False),
        (POINTER, GRAPHICS, False),  # it has its own code
        (b"\0\0\0\0", GRAPHICS, False),  # empty in the sense of the scan
        (b"lorem ipsum\n", "ProjectSettings/ProjectVersion.txt", False),
    ],
)
def test_only_an_asset_that_is_neither_yaml_json_nor_binary_is_damaged(
    root: Path,
    data: bytes,
    path: str,
    is_damaged: bool,  # noqa: FBT001
) -> None:
    found = found_by(damage_of_settings, settle(root, data, path))
    message = "the file is neither YAML nor Unity's binary form"
    assert [(row.code, row.path, row.message) for row in found] == [("broken-asset", path, message)] * is_damaged


def references(*values: str) -> bytes:
    rows = "".join(f"  m_Value{number}: {value}\n" for number, value in enumerate(values))
    return f"{HEAD}--- !u!30 &1\nGraphicsSettings:\n{rows}".encode()


def lost(root: Path) -> list[tuple[str, int, str, str, str]]:
    found = found_by(find_lost_references, root)
    assert {(row.path, row.anchor) for row in found} <= {(GRAPHICS, 1)}
    return [(row.code, row.line, row.property_path, row.target, row.message) for row in found]


def test_references_that_lead_somewhere_are_no_finding(root: Path) -> None:
    put(root, PAINT, material("Paint"), "NativeFormatImporter:\n  userData: \n")
    there = f"{{fileID: 2100000, guid: {guid_of(PAINT)}, type: 2}}"
    assert lost(settle(root, references(BUILT_IN, there, "{fileID: 0}"))) == []


def test_a_missing_asset_and_a_missing_object_are_named_with_line_property_and_target(root: Path) -> None:
    put(root, PAINT, material("Paint"), "NativeFormatImporter:\n  userData: \n")
    gone = f"{{fileID: 7, guid: {guid_of(PAINT)}, type: 2}}"
    settle(root, references(gone, f"{{fileID: 2100000, guid: {NOBODY}, type: 2}}"))
    assert lost(root) == [
        (
            *("dangling", 5, "m_Value0", f"{guid_of(PAINT)}:7"),
            f"refers to object 7 of {guid_of(PAINT)}, which is not there",
        ),
        ("missing-asset", 6, "m_Value1", f"{NOBODY}:2100000", f"no asset has the GUID {NOBODY}"),
    ]


def test_the_scenes_of_a_build_and_files_that_are_no_yaml_have_rules_of_their_own(root: Path) -> None:
    data = references(f"{{fileID: 2100000, guid: {NOBODY}, type: 2}}")
    scenes = f"  m_Scenes:\n  - enabled: 1\n    path: Assets/Menu.unity\n    guid: {NOBODY}\n"
    settle(root, references() + scenes.encode(), BUILD)
    settle(root, data, "ProjectSettings/Other.txt")
    settle(root, data.removeprefix(HEAD.encode()).replace(b"---", b"###"), "ProjectSettings/NoHead.asset")
    assert lost(root) == []


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        ("2018.4.36f1", [(5, "has a colon and a space in a text without quotes")]),
        ("2019.3.1f1", []),
        ("6000.0.1f1", []),
    ],
)
def test_a_line_of_settings_that_unity_refuses_is_damage_by_the_version(
    root: Path, version: str, lines: list[tuple[int, str]]
) -> None:
    settle(root, f"{HEAD}--- !u!78 &1\nTagManager:\n  text: a: b\n  layers:\n  - ''\n".encode())
    settle(root, f"m_EditorVersion: {version}\n".encode(), "ProjectSettings/ProjectVersion.txt")
    found = [(row.line, row.message) for row in found_by(damage_of_settings, root)]
    assert found == [(line, f"Unity cannot read the file: this line {reason}") for line, reason in lines]


def test_a_line_of_settings_that_unity_may_refuse_is_doubtful(root: Path) -> None:
    settle(root, f"{HEAD}--- !u!78 &1\nTagManager:\n  text: 'a' b\n".encode())
    (found,) = found_by(find_doubts, root)
    assert (found.code, found.line) == ("doubtful-text", 5)
    assert found.message == "Unity may not read the file: this line has text behind a closing quote"
    assert found_by(damage_of_settings, root) == []


def test_a_config_object_that_nothing_has_is_told_beside_the_scenes(root: Path) -> None:
    name = "com.unity.addressableassets"
    row = f"  m_Scenes: []\n  m_configObjects:\n    {name}: {{fileID: 11400000, guid: {NOBODY}, type: 2}}\n"
    (found,) = found_by(find_lost_references, settle(root, references() + row.encode(), BUILD))
    assert (found.code, found.path, found.line, found.severity) == ("missing-asset", BUILD, 7, "warning")
    assert (found.property_path, found.target) == (f"m_configObjects.{name}", f"{NOBODY}:11400000")


def test_a_layer_that_lost_its_space_is_damage(root: Path) -> None:
    settle(root, f"{HEAD}--- !u!78 &1\nTagManager:\n  layers:\n  - Default\n  -\n".encode())
    (found,) = found_by(damage_of_settings, root)
    assert (found.code, found.line) == ("broken-asset", 7)


@pytest.mark.parametrize(
    ("name", "digits", "line"),
    [
        ("GraphicsSettings.asset", NOBODY[:31], 5),
        ("GraphicsSettings.asset", NOBODY, 0),
        ("GraphicsSettings.txt", NOBODY[:31], 0),
    ],
)
def test_guids_that_unity_cannot_read_are_told_with_their_place(
    tmp_path: Path, name: str, digits: str, line: int
) -> None:
    text = f"{HEAD}--- !u!30 &1\nGraphicsSettings:\n  m_Shader: {{fileID: 46, guid: {digits}, type: 0}}\n"
    (tmp_path / "ProjectSettings").mkdir()
    (tmp_path / "ProjectSettings" / name).write_text(text)
    found = [
        (row.code, row.path, row.line, row.property_path, row.anchor)
        for row in found_by(invalid_guids_of_settings, tmp_path)
    ]
    assert found == ([("invalid-guid", f"ProjectSettings/{name}", line, "m_Shader", 1)] if line else [])
