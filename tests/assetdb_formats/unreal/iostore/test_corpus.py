"""Real containers of versions 5, 6, 8 and 10 against tables made by an independent reader."""

from __future__ import annotations

import hashlib
import json
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest
from blake3 import blake3

from assetdb_formats.codecs.city_hash import object_path_hash, package_id
from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.iostore.container import OpenContainer, open_container
from assetdb_formats.unreal.iostore.container_header import parse_container_header
from assetdb_formats.unreal.iostore.package_graph import package_names
from assetdb_formats.unreal.iostore.toc import Encryption
from assetdb_formats.unreal.zen import object_index
from assetdb_formats.unreal.zen.import_names import Naming, legacy_import_hashes, public_exports
from assetdb_formats.unreal.zen.package import ZenForm, parse_zen_package
from assetdb_formats.unreal.zen.script_objects import parse_loader_globals, parse_script_objects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.corpus("unreal")

KEY = b"CUE4ParseFixtureAESKey0123456789"
NO_OODLE = find_spec("ooz") is None
OODLE = pytest.mark.skipif(NO_OODLE, reason="the oodle extra (pyooz) is not installed")


def tables(corpus: Path) -> Iterator[dict[str, Any]]:
    with open(corpus / "unreal" / "iostore.jsonl", encoding="utf-8") as file:
        yield from map(json.loads, file)


def opened(corpus: Path, name: str, oodle: OodleProcess | None = None) -> OpenContainer:
    return open_container(str(corpus / "unreal" / "data" / name), key=KEY, oodle=oodle)


def hexadecimal(numbers: object) -> list[str]:
    assert isinstance(numbers, (tuple, list))
    return [f"{number:016x}" for number in numbers]


def test_39_of_39_tables_of_contents(corpus: Path) -> None:
    count = 0
    for wanted in tables(corpus):
        with opened(corpus, wanted["file"]) as container:
            toc = container.toc
            header = toc.header
            assert (header.version, int(header.flags)) == (wanted["version"], wanted["flags"])
            assert f"{header.container_id:016x}" == wanted["container_id"]
            assert (header.partition_count, header.compression_block_size) == (wanted["partitions"], wanted["block"])
            assert list(toc.methods) == wanted["methods"]
            index = container.directory_index()
            assert (index.mount_point if index else "") == wanted["mount"]
            paths = container.paths()
            assert len(toc) == len(wanted["chunks"])
            for number, row in enumerate(wanted["chunks"]):
                chunk = toc.chunk(number)
                assert (chunk.id.hex(), chunk.type, chunk.offset, chunk.length) == (
                    row["id"],
                    row["type"],
                    row["offset"],
                    row["length"],
                )
                assert (chunk.hash.hex(), chunk.flags, paths[number]) == (
                    row["meta_hash"],
                    row["meta_flags"],
                    row["path"],
                )
                assert toc.find(chunk.id) == number
        count += 1
    assert count == 39


def extracted(corpus: Path, *, oodle: bool) -> int:
    """Compare every chunk of the containers with (or without) Oodle data; return how many there were."""
    count = 0
    with OodleProcess() as process:
        for wanted in tables(corpus):
            if not any("sha1" in row for row in wanted["chunks"]):
                continue
            with opened(corpus, wanted["file"], process) as container:
                if ("Oodle" in container.toc.methods) != oodle:
                    continue
                data = [container.read_chunk(number) for number in range(len(container.toc))]
                hashes = [blake3(each).digest()[:20] for each in data]
                for number, row in enumerate(wanted["chunks"]):
                    assert hashlib.sha1(data[number], usedforsecurity=False).hexdigest() == row["sha1"]
                    assert hashes[number] == container.toc.chunk_hash(number)[:20]
                count += len(data)
    return count


def test_chunks_without_oodle_equal_their_hashes(corpus: Path) -> None:
    assert extracted(corpus, oodle=False) == 914


@OODLE
def test_chunks_with_oodle_equal_their_hashes(corpus: Path) -> None:
    assert extracted(corpus, oodle=True) == 2264 - 914


def test_storage_variants_hold_the_same_chunks(corpus: Path) -> None:
    builds: dict[str, list[OpenContainer]] = {}
    for wanted in tables(corpus):
        parts = wanted["file"].split("/")
        if len(parts) == 6 and parts[2] == "IoStore":
            builds.setdefault("/".join(parts[:4]), []).append(opened(corpus, wanted["file"]))
    assert len(builds) == 4
    for variants in builds.values():
        assert len(variants) == 5
        assert {variant.toc.header.encryption for variant in variants} > {Encryption.NONE}
        assert {variant.toc.header.partition_count for variant in variants} > {1}
        contents = []
        for variant in variants:
            toc = variant.toc
            kept = [number for number in range(len(toc)) if toc.chunk_type(number) != "ContainerHeader"]
            assert len(kept) == 111
            if "Oodle" in toc.methods and NO_OODLE:
                contents.append({toc.chunk_id(number): toc.chunk_hash(number) for number in kept})
            else:
                data = [blake3(variant.read_chunk(number)).digest() for number in kept]
                contents.append({toc.chunk_id(each): digest[:20] for each, digest in zip(kept, data, strict=True)})
            variant.close()
        assert all(content == contents[0] for content in contents)


