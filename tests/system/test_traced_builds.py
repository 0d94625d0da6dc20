"""Real builds traced to their projects, and back, by the command: the figures that the guide and the notes name."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assetdb.builds import open_build, read_catalogs
from assetdb.builds.query.catalogs import without_hash
from assetdb.cli import main

PINPOINT = "addressables/data/pinpoint"
URBANIZE = "builds/Urbanize"
SAMPLES = "unity/Addressables-Sample"
VERSIONS = ("2019.4.0f1", "2021.3.0f1", "2022.1.20f1")
# Of each catalog the layout of the build that made it, and its bundles and explicit assets.
LAYOUTS = {
    "2023-11-29_4d809fe1_buildlayout_2023.11.29.21.33.27.json": ("2023-11-29_0f8113d5_catalog.json", 8, 9),
    "2023-11-29_3c97d199_buildlayout_2023.11.29.21.34.01.json": ("2023-11-29_ceeaf3ee_catalog.json", 8, 9),
    "2023-11-29_8f03f537_buildlayout_2023.11.29.21.32.58.json": ("2023-11-29_ff9b68ff_catalog.json", 8, 9),
    "2024-10-02_b0d94515_buildlayout.json": ("2024-10-02_46ea6d2a_catalog.bin", 9, 9),
}


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, list[dict[str, Any]]]:
    code = main([*map(str, words), "--json", "-q"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def trace(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, list[dict[str, Any]]]:
    return run(capsys, "trace", *words)


# --- bundles of BuildPipeline ---------------------------------------------------------------------------------------


@pytest.fixture
def data_tools(corpus: Path, tmp_path: Path) -> Path:
    """Return the project of UnityDataTools, whose C# sources are not in the corpus: empty ones stand in their place."""
    root = tmp_path / "Project"
    shutil.copytree(corpus / "unityfs/UnityDataTools_source_project/UnityFileSystemTestData", root)
    (root / "ProjectSettings").mkdir()
    for meta in root.rglob("*.cs.meta"):
        meta.with_suffix("").touch()
    return root


@pytest.mark.corpus("unityfs")
@pytest.mark.parametrize("version", VERSIONS)
def test_all_but_one_of_138_objects_are_traced_exactly(
    corpus: Path, data_tools: Path, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    """137: 134 of the project and 3 of Unity's own; not the AssetBundle object, which the build made."""
    path = corpus / f"unityfs/UnityDataTools/{version}_assetbundle.bundle"
    code, found = trace(capsys, path.name, "--in", path, "--project", data_tools)
    assert code == 0
    assert Counter(row["certainty"] for row in found) == {"exact": 134, "built in": 3, "none": 1}
    assert [row["class"] for row in found if row["certainty"] == "none"] == ["AssetBundle"]
    for row in found:
        (source,) = row["sources"] or [{}]
        assert row["certainty"] != "exact" or (len(source["guid"]) == 32 and source["file_id"])


@pytest.mark.corpus("unityfs")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ["assetbundle", "scenes"])
def test_every_external_is_a_bundle_or_a_file_that_is_named(
    corpus: Path, data_tools: Path, capsys: pytest.CaptureFixture[str], version: str, kind: str
) -> None:
    path = corpus / f"unityfs/UnityDataTools/{version}_{kind}.bundle"
    externals = {
        name.rpartition("/")[2] for file in open_build(path, remember=False).files for name in file.facts.externals
    }
    hashed = {name for name in externals if name.startswith("CAB-")}
    others = externals - hashed - {"unity default resources", "unity_builtin_extra"}
    assert (len(hashed), len(others)) == ((1, 0) if kind == "assetbundle" else (0, 2))
    for name in hashed:
        assert main(["trace", name, "--in", str(path), "--project", str(data_tools), "-q"]) == 0
        assert capsys.readouterr().out == f"{name}: bundle assetbundle2\n"
    for name in others:
        _, found = trace(capsys, name, "--in", path, "--project", data_tools)
        assert {row["file"] for row in found} == {f"{path.name}/{name}"}


@pytest.mark.corpus("unityfs")
@pytest.mark.parametrize("version", VERSIONS)
def test_scenes_of_a_bundle(corpus: Path, data_tools: Path, capsys: pytest.CaptureFixture[str], version: str) -> None:
    path = corpus / f"unityfs/UnityDataTools/{version}_scenes.bundle"
    _, found = trace(capsys, path.name, "--in", path, "--project", data_tools)
    scenes = {(row["file"].rpartition("/")[2], row["certainty"], *(s["path"] for s in row["sources"])) for row in found}
    assert {row for row in scenes if row[1] not in ("none", "built in")} == {
        (f"BuildPlayer-{name}", "scene", f"Assets/Scenes/{name}.unity") for name in ("SampleScene", "OtherScene")
    }
    assert {row[0] for row in scenes if row[1] == "none"} == {
        f"BuildPlayer-{name}.sharedAssets" for name in ("SampleScene", "OtherScene")
    }


