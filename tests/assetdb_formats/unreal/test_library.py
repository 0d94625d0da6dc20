"""`assetdb_formats.unreal` as a program uses it: what is exported, `open`, and one tree of errors."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb_formats import unreal
from assetdb_formats.unreal.zen import package as zen
from tests.assetdb_formats.unreal.containers.making import PACKAGES, build, save
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import KEY, zen_package
from tests.assetdb_formats.unreal.package_writer import COOKED, full
from tests.assetdb_formats.unreal.registry_writer import sample
from tests.assetdb_formats.unreal.scanning.test_database import package, project

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["project"]

CHECKOUT = Path(__file__).parents[3]


def test_the_exported_names() -> None:
    for name in dir(unreal):
        assert getattr(unreal, name).__name__ == name
    assert {"open", "Package", "OpenContainer", "OpenPak", "AssetRegistry", "UnrealError"} <= set(dir(unreal))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        unreal.nothing  # type: ignore[attr-defined]  # noqa: B018 - that is the test


def test_importing_the_family_imports_nothing_else() -> None:
    code = "import assetdb_formats.unreal, sys\n"
    code += "print(*sorted(n for n in sys.modules if n.startswith('assetdb_formats')))"
    found = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=CHECKOUT / "formats", capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["assetdb_formats", "assetdb_formats.lazy_names", "assetdb_formats.unreal"]


def test_every_error_is_of_one_tree() -> None:
    errors = [getattr(unreal, name) for name in dir(unreal) if name.endswith("Error")]
    assert len(errors) > 5
    assert all(issubclass(error, unreal.UnrealError) for error in errors)


SOURCES: dict[str, tuple[Callable[[], bytes], type]] = {
    "A.uasset": (lambda: full(-8, 522, 1009).data(), unreal.Package),
    "A.umap": (lambda: zen_package(zen.ZenForm.CELLS, "/Game/A", [("A", b"data")], [], []), unreal.ZenPackage),
    "AssetRegistry.bin": (lambda: sample(16).data(), unreal.AssetRegistry),
    "a.pak": (lambda: write_pak(11, [("Game/a.ini", b"text")]), unreal.Pak),
    "a.utoc": (lambda: build().toc, unreal.Container),
}


@pytest.mark.parametrize("name", SOURCES)
def test_open_tells_what_a_file_is_by_its_bytes(name: str, tmp_path: Path) -> None:
    make, kind = SOURCES[name]
    data = make()
    path = tmp_path / name
    path.write_bytes(data)
    for source in (data, io.BytesIO(data), path, str(path)):
        opened = unreal.open(source)
        assert isinstance(opened, kind), source
        if isinstance(opened, (unreal.OpenPak, unreal.OpenContainer)):
            opened.close()
    other = tmp_path / "renamed"
    path.rename(other)
    opened = unreal.open(other)
    assert isinstance(opened, kind)
    if isinstance(opened, (unreal.OpenPak, unreal.OpenContainer)):
        opened.close()


def test_open_reads_a_container_with_its_data_and_its_key(tmp_path: Path) -> None:
    path = save(tmp_path, "secret", build(encryption=1))
    with unreal.open(path, key=KEY) as container:
        assert isinstance(container, unreal.OpenContainer)
        index = container.toc.of_type("ExportBundleData")[0]
        assert unreal.parse_zen_package(container.read_chunk(index)).name in PACKAGES
    with unreal.open(path) as container, pytest.raises(unreal.MissingKeyError, match="parameter key "):
        container.read_chunk(index)
    alone = unreal.open(Path(path).read_bytes(), key=KEY)
    assert isinstance(alone, unreal.Container)
    with pytest.raises(unreal.MissingPartError, match="only the table of contents"):
        alone.read_chunk(index)


def test_the_version_of_a_package_is_inferred_or_said(tmp_path: Path) -> None:
    data = full(-8, 522, 1008, COOKED, unversioned=True, resources=[]).data()
    assert unreal.open(data).summary.version == unreal.parse_version("5.1")
    assert unreal.open(data, version="5.1").names == unreal.open(data).names
    (tmp_path / "A.uasset").write_bytes(data)
    assert unreal.open_package(str(tmp_path / "A.uasset")).version.startswith("inferred: 5.1")


@pytest.mark.parametrize("data", [b"", b"nothing", b"-==--==--==--==-", b"\xc1\x83\x2a\x9e", bytes(400)])
def test_what_is_no_unreal_file_is_an_error_with_its_path(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(unreal.UnrealError) as caught:
        unreal.open(path)
    assert caught.value.path == str(path)
    for source in (data, io.BytesIO(data)):
        with pytest.raises(unreal.UnrealError):
            unreal.open(source)
    with pytest.raises(FileNotFoundError):
        unreal.open(tmp_path / "nowhere")


def test_questions_to_a_folder(project: Path) -> None:
    found = unreal.scan_folder(str(project))
    assert [str(each.path) for each in found.problems] == []
    number = found.database.number("/Game/Mesh")
    assert [each.name for each in found.database.dependencies(number)] == ["/Engine/Basic", "/Game/New/Texture"]
    tags = {
        asset.object_path
        for _, opened in unreal.each_package(str(project), [])
        for asset in unreal.tagged_assets(opened.package, class_name="texture2d")
    }
    assert tags


def test_questions_to_a_build(tmp_path: Path) -> None:
    path = save(tmp_path / "Paks", "game", build())
    graph = unreal.read_graph(unreal.containers_in(str(tmp_path)))
    assert [each.name for each in unreal.packed_packages(graph)] == sorted(PACKAGES)
    arena = graph.find("/Game/Maps/Arena")
    assert arena is not None
    assert [each.shown for each in unreal.packed_dependencies(graph, arena).references] == ["/Game/Meshes/Rock"]
    assert unreal.missing_packages(graph) == (("/Engine/Default", ("/Game/Meshes/Rock",)),)
    with unreal.open_container(path) as container:
        report = unreal.verify_container(container)
        assert (report.clean, report.hashed) == (True, 3)
        assert [chunk.type for chunk in unreal.list_chunks(container)].count("ExportBundleData") == 2
    with unreal.OpenBuild(str(tmp_path)) as opened:
        assert unreal.packed_zen_info(opened, arena).summary.name == "/Game/Maps/Arena"


def test_a_package_with_a_name_that_several_end_with_is_not_guessed(tmp_path: Path) -> None:
    for folder in ("A", "B"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Same.uasset").write_bytes(package())
    found = unreal.scan_folder(str(tmp_path))
    from assetdb_formats.unreal.scanning.package_folder import find_package  # noqa: PLC0415 - not exported

    with pytest.raises(unreal.PackageNotFoundError, match=r"'Same' is ambiguous \(2 matches\)") as caught:
        find_package(found, "Same")
    assert caught.value.candidates == ("/Game/A/Same", "/Game/B/Same")
    with pytest.raises(unreal.PackageNotFoundError, match=r"no package named 'Sane'; did you mean"):
        find_package(found, "Sane")
