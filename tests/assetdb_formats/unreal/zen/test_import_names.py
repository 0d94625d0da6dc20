"""Names of imports: from script objects, from packages and hashes, and from a package's own names."""

from __future__ import annotations

import pytest

from assetdb_formats.codecs.city_hash import object_path_hash, package_id
from assetdb_formats.unreal.zen.import_names import (
    Naming,
    legacy_import_hashes,
    paths_from_names,
    public_exports,
)
from assetdb_formats.unreal.zen.name_batch import NameBatch
from assetdb_formats.unreal.zen.package import ZenForm, ZenPackage, parse_zen_package
from assetdb_formats.unreal.zen.script_objects import ScriptObject, ScriptObjects
from tests.assetdb_formats.unreal.iostore.writer import zen_package

NONE = (1 << 64) - 1
ENGINE = 1 << 62 | object_path_hash("/Script/Engine")
ACTOR = 1 << 62 | object_path_hash("/Script/Engine.Actor")
SCRIPTS = ScriptObjects(
    {ENGINE: ScriptObject("/Script/Engine", NONE, NONE), ACTOR: ScriptObject("Actor", ENGINE, NONE)}
)


def package_of(form: ZenForm, imports: list[int] | None = None, imported: list[str] | None = None) -> ZenPackage:
    return parse_zen_package(zen_package(form, "/Game/A", [("X", b"x"), ("Y", b"y")], imports or [], imported or []))


def in_package(package: int, hash_index: int) -> int:
    return 2 << 62 | package << 32 | hash_index


def test_an_index_of_each_kind_has_its_name() -> None:
    package = package_of(ZenForm.CELLS)
    assert Naming(package).name(NONE) == ""
    assert Naming(package, SCRIPTS).name(ACTOR) == "/Script/Engine.Actor"
    assert Naming(package).name(ACTOR) is None
    assert Naming(package, ScriptObjects({}), paths={ACTOR: "/Script/Known"}).name(ACTOR) == "/Script/Known"
    assert Naming(package).name(1) == "/Game/A.Y"
    assert Naming(package).name(2) is None


def test_an_import_is_a_package_and_a_hash() -> None:
    package = package_of(ZenForm.CELLS, imported=["/Game/B", "/Game/C"])._replace(
        imported_hashes=(7, package_id("C"), package_id("C_C"), package_id("Default__C_C"))
    )
    exports = {(package_id("/Game/B"), 7): "Mesh.Inner"}
    assert Naming(package, exports=exports).name(in_package(0, 0)) == "/Game/B.Mesh.Inner"
    assert Naming(package, exports=exports).name(in_package(1, 0)) == "/Game/C.0000000000000007"
    assert [Naming(package).name(in_package(1, number)) for number in (1, 2, 3)] == [
        "/Game/C.C",
        "/Game/C.C_C",
        "/Game/C.Default__C_C",
    ]
    assert Naming(package).name(in_package(2, 0)) is None
    assert Naming(package).name(in_package(0, 4)) is None
    assert Naming(package, imported=("/Game/Other",)).name(in_package(0, 0)) == "/Game/Other.0000000000000007"
    assert Naming(package, imported=("/Game/Other",)).name(in_package(1, 0)) is None


def test_names_of_imports_are_in_stored_order() -> None:
    package = package_of(ZenForm.CELLS, [ACTOR, NONE, 0])
    naming = Naming(package, SCRIPTS)
    assert list(map(naming.name, package.imports)) == ["/Script/Engine.Actor", "", "/Game/A.X"]


def test_an_export_without_a_hash_is_private() -> None:
    package = package_of(ZenForm.CELLS)
    identity = package_id("/Game/A")
    assert public_exports(package) == {(identity, package_id("X")): "X", (identity, package_id("Y")): "Y"}
    first, second = package.exports
    private = package._replace(exports=(first._replace(public_hash=0), second))
    assert public_exports(private) == {(identity, package_id("Y")): "Y"}


def test_engine_4_refers_to_objects_by_their_path() -> None:
    package = package_of(ZenForm.ENGINE_4)
    index = 2 << 62 | object_path_hash("/Game/A.Y")
    assert legacy_import_hashes(package) == {2 << 62 | object_path_hash("/Game/A.X"): "/Game/A.X", index: "/Game/A.Y"}
    assert Naming(package).name(index) is None
    assert Naming(package, paths={index: "/Game/A.Y"}).name(index) == "/Game/A.Y"


PATHS = [
    "/Script/Engine",
    "/Script/Engine.Actor",
    "/Script/Engine.Actor:Tick",
    "/Game/B.B",
    "/Game/B.B_C",
    "/Game/B.Default__B_C",
    "/Game/B.B_C:Part",
    "/Game/Odd.Other",
]


def index_of(path: str) -> int:
    return (1 if path.startswith("/Script/") else 2) << 62 | object_path_hash(path)


def naming(paths: list[str], *, waited: tuple[str, ...] = ("/Game/Odd",)) -> ZenPackage:
    names = ["/Script/Engine", "/Game/B", "/Game/Odd", "Actor", "Tick", "Part", "Other"]
    return package_of(ZenForm.ENGINE_4)._replace(
        imports=tuple(map(index_of, paths)), names=NameBatch(names), graph=tuple(map(package_id, waited))
    )


@pytest.mark.parametrize("path", PATHS)
def test_a_path_of_the_package_s_own_names_is_proved_by_its_hash(path: str) -> None:
    needed = {path, *(each for each in PATHS if path.startswith(f"{each}:"))}
    found = paths_from_names(naming(sorted(needed)))
    assert found == {index_of(each): each for each in needed}


def test_all_paths_are_found_at_once_and_no_others() -> None:
    unknown = "/Game/B.Nothing"
    assert paths_from_names(naming([*PATHS, unknown])) == {index_of(path): path for path in PATHS}
    assert paths_from_names(naming([])) == {}
    assert paths_from_names(naming(PATHS)._replace(form=ZenForm.CELLS)) == {}


def test_only_packages_that_are_waited_for_have_objects_of_any_name() -> None:
    assert paths_from_names(naming(["/Game/Odd.Other"], waited=())) == {}


def test_what_is_known_is_not_looked_for() -> None:
    known = {index_of("/Game/B.B")}
    found = set(paths_from_names(naming(PATHS), SCRIPTS, known).values())
    assert found == {
        "/Game/B.B_C",
        "/Game/B.Default__B_C",
        "/Game/B.B_C:Part",
        "/Game/Odd.Other",
    }
