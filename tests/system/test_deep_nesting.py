"""Prefabs nested hundreds deep, or twice a level, are listed as far as is reasonable, and it is said how far."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.query.listing import list_objects
from assetdb.query.selecting.selector import Subject
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, game_object, guid, instance, write

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 8 << 20
"""Bytes of a listing that a terminal, or a pipe, can still take."""


def make(root: Path, count: int, times: int, *, same: bool) -> None:
    """Write prefabs, each of which has the one before so many times; with ``same``, under the same fileIDs."""
    (root / "ProjectSettings").mkdir(parents=True)
    for number in range(1, count + 1):
        first = 100 if same else 1000 * number
        nested = [
            instance(first + 200 + 100 * each, number - 1, first + 1) for each in range(times if number > 1 else 0)
        ]
        text = HEAD + game_object(first, f"P{number}") + "".join(nested)
        write(root, f"Assets/P{number}.prefab", number, text, "PrefabImporter:\n  userData: \n")


@pytest.mark.parametrize(("count", "times", "same"), [(30, 2, True), (30, 2, False), (400, 1, True)])
def test_a_listing_is_bounded_and_says_what_is_left_out(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    count: int,
    times: int,
    *,
    same: bool,
) -> None:
    make(tmp_path / "P", count, times, same=same)
    monkeypatch.chdir(tmp_path / "P")
    assert main(["ls", f"Assets/P{count}.prefab", "--tree"]) == 0
    out, err = capfd.readouterr()
    assert len(out) < LONGEST
    found = re.search(r"left out, with all that is below them: ([\d,]+) objects? \(.*Assets/P\d+\.prefab", err)
    assert found is not None, err
    assert main(["ls", f"Assets/P{count}.prefab", "--tree", "--depth", "3", "-q"]) == 0


def test_a_chain_of_four_hundred_is_listed_to_its_end(tmp_path: Path) -> None:
    make(tmp_path / "P", 400, 1, same=False)
    project = open_project(str(tmp_path / "P"))
    found = list_objects(Subject(guid(400), None), project)
    assert [(row.depth, row.name) for row in found.objects] == [(depth, f"P{400 - depth}") for depth in range(400)]
    assert (found.truncated, list(found.left_out)) == (False, [])
    project.close()
