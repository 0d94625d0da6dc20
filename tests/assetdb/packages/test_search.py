"""Assets that are found by their metas alone: orphaned ones, and those of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import Diagnostic
from assetdb.packages.external import Bound
from assetdb.packages.location import Location
from assetdb.packages.search import (
    find_elsewhere,
    find_in_packages,
    find_orphan_metas,
    metas_of,
    orphan_metas,
    read_orphan_metas,
)
from assetdb.scan.reader import LARGEST_META
from assetdb.scan.walking.limits import Limits
from tests.assetdb.packages.packages_project import cached, depend, make_root, package, put
from tests.assetdb.unity_project import guid, write_meta

if TYPE_CHECKING:
    from pathlib import Path

TOLD = [("orphan-meta", "gone.mat"), ("missing-directory", "Gone"), ("bad-guid", "Deep/odd")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_root(tmp_path / "P")
    put(made, "Assets/here.asset", 1)
    write_meta(made, "Assets/gone.mat", 2, "NativeFormatImporter:\n")
    write_meta(made, "Assets/Gone", 3, "folderAsset: yes\nDefaultImporter:\n")
    write_meta(made, "Assets/Deep/odd", 4, "TextureImporter:\n")
    for hidden in ("Assets/.hidden/a.mat", "Assets/Samples~/a.mat", "Assets/.b.mat", "Assets/x.androidlib/a.mat"):
        write_meta(made, hidden, 5, "NativeFormatImporter:\n")
    (made / "Assets/plain.mat.meta").write_text("no guid")
    return made


def paths(found: dict[str, Location]) -> dict[str, str]:
    return {key: place.path for key, place in found.items()}


def test_metas_without_assets_are_found_unless_hidden(root: Path) -> None:
    found = find_orphan_metas(str(root))
    assert found == {
        guid(2): Location("Assets/gone.mat", str(root / "Assets/gone.mat"), 21, absent=True),
        guid(3): Location("Assets/Gone", str(root / "Assets/Gone"), folder=True),
        guid(4): Location("Assets/Deep/odd", str(root / "Assets/Deep/odd"), 28, absent=True),
    }
    everything = find_orphan_metas(str(root), everything=True)
    assert paths(everything) == {**paths(found), guid(1): "Assets/here.asset"}
    assert not everything[guid(1)].absent


def test_of_a_shared_guid_the_first_by_path_is_found(root: Path) -> None:
    write_meta(root, "Assets/Deep/again.mat", 2, "NativeFormatImporter:\n")
    assert find_orphan_metas(str(root))[guid(2)].path == "Assets/Deep/again.mat"
    assert read_orphan_metas(str(root), ["Assets/gone.mat.meta", "Assets/Deep/again.mat.meta"])[guid(2)].path == (
        "Assets/Deep/again.mat"
    )


def test_given_metas_alone_are_read(root: Path) -> None:
    assert paths(read_orphan_metas(str(root), ["Assets/gone.mat.meta", "Assets/none.mat.meta"])) == {
        guid(2): "Assets/gone.mat"
    }
    assert read_orphan_metas(str(root), []) == {}


@pytest.mark.parametrize(("more", "found"), [(0, True), (1, False)])
def test_a_meta_that_is_too_large_is_not_read(root: Path, more: int, found: bool) -> None:  # noqa: FBT001 - a row
    path = root / "Assets/gone.mat.meta"
    text = path.read_text()
    path.write_text(text + "#" * (LARGEST_META - len(text) + more))
    assert (guid(2) in find_orphan_metas(str(root))) is found


def test_assets_of_packages_are_found_with_their_package(root: Path) -> None:
    folder = cached(root)
    put(folder, "Runtime/a.asset", 12)
    write_meta(folder, "gone.mat", 13, "NativeFormatImporter:\n")
    depend(root, com_acme_tools="1.0.0", com_acme_absent="1.0.0")
    found, packages = find_in_packages(str(root))
    assert found == {
        guid(12): Location(
            "Packages/com.acme.tools/Runtime/a.asset", str(folder / "Runtime/a.asset"), package="com.acme.tools"
        ),
        guid(13): Location("Packages/com.acme.tools/gone.mat", str(folder / "gone.mat"), 21, package="com.acme.tools"),
    }
    assert packages.missing == "assets"
    depend(root, com_acme_tools="1.0.0")
    assert find_in_packages(str(root))[1].missing == ""


def test_a_project_in_a_package_is_none_of_its_assets(root: Path) -> None:
    folder = cached(root)
    for name in ("Demo", "Shown"):
        put(make_root(folder / name), "Assets/own.asset", 12 if name == "Demo" else 13)
    write_meta(folder, "Shown", 14, "folderAsset: yes\n")
    depend(root, com_acme_tools="1.0.0")
    found, _ = find_in_packages(str(root))
    assert sorted(found) == [guid(13), guid(14)]


def test_the_project_comes_before_its_packages(root: Path) -> None:
    put(cached(root), "a.mat", 2)
    depend(root, com_acme_tools="1.0.0")
    found, _ = find_elsewhere(str(root), everything=False)
    assert found[guid(2)].path == "Assets/gone.mat"
    assert guid(1) not in found
    assert guid(1) in find_elsewhere(str(root), everything=True)[0]


@pytest.mark.parametrize(("files", "found", "cut"), [(5, True, False), (4, False, True), (0, False, True)])
def test_a_package_outside_is_read_within_bounds(root: Path, files: int, found: bool, cut: bool) -> None:  # noqa: FBT001 - a row
    folder = package(root.parent / "Local")
    put(folder, "A/a.asset", 12)  # package.json and A, then a.asset and its meta
    put(folder, "A.asset", 13)
    (folder / "A.asset").unlink()
    depend(root, com_acme_local="file:../../Local")
    bound = Bound(Limits(outside=True, files=files), lambda: 0.0)
    places, packages = find_in_packages(str(root), bound)
    assert (guid(12) in places, [row.name for row in bound.cut]) == (found, ["com.acme.local"] if cut else [])
    assert bool(packages.missing) is cut


def test_a_package_around_the_project_is_not_read(root: Path) -> None:
    depend(root, com_acme_local="file:../..")
    bound = Bound()
    places, packages = find_in_packages(str(root), bound)
    assert (places, packages.missing, [row.name for row in bound.cut]) == ({}, "assets", ["com.acme.local"])


def test_the_metas_that_a_scan_told_are_read_unless_it_does_not_tell_all(root: Path) -> None:
    told = [Diagnostic(code, f"Assets/{name}.meta", 0, "") for code, name in TOLD]
    assert paths(orphan_metas(str(root), told, has_excluded=False)) == {
        guid(2): "Assets/gone.mat",
        guid(3): "Assets/Gone",
    }
    everything = find_orphan_metas(str(root))
    assert orphan_metas(str(root), told, has_excluded=True) == everything
    no_text = [*told, Diagnostic("orphan-meta", "Assets/\ufffd.mat.meta", 0, "")]
    assert orphan_metas(str(root), no_text, has_excluded=False) == everything


def test_the_metas_of_a_folder_have_paths_in_it(root: Path) -> None:
    folder = cached(root)
    put(folder, "Runtime/a.asset", 12)
    write_meta(folder, "gone.mat", 13, "NativeFormatImporter:\n")
    assert dict(metas_of(str(folder), Bound())) == {guid(12): "Runtime/a.asset", guid(13): "gone.mat"}
    assert dict(metas_of(str(folder / "absent"), Bound())) == {}
