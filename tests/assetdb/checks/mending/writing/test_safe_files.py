"""Files that are changed are reached name by name: no link, no folder of git, nothing outside the project."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.writing.safe_files import parts_of, reached
from assetdb.errors import MendingError
from tests.needs import needs_folder_descriptors, needs_links, needs_modes

if TYPE_CHECKING:
    from pathlib import Path

A = "Assets/a.txt"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    (made / "Assets/Deep/Down").mkdir(parents=True)
    (made / A).write_bytes(b"a")
    return made


@pytest.mark.parametrize(
    "path",
    ["Assets", A, "Packages/com.acme/a.txt", "ProjectSettings/A.asset", "Assets/.gitignore", "Assets/...", "Assets/ "],
)
def test_a_path_among_assets_packages_and_settings_is_its_names(root: Path, path: str) -> None:
    assert parts_of(str(root), path) == path.split("/")


@pytest.mark.parametrize(
    "path",
    ["", "Library/a", "assets/a.txt", "/etc/passwd", "Assets/", "Assets//a", "Assets/./a", "Assets/../a", "Assets/a\0"],
)
def test_any_other_path_is_refused(root: Path, path: str) -> None:
    with pytest.raises(MendingError) as caught:
        parts_of(str(root), path)
    assert str(caught.value) == f"{path}: is not a path in Assets, Packages, ProjectSettings"


@pytest.mark.parametrize("path", ["Assets/.git/config", "Assets/Deep/.GIT", "Packages/a/.hg/x", "Assets/.svn/x"])
def test_a_folder_of_the_version_control_is_refused_in_any_case(root: Path, path: str) -> None:
    with pytest.raises(MendingError, match="belongs to the version control"):
        parts_of(str(root), path)


def test_paths_of_a_package_that_is_its_own_project_lead_to_its_root(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    (tmp_path / "Editor").mkdir()
    assert parts_of(str(tmp_path), "Packages/com.acme.tools/Editor/a.cs") == ["Editor", "a.cs"]
    with pytest.raises(MendingError, match="belongs to the version control"):
        parts_of(str(tmp_path), "Packages/com.acme.tools/.git/config")


def test_a_file_has_a_status_and_bytes_and_an_absent_one_neither(root: Path) -> None:
    with reached(str(root), A) as place:
        status = place.status()
        assert status is not None
        assert status.st_size == 1
        assert place.read() == b"a"
        assert place.path == A
    with reached(str(root), "Assets/none.txt") as place:
        assert place.status() is None
        assert place.read() is None


def test_a_folder_on_the_way_that_is_not_there_is_an_error_of_the_system(root: Path) -> None:
    with pytest.raises(FileNotFoundError), reached(str(root), "Assets/None/a.txt"):
        pass


@needs_folder_descriptors
def test_a_file_on_the_way_is_an_error_of_the_system(root: Path) -> None:
    with pytest.raises(NotADirectoryError), reached(str(root), f"{A}/b.txt"):
        pass


@needs_links
@needs_modes
def test_a_link_on_the_way_is_named_and_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "Assets/Link").symlink_to(tmp_path / "outside")
    with pytest.raises(MendingError) as caught, reached(str(root), "Assets/Link/a.txt"):
        pass
    link = root / "Assets/Link"
    assert str(caught.value) == f"Assets/Link/a.txt: is reached through a link ({link}), which is not followed to write"


@needs_links
@needs_modes
def test_a_project_behind_a_link_is_reached(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    with reached(str(tmp_path / "link"), A) as place:
        assert place.read() == b"a"


@needs_links
@needs_modes
def test_what_is_read_must_be_a_file(root: Path) -> None:
    (root / "Assets/link").symlink_to("a.txt")
    os.mkfifo(root / "Assets/pipe")
    for name, what in (("link", "a link"), ("pipe", "no file"), ("Deep", "no file")):
        with reached(str(root), f"Assets/{name}") as place:
            status = place.status()
            assert status is not None
            with pytest.raises(MendingError) as caught:
                place.read()
            assert str(caught.value) == f"Assets/{name}: is {what}"


@needs_links
@needs_modes
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_that_is_replaced_keeps_its_permissions_and_a_new_one_gets_those_asked_for(
    root: Path, mode: int
) -> None:
    (root / A).chmod(mode)
    with reached(str(root), A) as place:
        place.write(b"b", 0o777)
    with reached(str(root), "Assets/new.txt") as place:
        place.write(b"new", mode)
    for path, data in ((A, b"b"), ("Assets/new.txt", b"new")):
        assert (root / path).read_bytes() == data
        assert stat.S_IMODE((root / path).stat().st_mode) == mode
    assert sorted(os.listdir(root / "Assets")) == ["Deep", "a.txt", "new.txt"]


@pytest.mark.parametrize(
    ("mode", "is_writable"),
    [
        (0o444, False),
        *(pytest.param(mode, True, marks=needs_modes) for mode in (0o464, 0o446)),  # that others may write it
        (0o644, True),
    ],
)
def test_a_file_that_nobody_may_write_is_not_replaced(root: Path, mode: int, is_writable: bool) -> None:  # noqa: FBT001
    (root / A).chmod(mode)
    with reached(str(root), A) as place:
        if is_writable:
            place.write(b"b")
        else:
            with pytest.raises(MendingError) as caught:
                place.write(b"b")
            said = "is read-only; check it out of version control, or make it writable"
            assert str(caught.value) == f"{A}: {said}"
    assert (root / A).read_bytes() == (b"b" if is_writable else b"a")


def test_bytes_are_put_and_none_removes(root: Path) -> None:
    with reached(str(root), A) as place:
        place.put(b"b", None)
        assert place.read() == b"b"
        place.put(None, None)
        assert place.read() is None
        with pytest.raises(FileNotFoundError) as caught:
            place.put(None, None)
    assert caught.value.filename == A


def test_a_rename_replaces_nothing(root: Path) -> None:
    (root / "Assets/Deep/b.txt").write_bytes(b"b")
    with reached(str(root), A) as old, reached(str(root), "Assets/Deep/b.txt") as new:
        with pytest.raises(MendingError) as caught:
            old.rename(new)
        assert str(caught.value) == "Assets/Deep/b.txt: already exists"
        new.unlink()
        old.rename(new)
        assert old.read() is None
        assert new.read() == b"a"


def test_the_half_written_file_of_a_process_is_beside_its_file(root: Path) -> None:
    (root / "Assets/.77.a.txt.temporary").write_bytes(b"half")
    with reached(str(root), A) as place:
        assert place.temporary(77).read() == b"half"
        assert place.temporary(78).read() is None
