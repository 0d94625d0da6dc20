from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.fixture import copy_fixture
from tests.assetdb.mcp.assistant import Assistant, assisting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the fixture project."""
    root = tmp_path_factory.mktemp("mcp") / "Game"
    copy_fixture(root)
    return root


@pytest.fixture(scope="module")
def assistant(project: Path) -> Iterator[Assistant]:
    """An assistant at work in the fixture project, for the tests of a module."""
    with assisting(project) as found:
        yield found