@pytest.mark.corpus("unityfs", "unity/UnityPlayground")
@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_is_traced_to_an_unrelated_project(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    path = corpus / f"unityfs/UnityDataTools/{version}_assetbundle.bundle"
    other = ("--project", corpus / "unity/UnityPlayground", "--out-dir", tmp_path)
    _, found = trace(capsys, path.name, "--in", path, *other)
    assert Counter(row["certainty"] for row in found) == {"none": 135, "built in": 3}


# --- catalogs and layouts of three eras -----------------------------------------------------------------------------


@pytest.fixture
def pinpoint(corpus: Path, tmp_path: Path) -> tuple[object, ...]:
    return ("--project", corpus / "unity/Pinpoint", "--out-dir", tmp_path / "out")


@pytest.mark.corpus("addressables", "unity/Pinpoint")
@pytest.mark.parametrize(
    ("pattern", "keys", "here", "explained"),
    [
        ("2023-11-29_*_catalog.json", 25, 17, {"entry of group": 3, "of a package": 2, "of a folder": 3}),
        ("2024-*_catalog.bin", 9, 6, {"entry of group": 3}),
    ],
)
def test_guids_of_catalogs_are_assets_or_explained(
    corpus: Path,
    capsys: pytest.CaptureFixture[str],
    pinpoint: tuple[object, ...],
    pattern: str,
    keys: int,
    here: int,
    explained: dict[str, int],
) -> None:
    paths = sorted((corpus / PINPOINT).glob(pattern))
    assert len(paths) == 3
    for path in paths:
        guids = {item.guid for item in read_catalogs(open_build(path, remember=False)).assets} - {""}
        code, found = trace(capsys, *sorted(guids), "--in", path, *pinpoint)
        assert (code, len(found), sum(bool(row["path"]) for row in found)) == (0, keys, here)
        code, missing = trace(capsys, "--missing", "--in", path, *pinpoint)
        assert (code, {row["guid"] for row in missing}) == (1, {row["guid"] for row in found if not row["path"]})
        heads = Counter(" ".join(row["explained"].replace(":", "").split()[:3]) for row in missing)
        assert heads == explained


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_the_keys_of_2023_that_no_group_has(
    corpus: Path, capsys: pytest.CaptureFixture[str], pinpoint: tuple[object, ...]
) -> None:
    path = corpus / PINPOINT / "2023-11-29_0f8113d5_catalog.json"
    _, missing = trace(capsys, "--missing", "--in", path, *pinpoint)
    by_id = {row["internal_id"]: row["explained"] for row in missing}
    core = "of a package: Packages/com.unity.render-pipelines.core/Runtime/Debugging/Runtime UI Resources"
    assert by_id["DebugUICanvas"] == f"{core}/DebugUICanvas.prefab"
    assert by_id["DebugUIPersistentCanvas"] == f"{core}/DebugUIPersistentCanvas.prefab"
    for name in ("UnisavePreferencesFile", "FiraCode-Regular", "PerformanceTestRunInfo"):
        assert by_id[name] == "of a folder Resources, origin unknown"


@pytest.fixture
def beside(corpus: Path, tmp_path: Path) -> dict[str, Path]:
    """Return for each layout a folder with it and its catalog."""
    folders = {}
    for number, (layout, (catalog, _, _)) in enumerate(LAYOUTS.items()):
        folders[layout] = tmp_path / f"build{number}"
        folders[layout].mkdir()
        shutil.copy(corpus / PINPOINT / layout, folders[layout] / "buildlayout.json")
        shutil.copy(corpus / PINPOINT / catalog, folders[layout] / f"catalog.{catalog.rpartition('.')[2]}")
    return folders


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_what_is_gone_is_explained_by_groups_and_by_the_layouts_of_both_eras(
    capsys: pytest.CaptureFixture[str], pinpoint: tuple[object, ...], beside: dict[str, Path]
) -> None:
    gone = {
        "604a5f8d": ("Skull", "Assets/AddressableAssets/3D/skull.obj"),
        "7b593976": ("Skull", "Assets/AddressableAssets/3D/skull.prefab"),
        "2124a773": ("IBLCoverage", "Assets/AddressableAssets/IBL/coverage_indexes.bytes"),
    }
    for folder in beside.values():
        _, missing = trace(capsys, "--missing", "--in", folder, *pinpoint)
        found = {row["guid"][:8]: row["explained"] for row in missing if "layout" in row["explained"]}
        assert found == {
            guid: f"entry of group {group}, and the asset is gone; the build layout says {path}"
            for guid, (group, path) in gone.items()
        }


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_layouts_agree_with_catalogs_groups_and_the_project(
    capsys: pytest.CaptureFixture[str], pinpoint: tuple[object, ...], beside: dict[str, Path]
) -> None:
    """33 bundles and 36 explicit assets of four layouts."""
    bundles = assets = 0
    for layout, folder in beside.items():
        build = open_build(folder, remember=False)
        (facts,) = read_catalogs(build).layouts
        assert (len(facts.bundles), len(facts.assets)) == LAYOUTS[layout][1:]
        bundles += len(facts.bundles)
        assets += len(facts.assets)
        catalog = next(folder.glob("catalog.*"))
        code, checks = run(capsys, "catalog", "verify", catalog)
        (check,) = [row for row in checks if row.get("check") == "build layout"]
        assert (check["compared"], check["wrong"], code) == (sum(LAYOUTS[layout][1:]) + 1, 0, 0)
        own = {bundle.name for bundle in facts.bundles}
        _, found = trace(capsys, *(asset.guid for asset in facts.assets), "--in", folder, *pinpoint)
        assert len(found) == len(facts.assets)
        for row in found:
            (entry, *_) = row["catalog"]
            assert entry["bundle"].rpartition("/")[2] in own or any(entry["bundle"].endswith(name) for name in own)
            assert row["group"] == entry["group"] or not row["path"]
    assert (bundles, assets) == (33, 36)


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_a_layout_beside_the_catalog_says_what_was_pulled_in(
    capsys: pytest.CaptureFixture[str], pinpoint: tuple[object, ...], beside: dict[str, Path]
) -> None:
    folder = beside["2024-10-02_b0d94515_buildlayout.json"]
    code, found = trace(capsys, "--implicit", "--in", folder, *pinpoint)
    assert (code, len(found), sum(row["bytes"] for row in found)) == (1, 6, 134_016)
    code, (skull,) = trace(capsys, "Assets/Materials/SkullMaterial.mat", "--in", folder, *pinpoint)
    assert (code, skull["parts"], skull["catalog"]) == (0, [], [])
    assert [row["used_by"] for row in skull["layout"]] == [["Assets/AddressableAssets/3D/skull.prefab"]]


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_an_asset_of_a_catalog(corpus: Path, capsys: pytest.CaptureFixture[str], pinpoint: tuple[object, ...]) -> None:
    catalog = corpus / PINPOINT / "2024-10-02_46ea6d2a_catalog.bin"
    pipette = "Assets/AddressableAssets/ChannelMaps/pipette.asset"
    code, (entry,) = trace(capsys, pipette, "--in", catalog, *pinpoint)
    assert (code, entry["group"], entry["catalog"][0]["crc"]) == (0, "ChannelMaps", 0x91625085)


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_content_states_say_bundle_and_group(
    corpus: Path, capsys: pytest.CaptureFixture[str], pinpoint: tuple[object, ...]
) -> None:
    state = corpus / PINPOINT / "2022-02-20_556a4cea_addressables_content_state.bin"
    code, (found,) = trace(capsys, "3ba30220d1f80c4fbc0e9a7c58c24a92", "--in", state, *pinpoint)
    (row,) = found["state"]
    assert (code, row["size"], row["crc"]) == (0, 5_165_342, 0xD3E49E1B)
    assert row["bundle"].endswith("/annotationdataset_assets_all_f76b79b1cc254494a9946ceef138116f.bundle")
    assert trace(capsys, "0" * 31 + "1", "--in", state, *pinpoint)[0] == 1


# --- what groups would pull in, and what a build did ----------------------------------------------------------------


@pytest.mark.long
@pytest.mark.corpus("unityfs", "unity/Addressables-Sample")
def test_what_groups_would_pull_in_is_what_the_build_did(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five packs of the On-Demand Resources sample: 1,570 assets planned, the same 1,570 in the bundles.

    Twelve packs have textures and materials of the same names: meant is what the bundle loads.
    """
    sample = "Advanced/On-Demand Resources"
    place = ("--project", corpus / SAMPLES / sample, "--out-dir", tmp_path)
    with (corpus / "unityfs/addressables_index.tsv").open(newline="") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["path"].startswith(f"{sample}/")]
    paths = [path for row in rows if (path := corpus / "unityfs" / row["file"]).exists()]
    assert len(paths) == 5
    _, planned = run(capsys, "groups", *(f"pack_{letter}" for letter in "dgikl"), *place)
    plans = {row["bundle"]: row for row in planned}
    names = {path.name: without_hash(path.name.partition("_")[2]).removesuffix(".bundle").rstrip("_") for path in paths}
    folder = tmp_path / "ServerData"
    folder.mkdir()
    for path in paths:
        shutil.copy(path, folder)
    _, found = trace(capsys, *names, "--in", folder, *place)
    traced: dict[str, set[str]] = {name: set() for name in names.values()}
    for row in found:
        if row["certainty"] in ("exact", "unique"):
            traced[names[row["file"].partition("/")[0]]].add(row["sources"][0]["path"])
    assert traced == {
        name: {asset["path"] for key in ("assets", "implicit") for asset in plans[name][key]} for name in traced
    }
    assert sum(map(len, traced.values())) == 1_570


# --- a player without type trees ------------------------------------------------------------------------------------


def documents(prefab: Path) -> int:
    """Return how many objects a prefab of before 2018.3 has in a player: all but the prefab itself."""
    return sum(
        line.startswith("--- !u!") and not line.startswith("--- !u!1001 ") for line in prefab.read_text().splitlines()
    )


@pytest.fixture
def urbanize(corpus: Path, tmp_path: Path) -> tuple[object, ...]:
    """A player of 2017, and its project some commits apart."""
    return ("--in", corpus / URBANIZE / "Build_Data", "--project", corpus / URBANIZE, "--out-dir", tmp_path)


@pytest.mark.corpus("builds")
def test_the_scene_of_a_player_is_what_the_player_says(
    capsys: pytest.CaptureFixture[str], urbanize: tuple[object, ...]
) -> None:
    """The project's settings of today switch TestRL on."""
    code, found = trace(capsys, "level0", *urbanize)
    assert code == 0
    sources = {(row["certainty"], source["path"], source["guid"][:8]) for row in found for source in row["sources"]}
    assert sources == {("scene", "Assets/Main.unity", "686722e8")}
    (main_scene,) = trace(capsys, "Assets/Main.unity", *urbanize)[1]
    assert [(part["part"], len(part["objects"])) for part in main_scene["parts"]] == [("level0", 119)]
    code, (other,) = trace(capsys, "Assets/Scripts/RL/TestRL.unity", *urbanize)
    assert (code, other["path"], other["parts"]) == (1, "Assets/Scripts/RL/TestRL.unity", [])


@pytest.mark.corpus("builds")
def test_objects_of_a_player_without_type_trees(
    corpus: Path, capsys: pytest.CaptureFixture[str], urbanize: tuple[object, ...]
) -> None:
    build = open_build(corpus / URBANIZE / "Build_Data", remember=False)
    names = [file.name for file in build.files if file.facts.serialized]
    _, found = trace(capsys, *names, *urbanize)
    assert len(found) == len(build) == 1139
    kinds = {kind: Counter(row["class"] for row in found if row["certainty"] == kind) for kind in ("unique", "exact")}
    built = Counter(row["class"] for row in found if row["file"] != "Resources/unity default resources")
    assert kinds["unique"] == {
        "MonoScript": 47,
        "Material": 23,
        "Texture2D": 20,
        "Font": 11,
        "Mesh": 10,
        "Sprite": 7,
        "MonoBehaviour": 2,
        "TextAsset": 1,
        "Avatar": 1,  # GranaryAvatar
    }
    assert {name: built[name] for name in ("Material", "Font", "Mesh", "Texture2D")} == {
        "Material": 30,
        "Font": 11,
        "Mesh": 30,
        "Texture2D": 23,
    }
    for row in found:
        if row["certainty"] == "unique":  # none is wrong: its file is called so, or is a model, or the font of it
            (source,) = row["sources"]
            file = source["path"].rpartition("/")[2]
            of_font = row["name"] in ("Font Material", "Font Texture") and file.endswith((".ttf", ".otf"))
            assert file.startswith(f"{row['name']}.") or file.endswith(".fbx") or of_font, row


@pytest.mark.corpus("builds")
def test_scripts_of_a_player(corpus: Path, capsys: pytest.CaptureFixture[str], urbanize: tuple[object, ...]) -> None:
    """147 classes: 47 by namespace and class, an interface of today as a candidate, 99 that are not in this tree."""
    build = open_build(corpus / URBANIZE / "Build_Data", remember=False)
    own = [
        f"{build.file_label(number)}#{build.path_ids[number]}"
        for number, script in build.scripts.items()
        if script.assembly == "Assembly-CSharp.dll" and build.class_ids[number] == 115
    ]
    _, found = trace(capsys, *own, *urbanize)
    assert Counter((row["certainty"], row["by"]) for row in found) == {
        ("unique", "namespace and class"): 47,
        ("candidates", "name of the file"): 1,
        ("none", ""): 99,
    }
    assert [row["name"] for row in found if row["certainty"] == "candidates"] == ["WorldSelectable"]


@pytest.mark.corpus("builds")
def test_prefabs_of_a_player_by_its_list(
    corpus: Path, capsys: pytest.CaptureFixture[str], urbanize: tuple[object, ...]
) -> None:
    """468 objects of 13 prefabs; two of these have other objects now, as the project is some commits apart."""
    _, found = trace(capsys, "sharedassets0.assets", *urbanize)
    exact = Counter(row["sources"][0]["path"] for row in found if row["certainty"] == "exact")
    assert {row["by"] for row in found if row["certainty"] == "exact"} == {"list of prefabs"}
    assert (len(exact), exact.total()) == (13, 468)
    other = {path for path, count in exact.items() if count != documents(corpus / URBANIZE / path)}
    assert other == {"Assets/Prefabs/FarmInfo.prefab", "Assets/Prefabs/Granary.prefab"}
    _, missing = trace(capsys, "--missing", *urbanize)
    assert sorted(row["guid"][:8] for row in missing) == ["1ec4e4e9", "3db4283e", "628960e9", "d13ee2db"]


@pytest.mark.corpus("builds")
@pytest.mark.parametrize(
    ("assemblies", "why", "way"),
    [
        (True, ("scene", "Assets/Main.unity"), ["PloppableButton", "Granary", "Model", "GranaryAvatar"]),
        (False, ("list", "globalgamemanagers"), ["NetworkManager", "Granary", "Model", "GranaryAvatar"]),
    ],
)
def test_why_the_model_of_a_granary_is_in_the_player(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    assemblies: bool,  # noqa: FBT001 - a row
    why: tuple[str, str],
    way: list[str],
) -> None:
    """A button of the scene has its prefab, in a field of a script; NetworkManager's list of all prefabs is no reason.

    The first prefab of that list is Rocks, which NetworkManager was once called by.
    """
    left_out = shutil.ignore_patterns() if assemblies else shutil.ignore_patterns("Managed")
    folder = shutil.copytree(corpus / URBANIZE / "Build_Data", tmp_path / "Build_Data", ignore=left_out)
    place = ("--in", folder, "--project", corpus / URBANIZE, "--out-dir", tmp_path / "out")
    _, (granary,) = trace(capsys, "Assets/Models/Granary.fbx", *place)
    (part,) = granary["parts"]
    assert (len(part["objects"]), (part["why"], part["root"]), part["way"]) == (
        11,
        why,
        way,
    )  # ten meshes and the avatar


# --- what the guide shows of real projects --------------------------------------------------------------------------

GUIDE = (Path(__file__).parents[2] / "docs/builds.md").read_text("utf-8")


def shown() -> list[tuple[str, str]]:
    """Return the commands that the guide shows of real projects, each with what it prints."""
    blocks = re.findall(r"(?ms)^```console\n(.*?)^```", GUIDE)
    return [
        (command, printed)
        for block in blocks
        for command, printed in re.findall(r"(?m)^\$ assetdb (.*)\n((?:(?!\$ ).*\n)*)", block)
    ]


@pytest.mark.corpus("builds", "addressables", "unity/Addressables-Sample", "unity/Pinpoint")
@pytest.mark.skipif(os.name == "nt", reason="the guide shows the paths of other systems")
def test_what_the_guide_shows_of_real_projects_is_what_is_printed(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Build_Data").symlink_to(corpus / URBANIZE / "Build_Data")
    (tmp_path / "catalog.bin").symlink_to(corpus / PINPOINT / "2024-10-02_46ea6d2a_catalog.bin")
    projects = {
        "Build_Data": corpus / URBANIZE,
        "catalog.bin": corpus / "unity/Pinpoint",
        "groups": corpus / SAMPLES / "Advanced/CustomAnalyzeRule",
    }
    commands = shown()
    assert Counter(command.split()[0] for command, _ in commands) == {"groups": 2, "trace": 3}
    for command, printed in commands:
        words = shlex.split(command)
        project = projects[words[-1] if words[0] == "trace" else "groups"]
        place = ["--project", str(project), "--out-dir", str(tmp_path / project.name)]
        main([*words, *place, "-q"])
        assert capsys.readouterr().out == printed, command
