"""Container headers of every version, zen packages of every form, script objects of both engines."""

from __future__ import annotations

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.codecs.city_hash import object_path_hash, package_id
from assetdb_formats.unreal.iostore.container_header import parse_container_header
from assetdb_formats.unreal.iostore.package_graph import PackageGraph, mount_order
from assetdb_formats.unreal.iostore.package_names import guess_package_names, package_name
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.zen.name_batch import read_batch
from assetdb_formats.unreal.zen.package import ZenForm, parse_zen_package
from assetdb_formats.unreal.zen.script_objects import parse_loader_globals, parse_script_objects
from tests.assetdb_formats.unreal.iostore.writer import (
    StoredPackage,
    container_header,
    name_batch,
    names_apart,
    script_rows,
    zen_package,
)

PACKAGES = [
    StoredPackage("/Game/A", ["/Game/B", "/Game/Old"], [b"s" * 20, b"t" * 20], ["/Game/Soft", "/Game/B"]),
    StoredPackage("/Game/B", []),
    StoredPackage("/Game/C", ["/Game/A"], [], ["/Game/Soft"]),
    StoredPackage("/Game/New", ["/Game/Missing"]),
]


@pytest.mark.parametrize(("version", "entry_size"), [(-1, 32), (-1, 16), *((each, 0) for each in range(6))])
def test_container_header(version: int, entry_size: int) -> None:
    data = container_header(
        version,
        PACKAGES,
        redirects=[("/Game/Old", "/Game/New")],
        localized=["/Game/B"] if version else [],
        entry_size=entry_size,
    )
    header = parse_container_header(data)
    assert header.version == version
    assert header.container_id == 0x1234
    assert list(header.packages) == [package_id(package.name) for package in PACKAGES]
    for package, entry in zip(PACKAGES, header.packages.values(), strict=True):
        assert list(entry.imports) == [package_id(name) for name in package.imports]
        assert list(entry.shader_maps) == list(package.shaders if version >= 0 else [])
        assert entry.export_count == (3 if version < 3 else None)
        assert entry.load_order is None or entry_size == 32
    (redirect,) = header.redirects
    assert (redirect.source, redirect.target) == (package_id("/Game/Old"), package_id("/Game/New"))
    assert redirect.source_name == ("/Game/Old" if version > 0 else "")
    if version:
        assert [localized.source for localized in header.localized] == [package_id("/Game/B")]
    soft = header.soft_references
    if version >= 4:
        assert soft[package_id("/Game/A")] == (package_id("/Game/Soft"), package_id("/Game/B"))
        assert package_id("/Game/B") not in soft
    else:
        assert soft == {}


@pytest.mark.parametrize("imports", [[], ["/Game/B", "/Game/Old"]])
def test_hashes_of_shader_maps_have_the_width_that_fills_the_entries(imports: list[str]) -> None:
    """Engine 5.8 writes 8 bytes instead of 20 under the version of 5.7."""
    for size, counts in ((20, (2, 1)), (8, (2, 1)), (8, (5, 0)), (20, (0, 0))):
        shaders = [[bytes([65 + number]) * size for number in range(count)] for count in counts]
        packages = [StoredPackage(f"/Game/{number}", imports, own) for number, own in enumerate(shaders)]
        found = parse_container_header(container_header(5, packages)).packages
        assert [list(entry.shader_maps) for entry in found.values()] == shaders
        assert [len(entry.imports) for entry in found.values()] == [len(imports)] * 2


def test_container_header_of_a_newer_version_is_named() -> None:
    data = bytearray(container_header(5, PACKAGES))
    data[4] = 6
    with pytest.raises(FormatError, match="version 6; versions 0 to 5 are known"):
        parse_container_header(bytes(data))


def test_views_that_share_bytes_are_refused() -> None:
    data = bytearray(container_header(3, [StoredPackage(f"/Game/{n}", ["/Game/X"]) for n in range(50)]))
    entries = 16 + 4 + 8 * 50 + 4
    for number in range(50):  # every package imports everything that lies behind the entries
        data[entries + 16 * number : entries + 16 * number + 8] = (50).to_bytes(4, "little") + (
            16 * (50 - number)
        ).to_bytes(4, "little")
    with pytest.raises(FormatError, match="into another's"):
        parse_container_header(bytes(data))


def graph() -> PackageGraph:
    built = PackageGraph()
    built.add_header(
        "one.utoc", parse_container_header(container_header(5, PACKAGES, redirects=[("/Game/Old", "/Game/New")]))
    )
    built.names.update({package_id(package.name): package.name for package in PACKAGES})
    return built


def test_graph_follows_redirects_and_says_what_is_missing() -> None:
    built = graph()
    a, new = package_id("/Game/A"), package_id("/Game/New")
    assert built.find("/game/a") == a
    assert built.find(f"{a:016x}") == a
    assert built.find("/Game/Nowhere") is None
    assert [built.name(each) for each in built.dependencies(a)] == ["/Game/B", "/Game/Old"]
    assert [built.name(each) for each in built.usages(a)] == ["/Game/C"]
    assert built.usages(new) == [a]  # through the redirect
    assert built.usages(package_id("/Game/Old")) == [a]
    assert built.missing() == {package_id("/Game/Missing"): [new]}
    assert package_id("/Game/Missing") in built.all_dependencies(package_id("/Game/C"))


