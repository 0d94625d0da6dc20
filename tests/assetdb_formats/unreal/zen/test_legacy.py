"""Zen packages written as legacy ones: read back by the reader of legacy packages, against what they were cooked as."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb_formats.binary import FormatError
from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.containers.legacy_conversion import LegacyConversion
from assetdb_formats.unreal.containers.opening import OpenBuild
from assetdb_formats.unreal.containers.pak import open_pak
from assetdb_formats.unreal.iostore.build import Build
from assetdb_formats.unreal.iostore.container import open_container
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.versions import PackageVersion, parse_version
from assetdb_formats.unreal.zen.import_names import Naming, paths_from_names
from assetdb_formats.unreal.zen.legacy import guess_version, to_legacy
from assetdb_formats.unreal.zen.package import ZenForm, parse_zen_package
from tests.assetdb_formats.unreal.containers.making import build, save
from tests.assetdb_formats.unreal.iostore.hostile import integers, truncations
from tests.assetdb_formats.unreal.iostore.writer import (
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    write_container,
    zen_package,
)
from tests.assetdb_formats.unreal.zen.test_info import VERSIONS, all_scripts

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.unreal.packages.objects import Export

# What a zen package does not keep of an export.
UNKNOWN = {
    "serial_offset": 0,  # counted from a header that is shorter where the name of a class is not known
    "dependencies": (),
    "inherited_instance": False,
    "not_always_loaded_for_editor_game": False,
    "script": (0, 0),
}


def kept(export: Export) -> Export:
    return export._replace(**UNKNOWN)


@pytest.mark.corpus("unreal")
def test_eleven_packages_become_what_they_were_cooked_as(corpus: Path) -> None:
    root = corpus / "unreal" / "data"
    scripts = all_scripts(root)
    same: Counter[str] = Counter()
    for path in sorted((root / "retoc").rglob("*.uzenasset")):
        data = path.read_bytes()
        zen = parse_zen_package(data)
        version = parse_version(VERSIONS[path.parent.name])
        found = to_legacy(data, zen, Naming(zen, scripts, paths=paths_from_names(zen, scripts)), version)
        assert found.exports == path.with_suffix(".uexp").read_bytes()
        wanted = Package(path.with_suffix(".uasset").read_bytes(), version)
        read = Package(found.header, version)
        assert read.damage() == []
        imports = list(zip(read.imports.records(), wanted.imports.records(), strict=True))
        assert all((ours.object_name, ours.outer_index) == (its.object_name, its.outer_index) for ours, its in imports)
        guessed = sum(count for what, count in found.unknown.items() if what.startswith("classes of imports"))
        differ = sum(ours != its for ours, its in imports)
        assert differ <= guessed  # every class that is wrong was said to be a guess
        same["imports"] += len(imports) - differ
        same["guessed"] += guessed
        by_cooker = "UE5.4" not in path.parts  # two pairs were made the other way round, with rules of their own
        ours, its = read.exports.records(), wanted.exports.records()
        if by_cooker:
            assert list(map(kept, ours)) == list(map(kept, its))
            assert read.summary.names_referenced_from_exports == wanted.summary.names_referenced_from_exports
        tables = (
            "class_index",
            "super_index",
            "template_index",
            "outer_index",
            "object_name",
            "object_flags",
            "serial_size",
        )
        assert [[getattr(each, name) for name in tables] for each in ours] == [
            [getattr(each, name) for name in tables] for each in its
        ]
        same["exports"] += len(ours)
        lack = set(wanted.names) - set(read.names)
        assert len(lack) <= differ  # names of classes alone
        same["name tables"] += read.names == wanted.names
        same["header sizes"] += len(found.header) == wanted.summary.total_header_size == zen.cooked_header_size
        for resource, other in zip(read.data_resources, wanted.data_resources, strict=True):
            assert resource._replace(outer_index=0) == other._replace(outer_index=0)
        for export, other_export in zip(ours, its, strict=True):
            start, size = export.serial_offset - len(found.header), export.serial_size
            assert start == other_export.serial_offset - wanted.summary.total_header_size
            assert start + size <= len(found.exports)
    # The classes of 34 imports are in packages that are not here; nothing else differs.
    assert same == {"imports": 412, "guessed": 66, "exports": 295, "name tables": 4, "header sizes": 4}


@pytest.mark.corpus("unreal")
def test_a_build_becomes_what_the_same_project_was_cooked_as(corpus: Path) -> None:
    root = corpus / "unreal/data/CUE4Parse/UE5_8"
    count = 0
    for form in ("Tagged", "Unversioned"):
        folder = root / "IoStore" / form
        paks = list((root / "LegacyPak" / form / "Uncompressed").glob("*.pak"))
        name = folder / "Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc"
        with (
            open_container(str(folder / "global.utoc")) as scripts,
            open_container(str(name)) as container,
            open_pak(str(paks[0])) as pak,
        ):
            everything = Build()
            everything.add("global", scripts)
            everything.add("build", container)
            legacy = {entry.path.rpartition("/")[2]: pak.read_file(entry) for entry in pak.entries}
            for identity in everything.places:
                data = everything.read(identity)
                zen = parse_zen_package(data)
                stem = zen.name.rpartition("/")[2]
                if f"{stem}.uasset" not in legacy:
                    continue
                naming = everything.naming(zen)
                version = PackageVersion(522, 1018)
                found = to_legacy(data, zen, naming, version, everything.classes(zen, naming))
                ours, its = Package(found.header, version), Package(legacy[f"{stem}.uasset"], version)
                assert ours.damage() == []
                assert found.exports == legacy[f"{stem}.uexp"]
                assert ours.names == its.names
                # packed, this engine names the package of an import too
                assert [each[:4] for each in ours.imports.records()] == [each[:4] for each in its.imports.records()]
                assert list(map(kept, ours.exports.records())) == list(map(kept, its.exports.records()))
                count += 1
    assert count == 8


@pytest.mark.parametrize("form", list(ZenForm))
@pytest.mark.parametrize("versioned", [False, True])
def test_every_form_reads_back(form: ZenForm, versioned: bool) -> None:  # noqa: FBT001 - a parameter of the test
    exports = [("Mesh", b"first"), ("Mesh_2", b"second one"), ("Größe", b"")]
    nothing = (1 << 64) - 1
    data = zen_package(form, "/Game/A_1", exports, [1 << 62, nothing], [], versioned=versioned, bulk=2)
    zen = parse_zen_package(data)
    version = guess_version(zen)
    found = to_legacy(data, zen, Naming(zen), version)
    read = Package(found.header, version)
    assert read.damage() == []
    assert read.summary.unversioned == (not versioned or form is ZenForm.ENGINE_4)
    assert read.summary.total_header_size == len(found.header)
    rows = read.exports.records()
    assert [row.object_name for row in rows] == [name for name, _ in exports]
    whole = found.header + found.exports
    assert [whole[row.serial_offset : row.serial_offset + row.serial_size] for row in rows] == [
        content for _, content in exports
    ]
    assert [row.class_index for row in rows] == [-1, -1, -1]
    assert found.unknown["imports that nothing names"] == 1
    assert [row.class_name for row in read.imports.records()] == ["Class", "Package"]
    assert found.exports.endswith(b"\xc1\x83\x2a\x9e")


@pytest.mark.parametrize(
    ("form", "toc_version", "header_version", "bulk", "ue5"),
    [
        (ZenForm.ENGINE_4, 3, None, 0, 0),
        (ZenForm.GRAPH_DATA, 5, 0, 0, 1004),
        (ZenForm.GRAPH_DATA, 5, 1, 1, 1004),
        (ZenForm.GRAPH_DATA, 5, 2, 0, 1008),
        (ZenForm.GRAPH_DATA, 5, None, 0, 1008),
        (ZenForm.GRAPH_DATA, 5, 2, 1, 1009),
        (ZenForm.DEPENDENCY_BUNDLES, 5, 3, 0, 1009),
        (ZenForm.DEPENDENCY_BUNDLES, 6, 3, 0, 1012),
        (ZenForm.DEPENDENCY_BUNDLES, 7, 3, 0, 1012),
        (ZenForm.DEPENDENCY_BUNDLES, 8, 4, 0, 1013),
        (ZenForm.CELLS, 8, 5, 0, 1017),
    ],
)
def test_the_version_is_that_of_the_oldest_release_with_such_layouts(
    form: ZenForm, toc_version: int, header_version: int | None, bulk: int, ue5: int
) -> None:
    zen = parse_zen_package(zen_package(form, "/Game/A", [("X", b"abc")], [], [], bulk=bulk))
    assert guess_version(zen, toc_version, header_version) == PackageVersion(522, ue5)


@pytest.mark.parametrize(("ue4", "ue5", "known"), [(522, 1000, True), (522, 1018, True), (521, 1009, False)])
def test_a_version_that_is_stated_is_taken_or_refused(ue4: int, ue5: int, known: bool) -> None:  # noqa: FBT001 - a row
    zen = parse_zen_package(zen_package(ZenForm.CELLS, "/Game/A", [("X", b"abc")], [], [], versioned=True))
    assert zen.versioning is not None
    stated = zen._replace(versioning=zen.versioning._replace(ue4=ue4, ue5=ue5))
    if known:
        assert guess_version(stated) == PackageVersion(ue4, ue5)
        return
    with pytest.raises(FormatError, match=f"file version UE4 {ue4}, UE5 {ue5} is not known") as caught:
        guess_version(stated)
    assert (caught.value.offset, caught.value.field) == (0, "versioning")


@pytest.mark.parametrize("ue5", [999, 1019])
def test_a_version_beyond_those_of_unreal_5_is_refused(ue5: int) -> None:
    zen = parse_zen_package(zen_package(ZenForm.CELLS, "/Game/A", [("X", b"abc")], [], [], versioned=True))
    assert zen.versioning is not None
    with pytest.raises(FormatError, match="is not known"):
        guess_version(zen._replace(versioning=zen.versioning._replace(ue5=ue5)))


@pytest.mark.parametrize(("version", "size"), [(1008, 0), (1009, 2), (1012, 2), (1013, 2)])
@pytest.mark.parametrize("exports", [1, 2])
def test_bulk_data_are_resources_from_5_2_on(version: int, size: int, exports: int) -> None:
    data = zen_package(ZenForm.CELLS, "/Game/A", [("X", b"abc"), ("Y", b"")][:exports], [], [], bulk=2)
    zen = parse_zen_package(data)
    found = to_legacy(data, zen, Naming(zen), PackageVersion(522, version))
    read = Package(found.header, PackageVersion(522, version))
    outer = 1 if exports == 1 else 0
    rows = [(row.flags, row.cooked_index, *row[2:]) for row in read.data_resources]
    assert rows == [(0, 0, 0, -1, 77, 77, outer, 1)] * size
    assert found.unknown.get("exports that bulk data belongs to", 0) == (size if exports == 2 else 0)


def test_an_export_is_public_an_asset_or_for_one_side_by_its_flags() -> None:
    data = zen_package(ZenForm.CELLS, "/Game/A", [(name, b"") for name in "ABCDE"], [], [])
    zen = parse_zen_package(data)
    first, second, third, fourth, fifth = zen.exports
    exports = (
        first._replace(filter=1),
        second._replace(filter=2, flags=0),
        third._replace(outer=0),
        fourth._replace(flags=0x11),
        fifth._replace(flags=0, public_hash=0),
    )
    changed = zen._replace(exports=exports)
    found = to_legacy(data, changed, Naming(changed), PackageVersion(522, 1017))
    rows = Package(found.header, PackageVersion(522, 1017)).exports.records()
    assert [row.not_for_client for row in rows] == [True, False, False, False, False]
    assert [row.not_for_server for row in rows] == [False, True, False, False, False]
    assert [row.asset for row in rows] == [True, False, False, False, False]
    assert [row.public_hash for row in rows] == [False, True, False, False, False]
    assert [row.outer_index for row in rows] == [0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("places", "imported", "packages", "unnamed"),
    [
        (0, ["/Game/B"], [], 0),
        (1, ["/Game/B"], ["/Game/B"], 0),
        (2, ["/Game/c", "/Game/B"], ["/Game/B", "/Game/c"], 0),  # sorted without regard to case
        (2, ["/Game/D", "/Game/C", "/Game/B"], ["/Game/B", "/Game/C"], 0),  # the first that nothing needs is left out
        (3, ["/Game/B", "Relative"], ["/Game/B", "None", "None"], 2),
        (1, [], ["None"], 1),
    ],
)
def test_packages_take_the_free_places_of_imports_in_their_order(
    places: int, imported: list[str], packages: list[str], unnamed: int
) -> None:
    nothing = (1 << 64) - 1
    data = zen_package(ZenForm.GRAPH_DATA, "/Game/A", [("X", b"abc")], [nothing] * places, [])
    zen = parse_zen_package(data)
    found = to_legacy(data, zen, Naming(zen, imported=tuple(imported)), guess_version(zen))
    rows = Package(found.header, guess_version(zen)).imports.records()
    assert [row.object_name for row in rows] == packages
    assert {(row.class_package, row.class_name) for row in rows} <= {("/Script/CoreUObject", "Package")}
    assert found.unknown.get("imports of packages that nothing names", 0) == unnamed


@pytest.mark.parametrize(
    ("path", "class_name", "said"),
    [
        ("/Script/Engine.Actor", "ScriptStruct", "classes of imports, guessed"),
        ("/Script/Engine.Actor.Tick", "Function", ""),
        ("/Script/Engine.Actor.Hit__DelegateSignature", "DelegateFunction", ""),
        ("/Script/Engine.Default__Actor", "Actor", ""),
        ("/Script/Engine.Default__Actor.Part", "Object", "classes of imports, written as Object"),
        ("/Game/Hero.Hero_C", "BlueprintGeneratedClass", "classes of imports, guessed"),
        ("/Game/Hero.Hero", "Object", "classes of imports, written as Object"),
    ],
)
def test_the_class_of_an_import_is_inferred_from_its_path(path: str, class_name: str, said: str) -> None:
    index = (1 << 62) + 5  # 1 << 62 is the class of the exports
    data = zen_package(ZenForm.ENGINE_4, "/Game/A", [("X", b"abc")], [index], [])
    zen = parse_zen_package(data)
    found = to_legacy(data, zen, Naming(zen, paths={index: path}), guess_version(zen))
    rows = Package(found.header, guess_version(zen)).imports.records()
    assert rows[0].class_name == class_name
    assert rows[0].object_name == path.rpartition(".")[2]
    assert [what for what in found.unknown if what.startswith("classes of imports")] == ([said] if said else [])


def test_exports_that_lie_outside_or_refer_to_none_are_refused() -> None:
    data = zen_package(ZenForm.CELLS, "/Game/A", [("X", b"abc"), ("Y", b"")], [], [])
    zen = parse_zen_package(data)
    first, second = zen.exports
    for offset, size in ((len(data), 1), (0, len(data))):
        changed = zen._replace(exports=(first, second._replace(offset=offset, size=size)))
        with pytest.raises(FormatError, match=f"{size} bytes at .* do not lie in {len(data)}") as caught:
            to_legacy(data, changed, Naming(changed), PackageVersion(522, 1017))
        assert (caught.value.offset, caught.value.field) == (zen.tables.exports + 72, "exports[1]")
    changed = zen._replace(exports=(first, second._replace(outer=2)))
    with pytest.raises(FormatError, match="an export refers to export 2 of 2") as caught:
        to_legacy(data, changed, Naming(changed), PackageVersion(522, 1017))
    assert (caught.value.offset, caught.value.field) == (zen.tables.exports, "exports")


def test_damaged_packages_are_refused_or_converted() -> None:
    for form in ZenForm:
        data = zen_package(form, "/Game/A", [("X", b"abc"), ("Y_1", b"")], [1 << 62, 5], ["/Game/B"], bulk=1)
        for damaged in (*truncations(data), *integers(data, 8)):
            try:
                zen = parse_zen_package(damaged)
                found = to_legacy(damaged, zen, Naming(zen), guess_version(zen))
            except FormatError:
                continue
            assert len(found.header) + len(found.exports) < 40 * len(data)


def test_an_export_that_no_bundle_has_is_refused() -> None:
    data = bytearray(zen_package(ZenForm.GRAPH_DATA, "/Game/A", [("X", b"abc"), ("Y", b"")], [], []))
    tables = parse_zen_package(bytes(data)).tables
    data[tables.bundle_entries + 8 : tables.bundle_entries + 16] = bytes(8)  # serialized: now created again
    data[tables.exports + 72 + 8 : tables.exports + 72 + 16] = b"\xff" * 8
    zen = parse_zen_package(bytes(data))
    with pytest.raises(FormatError, match=r"exports\[1\]: 18446744073709551615 bytes that no bundle has"):
        to_legacy(bytes(data), zen, Naming(zen), guess_version(zen))


@pytest.mark.parametrize(("header", "release"), [(1, "5.0"), (2, "5.1")])
def test_the_header_of_a_container_distinguishes_packages_of_5_0(header: int, release: str, tmp_path: Path) -> None:
    name = "/Game/A"
    package = zen_package(ZenForm.GRAPH_DATA, name, [("X", b"abc")], [], [])
    chunks = [
        Written(chunk_id(package_id(name), "ExportBundleData", 3), package, "A.uasset"),
        Written(chunk_id(0x1234, "ContainerHeader", 3), container_header(header, [StoredPackage(name, [])])),
    ]
    path = save(tmp_path / "Paks", "game", write_container(3, chunks))
    with OpenBuild(path) as opened, open_container(path) as container:
        conversion = LegacyConversion(opened)
        (_, read), _ = conversion.files("A.uasset", container, 0)
    assert conversion.versions == {release: 1}
    assert Package(read, parse_version(release)).damage() == []


def test_extract_legacy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "Paks", "game", build())
    target = tmp_path / "out"
    assert main(["unreal", "extract", path, "--to", str(target), "--legacy"]) == 0
    captured = capsys.readouterr()
    assert "4 files written" in captured.out
    assert "no container keeps it" in captured.err
    content = target / "Game/Content"
    assert (content / "Maps/Arena.uexp").read_bytes().startswith(b"map")
    assert main(["unreal", "info", str(content / "Maps/Arena.umap")]) == 0
    assert "/Game/Maps/Arena" in capsys.readouterr().out
    assert main(["unreal", "ls", str(target), "--damaged"]) == 0
    assert main(["unreal", "extract", path, "--to", str(target), "--legacy", "--assume-version", "9"]) == 2
    assert main(["unreal", "extract", path, "--to", str(target), "--assume-version", "5.3"]) == 2
    capsys.readouterr()
    assert main(["unreal", "extract", path, "--to", str(target), "--legacy", "--assume-version", "5.5"]) == 0
    assert "state no version" not in capsys.readouterr().err
