"""Findings of an open document, from its text and its file.

The project's ``[check]`` sets codes and severities, as for ``assetdb check``.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.checks.findings.codes import MISSING_SCRIPT, REFERENCE_CODES
from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.references import (
    code_of_reason,
    message_of_absent_script,
    message_of_missing,
    object_text,
)
from assetdb.checks.findings.selection import selection_of
from assetdb.diagnostics.codes import CODES, ERROR, NOTE, STRUCTURE_CODES, WARNING
from assetdb.errors import AssetdbError
from assetdb.lsp.documents.faults import fault_findings, has_objects
from assetdb.lsp.documents.line_references import YAML
from assetdb.lsp.projects import path_in
from assetdb.lsp.protocol.structures import Diagnostic, Position, Range
from assetdb.packages.listing import NO_PACKAGES
from assetdb.query.graph.verdicts import APART, MISSING, UNNAMED, judge, references
from assetdb.settings.project import META, asset_prefix
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb.checks.findings.selection import Selection
    from assetdb.client.engine import Engine
    from assetdb.lsp.documents.open_documents import Document
    from assetdb.lsp.workers import Lane
    from assetdb.packages.location import Location
    from assetdb.query.graph.verdicts import Verdict

_MOST: Final = 1000  # findings of one document: editors cannot usefully draw ten thousand
_MOST_OF_PROJECT: Final = 10_000
_PREFETCHED: Final = 10_000
_LSP_SEVERITIES: Final = {ERROR: 1, WARNING: 2, NOTE: 3}
_KEPT_FOR: Final = 5.0  # seconds for which findings of all files are valid without a daemon
_PATTERN_SIGNS: Final = frozenset("*?[!\\#")
_KEY: Final = "findings of files"


class _Found(msgspec.Struct):
    code: str
    severity: str
    path: str
    message: str
    line: int
    object_path: str = ""
    property_path: str = ""
    fixable: bool = False


class _Answer(msgspec.Struct):
    findings: list[_Found]


_FOUND: Final = msgspec.json.Decoder(_Answer)


def findings_of(document: Document, lane: Lane, on_problem: Callable[[str], None]) -> list[Diagnostic]:
    """Return the findings in an open document.

    ``on_problem`` is given the reason if the file's own findings are not known. Raises AssetdbError or OSError if the
    project or its configuration cannot be read.
    """
    selection = selection_of(lane.root)
    found = _of_references(document, lane, selection) + _of_structure(document, lane, selection)
    try:
        found += [diagnostic_of(document, finding) for finding in findings_of_file(document, lane)]
    except (AssetdbError, OSError) as error:
        on_problem(str(error))
    return found[:_MOST]


def diagnostic_of(document: Document, finding: Finding) -> Diagnostic:
    """Return a finding at its line, or at the first."""
    return _diagnostic(finding, document.line_range(document.text.line_start(max(0, finding.line - 1))))


def diagnostic_of_file(finding: Finding) -> Diagnostic:
    """Return a finding of an unopened file, for its whole line."""
    line = max(0, finding.line - 1)
    return _diagnostic(finding, Range(Position(line, 0), Position(line + 1, 0)))


def _diagnostic(finding: Finding, place: Range) -> Diagnostic:
    severity = _LSP_SEVERITIES[finding.severity]
    return Diagnostic(place, f"{finding.text}; {finding.advice}", severity, finding.code, "assetdb")


def findings_of_project(engine: Engine) -> list[Finding]:
    """Return all findings of a project; raise AssetdbError or OSError if unreadable."""
    engine.locate(())  # shows whether there is a daemon
    if engine.has_daemon:
        return _of_daemon(engine, {"limit": _MOST_OF_PROJECT})
    return list(check_project(engine.snapshot(), selection_of(engine.root)).findings)[:_MOST_OF_PROJECT]


def _of_daemon(engine: Engine, params: Mapping[str, object]) -> list[Finding]:
    """Return the findings of the daemon."""
    return [
        Finding(
            row.code,
            row.severity,
            row.path,
            row.message,
            row.line,
            row.object_path,
            row.property_path,
            fixable=row.fixable,
        )
        for row in _FOUND.decode(engine.ask("check", params)).findings
    ]


def findings_of_file(document: Document, lane: Lane) -> list[Finding]:
    """Return a file's findings but for references; raises AssetdbError or OSError."""
    path = _path_of(document, lane.root)
    if not path:
        return []
    wanted = {path, path.removesuffix(META)}
    of_text = REFERENCE_CODES if has_objects(document) else REFERENCE_CODES - frozenset(STRUCTURE_CODES)
    engine = lane.engine
    engine.locate(())  # shows whether there is a daemon
    if engine.has_daemon and _PATTERN_SIGNS.isdisjoint(path):
        found = _of_daemon(engine, {"paths": sorted(wanted), "ignore": sorted(of_text), "limit": _MOST})
    else:
        known = _by_path(lane, of_text)
        found = [finding for path in sorted(wanted) for finding in known.get(path, ())]
    return [finding for finding in found if finding.code not in of_text]