def test_redirects_in_a_circle_end() -> None:
    built = graph()
    built.redirects = {1: 2, 2: 3, 3: 1}
    assert built.resolve(1) == 1


def test_dependencies_in_a_circle_end() -> None:
    packages = [StoredPackage("/Game/A", ["/Game/B"]), StoredPackage("/Game/B", ["/Game/A"])]
    built = PackageGraph()
    built.add_header("x", parse_container_header(container_header(3, packages)))
    assert built.all_dependencies(package_id("/Game/A")) == [package_id("/Game/B")]


def test_package_names_are_proved_by_their_hash() -> None:
    path = "../../../Project/Plugins/Water/Content/Meshes/Pond.uasset"
    assert package_name(path, package_id("/Water/Meshes/Pond")) == "/Water/Meshes/Pond"
    assert package_name(path, package_id("/Game/Meshes/Pond")) is None
    assert next(guess_package_names("../../../Project/Content/Maps/Arena.umap")) == "/Game/Maps/Arena"
    assert next(guess_package_names("../../../Engine/Content/Basic.uasset")) == "/Engine/Basic"
    assert list(guess_package_names("")) == []


def test_patches_are_mounted_over_what_they_patch() -> None:
    assert mount_order(["a_1_P.utoc", "z.utoc", "b_P.utoc", "a_0_P.utoc", "a.utoc", "a_10_P.utoc"]) == [
        "a.utoc",
        "z.utoc",
        "b_P.utoc",
        "a_0_P.utoc",
        "a_1_P.utoc",
        "a_10_P.utoc",
    ]


@pytest.mark.parametrize("form", list(ZenForm))
@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("bulk", [0, 2])
def test_zen_package(form: ZenForm, versioned: bool, bulk: int) -> None:  # noqa: FBT001 - a parameter of the test
    exports = [("Mesh", b"first"), ("Mesh", b"second one"), ("Größe", b"")]
    imported = ["/Game/B", "/Script/Wörld"]
    data = zen_package(form, "/Game/A", exports, [1 << 62 | 5, (1 << 64) - 1], imported, versioned=versioned, bulk=bulk)
    package = parse_zen_package(data)
    assert package.form is form
    assert package.name == "/Game/A"
    assert [(export.name, export.size) for export in package.exports] == [(name, len(text)) for name, text in exports]
    assert [data[start : start + size] for start, size in package.export_spans()] == [text for _, text in exports]
    assert package.imports == (1 << 62 | 5, (1 << 64) - 1)
    assert package.export_path(0) == "Mesh"
    assert package.names.wrong_hashes() == []
    if form is ZenForm.ENGINE_4:
        assert package.graph == tuple(map(package_id, imported))
        return
    assert len(package.bulk_data) == bulk
    assert (package.versioning is not None) == versioned
    assert package.imported_names == (tuple(imported) if form >= ZenForm.DEPENDENCY_BUNDLES else ())


def test_zen_package_with_bulk_data_of_5_2() -> None:
    data = zen_package(1, "/Game/A", [("X", b"data")], [], [], bulk=3, padded_bulk=False)
    assert len(parse_zen_package(data).bulk_data) == 3


def test_a_legacy_package_is_no_zen_package() -> None:
    with pytest.raises(FormatError, match="not a zen package"):
        parse_zen_package(bytes.fromhex("c1832a9e") + bytes(range(200)))


SCRIPT = [
    "/Script/Engine",
    "/Script/Engine.Actor",
    "/Script/Engine.Actor:Tick",
    "/Script/Engine.Default__Actor",
]


@pytest.mark.parametrize("engine", [4, 5])
def test_script_objects(engine: int) -> None:
    names, rows = script_rows(SCRIPT)
    if engine == 5:
        objects = parse_script_objects(name_batch(names) + rows)
    else:
        objects = parse_loader_globals(rows, *names_apart(names))
    assert [objects.path(1 << 62 | object_path_hash(path)) for path in SCRIPT] == SCRIPT
    assert objects.path(5) is None


def test_script_objects_in_a_circle_are_refused() -> None:
    names, rows = script_rows(SCRIPT)
    damaged = bytearray(rows)
    damaged[4 + 16 : 4 + 24] = (1 << 62 | object_path_hash(SCRIPT[2])).to_bytes(8, "little")  # the package's outer
    objects = parse_script_objects(name_batch(names) + bytes(damaged))
    with pytest.raises(FormatError, match="circle"):
        objects.path(1 << 62 | object_path_hash(SCRIPT[2]))


def test_name_batch_with_wide_names() -> None:
    batch = read_batch(Reader(name_batch(["plain", "Größe", "名前"])), "names")
    assert batch.names == ["plain", "Größe", "名前"]
    assert batch.wrong_hashes() == []
    assert batch.resolve(1, 3, "x", 0) == "Größe_2"
    with pytest.raises(FormatError, match="name 3 of 3"):
        batch.resolve(3, 0, "x", 0)
