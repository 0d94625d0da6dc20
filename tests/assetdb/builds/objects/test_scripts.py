"""What scripts add to the graph of a build without type trees, by the DLLs beside it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import opening
from assetdb.builds.objects import scripts
from assetdb.builds.opening import open_build
from assetdb.builds.query.verification import verify
from tests.assetdb.builds.making import CODE, MONO_BEHAVIOUR, player
from tests.assetdb.builds.scripted import FIELDS, behaviour, code, scene, scripted_player
from tests.assetdb_formats.dotnet.assembly_writer import assembly

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds.build import Build

PLAYER = "builds/Urbanize/Build_Data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return scripted_player(tmp_path / "Game_Data")


def fruits(build: Build) -> list[list[str]]:
    """Return what each MonoBehaviour refers to, but for its GameObject and script."""
    return [
        [build.name(reference.target) for reference in build.references(number)[2:]]
        for number in range(len(build))
        if build.class_ids[number] == MONO_BEHAVIOUR
    ]


def unread(build: Build) -> list[str]:
    return [line for line in verify(build).unread if "values in" not in line]


def test_references_of_scripts_join_the_graph(folder: Path) -> None:
    build = open_build(folder, remember=False)
    assert fruits(build) == [["apple", "apple again"], ["apple again"]]
    assert unread(build) == []
    apple = next(number for number in range(len(build)) if build.name(number) == "apple")
    assert [build.title(number) for number in build.dependents(apple)] == ["Game.Picker"]
    starts = build.reference_starts
    assert starts[-1] == sum(len(build.references(number)) for number in range(len(build)))


def test_a_build_in_a_zip_archive_or_of_several_parts_says_the_same(folder: Path, tmp_path: Path) -> None:
    import zipfile  # noqa: PLC0415 - this test alone

    with zipfile.ZipFile(tmp_path / "game.apk", "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, f"assets/bin/Data/{path.relative_to(folder)}")
    assert fruits(open_build(tmp_path / "game.apk", remember=False)) == [["apple", "apple again"], ["apple again"]]
    both = open_build([folder, player(tmp_path / "Other_Data")], remember=False)
    assert [found for found in fruits(both) if found] == [["apple", "apple again"], ["apple again"]]
    assert unread(both)[1:] == ["1 of Game.Picker: UnityEngine.UI.Image of unityengine.ui.dll is not beside the player"]


def test_what_is_not_known_is_said_by_script(folder: Path) -> None:
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(CODE)
    build = open_build(folder, remember=False)
    assert fruits(build) == [[], []]
    assert unread(build) == [
        "2 MonoBehaviours: the fields of their scripts (the files have no type trees)",
        "2 of Game.Picker: UnityEngine.UI.Image of unityengine.ui.dll is not beside the player",
    ]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "does not begin with MZ"),
        (b"MZ", "assembly-csharp.dll: "),
        (code(*FIELDS, "public int more"), "Assembly-CSharp.dll declares other fields than its objects have"),
        (code(*FIELDS[:2]), "Assembly-CSharp.dll declares other fields than its objects have"),
        (code("public int a", *FIELDS), "Assembly-CSharp.dll declares other fields than its objects have"),
        (assembly("Assembly-CSharp", {}), "Game.Picker of assembly-csharp.dll is not beside the player"),
    ],
)
def test_a_dll_that_does_not_fit_says_nothing_of_the_objects(folder: Path, data: bytes, why: str) -> None:
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(data)
    build = open_build(folder, remember=False)
    assert fruits(build) == [[], []]
    assert why in unread(build)[1]


@pytest.mark.parametrize("odd", [behaviour((2, 3), more=bytes(4)), behaviour((2, 3))[:-4], behaviour((9, 3))])
def test_one_object_that_does_not_fit_leaves_all_of_its_script_unknown(folder: Path, odd: bytes) -> None:
    scene(folder, behaviour((2, 3)), odd)
    build = open_build(folder, remember=False)
    assert fruits(build) == [[], []]
    assert unread(build)[0].startswith("2 MonoBehaviours")
    assert [build.title(number) for number in range(len(build))].count("Game.Picker") == 2


def test_a_release_that_is_not_known_has_no_fields(folder: Path) -> None:
    scene(folder, behaviour((2, 3)), version="0.0.0")
    assert "has no Unity release" in unread(open_build(folder, remember=False))[1]


def test_what_is_remembered_is_that_of_these_dlls(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(opening.time, "time_ns", lambda: 1 << 62)  # no file is too young to be trusted
    seen: Counter[str] = Counter()
    real = scripts._Look.facts

    def counted(look: scripts._Look, key: str) -> scripts.PartFacts:
        seen[look.part.name] += 1
        return real(look, key)

    monkeypatch.setattr(scripts._Look, "facts", counted)
    for _ in range(2):
        assert fruits(open_build(folder)) == [["apple", "apple again"], ["apple again"]]
    assert seen == {"level0": 1}
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(CODE)
    for _ in range(2):
        assert fruits(open_build(folder)) == [[], []]
    assert seen == {"level0": 2}
    (folder / "Managed/Assembly-CSharp.dll").unlink()
    build = open_build(folder)
    assert (fruits(build), unread(build)) == (
        [[], []],
        ["2 MonoBehaviours: the fields of their scripts (the files have no type trees)"],
    )
    (folder / "Managed/Assembly-CSharp.dll").write_bytes(code(*FIELDS))
    assert fruits(open_build(folder)) == [["apple", "apple again"], ["apple again"]]


def test_tables_alone_ask_no_dll(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> dict[int, object]:
        raise AssertionError

    monkeypatch.setattr(scripts, "_Look", refused)
    assert len(open_build(folder, contents=False, remember=False))


@pytest.mark.corpus("builds")
def test_scripts_of_a_real_player_are_read_to_the_byte(corpus: Path) -> None:
    """Urbanize has its own DLL beside it, and none of Unity's: 52 of 94 objects, each as that says."""
    build = open_build(corpus / PLAYER, remember=False)
    rows = [row for known in build.facts for row in known.unread_scripts]
    assert sum(row.objects for row in rows) == 42
    assert all("is not beside the player" in row.why for row in rows)
    assert {row.script for row in rows if not row.script.startswith("UnityEngine.")} == {
        *("CoreBrainPlayer", "FarmInfoWindow", "GranaryInfoWindow", "VoxelInfoWindow")
    }
    of_mono = [number for number in range(len(build)) if build.class_ids[number] == MONO_BEHAVIOUR]
    assert sum(len(build.references(number)) for number in of_mono) == 229
    by_title = {build.title(number): number for number in of_mono}
    named = [build.title(reference.target) for reference in build.references(by_title["GameController"])]
    assert named[2:] == [
        *("Actions", "Dust", "DayNightCycle", "Wood", "UICam", "Pointer", "TerrainGenerator", "ObjectGenerator"),
        *("WavesGenerator", "TinyverseAcademy"),
    ]
    assert all(reference.target >= 0 for number in of_mono for reference in build.references(number)[:1])
