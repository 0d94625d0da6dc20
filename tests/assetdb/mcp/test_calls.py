"""The thread that answers calls goes on, however one of them ends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from assetdb.mcp.calls import Calls
from assetdb.mcp.protocol import Message

if TYPE_CHECKING:
    import pytest


def test_an_exit_is_an_error_and_the_next_call_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[object, object]] = []

    def read(_: Calls, uri: str) -> dict[str, Any]:
        if uri == "exits":
            sys.exit(3)
        return {"uri": uri}

    monkeypatch.setattr(Calls, "_read", read)
    calls = Calls(
        (None, None),
        lambda message, result: told.append((message.number, result)),
        lambda message, error: told.append((message.number, type(error))),
    )
    for number, uri in enumerate(("exits", "other")):
        assert calls.read(Message("resources/read", {}, number, is_modern=False), uri)
    calls.close()
    assert told == [(0, SystemExit), (1, {"uri": "other"})]
