"""`assetdb unreal info` of zen packages: files of `extract`, packages in containers, and the legacy ones they were."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.cli.unreal.containers.zen import zen_json
from assetdb_formats.binary import FormatError
from assetdb_formats.codecs.city_hash import object_path_hash, package_id
from assetdb_formats.unreal.iostore.build import Build, main_class
from assetdb_formats.unreal.iostore.container import open_container
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.versions import parse_version
from assetdb_formats.unreal.zen import import_names
from assetdb_formats.unreal.zen.dependencies import ExportDependencies, read_dependencies
from assetdb_formats.unreal.zen.import_names import Naming, paths_from_names
from assetdb_formats.unreal.zen.info import zen_info
from assetdb_formats.unreal.zen.package import Export, ZenForm, ZenPackage, header_size, parse_zen_package
from assetdb_formats.unreal.zen.script_objects import (
    ScriptObject,
    ScriptObjects,
    parse_loader_globals,
    parse_script_objects,
)
from tests.assetdb_formats.unreal.containers.making import build, save
from tests.assetdb_formats.unreal.iostore.writer import (
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    name_batch,
    script_rows,
    write_container,
    zen_package,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSIONS = {"UE4.27": "4.27", "UE5.4": "5.4", "UE5.5": "5.5", "UE5.6": "5.6"}


def all_scripts(root: Path) -> ScriptObjects:
    """Script objects of several engines together: their hashes are those of their paths, whatever the build."""
    files = ("LoaderInitialLoadMeta_1", "LoaderGlobalNames_1", "LoaderGlobalNameHashes_1")
    found = parse_loader_globals(*((root / "retoc" / "UE4.27" / f"{name}.bin").read_bytes() for name in files)).objects
    found = found | parse_script_objects((root / "retoc/UE5.3/ScriptObjects.bin").read_bytes()).objects
    with open_container(str(root / "CUE4Parse/UE5_8/IoStore/Tagged/global.utoc")) as container:
        return ScriptObjects(found | parse_script_objects(container.read_chunk(0)).objects)


def pairs(root: Path) -> Iterator[tuple[bytes, ZenPackage, Package]]:
    """Yield each zen package with the legacy one that it was made from."""
    for path in sorted((root / "retoc").rglob("*.uzenasset")):
        data = path.read_bytes()
        legacy = Package(path.with_suffix(".uasset").read_bytes(), parse_version(VERSIONS[path.parent.name]))
        yield data, parse_zen_package(data), legacy


def plain(path: str | None, package: str = "") -> str:
    """Return a path with one kind of mark; the legacy reader leaves the package of exports out."""
    return "" if path is None else path.replace(":", ".").removeprefix(f"{package}.")


def referred(reference: dict[str, Any] | None, package: str) -> str:
    return "" if reference is None else plain(reference["path"], package)


@pytest.mark.corpus("unreal")
def test_eleven_packages_equal_their_legacy_form_field_by_field(corpus: Path) -> None:
    root = corpus / "unreal" / "data"
    scripts = all_scripts(root)
    count = 0
    for data, package, legacy in pairs(root):
        naming = Naming(package, scripts, paths=paths_from_names(package, scripts))
        found = zen_json(zen_info(data, package, naming))
        name = package.name
        assert header_size(data) == package.header_size
        referenced = legacy.summary.names_referenced_from_exports
        stored = [row["name"] for row in found["names"]]
        assert stored[:referenced] == legacy.names[:referenced]
        assert set(stored) <= set(legacy.names)
        assert not any("hash_right" in row for row in found["names"])
        assert int(found["summary"]["flags"], 16) | 0x2000 == legacy.summary.package_flags | 0x2000
        assert found["summary"]["cooked_header_size"] == legacy.summary.total_header_size
        imports = legacy.imports.records()
        for number, (row, entry) in enumerate(zip(found["imports"], imports, strict=True), 1):
            if row is None:  # the packages that other imports are in are left out
                assert entry.class_name == "Package"
            else:
                assert plain(row["path"]) == plain(legacy.paths.path(-number))
        records = legacy.exports.records()
        for number, (row, record) in enumerate(zip(found["exports"], records, strict=True), 1):
            assert plain(row["path"], name) == plain(legacy.paths.path(number))
            assert (row["name"], row["size"]) == (record.object_name, record.serial_size)
            assert int(row["flags"], 16) == record.object_flags
            assert row["filter"] == "none"
            assert not record.not_for_client
            assert not record.not_for_server
            for word, index in (
                ("class", record.class_index),
                ("outer", record.outer_index),
                ("super", record.super_index),
                ("template", record.template_index),
            ):
                assert referred(row[word], name) == plain(legacy.paths.path(index)), (name, number, word)
            if package.form is not ZenForm.ENGINE_4:
                public = int(row["public_hash"], 16)
                assert public in (0, package_id(plain(row["path"], name).replace(".", "/")))
                assert bool(public) == bool(record.object_flags & 1)
        for row, record in zip(found.get("dependencies", ()), records, strict=package.form is not ZenForm.ENGINE_4):
            first, serialize_serialize, create_serialize, serialize_create, create_create = record.dependencies
            wanted = []
            for size in (serialize_serialize, create_serialize, serialize_create, create_create):
                wanted.append(set(legacy.preload_dependencies[first : first + size]))
                first += size
            order = list(row)[::-1]
            assert order == list(ExportDependencies._fields)[::-1]
            assert all(set(row[word]) <= each for word, each in zip(order, wanted, strict=True)), name
        count += 1
    assert count == 11


@pytest.mark.long
@pytest.mark.corpus("unreal")
def test_a_package_of_engine_4_names_its_imports_itself(corpus: Path) -> None:
    path = corpus / "unreal/data/retoc/UE4.27/TestModUI"
    package = parse_zen_package(path.with_suffix(".uzenasset").read_bytes())
    legacy = Package(path.with_suffix(".uasset").read_bytes(), parse_version("4.27"))
    found = paths_from_names(package)
    for number, index in enumerate(package.imports, 1):
        if index in found:
            assert found[index] == legacy.paths.path(-number)
    some = set(list(found)[:100])
    assert not some & set(paths_from_names(package, None, some)) - {index for index in some if index >> 62 == 1}
    assert len(found) == 220


def saved(path: Path, form: ZenForm) -> bytes:
    data = zen_package(form, "/Game/A", [("A", b"first"), ("B", b"second")], [5, (1 << 64) - 1], ["/Game/B"])
    path.write_bytes(data)
    return data


@pytest.mark.parametrize("form", list(ZenForm))
def test_info_of_an_extracted_file(form: ZenForm, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "A.uasset"
    data = saved(path, form)
    assert main(["unreal", "info", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "zen package"
    assert found["summary"]["name"] == "/Game/A"
    assert found["size"] == len(data)
    assert [(row["path"], row["size"]) for row in found["exports"]] == [("/Game/A.A", 5), ("/Game/A.B", 6)]
    assert [data[row["offset"] : row["offset"] + row["size"]] for row in found["exports"]] == [b"first", b"second"]
    assert found["imports"][0] == {"path": None, "kind": "export", "index": "0000000000000005"}
    assert found["imports"][1] is None
    if form is ZenForm.ENGINE_4:
        assert [row["id"] for row in found["dependency_packages"]] == [f"{package_id('/Game/B'):016x}"]
        assert all(
            set(arc) == {"from_bundle", "to_bundle"} for row in found["dependency_packages"] for arc in row["arcs"]
        )
    assert main(["unreal", "info", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "zen package, engine" in shown
    assert "none -" not in shown
    path.write_bytes(data[:-3])
    assert main(["unreal", "info", str(path)]) == 1
    last = "exports[0]: 5 bytes" if form < ZenForm.DEPENDENCY_BUNDLES else "exports[1]: 6 bytes"
    assert f"damaged: {last}" in capsys.readouterr().out


def test_info_of_a_package_in_a_container(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "Paks", "game", build())
    names, rows = script_rows(["/Script/Engine", "/Script/Engine.Actor"])
    chunk = Written(bytes(11) + b"\5", name_batch(names) + rows)
    save(tmp_path / "Paks", "global", write_container(8, [chunk], indexed=False))
    for where in (path, str(tmp_path / "Paks")):
        for name in ("/Game/Maps/Arena", "Maps/Arena", f"{package_id('/Game/Maps/Arena'):016x}"):
            assert main(["unreal", "info", name, "--in", where, "--json"]) == 0
            found = json.loads(capsys.readouterr().out)
            assert found["summary"]["name"] == "/Game/Maps/Arena"
            assert found["imported_packages"] == ["/Game/Meshes/Rock"]
            assert found["container"] == path
    assert main(["unreal", "info", "Maps/Area", "--in", path]) == 1
    assert "did you mean /Game/Maps/Arena" in capsys.readouterr().err
    assert main(["unreal", "info", "Arena", "--in", path, "--properties"]) == 2


def test_dependencies_on_what_is_not_there_are_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(zen_package(ZenForm.DEPENDENCY_BUNDLES, "/Game/A", [("A", b"first")], [5], []))
    package = parse_zen_package(bytes(data))
    tables = package.tables
    assert tables.dependency_entries - tables.dependencies == 20
    struct.pack_into("<i4I", data, tables.dependencies, 0, 1 << 31, 0, 0, 0)
    with pytest.raises(FormatError, match="entries from 0 on"):
        read_dependencies(bytes(data), package)
    path = tmp_path / "A.uasset"
    path.write_bytes(data)
    assert main(["unreal", "info", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["damage"]


@pytest.mark.parametrize("version", [3, 5, 8])
def test_the_packages_of_a_build_name_what_others_import(version: int, tmp_path: Path) -> None:
    form = {3: ZenForm.ENGINE_4, 5: ZenForm.GRAPH_DATA, 8: ZenForm.DEPENDENCY_BUNDLES}[version]
    other = zen_package(form, "/Game/Other", [("Odd", b"data")], [], [])
    # engine 4 imports by the hash of the path, later ones by package and public hash (the writer's only one is 0xFEED)
    index = 2 << 62 | (object_path_hash("/Game/Other.Odd") if version == 3 else 0)
    public = index if version == 3 else 0xFEED
    assert other.count(package_id("Odd").to_bytes(8, "little")) == 1
    other = other.replace(package_id("Odd").to_bytes(8, "little"), public.to_bytes(8, "little"))
    user = zen_package(form, "/Game/User", [("User", b"data")], [index], ["/Game/Other"])
    packages = {"/Game/Other": other, "/Game/User": user}
    chunks = [
        Written(chunk_id(package_id(name), "ExportBundleData", version), data, f"{name[6:]}.uasset")
        for name, data in packages.items()
    ]
    header = container_header(
        {3: -1, 5: 2, 8: 4}[version], [StoredPackage("/Game/Other", []), StoredPackage("/Game/User", ["/Game/Other"])]
    )
    chunks.append(Written(chunk_id(0x1234, "ContainerHeader", version), header))
    names, rows = script_rows(["/Script/Engine", "/Script/Engine.Actor"])
    # what the writer of packages gives every export as its class
    rows = rows.replace(
        (1 << 62 | object_path_hash("/Script/Engine.Actor")).to_bytes(8, "little"), (1 << 62).to_bytes(8, "little")
    )
    found = Build()
    with open_container(save(tmp_path, "game", write_container(version, chunks))) as container:
        found.add("game", container)
        found.scripts = parse_script_objects(name_batch(names) + rows)
        package = found.tables(package_id("/Game/User"))
        naming = found.naming(package)
        assert naming.name(index) == "/Game/Other.Odd"
        assert found.classes(package, naming) == {index: "/Script/Engine.Actor"}
        assert main_class(package, naming) == "Actor"
    assert not found.unread


@pytest.mark.parametrize(("count", "name"), [(101, "a"), (5, "a" * 1000)])
@pytest.mark.parametrize("circle", [True, False])
def test_paths_are_in_proportion(count: int, name: str, *, circle: bool) -> None:
    outers = [*range(1, count), 0 if circle else 3 << 62]
    exports = tuple(Export(name, 0, 0, outer, 0, 0, 0, 0, 0, 0) for outer in outers)
    package = parse_zen_package(zen_package(2, "/Game/A", [], [], []))._replace(exports=exports)
    assert circle or package.export_path(1).count(name) >= count - 1
    with pytest.raises(FormatError, match="in more than 100 others, or has a path of over 4096"):
        package.export_path(0)


def test_paths_of_script_objects_are_in_proportion() -> None:
    objects = ScriptObjects({number: ScriptObject("a" * 1000, number + 1, 0) for number in range(5)})
    assert len(objects.path(1) or "") > 4000
    with pytest.raises(FormatError, match="a path of over 4096"):
        objects.path(0)


def test_the_names_of_imports_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = f"/Game/{'n' * 1000}"
    package = parse_zen_package(zen_package(2, "/Game/A", [("X", b"abc")], [2 << 62] * 100_000, [imported]))
    hashed = []

    def counted(name: str) -> int:
        hashed.append(name)
        return package_id(name)

    monkeypatch.setattr(import_names, "package_id", counted)
    naming = Naming(package)
    assert {naming.name(index) for index in package.imports} == {f"{imported}.{0xFEED:016x}"}
    assert len(hashed) == 4


def test_the_names_of_imports_are_in_proportion() -> None:
    package = parse_zen_package(zen_package(2, "/Game/A", [("X", b"abc")], [2 << 62], [f"/Game/{'n' * 1000}"]))
    naming = Naming(package._replace(imported_hashes=tuple(range(2000))))
    with pytest.raises(FormatError, match="imports: the names of objects expand to far more than the package"):
        list(map(naming.name, range(2 << 62, (2 << 62) + 2000)))


def test_the_names_of_imports_of_engine_4_are_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    exports = [(f"{'/Script/' if number % 2 else ''}{number:0900}", b"") for number in range(400)]
    package = parse_zen_package(zen_package(0, "/Game/A", exports, [2 << 62 | 5], []))
    tried = []

    def counted(path: str) -> int:
        tried.append(len(path))
        return 0

    monkeypatch.setattr(import_names, "object_path_hash", counted)
    assert paths_from_names(package) == {}
    assert 3_900_000 < sum(tried) < 4_100_000
