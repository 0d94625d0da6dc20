"""The packages of a project on this machine, and how much of them is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assetdb.packages.external import Bound, bound_of, locate_packages, package_rows, readable_rows
from assetdb.packages.listing import PackageRow
from assetdb.scan.walking.limits import Limits
from tests.assetdb.packages.packages_project import cached, depend, make_root, package


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path / "P")


def folders(root: Path) -> dict[str, str]:
    return {row.package.name: row.folder.replace(str(root), "") for row in locate_packages(str(root))[0]}


def test_a_bound_is_of_names_and_seconds() -> None:
    now = [100.0]
    bound = Bound(Limits(outside=True, files=3, seconds=5.0), lambda: now[0])
    found = []
    for moment, names in ((100.0, 3), (105.0, 0), (105.1, 0)):
        now[0] = moment
        found.append((bound.take(names), bound.spent))
    assert found == [(True, False), (True, False), (False, True)]
    few = Bound(Limits(outside=True, files=3), lambda: 0.0)
    assert (few.take(2), few.take(2), few.spent, few.cut) == (True, False, True, [])


def test_packages_are_those_of_the_manifest_and_their_folders(root: Path) -> None:
    cached(root)
    package(root / "Packages/com.acme.own", "com.acme.own")
    local = package(root.parent / "Local")
    depend(root, com_acme_tools="1.0.0", com_acme_absent="2.0.0", com_acme_local="file:../../Local")
    rows = package_rows(str(root))
    assert rows == (
        PackageRow("com.acme.absent", "2.0.0", "", immutable=False),
        PackageRow("com.acme.local", "file:../../Local", str(local), immutable=False),
        PackageRow("com.acme.tools", "1.0.0", str(root / "Library/PackageCache/com.acme.tools@1.0.0"), immutable=True),
    )
    here, refused = readable_rows(str(root), rows)
    assert ([row.name for row in here], refused) == (["com.acme.local", "com.acme.tools"], [])


def test_a_cached_package_is_of_its_version(root: Path) -> None:
    cached(root, version="1.0.0")
    depend(root, com_acme_tools="2.0.0")
    assert folders(root) == {"com.acme.tools": ""}
    (root / "Library/PackageCache/com.acme.tools@1.0.0").rename(root / "Library/PackageCache/com.acme.tools@abc123")
    depend(root, com_acme_tools="1.0.0")
    assert folders(root) == {"com.acme.tools": str(Path("/Library/PackageCache/com.acme.tools@abc123"))}
    cached(root, version="1.0.0")
    assert folders(root) == {"com.acme.tools": str(Path("/Library/PackageCache/com.acme.tools@1.0.0"))}
    (root / "Library/PackageCache/com.acme.tools@1.0.0").rename(root / "Library/PackageCache/com.acme.tools@def456")
    assert folders(root) == {"com.acme.tools": ""}  # it may be either


def test_a_folder_with_a_package_json_is_embedded(root: Path) -> None:
    package(root / "Packages/com.acme.own", "com.acme.own")
    (root / "Packages/Other").mkdir()
    package(root / "Packages/.hidden", "com.acme.hidden")
    depend(root)
    assert folders(root) == {"com.acme.own": str(Path("/Packages/com.acme.own"))}
    assert package_rows(str(root)) == ()


def test_a_manifest_that_is_none_is_a_problem(root: Path) -> None:
    (root / "Packages/manifest.json").write_text("{")
    packages, problems, *_ = locate_packages(str(root))
    assert packages == []
    assert [file for file, _ in problems] == ["Packages/manifest.json"]
    (root / "Packages/manifest.json").unlink()
    assert locate_packages(str(root))[:2] == ([], ())
    (root / "Packages/manifest.json").mkdir()
    assert locate_packages(str(root))[:2] == ([], ())


@pytest.mark.parametrize(
    ("path", "is_refused"), [("..", True), ("../../..", True), ("../../Beside", False), ("../..", False)]
)
def test_a_folder_that_contains_the_project_is_refused(root: Path, path: str, is_refused: bool) -> None:  # noqa: FBT001 - a row
    (root.parent / "Beside").mkdir()
    (root.parent / "package.json").write_text('{"name": "com.acme.local", "version": "1.0.0"}')
    depend(root, com_acme_local=f"file:{path}")
    here, refused = readable_rows(str(root), package_rows(str(root)))
    assert ([row.name for row in here], [row.name for row in refused]) == (
        ([], ["com.acme.local"]) if is_refused else (["com.acme.local"], [])
    )


def test_only_a_package_outside_of_the_project_has_a_bound(root: Path) -> None:
    bound = Bound()
    inside = PackageRow("a", "", str(root / "Library/x"), immutable=False)
    outside = PackageRow("a", "", f"{root}-more{os.sep}x", immutable=False)
    assert bound_of(inside, str(root), bound) is None
    assert bound_of(outside, str(root), bound) is bound
    assert bound_of(PackageRow("a", "", str(root), immutable=False), str(root), bound) is None


@pytest.mark.parametrize(
    ("place", "meta", "is_read"),
    [
        ("Demo", "", True),
        ("Demo~", "", True),
        ("Samples~/Demo", "", True),
        ("Inner/Demo", "", True),
        ("Demo", "Demo.meta", False),  # an asset of the package, which is read with it
        ("Demo~", "Demo~.meta", True),  # hidden whatever is beside it
        (".", "", False),
    ],
)
def test_a_package_around_its_project(tmp_path: Path, place: str, meta: str, is_read: bool) -> None:  # noqa: FBT001 - a row
    folder = package(tmp_path / "Tools", "com.acme.tools")
    root = make_root(folder / place)
    if meta:
        (folder / meta).write_text("x")
    row = PackageRow("com.acme.tools", "file:../..", str(folder), immutable=False)
    expected = ([row], []) if is_read else ([], [row])
    assert readable_rows(str(root), [row]) == expected
    (folder / "package.json").unlink()
    assert readable_rows(str(root), [row]) == ([], [row])
