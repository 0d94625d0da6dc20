"""Refusal of renames, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from assetdb.lsp.protocol.registry import feature
from assetdb.lsp.protocol.structures import REQUEST_FAILED, LspError, OfPosition
from assetdb.lsp.workers import QUICK

if TYPE_CHECKING:
    from assetdb.lsp.protocol.registry import RequestContext

REASON: Final = (
    "nothing is renamed here: references hold GUIDs and fileIDs, not names. Rename an object in Unity; move or rename"
    " an asset in Unity, or its file together with its .meta, and every reference still finds it"
)


@feature("textDocument/prepareRename", OfPosition, QUICK)
@feature("textDocument/rename", OfPosition, QUICK)
def rename(params: OfPosition, context: RequestContext) -> NoReturn:  # noqa: ARG001 - the answer is always the same
    """Refuse to rename: always raises LspError."""
    raise LspError(REQUEST_FAILED, REASON)
