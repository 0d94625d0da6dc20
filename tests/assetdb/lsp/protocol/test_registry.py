"""Each request of the protocol has one function."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.lsp.protocol.registry import FEATURES, FORM, PROJECT, Feature, RequestContext, feature
from assetdb.lsp.protocol.structures import OfDocument

if TYPE_CHECKING:
    from assetdb.lsp.documents.open_documents import Document


def test_a_function_is_registered_once_with_its_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(_params: object, _asked: RequestContext) -> object:
        return None

    monkeypatch.delitem(FEATURES, "test/asked", raising=False)
    assert feature("test/asked", OfDocument, "quick", PROJECT, FORM, absent=[])(answer) is answer
    assert FEATURES["test/asked"] == Feature("test/asked", OfDocument, answer, "quick", [], (PROJECT, FORM))
    with pytest.raises(ValueError, match="test/asked is answered twice"):
        feature("test/asked", OfDocument, "quick")(answer)
    monkeypatch.undo()
    FEATURES.pop("test/asked", None)


@pytest.mark.parametrize(("root", "in_project"), [("", False), ("/project", True)])
def test_a_document_is_in_a_project_if_its_lane_has_one(root: str, *, in_project: bool) -> None:
    document, lane = cast("Document", None), SimpleNamespace(root=root)
    asked = RequestContext(document, lane, None, None, None)  # type: ignore[arg-type]  # of no use here
    assert asked.in_project == in_project
