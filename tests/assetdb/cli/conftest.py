"""What tests of commands share: a project that they are typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with references of every kind, which is the working directory."""
    monkeypatch.chdir(make_project(tmp_path))
    return tmp_path
