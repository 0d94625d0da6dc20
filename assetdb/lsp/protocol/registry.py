"""The registry of requests, filled by a decorator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

    from assetdb.lsp.documents.open_documents import Document, Documents
    from assetdb.lsp.progress import Progress
    from assetdb.lsp.protocol.capabilities import Capabilities
    from assetdb.lsp.workers import Lane


class RequestContext(NamedTuple):
    """The sources of a request's answer.

    ``document`` is as it was at the time of the request, ``documents`` are current.
    """

    document: Document
    lane: Lane
    client: Capabilities
    documents: Documents
    progress: Progress

    @property
    def in_project(self) -> bool:
        """Whether the document is in a project."""
        return bool(self.lane.root)


class Feature(NamedTuple):
    """A method's parameters, function and lane, and the answer without a document."""

    method: str
    params: type[msgspec.Struct]
    run: Callable[[Any, RequestContext], object]
    lane: str
    absent: object
    needs: tuple[str, ...]


PROJECT: Final = "project"
FORM: Final = "form"
"""The needs of a feature: that its document is in a project, that it has references."""
FEATURES: Final[dict[str, Feature]] = {}


def feature(
    method: str, params: type[msgspec.Struct], lane: str, *needs: str, absent: object = None
) -> Callable[[Callable[[Any, RequestContext], object]], Callable[[Any, RequestContext], object]]:
    """Register a method's function; ``absent`` answers without an open document."""

    def register(function: Callable[[Any, RequestContext], object]) -> Callable[[Any, RequestContext], object]:
        if method in FEATURES:
            raise ValueError(f"{method} is answered twice")
        FEATURES[method] = Feature(method, params, function, lane, absent, needs)
        return function

    return register
