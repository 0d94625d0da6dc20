"""The compiled package, for all tests of this folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editor.mono import Build, shared_build, skip_without

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Build:
    """Return the package for Unity 2021.3 and the program that plays the editor."""
    skip_without("mcs", "mono")
    base: Path = tmp_path_factory.getbasetemp()
    return shared_build(base if worker_id == "master" else base.parent)
