"""Which of several things of one name is meant: two players at once, a bundle of two targets."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build, summarize, verify
from assetdb.builds.build import resolve_streams
from assetdb.builds.parts.naming import Nearest
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture

if TYPE_CHECKING:
    from pathlib import Path

PLACES = ("a/x", "a/b/x", "a/c/x", "d/x", "d/y")


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("a/b/z", [1]),
        ("a/b/e/z", [1]),
        ("a/z", [0, 1, 2]),
        ("d/z", [3]),
        ("f/z", [0, 1, 2, 3]),
        ("z", [0, 1, 2, 3]),
    ],
)
def test_the_nearest_of_several(path: str, meant: list[int]) -> None:
    near = Nearest({"x": (0, 1, 2, 3), "y": (4,)}, PLACES.__getitem__)
    assert list(near.find("x", path)) == meant
    assert list(near.find("y", path)) == [4]
    assert list(near.find("z", path)) == []


def test_a_path_of_thousands_of_folders_costs_its_first_ones() -> None:
    deep = "/".join("a" * 30_000)
    near = Nearest({"x": (0, 1)}, [f"{deep}/x", "b/x"].__getitem__)
    assert list(near.find("x", f"{deep}/y")) == [0]


@pytest.mark.parametrize("given", ["folder", "paths"])
def test_two_players_at_once_have_each_their_own_files(tmp_path: Path, given: str) -> None:
    """Before, whatever the second one referred to, streamed from or was called was that of the first."""
    first = making.player(tmp_path / "First_Data")
    second = making.player(tmp_path / "Second_Data", scenes=("Assets/Other.unity",))
    (first / "sharedassets0.assets").unlink()  # that of the second is none of it
    build = open_build(tmp_path if given == "folder" else [first, second], remember=False)
    own = {file.number: build.parts[file.part].name.partition("/")[0] for file in build.files}
    levels = {own[file.number]: file for file in build.files if file.facts.name == "level0"}
    assert {name: build.scenes[file.number] for name, file in levels.items()} == {
        "First_Data": "Assets/Main.unity",
        "Second_Data": "Assets/Other.unity",
    }
    lost = [build.external(levels["First_Data"].number, place).file for place in (0, 1)]
    assert [own.get(-1 if file is None else file) for file in lost] == ["First_Data", None]
    meant = [build.external(levels["Second_Data"].number, place).file for place in (0, 1)]
    assert [own[file] for file in meant if file is not None] == ["Second_Data"] * 2
    assert {own[row.file] for row in resolve_streams(build) if row.file is not None} == {"Second_Data"}
    assert summarize(build).scenes == ("Assets/Main.unity", "Assets/Other.unity")
    assert summarize(build).product == "Orchard Ltd Apples"


def test_a_level_alone_is_of_none_of_two_players(tmp_path: Path) -> None:
    """UnityDataTools has a level without the files beside it: those of Urbanize are not its."""
    for name in ("First_Data", "Second_Data"):
        making.player(tmp_path / name)
    for place, file in (("alone", None), ("First_Data/more", "First_Data")):
        (tmp_path / place).mkdir()
        shutil.copy(tmp_path / "Second_Data/level0", tmp_path / place / "level0")
        build = open_build(tmp_path, remember=False)
        (level,) = (row for row in build.files if build.parts[row.part].name == f"{place}/level0")
        found = build.external(level.number, 0).file
        assert (found and build.parts[build.files[found].part].name.partition("/")[0]) == file


def test_two_whole_players_beside_each_other_are_clean(tmp_path: Path) -> None:
    for name in ("First_Data", "Second_Data"):
        making.player(tmp_path / name)
    assert verify(open_build(tmp_path, remember=False)).findings == ()


def test_a_bundle_in_two_versions_that_one_elsewhere_refers_to_is_said(tmp_path: Path) -> None:
    for name in ("new", "old", "levels"):
        (tmp_path / name).mkdir()
        own = making.bundle("CAB-a", "bark", [Texture(1 << 40, "bark", b"brown")])
        if name == "levels":
            own = making.bundle("CAB-b", "tree", [Material(1 << 41, "tree", ((1, 1 << 40),))], ("CAB-a",))
        (tmp_path / name / "x.bundle").write_bytes(own)
    found = verify(open_build(tmp_path, remember=False)).findings
    assert found == ("2 files have one name, references lead to the first: new/x.bundle/CAB-a, old/x.bundle/CAB-a",)
