"""A snapshot of a project: refreshed as far as a question needs, and expired between questions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.errors import ProjectError
from assetdb.query.snapshots import snapshot
from assetdb.query.snapshots.revisions import bytes_of_revision
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.store.files import DATABASE_NAME
from tests.assetdb.history.git_project import make_repository
from tests.assetdb.unity_project import guid, make_project, write, write_meta
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "P")


@pytest.fixture
def project(root: Path) -> Iterator[Snapshot]:
    opened = open_project(str(root), str(root.parent / "out"))
    yield opened
    opened.close()


def test_a_later_snapshot_has_a_higher_number(root: Path, project: Snapshot) -> None:
    second = open_project(str(root), str(root.parent / "out"))
    assert second.number > project.number
    assert (project.root, project.folder) == (str(root), str(root.parent / "out"))
    assert project.memory is not second.memory
    second.close()


def test_a_snapshot_needs_a_database() -> None:
    with pytest.raises(ValueError, match="no database"):
        Snapshot("/x", "/x/asset-db.bin")


def test_one_scan_serves_successive_questions(root: Path, project: Snapshot) -> None:
    assert project.database.by_guid(guid(90)) is None
    write(root, "Assets/New.cs", 90, "class New {}\n", "MonoImporter:\n")
    project.expire(60)
    assert project.assets.by_guid(guid(90)) is None
    project.expire()
    assert project.assets.by_guid(guid(90)) is None  # within a second
    first = project.resolver
    project.expire(0)
    assert project.resolver is not first
    assert project.assets.by_guid(guid(90)) is not None


def test_an_index_of_names_is_made_at_the_fourth_search(project: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    assert project.names(make=False) is None
    assert [project.names() is None for _ in range(3)] == [True] * 3
    assert project.names(make=False) is None
    made = project.names()
    assert made is not None
    assert project.names() is project.names(make=False) is made
    monkeypatch.setattr(snapshot, "_FRESH_FOR", 0.0)
    project.expire()
    assert project.names(make=False) is None


def test_files_and_folders_are_read_by_their_paths(root: Path, project: Snapshot) -> None:
    assert project.read("Assets/Scripts/Health.cs") == b"class Health {}\n"
    assert project.read(str(root / "Assets/Scripts/Health.cs")) == b"class Health {}\n"
    assert project.read("Assets/none") is None
    assert project.names_in("Assets/Scripts") == ["Health.cs", "Health.cs.meta"]
    assert project.names_in("Assets/none") == project.names_in("Assets/Scripts/Health.cs") == []
    assert project.exists("Assets/Scripts")
    assert not project.exists("Assets/none")


@needs_links
def test_a_link_that_leads_nowhere_exists(root: Path, project: Snapshot) -> None:
    (root / "Assets/link").symlink_to("nowhere")
    assert project.exists("Assets/link")


def test_packages_are_opened_if_there_are_any(project: Snapshot, tmp_path: Path) -> None:
    assert project.has_packages
    assert project.package_graph is project.packages.graph is not None
    assert project.packages.by_guid(guid(12)) is not None
    bare = tmp_path / "Bare"
    for name in ("Assets", "ProjectSettings"):
        (bare / name).mkdir(parents=True)
    opened = open_project(str(bare))
    assert (opened.has_packages, opened.package_graph, opened.unread) == (False, None, ())
    opened.close()


def test_unread_files_are_those_of_packages_too(root: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    write(root / "Library/PackageCache/com.acme.tools@1.0.0", "x.prefab", 13, pointer, "PrefabImporter:\n")
    opened = open_project(str(root))
    opened.refresh()
    assert [row.path for row in opened.unread] == ["Assets/Art/lost.mat", "Packages/com.acme.tools/x.prefab"]
    opened.close()


def test_diagnostics_are_those_of_the_scan_or_of_the_last_bake(root: Path) -> None:
    expected = {"lfs-pointer", "orphan-meta"}
    first = open_project(str(root))
    assert {row.code for row in first.diagnostics()} >= expected
    assert first.listing() is not None
    assert first.graph is first.database.graph
    first.close()
    kept = open_project(str(root), refresh=False)
    assert kept.listing() is None
    assert {row.code for row in kept.diagnostics()} >= expected
    assert kept.listing() is None
    kept.close()
    os.unlink(root / "Library/assetdb/asset-db.cache")
    again = open_project(str(root), refresh=False)
    assert {row.code for row in again.diagnostics()} >= expected
    assert again.listing() is not None  # for these there was a scan
    again.close()


def test_a_snapshot_of_a_given_database_is_current(root: Path) -> None:
    path = str(assetdb.bake(root).database)
    with assetdb.open_database(path) as database:
        given = Snapshot(str(root), path, database, memory={"a": 1})
        (root / "Assets/Scripts/Health.cs").unlink()
        given.refresh()
        given.expire(0)
        assert given.database is given.assets is database
        assert given.assets.by_guid(guid(3)) is not None
        assert (given.memory, given.diagnostics(), given.listing(), given.duplicates) == ({"a": 1}, (), None, ())
        assert given.bundle_names() == {}
        assert given.supplement is database.supplement


@pytest.mark.parametrize("how", ["scanned", "not scanned", "exclusions"])
def test_metas_without_assets_are_found_however_the_project_was_opened(root: Path, how: str) -> None:
    if how == "exclusions":
        (root / "assetdb.toml").write_text('exclude = ["x"]\n')
    opened = open_project(str(root), refresh=how != "not scanned")
    found = opened.resolver.locate(guid(11))
    assert found is not None
    assert (found.path, found.absent) == ("Assets/gone.mat", True)
    assert opened.resolver.locate(guid(99)) is None
    opened.close()


def test_a_bake_is_announced_if_there_is_no_database(root: Path) -> None:
    told: list[tuple[str, str]] = []
    for _ in range(2):
        opened = open_project(str(root), on_bake=lambda *why: told.append(why))
        opened.refresh()
        opened.close()
    assert told == [(str(root / "Library/assetdb" / DATABASE_NAME), "")]


def test_progress_is_closed_after_a_scan(root: Path) -> None:
    class Progress:
        def __init__(self) -> None:
            self.closed = 0

        def __call__(self, done: int, total: int, /) -> None:
            pass

        def close(self) -> None:
            self.closed += 1

    progress = Progress()
    opened = open_project(str(root), progress=progress)
    opened.refresh()
    opened.close()
    assert progress.closed == 1


def test_a_folder_that_is_no_project_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="is not a Unity project: it has no Assets/ and no ProjectSettings/"):
        open_project(str(tmp_path))


def test_losses_are_shared_with_the_next_resolver(root: Path, project: Snapshot) -> None:
    assert project.losses is project.losses
    assert not project.losses.has(guid(99))
    write_meta(root, "Assets/Empty", 60, "folderAsset: yes\n")
    assert Path(project.folder, DATABASE_NAME).is_file()


def test_sizes_and_beginnings_of_files_are_told(project: Snapshot) -> None:
    assert project.size("Assets/Scripts/Health.cs") == len(b"class Health {}\n")
    assert project.size("Assets/none") == project.size("Assets/\0") == 0
    assert project.read_head("Assets/Scripts/Health.cs", 5) == b"class"
    assert project.read_head("Assets/none", 5) is None


def test_a_snapshot_is_fresh_after_a_scan_or_with_a_database_of_its_own(root: Path, project: Snapshot) -> None:
    project.refresh()
    assert project.is_fresh
    given = Snapshot(str(root), str(root.parent / "out" / DATABASE_NAME), project.database)
    assert given.is_fresh
    assert given.database is project.database


def test_the_bytes_of_a_revision_are_a_bake_of_it(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "Game")
    opened = open_project(str(root))
    before = bytes_of_revision(opened, "HEAD")
    assert before == opened.database.contents()  # nothing differs from the disk
    opened.close()
    write(root, "Assets/New.cs", 90, "class New {}\n", "MonoImporter:\n")
    again = open_project(str(root))
    assert bytes_of_revision(again, "HEAD") == before != again.database.contents()
    again.close()
