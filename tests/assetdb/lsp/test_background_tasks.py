"""Updates nobody asked for: what a request after a notification may rest on."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING

from assetdb.daemon.rpc.lines import Writer
from assetdb.lsp import background_tasks, features
from assetdb.lsp.background_tasks import BackgroundTasks
from assetdb.lsp.documents.open_documents import Documents
from assetdb.lsp.protocol.connection import Peer
from assetdb.lsp.protocol.framing import framed
from assetdb.lsp.protocol.registry import FEATURES
from assetdb.lsp.protocol.structures import DocumentItem
from assetdb.lsp.protocol.uris import uri_of
from assetdb.lsp.workers import FIND, LONG, Lanes

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PATIENCE = 20.0


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


def test_references_do_not_wait_for_findings(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings wait for a check: with edits all the time, references that waited for them took 13 s."""
    assert features
    lane_of = {method: feature.lane for method, feature in FEATURES.items()}
    assert lane_of["textDocument/references"] == LONG
    assert LONG not in (lane_of["textDocument/diagnostic"], lane_of["textDocument/codeAction"])
    root, path = str(project), project / "Assets/Prefabs/Variant.prefab"
    lanes = Lanes(lambda _: None, lambda _: None)
    documents = Documents("utf-16")
    background = BackgroundTasks(documents, lanes, Peer(Writer(io.BytesIO(), framed)))
    searching, free, answered = threading.Event(), threading.Event(), threading.Event()

    def search(*_: object) -> list[object]:
        searching.set()
        _wait_for(free)
        return []

    monkeypatch.setattr(background_tasks, "findings_of", search)
    uri = uri_of(str(path))
    documents.open(DocumentItem(uri, path.read_text("utf-8"), 1))
    asked = lanes.get(root, LONG)
    try:
        background._find_problems(uri)
        _wait_for(searching)
        asked.submit(asked.job(lambda _: answered.set()))
        _wait_for(answered)
    finally:
        free.set()
        background.close()
        lanes.end(root)


def test_a_project_without_open_documents_is_followed_no_longer(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[str] = []
    left: list[str] = []

    class Followed:
        def __init__(self, root: str, *_: object) -> None:
            self._root = root
            followed.append(root)

        def close(self) -> None:
            left.append(self._root)

    monkeypatch.setattr(background_tasks, "Subscription", Followed)
    root = str(project)
    lanes = Lanes(lambda _: None, lambda _: None)
    documents = Documents("utf-16")
    background = BackgroundTasks(documents, lanes, Peer(Writer(io.BytesIO(), framed)))
    item = DocumentItem(uri_of(str(project / "Assets/Prefabs/Variant.prefab")), "text", 1)
    document = documents.open(item)
    background.follow(root)
    background.forget_projects()
    assert (followed, left) == ([root], [])
    documents.close(document.uri)
    background.forget_projects()
    assert left == [root]
    background.follow(root)
    assert followed == [root, root]
    background.close()
    assert left == [root, root]
    background.follow(root)
    assert followed == [root, root], "it was closed"


def _wait_for(event: threading.Event) -> None:
    assert event.wait(PATIENCE)
