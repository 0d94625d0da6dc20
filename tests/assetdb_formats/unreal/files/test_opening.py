"""Opening of a package: its version and where that comes from; of a folder, what could not be read."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.asset_registry import AssetRegistry
from assetdb_formats.unreal.containers.pak import Pak
from assetdb_formats.unreal.errors import MissingPartError
from assetdb_formats.unreal.files import opening
from assetdb_formats.unreal.files.opening import each_package, open_package
from assetdb_formats.unreal.iostore.container import Container
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.versions import PackageVersion
from assetdb_formats.unreal.zen.package import ZenForm, ZenPackage
from tests.assetdb_formats.unreal.containers.making import build, save
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import zen_package
from tests.assetdb_formats.unreal.package_writer import COOKED, UNVERSIONED_PROPERTIES, full
from tests.assetdb_formats.unreal.registry_writer import sample

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.unreal.problems import Problem

STATED = full(-8, 522, 1009).data()
SILENT = full(-8, 522, 1008, COOKED | UNVERSIONED_PROPERTIES, unversioned=True, resources=[], tile_layer="").data()


@pytest.mark.parametrize(
    ("data", "assume", "version"),
    [
        (STATED, None, "5.2 to 5.3"),
        (STATED, PackageVersion(522, 1004), "5.2 to 5.3"),  # its own counts
        (SILENT, None, "inferred: 5.1"),
        (SILENT, PackageVersion(522, 1008), "assumed: 5.1"),
    ],
)
def test_the_version_and_where_it_comes_from(
    tmp_path: Path, data: bytes, assume: PackageVersion | None, version: str
) -> None:
    (tmp_path / "A.uasset").write_bytes(data)
    opened = open_package(str(tmp_path / "A.uasset"), assume)
    assert opened.version == version
    assert opened.package.names == Package(data, PackageVersion(522, 1008)).names
    found = opening.open(data, version=assume)
    assert isinstance(found, Package)
    assert found.summary.version == opened.package.summary.version


def test_packages_of_a_folder_in_order_and_problems_beside_them(tmp_path: Path) -> None:
    for name, data in {"b/C.uasset": STATED, "A.umap": SILENT, "b/Bad.uasset": b"no package" * 9, "x.txt": b""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    problems: list[Problem] = []
    seen: list[tuple[int, int]] = []
    found = list(each_package(str(tmp_path), problems, progress=lambda *counts: seen.append(counts)))
    assert [path for path, _ in found] == [str(tmp_path / "A.umap"), str(tmp_path / "b" / "C.uasset")]
    assert [opened.version for _, opened in found] == ["inferred: 5.1", "5.2 to 5.3"]
    assert seen == [(0, 3), (1, 3), (2, 3)]
    assert [(problem.path, problem.damaged) for problem in problems] == [(str(tmp_path / "b" / "Bad.uasset"), True)]


def test_the_problem_of_a_single_file_is_raised(tmp_path: Path) -> None:
    bad = tmp_path / "Bad.uasset"
    bad.write_bytes(b"no package" * 9)
    problems: list[Problem] = []
    with pytest.raises(FormatError) as caught:
        list(each_package(str(bad), problems))
    assert (caught.value.path, problems) == (str(bad), [])
    with pytest.raises(FileNotFoundError):
        list(each_package(str(tmp_path / "absent"), problems))
    assert [name for name, _ in each_package(str(tmp_path), problems)] == []
    (tmp_path / "A.uasset").write_bytes(STATED)
    assert [name for name, _ in each_package(str(tmp_path / "A.uasset"), [])] == [str(tmp_path / "A.uasset")]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.dat", Package), ("b.dat", ZenPackage), ("c.dat", AssetRegistry), ("d.dat", Pak), ("e.dat", Container)],
)
def test_bytes_streams_and_files_are_told_apart_by_what_they_hold(tmp_path: Path, name: str, kind: type) -> None:
    data = {
        "a.dat": STATED,
        "b.dat": zen_package(ZenForm.CELLS, "/Game/A", [("A", b"data")], [], []),
        "c.dat": sample(16).data(),
        "d.dat": write_pak(11, [("Game/a.ini", b"text")]),
        "e.dat": build().toc,
    }[name]
    for source in (data, bytearray(data), memoryview(data), io.BytesIO(data)):
        assert isinstance(opening.open(source), kind)  # type: ignore[arg-type]  # any buffer
    if kind in (Package, ZenPackage, AssetRegistry):
        (tmp_path / name).write_bytes(data)
        assert isinstance(opening.open(tmp_path / name), kind)


def test_a_table_of_contents_as_bytes_has_no_data(tmp_path: Path) -> None:
    found = opening.open(build().toc)
    assert isinstance(found, Container)
    with pytest.raises(MissingPartError, match=r"of partition 0: only the table of contents was given"):
        found.read_chunk(0)
    path = save(tmp_path, "game", build())
    with opening.open(path) as opened:  # type: ignore[union-attr]  # a container
        assert opened.path == path


@pytest.mark.parametrize("name", ["bad.utoc", "bad.pak", "bad.uasset", "bad"])
def test_errors_have_the_path(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"nothing of these " * 40)
    with pytest.raises(FormatError) as caught:
        opening.open(path)
    assert caught.value.path == str(path)


def test_a_stream_is_read_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_LARGEST_STREAM", len(STATED))
    assert isinstance(opening.open(io.BytesIO(STATED)), Package)
    monkeypatch.setattr(opening, "_LARGEST_STREAM", len(STATED) - 1)
    with pytest.raises(FormatError, match="open it by its path"):
        opening.open(io.BytesIO(STATED))


def test_a_version_may_be_a_text() -> None:
    found = opening.open(SILENT, version="5.1")
    assert isinstance(found, Package)
    assert found.summary.version == PackageVersion(522, 1008)
    with pytest.raises(ValueError, match="neither a release"):
        opening.open(SILENT, version="9.9")
