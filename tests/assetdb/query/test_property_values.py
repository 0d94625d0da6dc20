"""Objects and metas are found by the value of a property."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.errors import UsageError
from assetdb.query.objects import find_objects
from assetdb.query.property_values import find_values
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "P")
    write(root, "Assets/Lamp.prefab", 50, HEAD + game_object(100, "Lamp #2"), "PrefabImporter:\n  userData: lit\n")
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def found(project: Snapshot, where: str, pattern: str = "", inside: str = "") -> list[tuple[str, str, str]]:
    rows = find_values(project, project.root, where, pattern, inside).rows
    return [(row.path, row.name, row.value) for row in rows]


def test_an_object_is_found_by_a_value(project: Snapshot) -> None:
    lamp = [("Assets/Lamp.prefab", "Lamp #2", "Lamp #2")]
    assert found(project, "m_Name=Lamp #2") == lamp
    assert found(project, "m_Name=Lamp*") == lamp
    assert found(project, "m_Name=Lamp") == found(project, "m_Name=lamp #2") == []
    assert found(project, "m_Name", inside="Assets/Lamp.prefab") == lamp
    assert found(project, "m_Name", "lamp.pre") == lamp
    assert found(project, "userData=lit") == [("Assets/Lamp.prefab.meta", "", "lit")]


def test_a_folder_is_searched(project: Snapshot) -> None:
    for inside, paths in (("Assets/Prefabs", {"Level", "Player"}), ("Assets", {"Lamp"}), ("Assets/Art", set())):
        rows = found(project, "m_Name", inside=inside)
        assert {Path(path).stem for path, _, _ in rows} >= paths
        assert all(path.startswith(f"{inside}/") for path, _, _ in rows)
    assert found(project, "userData=lit", inside="Assets")


def test_files_that_share_their_guid_are_searched_too(project: Snapshot) -> None:
    copy = HEAD + game_object(100, "Copy") + game_object(200, "Bulb", 101)
    write(Path(project.root), "Assets/Copy.prefab", 50, copy, "PrefabImporter:\n  userData: copied\n")
    project.expire(0)
    assert found(project, "m_Name=Bulb") == [("Assets/Copy.prefab", "Copy / Bulb", "Bulb")]
    assert found(project, "m_Name", inside="Assets/Copy.prefab")[0] == ("Assets/Copy.prefab", "Copy", "Copy")
    assert found(project, "m_Name", inside="Assets/Lamp.prefab") == [("Assets/Lamp.prefab", "Lamp #2", "Lamp #2")]
    assert found(project, "userData=copied") == [("Assets/Copy.prefab.meta", "", "copied")]


@needs_links
def test_a_link_out_of_the_project_is_counted_and_not_searched(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    secret = tmp_path / "secret"
    transform = "--- !u!4 &101\nTransform:\n  m_GameObject: {fileID: 100}\n"
    secret.write_text(HEAD + game_object(100, "Secret") + transform, encoding="utf-8")
    root = tmp_path / "P"
    write(root, "Assets/Out.prefab", 51, "", "PrefabImporter:\n  userData: own\n")
    (root / "Assets/Out.prefab").unlink()
    (root / "Assets/Out.prefab").symlink_to(secret)
    (root / "Assets/In.prefab").symlink_to("Lamp.prefab")
    (root / "Assets/In.prefab.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(52)}\nPrefabImporter:\n")
    project = request.getfixturevalue("project")
    matches = find_values(project, project.root, "m_Name=Secret")
    assert list(matches.rows) == []
    assert [item.path for item in matches.unread if item.code == "link-out"] == ["Assets/Out.prefab"]
    assert found(project, "userData=own") == [("Assets/Out.prefab.meta", "", "own")]
    assert [row[0] for row in found(project, "m_Name=Lamp #2")] == ["Assets/In.prefab", "Assets/Lamp.prefab"]
    components = find_objects(project, project.root, component="Transform")
    assert "Assets/Out.prefab" not in {row.path for row in components.rows}
    assert ("Assets/Out.prefab", "link-out") in [tuple(item) for item in components.unread]


@pytest.mark.parametrize("where", ["", "=x", "a b=c", "m_Name:x=1"])
def test_what_names_no_property_is_refused(project: Snapshot, where: str) -> None:
    with pytest.raises(UsageError, match="PROPERTY=VALUE"):
        found(project, where)
    with pytest.raises(UsageError):
        found(project, "m_Name", inside="Assets/Nothing.prefab")


def test_the_command_prints_the_place_the_object_and_the_value(
    project: Snapshot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["find", "--project", project.root, "--out-dir", str(tmp_path / "out"), "--where"]
    text = Path(project.root, "Assets/Lamp.prefab").read_text(encoding="utf-8")
    line = text[: text.index("m_Name")].count("\n") + 1
    assert main([*words, "m_Name=Lamp #2"]) == 0
    assert capsys.readouterr().out == f"Assets/Lamp.prefab:{line}  Lamp #2 (GameObject)  m_Name = Lamp #2\n"
    assert main([*words, "m_Name=None of them"]) == 1
    assert "nothing has this value" in capsys.readouterr().err
    assert main([*words, "m_Name", "--type", "Prefab"]) == 2
