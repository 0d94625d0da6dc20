"""From assets to what was built from them, and back: made bundles, and real projects beside their builds."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds.opening import open_build
from assetdb.builds.sources import Sources
from assetdb.builds.trace import Tracer
from assetdb.cli import main
from assetdb.query.snapshot import open_project
from formats.unityfs.identity import IMPORTED, NATIVE, archive_name, builtin_path_id, object_path_id
from formats.unityfs.player import Script
from tests.assetdb.builds.making import Material, Texture, bundle
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from pathlib import Path

TEX, MAT, DEEP = "Assets/Tex.png", "Assets/Mat.mat", "Assets/Deep.png"
PIXELS = b"0123456789abcdef"


def path_id(path: str, file_id: int, file_type: int = IMPORTED) -> int:
    return object_path_id(guid_of(path), file_type, file_id)


def write_project(root: Path) -> Path:
    (root / "ProjectSettings").mkdir(parents=True)
    for path in (TEX, DEEP, "Assets/A/Same.png", "Assets/B/Same.png", "Assets/Only.png", "Assets/Unused.png"):
        add(root, path, "x", "TextureImporter")
    add(root, MAT, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Mat\n")
    meta = root / f"{TEX}.meta"
    meta.write_text(meta.read_text().replace("assetBundleName: ", "assetBundleName: things"))
    return root


def write_bundles(folder: Path) -> Path:
    folder.mkdir()
    deep = Texture(path_id(DEEP, 2800000), "Deep", PIXELS)
    things: list[Texture | Material] = [
        Texture(path_id(TEX, 2800000), "Tex", PIXELS, "assets/tex.png"),
        Material(path_id(MAT, 2100000, NATIVE), "Mat", ((0, deep.path_id),), "assets/mat.mat"),
        deep,
        Texture(builtin_path_id(10300), "Own", PIXELS),
    ]
    others: list[Texture | Material] = [
        deep,
        Texture(71, "Same", PIXELS),
        Texture(72, "Only", PIXELS),
        Texture(73, "Nobody", PIXELS),
    ]
    (folder / "things.bundle").write_bytes(bundle(archive_name("things"), "things", things))
    (folder / "others.bundle").write_bytes(bundle("CAB-" + "0" * 32, "others", others))
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "Project")


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return write_bundles(tmp_path / "Build")


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]]]:
    code = main(["trace", *words, "--json", "-q"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_back(root: Path, build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--in", str(build), "--project", str(root))
    code, found = rows(capsys, "things.bundle", "others.bundle", *place)
    assert code == 0
    assert {(row["name"], row["certainty"], *(source["path"] for source in row["sources"])) for row in found} == {
        ("Tex", "exact", TEX),
        ("Mat", "exact", MAT),
        ("Deep", "exact", DEEP),
        ("Own", "built in", "Resources/unity_builtin_extra"),
        ("Same", "candidates", "Assets/A/Same.png", "Assets/B/Same.png"),
        ("Only", "unique", "Assets/Only.png"),
        ("Nobody", "none"),
        ("things", "none"),
        ("others", "none"),
    }
    code, found = rows(capsys, "others.bundle#72", *place)
    assert [row["sources"][0]["guid"] for row in found] == [guid_of("Assets/Only.png")]
    assert rows(capsys, "others.bundle#73", *place)[0] == 1


def test_forward(root: Path, build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--in", str(build), "--project", str(root))
    code, (found,) = rows(capsys, TEX, *place)
    assert code == 0
    assert [(part["part"].rpartition("/")[2], part["why"], part["root"]) for part in found["parts"]] == [
        ("things.bundle", "container", "assets/tex.png")
    ]
    assert found["parts"][0]["objects"][0]["streamed"] == len(PIXELS)
    code, (found,) = rows(capsys, guid_of(DEEP), *place)
    assert [part["part"].rpartition("/")[2] for part in found["parts"]] == ["others.bundle", "things.bundle"]
    assert found["parts"][1]["way"] == ["Mat", "Deep"]
    code, (found,) = rows(capsys, "Assets/Only.png", *place)
    assert [item["certainty"] for part in found["parts"] for item in part["objects"]] == ["unique"]
    code, (found,) = rows(capsys, "Assets/Unused.png", *place)
    assert (code, found["parts"]) == (1, [])
    code, (found,) = rows(capsys, f"{guid_of(TEX)}:21300000", *place)
    assert (code, found["parts"]) == (1, [])


def test_the_file_in_a_bundle_has_the_hash_of_its_name(
    root: Path, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [archive_name("things"), "--in", str(build / "others.bundle"), "--project", str(root), "-q"]
    assert main(["trace", *words]) == 0
    assert capsys.readouterr().out == f"{archive_name('things')}: bundle things\n"


def test_lists(root: Path, build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--in", str(build), "--project", str(root))
    code, found = rows(capsys, "--implicit", *place)
    assert code == 1
    assert {row["asset"] for row in found} == {DEEP, "Assets/Only.png"}
    code, found = rows(capsys, "--duplicates", *place)
    assert (code, [row["asset"] for row in found]) == (1, [DEEP])
    assert found[0]["wasted"] > len(PIXELS)
    code, found = rows(capsys, "--unshipped", *place)
    assert (code, [row["asset"] for row in found]) == (
        1,
        ["Assets/A/Same.png", "Assets/B/Same.png", "Assets/Unused.png"],
    )
    assert rows(capsys, "--missing", *place) == (0, [])
    assert rows(capsys, "--mixed", *place) == (0, [])


def test_text(root: Path, build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--in", str(build), "--project", str(root)]
    assert main(["trace", MAT, *words]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{MAT}: guid {guid_of(MAT)}\n  file  ")
    assert "exact  loaded by assets/mat.mat" in out
    assert main(["trace", "things.bundle", *words]) == 0
    assert capsys.readouterr().out.endswith("5 objects: 3 exact, 1 built in, 1 none\n")
    assert main(["trace", "Nothing at all", *words]) == 1
    assert "no asset named" in capsys.readouterr().err
    assert main(["trace", "x", "--project", str(root)]) == 2
    assert main(["trace", *words]) == 2


@pytest.mark.parametrize(
    ("source", "declared"),
    [
        ("public class Thing : MonoBehaviour {}", ("", True)),
        ("namespace A.B {\n  [Serializable] public sealed partial class Thing\n{} }", ("A.B", True)),
        ("namespace A.B;\nclass Thing<T> {}", ("A.B", True)),
        ("public interface Thing {}", ("", False)),
        ("class Things {}\n// class Thing", ("", False)),
        ("namespace A { class Thing {} }", ("", False)),
        ("", ("", False)),
    ],
)
def test_the_source_of_a_script(tmp_path: Path, source: str, declared: tuple[str, bool]) -> None:
    root = write_project(tmp_path / "Project")
    add(root, "Assets/Thing.cs", "\ufeff" + source, "MonoImporter")
    snapshot = open_project(str(root))
    snapshot.refresh()
    found, called = Sources(snapshot).of_script(Script("Assembly-CSharp.dll", declared[0], "Thing"))
    assert ([bool(found), bool(called)]) == [declared[1], not declared[1]]


def documents(prefab: Path) -> int:
    """Return how many objects a prefab of before 2018.3 has in a player: all but the prefab itself."""
    return sum(
        line.startswith("--- !u!") and not line.startswith("--- !u!1001 ") for line in prefab.read_text().splitlines()
    )


VERSIONS = ("2019.4.0f1", "2021.3.0f1", "2022.1.20f1")


@pytest.mark.corpus("unityfs", "unity/UnityPlayground")
@pytest.mark.parametrize("version", VERSIONS)
def test_unity_data_tools(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str) -> None:
    """137 of 138 objects, by the command: all but the AssetBundle, which the build made. Of another project none."""
    root = tmp_path / "Project"
    shutil.copytree(corpus / "unityfs/UnityDataTools_source_project/UnityFileSystemTestData", root)
    (root / "ProjectSettings").mkdir()
    for meta in root.rglob("*.cs.meta"):  # the sources are not in the corpus
        meta.with_suffix("").touch()
    path = corpus / f"unityfs/UnityDataTools/{version}_assetbundle.bundle"
    code, found = rows(capsys, path.name, "--in", str(path), "--project", str(root))
    assert code == 0
    assert Counter(row["certainty"] for row in found) == {"exact": 134, "built in": 3, "none": 1}
    assert [row["class"] for row in found if row["certainty"] == "none"] == ["AssetBundle"]
    external = open_build(str(path)).files[0].facts.externals[-1].rpartition("/")[2]
    assert main(["trace", external, "--in", str(path), "--project", str(root), "-q"]) == 0
    assert capsys.readouterr().out == f"{external}: bundle assetbundle2\n"
    other = ("--project", str(corpus / "unity/UnityPlayground"), "--out-dir", str(tmp_path / "other"))
    code, found = rows(capsys, path.name, "--in", str(path), *other)
    assert Counter(row["certainty"] for row in found) == {"none": 135, "built in": 3}


@pytest.mark.corpus("builds")
def test_urbanize(corpus: Path, tmp_path: Path) -> None:
    """A player of 2017 without type trees, and its project some commits apart: what is told is right."""
    build = open_build(str(corpus / "builds/Urbanize/Build_Data"), remember=False)
    snapshot = open_project(str(corpus / "builds/Urbanize"), str(tmp_path))
    snapshot.refresh()
    tracer = Tracer(build, snapshot)
    found = list(tracer.all())
    scenes = {row.sources[0] for row in found if row.certainty == "scene"}
    assert [(scene.path, scene.guid[:8]) for scene in scenes] == [("Assets/Main.unity", "686722e8")]
    scripts = [
        row
        for row in found
        if build.class_ids[row.number] == 115 and build.scripts[row.number].assembly == "Assembly-CSharp.dll"
    ]
    assert Counter(row.certainty for row in scripts) == {"unique": 47, "candidates": 1, "none": 99}
    assert [build.name(row.number) for row in scripts if row.certainty == "candidates"] == ["WorldSelectable"]
    unique = Counter(build.class_name(build.class_ids[row.number]) for row in found if row.certainty == "unique")
    assert unique == {
        "MonoScript": 47,
        "Material": 12,
        "Font": 11,
        "Mesh": 10,
        "Texture2D": 9,
        "Sprite": 7,
        "TextAsset": 1,
    }
    for row in found:
        if row.certainty == "unique":
            name = build.name(row.number)
            assert row.sources[0].path.rpartition("/")[2].startswith(f"{name}.") or row.sources[0].path.endswith(".fbx")
    (granary,) = tracer.shipped("3b5db3bd9a254824e8ce157572839271")
    assert (len(granary.objects), granary.why) == (10, "list")
    assert granary.way == ("NetworkManager", "Granary", "Model", "BaseRing")
    exact = Counter(row.sources[0].path.rpartition("/")[2] for row in found if row.certainty == "exact")
    assert len(exact) == len(build.prefabs) == 13
    # The project is some commits apart: two of the 13 have other objects than the files here.
    same = [
        name for name, count in exact.items() if count == documents(corpus / "builds/Urbanize/Assets/Prefabs" / name)
    ]
    assert sorted(exact.keys() - set(same)) == ["FarmInfo.prefab", "Granary.prefab"]
    assert sorted(row.guid[:8] for row in tracer.missing()) == ["1ec4e4e9", "3db4283e", "628960e9", "d13ee2db"]


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_what_catalogs_have_and_the_project_has_not(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = corpus / "addressables/data/pinpoint"
    place = ("--project", str(corpus / "unity/Pinpoint"), "--out-dir", str(tmp_path))
    code, found = rows(capsys, "--missing", "--in", str(data / "2023-11-29_0f8113d5_catalog.json"), *place)
    assert code == 1
    assert Counter(row["explained"].partition(" ")[0] for row in found) == {"entry": 3, "of": 5}
    assert {row["internal_id"] for row in found if "unknown" in row["explained"]} == {
        *("UnisavePreferencesFile", "FiraCode-Regular", "PerformanceTestRunInfo"),
    }
    catalog = str(data / "2024-10-02_46ea6d2a_catalog.bin")
    code, found = rows(capsys, "--missing", "--in", catalog, *place)
    assert sorted(row["guid"][:8] for row in found) == ["2124a773", "604a5f8d", "7b593976"]
    code, (entry,) = rows(capsys, "Assets/AddressableAssets/ChannelMaps/pipette.asset", "--in", catalog, *place)
    assert (code, entry["group"], entry["catalog"][0]["crc"]) == (0, "ChannelMaps", 0x91625085)


@pytest.mark.corpus("addressables", "unity/Pinpoint")
def test_a_layout_beside_the_catalog_says_what_was_pulled_in(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = corpus / "addressables/data/pinpoint"
    shutil.copy(data / "2024-10-02_46ea6d2a_catalog.bin", tmp_path / "catalog.bin")
    shutil.copy(data / "2024-10-02_b0d94515_buildlayout.json", tmp_path / "buildlayout.json")
    place = ("--in", str(tmp_path), "--project", str(corpus / "unity/Pinpoint"), "--out-dir", str(tmp_path / "out"))
    code, found = rows(capsys, "--implicit", *place)
    assert (code, len(found), sum(row["bytes"] for row in found)) == (1, 6, 134_016)
    code, (skull,) = rows(capsys, "Assets/Materials/SkullMaterial.mat", *place)
    assert (code, skull["parts"], skull["catalog"]) == (0, [], [])
    assert [row["used_by"] for row in skull["layout"]] == [["Assets/AddressableAssets/3D/skull.prefab"]]


@pytest.mark.corpus("unityfs", "unity/Addressables-Sample")
def test_of_assets_of_one_name_that_is_meant_which_the_bundle_loads(corpus: Path, tmp_path: Path) -> None:
    """Twelve packs of the On-Demand Resources sample have textures and materials of the same names."""
    build = open_build(next((corpus / "unityfs/Addressables-Sample").glob("*_pack_d_assets_all_*")), remember=False)
    snapshot = open_project(str(corpus / "unity/Addressables-Sample/Advanced/On-Demand Resources"), str(tmp_path))
    snapshot.refresh()
    found = [row for row in Tracer(build, snapshot).all() if row.certainty == "unique"]
    assert len(found) == 201
    assert all("/TestSceneAssetsD/" in row.sources[0].path for row in found)
