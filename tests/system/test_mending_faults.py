"""What the fuzzers of mending try by the thousand, some of it: lost GUIDs, and faults at system calls."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from scripts.fuzz import mend
from tests.long_cases import long_after
from tests.system.graph.project import write_project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", long_after(1, range(2)))
def test_mending_loses_no_guid(tmp_path: Path, seed: int) -> None:
    write_project(tmp_path / "Project")
    done = mend.run(tmp_path / "Project", 6, seed)
    assert done["GUIDs that were there again"]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 14))
def test_mending_many_times_loses_no_guid(tmp_path: Path, seed: int) -> None:
    write_project(tmp_path / "Project")
    mend.run(tmp_path / "Project", 40, seed)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("strace") is None, reason="strace is not here")
@pytest.mark.parametrize("name", ["mv", "rm", "register", "--fix", "git-setup"])
def test_a_fault_at_a_system_call_loses_nothing(name: str) -> None:
    from scripts.fuzz import faults  # noqa: PLC0415 - its calls are those of Linux

    assert faults.run(16, 1, [name]) == []
