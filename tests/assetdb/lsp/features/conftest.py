"""An editor that has a project with events open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.assetdb.lsp.editor import editing
from tests.assetdb.lsp.features.events import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    events = tmp_path_factory.mktemp("events") / "P"
    (events / "ProjectSettings").mkdir(parents=True)
    for path, (guid, text) in FILES.items():
        file = events / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        (events / f"{path}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\n")
    return events


@pytest.fixture(scope="module")
def eventful(events: Path) -> Iterator[Editor]:
    with editing(events) as found:
        yield found
