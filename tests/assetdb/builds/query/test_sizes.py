"""Bytes add up to the files' sizes, shared data count once, and every table is the same bytes in other rows."""

from __future__ import annotations

import gzip
import time
import zipfile
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import open_build
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.builds.query.sizes import METADATA, OVERHEAD, UNUSED, measure
from assetdb.builds.query.tables import KEYS, LABEL, size_rows, size_tree
from tests.assetdb.builds import making
from tests.assetdb.builds.making import Material, Texture
from tests.assetdb_formats.unityfs import builder
from tests.assetdb_formats.unityfs.builder import web_data

if TYPE_CHECKING:
    from pathlib import Path

A, B = "CAB-" + "a" * 32, "CAB-" + "b" * 32


def weight(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def build_of(folder: Path, compression: int) -> Path:
    folder.mkdir()
    shared = b"brown" * 90_000
    first = [
        Texture(7, "bark", shared, "assets/bark.png"),
        Texture(8, "bark too", shared),
        Texture(9, "leaf", b"g" * 99),
    ]
    (folder / "a.bundle").write_bytes(making.bundle(A, "a", first, compression=compression))
    (folder / "b.bundle").write_bytes(making.bundle(B, "b", [Material(7, "tree", ((1, 7),))], compression=compression))
    making.player(folder / "Game_Data")
    return folder


@pytest.mark.parametrize("compression", [0, 1, 3])
def test_objects_metadata_padding_and_the_rest_are_the_files_to_the_byte(tmp_path: Path, compression: int) -> None:
    folder = build_of(tmp_path / "build", compression)
    build = open_build(folder, remember=False)
    sizes = measure(build)
    assert sizes.disk_total == weight(folder)
    assert sum(sizes.disk) + sum(row.disk for row in sizes.rest) == sizes.disk_total
    decoded = sum(sizes.in_file) + sum(sizes.streamed) + sum(row.decoded for row in sizes.rest)
    assert decoded == sizes.decoded_total
    assert min(sizes.disk) >= 0 <= min(row.disk for row in sizes.rest)
    assert {METADATA, OVERHEAD, UNUSED} <= {row.what for row in sizes.rest}


def test_streamed_data_that_objects_share_count_once(tmp_path: Path) -> None:
    build = open_build(build_of(tmp_path / "build", 3), remember=False)
    sizes = measure(build)
    by_name = {build.name(number): sizes.streamed[number] for number in range(len(build))}
    assert (by_name["bark"], by_name["bark too"], by_name["leaf"]) == (450_000, 0, 99)
    assert (by_name["apple"], by_name["apple again"]) == (48, 0)
    assert sizes.shared == 450_048


@pytest.mark.parametrize("key", KEYS)
def test_every_table_has_all_bytes(tmp_path: Path, key: str) -> None:
    build = open_build(build_of(tmp_path / "build", 3), remember=False)
    sizes = measure(build)
    rows = size_rows(build, sizes, key, read_catalogs(build))
    assert sum(row.disk for row in rows) == sizes.disk_total
    assert sum(row.decoded for row in rows) == sizes.decoded_total
    assert sum(row.objects for row in rows) == len(build)
    assert key != LABEL or {row.name for row in rows} >= {"(no label)"}


def test_each_level_of_the_tree_is_the_one_above_it(tmp_path: Path) -> None:
    build = open_build(build_of(tmp_path / "build", 3), remember=False)
    sizes = measure(build)
    rows = size_tree(build, sizes)
    assert sum(row.disk for depth, row in rows if depth == 0) == sizes.disk_total
    for number, (depth, row) in enumerate(rows):
        below = []
        for deeper, other in rows[number + 1 :]:
            if deeper <= depth:
                break
            if deeper == depth + 1:
                below.append(other.disk)
        assert not below or sum(below) == row.disk, row.name


@pytest.mark.parametrize("packing", ["zip", "gzip web"])
def test_what_is_packed_takes_its_share_of_the_archive(tmp_path: Path, packing: str) -> None:
    folder = build_of(tmp_path / "build", 3)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    place = tmp_path / ("game.zip" if packing == "zip" else "Game.data.gz")
    if packing == "zip":
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
    else:
        place.write_bytes(gzip.compress(web_data(files)))
    sizes = measure(open_build(place, remember=False))
    assert sizes.disk_total == place.stat().st_size
    assert sum(sizes.disk) + sum(row.disk for row in sizes.rest) == sizes.disk_total


def test_objects_that_lie_in_each_other_are_not_counted_twice(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    data = bytearray((folder / "sharedassets0.assets").read_bytes())
    rows = [at for at in range(len(data) - 8) if data[at : at + 8] == (4).to_bytes(8, "little")]
    at = rows[0] + 8  # the offset of the second texture: where the first begins
    data[at : at + 8] = bytes(8)
    (folder / "sharedassets0.assets").write_bytes(data)
    build = open_build(folder, remember=False)
    sizes = measure(build)
    assert sizes.disk_total == weight(folder)
    assert sum(sizes.disk) + sum(row.disk for row in sizes.rest) == sizes.disk_total


def test_an_archive_of_many_files_is_measured_in_proportion_to_them(tmp_path: Path) -> None:
    thing = making.text("abcde") + bytes(19)  # not a multiple of 8: padding follows each
    things = [builder.Thing(number, making.MATERIAL, thing) for number in range(1, 11)]
    own = builder.serialized_file(things, making.KINDS, unity_version=making.VERSION)
    (tmp_path / "content0.archive").write_bytes(
        builder.archive([(f"CAB-{number:032x}", own) for number in range(1500)])
    )
    build = open_build(tmp_path, remember=False)
    assert len(build) == 15_000
    began = time.process_time()
    sizes = measure(build)
    assert time.process_time() - began < 3
    assert sum(sizes.in_file) + sum(row.decoded for row in sizes.rest) == sizes.decoded_total
    assert {row.file for row in sizes.rest if row.what == METADATA} == set(range(1500))
