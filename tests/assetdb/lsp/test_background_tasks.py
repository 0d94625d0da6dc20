"""Updates nobody asked for: what a request after a notification may rest on."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING

from assetdb.daemon.rpc.lines import Writer
from assetdb.lsp.background_tasks import BackgroundTasks
from assetdb.lsp.documents.open_documents import Documents
from assetdb.lsp.protocol.connection import Peer
from assetdb.lsp.protocol.framing import framed
from assetdb.lsp.workers import FIND, LONG, Lanes

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60.0


def test_written_files_are_known_to_a_lane_before_the_daemon_was_told(project: Path) -> None:
    """Of usages asked for right after the notification, those in a new scene were missing for up to a second."""
    root = str(project)
    lanes = Lanes(lambda _: None, lambda _: None)
    background = BackgroundTasks(Documents("utf-16"), lanes, Peer(Writer(io.BytesIO(), framed)))
    free = threading.Event()
    asked = lanes.get(root, LONG)
    busy = lanes.get(root, FIND)
    try:
        busy.submit(busy.job(lambda _: _wait_for(free)))
        background.written([str(project / "Assets/New.unity")])
        assert asked.moved
    finally:
        free.set()
        background.close()
        for lane in (asked, busy):
            lane.close()
            lane.join(PATIENCE)


def _wait_for(event: threading.Event) -> None:
    assert event.wait(PATIENCE)