def zen_packages(corpus: Path) -> Iterator[tuple[OpenContainer, int, dict[str, Any]]]:
    with OodleProcess() as process:
        for wanted in tables(corpus):
            if not any("zen" in row for row in wanted["chunks"]):
                continue
            with opened(corpus, wanted["file"], process) as container:
                if "Oodle" in container.toc.methods and NO_OODLE:
                    continue
                for number, row in enumerate(wanted["chunks"]):
                    if "zen" in row:
                        yield container, number, row["zen"]


def test_zen_packages_equal_the_tables(corpus: Path) -> None:
    count = public = 0
    for container, number, wanted in zen_packages(corpus):
        data = container.read_chunk(number)
        package = parse_zen_package(data)
        count += 1
        assert package.name == wanted["name"]
        assert package.header_size == wanted["header"]
        assert package.names.names == wanted["names"]
        assert package.names.wrong_hashes() == []
        assert hexadecimal(package.imports) == wanted["imports"]
        assert list(package.imported_names) == (wanted["imported"] or [])
        assert [
            [
                each.name,
                each.size,
                each.offset,
                *hexadecimal([each.outer, each.class_, each.super_, each.template, each.public_hash]),
            ]
            for each in package.exports
        ] == wanted["exports"]
        assert package_id(package.name) == int.from_bytes(container.toc.chunk_id(number)[:8], "little")
        end = max(start + size for start, size in package.export_spans())
        assert len(data) - end == (0 if package.form is ZenForm.GRAPH_DATA else 4)  # from 5.3 on, the package tag
        for place, export in enumerate(package.exports):
            if export.public_hash:
                public += 1
                assert package_id(package.export_path(place).replace(".", "/")) == export.public_hash
    assert count == (782 if NO_OODLE else 1949)
    assert public > 1800


def test_container_headers_equal_the_tables_and_need_no_decompressor(corpus: Path) -> None:
    headers = 0
    for wanted in tables(corpus):
        for number, row in enumerate(wanted["chunks"]):
            if "container_header" not in row:
                continue
            with open_container(
                str(corpus / "unreal" / "data" / wanted["file"]), key=KEY, oodle=NoOodle()
            ) as container:
                header = parse_container_header(container.read_chunk(number))
            assert header.version == row["container_header"]["version"]
            assert {f"{each:016x}": hexadecimal(entry.imports) for each, entry in header.packages.items()} == (
                row["container_header"]["packages"]
            )
            headers += 1
    assert headers == 25


class NoOodle:
    def decompress(self, data: bytes, size: int) -> bytes:
        raise AssertionError((len(data), size))


def test_imported_package_names_are_those_of_the_store_entries(corpus: Path) -> None:
    count = 0
    stores: dict[str, Any] = {}
    for container, number, _ in zen_packages(corpus):
        if container.path not in stores:
            (place,) = container.toc.of_type("ContainerHeader")
            stores[container.path] = parse_container_header(container.read_chunk(place)).packages
        package = parse_zen_package(container.read_chunk(number))
        if package.form >= ZenForm.DEPENDENCY_BUNDLES:
            imports = stores[container.path][package_id(package.name)].imports
            assert [package_id(name) for name in package.imported_names] == list(imports), package.name
            count += 1
    assert count == (782 if NO_OODLE else 1946)


def test_every_package_is_named_without_reading_its_data(corpus: Path) -> None:
    named = packages = 0
    for wanted in tables(corpus):
        with open_container(str(corpus / "unreal" / "data" / wanted["file"]), key=KEY, oodle=NoOodle()) as container:
            names = package_names(container)
            for row in wanted["chunks"]:
                if "zen" in row:
                    assert names[int.from_bytes(bytes.fromhex(row["id"])[:8], "little")] == row["zen"]["name"]
            named += len(names)
            packages += len(container.toc.of_type("ExportBundleData"))
    assert (named, packages) == (7482, 7482)


