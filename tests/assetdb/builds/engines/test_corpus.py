"""Real builds: containers of Unreal Engine 5.8 and 6.0, bundles of every format; the formats' own answers agree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.builds.engines.casset import read_casset
from assetdb.builds.engines.detection import engine_of
from assetdb.builds.engines.inventory import PACKAGE, Inventory
from assetdb.builds.engines.unreal import read_unreal
from assetdb_formats.unreal.containers.locations import containers_in
from assetdb_formats.unreal.containers.opening import each_container
from assetdb_formats.unreal.containers.packed import packed_packages, read_classes, read_graph
from assetdb_formats.unreal.containers.pak import OpenPak
from assetdb_formats.unreal.scanning.package_folder import scan_folder

if TYPE_CHECKING:
    from pathlib import Path

KEY = b"CUE4ParseFixtureAESKey0123456789"


def assert_whole(inventory: Inventory, folder: Path) -> None:
    """Every byte of the folder is in a file of the inventory or among the others, and has one owner."""
    disk = sum(item.disk for item in inventory.items) + sum(rest.disk for rest in inventory.rest)
    assert disk == inventory.disk
    there = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert inventory.disk + inventory.others[1] == there


@pytest.mark.long
@pytest.mark.corpus("unreal")
@pytest.mark.parametrize("engine", ["UE5_8", "UE6_0"])
@pytest.mark.parametrize("kind", ["IoStore/Tagged", "IoStore/Unversioned", "LegacyPak", "Pak", "Patch", "AndroidPak"])
def test_containers_hold_what_their_own_reader_says(corpus: Path, engine: str, kind: str) -> None:
    folder = corpus / "unreal/data/CUE4Parse" / engine / kind
    if not folder.is_dir():
        pytest.skip(f"the corpus has no {kind} of {engine}")
    paths = containers_in(str(folder))
    inventory = read_unreal([str(folder)], key=KEY)
    assert_whole(inventory, folder)
    decoded = 0
    for opened in each_container(paths, KEY, []):
        if isinstance(opened, OpenPak):
            decoded += sum(entry.size for entry in opened.entries if not entry.deleted)
        else:
            decoded += sum(opened.toc.lengths)
    assert inventory.decoded == decoded
    graph = read_graph(paths, KEY)
    read_classes(graph, paths, KEY)
    listed = {package.id: package for package in packed_packages(graph)}
    assert {item.identity for item in inventory.items if item.kind == PACKAGE} == set(listed)
    for item in inventory.items:
        if item.kind == PACKAGE:
            assert item.name == listed[item.identity].name or item.name == item.identity
            assert item.class_name == (listed[item.identity].class_name or "")


@pytest.mark.corpus("unreal")
def test_a_folder_of_loose_packages(corpus: Path) -> None:
    folder = corpus / "unreal/data/GASDocumentation"
    inventory = read_unreal([str(folder)])
    assert_whole(inventory, folder)
    database = scan_folder(str(folder)).database
    assert [(item.name, item.class_name) for item in inventory.items] == list(
        zip(database.columns.names[: len(database)], database.columns.classes, strict=True)
    )
    assert len(inventory.missing) == len(database.missing())


@pytest.mark.corpus("casset")
@pytest.mark.parametrize(
    ("folder", "files", "objects"),
    [("engine_written", 20, 48), ("engine_written/v3.1.0_dfee70e7", 8, 19), ("git_history_text_v0", 704, 704)],
)
def test_bundles_of_every_format(corpus: Path, folder: str, files: int, objects: int) -> None:
    place = corpus / "casset" / folder
    assert engine_of([os.fspath(place)]) == "CrystalEngine"
    inventory = read_casset([os.fspath(place)])
    assert (len(inventory.files), len(inventory.items), inventory.problems) == (files, objects, ())
    assert_whole(inventory, place)
