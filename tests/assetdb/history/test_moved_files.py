"""What git says of files that are not where they are looked for."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from assetdb.history.moved_files import blob_name, committed_blobs, has_repository, ignored, tracked
from tests.needs import needs_git, needs_links

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("plain.cs", "with space.cs", "ümlaut.cs", "[x].cs", "-dash.cs")
if os.name == "posix":
    NAMES += ("[x]*.cs", 'quo"te.cs')


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    words = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run([*words, "init", "-q"], check=True)
    (tmp_path / "Assets").mkdir()
    for name in NAMES:
        (tmp_path / "Assets" / name).write_bytes(name.encode())
    (tmp_path / ".gitignore").write_text("made*\n")
    subprocess.run([*words, "add", "-A"], check=True)
    subprocess.run([*words, "commit", "-qm", "x"], check=True)
    return tmp_path


@needs_git
def test_what_is_tracked_though_it_is_gone(repository: Path) -> None:
    paths = [f"Assets/{name}" for name in NAMES]
    for path in paths:
        (repository / path).unlink()
    assert tracked(str(repository), [*paths, "Assets/other.cs"]) == set(paths)
    many = [f"Assets/none{number}.cs" for number in range(5000)]
    assert tracked(str(repository), [*many, paths[0]]) == {paths[0]}


@needs_git
def test_what_is_ignored_though_it_is_not_there(repository: Path) -> None:
    paths = [f"Assets/made {name}" for name in NAMES]
    assert ignored(str(repository), [*paths, "Assets/plain.cs", "Assets/none.cs"]) == set(paths)
    assert ignored(str(repository), ["Assets/none.cs"]) == set()


@needs_git
@needs_links
def test_a_path_behind_a_link_hides_no_other_that_is_ignored(repository: Path) -> None:
    (repository / "Art").mkdir()
    (repository / "Assets/Art").symlink_to("../Art")
    paths = ["Assets/made.cs", "Assets/Art/made.cs", "Assets/Art/Inner/made.cs"]
    assert ignored(str(repository), paths) == {"Assets/made.cs"}


@needs_git
def test_what_was_committed(repository: Path) -> None:
    found = committed_blobs(str(repository), [f"Assets/{name}" for name in NAMES])
    assert found == {f"Assets/{name}": blob_name(name.encode()) for name in NAMES}


def test_where_there_is_no_repository(tmp_path: Path) -> None:
    assert not has_repository(str(tmp_path))
    assert tracked(str(tmp_path), ["a"]) is None
    assert ignored(str(tmp_path), ["a"]) == set()
    assert committed_blobs(str(tmp_path), ["a"]) == {}
