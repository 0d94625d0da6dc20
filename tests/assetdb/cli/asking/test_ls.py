"""``assetdb ls``."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from assetdb.cli import main
from assetdb.cli.asking import ls as command
from assetdb.query.listing import AssetRow, ComponentRow, Contents, LeftOut, ObjectRow, PartRow
from assetdb.store.indexes.supplement import Unread
from assetdb.unity.settings.addressables import GROUP_SCRIPT
from assetdb.unity.textures.imported import ImportedTexture
from tests.assetdb.unity_project import HEAD, game_object, guid, instance, make_project, write
from tests.needs import ignores_case

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from assetdb.cli.arguments import QueryOptions

LEVEL = """\
Level  Transform
  Hero  Transform  [Player.prefab]  1 overridden
    Body  Transform, Health  [Player.prefab]
      Head #1  Transform  [Player.prefab]
      Sword  Transform  added
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "P")
    monkeypatch.chdir(root)
    return root


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["ls", "--quiet", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_prefab_is_listed_with_nested_prefabs_opened(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    assert run(capsys, "Level.prefab", "--tree") == (0, LEVEL, "")
    assert run(capsys, "Level.prefab", "--no-nested", "--tree", "--depth", "2") == (
        0,
        "Level  Transform\n  Hero  [Player.prefab]\n",
        "",
    )


def test_every_name_can_be_asked_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    for asset in ("Main.unity", "Level.prefab", "Player.prefab"):
        _, out, _ = run(capsys, asset)
        _, rows, _ = run(capsys, asset, "--json")
        for line, row in zip(out.splitlines(), map(json.loads, rows.splitlines()), strict=True):
            assert main(["name", "--json", line.split("  ")[0]]) == 0
            found = json.loads(capsys.readouterr().out)
            assert found["guid"] == row["guid"]
            assert found["file_id"] in (row["file_id"], None)


def test_parts_of_a_hierarchy_can_be_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    body = f"{7000 ^ 200}"
    expected = "".join(f"{line[4:]}\n" for line in LEVEL.splitlines()[2:])
    for words in (("--in", body), ("--in", "Hero / Body"), ("--in", "Level.prefab / Hero / Body")):
        assert run(capsys, "Level.prefab", "--tree", *words) == (0, expected, "")
    assert run(capsys, "Level.prefab / Hero / Body", "--tree") == (0, expected, "")
    assert run(capsys, "Level.prefab", "--tree", "--in", body, "--depth", "1")[1] == expected.partition("\n")[0] + "\n"
    assert run(capsys, "Level.prefab", "--class", "health.cs") == (
        0,
        "Level.prefab / Hero / Body  Transform, Health  [Player.prefab]\n",
        "",
    )
    code, _, err = run(capsys, "Level.prefab", "--class", "Camera")
    assert (code, err) == (1, "assetdb: Assets/Prefabs/Level.prefab holds nothing with Camera\n")
    assert run(capsys, "Level.prefab", "--in", "Nobody")[0] == 2
    assert run(capsys, "Level.prefab", "--in", "12345")[0] == 2


def test_a_folder_lists_its_assets(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = (project / "Assets" / "data.asset").stat().st_size
    code, out, _ = run(capsys, "Assets", "--json")
    rows = {row["path"]: row for row in map(json.loads, out.splitlines())}
    assert code == 0
    assert rows["Assets/data.asset"] == {"path": "Assets/data.asset", "type": "Health", "guid": guid(9), "bytes": size}
    assert rows["Assets/Art"]["guid"] == guid(10)
    assert "Assets/Art/boat.fbx" not in rows
    deep = [json.loads(line)["path"] for line in run(capsys, "Assets", "--deep", "--json")[1].splitlines()]
    assert "Assets/Art/boat.fbx" in deep
    assert "Assets/Art" not in deep


def test_an_asset_without_a_hierarchy_lists_its_objects(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    assert run(capsys, "data.asset")[1] == "data  Health  11400000\n"
    rows = [json.loads(line) for line in run(capsys, "tiles.png", "--json")[1].splitlines()]
    assert {"name": "tiles_second", "type": "Sprite", "file_id": -666, "guid": guid(4)} in rows


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "is a Git LFS pointer"),
        (b"", "is empty or absent"),
        (b"\0\0\0\x01\0\0\0\0binary", "is binary"),
    ],
)
def test_a_file_that_cannot_be_opened_is_an_error_with_what_to_do(
    project: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    write(project, "Assets/bad.prefab", 30, content)
    code, out, err = run(capsys, "bad.prefab")
    assert (code, out) == (2, "")
    assert err.startswith(f"assetdb: error: Assets/bad.prefab: {said}")


def test_a_file_with_conflict_markers_is_listed_as_far_as_it_can_be(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        HEAD
        + game_object(10, "A")
        + "<<<<<<< HEAD\n"
        + game_object(20, "B", 11)
        + "=======\n"
        + game_object(20, "C", 11)
    )
    write(project, "Assets/torn.prefab", 30, text + ">>>>>>> theirs\n")
    assert run(capsys, "torn.prefab", "--tree") == (0, "A  Transform\n  B  Transform\n", "")


def test_a_file_that_is_too_large_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "Assets/big.unity", 30, HEAD + game_object(10, "A"))
    with (project / "Assets" / "big.unity").open("r+b") as file:
        file.truncate(200 << 20)
    code, _, err = run(capsys, "Assets/big.unity", "--no-refresh")
    assert code == 2
    assert "big.unity: has more than 96 MiB, and no larger file is opened" in err


def test_names_that_steer_a_terminal_are_escaped(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        project, "Assets/odd.prefab", 30, HEAD + game_object(10, '"A\\u202Eb"') + instance(70, 99, 11, {1: "x" * 1000})
    )
    _, out, _ = run(capsys, "odd.prefab", "--tree")
    assert out.startswith("A\\u202eb  Transform\n  xxx")
    assert "missing-asset" in out


def test_what_is_not_there_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    assert run(capsys, "Nowhere.prefab")[:2] == (1, "")
    assert json.loads(run(capsys, "Nowhere.prefab", "--json")[1])["reason"] == "not-found"


def test_a_group_and_an_atlas_list_the_assets_in_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = "".join(f"  - m_GUID: {guid(number)}\n    m_Address: a\n" for number in (1, 10, 999))
    script = f"  m_Script: {{fileID: 11500000, guid: {GROUP_SCRIPT}, type: 3}}\n  m_Name: G\n"
    group = f"--- !u!114 &11400000\nMonoBehaviour:\n{script}  m_GroupName: G\n  m_SerializeEntries:\n{entries}"
    write(project, "Assets/G.asset", 40, HEAD + group, "NativeFormatImporter:\n  userData: \n")
    packed = f"    packables:\n    - {{fileID: 2800000, guid: {guid(4)}, type: 3}}\n"
    atlas = f"--- !u!687078895 &4343727234628468602\nSpriteAtlas:\n  m_EditorData:\n{packed}"
    write(project, "Assets/Icons.spriteatlas", 41, HEAD + atlas, "NativeFormatImporter:\n  userData: \n")
    rows = [json.loads(line) for line in run(capsys, "G.asset", "--json")[1].splitlines()]
    size = (project / "Assets/Prefabs/Player.prefab").stat().st_size
    assert [(row["path"], row["type"], row["bytes"]) for row in rows] == [
        ("Assets/Art", "folder", 0),
        ("Assets/Prefabs/Player.prefab", "Prefab", size),
        (guid(999), "missing-asset", 0),
    ]
    rows = [json.loads(line) for line in run(capsys, "Icons.spriteatlas", "--json")[1].splitlines()]
    assert [(row["path"], row["type"]) for row in rows] == [("Assets/Art/tiles.png", "Texture2D")]
    assert run(capsys, "Icons.spriteatlas")[1].startswith("Assets/Art/tiles.png  Texture2D")


def test_a_folder_in_another_case(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = run(capsys, "Assets/Prefabs")
    assert right[0] == 0
    if ignores_case(project):
        assert run(capsys, "assets/PREFABS") == right
    else:
        assert run(capsys, "assets/PREFABS")[0] == 1


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("lost.fbx", None, "metas without their file: 1"),
        ("empty.fbx", "", "empty files: 1"),
        (
            "pointer.fbx",
            f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n",
            "LFS pointers: 1",
        ),
        ("door.dae", "<COLLADA><node name='Door'/></COLLADA>", "models in formats that are not read: 1"),
    ],
)
def test_a_model_whose_file_does_not_tell_its_objects_says_so(
    project: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | None, why: str
) -> None:
    importer = "ModelImporter:\n  fileIDToRecycleName:\n    100000: //RootNode\n    400000: //RootNode\n"
    write(project, f"Assets/{name}", 70, text or "", importer)
    if text is None:
        (project / "Assets" / name).unlink()
    assert main(["ls", f"Assets/{name}"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"{name} / ")
    assert f"may have other objects than those listed ({why}): Assets/{name}" in err


def test_a_model_that_is_read_needs_no_note(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "Assets/cube.obj", 71, "o cube\nv 0 0 0\nf 1 1 1\n", "ModelImporter:\n  meshes: []\n")
    assert main(["ls", "Assets/cube.obj"]) == 0
    assert "other objects" not in capsys.readouterr().err


# --- the rows of a listing

HEALTH = ComponentRow("Health", 1, guid(3), "", 0, 0, added=False, removed=False)
ROOT = ObjectRow(
    0, 1, "A", ("A",), components=(), active=True, source=guid(1), source_path="Assets/A.prefab", source_id=1,
    instance=0, places="", overridden=0, added=False, removed=False, reason="",
)  # fmt: skip
CHILD = ROOT._replace(depth=1, name="B", way=("A", "B"))
NOTHING = Contents([], [], [], truncated=False)


class Listing:
    """``ls`` with contents that a test made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.expired = self.shared = 0
        self.asked: dict[str, object] = {}

    def expire(self) -> None:
        self.expired += 1

    def run(
        self,
        contents: Contents,
        path: str = "Assets/A.prefab",
        *,
        json: bool = False,
        quiet: bool = False,
        verbose: bool = False,
        **given: Any,  # noqa: ANN401 - those of ls
    ) -> tuple[int, str, str]:
        def share(*_: object) -> None:
            self.shared += 1

        def contents_of(*_: object, **asked: object) -> Contents:
            self.asked = asked
            return contents

        for name, value in (
            ("opened", lambda _: self),
            ("find_subject", lambda *_, **__: SimpleNamespace(guid=guid(1))),
            ("say_sharing", share),
            ("describe_subject", lambda *_: SimpleNamespace(path=path)),
            ("contents_of", contents_of),
        ):
            self._monkeypatch.setattr(command, name, value)
        options = SimpleNamespace(cwd="", json=json, quiet=quiet, verbose=verbose)
        code = command.ls(cast("QueryOptions", options), "A", **given)
        out, err = self._capsys.readouterr()
        return code, out, err


@pytest.fixture
def listing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Listing:
    return Listing(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("row", "line"),
    [
        (ROOT, "A"),
        (ROOT._replace(components=(HEALTH, HEALTH._replace(type="Box"))), "A  Health, Box"),
        (ROOT._replace(components=(HEALTH._replace(added=True),)), "A  +Health"),
        (ROOT._replace(components=(HEALTH._replace(removed=True),)), "A  -Health"),
        (ROOT._replace(components=(HEALTH._replace(removed=True, added=True),)), "A  -Health"),
        (ROOT._replace(components=(HEALTH._replace(overridden=2),)), "A  Health*"),
        (ROOT._replace(source_path="Assets/In/C.prefab"), "A  [C.prefab]"),
        (ROOT._replace(source_path=""), f"A  [{guid(1)}]"),
        (ROOT._replace(active=False), "A  inactive"),
        (ROOT._replace(added=True), "A  added"),
        (ROOT._replace(removed=True), "A  removed"),
        (ROOT._replace(overridden=3), "A  3 overridden"),
        (ROOT._replace(reason="dangling"), "A  dangling"),
        (
            ROOT._replace(active=False, added=True, removed=True, overridden=1, reason="empty"),
            "A  inactive, added, removed, 1 overridden, empty",
        ),
    ],
)
def test_an_object_has_its_components_origin_and_notes(listing: Listing, row: ObjectRow, line: str) -> None:
    code, out, err = listing.run(NOTHING._replace(objects=[row]), tree=True)
    assert (code, [" ".join(part.split()) for part in out.splitlines()], err) == (0, [" ".join(line.split())], "")


@pytest.mark.parametrize(
    ("path", "row", "name"),
    [
        ("Assets/A.prefab", ROOT, "A.prefab"),  # the root of a prefab has its name
        ("Assets/A.prefab", CHILD, "A.prefab / B"),
        ("Assets/Other.prefab", CHILD, "Other.prefab / A / B"),
        ("Assets/A.unity", CHILD, "A.unity / A / B"),
        ("Assets/A.unity", ROOT, "A.unity / A"),
    ],
)
def test_an_object_is_told_as_it_can_be_asked(listing: Listing, path: str, row: ObjectRow, name: str) -> None:
    assert listing.run(NOTHING._replace(objects=[row._replace(source_path=path)]), path)[1].rstrip() == name


def test_parts_and_assets_are_told_in_columns(listing: Listing) -> None:
    parts = [PartRow("Wood", "Material", 2100000), PartRow("A longer name", "Mesh", 5)]
    assert listing.run(NOTHING._replace(parts=parts))[:2] == (
        0,
        "Wood           Material  2100000\nA longer name  Mesh            5\n",
    )
    assets = [AssetRow("Assets/a.png", "Texture2D", guid(1), 1234), AssetRow("Assets/b", "folder", guid(2), 1)]
    rows = "Assets/a.png  Texture2D  1,234\nAssets/b      folder         1\n"
    assert listing.run(NOTHING._replace(assets=assets))[:2] == (0, rows)
    assert listing.run(NOTHING._replace(assets=assets), size=True)[:2] == (0, rows + "1,235 bytes\n")
    assert listing.run(NOTHING._replace(assets=assets[1:]), size=True)[1].splitlines()[1:] == ["1 byte"]


def test_of_an_asset_its_own_bytes_are_told(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assetdb.query.sizes.size_of", lambda _, path: len(path))
    assert listing.run(NOTHING._replace(objects=[ROOT]), size=True)[1].splitlines()[1:] == ["1 file, 15 bytes"]


def test_textures_have_their_imported_size(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def sizes(_: object, rows: Sequence[AssetRow], platform: str) -> dict[str, ImportedTexture]:
        asked.append(([row.path for row in rows], platform))
        return {"Assets/a.png": ImportedTexture(64, 32, 4, 7, 10_923)}

    monkeypatch.setattr("assetdb.query.imported_sizes.imported_sizes", sizes)
    assets = [AssetRow("Assets/a.png", "Texture2D", guid(1), 1234), AssetRow("Assets/b", "folder", guid(2), 1)]
    _, out, _ = listing.run(NOTHING._replace(assets=assets), imported="Android")
    assert [line.split() for line in out.splitlines()] == [
        ["Assets/a.png", "Texture2D", "1,234", "10,923", "64x32", "RGBA32,", "7", "levels"],
        ["Assets/b", "folder", "1"],
        ["imported", "for", "Android:", "1", "texture,", "10,923", "bytes,", "estimated"],
    ]
    listing.run(NOTHING._replace(objects=[ROOT]), imported="iPhone")  # of an asset: itself
    assert asked == [(["Assets/a.png", "Assets/b"], "Android"), (["Assets/A.prefab"], "iPhone")]
    _, out, _ = listing.run(NOTHING._replace(assets=assets), imported="Android", json=True)
    assert "10923" in out.splitlines()[0]


def test_nothing_is_told_with_the_classes_that_were_asked_for(listing: Listing) -> None:
    assert listing.run(NOTHING) == (1, "", "assetdb: Assets/A.prefab holds nothing\n")
    assert listing.run(NOTHING, "") == (1, "", "assetdb: A holds nothing\n")
    assert listing.run(NOTHING, classes=["Camera", "Light"])[2] == (
        "assetdb: Assets/A.prefab holds nothing with Camera or Light\n"
    )
    assert listing.run(NOTHING, json=True) == (1, "", "")
    for found in (
        NOTHING._replace(objects=[ROOT]),
        NOTHING._replace(parts=[PartRow("Wood", "Material", 1)]),
        NOTHING._replace(assets=[AssetRow("Assets/b", "folder", guid(2), 1)]),
    ):
        code, out, _ = listing.run(found, json=True)
        assert (code, len(out.splitlines())) == (0, 1)


def test_what_is_left_out_is_told_by_the_five_first_prefabs(listing: Listing) -> None:
    left = [LeftOut(f"Assets/{number}.prefab", 1000 * number) for number in range(1, 7)]
    contents = NOTHING._replace(objects=[ROOT], truncated=True, left_out=left)
    _, _, err = listing.run(contents, quiet=True)
    shown = ", ".join(f"{number},000 of Assets/{number}.prefab" for number in range(1, 6))
    assert err == (
        "assetdb: Assets/A.prefab: has more objects than can be listed at once: "
        "limit them with --depth or --no-nested\n"
        f"assetdb: left out, with all that is below them: 21,000 objects ({shown})\n"
    )
    assert listing.run(contents._replace(truncated=False), quiet=True)[2] == ""


def test_notes_are_told_unless_it_shall_be_quiet(listing: Listing) -> None:
    contents = NOTHING._replace(objects=[ROOT], unread=[Unread("Assets/B.prefab", "unreadable")])
    _, _, err = listing.run(contents)
    assert "may have other objects than those listed" in err
    assert (listing.shared, listing.expired) == (1, 1)
    assert listing.run(contents, quiet=True)[2] == ""
    assert listing.shared == 1


def test_the_words_of_a_question_are_handed_on(listing: Listing) -> None:
    listing.run(NOTHING)
    assert listing.asked == {"nested": True, "depth": None, "classes": (), "inside": "", "deep": False}
    listing.run(NOTHING, no_nested=True, depth=2, classes=["A"], inside="B", deep=True)
    assert listing.asked == {"nested": False, "depth": 2, "classes": ["A"], "inside": "B", "deep": True}
