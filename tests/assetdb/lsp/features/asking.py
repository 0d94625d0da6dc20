"""An open document and the editor that asks about it, without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from assetdb.lsp.documents.open_documents import Documents
from assetdb.lsp.protocol.capabilities import UTF_8, Capabilities
from assetdb.lsp.protocol.registry import RequestContext
from assetdb.lsp.protocol.structures import DocumentItem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.lsp.progress import Progress
    from assetdb.lsp.workers import Lane


def asked(
    text: str, uri: str = "file:///project/Assets/a.unity", said: Mapping[str, object] | None = None
) -> RequestContext:
    """Return a request about a text; what no feature of the text alone uses is missing."""
    documents = Documents(UTF_8)
    document = documents.open(DocumentItem(uri=uri, version=1, text=text))
    lane, progress = cast("Lane", None), cast("Progress", None)
    return RequestContext(document, lane, Capabilities(said or {}), documents, progress)
