from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.assetdb.mcp.assistant import Assistant, assisting

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURE = Path(__file__).parents[3] / "fixtures" / "unity_project"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the fixture project."""
    root = tmp_path_factory.mktemp("mcp") / "Game"
    shutil.copytree(FIXTURE, root, symlinks=True)
    return root


@pytest.fixture(scope="module")
def assistant(project: Path) -> Iterator[Assistant]:
    """An assistant at work in the fixture project, for the tests of a module."""
    with assisting(project) as found:
        yield found
