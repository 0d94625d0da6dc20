"""Paths of the command line, of the project and of the repository around it."""

from __future__ import annotations

from contextlib import closing
from time import process_time
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.paths import project_of, project_paths, with_files, without_assets
from assetdb.errors import UsageError
from assetdb.history.git.questions import repository_prefix
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.checks.healthy import make_healthy, put
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_healthy(tmp_path / "work" / "Game", 1)


@pytest.mark.parametrize(
    ("cwd", "word", "path"),
    [
        (".", ".", ""),
        (".", "Assets/Art", "Assets/Art"),
        (".", "Assets/Art/", "Assets/Art"),
        ("Assets", "Art/tiles.png", "Assets/Art/tiles.png"),
        ("Assets", "..", ""),
        ("Assets/Art", "Assets/Data", "Assets/Data"),  # not here, but from the project on
        ("..", "Game/Assets", "Assets"),
        (".", "*.unity", "*.unity"),
        ("Assets", "*.unity", "*.unity"),
        ("Assets", "./*.unity", "Assets/*.unity"),
        ("Assets", "**/*.mat", "Assets/**/*.mat"),
        ("Assets/Art", "../Data/*.asset", "Assets/Data/*.asset"),
        ("..", "Game/Assets/**/*.mat", "Assets/**/*.mat"),
        ("Assets/Art", "Assets/**/*.mat", "Assets/**/*.mat"),  # the same of a pattern
        ("Assets/Art", "Assets/Da*/*.asset", "Assets/Da*/*.asset"),
        (".", "Assets/Gone", "Assets/Gone"),
        (".", "Assets/[odd].txt", "Assets/[odd].txt"),
    ],
)
def test_words_are_of_the_working_directory(project: Path, cwd: str, word: str, path: str) -> None:
    (project / "Assets/Gone.meta").write_text("")
    (project / "Assets/[odd].txt").write_text("")
    assert project_paths(str(project), [word], str(project / cwd)) == (path,)


def test_words_that_lead_nowhere(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Assets/Nothing: no such file or folder"):
        project_paths(str(project), ["Assets/Nothing"], str(project))
    for pattern in ("Assets/Nothing/*.mat", "Nothing/**", f"{tmp_path}/*.mat"):
        with pytest.raises(UsageError, match="no such file or folder"):
            project_paths(str(project), [pattern], str(project))
    with pytest.raises(UsageError, match="is not in the project"):
        project_paths(str(project), [str(tmp_path)], str(project))


@needs_links
def test_a_link_to_the_project_is_the_project(project: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(project)
    assert project_paths(str(project), [str(tmp_path / "link" / "Assets" / "Art")]) == ("Assets/Art",)


def test_the_first_path_says_the_project(project: Path, tmp_path: Path) -> None:
    assert project_of([]) is None
    assert project_of([str(project)]) == str(project)
    assert project_of(["Art"], str(project / "Assets")) == str(project)
    assert project_of(["Assets/**/*.mat"], str(project)) == str(project)
    assert project_of([str(tmp_path)]) is None


def test_the_prefix_is_that_of_the_nearest_repository(project: Path, tmp_path: Path) -> None:
    assert repository_prefix(str(project)) == ""
    (tmp_path / ".git").mkdir()
    assert repository_prefix(str(project)) == "work/Game/"
    (tmp_path / "work" / ".git").write_text("gitdir: elsewhere")  # a submodule
    assert repository_prefix(str(project)) == "Game/"
    (project / ".git").mkdir()
    assert repository_prefix(str(project)) == ""


def test_files_of_a_package_are_below_its_folder(project: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "package.json").write_text('{"name": "com.acme.tools"}')
    (package / "Runtime").mkdir()
    rows = [Finding("missing-meta", "error", "Packages/com.acme.tools/Runtime", "x")]
    assert [row.path for row in with_files(str(package), rows)] == ["Runtime"]
    assert list(with_files(str(project), rows)) == rows
    assert project_paths(str(package), ["Runtime", "."], str(package)) == ("Packages/com.acme.tools/Runtime", "")
    assert project_paths(str(package), ["*/*.cs"], str(package)) == ("Packages/com.acme.tools/*/*.cs",)


@pytest.mark.parametrize("is_listed", [True, False])
def test_words_without_assets_are_told(project: Path, is_listed: bool) -> None:  # noqa: FBT001 - a row
    (project / "Assets/Hidden~").mkdir()
    (project / "Notes").mkdir()
    put(project, "Assets/Empty/a.txt", "")
    words = {
        "Assets": True,
        "Assets/Art": True,
        "Assets/Art/tiles.png": True,
        "Assets/Art/tiles.png.meta": is_listed,  # which a listing alone tells of
        "*.unity": True,
        "Assets/**/*.mat": True,
        "ProjectSettings": True,
        "ProjectSettings/EditorSettings.asset": True,
        "Packages/manifest.json": True,
        "*.wav": False,
        "Assets/Hidden~": False,
        "Notes": False,
        "Assets/Art/*.unity": False,
        "ProjectSettings/None.asset": False,
    }
    with closing(open_project(str(project))) as opened:
        opened.refresh()
        snapshot = opened if is_listed else Snapshot(str(project), "", opened.database)
        assert (snapshot.listing() is not None) is is_listed
        expected = [word for word, is_found in words.items() if not is_found]
        assert without_assets(snapshot, list(words)) == expected
        assert without_assets(snapshot, ["Assets"]) == without_assets(snapshot, []) == []


def test_thousands_of_paths_are_looked_up(project: Path) -> None:
    paths = [f"Assets/Many/{number}.txt" for number in range(3000)]
    for path in paths:
        put(project, path, "")
    found = open_project(str(project))
    try:
        others = ["Assets/Many/", "Assets/Many", "*.txt", "Assets/Art/tiles.png.meta", "ProjectSettings", "."]
        gone = ["Assets/Man", "Assets/Many/1", "Docs/", "*.none", *(f"Docs/{number}" for number in range(3000))]
        found.refresh()
        started = process_time()
        assert without_assets(found, [*gone, *paths[::-1], *others]) == gone
        assert process_time() - started < 2
    finally:
        found.close()
