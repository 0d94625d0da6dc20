"""Whether a report is of a build: its GUID, its objects, the sizes of its files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.reports.tying import Refused, Reported, Reports, reports_of
from assetdb_formats.unityfs.errors import UnityFSError
from tests.assetdb.builds.making import Texture, bundle, player
from tests.assetdb_formats.unityfs.reports import Row, report

if TYPE_CHECKING:
    from assetdb.builds.build import Build

GUID, OTHER = "0123456789abcdef0123456789abcdef", "f" * 32
BUILD, LATER = "444ff6a4263b4810847889c004ff5c4d", "9" * 32
ASSETS = "sharedassets0.assets"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return player(tmp_path / "Game_Data")


def rows_of(build: Build, name: str) -> list[Row]:
    """Return rows for the objects of a file, as an editor would write them."""
    (file,) = (file for file in build.files if file.facts.name == name)
    return [
        Row(build.path_ids[number], build.class_ids[number], build.sizes[number], GUID, "Assets/apple.png")
        for number in file.numbers
    ]


def asked(folder: Path, data: bytes) -> Reports:
    path = folder.parent / "kept.buildreport"
    path.write_bytes(data)
    return reports_of(open_build(folder, remember=False), [str(folder)])


def test_a_report_with_the_objects_and_sizes_of_a_build_is_of_it(folder: Path) -> None:
    build = open_build(folder, remember=False)
    rows = rows_of(build, ASSETS)
    size = (folder / "level0").stat().st_size
    found = asked(folder, report({ASSETS: rows}, files=(("D:\\Out\\Game_Data\\level0", size),), guid=BUILD))
    assert found.used is not None
    assert not found.problem()
    assert {build.path_ids[number]: row.path for number, row in found.used.rows.items()} == {
        3: "Assets/apple.png",
        4: "Assets/apple.png",
    }


def test_the_build_guid_decides_where_both_have_one(folder: Path) -> None:
    rows = rows_of(open_build(folder, remember=False), ASSETS)
    (folder / "boot.config").write_text(f"build-guid={BUILD}\n")
    assert asked(folder, report({ASSETS: rows}, guid=BUILD)).used is not None
    assert asked(folder, report({ASSETS: rows})).used is not None
    found = asked(folder, report({ASSETS: rows}, guid=LATER))
    assert found.used is None
    assert f"is of the build with the GUID {LATER}, and this one has {BUILD}" in found.problem()


def test_other_objects_classes_or_sizes_are_of_another_build(folder: Path) -> None:
    rows = rows_of(open_build(folder, remember=False), ASSETS)
    level = (folder / "level0").stat().st_size
    cases = {
        "has 2 objects, in the report 1": report({ASSETS: rows[:1]}),
        "has 2 objects, in the report 3": report({ASSETS: [*rows, rows[0]._replace(path_id=5)]}),
        f"{ASSETS}#4 is not in the report": report({ASSETS: [rows[0], rows[1]._replace(path_id=5)]}),
        f"{ASSETS}#3 has another class or size": report({ASSETS: [rows[0]._replace(size=1), rows[1]]}),
        f"{ASSETS}#4 has another class or size": report({ASSETS: [rows[0], rows[1]._replace(class_id=89)]}),
        f"level0 has {level:,} bytes, in the report 7": report({ASSETS: rows}, files=(("C:/x/level0", 7),)),
        "none of its files is in this one": report({"CAB-1": rows}),
    }
    for what, data in cases.items():
        found = asked(folder, data)
        assert found.used is None
        assert what in found.problem()
        assert found.problem().startswith(str(folder.parent / "kept.buildreport"))


def test_of_two_players_only_that_of_the_report_has_rows(tmp_path: Path) -> None:
    first, second = player(tmp_path / "A/Game_Data"), player(tmp_path / "B/Game_Data", scenes=("Assets/Other.unity",))
    (first / "boot.config").write_text(f"build-guid={BUILD}\n")
    (second / "boot.config").write_text(f"build-guid={LATER}\n")
    (tmp_path / "A/kept.buildreport").write_bytes(
        report({ASSETS: rows_of(open_build(first, remember=False), ASSETS)}, guid=BUILD)
    )
    build = open_build(tmp_path, remember=False)
    found = reports_of(build, [str(first)])
    assert found.used is not None
    assert {build.file_label(number) for number in found.used.rows} == {"A/Game_Data/sharedassets0.assets"}


def test_files_of_bundles_are_tied_by_their_names_in_the_archive(tmp_path: Path) -> None:
    cab = "CAB-" + "a" * 32
    folder = tmp_path / "ServerData"
    folder.mkdir()
    (folder / "trees.bundle").write_bytes(bundle(cab, "trees", [Texture(71, "Tree", b"0123")]))
    (file,) = (file for file in open_build(folder, remember=False).files if file.facts.serialized)
    build = open_build(folder, remember=False)
    rows = rows_of(build, file.facts.name)
    assert asked(folder, report({cab: rows, "CAB-other": rows})).used is not None


def test_reports_that_cannot_be_read_are_passed_over_unless_given(folder: Path) -> None:
    build = open_build(folder, remember=False)
    (folder.parent / "a.buildreport").write_bytes(b"damaged")
    (folder.parent / "z.buildreport").write_bytes(report({ASSETS: rows_of(build, ASSETS)}))
    found = reports_of(build, [str(folder)])
    assert found.used is not None
    assert Path(found.used.path).name == "z.buildreport"
    (folder.parent / "z.buildreport").unlink()
    shutil.copy(folder.parent / "a.buildreport", folder.parent / "b.buildreport")
    found = reports_of(build, [str(folder)])
    assert found.problem().endswith("; nor is 1 other report")
    with pytest.raises(UnityFSError, match=r"a\.buildreport"):
        reports_of(build, [str(folder)], given=str(folder.parent / "a.buildreport"))
    with pytest.raises(FileNotFoundError):
        reports_of(build, [str(folder)], given=str(folder.parent / "c.buildreport"))


def test_a_report_of_a_newer_version_is_said_and_not_used(folder: Path) -> None:
    build = open_build(folder, remember=False)
    data = bytearray(report({ASSETS: rows_of(build, ASSETS)}))
    assert asked(folder, bytes(data)).used is not None
    data[8:12] = (26).to_bytes(4, "big")  # the version of the SerializedFile
    found = asked(folder, bytes(data))
    assert found.used is None
    assert "the build report is not used: " in found.problem()
    assert "SerializedFile version 26 (Unity 6.7): versions 5 to 23 are read" in found.problem()
    path = str(folder.parent / "kept.buildreport")
    with pytest.raises(UnityFSError, match=r"kept\.buildreport: .*version 26"):
        reports_of(build, [str(folder)], given=path)


@pytest.mark.corpus("buildreports")
def test_the_report_of_a_project_is_of_its_last_build_alone(corpus: Path) -> None:
    root = corpus / "builds/Arkanoid"
    newest, older = root / "Library/PlayerDataCache/Win64/Data", root / "xd/Arkanoid_Data"
    found = reports_of(open_build(newest, remember=False), [str(newest)], str(root))
    assert isinstance(found.used, Reported)
    assert len(found.used.rows) == 249
    found = reports_of(open_build(older, remember=False), [str(older)], str(root))
    assert found.used is None
    assert isinstance(found.refused[0], Refused)
