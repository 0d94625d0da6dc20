"""The database of packages: read once where they cannot change, and again where they can."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import assetdb
from assetdb.diagnostics import Diagnostic
from assetdb.errors import ProjectError
from assetdb.packages.database import _write_list, refresh
from assetdb.packages.listing import LIST_NAME, NO_PACKAGES, PackageList, PackageRow, read_list, stamps_of
from assetdb.scan.known.cache import FILE_NAME
from assetdb.scan.walking.limits import Limits
from assetdb.store.database import open_database
from assetdb.store.files import DATABASE_NAME, PACKAGES_FOLDER
from assetdb.store.output import Output
from assetdb.system.identity import DEFAULT
from tests.assetdb.history.repositories import git
from tests.assetdb.packages.packages_project import cached, depend, make_root, package, put
from tests.assetdb.unity_project import guid
from tests.needs import needs_git, needs_links

if TYPE_CHECKING:
    from pathlib import Path


class Project:
    """A baked project; its packages are read when that is asked for."""

    def __init__(self, root: Path) -> None:
        self.root = make_root(root)
        put(self.root, "Assets/own.asset", 1)
        self.folder = self.root / "out"
        self.folder.mkdir()
        assetdb.bake(self.root, self.folder)

    def refresh(self, limits: Limits | None = None) -> PackageList:
        found = refresh(str(self.root), str(self.folder), limits=limits)
        assert read_list(str(self.folder)) == found or not found.rows
        return found

    def paths(self) -> list[str]:
        path = self.folder / PACKAGES_FOLDER / DATABASE_NAME
        if not path.exists():
            return []
        with open_database(str(path)) as database:
            return sorted(asset.path.removeprefix("Packages/") for asset in database)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "P")


def test_packages_of_the_cache_are_read_once(project: Project) -> None:
    folder = cached(project.root)
    put(folder, "a.asset", 12)
    depend(project.root, com_acme_tools="1.0.0")
    project.refresh()
    assert project.paths() == ["com.acme.tools/a.asset"]
    (folder / "Deep").mkdir()
    first = project.refresh()
    put(folder, "Deep/b.asset", 13)  # which no time of the package's own folder tells
    assert project.refresh() == first
    assert project.paths() == ["com.acme.tools/a.asset"]
    os.utime(folder)
    project.refresh()
    assert project.paths() == ["com.acme.tools/Deep/b.asset", "com.acme.tools/a.asset"]
    shutil.rmtree(folder / "Deep")
    put(cached(project.root, "com.acme.more"), "c.asset", 14)
    depend(project.root, com_acme_tools="1.0.0", com_acme_more="1.0.0")
    project.refresh()
    assert project.paths() == ["com.acme.more/c.asset", "com.acme.tools/a.asset"]
    depend(project.root, com_acme_more="1.0.0")
    project.refresh()
    assert project.paths() == ["com.acme.more/c.asset"]


def test_a_package_of_a_folder_is_looked_at_each_time(project: Project) -> None:
    folder = package(project.root.parent / "Local")
    put(folder, "a.asset", 12)
    depend(project.root, com_acme_local="file:../../Local")
    first = project.refresh()
    assert project.refresh() == first
    put(folder, "A/b.asset", 13)
    assert project.refresh() != first
    assert project.paths() == ["com.acme.local/A/b.asset", "com.acme.local/a.asset"]
    (folder / "a.asset").unlink()
    project.refresh()
    assert project.paths() == ["com.acme.local/A/b.asset"]


def test_without_packages_there_are_no_files(project: Project) -> None:
    assert project.refresh().rows == ()
    assert not (project.folder / PACKAGES_FOLDER).exists()
    put(cached(project.root), "a.asset", 12)
    depend(project.root, com_acme_tools="1.0.0")
    project.refresh()
    depend(project.root, com_acme_absent="1.0.0")
    found = project.refresh()
    assert [(row.name, row.folder) for row in found.rows] == [("com.acme.absent", "")]
    assert os.listdir(project.folder / PACKAGES_FOLDER) == [LIST_NAME]
    assert project.refresh() == found


@pytest.mark.parametrize(
    "odd", [{"files": "1 2 3 4 5 6 7 8"}, {"problems": (Diagnostic("package-too-large", "Packages/x", 0, "is large"),)}]
)
def test_a_list_without_packages_that_tells_of_some_is_made_anew(project: Project, odd: dict[str, Any]) -> None:
    depend(project.root, com_acme_absent="1.0.0")
    right = project.refresh()
    assert (right.files, right.problems) == ("", ())
    _write_list(Output(str(project.folder / PACKAGES_FOLDER), DEFAULT, str(project.root)), right._replace(**odd))
    assert read_list(str(project.folder)) == right._replace(**odd)
    assert project.refresh() == right


def test_a_guid_of_project_and_package_is_told(project: Project) -> None:
    put(cached(project.root), "twin.asset", 1)
    depend(project.root, com_acme_tools="1.0.0")
    (problem,) = project.refresh().problems
    assert (problem.code, problem.path) == ("guid-in-package", "Assets/own.asset")
    assert f"has the GUID {guid(1)} of Packages/com.acme.tools/twin.asset;" in problem.message
    put(project.root, "Assets/own.asset", 2)
    assetdb.bake(project.root, project.folder)
    assert project.refresh().problems == ()


def test_a_package_around_the_project_is_read_without_it(project: Project) -> None:
    (project.root.parent / "package.json").write_text('{"name": "com.acme.local"}')
    put(project.root.parent, "Runtime/a.asset", 12)
    depend(project.root, com_acme_local="file:../..")
    assert project.refresh().problems == ()
    assert project.paths() == ["com.acme.local/Runtime/a.asset"]


def test_a_folder_that_contains_the_project_is_told(project: Project) -> None:
    depend(project.root, com_acme_local="file:../..")
    (problem,) = project.refresh().problems
    assert (problem.code, problem.path) == ("package-too-large", "Packages/com.acme.local")
    assert problem.message == f"is {project.root.parent}, which contains the project: not read"
    assert project.paths() == []


@pytest.mark.parametrize(("files", "folders", "assets"), [(6, 0, 2), (5, 3, 2), (4, 3, 2), (3, 2, 1), (1, 1, 0)])
def test_a_large_package_is_read_in_part(project: Project, files: int, folders: int, assets: int) -> None:
    folder = package(project.root.parent / "Local")
    put(folder, "A/a.asset", 12)
    put(folder, "B/b.asset", 13)
    depend(project.root, com_acme_local="file:../../Local")
    found = project.refresh(Limits(outside=True, files=files))  # two folders, and two files in each
    told = [f"{folder} has more files than are read; {folders} folders of it were"] if folders else []
    assert [problem.message for problem in found.problems] == told
    assert project.paths() == ["com.acme.local/A/a.asset", "com.acme.local/B/b.asset"][:assets]
    again = project.refresh(Limits(outside=True, files=files))
    assert again.problems == found.problems


def test_a_damaged_cache_is_read_again(project: Project) -> None:
    put(cached(project.root), "a.asset", 12)
    depend(project.root, com_acme_tools="1.0.0")
    project.refresh()
    path = project.folder / PACKAGES_FOLDER / FILE_NAME
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    put(cached(project.root, "com.acme.more"), "c.asset", 14)
    depend(project.root, com_acme_tools="1.0.0", com_acme_more="1.0.0")
    project.refresh()
    assert project.paths() == ["com.acme.more/c.asset", "com.acme.tools/a.asset"]


def test_a_moved_project_keeps_what_its_packages_were(project: Project, tmp_path: Path) -> None:
    put(cached(project.root), "a.asset", 12)
    depend(project.root, com_acme_tools="1.0.0")
    project.refresh()
    project.root.rename(tmp_path / "Moved")
    project.root, project.folder = tmp_path / "Moved", tmp_path / "Moved" / "out"
    found = project.refresh()
    assert found.rows[0].folder.startswith(str(project.root))
    assert project.paths() == ["com.acme.tools/a.asset"]
    assert project.refresh() == found


@needs_git
@pytest.mark.parametrize("link", ["", pytest.param("com.acme.link@1.0.0", marks=needs_links)])
def test_a_list_of_a_commit_is_not_believed_where_anybody_could_know_its_stamps(project: Project, link: str) -> None:
    """Neither manifest nor lock: its stamps name no time, and a CI machine's folder is always ``/work/game``.

    A link to nothing, of a commit as well, puts digits into them.
    """
    if link:
        cache = project.root / "Library" / "PackageCache"
        cache.mkdir(parents=True)
        (cache / link).symlink_to("nowhere")
    made = PackageList(
        stamps_of(str(project.root), DEFAULT),
        "",
        (PackageRow("com.acme.absent", "1.0.0", "", immutable=False),),
        (),
        str(project.root),
        unknown=("com.acme.absent",),
    )
    place = project.folder / PACKAGES_FOLDER
    place.mkdir()
    _write_list(Output(str(place), DEFAULT), made)
    shutil.copy(project.folder / DATABASE_NAME, place / DATABASE_NAME)
    assert read_list(str(project.folder)) == made
    git(project.root, "init", "-q")
    git(project.root, "add", "-f", "out")
    assert read_list(str(project.folder)) == NO_PACKAGES
    assert not project.refresh().rows
    assert project.paths() == []
    depend(project.root)  # its stamps are of this machine
    known = made._replace(stamps=stamps_of(str(project.root), DEFAULT))
    _write_list(Output(str(place), DEFAULT), known)
    assert read_list(str(project.folder)) == known


@needs_links
def test_a_link_in_the_place_of_the_folder_is_removed(project: Project, tmp_path: Path) -> None:
    put(cached(project.root), "a.asset", 12)
    depend(project.root, com_acme_tools="1.0.0")
    (tmp_path / "Precious").mkdir()
    (project.folder / PACKAGES_FOLDER).symlink_to(tmp_path / "Precious")
    project.refresh()
    assert os.listdir(tmp_path / "Precious") == []
    assert project.paths() == ["com.acme.tools/a.asset"]


def test_a_folder_that_cannot_be_made_is_an_error(project: Project) -> None:
    put(cached(project.root), "a.asset", 12)
    depend(project.root, com_acme_tools="1.0.0")
    (project.folder / PACKAGES_FOLDER).write_text("a file")
    with pytest.raises(ProjectError, match=r"packages-[\w.-]+ cannot be made: File exists"):
        project.refresh()


def test_half_of_a_surrogate_pair_in_a_version_ends_nothing(project: Project) -> None:
    package(project.root / "Packages/com.acme.own", "com.acme.own", "1.0\ud800")
    depend(project.root, com_acme_absent="file:../1\ud800")  # which is a problem of the manifest
    made = project.refresh()
    assert read_list(str(project.folder)) == made
    assert made.versions == {"com.acme.own": ""}


@pytest.mark.parametrize("odd", ["1\n0", "1\x1e0", "1\x1f0"])
def test_odd_characters_of_versions_end_nothing_and_are_read_again(project: Project, odd: str) -> None:
    package(project.root / "Packages/com.acme.own", "com.acme.own", odd)
    depend(project.root, com_acme_absent=f"file:../{odd}", com_acme_git=f"https://x/{odd}.git")
    made = project.refresh()
    assert [row.name for row in made.rows] == ["com.acme.absent", "com.acme.git"]
    assert read_list(str(project.folder)) == made
    assert set(made.versions) == {"com.acme.absent", "com.acme.git", "com.acme.own"}