def test_zen_packages_equal_the_legacy_packages_they_were_made_from(corpus: Path) -> None:
    root = corpus / "unreal" / "data"
    legacy = {}
    with open(corpus / "unreal" / "package_tables.jsonl", encoding="utf-8") as file:
        for line in file:
            if "retoc/" in line[:40]:
                row = json.loads(line)
                legacy[row["file"]] = row
    pairs = 0
    for path in sorted((root / "retoc").rglob("*.uzenasset")):
        data = path.read_bytes()
        package = parse_zen_package(data)
        wanted = legacy[path.with_suffix(".uasset").relative_to(root).as_posix()]
        rows = wanted["exports"]
        assert [(each.name, each.size) for each in package.exports] == [(row["name"], row["size"]) for row in rows]
        assert len(package.imports) == len(wanted["imports"])
        exports = path.with_suffix(".uexp").read_bytes()
        for (start, size), row in zip(package.export_spans(), rows, strict=True):
            at = row["offset"] - wanted["header_size"]
            assert data[start : start + size] == exports[at : at + row["size"]]
        pairs += 1
    assert pairs == 11


@pytest.mark.long
def test_script_objects_have_the_hash_of_their_path(corpus: Path) -> None:
    root = corpus / "unreal" / "data"
    every = []
    for path in sorted(root.rglob("global.ucas")):
        with open_container(os.path.splitext(path)[0] + ".utoc") as container:
            (place,) = container.toc.of_type("ScriptObjects")
            every.append(parse_script_objects(container.read_chunk(place)))
    every.append(parse_script_objects((root / "retoc/UE5.3/ScriptObjects.bin").read_bytes()))
    files = ("LoaderInitialLoadMeta_1", "LoaderGlobalNames_1", "LoaderGlobalNameHashes_1")
    every.append(parse_loader_globals(*((root / "retoc" / "UE4.27" / f"{name}.bin").read_bytes() for name in files)))
    assert len(every) == 10
    for objects in every:
        assert len(objects) > 20000
        for index in list(objects.objects)[::7]:
            named = objects.path(index)
            assert named is not None
            assert object_index.script_index(object_path_hash(named)) == index


def test_container_headers_of_engine_4_and_5_0(corpus: Path) -> None:
    root = corpus / "unreal" / "data" / "retoc"
    for name, version, packages, localized in (
        ("issues/issue7/header.bin", -1, 40307, 22),
        ("issues/issue18/header.bin", -1, 182, 0),
        ("UE5.0/ContainerHeader_1.bin", 1, 22559, 0),
        ("UE5.3/ContainerHeader_1.bin", 3, 3786, 0),
    ):
        header = parse_container_header((root / name).read_bytes())
        assert (header.version, len(header.packages), len(header.localized)) == (version, packages, localized)
        imports = [each for entry in header.packages.values() for each in entry.imports]
        assert sum(each in header.packages for each in imports) > 0.7 * len(imports)


def test_every_import_and_class_is_named(corpus: Path) -> None:
    builds = imports = classes = 0
    for build in ("UE5_8", "UE6_0"):
        for form in ("Tagged", "Unversioned"):
            folder = f"CUE4Parse/{build}/IoStore/{form}"
            with opened(corpus, f"{folder}/global.utoc") as container:
                scripts = parse_script_objects(container.read_chunk(0))
            name = f"{folder}/Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc"
            with opened(corpus, name) as container:
                indices = container.toc.of_type("ExportBundleData")
                packages = [parse_zen_package(container.read_chunk(index)) for index in indices]
            exports: dict[tuple[int, int], str] = {}
            for package in packages:
                exports.update(public_exports(package))
            builds += 1
            for package in packages:
                naming = Naming(package, scripts, exports)
                for index in package.imports:
                    named = naming.name(index)
                    assert named is not None
                    assert (named == "") == (object_index.kind(index) == object_index.NONE)
                    if object_index.kind(index) == object_index.SCRIPT:
                        assert object_index.script_index(object_path_hash(named)) == index
                    imports += 1
                for export in package.exports:
                    assert naming.name(export.class_)
                    classes += 1
    assert (builds, imports, classes) == (4, 2888, 1808)


def test_main_objects_are_named_without_their_package(corpus: Path) -> None:
    named = 0
    for container, number, _ in zen_packages(corpus):
        package = parse_zen_package(container.read_chunk(number))
        if package.form < ZenForm.DEPENDENCY_BUNDLES:
            continue
        naming = Naming(package)
        for index in package.imports:
            if object_index.kind(index) == object_index.PACKAGE:
                name = naming.name(index)
                assert name is not None
                named += name.rpartition("/")[2].count(".") == 1
    assert named > 200


def test_engine_4_stores_the_hash_of_the_path_of_each_public_export(corpus: Path) -> None:
    path = corpus / "unreal" / "data" / "retoc" / "UE4.27" / "TestModUI.uzenasset"
    package = parse_zen_package(path.read_bytes())
    own = legacy_import_hashes(package)
    stored = [export.public_hash for export in package.exports if export.public_hash != object_index.NULL]
    assert stored
    assert all(index in own for index in stored)
