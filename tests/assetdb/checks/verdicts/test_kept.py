"""Verdicts on disk: what cannot be used is nothing, and what is there is what was written."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts import judge_project
from assetdb.checks.verdicts.kept import read_kept
from assetdb.query.snapshot import open_project
from assetdb.store.files import VERDICTS_NAME
from tests.assetdb.unity_project import HEAD, guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.verdicts import JudgedProject


def judged(root: Path) -> JudgedProject:
    project = open_project(str(root), str(root / "out"))
    found = judge_project(project)
    project.close()
    return found


def test_what_is_kept_is_what_was_found(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    assert read_kept(str(root / "out")) is None
    found = judged(root)
    kept = read_kept(str(root / "out"))
    assert kept is not None
    state = kept.state()
    assert state.counts == found.counts
    assert {path.decode() for path in kept.problems()} == set(found.problems)
    assert len(state.keys) == len(state.codes)
    assert judged(root) == found


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_is_an_empty_one(tmp_path: Path, seed: int) -> None:
    root = make_project(tmp_path)
    found = judged(root)
    path = root / "out" / VERDICTS_NAME
    chosen = random.Random(seed)
    data = bytearray(path.read_bytes())
    kind = seed % 4
    if kind == 0:
        del data[chosen.randrange(len(data)) :]
    elif kind == 1:
        data += b"more"
    elif kind == 2:
        data = bytearray(chosen.randbytes(len(data)))
    else:
        data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(8)
    path.write_bytes(data)
    kept = read_kept(str(root / "out"))
    assert kept is None or not kept.state().rows  # its front may be whole
    scene = root / "Assets" / "Main.unity"
    scene.write_text(scene.read_text() + "\n")
    assert judged(root) == found


def test_a_folder_where_the_file_should_be_is_no_reason_to_fail(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    (root / "out" / VERDICTS_NAME).mkdir(parents=True)
    assert judged(root).counts["named", ""] == 11


def test_what_no_file_refers_to_any_more_is_forgotten(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    rows = [f"  - {{fileID: 2100000, guid: {guid(number)}, type: 2}}\n" for number in range(500, 900)]
    for start in range(0, 400, 40):
        write(
            root, "Assets/list.asset", 77, f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n{''.join(rows[start : start + 40])}"
        )
        found = judged(root)
        assert found.counts["missing", "missing-asset"] == 40
    kept = read_kept(str(root / "out"))
    assert kept is not None
    state = kept.state()
    assert state.counts == found.counts
    assert len(state.keys) < 150
    assert judge_fresh(root) == found


def judge_fresh(root: Path) -> JudgedProject:
    project = open_project(str(root), str(root / "out"))
    found = judge_project(project, keep=False)
    project.close()
    return found
