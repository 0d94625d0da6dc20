"""``assetdb bundle info --types``: the type trees that the tests have written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.builds import making
from tests.assetdb.builds.making import TEXTURE_TREE, Texture

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    path = tmp_path / "art.bundle"
    path.write_bytes(making.bundle("CAB-1", "art", [Texture(7, "tiles", b"pixels")]))
    return str(path)


def test_each_class_has_its_fields_in_their_order(bundle: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bundle", "info", "--types", bundle]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("CAB-1: Texture2D (28)") + 1
    found = [line.rpartition("  ")[0] for line in lines[start : start + len(TEXTURE_TREE)]]
    # The trees of the tests are indented lines of type and name, with ! behind those that are aligned.
    wanted = []
    for line in TEXTURE_TREE:
        text = line.lstrip(" ")
        wanted.append("  " + "  " * (len(line) - len(text)) + text.rstrip("!").rstrip())
    assert found == wanted
    assert any("aligned" in line for line in lines)


def test_json_has_a_line_for_each_class(bundle: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bundle", "info", "--types", "--json", bundle]) == 0
    rows = {row["class"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert set(rows) >= {"Texture2D", "Material", "AssetBundle"}
    row = rows["Texture2D"]
    assert (row["file"], row["class_id"], row["managed"]) == ("CAB-1", 28, None)
    assert len(row["nodes"]) == len(TEXTURE_TREE)
    (width,) = [node for node in row["nodes"] if node["name"] == "m_Width"]
    # The builder of the tests writes -1 for all sizes: that of a field is not computed, it is the file's.
    assert width == {"level": 1, "type": "int", "name": "m_Width", "size": -1, "aligned": False}


def test_a_file_without_type_trees_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = making.player(tmp_path / "Game_Data")
    assert main(["bundle", "info", "--types", str(folder / "level0")]) == 1
    out, err = capsys.readouterr()
    assert (out, "level0 has no type trees" in err) == ("", True)
