"""What ``info`` counts: references that lead to nothing, and assets that are in several files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.build import is_builtin
from assetdb.builds.query.duplicates import SOURCE, find_duplicates
from assetdb.builds.query.summary import different_platforms, summarize
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.addressables.builder import make_content, write
from tests.assetdb_formats.unityfs import builder
from tests.long_cases import long_after

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds import Build

ONE, TWO = "CAB-" + "a" * 32, "CAB-" + "b" * 32
BARK, OAK = 3 << 40, 4 << 40


def missing_in(build: Build) -> int:
    """Count one by one."""
    found = [reference for number in range(len(build)) for reference in build.references(number)]
    return sum(row.target < 0 and not (row.target == -1 and is_builtin(row.file)) for row in found)


def test_references_to_nothing_are_counted_and_unitys_own_are_not(tmp_path: Path) -> None:
    oak = Material(OAK, "oak", ((0, BARK), (0, 77), (1, 5), (2, 9), (9, 9)), "assets/oak.mat")
    externals = (TWO, "Library/unity default resources")
    (tmp_path / "trees.bundle").write_bytes(
        making.bundle(ONE, "trees", [Texture(BARK, "bark", b"brown"), oak], externals)
    )
    build = open_build(tmp_path, remember=False)
    assert missing_in(build) == 3  # no such object, no such file, and one that is not declared
    assert summarize(build).missing_references == 3


def test_assets_in_several_files_are_counted_with_what_one_copy_would_save(tmp_path: Path) -> None:
    bark = Texture(BARK, "bark", b"brown" * 100)
    for name, cab in (("trees", ONE), ("fences", TWO)):
        (tmp_path / f"{name}.bundle").write_bytes(making.bundle(cab, name, [bark]))
    build = open_build(tmp_path, remember=False)
    (row,) = find_duplicates(build)
    assert row.by == SOURCE
    assert summarize(build).duplicates == (1, row.saved)


def test_what_the_editor_was_shipped_with_says_no_version_and_platform(tmp_path: Path) -> None:
    def write(name: str, version: str, target: int) -> None:
        data = builder.serialized_file([], [], unity_version=version, target=target)
        (tmp_path / "Resources" / name).write_bytes(data)

    (tmp_path / "Resources").mkdir()
    write("unity default resources", "2022.3.15f1", 5)
    found = summarize(open_build(tmp_path, remember=False))
    assert (found.unity_versions, found.platforms) == (("2022.3.15f1",), ("Windows",))  # nothing else says one
    write("unity_builtin_extra", "2022.3.18f1", 19)
    found = summarize(open_build(tmp_path, remember=False))
    assert (found.unity_versions, found.platforms) == (("2022.3.18f1",), ("Windows (64 bit)",))


def test_platforms_of_two_builds_are_told_where_they_differ_and_are_known(tmp_path: Path) -> None:
    def of(name: str, *targets: int) -> Build:
        (tmp_path / name).mkdir()
        (tmp_path / name / "catalog.json").write_bytes(write(make_content(), JSON_FLAVOURS["1.28"]))
        for target in targets:
            (tmp_path / name / f"level{target}").write_bytes(builder.serialized_file([], [], target=target))
        return open_build(tmp_path / name, remember=False)

    windows, again, android, none = of("windows", 19), of("again", 19), of("android", 13), of("none")
    assert different_platforms(windows, android) == (("Windows (64 bit)",), ("Android",))
    assert different_platforms(windows, again) is None
    assert different_platforms(windows, none) is None
    assert different_platforms(of("both", 13, 19), windows) == (("Android", "Windows (64 bit)"), ("Windows (64 bit)",))


@pytest.mark.corpus("builds", "unityfs")
@pytest.mark.parametrize(
    "path", long_after(1, ["unityfs/UnityDataTools", "builds/Urbanize/Build_Data", "builds/UnityDataTools"])
)
def test_real_builds_are_counted_as_one_by_one(corpus: Path, path: str) -> None:
    build = open_build(corpus / path, remember=False)
    found = summarize(build)
    assert found.missing_references == missing_in(build)
    rows = [row for row in find_duplicates(build) if row.by == SOURCE]
    assert found.duplicates == (len(rows), sum(row.saved for row in rows))
