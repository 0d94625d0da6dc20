"""The doctor tries the merge driver."""

from __future__ import annotations

import os
import sysconfig
from typing import TYPE_CHECKING

import pytest

from assetdb.doctor.item import OK, WARNING
from assetdb.doctor.merging import examine_merges
from assetdb.history.configuration.setup import set_up
from assetdb.history.git.repository import Repository
from tests.assetdb.history.git_project import git, make_repository

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="git's shell is not on PATH there")


def test_nothing_is_tried_without_a_driver(tmp_path: Path) -> None:
    assert list(examine_merges(Repository(str(make_repository(tmp_path))))) == []


def test_a_driver_that_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_repository(tmp_path)
    list(set_up(str(root), hook=False, merge=True))
    monkeypatch.setenv("PATH", f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}")
    (item,) = examine_merges(Repository(str(root)))
    assert (item.state, item.message) == (OK, "merge.assetdb.driver merges by object")


@pytest.mark.parametrize(("program", "said"), [("echo broken >&2; exit 1", "broken"), ("exit 3", "exit code 1")])
def test_a_driver_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, said: str) -> None:
    root = make_repository(tmp_path / "game")
    list(set_up(str(root), hook=False, merge=True))
    stand_in = tmp_path / "assetdb"
    stand_in.write_text(f"#!/bin/sh\n{program}\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (item,) = examine_merges(Repository(str(root)))
    assert item.state == WARNING
    assert said in item.message
    assert "git-setup --merge" in item.advice


def test_another_program(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    git(root, "config", "merge.assetdb.driver", "true %O %A %B")
    (item,) = examine_merges(Repository(str(root)))
    assert (
        item.message == "merge.assetdb.driver does not merge by object: it ended with exit code 0: git merges by lines"
    )
