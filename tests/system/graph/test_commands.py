from __future__ import annotations

import io
import json
import sys
from operator import itemgetter
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.query.snapshots.snapshot import Snapshot
from assetdb.store.database import open_database
from tests.assetdb.unity_project import HEAD, component, guid, instance, stripped, write
from tests.assetdb.unity_project import make_project as make_named_project
from tests.system.graph import brute_force
from tests.system.graph.project import BUILT_IN, PACKAGE, add, data_asset, guid_of, write_project

if TYPE_CHECKING:
    from pathlib import Path

SECOND = "m_Modification.m_Modifications[1]"
RED = guid_of("Assets/Art/Red.mat")
COMMANDS = [
    (name, *options, *form)
    for name, every in (("usages", ((), ("--deep",), ("--objects",))), ("deps", ((), ("--deep",))))
    for options in every
    for form in ((), ("--json",))
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a baked project, and stand in it."""
    folder = write_project(tmp_path / "Project")
    monkeypatch.chdir(folder)
    assert main(["bake", "--quiet"]) == 0
    capsys.readouterr()
    return folder


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    return code, *capsys.readouterr()


def answered(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[str]:
    assert main(list(words)) == code
    return capsys.readouterr().out.splitlines()


def answered_json(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:  # noqa: ANN401 - JSON
    return json.loads("\n".join(answered(capsys, *words, "--json", code=code)))


@pytest.mark.parametrize(
    "query", [RED, f"{{fileID: 2100000, guid: {RED}, type: 2}}", "Assets/Art/Red.mat", "Red", f"{RED}:2100000"]
)
def test_usages_of_whatever_names_it(project: Path, capsys: pytest.CaptureFixture[str], query: str) -> None:
    assert [row.split()[0] for row in answered(capsys, "usages", query)] == ["Assets/Main.unity"]


def test_usages_down_to_the_property(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "usages", "Red", "--objects") == [
        "Assets/Main.unity:13  Player (MeshRenderer &101)  m_Materials[1]",
        f"Assets/Main.unity:26  Cube (Prefab &102)  {SECOND}.objectReference = m_Materials.Array.data[0]",
    ]
    found = answered_json(capsys, "usages", "Red", "--objects")
    assert found["usages"][0]["path"] == "Assets/Main.unity"
    assert [(item["line"], item["class"], item["file_id"]) for item in found["objects"]] == [
        (13, "MeshRenderer", 2100000),
        (26, "Prefab", 2100000),
    ]


def test_usages_of_one_object(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cube = guid_of("Assets/Cube.prefab")
    rows = answered(capsys, "usages", f"{cube}:6", "--objects")
    assert [row.split()[0] for row in rows] == ["Assets/Main.unity:23"]
    assert answered(capsys, "usages", f"{cube}:7", code=1) == []


def test_usages_in_metas_and_settings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "usages", "Icon", "--objects") == ["Assets/Data.cs.meta:4  icon"]
    rows = answered(capsys, "usages", "Assets/Main.unity", "--objects")
    assert rows == ["ProjectSettings/EditorBuildSettings.asset:8  (EditorBuildSettings &1)  m_Scenes[0].guid"]


def test_usages_deep(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answered(capsys, "usages", "Icon", "--deep")
    assert {row.split()[0] for row in rows} >= {"Assets/Data.cs", "Assets/Resources/A.asset", "Assets/B.asset"}


def test_deps(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answered(capsys, "deps", "Assets/Main.unity")
    assert [row.split("  ")[0] for row in rows] == ["(unity_builtin_extra)", "Assets/Art/Red.mat", "Assets/Cube.prefab"]
    found = answered_json(capsys, "deps", "Assets/B.asset", "--deep")
    assert {item["path"] for item in found["dependencies"]} == {
        *("Packages/com.unity.textmeshpro/Scripts/Runtime/TextMeshProUGUI.cs", "Assets/Resources/A.asset"),
        *("Assets/Data.cs", "Assets/Art/Icon.png"),
    }
    assert answered(capsys, "deps", "Red", code=1) == []


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_both_roads_answer_the_same(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    with open_database(project / "Library" / "assetdb" / "asset-db.bin") as database:
        guids = [asset.guid for asset in database]
        guids += [*map(itemgetter(0), database.folders()), PACKAGE, BUILT_IN, "ab" * 16]
    words = [(*command, guid) for guid in [*guids, f"{RED}:2100000"]]
    quick = [answer(capsys, *line) for line in words]
    assert {code for code, _, _ in quick} == {0, 1}
    path = project / "Library" / "assetdb" / "asset-db.bin"
    monkeypatch.setattr(
        "assetdb.cli.asking.open_project", lambda *_, **__: Snapshot(str(project), str(path), open_database(path))
    )
    assert [answer(capsys, *line) for line in words] == quick


def test_stdin_answers_one_line_each(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"Red\n\nnonsense\n{BUILT_IN}\n"))
    answers = [json.loads(line) for line in answered(capsys, "usages", "-", code=1)]
    assert [answer["query"] for answer in answers] == ["Red", "nonsense", BUILT_IN]
    assert answers[1]["reason"] == "not-found"
    assert len(answers[2]["usages"]) == 2


def test_a_place_has_the_whole_way_to_its_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_named_project(tmp_path)
    script = f"  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n"
    body = instance(7000, 1) + stripped(1, 7000 ^ 400, "GameObject", 1, 400, 7000)
    body += component(114, 900, 7000 ^ 400, "MonoBehaviour", script)
    write(root, "Assets/Added.prefab", 40, HEAD + body, "PrefabImporter:\n  userData: \n")
    line = answered(capsys, "usages", "--project", str(root), "Assets/Scripts/Health.cs", "--objects")
    assert [row for row in line if row.startswith("Assets/Added.prefab")] == [
        "Assets/Added.prefab:18  Player / Body / Head #1 (Health &900)  m_Script"
    ]
    (answer_line,) = answered(capsys, "usages", "--project", str(root), guid(3), "--objects", "--json")
    places = json.loads(answer_line)["objects"]
    assert [(place["hierarchy"], place["object_name"]) for place in places if place["object_id"] == 900] == [
        ("Player / Body / Head #1", "Head #1")
    ]


def test_a_miss_says_what_may_have_been_meant(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usages", "Assets/Art/Rad.mat"]) == 1
    assert "did you mean 'Assets/Art/Red.mat'?" in capsys.readouterr().err
    assert main(["deps", "ab" * 16]) == 1
    assert "not an asset of the project" in capsys.readouterr().err


def test_unused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answered(capsys, "unused", code=1)
    assert [row.split()[0] for row in rows[:-1]] == ["Assets/Art/Lost.mat", "Assets/Old.asset"]
    assert rows[-1].startswith("2 of 14 assets are unused; roots: 1 Addressables, 1 Addressables group, 1 AssetBundle,")
    kept = dict(row.split("  ", 1) for row in answered(capsys, "unused", "--why", code=1))
    assert {path: reason.strip() for path, reason in kept.items()} == {
        "Assets/Addressed/Thing.asset": "Addressables: Assets/Groups/Default.asset has its folder Assets/Addressed",
        "Assets/Art/Icon.png": "used by Assets/Data.cs",
        "Assets/Art/Red.mat": "used by Assets/Main.unity",
        "Assets/B.asset": "used by Assets/Resources/A.asset",
        "Assets/Bundled/Deep/Sound.wav": "AssetBundle: sounds",
        "Assets/Core.asmdef": "code",
        "Assets/Cube.prefab": "used by Assets/Main.unity",
        "Assets/Data.cs": "code",
        "Assets/Game.asmdef": "code",
        "Assets/Groups/Default.asset": "Addressables group",
        "Assets/Main.unity": "scene of the build settings",
        "Assets/Resources/A.asset": "Resources",
    }


def test_unused_is_what_brute_force_cannot_reach(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {row["path"] for row in answered_json(capsys, "unused", code=1)["unused"]}
    assert found == brute_force.unused(project)


def test_a_scene_whose_guid_is_stale_is_kept_by_its_path(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = project / "ProjectSettings" / "EditorBuildSettings.asset"
    settings.write_text(settings.read_text().replace(guid_of("Assets/Main.unity"), "12" * 16))
    kept = {row["path"]: row["reason"] for row in answered_json(capsys, "unused", code=1)["kept"]}
    assert kept["Assets/Main.unity"] == "scene of the build settings"


def test_a_pattern_that_keeps_nothing_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unused", "--roots", "Assets/Nope*", "--roots", "Assets/Art/"]) == 1
    assert capsys.readouterr().err == "assetdb: no asset matches --roots 'Assets/Nope*'\n"


def test_what_nothing_refers_to_is_called_by_its_path(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    misses = {
        ("usages", "Lost"): "nothing refers to Assets/Art/Lost.mat",
        ("usages", "Assets/Bundled"): "nothing refers to Assets/Bundled",
        ("usages", f"{RED}:5"): f"nothing refers to {RED}:5",
        ("usages", "ab" * 16): f"the project has no asset {'ab' * 16}",
        ("deps", "Assets/Bundled"): "Assets/Bundled refers to nothing",
        ("deps", "ab" * 16): f"{'ab' * 16} is not an asset of the project",
    }
    for words, message in misses.items():
        assert answer(capsys, *words) == (1, "", f"assetdb: {message}\n")


def test_a_pattern_of_roots_takes_no_time(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Half a minute with the standard library's ``fnmatch``."""
    started = process_time()
    assert main(["unused", "--project", str(project), "--roots", "[" * 20_000]) == 1
    assert "no asset matches --roots" in capsys.readouterr().err
    assert process_time() - started < 10


def test_unused_with_more_roots(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answered_json(capsys, "unused", "--roots", "Assets/Art", "--roots", "Assets/Old.*")
    assert found["unused"] == []
    assert found["roots"]["root"] == 4
    assert all(item["reason"] or item["used_by"] for item in found["kept"])


def test_the_selected_webgl_template_is_kept(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [
        f"Assets/WebGLTemplates/{name}" for name in ("My Page/index.html", "My Page/Data/a.css", "Other/index.html")
    ]
    for path in pages:
        add(project, path, "<html>")
    settings = project / "ProjectSettings" / "ProjectSettings.asset"
    for value, unused in (("PROJECT:My Page", pages[2:]), ("APPLICATION:Default", pages), ("PROJECT:Other", pages[:2])):
        settings.write_text(f"{HEAD}--- !u!129 &1\nPlayerSettings:\n  webGLTemplate: {value}\n")
        found = answered_json(capsys, "unused", code=1)
        assert [row["path"] for row in found["unused"] if "WebGL" in row["path"]] == sorted(unused)
        assert found["roots"].get("WebGL template", 0) == len(pages) - len(unused)


def test_an_unused_sprite_says_which_kept_atlas_packs_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("Assets/Idle.png", "Assets/Folder/In.png", "Assets/Folder/In.txt", "Assets/Alone.png"):
        add(project, path, "x", "TextureImporter" if path.endswith("png") else "DefaultImporter")
    (project / "Assets/Folder.meta").write_text(
        f"fileFormatVersion: 2\nguid: {guid_of('Assets/Folder')}\nfolderAsset: yes\nDefaultImporter:\n"
    )
    rows = [(2800000, guid_of("Assets/Idle.png")), (102900000, guid_of("Assets/Folder"))]
    for name, more in (("Live", [(2800000, guid_of("Assets/Art/Icon.png"))]), ("Dead", [])):
        packed = "".join(f"  - {{fileID: {number}, guid: {target}, type: 3}}\n" for number, target in [*rows, *more])
        add(project, f"Assets/{name}.spriteatlas", f"{HEAD}--- !u!687078895 &1\nSpriteAtlas:\n  m_Packables:\n{packed}")
    found = {row["path"]: row["packed_by"] for row in answered_json(capsys, "unused", code=1)["unused"]}
    live = "Assets/Live.spriteatlas"
    assert {path: atlas for path, atlas in found.items() if atlas} == {
        "Assets/Folder/In.png": live,
        "Assets/Idle.png": live,
    }
    assert {"Assets/Folder/In.txt", "Assets/Alone.png", "Assets/Dead.spriteatlas"} <= set(found)
    lines = {line.split()[0]: line for line in answered(capsys, "unused", code=1)}
    assert lines["Assets/Idle.png"].endswith(f"  packed by {live}")
    assert lines["Assets/Alone.png"].endswith(guid_of("Assets/Alone.png"))


def test_what_nothing_refers_to_and_is_kept_all_the_same(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    atlas = f"--- !u!687078895 &1\nSpriteAtlas:\n  m_Packables:\n  - {{fileID: 1, guid: {RED}, type: 3}}\n"
    add(project, "Assets/Some.spriteatlas", atlas)
    lit = f"{{fileID: 1, guid: {guid_of('Assets/Lit/LightingData.asset')}, type: 2}}"
    add(project, "Assets/Resources/Lit.unity", f"--- !u!104 &2\nRenderSettings:\n  m_Data: {lit}\n")
    add(project, "Assets/Lit/LightingData.asset", HEAD)
    add(project, "Assets/Lit/Lightmap-0_comp_light.exr", "", "TextureImporter")
    for path in ("Assets/Editor/Tool.mat", "Assets/StreamingAssets/a.txt", "Packages/com.a/b.mat"):
        add(project, path, HEAD)
    assert main(["bake", "--quiet"]) == 0
    kept = {item["path"]: item["reason"] for item in answered_json(capsys, "unused", code=1)["kept"]}
    assert kept["Assets/Some.spriteatlas"] == "sprite atlas: packs Assets/Art/Red.mat"
    assert kept["Assets/Lit/Lightmap-0_comp_light.exr"] == "baked lighting"
    assert kept["Assets/Editor/Tool.mat"] == "editor"
    assert kept["Assets/StreamingAssets/a.txt"] == "StreamingAssets"
    assert kept["Packages/com.a/b.mat"] == "package"


def test_the_quick_road_and_argparse_agree(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["usages", "Red", "--objects"], ["usages", "Icon", "--deep"], ["deps", "Assets/B.asset", "--deep"]):
        here = ["--project", str(project)]
        quick = answered(capsys, *words, *here)
        assert quick == answered(capsys, *words, f"--project={project}")  # which only argparse understands
        assert quick


def test_coverage_says_what_it_could_not_count(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered_json(capsys, "coverage")["unread_files"] == 0
    (project / "Assets" / "B.asset").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
    assert main(["coverage"]) == 0
    said = capsys.readouterr().err
    assert "1 file could not be read, and may refer to more (LFS pointers: 1): Assets/B.asset" in said
    assert main(["coverage", "--quiet", "--json"]) == 0
    out, said = capsys.readouterr()
    assert (json.loads(out)["unread_files"], said) == (1, "")


def test_a_script_of_a_known_package_that_is_not_here_has_its_name(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    item = f"{{fileID: 2100000, guid: {RED}, type: 2}}"
    text = data_asset("Label", item).replace(guid_of("Assets/Data.cs"), PACKAGE)
    add(project, "Assets/Label.asset", text)
    rows = answered(capsys, "usages", "Red", "--objects")
    assert [row for row in rows if row.startswith("Assets/Label.asset")] == [
        "Assets/Label.asset:8  Label (TextMeshProUGUI &11400000)  items[0]"
    ]
    places = answered_json(capsys, "usages", "Red", "--objects")["objects"]
    assert [place["class"] for place in places if place["path"] == "Assets/Label.asset"] == ["TextMeshProUGUI"]
