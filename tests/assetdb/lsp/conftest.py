from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.fixture import copy_fixture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the fixture project, in a folder whose name has what URIs escape."""
    root = tmp_path_factory.mktemp("a project (ü)") / "My Game"
    copy_fixture(root)
    return root


@pytest.fixture(scope="module")
def editor(project: Path) -> Iterator[Editor]:
    """An editor that has the project open, for the tests of a module."""
    from tests.assetdb.lsp.editor import editing  # noqa: PLC0415 - it needs lsprotocol, and says so where it is not

    with editing(project) as found:
        yield found
