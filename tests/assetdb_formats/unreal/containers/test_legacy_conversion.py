"""Packages of containers as files that the editor's tools read: which are converted, and what is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.unreal.containers.legacy_conversion import LegacyConversion
from assetdb_formats.unreal.containers.opening import OpenBuild, open_any_container
from assetdb_formats.unreal.iostore.container import OpenContainer
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.versions import RELEASES, PackageVersion
from tests.assetdb_formats.unreal.containers.making import build, save
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak

if TYPE_CHECKING:
    from pathlib import Path


def test_packages_of_a_container_are_taken_and_nothing_else(tmp_path: Path) -> None:
    with open_any_container(save(tmp_path / "Paks", "game", build())) as opened:
        assert isinstance(opened, OpenContainer)
        kinds = [opened.toc.chunk_type(chunk) for chunk in range(3)]
        assert [LegacyConversion.takes(opened, chunk) for chunk in range(3)] == [
            kind == "ExportBundleData" for kind in kinds
        ]
        assert not LegacyConversion.takes(opened, None)
    (tmp_path / "a.pak").write_bytes(write_pak(11, [("A.uasset", b"text")]))
    with open_any_container(str(tmp_path / "a.pak")) as opened:
        assert not LegacyConversion.takes(opened, None)
        assert not LegacyConversion.takes(opened, 0)


def test_each_package_becomes_two_files_and_is_counted(tmp_path: Path) -> None:
    path = save(tmp_path / "Paks", "game", build())
    with OpenBuild(path) as known, open_any_container(path) as opened:
        assert isinstance(opened, OpenContainer)
        for assume, releases in ((None, 1), (PackageVersion(522, 1004), 0)):
            conversion = LegacyConversion(known, assume)
            chunks = [chunk for chunk in range(3) if conversion.takes(opened, chunk)]
            for count, chunk in enumerate(chunks, 1):
                (name, header), (beside, _) = conversion.files("a/X.uasset", opened, chunk)
                assert (name, beside) == ("a/X.uasset", "a/X.uexp")
                assert len(Package(header, assume or RELEASES[next(iter(conversion.versions)).split()[0]]).exports) == 1
                assert conversion.packages == count
            assert len(conversion.versions) == releases
            assert sum(conversion.versions.values()) == (len(chunks) if releases else 0)
