"""Questions for what is there, was there, or was called so: by name, path and GUID."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from assetdb.history.git.repository import Repository
from assetdb.query.selecting.former import find_known
from assetdb.query.selecting.selector import Unmatched
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, make_repository
from tests.assetdb.unity_project import guid, write

if TYPE_CHECKING:
    from pathlib import Path

GONE, MOVED, KEPT = "Assets/Old/gone.mat", "Assets/Old/moved.mat", "Assets/Prefabs/Player.prefab"
NATIVE = "NativeFormatImporter:\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_repository(tmp_path_factory.mktemp("former") / "Game")
    write(made, GONE, 60, "gone", NATIVE)
    write(made, MOVED, 61, "moved", NATIVE)
    write(made, "Assets/Old/twin.mat", 62, "one", NATIVE)
    write(made, "Assets/Other/twin.mat", 63, "two", NATIVE)
    commit(made)
    for path in (GONE, "Assets/Old/twin.mat", "Assets/Other/twin.mat"):
        (made / path).unlink()
        (made / f"{path}.meta").unlink()
    for end in ("", ".meta"):
        (made / f"{MOVED}{end}").rename(made / f"Assets/new.mat{end}")
    commit(made)
    return made


@pytest.mark.parametrize(
    ("query", "number", "path"),
    [
        ("Player", 1, KEPT),
        (guid(1), 1, KEPT),
        (GONE, 60, GONE),
        ("gone.mat", 60, GONE),
        (guid(60), 60, GONE),
        (MOVED, 61, "Assets/new.mat"),
        ("new.mat", 61, "Assets/new.mat"),
        ("Assets/Old/twin.mat", 62, "Assets/Old/twin.mat"),
    ],
)
def test_what_was_there_is_found_as_what_is(root: Path, query: str, number: int, path: str) -> None:
    with closing(open_project(str(root))) as project:
        found = find_known(query, project, Repository(str(root)), str(root))
        assert not isinstance(found, Unmatched), found
        assert (found.guid, found.path) == (guid(number), path)


def test_paths_begin_at_the_working_directory_too(root: Path) -> None:
    with closing(open_project(str(root))) as project:
        found = find_known("Old/gone.mat", project, Repository(str(root)), str(root / "Assets"))
        assert not isinstance(found, Unmatched)
        assert (found.guid, found.path) == (guid(60), GONE)
        found = find_known(str(root / GONE), project, Repository(str(root)), "/")
        assert not isinstance(found, Unmatched)
        assert found.guid == guid(60)


@pytest.mark.parametrize(
    ("query", "candidates", "ambiguous"),
    [
        ("twin.mat", {"Assets/Old/twin.mat", "Assets/Other/twin.mat"}, True),
        ("Nobody at all", set(), False),
        ("ProjectSettings/none", set(), False),
    ],
)
def test_what_never_was_or_is_several_is_no_answer(
    root: Path, query: str, candidates: set[str], *, ambiguous: bool
) -> None:
    with closing(open_project(str(root))) as project:
        found = find_known(query, project, Repository(str(root)), str(root))
        assert isinstance(found, Unmatched)
        assert (set(found.candidates), found.ambiguous) == (candidates, ambiguous)
