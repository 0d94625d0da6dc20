"""Code actions: fixes of ``assetdb check --fix`` for a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.mending.fixes import plan_fixes
from assetdb.checks.mending.writing.apply import apply
from assetdb.lsp.documents.findings import diagnostic_of, findings_of_file
from assetdb.lsp.protocol.lifecycle import FIX
from assetdb.lsp.protocol.registry import PROJECT, feature
from assetdb.lsp.protocol.structures import CodeAction, Command, OfRange
from assetdb.lsp.workers import FINDINGS

if TYPE_CHECKING:
    from assetdb.lsp.documents.open_documents import Document
    from assetdb.lsp.protocol.registry import RequestContext
    from assetdb.lsp.workers import Lane


@feature("textDocument/codeAction", OfRange, FINDINGS, PROJECT)
def code_actions(params: OfRange, context: RequestContext) -> list[CodeAction] | list[Command]:
    """Return safe fixes of findings in a range."""
    document = context.document
    found: list[CodeAction] = []
    for finding in findings_of_file(document, context.lane):
        diagnostic = diagnostic_of(document, finding)
        if not finding.fixable or diagnostic.range.start.line > params.range.end.line:
            continue
        if diagnostic.range.end.line < params.range.start.line:
            continue
        plan = plan_fixes(context.lane.engine.snapshot(), [finding])
        if not plan.is_empty and plan.fixes:
            command = Command(f"{finding.code}: {plan.fixes[0].what}", FIX, [document.uri, finding.code])
            found.append(CodeAction(command.title, "quickfix", [diagnostic], command))
    if context.client.get("textDocument", "codeAction", "codeActionLiteralSupport") is None:
        return [action.command for action in found]
    return found


def fix(document: Document, code: str, lane: Lane) -> list[str]:
    """Apply a code action; return the changed paths.

    Raises AssetdbError or OSError if a file has changed or cannot be written; then nothing was written.
    """
    findings = [found for found in findings_of_file(document, lane) if found.fixable and found.code == code]
    project = lane.engine.snapshot()
    plan = plan_fixes(project, findings)
    folder = project.folder
    lane.engine.expire()  # its files are mapped, and Windows does not replace mapped files
    lane.memory.clear()
    return sorted(apply(plan, lane.root, folder).paths)
