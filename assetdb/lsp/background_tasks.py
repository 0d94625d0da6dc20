"""Unrequested updates: published findings and refreshed names."""

from __future__ import annotations

import os
import threading
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from assetdb.errors import AssetdbError
from assetdb.lsp.documents.findings import findings_of
from assetdb.lsp.projects import project_of
from assetdb.lsp.protocol.structures import PublishDiagnostics
from assetdb.lsp.subscription import Subscription
from assetdb.lsp.workers import FIND, FINDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.lsp.documents.open_documents import Document, Documents
    from assetdb.lsp.protocol.connection import Peer
    from assetdb.lsp.workers import Lane, Lanes
    from assetdb.system.jobs import Job

_SETTLED: Final = 0.15  # seconds without a further change before findings and names are refreshed


class BackgroundTasks:
    """Keeps the editor's view current; called from the reading thread unless noted."""

    def __init__(self, documents: Documents, lanes: Lanes, peer: Peer) -> None:
        self._documents = documents
        self._lanes = lanes
        self._peer = peer
        self._timers: dict[str, threading.Timer] = {}
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._subscriptions: dict[str, Subscription] = {}
        self._closed = False
        self.changes: Counter[str] = Counter()
        """How often files of each project changed."""

    # --- events

    def opened(self, document: Document) -> None:
        """Find problems of a document, and follow its project's daemon."""
        root = project_of(document.path)
        if root:
            self.follow(root)
            self._after(f"findings {document.uri}", partial(self._find_problems, document.uri))

    def follow(self, root: str) -> None:
        """Follow the daemon of a project; from any thread."""
        with self._lock:
            if root not in self._subscriptions and not self._closed:
                self._subscriptions[root] = Subscription(root, partial(self.changed, root), self._lanes.out_dir)

    def saved(self, path: str, document: Document | None) -> None:
        """Handle a saved document."""
        if document is not None:
            self._after(f"findings {document.uri}", partial(self._find_problems, document.uri))
        self.written([path])

    def written(self, paths: Iterable[str]) -> None:
        """Handle files written by any program."""
        by_root: dict[str, list[str]] = {}
        for path in paths:
            root = project_of(path)
            if root:
                by_root.setdefault(root, []).append(path)
        for root, of in by_root.items():
            if root in self._lanes.roots:
                self._lanes.moved(root)  # a request that the editor sends next may run before the announcement
                lane = self._lanes.get(root, FIND)
                lane.submit(lane.job(partial(self._announce, root, of)))

    def closed(self, document: Document) -> None:
        """Withdraw the findings of a document."""
        with self._lock:
            pending = self._timers.pop(f"findings {document.uri}", None), self._jobs.pop(document.uri, None)
        for task in pending:
            if task is not None:
                task.cancel()
        if not self._peer.client.pulls_diagnostics:
            self._peer.notify("textDocument/publishDiagnostics", PublishDiagnostics(document.uri, []))

    def changed(self, root: str) -> None:
        """Refresh everything after assets changed or moved, from any thread."""
        with self._lock:
            self.changes[root] += 1
        self._lanes.moved(root)
        self._after(f"names {root}", partial(self._refresh, root))

    def forget_projects(self) -> None:
        """Release projects without open documents."""
        used = {project_of(document.path) for document in self._documents}
        for root in self._lanes.roots - used:
            self._lanes.end(root)
        with self._lock:
            for root in self._subscriptions.keys() - used:
                self._subscriptions.pop(root).close()

    def close(self) -> None:
        """Stop all of it."""
        with self._lock:
            self._closed = True
            for timer in self._timers.values():
                timer.cancel()
            self._timers.clear()
            for subscription in self._subscriptions.values():
                subscription.close()

    # --- reactions

    def _announce(self, root: str, paths: list[str], lane: Lane) -> None:
        """Tell the daemon of written files, and refresh everything."""
        try:
            lane.engine.changed(paths)
        except (AssetdbError, OSError) as error:
            self._peer.log(f"{root}: {error}")
        self.changed(root)

    def _refresh(self, root: str) -> None:
        for what in ("inlayHint", "codeLens"):
            if self._peer.client.has("workspace", what, "refreshSupport"):
                self._peer.request(f"workspace/{what}/refresh")
        if self._peer.client.pulls_diagnostics:
            if self._peer.client.has("workspace", "diagnostics", "refreshSupport"):
                self._peer.request("workspace/diagnostic/refresh")
            return
        for document in self._documents:
            if project_of(document.path) == root:
                self._find_problems(document.uri)

    def _find_problems(self, uri: str) -> None:
        """Find problems of a document, abandoning an earlier search."""
        if self._peer.client.pulls_diagnostics:
            return
        document = self._documents.get(uri)
        root = project_of(document.path) if document is not None else ""
        if document is None or not root:
            return
        lane = self._lanes.get(root, FINDINGS)
        job = lane.job(partial(self._publish, uri))
        with self._lock:
            before = self._jobs.get(uri)
            self._jobs[uri] = job
        if before is not None:
            before.cancel()
        lane.submit(job)

    def _publish(self, uri: str, lane: Lane) -> None:
        document = self._documents.get(uri)
        if document is None or not os.path.isdir(lane.root):
            return
        try:
            found = findings_of(document, lane, lambda why: self._peer.log(f"{document.path}: {why}"))
        except (AssetdbError, OSError) as error:
            self._peer.log(f"{document.path}: {error}")
            return
        if self._documents.get(uri) is None:
            return
        versioned = self._peer.client.has("textDocument", "publishDiagnostics", "versionSupport")
        version = document.version if versioned else None
        self._peer.notify("textDocument/publishDiagnostics", PublishDiagnostics(uri, found, version))

    # --- when

    def _after(self, key: str, run: partial[None]) -> None:
        """Run something once its kind has been quiet for a while."""
        with self._lock:
            if self._closed:
                return
            timer = self._timers.pop(key, None)
            if timer is not None:
                timer.cancel()
            timer = self._timers[key] = threading.Timer(_SETTLED, self._run, (key, run))
            timer.daemon = True
            timer.start()

    def _run(self, key: str, run: partial[None]) -> None:
        with self._lock:
            self._timers.pop(key, None)
            if self._closed:
                return
        run()
