"""``assetdb groups`` as it is typed: each of its tables, what is chosen, and what is said beside them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.builds.groups.test_plan import write_project
from tests.assetdb.builds.projects import CONFIG
from tests.system.graph.project import guid_of

if TYPE_CHECKING:
    from pathlib import Path

GONE = f"assetdb: Big Folder: gone: its asset is gone ({guid_of('Assets/Gone.asset')})\n"
ALL = ("bigfolder_assets_all", "player", "single_assets_myown")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = write_project(tmp_path_factory.mktemp("groups") / "P")
    assert main(["bake", "--project", str(made), "--quiet"]) in (0, 1)
    return made


def run(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[list[str]], str]:
    """Return code, the cells of each line, and what is said beside them."""
    code = main(["groups", *words, "--project", str(root)])
    out, err = capsys.readouterr()
    return code, [re.split(r"\s{2,}", line.strip()) for line in out.splitlines()], err


def test_a_row_for_each_group_and_the_player(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def bytes_of(*paths: str) -> int:
        return sum((root / path).stat().st_size for path in paths)

    pulled = bytes_of("Assets/Shared.mat", "Assets/Tex.png") + 777  # of an LFS pointer, the size that it states
    folder = bytes_of("Assets/F/a.asset", "Assets/F/Sub/b.asset", "Assets/F/level.unity") + pulled
    single = bytes_of("Assets/F/Sub/own.asset", "Assets/F/Own/c.asset") + pulled
    player = bytes_of("Assets/Main.unity", "Assets/Resources/R.mat") + pulled
    assert run(root, capsys) == (
        0,
        [
            ["group", "bundles", "entries", "assets", "pulled in", "source bytes", "packing"],
            ["Big Folder", "2", "2", "3", "3", f"{folder:,}", "together", "local:"],
            ["Single", "2", "2", "2", "3", f"{single:,}", "separately", "local:"],
            ["Off", "0", "1", "1", "0", "0", "-", "not included in builds"],
            ["Built In", "0", "2", "2", "0", "0", "-", "in the player"],
            ["Forgotten", "0", "1", "1", "0", "0", "-", "the settings do not list it"],
            ["(player)", "2", "3", f"{player:,}"],
        ],
        GONE,
    )


def test_groups_by_name_are_their_bundles(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    material = (root / "Assets/Shared.mat").stat().st_size
    code, rows, err = run(root, capsys, "Single", "Off")
    assert (code, err) == (0, GONE)
    assert rows == [
        ["single_assets_myown.bundle: 1 asset, 3 pulled in"],
        ["asset", "Assets/F/Sub/own.asset", "My Own"],
        ["pulled in", "Assets/Lfs.png", "777", "by Assets/Shared.mat"],
        ["pulled in", "Assets/Shared.mat", str(material), "by Assets/F/Sub/own.asset"],
        ["pulled in", "Assets/Tex.png", "5", "by Assets/Shared.mat"],
        ["single_assets_o.bundle: 1 asset, 0 pulled in"],
        ["asset", "Assets/F/Own/c.asset", "o/c.asset"],
        ["Off: no bundle: not included in builds"],
    ]


def test_entries_have_address_labels_and_folder(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, rows, err = run(root, capsys, "Single", "Big Folder", "--entries", "--quiet")
    assert (code, err) == (0, "")
    assert rows == [
        ["Big Folder", "Assets/F/Sub/b.asset", "f/Sub/b.asset", "x y", "by Assets/F"],
        ["Big Folder", "Assets/F/a.asset", "f/a.asset", "x y", "by Assets/F"],
        ["Big Folder", "Assets/F/level.unity", "f/level.unity", "x y", "by Assets/F"],
        ["Single", "Assets/F/Sub/own.asset", "My Own"],
        ["Single", "Assets/F/Own/c.asset", "o/c.asset", "z", "by Assets/F/Own"],
    ]


def test_duplicates_have_all_bytes_but_those_of_one_copy(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    material = (root / "Assets/Shared.mat").stat().st_size
    wasted = {"Assets/Lfs.png": 2 * 777, "Assets/Shared.mat": 2 * material, "Assets/Tex.png": 2 * 5}
    code, rows, _ = run(root, capsys, "--duplicates")
    assert (code, rows[0]) == (1, ["wasted", "asset", "in"])
    assert rows[1:-1] == [[f"{size:,}", path, ", ".join(ALL)] for path, size in wasted.items()]
    assert rows[-1] == [f"3 assets would be built more than once: {sum(wasted.values()):,} source bytes too many"]
    code, rows, _ = run(root, capsys, "--duplicates", "Off")
    assert (code, rows) == (0, [["nothing would be built more than once"]])


def test_what_cannot_be_answered(root: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(root, capsys, "--entries", "--duplicates")[::2] == (
        2,
        "assetdb: error: --duplicates and --entries cannot be combined\n",
    )
    assert run(root, capsys, "Singel")[::2] == (1, "assetdb: no group named 'Singel'; did you mean 'Single'?\n")
    code, rows, _ = run(root, capsys, "Single", "--entries", "--json", "-q")
    assert (code, [json.loads(row[0])["labels"] for row in rows]) == (0, [[], ["z"]])
    bare = write_project(tmp_path / "P")
    for path in (bare / CONFIG).glob("Settings*"):
        path.unlink()
    code, rows, err = run(bare, capsys, "-q")
    assert (code, rows) == (1, [])
    assert "the project has no Addressables settings" in err
