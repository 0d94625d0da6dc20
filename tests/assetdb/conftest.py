from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.system.watch.daemons import Project, make

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """A project that a daemon can be started for, with the folder of its socket."""
    found = make(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(found.runtime))
    yield found
    found.end()
