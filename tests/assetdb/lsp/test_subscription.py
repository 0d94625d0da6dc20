"""Following a daemon: nothing that it did is missed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from assetdb.client.api import Client
from assetdb.lsp.subscription import Subscription

if TYPE_CHECKING:
    import pytest

    from tests.system.watch.daemons import Project

PATIENCE = 60.0


def test_an_update_before_the_subscription_is_told(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon is up, has read what was written, and the editor is not on its list yet."""
    made.start()
    subscribe = Client.subscribe
    calls = []

    def late(client: Client, **words: Any) -> Any:  # noqa: ANN401 - what the client's takes and returns
        calls.append(client)
        if len(calls) == 1:
            (made.root / "Assets/Between.txt").write_text("x")
            with Client.connect(str(made.root)) as other:
                other.changed(["Assets/Between.txt"])
                other.sync(timeout=PATIENCE)
        return subscribe(client, **words)

    monkeypatch.setattr(Client, "subscribe", late)
    told = threading.Event()
    subscription = Subscription(str(made.root), told.set)
    try:
        assert told.wait(PATIENCE)
    finally:
        subscription.close()
    assert calls
