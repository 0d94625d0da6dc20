"""The answer of a command as JSON, run in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from assetdb.cli import main

if TYPE_CHECKING:
    import pytest


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:  # noqa: ANN401 - JSON
    """Return the one JSON answer of a command that found something, or nothing."""
    capsys.readouterr()
    assert main([*words, "--json", "-q"]) in (0, 1)
    return json.loads(capsys.readouterr().out)
