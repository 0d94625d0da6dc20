"""Assets whose GUIDs Tuanjie wrote encoded: by path everywhere, and by prefix where others refer to them."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from assetdb import open_database
from assetdb.cli import main
from assetdb.client.engine import Engine
from assetdb.mcp.answers import TOOLS
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import dependencies_of, usages_of
from assetdb.query.graph.tree import usage_tree
from assetdb.query.graph.users import users_of
from assetdb.query.graph.ways import find_ways_between
from assetdb.query.listing import list_folder
from assetdb.query.selecting.selector import NO_GUID, Subject
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, guid, write

if TYPE_CHECKING:
    from pathlib import Path

MASK = 0x3F4A2F851A9D634B  # stated by the reference of the format: 89 of 89 metas of a public project
MEANT, OTHER = "8f8ebe9430f8cd24681a3754d7c62829", "8f8ebe94ffffffffffffffffffffffff"
USER, CLIP, SCRIPT = "Assets/User.asset", "Assets/Clip.asset", 3


def encoded(digits: str, rest: int) -> str:
    first = int.from_bytes(digits.encode(), "big") ^ MASK
    return b64encode(first.to_bytes(8, "big") + bytes([rest]) * 33).decode()


def holder(name: str, *references: str) -> str:
    rows = "".join(
        f"  - {{fileID: {2100000 if reference == guid(2) else 11400000}, guid: {reference}, type: 2}}\n"
        for reference in references
    )
    return (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(SCRIPT)}, type: 3}}\n"
        f"  m_Name: {name}\n  held:\n{rows}"
    )


def put_encoded(root: Path, path: str, rest: int, *references: str) -> str:
    text = encoded("8f8ebe94", rest)
    write(root, path, 90, holder(path.rpartition("/")[2].removesuffix(".asset"), *references))
    (root / f"{path}.meta").write_text(f"fileFormatVersion: 2\nguid: {text}\nNativeFormatImporter:\n  userData: \n")
    return text


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "Game"
    (made / "ProjectSettings").mkdir(parents=True)
    (made / "Packages").mkdir()
    (made / "Packages/manifest.json").write_text('{"dependencies": {}}')
    write(made, "Assets/Held.cs", SCRIPT, "using UnityEngine;\npublic class Held : ScriptableObject { }\n")
    write(made, USER, 1, holder("User", MEANT))
    write(made, "Assets/End.mat", 2, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: End\n")
    put_encoded(made, CLIP, 7, guid(2))
    monkeypatch.chdir(made)
    return made


def asked(capsys: pytest.CaptureFixture[str], *words: str, expect: int = 0) -> list[dict[str, Any]]:
    assert main([*words, "--json"]) == expect, words
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_commands_answer_by_path(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = encoded("8f8ebe94", 7)
    for query in (CLIP, "Clip", f"{CLIP}.meta"):
        (listed,) = asked(capsys, "ls", query)
        assert (listed["name"], listed["type"]) == ("Clip", "Held"), root
        (used,) = asked(capsys, "usages", query)
        assert [row["path"] for row in used["usages"]] == [USER]
        (needed,) = asked(capsys, "deps", query)
        assert [row["path"] for row in needed["dependencies"]] == ["Assets/End.mat", "Assets/Held.cs"]
    (found,) = asked(capsys, "find", "Clip")
    assert (found["guid"], found["path"]) == (text, CLIP)
    (shown,) = asked(capsys, "get", CLIP)
    assert (shown["guid"], shown["source"]) == (text, text)
    assert {row["path"]: row["value"] for row in shown["properties"]}["m_Name"] == "Clip"


def test_a_reference_that_fits_one_is_named_by_prefix(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (needed,) = asked(capsys, "deps", USER)
    assert {row["path"]: row["type"] for row in needed["dependencies"]}[CLIP] == "Held, by prefix"
    (deep,) = asked(capsys, "deps", USER, "--deep")
    assert {row["path"] for row in deep["dependencies"]} == {CLIP, "Assets/Held.cs", "Assets/End.mat"}
    (users,) = asked(capsys, "usages", "Assets/End.mat", "--deep")
    assert {row["path"] for row in users["usages"]} == {CLIP, USER}
    assert main(["get", USER]) == 0
    assert "Clip.asset (by prefix)" in capsys.readouterr().out
    assert main(["check"]) == 0
    assert "missing-asset" not in capsys.readouterr().out


def test_where_two_assets_fit_none_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put_encoded(root, "Assets/Second.asset", 9)
    (needed,) = asked(capsys, "deps", USER)
    assert [row["path"] for row in needed["dependencies"] if row["guid"] == MEANT] == [""]
    for path in (CLIP, "Assets/Second.asset"):
        assert asked(capsys, "usages", path, expect=1)[0]["usages"] == []
    (named,) = asked(capsys, "name", f"{MEANT}:11400000", expect=1)
    assert (named["name"] or "", named["reason"]) == ("", "encoded-guid")
    (counted,) = asked(capsys, "coverage")
    assert counted["apart"] == {"encoded-guid": 1}
    main(["check"])
    assert "missing-asset" not in capsys.readouterr().out


def test_where_two_references_fit_one_asset_none_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "Assets/Other.asset", 4, holder("Other", OTHER))
    assert asked(capsys, "usages", CLIP, expect=1)[0]["usages"] == []
    for meant in (MEANT, OTHER):
        (named,) = asked(capsys, "name", f"{meant}:11400000", expect=1)
        assert named["reason"] == "encoded-guid"


def test_a_tree_goes_on_behind_such_an_asset(root: Path) -> None:
    project = open_project(str(root))
    tree = usage_tree(Subject(guid(2), None), project, AssetGraph(project))
    assert [(row.depth, row.asset.path) for row in tree.rows] == [(0, CLIP), (1, USER)]
    put_encoded(root, "Assets/Second.asset", 9)  # now nobody knows which of them is meant
    project.expire(0)
    tree = usage_tree(Subject(guid(2), None), project, AssetGraph(project))
    assert [(row.depth, row.asset.path) for row in tree.rows] == [(0, CLIP)]
    project.close()


def test_a_folder_with_such_an_asset_is_asked_like_the_asset(root: Path) -> None:
    put_encoded(root, "Assets/Sub/Clip.asset", 7, guid(2))
    for name in (CLIP, f"{CLIP}.meta"):
        (root / name).unlink()
    project = open_project(str(root))
    graph, sub = AssetGraph(project), Subject(NO_GUID, None, folder="Assets/Sub")
    users, places = usages_of(sub, project, graph, deep=False, objects=True)
    assert [user.path for user in users] == [place.path for place in places] == [USER]
    assert [user.path for user in users_of(project, ["Assets/Sub"])] == [USER]
    assert {row.path for row in dependencies_of(sub, project, graph, deep=False)} == {
        "Assets/End.mat",
        "Assets/Held.cs",
    }
    assert dependencies_of(Subject(NO_GUID, None, folder="Assets"), project, graph, deep=True) == []
    (way,) = find_ways_between("Assets/Sub", sub, "End.mat", project, graph, str(root))[0].ways
    assert [step.asset.path for step in way.steps] == ["Assets/Sub/Clip.asset", "Assets/End.mat"]
    (row,) = list_folder(sub, project, deep=False).assets
    assert row.guid == encoded("8f8ebe94", 7)
    put_encoded(root, "Assets/Sub/Other.asset", 8)  # now nobody knows which of them is meant
    project.expire(0)
    assert usages_of(sub, project, AssetGraph(project), deep=False, objects=True) == ([], [])
    project.close()


def test_a_guid_with_other_digits_is_missing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = f"8f8ebe95{MEANT[8:]}"
    write(root, USER, 1, holder("User", lost))
    (named,) = asked(capsys, "name", f"{lost}:11400000", expect=1)
    assert named["reason"] == "missing-asset"
    assert asked(capsys, "usages", CLIP, expect=1)[0]["usages"] == []


def test_an_edit_is_seen_by_the_next_check(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check"])
    assert "missing-asset" not in capsys.readouterr().out
    meta = root / f"{CLIP}.meta"
    meta.write_text(meta.read_text().replace(encoded("8f8ebe94", 7), encoded("12345678", 7)))
    assert main(["check"]) == 1
    assert f"no asset has the GUID {MEANT}" in capsys.readouterr().out
    put_encoded(root, CLIP, 8)
    main(["check"])
    assert "missing-asset" not in capsys.readouterr().out


def test_the_database_has_no_row(root: Path) -> None:
    assert main(["bake"]) == 0
    with open_database(str(root / "Library/assetdb/asset-db.bin")) as database:
        assert sorted(asset.path for asset in database) == ["Assets/End.mat", "Assets/Held.cs", USER]


def test_methods_and_tools_answer_alike(root: Path) -> None:
    engine = Engine(str(root))
    try:
        used = msgspec.json.decode(engine.ask("usages", {"query": CLIP}))
        assert [row["path"] for row in used["usages"]] == [USER]
        needed = msgspec.json.decode(engine.ask("deps", {"query": USER}))
        assert {row["path"] for row in needed["dependencies"]} == {CLIP, "Assets/Held.cs"}
        assert msgspec.json.decode(engine.ask("ls", {"query": CLIP}))["guid"] == encoded("8f8ebe94", 7)
        assert msgspec.json.decode(engine.ask("find", {"pattern": "Clip"}))["total"] == 1
        assert msgspec.json.decode(engine.ask("get", {"query": CLIP}))["guid"] == encoded("8f8ebe94", 7)
        for tool, arguments in (("usages", {"query": CLIP}), ("deps", {"query": USER}), ("find", {"pattern": "Clip"})):
            answer = TOOLS[tool](arguments, engine)
            assert any(USER in row or CLIP in row for row in (answer.summary, *answer.rows)), tool
    finally:
        engine.close()


def test_a_picture_with_an_encoded_guid_has_a_path_too(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "Assets/Sky.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (root / "Assets/Sky.png.meta").write_text(
        f"fileFormatVersion: 2\nguid: {encoded('0123abcd', 3)}\nTextureImporter:\n  textureType: 0\n"
    )
    (found,) = asked(capsys, "find", "Sky")
    assert (found["path"], found["type"]) == ("Assets/Sky.png", "Texture2D")
    assert "unread_files" not in asked(capsys, "usages", "Assets/Sky.png", expect=1)[0]
