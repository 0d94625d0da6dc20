"""What catalogs, layouts, content states and the project's settings tell of where assets went."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds import open_build
from assetdb.builds.groups.plan import MissingEntry
from assetdb.builds.trace.tracer import Tracer
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import open_project
from assetdb_formats.addressables.editing.content import Entry
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from tests.assetdb.builds import making
from tests.assetdb_formats.addressables.builder import GUID, PROVIDERS, RUNTIME, make_content, make_layout, write
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "Assets/First.unity", "Assets/Second.unity"


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]]]:
    code = main(["trace", *words, "--json", "-q"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    scenes = "".join(
        f"  - enabled: {enabled}\n    path: {path}\n    guid: {guid_of(path)}\n"
        for enabled, path in ((0, "Assets/Off.unity"), (1, FIRST), (1, SECOND))
    )
    for path in (FIRST, SECOND, "Assets/Off.unity"):
        add(root, path, f"{HEAD}--- !u!104 &1\nRenderSettings:\n", "DefaultImporter")
    (root / "ProjectSettings").mkdir()
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{scenes}", newline=""
    )
    return root


def write_catalog(folder: Path, *, remote: tuple[int, ...], prefix: str = "https://cdn.example.com") -> Path:
    """Write a catalog of four bundles, some of which players download."""
    content = make_content()
    for number in remote:
        content.entries[number].internal_id = content.entries[number].internal_id.replace(RUNTIME, prefix)
    folder.mkdir()
    (folder / "catalog.json").write_bytes(write(content, JSON_FLAVOURS["1.28"]))
    return folder


def test_local_content_that_needs_what_is_downloaded(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hero.prefab lies in the third bundle and needs the first; ``shield.png`` the other way round."""
    folder = write_catalog(tmp_path / "aa", remote=(0,))
    code, found = rows(capsys, "--mixed", "--in", str(folder), "--project", str(root))
    assert (code, {(row["asset"], row["needs"].partition("_all_")[0]) for row in found}) == (
        1,
        {("Assets/Prefabs/Hero.prefab", "https://cdn.example.com/group_1_assets")},
    )
    assert found[0]["bundle"].startswith(f"{RUNTIME}/group_3_assets")


@pytest.mark.parametrize(
    ("remote", "prefix"),
    [
        ((), ""),
        ((0, 1, 2, 3), "https://cdn.example.com"),  # nothing is local
        ((0,), "file:///srv/content"),
        ((0,), "jar:file:///data/app/base.apk!/assets"),
        ((0,), "{Game.Paths.Content}"),  # only the game's own code can say
    ],
)
def test_nothing_is_mixed(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], remote: tuple[int, ...], prefix: str
) -> None:
    folder = write_catalog(tmp_path / "aa", remote=remote, prefix=prefix)
    assert rows(capsys, "--mixed", "--in", str(folder), "--project", str(root)) == (0, [])


