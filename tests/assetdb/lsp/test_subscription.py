"""Following a daemon: nothing that it did is missed."""

from __future__ import annotations

import io
import threading
from queue import Queue
from typing import TYPE_CHECKING, Any

from assetdb.client.api import Client
from assetdb.daemon.rpc.lines import Writer
from assetdb.errors import NotRunningError
from assetdb.lsp.background_tasks import BackgroundTasks
from assetdb.lsp.documents.open_documents import Documents
from assetdb.lsp.protocol.connection import Peer
from assetdb.lsp.protocol.framing import framed
from assetdb.lsp.subscription import Subscription
from assetdb.lsp.workers import Lanes

if TYPE_CHECKING:
    from pathlib import Path

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


def test_the_daemon_of_another_output_folder_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`assetdb lsp --out-dir` asks the daemon there; that one's updates are the ones to hear of."""
    asked: Queue[tuple[object, ...]] = Queue()

    def connect(*words: object) -> None:
        asked.put(words)
        raise NotRunningError("none runs")

    monkeypatch.setattr(Client, "connect", connect)
    lanes = Lanes(lambda _: None, lambda _: None, "/elsewhere")
    background = BackgroundTasks(Documents("utf-16"), lanes, Peer(Writer(io.BytesIO(), framed)))
    background.follow(str(tmp_path))
    try:
        assert asked.get(timeout=PATIENCE) == (str(tmp_path), "/elsewhere")
    finally:
        background.close()
