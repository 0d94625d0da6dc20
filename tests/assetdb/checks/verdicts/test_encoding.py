"""Verdicts on disk: what cannot be used is nothing, and what is there is what was written."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts.encoding import Packing, decode_state
from assetdb.checks.verdicts.judging import (
    STATE,
    VERDICTS,
    VERSION_OF_VERDICTS,
    Verdicts,
    decode_judgement,
    judge_project,
    last_counts,
)
from assetdb.checks.verdicts.processing import Processing
from assetdb.memo.inputs import PACKAGES
from assetdb.memo.memo import Memo
from assetdb.query.graph.verdicts import BROKEN, NO_REFERENCE
from assetdb.query.snapshots.snapshot import open_project
from assetdb.scan.reader import LARGEST_META
from assetdb.store.files import MEMO_NAME
from tests.assetdb.unity_project import HEAD, SETTLED, guid, make_project, write, write_meta

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.checks.verdicts.locating import Problem
    from assetdb.checks.verdicts.state import State


def judged(root: Path) -> JudgedProject:
    project = open_project(str(root), str(root / "out"))
    found = judge_project(project)
    project.close()
    return found


def state_of(root: Path) -> State | None:
    """Return what verdicts rest on, as it is kept."""
    memo = Memo(str(root / "out"))
    packed, environment = memo.get(STATE), memo.noted(VERDICTS, VERSION_OF_VERDICTS).get((PACKAGES, ""), "")
    return decode_state(packed, str(environment), Packing()) if packed is not None else None


def of_references(counts: dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """Return the counts without faults of files and comparisons of classes, which are no references."""
    return {outcome: count for outcome, count in counts.items() if outcome[0] not in (BROKEN, NO_REFERENCE)}


def test_what_is_kept_is_what_was_found(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    assert state_of(root) is None
    found = judged(root)
    state = state_of(root)
    assert state is not None
    assert of_references(state.counts) == found.counts
    assert {path.decode() for path in state.problems} == set(found.problems)
    assert len(state.keys) == len(state.codes)
    assert judged(root) == found


def test_it_holds_of_nothing_else(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    judged(root)
    memo = Memo(str(root / "out"))
    packed, other = memo.get(STATE), memo.kept(VERDICTS)
    assert packed is not None
    assert other is not None
    assert decode_state(packed, "another", Packing()) is None
    memo.put(STATE, other)  # whole, and not what it should be
    assert memo.write()
    assert judged(root) == judge_fresh(root)
    assert decode_judgement(other)[0].keys() >= judged(root).counts.keys()
    with pytest.raises(ValueError, match=r"wrong|unpack"):
        decode_judgement(packed)


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_state_is_none(tmp_path: Path, seed: int) -> None:
    root = make_project(tmp_path)
    found = judged(root)
    memo = Memo(str(root / "out"))
    data = bytearray(memo.get(STATE) or b"")
    chosen = random.Random(seed)
    if seed % 3 == 0:
        del data[chosen.randrange(len(data)) :]
    elif seed % 3 == 1:
        data = bytearray(chosen.randbytes(len(data)))
    else:
        data += b"more"
    memo.put(STATE, bytes(data))
    assert memo.write()
    assert state_of(root) is None
    assert judged(root) == found
    scene = root / "Assets" / "Main.unity"
    scene.write_text(scene.read_text() + "\n")
    assert judged(root) == found


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_is_an_empty_one(tmp_path: Path, seed: int) -> None:
    root = make_project(tmp_path)
    found = judged(root)
    path = root / "out" / MEMO_NAME
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
    assert judged(root) == found
    scene = root / "Assets" / "Main.unity"
    scene.write_text(scene.read_text() + "\n")
    assert judged(root) == found


@pytest.mark.parametrize("kept_for_one", [1, 1 << 30])  # what it rests on is written after no edit, or after each
def test_verdicts_follow_from_an_earlier_tree(tmp_path: Path, kept_for_one: int) -> None:
    root = make_project(tmp_path)
    time.sleep(SETTLED)
    judged(root)
    first = Memo(str(root / "out")).get(STATE)
    for number in range(3):
        rows = "".join(f"  - {{fileID: 1, guid: {guid(500 + row)}, type: 2}}\n" for row in range(number + 1))
        write(root, f"Assets/list{number % 2}.asset", 77 + number % 2, f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n{rows}")
        time.sleep(SETTLED)
        project = open_project(str(root), str(root / "out"))
        memo = Memo(str(root / "out"))
        found = Verdicts(memo).of(project, Processing(kept_for_one=kept_for_one))
        assert memo.write()
        project.close()
        assert found == judge_fresh(root)
        assert (Memo(str(root / "out")).get(STATE) == first) == (kept_for_one == 1)
        counts = last_counts(str(root / "out"))
        assert counts is not None
        assert of_references(counts) == found.counts
    assert judged(root) == found


def test_a_folder_where_the_file_should_be_is_no_reason_to_fail(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    (root / "out" / MEMO_NAME).mkdir(parents=True)
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
    state = state_of(root)
    assert state is not None
    assert of_references(state.counts) == found.counts
    assert len(state.keys) < 150
    assert judge_fresh(root) == found


def judge_fresh(root: Path) -> JudgedProject:
    project = open_project(str(root), str(root / "out"))
    found = judge_project(project, keep=False)
    project.close()
    return found


def test_a_digest_of_problems_is_the_same_in_any_process_and_another_for_other_problems() -> None:
    rows: list[Problem] = [(0, 7, 4, 5, "Body", "", 11500000, "m_Mesh", "", "", guid(1), 5, "unnamed", "dangling")]
    others: list[Problem] = [(0, 8, 4, 5, "Body", "", 11500000, "m_Mesh", "", "", guid(1), 5, "unnamed", "dangling")]
    packing = Packing()
    first = packing.digest(b"Assets/a.prefab", rows)
    assert packing.digest(b"Assets/a.prefab", rows) == first
    assert Packing().digest(b"Assets/b.prefab", list(rows)) == first
    assert packing.digest(b"Assets/a.prefab", others) != first


def test_a_later_run_knows_whether_a_meta_could_not_be_read(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    write(root, "Assets/Hidden.png", 78, "", "TextureImporter:\n")
    os.truncate(root / "Assets/Hidden.png.meta", LARGEST_META + 1)
    assert judged(root).counts["apart", "unreadable"] == 1
    write_meta(root, "Assets/Hidden.png", 78, "TextureImporter:\n")
    found = judged(root)
    assert found.counts["missing", "missing-asset"] == 1
    assert found == judge_fresh(root)
