"""Questions about assets that Unity saved binary have the answers of the same assets as text."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.unity.binary.yaml_form import yaml_form
from tests.assetdb.unity.binary.binary_assets import SKIN, TEXTURE, material, named, prefab, scriptable_object
from tests.assetdb.unity_project import HEAD, guid, instance, make_project, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ask = Callable[..., str]

NATIVE = "NativeFormatImporter:\n  userData: \n"
ASSETS = {
    ("Assets/Skin.mat", SKIN): material(),
    ("Assets/Orc.prefab", 102): prefab(),
    ("Assets/Item.asset", 103): scriptable_object("Item", ((-5, "Part"),)),
    ("Assets/Ground.asset", 104): named((2844982, 28, "SplatAlpha 0"), (15600000, 156, "Ground")),
}


def project_of(root: Path, *, text: bool) -> Path:
    make_project(root)
    for (path, number), data in ASSETS.items():
        write(root, path, number, yaml_form(data) if text else data, NATIVE)
    write(root, "Assets/Camp.prefab", 105, HEAD + instance(7000, 102), NATIVE)
    return root


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("both")
    return project_of(folder / "binary" / "Game", text=False), project_of(folder / "text" / "Game", text=True)


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def answer(root: Path, *words: str, code: int | None = 0) -> str:
        found = main([*words, "--project", str(root)])
        captured = capsys.readouterr()
        assert code is None or found == code, captured
        return captured.out

    return answer


QUESTIONS = [
    ("name", f"{guid(102)}:200"),
    ("name", f"{guid(102)}:300"),
    ("name", f"{guid(105)}:{7000 ^ 300}"),
    ("name", f"{guid(103)}:-5"),
    ("name", f"{guid(104)}:15600000"),
    ("name", "-v", f"{guid(SKIN)}"),
    ("ls", "Orc.prefab", "--tree"),
    ("ls", "Camp.prefab", "--tree"),
    ("ls", "Item.asset"),
    ("ls", "Ground.asset", "--json"),
    ("get", "Skin.mat"),
    ("get", "Orc.prefab / Head #1 (Health)"),
    ("get", "Item.asset", "--json"),
    ("deps", "Orc.prefab"),
    ("usages", "Skin.mat"),
    ("find", "Item", "--type", "Health"),
    ("find", "Ground", "--type", "TerrainData"),
    ("find", "--component", "Health"),
    ("dump",),
]


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_an_answer_is_that_of_the_same_assets_as_text(
    roots: tuple[Path, Path], ask: Ask, words: tuple[str, ...]
) -> None:
    binary, text = (ask(root, *words) for root in roots)
    assert binary == text
    assert binary


def test_objects_have_their_names_and_types(roots: tuple[Path, Path], ask: Ask) -> None:
    binary, _ = roots
    assert ask(binary, "name", f"{guid(102)}:300") == "Orc.prefab / Head #1 (Health)  Assets/Orc.prefab\n"
    assert (
        ask(binary, "name", f"{guid(105)}:{7000 ^ 300}") == "Camp.prefab / Orc / Head #1 (Health)  Assets/Camp.prefab\n"
    )
    assert "Ground.asset" in ask(binary, "find", "Ground", "--type", "TerrainData")
    assert "Item.asset" in ask(binary, "find", "Item", "--type", "Health")


def test_a_reference_has_its_property_and_no_line(roots: tuple[Path, Path], ask: Ask) -> None:
    found = ask(roots[0], "usages", "Skin.mat", "--objects")
    assert found.split("\n")[0].split("  ") == ["Assets/Orc.prefab", "Orc / Head #1 (Health &300)", "skin"]
    tiles = ask(roots[0], "usages", "tiles.png", "--objects")
    assert "Assets/Skin.mat  Skin (Material &2100000)  m_Textures[0]\n" in tiles


def test_a_missing_target_is_a_finding_with_object_and_property(tmp_path: Path, ask: Ask) -> None:
    root = make_project(tmp_path / "Game")
    write(root, "Assets/Skin.mat", SKIN, material(texture=-77), NATIVE)
    write(root, "Assets/Orc.prefab", 102, prefab(skin=5), NATIVE)
    found = ask(root, "check", "--format", "json", "Assets/Skin.mat", "Assets/Orc.prefab", code=None)
    rows = [line for line in found.split("\n") if '"dangling"' in line]
    assert len(rows) == 2
    assert '"line":0' in rows[0].replace(" ", "")
    assert any('"skin"' in row and f"{guid(SKIN)}:5" in row for row in rows)
    assert any('"m_Textures[0]"' in row and f"{guid(TEXTURE)}:-77" in row for row in rows)


def test_a_damaged_file_is_broken_and_one_without_type_trees_is_not(tmp_path: Path, ask: Ask) -> None:
    root = make_project(tmp_path / "Game")
    write(root, "Assets/Cut.prefab", 102, prefab()[:-40], NATIVE)
    write(root, "Assets/Built.prefab", 106, prefab(trees=False), NATIVE)
    found = ask(root, "check", "Assets/Cut.prefab", "Assets/Built.prefab", code=None)
    assert "broken-asset" in found
    assert "Cut.prefab" in found
    assert "Built.prefab" not in found


def test_two_versions_are_compared_by_value(tmp_path: Path, ask: Ask) -> None:
    root = make_project(tmp_path / "Game")
    write(root, "Assets/Skin.mat", SKIN, material(), NATIVE)
    write(root, "Assets/Orc.prefab", 102, prefab(health=7), NATIVE)
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    write(root, "Assets/Orc.prefab", 102, prefab(health=9, name="Ogre"), NATIVE)
    found = ask(root, "diff", "HEAD", code=None)
    assert "Assets/Orc.prefab" in found
    assert "health  7 -> 9" in found
    assert "Ogre" in found
    assert "m_LocalPosition" not in found
