"""What is wrong with the references of an open document, as its text is in the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.diagnostics.codes import CODES, ERROR, OFF
from assetdb.lsp.lanes import pause_if_cancelled
from assetdb.lsp.protocol import Diagnostic
from assetdb.lsp.referred import YAML
from assetdb.query.verdicts import MISSING, UNNAMED, judge, references

if TYPE_CHECKING:
    from assetdb.lsp.documents import Document
    from assetdb.lsp.lanes import Lane
    from assetdb.query.verdicts import Verdict

_MOST: Final = 1000  # findings of one document: an editor that draws ten thousand is of no use
_PREFETCHED: Final = 10_000
_LSP_ERROR: Final = 1
_LSP_WARNING: Final = 2


def findings_of(document: Document, lane: Lane) -> list[Diagnostic]:
    """Return the findings in an open document: references that lead nowhere, each at its GUID."""
    form = document.form
    if not form:
        return []
    names = lane.names
    rows = sorted(references(document.text.data, document.extension if form == YAML else form), key=lambda row: row[4])
    names.prefetch_guids({row[0].decode() for row in rows[:_PREFETCHED]})
    found = []
    verdicts: dict[tuple[bytes, int | None, bool, bool], Verdict] = {}
    for row in rows:
        pause_if_cancelled()
        key = row[:4]
        verdict = verdicts.get(key)
        if verdict is None:
            guid, file_id = row[0].decode(), row[1]
            verdict = verdicts[key] = judge(names.resolver, guid, file_id, override=row[2], candidate=row[3])
        if verdict.kind not in (UNNAMED, MISSING):
            continue
        code = CODES.get(verdict.reason)
        if code is None or code.severity == OFF:
            continue
        where = verdict.name.path.rpartition("/")[2] if verdict.name is not None else ""
        message = f"{where + ': ' if where else ''}{code.meaning}; {code.advice}"
        severity = _LSP_ERROR if code.severity == ERROR else _LSP_WARNING
        found.append(Diagnostic(document.range(row[4], row[4] + 32), message, severity, code.name, "assetdb"))
        if len(found) >= _MOST:
            break
    return found
