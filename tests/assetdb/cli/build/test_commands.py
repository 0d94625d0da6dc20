"""``assetdb build`` as it is typed: text, JSON Lines, exit codes, and what was probably meant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.dotnet.assembly_writer import assembly
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32
HASHED = 1 << 40
PICKED = assembly(
    "Assembly-CSharp", {"Game.Picker : UnityEngine.MonoBehaviour": ("public int picked", "public float by")}
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        code = main(["build", *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = making.player(tmp_path / "Game_Data")
    (place / "aa").mkdir()
    bark = Texture(HASHED, "bark", b"brown" * 9)
    (place / "aa/trees_assets_all.bundle").write_bytes(
        making.bundle(A, "trees", [bark, Material(HASHED + 1, "oak", ((0, HASHED),), "assets/oak.mat")])
    )
    (place / "aa/bushes_assets_all.bundle").write_bytes(making.bundle(B, "bushes", [bark]))
    return place


def rows(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_info_is_one_table(run: Run, folder: Path) -> None:
    code, out, err = run("info", folder)
    assert (code, err) == (0, "")
    for line in (
        "product             Orchard Ltd Apples",
        "scene 0             Assets/Main.unity",
        "Unity               2022.3.1f1",
    ):
        assert line in out.splitlines()
    code, out, _ = run("info", folder, "--json")
    facts = rows(out)[0]
    assert (facts["objects"], facts["type_trees"]) == (15, {"files": 6, "with": 2})
    assert {row["name"]: row["objects"] for row in facts["classes"]}["Texture2D"] == 4


def test_ls_chooses_by_class_file_and_script(run: Run, folder: Path) -> None:
    code, out, _ = run("ls", folder, "--class", "Texture2D", "--file", "*.bundle", "--json")
    assert code == 0
    assert [row["name"] for row in rows(out)] == ["bark", "bark"]
    code, out, _ = run("ls", folder, "--class", "Game.Picker", "--json")
    assert [row["class"] for row in rows(out)] == ["MonoScript", "MonoBehaviour", "MonoScript"]
    code, out, _ = run("ls", folder, "--file", "level0")
    assert "MonoBehaviour (Game.Picker)" in out
    assert "(of Tree)" in out
    code, _, err = run("ls", folder, "--class", "Textur2D")
    assert code == 1
    assert "did you mean 'Texture2D'?" in err


def test_get_prints_values_with_what_references_lead_to(run: Run, folder: Path) -> None:
    code, out, err = run("get", "oak", "level0#12", "--in", folder)
    assert (code, out.splitlines()[2]) == (2, "  m_Shader       (none)")
    assert f"  m_Textures[0]  aa/trees_assets_all.bundle/{A}#{HASHED} Texture2D bark" in out.splitlines()
    assert "level0: object 12: UnityEngine.UI.Image of unityengine.ui.dll is not beside the player" in err
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(PICKED)
    code, out, _ = run("get", "level0#12", "--in", folder, "--json")
    facts = rows(out)[0]
    assert (code, facts["script"], facts["value"]["picked"]) == (0, "Game.Picker", 0)
    assert facts["value"]["m_GameObject"] == {"file_id": 0, "path_id": 10}
    code, _, err = run("get", "level0", "--in", folder)
    assert code == 2
    assert "level0: is a file of the build, not an object" in err
    assert run("get", "level0#13", "--in", folder)[0] == 1


def test_find(run: Run, folder: Path) -> None:
    code, out, _ = run("find", "APPLE", "--in", folder, "--json")
    assert (code, [row["name"] for row in rows(out)]) == (0, ["apple", "apple again"])
    code, out, _ = run("find", "--regex", "^app.e$", "--in", folder)
    assert code == 0
    assert "Resources/fruit/apple" in out
    assert run("find", "nothing", "--in", folder)[0] == 1
    for invalid in ("(", "(" * 3000, "a{99999999999}", f"a{{{'9' * 5000}}}"):
        code, _, err = run("find", "--regex", invalid, "--in", folder)
        assert code == 2
        assert "not a valid regular expression" in err


def test_deps_and_usages_of_objects_and_files(run: Run, folder: Path) -> None:
    code, out, _ = run("deps", "oak", "--in", folder)
    assert code == 0
    assert f"aa/trees_assets_all.bundle/{A}#{HASHED} Texture2D bark" in out
    code, out, _ = run("usages", "Tree", "--in", folder, "--json")
    assert [row["title"] for row in rows(out)[0]["usages"]] == ["Tree", "Game.Picker"]
    code, out, _ = run("usages", "assets/oak.mat", "--in", folder)
    assert (code, out.splitlines()[1]) == (0, "  loaded as assets/oak.mat")
    code, out, _ = run("usages", "apple again", "--in", folder)
    assert code == 1
    code, out, _ = run("deps", "level0", "--in", folder, "--json")
    assert {row["verdict"] for row in rows(out)[0]["externals"]} == {"found"}
    code, out, _ = run("usages", "sharedassets0.assets", "--in", folder)
    assert (code, out.splitlines()[1:]) == (0, ["  globalgamemanagers", "  level0"])
    code, _, err = run("deps", "okk", "--in", folder)
    assert code == 1
    assert "did you mean 'oak'?" in err


def test_usages_says_why(run: Run, folder: Path) -> None:
    code, out, _ = run("usages", "--why", f"{A}#{HASHED}", "--in", folder)
    assert code == 0
    assert out.splitlines()[1] == "  container: assets/oak.mat"
    code, out, _ = run("usages", "--why", f"{B}#{HASHED}", "--in", folder)
    assert (code, out.splitlines()[1:]) == (1, ["  nothing that was read refers to it"])


@pytest.mark.parametrize("key", ["class", "file", "bundle", "object", "group", "label", "script"])
def test_size_adds_up(run: Run, folder: Path, key: str) -> None:
    code, out, _ = run("size", folder, "--by", key, "--json")
    assert code == 0
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert sum(row["disk"] for row in rows(out)) == total
    code, out, _ = run("size", folder, "--by", key, "--all")
    assert key == "label" or f"{total:,}" in out.splitlines()[-1] or f"{total:,}" in out


def test_size_as_a_tree_and_duplicates(run: Run, folder: Path) -> None:
    code, out, _ = run("size", folder, "--tree")
    assert code == 0
    assert f"  {A}" in out
    code, out, _ = run("size", folder, "--duplicates")
    assert code == 1
    assert "same asset" in out
    code, out, _ = run("size", folder, "--duplicates", "--json")
    assert [(row["name"], row["equal"], len(row["objects"])) for row in rows(out)] == [("bark", True, 2)]
    assert run("size", folder, "--tree", "--duplicates")[0] == 2


@pytest.mark.parametrize(("name", "shown"), [("bark", "bark"), ("rind", "rind, bark before")])
def test_diff_says_what_is_downloaded_and_why(run: Run, folder: Path, tmp_path: Path, name: str, shown: str) -> None:
    other = making.player(tmp_path / "new/Game_Data")
    (other / "aa").mkdir()
    oak = [Texture(HASHED, name, b"black" * 9), Material(HASHED + 1, "oak", ((0, HASHED),), "assets/oak.mat")]
    (other / "aa/trees_assets_all.bundle").write_bytes(making.bundle(A, "trees", oak))
    code, out, _ = run("diff", folder, other)
    assert code == 1
    assert "- aa/bushes_assets_all.bundle" in out
    assert f"~ Texture2D {shown}  " in out
    assert "of assets/oak.mat" in out
    code, out, _ = run("diff", folder, other, "--json")
    assert {row["name"]: row["verdict"] for row in rows(out)} == {
        "aa/trees_assets_all.bundle": "changed",
        "aa/bushes_assets_all.bundle": "removed",
    }
    assert run("diff", folder, folder)[0] == 0


def test_diff_of_builds_of_two_platforms_names_both(run: Run, tmp_path: Path) -> None:
    sides = {"before": 19, "after": 13}
    for name, target in sides.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "level0").write_bytes(builder.serialized_file([], [], target=target))
    code, out, _ = run("diff", *(tmp_path / name for name in sides))
    assert code == 1
    assert "the builds are of different platforms: Windows (64 bit) before, Android after" in out.splitlines()
    code, out, _ = run("diff", *(tmp_path / name for name in sides), "--json")
    assert rows(out)[0] == {"platforms": {"before": ["Windows (64 bit)"], "after": ["Android"]}}
    assert "platforms" not in run("diff", tmp_path / "after", tmp_path / "after")[1]


def test_verify_says_what_it_could_not_read(run: Run, folder: Path) -> None:
    code, out, _ = run("verify", folder)
    assert code == 0
    assert "not read: a MonoBehaviour" in out
    assert "no problems in what was read" in out.splitlines()[-1]
    code, out, _ = run("verify", folder / "aa")
    assert (code, out.splitlines()[-1]) == (0, "2 parts, 5 objects: clean")
    (folder / "sharedassets0.assets.resS").unlink()
    code, out, _ = run("verify", folder)
    assert code == 1
    assert "sharedassets0.assets.resS is not in the build; 2 objects stream from it" in out


def test_what_cannot_be_read_is_said_once_and_the_rest_is_answered(run: Run, folder: Path) -> None:
    path = folder / "level0"
    path.write_bytes(path.read_bytes()[:-8])
    code, out, err = run("ls", folder, "--class", "Texture2D")
    assert code == 2
    assert "apple again" in out
    assert err.splitlines() == [line for line in err.splitlines() if "level0: is cut off" in line] != []


def test_no_build_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    code, _, err = run("info", tmp_path)
    assert code == 2
    assert "holds no build of Unity" in err
    assert run("info", tmp_path / "absent")[0] == 2


def test_a_file_refers_to_the_data_that_its_objects_stream(run: Run, folder: Path) -> None:
    code, out, _ = run("usages", "sharedassets0.assets.resS", "--in", folder)
    assert (code, out) == (0, "sharedassets0.assets.resS:\n  sharedassets0.assets\n")
    code, out, _ = run("deps", "sharedassets0.assets", "--in", folder)
    assert "found    sharedassets0.assets.resS" in out
    (folder / "sharedassets0.assets.resS").unlink()
    code, out, _ = run("deps", "sharedassets0.assets", "--in", folder)
    assert code == 1
    assert "missing  sharedassets0.assets.resS  -" in out


def test_nothing_to_answer_is_said(run: Run, folder: Path) -> None:
    assert run("usages", "level0", "--in", folder) == (1, "level0:\n  no file refers to it\n", "")
    code, out, _ = run("usages", "apple again", "--in", folder)
    assert (code, out.splitlines()[1:]) == (1, ["  nothing that was read refers to it"])
    code, out, _ = run("deps", "apple again", "--in", folder)
    assert (code, out.splitlines()[1:]) == (0, ["  refers to nothing that was read"])


def test_a_folder_where_an_object_is_asked_for_is_to_follow_in(run: Run, folder: Path) -> None:
    code, _, err = run("deps", "apple", folder, "--in", folder)
    assert code == 1
    assert err.endswith(f"; to look in it, write --in {folder}\n")
