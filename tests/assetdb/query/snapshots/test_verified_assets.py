"""Assets by GUID: proved by their files, or by a scan."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.errors import DatabaseError
from assetdb.query.snapshots.verified_assets import CheckedAssets
from assetdb.store.files import DATABASE_NAME, INDEX_NAME
from assetdb_formats.atomic import replace_file
from tests.assetdb.unity_project import guid, make_project, write, write_meta
from tests.needs import needs_change_times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BUILT_IN = "0000000000000000e000000000000000"


class Project:
    """A baked project whose files are old enough to be trusted, and how often it was looked at again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        write_meta(root, "Assets/Prefabs", 50, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
        (root / "assetdb.toml").write_text('check-stat = "minimal"\n')
        for folder, _, names in os.walk(root):
            for name in names:
                os.utime(os.path.join(folder, name), (1_000_000_000.5, 1_000_000_000.5))
        self.path = assetdb.bake(root).database
        self.looks = 0
        self.does_nothing = False
        self.unsaved: tuple[bytes, bytes] | None = None

    def look(self, on_made: Callable[[], None]) -> tuple[bytes, bytes] | None:
        self.looks += 1
        if not self.does_nothing:
            assetdb.bake(self.root)
        on_made()
        return self.unsaved

    def opened(self, *, fresh: bool = False) -> CheckedAssets:
        return CheckedAssets(str(self.root), str(self.path), self.look, fresh=fresh)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(make_project(tmp_path / "P"))


@pytest.fixture
def assets(project: Project) -> Iterator[CheckedAssets]:
    found = project.opened()
    yield found
    found.close()


def path_of(assets: CheckedAssets, number: int) -> str:
    asset = assets.by_guid(guid(number))
    return asset.path if asset is not None else ""


@needs_change_times
def test_what_is_unchanged_is_told_without_a_look(project: Project, assets: CheckedAssets) -> None:
    assert path_of(assets, 3) == "Assets/Scripts/Health.cs"
    assert assets.folder(guid(50)) == "Assets/Prefabs"
    assert assets.by_guid(guid(50)) is None  # a folder is no asset
    assert assets.by_guid(BUILT_IN) is None
    assert assets.folder(BUILT_IN) is None
    assert (assets.duplicates, assets.unread, assets.supplement.duplicates) == ((), assets.database.unread, ())
    assert (project.looks, assets.fresh) == (0, False)


@pytest.mark.parametrize("change", ["moved", "asset", "meta"])
def test_what_changed_is_told_after_a_look(project: Project, assets: CheckedAssets, change: str) -> None:
    path = "Assets/Scripts/Health.cs"
    if change == "moved":
        for end in ("", ".meta"):
            (project.root / f"{path}{end}").rename(project.root / f"Assets/Other.cs{end}")
        path = "Assets/Other.cs"
    else:
        os.utime(project.root / f"{path}{'.meta' if change == 'meta' else ''}", (1_000_000_000.5, 1_000_000_001.5))
    assert path_of(assets, 3) == path
    assert (project.looks, assets.fresh) == (1, True)
    assert path_of(assets, 3) == path
    assert project.looks == 1


def test_a_folder_that_moved_is_told_after_a_look(project: Project, assets: CheckedAssets) -> None:
    for end in ("", ".meta"):
        (project.root / f"Assets/Prefabs{end}").rename(project.root / f"Assets/Moved{end}")
    assert assets.folder(guid(50)) == "Assets/Moved"
    assert project.looks == 1


@pytest.mark.parametrize("kind", ["asset", "folder"])
def test_what_is_not_known_needs_a_look(project: Project, assets: CheckedAssets, kind: str) -> None:
    write(project.root, "Assets/New.cs", 90, "class New {}\n", "MonoImporter:\n")
    if kind == "asset":
        assert path_of(assets, 90) == "Assets/New.cs"
    else:
        assert assets.folder(guid(91)) is None
    assert project.looks == 1


def test_lists_and_references_need_a_look(project: Project) -> None:
    for ask in (
        lambda assets: list(assets.containing(b"Health")),
        lambda assets: list(assets.candidates("health")),
        lambda assets: assets.graph,
    ):
        project.looks = 0
        assets = project.opened()
        assert ask(assets)
        assert (project.looks, assets.fresh) == (1, True)
        assets.close()


def test_proofs_expire(project: Project, assets: CheckedAssets) -> None:
    assets.refresh()
    assets.refresh()
    assert (project.looks, assets.fresh) == (1, True)
    assets.expire()
    assert not assets.fresh
    assert path_of(assets, 3) == "Assets/Scripts/Health.cs"
    assets.folder(guid(91))
    assert project.looks == 2


def test_files_that_are_given_as_current_are_believed(project: Project) -> None:
    assets = project.opened(fresh=True)
    (project.root / "Assets/Scripts/Health.cs").unlink()
    assert path_of(assets, 3) == "Assets/Scripts/Health.cs"
    assert assets.folder(guid(91)) is None
    assert project.looks == 0
    assets.close()


@pytest.mark.parametrize("name", [DATABASE_NAME, INDEX_NAME])
@pytest.mark.parametrize("data", [None, b"damaged"])
def test_files_that_cannot_be_used_are_made_anew(project: Project, name: str, data: bytes | None) -> None:
    path = Path(project.path).parent / name
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
    assets = project.opened()
    assert path_of(assets, 3) == "Assets/Scripts/Health.cs"
    assert 1 <= project.looks <= 2
    assets.close()


def test_files_that_seem_unchanged_are_removed_and_made_again(project: Project) -> None:
    Path(project.path).write_bytes(b"damaged")
    looks = []

    def look(on_made: Callable[[], None]) -> None:
        looks.append(Path(project.path).exists())
        if not looks[-1]:
            assetdb.bake(project.root)
        on_made()

    assets = CheckedAssets(str(project.root), str(project.path), look)
    assert looks == [True, True, False]
    assert path_of(assets, 3) == "Assets/Scripts/Health.cs"
    assets.close()


def test_a_daemon_of_another_version_may_replace_the_files_at_once(project: Project) -> None:
    def look(on_made: Callable[[], None]) -> None:
        assetdb.bake(project.root)
        on_made()
        replace_file(str(project.path), [b"UADBIN__\x07of another version"])

    Path(project.path).unlink()
    assets = CheckedAssets(str(project.root), str(project.path), look)
    assert path_of(assets, 3) == "Assets/Scripts/Health.cs"
    assets.close()


def test_files_that_cannot_be_written_are_answered_from_memory(project: Project) -> None:
    write(project.root, "Assets/New.txt", 77, b"text")
    made = assetdb.bake(project.root, project.root.parent / "elsewhere")
    folder = Path(made.database).parent
    project.unsaved = (folder / DATABASE_NAME).read_bytes(), (folder / INDEX_NAME).read_bytes()
    project.does_nothing = True
    assets = project.opened()
    assert path_of(assets, 77) == "Assets/New.txt"
    assert Path(project.path).read_bytes() != project.unsaved[0]
    assets.expire()  # what is not in a file proves nothing: looked at again
    assert path_of(assets, 3) == "Assets/Scripts/Health.cs"
    assert project.looks == 2
    assets.close()


def test_files_that_cannot_be_made_are_an_error(project: Project) -> None:
    Path(project.path).unlink()
    project.does_nothing = True
    with pytest.raises(DatabaseError, match="can be neither read nor rebuilt"):
        project.opened()
    assert project.looks == 3


def test_what_is_closed_has_no_database(assets: CheckedAssets) -> None:
    assets.close()
    assets.close()
    with pytest.raises(DatabaseError, match="is closed"):
        _ = assets.database
