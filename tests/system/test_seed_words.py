"""What the crate could be asked for: times of the stages, contested names, the texture of a sprite."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import assetdb
from assetdb.cli import main
from assetdb.store.entry import Asset, SubAsset
from assetdb.workspace.contested import contested_in, contested_names
from scripts.fixture import FIXTURE
from tests.system.bake.test_old_times import material, write

PLAIN = "182bd7a2319fe40d29aec39e6ae7e034"  # a texture that is no sprite
WORDS = ("--project", str(FIXTURE), "--out-dir")


@pytest.fixture(scope="module")
def baked(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("baked"))
    assetdb.bake(FIXTURE, folder, keep_going=True)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "ProjectSettings").mkdir()
    for number, path in enumerate(("Doors/Wood/Handle", "Windows/Wood/Handle", "Steel/Handle", "Steel/Alone"), 1):
        write(tmp_path / "Assets" / f"{path}.mat", number, material(Path(path).name))
    write(tmp_path / "Assets" / "Editor" / "Alone^Editor.mat", 9, material("x"))  # is called so, and has it
    return tmp_path


def test_a_contested_name_is_told_with_what_each_got(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = (
        "Handle (Material) is claimed by 3:\n"
        "  Handle^Doors/Wood    Assets/Doors/Wood/Handle.mat\n"
        "  Handle^Steel         Assets/Steel/Handle.mat\n"
        "  Handle^Windows/Wood  Assets/Windows/Wood/Handle.mat\n"
    )
    for _ in range(2):  # a bake that changes nothing says it, too
        assert main(["bake", "-v", "--project", str(project)]) == 0
        err = capsys.readouterr().err
        assert err[err.index("Handle (") :] == told
    for quiet in ((), ("-v", "-q")):
        assert main(["bake", *quiet, "--project", str(project)]) == 0
        assert "claimed" not in capsys.readouterr().err
    assert main(["bake", "-v", "--json", "--project", str(project)]) == 0
    [found] = json.loads(capsys.readouterr().out)["contested"]
    assert (found["name"], found["class_id"], len(found["claimants"])) == ("Handle", 21, 3)


def test_a_quiet_bake_that_fails_says_why_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bake", "--project", str(FIXTURE), "--out-dir", str(tmp_path)]
    assert main(words) == 2
    told = capsys.readouterr().err.splitlines()
    assert any(line.startswith("warning: ") for line in told)
    stops = (": duplicate-guid: ", ": duplicate-sub-asset: ")  # a database would be ambiguous
    others = [line for line in told if line.startswith("error: ") and not any(code in line for code in stops)]
    assert others  # such as case-mismatch, with which a bake goes on
    assert main([*words, "-q"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        line for line in told if not line.startswith("warning: ") and line not in others
    ]


def test_names_of_sub_assets_are_told(baked: str) -> None:
    found = {(row.name, row.class_id): row.claimants for row in contested_in(f"{baked}/asset-db.bin")}
    sprites = found["security_0", 213]
    assert [(claimant.name, claimant.file_id) for claimant in sprites] == [
        ("security_0^jumpsuit.png", 21300000),
        ("security_0^security.png", 21300000),
    ]
    assert [claimant.name for claimant in found["End", 21]] == ["End^Assets/Assets", "End^Assets/End.mat"]


def test_what_was_claimed_is_read_back_whatever_names_and_folders_are(tmp_path: Path) -> None:
    drawing = random.Random(7)
    parts = ("a", "a^b", "b", "Assets", "x^", "^y")
    claims: dict[str, set[str]] = {}
    (tmp_path / "ProjectSettings").mkdir()
    for number in range(1, 120):
        folders = "/".join(["Assets", *(drawing.choice(parts) for _ in range(drawing.randint(0, 3)))])
        name = drawing.choice(parts)
        path = f"{folders}/{name}.mat"
        if not (tmp_path / path).exists():
            write(tmp_path / path, number, material("x"))
            claims.setdefault(name, set()).add(path)
    result = assetdb.bake(tmp_path)
    with assetdb.open_database(result.database) as opened:
        for asset in opened:
            stem = Path(asset.path).stem
            contested = len(claims[stem]) > 1
            assert (asset.name != stem) == contested
        found = contested_names(opened)
    told = {claimant.path: row.name for row in found for claimant in row.claimants}
    assert {path for path in told if Path(path).stem == told[path]} == set(told)
    assert set(told) == {path for paths in claims.values() if len(paths) > 1 for path in paths}


def test_the_library_tells_them_where_it_is_asked(project: Path) -> None:
    assert assetdb.bake(project).contested == ()
    [found] = assetdb.bake(project, verbose_collisions=True).contested
    assert [(row.name, row.path) for row in found.claimants][1] == ("Handle^Steel", "Assets/Steel/Handle.mat")
    write(project / "Assets" / "New" / "Alone.mat", 12, material("Alone"))
    assert assetdb.bake(project, verbose_collisions=True, check=True).contested == ()  # what is not written yet
    assert [row.name for row in assetdb.bake(project, verbose_collisions=True).contested] == ["Alone", "Handle"]


def test_one_claimant_alone_contests_nothing() -> None:
    rows = (SubAsset(1, 213, "Run^Editor"),)
    assert contested_names([Asset("0" * 32, 28, "", "Sheet", rows, "Assets/Editor/Sheet.png")]) == ()


def test_the_time_of_each_stage(
    baked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bake", "--keep-going", "-q", *WORDS, baked]
    assert main(words) == 0
    assert capsys.readouterr().err == ""
    assert main([*words, "--timing"]) == 0
    told = capsys.readouterr().err
    assert [part.split()[0] for part in told.split(" / ")] == ["walk", "read", "names", "write"]
    monkeypatch.setenv("UNITY_ASSETDB_TIMING", "1")
    assert main(words) == 0
    assert capsys.readouterr().err.startswith("walk ")


@pytest.mark.parametrize(("command", "answer"), [("name", "Plain.png"), ("path", "Assets/"), ("guid", PLAIN)])
def test_a_texture_answers_for_the_sprite_that_it_does_not_have(
    baked: str, capsys: pytest.CaptureFixture[str], command: str, answer: str
) -> None:
    words = [command, f"{PLAIN}:21300000", *WORDS, baked, "--json"]
    main(words)
    assert json.loads(capsys.readouterr().out)["reason"] == "dangling"
    assert main([*words, "--texture-for-sprite"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["reason"], found["type"], found["path"]) == ("", "Texture2D", "Assets/Sprites/Plain.png")
    assert main([*words[:-1], "--texture-for-sprite"]) == 0
    assert capsys.readouterr().out.startswith(answer)


def test_a_sprite_that_is_there_and_what_is_no_texture_stay_as_they_are(
    baked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with assetdb.open_database(f"{baked}/asset-db.bin") as opened:
        sheet = next(asset for asset in opened if asset.path == "Assets/Sprites/Sheet.png")
        model = next(asset for asset in opened if asset.path.endswith(".mat"))
    assert main(["name", f"{sheet.guid}:21300000", *WORDS, baked, "--texture-for-sprite"]) == 0
    assert capsys.readouterr().out.startswith("Sheet.png / walk_0 (Sprite)")
    assert main(["name", f"{model.guid}:21300000", *WORDS, baked, "--texture-for-sprite"]) == 1


def test_the_project_of_a_folder_is_found_as_the_commands_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIXTURE / "Assets" / "Sprites")
    assert assetdb.find_project() == str(FIXTURE)
    with pytest.raises(assetdb.ProjectError):
        assetdb.find_project("/nowhere")
