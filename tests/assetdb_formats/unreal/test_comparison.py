"""Comparison of tables: rows that went, came or have another value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.comparison import (
    Changes,
    compare_containers,
    compare_databases,
    compare_package_files,
    compare_packages,
    compare_tables,
)
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.scanning.scan import scan
from tests.assetdb_formats.unreal.containers.making import build, save
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.package_writer import MAP, full
from tests.assetdb_formats.unreal.scanning.test_database import package

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.unreal.problems import Problem
    from assetdb_formats.unreal.scanning.database import AssetDatabase


def test_rows_that_went_came_or_changed_are_sorted_by_table() -> None:
    old = {"names": {"b": None, "a": None, "c": None}, "exports": {"x": 1, "y": 2}, "imports": {"same": "A"}}
    new = {"names": {"c": None, "e": None, "d": None}, "exports": {"y": 3, "x": 4}, "imports": {"same": "A"}}
    assert compare_tables(old, new) == {
        "names": Changes(("a", "b"), ("d", "e")),
        "exports": Changes((), (), ("x: 1 -> 4", "y: 2 -> 3")),
    }
    assert compare_tables(old, old) == {}


@pytest.mark.parametrize(("length", "shown"), [(80, "a" * 80), (81, "(81 characters)")])
def test_long_values_differ_by_their_content_and_are_shown_by_their_length(length: int, shown: str) -> None:
    found = compare_tables({"tags": {"key": "a" * length}}, {"tags": {"key": "b" * length}})
    assert found == {"tags": Changes((), (), (f"key: {shown} -> {shown.replace('a' * 80, 'b' * 80)}",))}


def test_packages_differ_by_what_is_in_their_tables(tmp_path: Path) -> None:
    old, new = full(-8, 522, 1009), full(-8, 522, 1009, package_name="/Game/New", flags=MAP)
    new.exports[0] = (-2, 0, "Thing", new.exports[0][3] + b"more", True)
    new.soft_packages = ["/Game/Soft/Other"]
    new.assets = [("Thing", "/Script/Engine.Blueprint", {"Key": "Other", "Wide": "語"})]
    size = len(old.exports[0][3])
    found = compare_packages(Package(old.data()), Package(new.data()))
    names = found.pop("names")
    assert "/Game/Soft/Other" in names.added
    assert found == {
        "summary": Changes(changed=("flags: 0x00000000 -> 0x00020000", "package name: None -> /Game/New")),
        "exports": Changes(changed=(f"Thing: Blueprint, {size} bytes -> Blueprint, {size + 4} bytes",)),
        "soft references": Changes(("/Game/Soft/Target",), ("/Game/Soft/Other",)),
        "tags": Changes(changed=("Thing Key: Välue -> Other",)),
    }
    first, second = tmp_path / "A.uasset", tmp_path / "B.uasset"
    first.write_bytes(old.data())
    second.write_bytes(new.data())
    assert compare_package_files(str(first), str(second)) == {"names": names, **found}
    assert compare_package_files(str(first), str(first)) == {}
    second.write_bytes(old.data()[:100])
    with pytest.raises(FormatError) as caught:
        compare_package_files(str(first), str(second))
    assert caught.value.path == str(second)


def test_projects_differ_by_classes_and_dependencies(tmp_path: Path) -> None:
    def database(name: str, **files: bytes) -> AssetDatabase:
        for file, data in files.items():
            path = tmp_path / name / "Content" / f"{file}.uasset"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return scan(str(tmp_path / name)).database

    old = database("old", A=package(("/Game/B",)), B=package(class_name="Texture2D"), C=package())
    new = database("new", A=package((), ("/Game/B",)), B=package(class_name="StaticMesh"), D=package())
    found = compare_databases(old, new)
    assert "/Game/B: Texture2D -> StaticMesh" in found["packages"].changed
    assert (found["packages"].removed, found["packages"].added) == (("/Game/C",), ("/Game/D",))
    (changed,) = (each for each in found["dependencies"].changed if each.startswith("/Game/A -> /Game/B"))
    assert "hard" in changed.partition(": ")[2].partition(" -> ")[0]
    assert "soft" in changed.partition(": ")[2].partition(" -> ")[2]
    assert compare_databases(old, old) == {}


def test_containers_differ_by_content_and_not_by_how_it_is_stored(tmp_path: Path) -> None:
    first = save(tmp_path / "one", "game", build())
    same = save(tmp_path / "two", "named-otherwise", build())
    other = save(tmp_path / "three", "game", build(rock=b"other data"))
    problems: list[Problem] = []
    seen: list[tuple[int, int]] = []
    rock = "../../../Game/Content/Meshes/Rock.uasset"
    assert compare_containers([first], [same], None, problems) == Changes()
    assert compare_containers([first], [other], None, problems, lambda *counts: seen.append(counts)) == Changes(
        changed=(rock,)
    )
    assert seen == [(0, 2), (1, 2)]
    only = compare_containers([first], [], None, problems)
    assert len(only.removed) == 3
    assert rock in only.removed
    assert compare_containers([], [first], None, problems).added == only.removed
    assert problems == []


def test_a_container_that_came_changes_none_that_was_there(tmp_path: Path) -> None:
    """The header of the one that both sides have was removed and added."""
    first = save(tmp_path, "game", build())
    second = save(tmp_path, "dlc", build())
    problems: list[Problem] = []
    header = next(name for name in compare_containers([first], [], None, problems).removed if "Header" in name)
    assert compare_containers([first], [first, second], None, problems) == Changes(added=(header,))
    assert compare_containers([first, second], [first], None, problems) == Changes(removed=(header,))


def test_files_of_paks_differ_by_content_and_a_later_one_counts(tmp_path: Path) -> None:
    def pak(name: str, files: dict[str, bytes], method: str = "None") -> str:
        (tmp_path / name).write_bytes(write_pak(11, list(files.items()), method=method))
        return str(tmp_path / name)

    stored = pak("stored.pak", {"a": b"text " * 99, "b": b"b"})
    packed = pak("packed.pak", {"a": b"text " * 99, "b": b"b"}, "Zlib")
    patch = pak("patch.pak", {"b": b"B", "c": b"c"})
    problems: list[Problem] = []
    assert compare_containers([stored], [packed], None, problems) == Changes()
    assert compare_containers([stored], [stored, patch], None, problems) == Changes(
        (), ("../../../c",), ("../../../b",)
    )
    (tmp_path / "bad.pak").write_bytes(b"bad" * 99)
    assert compare_containers([stored], [packed, str(tmp_path / "bad.pak")], None, problems) == Changes()
    assert [problem.path for problem in problems] == [str(tmp_path / "bad.pak")]


def test_a_file_that_a_patch_deletes_is_gone(tmp_path: Path) -> None:
    """It was said to have changed."""
    base, patch = tmp_path / "game.pak", tmp_path / "game_0_P.pak"
    base.write_bytes(write_pak(8, [("a", b"a"), ("b", b"b")]))
    patch.write_bytes(write_pak(8, [("a", b"")], deleted={"a"}))
    problems: list[Problem] = []
    found = compare_containers([str(base)], [str(base), str(patch)], None, problems)
    assert (found, problems) == (Changes(removed=("../../../a",)), [])
