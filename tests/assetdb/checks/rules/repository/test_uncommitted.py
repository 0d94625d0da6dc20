"""Assets that files in git use and git does not have, by the rule alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.rules.repository.uncommitted import find_uncommitted, message_of_untracked
from assetdb.history.tracking.untracked import Untracked
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.history.git_project import git, make_repository, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

NEW, PREFAB = "Assets/Scripts/New.cs", "Assets/Prefabs/New.prefab"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


def add(root: Path, *paths: str) -> None:
    git(root, "add", *paths)


def test_the_message_says_which_half_git_lacks_and_why() -> None:
    meta = f"{NEW}.meta"
    said = [
        message_of_untracked(NEW, Untracked(frozenset(added), frozenset(ignored)))
        for added, ignored in (([NEW, meta], []), ([], [NEW, meta]), ([meta], []), ([], [meta]))
    ]
    assert said == [
        f"{NEW} is not in git: add it and its .meta",
        f"git ignores {NEW}: whoever clones the project does not get it",
        f"{meta} is not in git: add it",
        f"git ignores {meta}: in every clone the asset gets another GUID",
    ]


def test_a_reference_has_its_object_property_and_line(root: Path) -> None:
    write(root, NEW, 78, "class New {}")
    write(root, PREFAB, 90, HEAD + game_object(100, "New", 0, script(78)))
    add(root, PREFAB, f"{PREFAB}.meta")
    (found,) = found_by(find_uncommitted, root)
    assert (found.severity, found.path, found.object_path, found.property_path) == (
        "warning",
        PREFAB,
        "New (New)",
        "m_Script",
    )
    text = (root / PREFAB).read_text().split("\n")
    assert guid(78) in text[found.line - 1]
    assert found.target == f"{guid(78)}:11500000"


def test_a_reference_to_the_original_of_a_new_copy_is_whole(root: Path) -> None:
    write(root, NEW, 78, "class New {}")
    write(root, PREFAB, 90, HEAD + game_object(100, "New", 0, script(78)))
    add(root, NEW, f"{NEW}.meta", PREFAB, f"{PREFAB}.meta")
    write(root, "Assets/Copy.cs", 78, "class New {}")  # the first by path has the entry of the GUID
    assert not found_by(find_uncommitted, root)
    git(root, "rm", "-q", "--cached", f"{NEW}.meta")
    assert [row.path for row in found_by(find_uncommitted, root)] == [PREFAB]


def test_importers_refer_too(root: Path) -> None:
    write(root, NEW, 78, "class New {}")
    importer = f"MonoImporter:\n  icon: {{fileID: 2800000, guid: {guid(78)}, type: 3}}\n"
    write(root, "Assets/Scripts/Old.cs", 91, "class Old {}", importer)
    add(root, "Assets/Scripts/Old.cs", "Assets/Scripts/Old.cs.meta")
    assert [row.path for row in found_by(find_uncommitted, root)] == ["Assets/Scripts/Old.cs.meta"]


def test_halves_of_assets_and_of_folders(root: Path) -> None:
    write(root, NEW, 78, "class New {}")
    write(root, "Assets/Fresh/a.txt", 79, "x")
    (root / "Assets/Fresh.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(80)}\nfolderAsset: yes\n")
    add(root, NEW, "Assets/Fresh/a.txt.meta")
    assert [(row.path, row.message) for row in found_by(find_uncommitted, root)] == [
        ("Assets/Fresh/a.txt.meta", "its asset Assets/Fresh/a.txt is not in git: add it"),
        (NEW, f"{NEW}.meta is not in git: add it"),
    ]
    add(root, "Assets/Fresh/a.txt", f"{NEW}.meta")
    assert [(row.path, row.message) for row in found_by(find_uncommitted, root)] == [
        ("Assets/Fresh", "its .meta is not in git: in every clone the folder gets another GUID")
    ]


@pytest.mark.parametrize("count", [3, 60])
def test_few_and_many_new_assets_are_found_alike(root: Path, count: int) -> None:
    for number in range(count):
        write(root, f"Assets/Many/s{number}.cs", 200 + number, "class S {}")
    write(root, PREFAB, 90, HEAD + game_object(100, "New", 0, script(200 + count - 1)))
    add(root, PREFAB, f"{PREFAB}.meta")
    (found,) = found_by(find_uncommitted, root)
    assert f"Assets/Many/s{count - 1}.cs" in found.message


def test_a_git_that_fails_is_said_until_it_is_mended(root: Path) -> None:
    only = Selection(select=("not-committed",))
    write(root, NEW, 78, "class New {}")
    (root / ".git" / "config").rename(root / "config")
    (root / ".git" / "config").write_text("[")
    for _ in range(2):
        project = open_project(str(root))
        (found,) = check_project(project, only).findings
        assert (found.path, found.severity) == ("Assets", "warning")
        assert found.message.startswith("what is not in git could not be judged: git ")
        assert str(root) not in found.message.partition(": fatal")[0]
        project.close()
    (root / "config").replace(root / ".git" / "config")
    add(root, NEW)
    project = open_project(str(root))
    assert [row.path for row in check_project(project, only).findings] == [NEW]
    project.close()


@pytest.mark.parametrize(("count", "shown"), [(1, 1), (20, 20), (21, 1), (60, 1)])
def test_metas_that_a_rule_ignores_are_told_with_it(root: Path, count: int, shown: int) -> None:
    """Of many, as where all metas are ignored, the first tells of the others."""
    (root / ".gitignore").write_text("/Library/\n/Assets/Many/*.meta\n")
    for number in range(count):
        write(root, f"Assets/Many/{number:02}.txt", 700 + number, "text")
    git(root, "add", "-A")
    found = [row for row in found_by(find_uncommitted, root) if row.path.endswith(".txt")]
    assert [(row.path, row.asset) for row in found] == [
        (f"Assets/Many/{number:02}.txt", guid(700 + number)) for number in range(shown)
    ]
    rule = "(.gitignore:2 `/Assets/Many/*.meta`)"
    one = f"git ignores its .meta {rule}: in every clone it gets another GUID"
    many = f"git ignores its .meta and the .metas of {count - 1} other assets {rule}: "
    many += "in every clone they get other GUIDs"
    assert {row.message for row in found} == {one if shown == count else many}
