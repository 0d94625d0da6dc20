"""From assets to what was built from them, and back: made bundles, and real projects beside their builds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds.trace.sources import Source, Sources
from assetdb.cli import main
from assetdb.cli.terminal import Progress
from assetdb.query.snapshots.snapshot import open_project
from assetdb_formats.unityfs.identity import IMPORTED, NATIVE, archive_name, builtin_path_id, object_path_id
from assetdb_formats.unityfs.serialized_files.player import Script
from tests.assetdb.builds.making import Material, Texture, bundle, player
from tests.assetdb.builds.projects import add_group, add_settings
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


def test_a_folder_is_the_assets_below_it(root: Path, build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--in", str(build), "--project", str(root))
    code, found = rows(capsys, "Assets", *place)
    paths = [row["path"] for row in found]
    assert (code, paths) == (0, sorted(paths))
    assert {TEX, MAT, "Assets/A/Same.png", "Assets/Unused.png"} < set(paths)
    alone = {path: rows(capsys, path, *place)[1][0] for path in paths}
    assert [{**row, "query": row["path"]} for row in found] == list(alone.values())
    code, found = rows(capsys, f"{root}/Assets/A", *place)
    assert (code, [row["path"] for row in found]) == (0, ["Assets/A/Same.png"])
    assert main(["trace", "Assets", *place, "-q"]) == 0
    out = capsys.readouterr().out
    assert TEX in out
    assert "Unused" not in out
    assert re.search(r"\d of \d+ assets in Assets are in the build \(-v lists the others\)\n$", out)
    assert main(["trace", "Assets", *place, "-q", "-v"]) == 0
    assert "Assets/Unused.png" in capsys.readouterr().out
    (root / "Assets.meta").write_text(f"fileFormatVersion: 2\nguid: {guid_of('Assets')}\n")  # as Unitystation has one
    assert [row["path"] for row in rows(capsys, "Assets", *place)[1]] == paths


def test_how_far_a_folder_is_followed_is_told(root: Path, build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int, int]] = []

    class Bar(Progress):
        def __init__(self, label: str) -> None:
            super().__init__(label)
            self.label = label

        def __call__(self, done: int, total: int) -> None:
            told.append((self.label, done, total))

    monkeypatch.setattr("assetdb.cli.build.trace.Progress", Bar)
    assert main(["trace", "Assets/B", "Assets/A", TEX, "--in", str(build), "--project", str(root), "-q"]) == 0
    assert [row for row in told if row[0] == "assets"] == 2 * [("assets", 0, 1)]


def test_the_file_in_a_bundle_has_the_hash_of_its_name(
    root: Path, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [archive_name("things"), "--in", str(build / "others.bundle"), "--project", str(root), "-q"]
    assert main(["trace", *words]) == 0
    assert capsys.readouterr().out == f"{archive_name('things')}: bundle things\n"


def test_all_objects_of_a_name_are_answered(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many: list[Texture | Material] = [Texture((1 << 40) + number, "Leaf", PIXELS) for number in range(30)]
    (tmp_path / "leaves.bundle").write_bytes(bundle("CAB-leaves", "leaves", many))
    code, found = rows(capsys, "Leaf", "--in", str(tmp_path / "leaves.bundle"), "--project", str(root))
    assert (code, len(found)) == (1, 30)  # of no asset of the project


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


def test_what_lies_beside_the_settings_of_addressables_is_for_the_editor(
    root: Path, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--in", str(build), "--project", str(root))
    add_settings(root, "First")
    add_group(root, "First", ("Assets/Unused.png", "unused", ()))
    code, found = rows(capsys, "--unshipped", *place)
    assert code == 1
    assert [row["asset"] for row in found] == ["Assets/A/Same.png", "Assets/B/Same.png", "Assets/Unused.png"]


def test_a_list_without_rows_says_so(root: Path, build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--in", str(build / "others.bundle"), "--project", str(root))
    assert main(["trace", "--mixed", "--duplicates", *place]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "--mixed: nothing found\n" in err
    assert re.search(r"--duplicates: nothing found; 3 of 5 objects have no certain match, `assetdb build size", err)
    assert main(["trace", "--mixed", *place, "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_script_of_no_source_says_its_assembly(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--in", str(player(tmp_path / "Game_Data")), "--project", str(root))
    code, (found,) = rows(capsys, "level0#77", *place)
    assert (code, found["certainty"]) == (1, "none")
    assert (found["script"], found["assembly"]) == ("Game.Picker", "Assembly-CSharp.dll")
    assert main(["trace", "level0#77", *place, "-q"]) == 1
    assert capsys.readouterr().out.endswith("none: of Assembly-CSharp.dll\n")


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


@pytest.mark.parametrize(
    ("assembly", "definition", "is_found"),
    [
        ("Assembly-CSharp.dll", "", True),
        ("UnityEngine.UI.dll", "", False),
        ("UnityEngine.UI", "", False),
        ("Unity.RenderPipelines.Core.Runtime.dll", "", False),
        ("Unity.RenderPipelines.Core.Runtime.dll", "Unity.RenderPipelines.Core.Runtime", True),
        ("Acme.Tools.dll", "", False),
        ("Acme.Tools.dll", "Acme.Tools", True),
        ("Assembly-CSharp-firstpass.dll", "", True),
        ("Assembly - CSharp - first pass.dll", "", True),
        ("", "", True),
    ],
)
def test_a_class_of_the_engine_is_no_namesake_of_the_project(
    tmp_path: Path,
    assembly: str,
    definition: str,
    is_found: bool,  # noqa: FBT001
) -> None:
    """The corpus has scripts without their text: their names alone would make each a candidate."""
    root = write_project(tmp_path / "Game")
    add(root, "Assets/Button.cs", "", "MonoImporter")
    if definition:
        add(
            root,
            "Assets/Core.asmdef",
            json.dumps({"versionDefines": [{"name": "a.b"}], "name": definition}),
            "AssemblyDefinitionImporter",
        )
    snapshot = open_project(str(root))
    declared, called = Sources(snapshot).of_script(Script(assembly, "", "Button"))
    snapshot.close()
    assert declared == []
    assert bool(called) is is_found


@pytest.mark.parametrize(
    ("assembly", "declared"),
    [
        ("Assembly-CSharp.dll", ["Assets/Pool.cs"]),
        ("Acme.Tools.dll", ["Assets/Tools/Pool.cs"]),
        ("Acme.Editor.dll", ["Assets/Tools/Editor/Pool.cs"]),
        ("Of.A.Package.dll", []),
    ],
)
def test_namesakes_are_told_apart_by_their_assembly(tmp_path: Path, assembly: str, declared: list[str]) -> None:
    """Also where the assembly is only joined by a reference; of another namespace and assembly is no candidate."""
    root = write_project(tmp_path / "Game")
    paths = {"Assets/Pool.cs", "Assets/Tools/Pool.cs", "Assets/Tools/Editor/Pool.cs"}
    for path in paths:
        add(root, path, "namespace Acme\n{\n  public class Pool {}\n}\n", "MonoImporter")
    add(root, "Assets/Tools/Acme.Tools.asmdef", json.dumps({"name": "Acme.Tools"}), "AssemblyDefinitionImporter")
    add(root, "Assets/Own/Own.asmdef", json.dumps({"name": "Acme.Editor"}), "AssemblyDefinitionImporter")
    reference = json.dumps({"reference": f"GUID:{guid_of('Assets/Own/Own.asmdef')}"})
    add(root, "Assets/Tools/Editor/a.asmref", reference, "AssemblyDefinitionReferenceImporter")
    snapshot = open_project(str(root))
    found, called = Sources(snapshot).of_script(Script(assembly, "Acme", "Pool"))
    of_other = Sources(snapshot).of_script(Script("Of.A.Package.dll", "Other", "Pool"))
    snapshot.close()
    assert [row.path for row in found] == declared
    assert {row.path for row in called} == paths.difference(declared)
    assert of_other == ([], [])


@pytest.mark.parametrize(
    ("settings", "is_cubemap"),
    [
        ("textureShape: 2", True),
        ("textureShape: 1\n  generateCubemap: 6", False),
        ("generateCubemap: 6", True),
        ("generateCubemap: 0", False),
        ("maxTextureSize: 2048", False),
    ],
)
def test_a_baked_cubemap_is_of_the_texture_that_is_one(tmp_path: Path, settings: str, is_cubemap: bool) -> None:  # noqa: FBT001
    """The reflection probe of a scene is an .exr, and a Cubemap in the player."""
    root = write_project(tmp_path / "Game")
    path = "Assets/Main/ReflectionProbe-0.exr"
    add(root, path, "x", "TextureImporter")
    meta = root / f"{path}.meta"
    meta.write_text(f"fileFormatVersion: 2\nguid: {guid_of(path)}\nTextureImporter:\n  {settings}\n")
    snapshot = open_project(str(root))
    sources = Sources(snapshot)
    found = sources.by_name("Cubemap", "ReflectionProbe-0")
    snapshot.close()
    assert found == ([Source(guid_of(path), 8900000, path)] if is_cubemap else [])


def test_a_shader_behind_a_byte_order_mark_has_its_name(tmp_path: Path) -> None:
    root = write_project(tmp_path / "Game")
    add(root, "Assets/a.shader", '\ufeffShader "Acme/Glass" {}\n', "ShaderImporter")
    snapshot = open_project(str(root))
    found = Sources(snapshot).contents.shader_name("Assets/a.shader")
    snapshot.close()
    assert found == "Acme/Glass"