def test_an_asset_of_several_types_is_one_line_of_the_catalog(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``sword.png`` is loaded as a texture and as a sprite: two locations that differ in nothing else."""
    folder = write_catalog(tmp_path / "aa", remote=())
    words = (f"{GUID}1", "--in", str(folder), "--project", str(root))
    assert main(["trace", *words, "-q"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "catalog" in line)
    assert "key Art/Icons/sword.png, labels icons, in " in line
    _, (found,) = rows(capsys, *words)
    assert [row["type"] for row in found["catalog"]] == ["UnityEngine.Texture2D", "UnityEngine.Sprite"]


def test_a_layout_alone_is_asked(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layout = make_layout()
    layout["references"]["RefIds"].append(
        {
            "rid": 41,
            "type": {"class": "BuildLayout/DataFromOtherAsset"},
            "data": {
                "AssetGuid": guid_of(FIRST),
                "AssetPath": FIRST,
                "SerializedSize": 30,
                "StreamedSize": 4,
                "ReferencingAssets": [{"rid": 31}],
                "File": {"rid": 51},
            },
        }
    )
    path = tmp_path / "buildlayout.json"
    path.write_text(json.dumps(layout))
    code, (found,) = rows(capsys, FIRST, "--in", str(path), "--project", str(root))
    assert (code, found["layout"][0]["size"], found["parts"]) == (0, 34, [])
    code, found_rows = rows(capsys, "--implicit", "--in", str(path), "--project", str(root))
    assert (code, [row["asset"] for row in found_rows]) == (1, [FIRST])
    path.write_bytes(path.read_bytes()[:300])
    assert main(["trace", FIRST, "--in", str(path), "--project", str(root)]) == 2
    assert "is not JSON" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("scenes", "certainty", "path"),
    [((FIRST,), "scene", FIRST), ((SECOND,), "scene", SECOND), (("Assets/Gone.unity",), "none", None)],
)
def test_the_scene_that_the_player_says(
    root: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    scenes: tuple[str, ...],
    certainty: str,
    path: str | None,
) -> None:
    """The project's list has another order, or is of another day: it is not asked."""
    folder = making.player(tmp_path / "Game_Data", scenes=scenes)
    _, found = rows(capsys, "level0#11", "--in", str(folder), "--project", str(root))
    assert (found[0]["certainty"], [source["path"] for source in found[0]["sources"]]) == (
        certainty,
        [path] if path else [],
    )


def test_the_order_of_the_project_gives_candidates_where_the_player_says_no_scenes(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = making.player(tmp_path / "Game_Data")
    (folder / "globalgamemanagers").unlink()
    shutil.copy(folder / "level0", folder / "level1")
    shutil.copy(folder / "level0", folder / "level2")
    place = ("--in", str(folder), "--project", str(root))
    found = {}
    for name in ("level0#11", "level1#11", "level2#11"):
        _, (row,) = rows(capsys, name, *place)
        found[name] = (row["certainty"], row["by"], [source["path"] for source in row["sources"]])
    assert found == {
        "level0#11": ("candidates", "order of the project's scenes", [FIRST]),
        "level1#11": ("candidates", "order of the project's scenes", [SECOND]),
        "level2#11": ("none", "", []),
    }
    code, (scene,) = rows(capsys, SECOND, *place)
    assert (code, [part["part"] for part in scene["parts"]]) == (0, ["level1"])
    assert {item["certainty"] for part in scene["parts"] for item in part["objects"]} == {"candidates"}
    assert open_build(folder, remember=False).players == {}


def test_of_assets_of_one_name_that_is_meant_which_scripts_load_by_its_path(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The player's ResourceManager has ``fruit/apple``; of two that it could be, both stay candidates."""
    for path in ("Assets/A/Resources/Fruit/apple.png", "Assets/Resources/apple.png", "Assets/fruit/apple.png"):
        add(root, path, "x", "TextureImporter")
    folder = making.player(tmp_path / "Game_Data")
    place = ("--in", str(folder), "--project", str(root))

    def asked() -> tuple[str, str, list[str]]:
        _, (row,) = rows(capsys, "sharedassets0.assets#3", *place)
        return row["certainty"], row["by"], [source["path"] for source in row["sources"]]

    assert asked() == ("unique", "path in Resources", ["Assets/A/Resources/Fruit/apple.png"])
    add(root, "Assets/B/Resources/fruit/apple.jpg", "x", "TextureImporter")
    certainty, _, paths = asked()
    assert (certainty, sorted(paths)) == (
        "candidates",
        ["Assets/A/Resources/Fruit/apple.png", "Assets/B/Resources/fruit/apple.jpg"],
    )


def test_guids_that_the_project_lacks_are_explained(root: Path, tmp_path: Path) -> None:
    def guid(number: int) -> str:
        return f"{GUID}{number:x}"

    content = make_content()
    content.entries.append(Entry(["old", guid(9)], "old", f"{PROVIDERS}.LegacyResourcesProvider"))
    (tmp_path / "aa").mkdir()
    (tmp_path / "aa/catalog.json").write_bytes(write(content, JSON_FLAVOURS["1.28"]))
    add(root, "Assets/there.txt", "x", "TextScriptImporter")
    (root / "Assets/there.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(2)}\n")
    project = open_project(str(root))
    project.refresh()
    tracer = Tracer(open_build(tmp_path / "aa", remember=False), project)
    entries = [MissingEntry("Icons", guid(1), "sword", "a"), MissingEntry("New", guid(10), "new", "b")]
    found = tracer.missing(entries)
    assert found == sorted(found, key=lambda row: (row.internal_id, row.address))
    assert {row.guid: (row.address, row.explained) for row in found} == {
        guid(1): ("Art/Icons/sword.png", "entry of group Icons, and the asset is gone"),
        guid(3): ("Prefabs/Hero.prefab", ""),
        guid(4): ("Prefabs/영웅/Held ü.prefab", ""),
        guid(5): ("a", ""),
        guid(9): ("old", "of a folder Resources, origin unknown"),
        guid(10): ("new", "entry of group New, and the asset is gone; in no catalog"),
    }
    assert {row.guid for row in tracer.missing()} == {guid(number) for number in (1, 3, 4, 5, 9)}
    project.close()
