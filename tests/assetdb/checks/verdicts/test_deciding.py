from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts.deciding import NOTHING_KNOWN, decide
from assetdb.checks.verdicts.judging import judge_project
from assetdb.checks.verdicts.kept import read_front
from assetdb.checks.verdicts.whole import Packing, read_state
from assetdb.query.snapshot import open_project
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path


def compare(root: Path, out: Path) -> None:
    """What was told at once of all keys is what judging each finds."""
    project = open_project(str(root), str(out))
    judge_project(project)
    front = read_front(str(out))
    assert front is not None
    state = read_state(str(out), front.environment, Packing())
    assert state is not None
    at_once = {key: state.outcomes[code] for key, code in zip(state.keys, state.codes, strict=True)}
    assert at_once
    assert decide(project, state.keys, NOTHING_KNOWN, workers=2, few=0) == at_once
    project.close()


def test_the_short_way_says_what_the_long_one_does(tmp_path: Path) -> None:
    compare(make_project(tmp_path), tmp_path / "out")


@pytest.mark.corpus("unity/UnityPlayground", "unity/Mirror", "unity/BoatAttack")
@pytest.mark.parametrize("name", ["UnityPlayground", "Mirror", "BoatAttack"])
def test_the_short_way_says_it_of_real_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    compare(corpus / "unity" / name, tmp_path / "out")
