"""Pulled diagnostics of a document and of the workspace."""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import msgspec

from assetdb.lsp.documents.findings import diagnostic_of_file, findings_of, findings_of_project
from assetdb.lsp.protocol.registry import feature
from assetdb.lsp.protocol.structures import (
    FULL,
    UNCHANGED,
    DiagnosticReport,
    DocumentDiagnostics,
    WorkspaceDiagnosticReport,
    WorkspaceDiagnostics,
)
from assetdb.lsp.protocol.uris import uri_of
from assetdb.lsp.workers import FINDINGS
from assetdb.settings.project import asset_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.client.engine import Engine
    from assetdb.lsp.background_tasks import BackgroundTasks
    from assetdb.lsp.documents.open_documents import Documents
    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.protocol.structures import Diagnostic

_KEPT_FOR: Final = 5.0  # seconds for which findings are valid without a daemon, and
_KEPT_TIMES: Final = 20.0  # multiple of the time it took to find them: clients ask every two seconds
_FOLLOWED_FOR: Final = 60.0  # seconds with a daemon, which may have been stopped since
_DIGEST_BYTES: Final = 12


def _report(found: list[Diagnostic], known: str, uri: str = "", version: int | None = None) -> DiagnosticReport:
    """Return a report, ``unchanged`` if known; with ``uri`` one of a workspace."""
    number = blake2b(msgspec.json.encode(found), digest_size=_DIGEST_BYTES).hexdigest()
    of = uri or msgspec.UNSET
    at = version if uri else msgspec.UNSET
    if number == known:
        return DiagnosticReport(UNCHANGED, number, uri=of, version=at)
    return DiagnosticReport(FULL, number, found, uri=of, version=at)


_NOTHING: Final = _report([], "")


@feature("textDocument/diagnostic", DocumentDiagnostics, FINDINGS, absent=_NOTHING)
def document_diagnostics(params: DocumentDiagnostics, context: RequestContext) -> DiagnosticReport:
    """Return the findings in a document, as its text is."""
    if not context.in_project or not os.path.isdir(context.lane.root):
        return _report([], params.previous_result_id)
    found = findings_of(context.document, context.lane, lambda _: None)
    return _report(found, params.previous_result_id)


class ProjectFindings:
    """Findings of whole projects, renewed on changes, for one lane."""

    def __init__(self, background: BackgroundTasks) -> None:
        """Take the source of changes."""
        self._background = background
        self._known: WeakKeyDictionary[Engine, tuple[int, float, dict[str, list[Diagnostic]]]] = WeakKeyDictionary()

    def of(self, engine: Engine) -> dict[str, list[Diagnostic]]:
        """Return a project's findings by URI; raises AssetdbError or OSError."""
        root = engine.root
        self._background.follow(root)
        changes = self._background.changes[root]
        known = self._known.get(engine)
        if known is not None and known[0] == changes and time.monotonic() < known[1]:
            return known[2]
        engine.expire()
        began = time.monotonic()
        found: dict[str, list[Diagnostic]] = {}
        for finding in findings_of_project(engine):
            uri = uri_of(asset_file(root, finding.path))
            found.setdefault(uri, []).append(diagnostic_of_file(finding))
        now = time.monotonic()
        kept_for = _FOLLOWED_FOR if engine.has_daemon else max(_KEPT_FOR, _KEPT_TIMES * (now - began))
        self._known[engine] = changes, now + kept_for, found
        return found


def reports_of(
    params: WorkspaceDiagnostics, found: Mapping[str, list[Diagnostic]], documents: Documents
) -> WorkspaceDiagnosticReport:
    """Return the findings of all projects that the client does not have."""
    previous = {row.uri: row.value for row in params.previous_result_ids}
    versions = {document.uri: document.version for document in documents}
    rows = [_report(items, previous.get(uri, ""), uri, versions.get(uri)) for uri, items in found.items()]
    gone = [
        _report([], value, uri, versions.get(uri))
        for uri, value in previous.items()
        if uri not in found and value != _NOTHING.result_id
    ]
    return WorkspaceDiagnosticReport(rows + gone)
