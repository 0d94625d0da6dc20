"""The compiled package, for all tests of this folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.editor.mono import Build, shared_build, skip_without

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Build:
    """Return the package for Unity 2021.3 and the program that plays the editor."""
    skip_without("mcs", "mono")
    base: Path = tmp_path_factory.getbasetemp()
    is_worker = hasattr(request.config, "workerinput")  # of pytest-xdist, which is not needed
    return shared_build(base.parent if is_worker else base)
