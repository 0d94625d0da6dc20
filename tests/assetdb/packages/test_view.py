"""A view of the packages outside of a project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.packages.location import Location
from assetdb.packages.view import PackageView
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.files import INDEX_NAME, PACKAGES_FOLDER
from assetdb.store.indexes.supplement import Unread
from tests.assetdb.packages.packages_project import LFS, cached, depend, make_root, put
from tests.assetdb.unity_project import guid, write, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_root(tmp_path / "P")
    folder = cached(made)
    put(folder, "Runtime/a.asset", 12, 1)
    write(folder, "Runtime/p.prefab", 13, LFS, "PrefabImporter:\n")
    write_meta(folder, "Runtime", 14, "folderAsset: yes\nDefaultImporter:\n")
    put(made, "Assets/own.asset", 1)
    depend(made, com_acme_tools="1.0.0", com_acme_absent="1.0.0")
    opened = open_project(str(made))
    opened.refresh()
    opened.close()
    return made


@pytest.fixture
def view(root: Path) -> Iterator[PackageView]:
    found = PackageView(str(root / "Library/assetdb"))
    yield found
    found.close()


def test_assets_and_folders_of_packages_are_located(root: Path, view: PackageView) -> None:
    file = str(root / "Library/PackageCache/com.acme.tools@1.0.0/Runtime")
    path = "Packages/com.acme.tools/Runtime"
    assert view.locate(guid(12)) == Location(
        f"{path}/a.asset", os.path.join(file, "a.asset"), 114, "", folder=False, package="com.acme.tools"
    )
    assert view.locate(guid(14)) == Location(path, file, folder=True, package="com.acme.tools")
    assert view.locate(guid(1)) is view.locate(guid(99)) is None
    asset = view.by_guid(guid(12))
    assert asset is not None
    assert asset.path == f"{path}/a.asset"
    assert view.by_guid(guid(14)) is None
    assert [each.path for each in view.containing(b"a.asset")] == [f"{path}/a.asset"]
    assert [each.path for each in view.candidates("a.asset")] == [f"{path}/a.asset"]


def test_references_and_unread_files_are_known(view: PackageView) -> None:
    assert view.graph is not None
    node = view.graph.node(int(guid(12), 16))
    assert node is not None
    assert view.graph.guids(view.graph.outgoing(node)) == [guid(1)]
    assert view.unread == (Unread("Packages/com.acme.tools/Runtime/p.prefab", "lfs-pointer"),)


@pytest.mark.parametrize(
    ("path", "name", "below"),
    [
        ("Packages/com.acme.tools/Runtime/a.asset", "com.acme.tools", "Runtime/a.asset"),
        ("Packages/com.acme.tools", "com.acme.tools", ""),
        ("Packages/com.acme.tools/../x", "com.acme.tools", None),
        ("Packages/com.acme.absent/x", "com.acme.absent", None),
        ("Packages/com.acme.none/x", None, None),
        ("Packages", None, None),
        ("Assets/com.acme.tools/x", None, None),
    ],
)
def test_a_path_is_in_a_package(root: Path, view: PackageView, path: str, name: str | None, below: str | None) -> None:
    row = view.row_of(path)
    assert (row.name if row is not None else None) == name
    folder = str(root / "Library/PackageCache/com.acme.tools@1.0.0")
    assert view.file_of(path) == ("" if below is None else os.path.join(folder, *below.split("/")).rstrip(os.sep))


def test_without_packages_nothing_is_found(tmp_path: Path) -> None:
    view = PackageView(str(tmp_path))
    assert (view.database, view.graph, view.unread, view.by_guid(guid(12)), view.locate(guid(12))) == (
        *(None, None, (), None, None),
    )
    assert list(view.containing(b"a")) == list(view.candidates("a")) == []
    view.close()


def test_an_index_that_is_damaged_is_rebuilt(root: Path) -> None:
    folder = root / "Library/assetdb"
    (folder / PACKAGES_FOLDER / INDEX_NAME).write_bytes(b"damaged")
    view = PackageView(str(folder))
    assert view.by_guid(guid(12)) is not None
    view.close()