def _by_path(lane: Lane, of_text: frozenset[str]) -> dict[str, list[Finding]]:
    """Return the findings of all files but some codes, renewed regularly."""
    key = f"{_KEY} {len(of_text)}"
    known = lane.memory.get(key)
    if isinstance(known, tuple) and time.monotonic() - known[0] < _KEPT_FOR:
        of_before: dict[str, list[Finding]] = known[1]
        return of_before
    engine = lane.engine
    engine.expire_old()
    found: dict[str, list[Finding]] = {}
    for finding in check_project(engine.snapshot(), selection_of(lane.root, ignore=tuple(of_text))).findings:
        found.setdefault(finding.path, []).append(finding)
    lane.memory[key] = time.monotonic(), found
    return found


def _of_structure(document: Document, lane: Lane, selection: Selection) -> list[Diagnostic]:
    path = _path_of(document, lane.root)
    if not path or not has_objects(document):
        return []
    # Selections have no byte offsets: the offset takes the place of the line.
    found = [finding._replace(line=offset) for offset, finding in fault_findings(document, path, lane, _MOST)]
    return [_diagnostic(finding, document.line_range(finding.line)) for finding in selection.chosen(found)]


def _of_references(document: Document, lane: Lane, selection: Selection) -> list[Diagnostic]:
    form = document.form
    path = _path_of(document, lane.root)
    if not form or not path:
        return []
    names = lane.names
    data = document.text.data
    rows = sorted(references(data, document.extension if form == YAML else form), key=lambda row: row[4])
    names.prefetch_guids({row[0].decode() for row in rows[:_PREFETCHED]})
    wrong: list[tuple[int, str, Verdict]] = []
    verdicts: dict[tuple[bytes, int | None, bool, bool], Verdict] = {}
    for row in rows:
        check_cancelled()
        key = row[:4]
        verdict = verdicts.get(key)
        if verdict is None:
            guid, file_id = row[0].decode(), row[1]
            verdict = verdicts[key] = judge(names.resolver, guid, file_id, override=row[2], candidate=row[3])
        if verdict.kind in (UNNAMED, MISSING, APART):
            wrong.append((row[4], row[0].decode(), verdict))
    found = []
    own = names.own(document.text)
    for (offset, guid, verdict), place in zip(wrong, places(data, [row[0] for row in wrong]), strict=True):
        code = code_of_reason(verdict.reason, path, place.path)
        message = _message(code, guid, verdict, names.locate(guid))
        # Selections have no byte offsets: the offset takes the place of the line.
        name = ""
        if place.file_id:
            way, script = names.resolver.hierarchy(own, place.file_id), (place.script, place.script_id)
            name = object_text(way, place.file_id, place.class_id, script, names.resolver)
        found.append(Finding(code, CODES[code].severity, path, message, offset, name, place.path))
    chosen = selection.chosen(found)
    return [_diagnostic(finding, document.range(finding.line, finding.line + 32)) for finding in chosen]


def _message(code: str, guid: str, verdict: Verdict, location: Location | None) -> str:
    """Return the message of a reference, with its target's place or name."""
    if verdict.kind == MISSING:
        message = message_of_missing(code, guid, NO_PACKAGES)
        if location is not None and location.standing:
            message += f": {location.path} ({location.standing})"
        return message
    path = location.path if location is not None else ""
    if verdict.kind == APART and code == MISSING_SCRIPT:
        return message_of_absent_script(path or guid)
    named = verdict.name.path if verdict.name is not None else path
    return f"{named.rpartition('/')[2] or guid}: {CODES[code].meaning or code}"


def _path_of(document: Document, root: str) -> str:
    """Return a document's path in its project, with a package's name."""
    path = path_in(root, document.path)
    return asset_prefix(root) + path if path else path
