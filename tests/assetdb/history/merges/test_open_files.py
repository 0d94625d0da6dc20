"""Conflicted files of a repository, and answers by name and number."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import UsageError
from assetdb.history.git.repository import Repository
from assetdb.history.merges.open_files import answers_by, find_open
from tests.assetdb.cli.merging.guide import scene
from tests.assetdb.cli.merging.test_resolve import SCENE, conflicted
from tests.assetdb.unity_project import guid
from tests.system.test_merge_driver import run

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="git's shell is not on PATH there")

POSITION, SCALE = b"  m_LocalPosition: {x: 0, y: %d, z: 0}\n", b"  m_LocalScale: {x: %d, y: 1, z: 1}\n"


def test_the_first_pattern_of_a_name_or_number_answers(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2), theirs=scene(3, 3))
    (file,) = find_open(Repository(str(root))).files
    first, second = file.conflicts
    assert (first.ours, first.theirs, first.base) == (POSITION % 2, POSITION % 3, POSITION % 1)
    assert answers_by(file, []) == [None, None]
    assert answers_by(file, [("theirs", "* m_LocalPosition"), ("ours", "*")]) == [POSITION % 3, second.ours]
    assert answers_by(file, [("base", "1"), ("theirs", "2")]) == [POSITION % 1, second.theirs]
    assert answers_by(file, [("both", "*")]) == [None, None]  # neither is a list


def test_files_are_named_and_others_have_a_problem(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2), theirs=scene(3))
    repository = Repository(str(root))
    assert [file.path for file in find_open(repository, [str(root / SCENE)]).files] == [SCENE]
    with pytest.raises(UsageError, match="has no conflict in git's index"):
        find_open(repository, [str(root / "Assets/Prefabs/Tower.prefab")])
    oid = run(root, "rev-parse", f":2:{SCENE}").stdout.strip()
    given = "".join(f"100644 {oid} {stage}\tAssets/Gone.unity\n" for stage in (1, 2))
    (tmp_path / "rows").write_text(given)
    with open(tmp_path / "rows") as rows:
        assert run(root, "update-index", "--index-info", stdin=rows).returncode == 0
    found = find_open(repository)
    assert [file.path for file in found.files] == [SCENE]
    (problem,) = found.problems
    assert problem == (
        "Assets/Gone.unity",
        "theirs removed the file, ours changed it: decide with `git rm` or `git add`",
    )


def test_a_file_is_found_in_capitals_and_once(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2), theirs=scene(3))
    hall = "Assets/Hall.UNITY"
    (root / hall).write_bytes((root / SCENE).read_bytes())
    oids = [run(root, "rev-parse", f":{stage}:{SCENE}").stdout.strip() for stage in (1, 2, 3)]
    (tmp_path / "rows").write_text("".join(f"100644 {oid} {at}\t{hall}\n" for at, oid in enumerate(oids, 1)))
    with open(tmp_path / "rows") as rows:
        assert run(root, "update-index", "--index-info", stdin=rows).returncode == 0
    repository = Repository(str(root))
    assert [file.path for file in find_open(repository).files] == [hall, SCENE]
    assert [file.path for file in find_open(repository, [str(root / hall)] * 2).files] == [hall]


def test_a_reference_to_another_file_has_its_path(tmp_path: Path) -> None:
    reference = "--- !u!114 &60\nMonoBehaviour:\n  m_Name: Lamp\n  used: {{fileID: 11500000, guid: {}, type: 3}}\n"
    texts = [scene() + reference.format(found) for found in ("f" * 32, guid(3), "e" * 32)]
    root = conflicted(tmp_path, driver=True, base=texts[0], ours=texts[1], theirs=texts[2])
    (file,) = find_open(Repository(str(root))).files
    said = f"ours Assets/Scripts/Health.cs:11500000, theirs {'e' * 32}:11500000"
    assert file.names.line(file.conflicts[0]).endswith(f" -> {said}")


def test_a_file_that_ours_removed_and_one_that_is_too_large_are_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2), theirs=scene(3))
    oid = run(root, "rev-parse", f":2:{SCENE}").stdout.strip()
    (tmp_path / "rows").write_text("".join(f"100644 {oid} {stage}\tAssets/Gone.unity\n" for stage in (1, 3)))
    with open(tmp_path / "rows") as rows:
        assert run(root, "update-index", "--index-info", stdin=rows).returncode == 0
    monkeypatch.setattr("assetdb.history.merges.open_file.LARGEST", 100)
    size = (root / SCENE).stat().st_size
    assert find_open(Repository(str(root))).problems == [
        ("Assets/Gone.unity", "ours removed the file, theirs changed it: decide with `git rm` or `git add`"),
        (SCENE, f"has {size:,} bytes, at most 100 are read"),
    ]
