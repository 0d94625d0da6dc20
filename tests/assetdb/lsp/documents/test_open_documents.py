"""Documents that an editor has open, changed edit by edit, with positions in its own unit."""

from __future__ import annotations

import os

import pytest

from assetdb.lsp.documents.open_documents import Documents
from assetdb.lsp.protocol.structures import DocumentItem, Edit, Position, Range

URI = "file:///project/Assets/a.Unity"
TEXT = "one\nzwölf 𝄞 x\nthree\n"


def opened(encoding: str = "utf-8", uri: str = URI, text: str = TEXT) -> Documents:
    documents = Documents(encoding)
    documents.open(DocumentItem(uri=uri, version=1, text=text))
    return documents


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> Edit:
    return Edit(text=text, range=Range(Position(*start), Position(*end)))


def test_a_document_is_there_until_it_is_closed() -> None:
    documents = opened()
    found = documents.get(URI)
    assert found is not None
    assert (found.version, found.text.data.decode()) == (1, TEXT)
    assert list(documents) == [found]
    assert documents.get("file:///other") is None
    assert documents.close(URI) == found
    assert documents.close(URI) is None
    assert list(documents) == []


def test_a_document_has_the_path_and_extension_of_its_uri() -> None:
    found = opened().get(URI)
    assert found is not None
    path = os.path.normpath("project/Assets/a.Unity" if os.name == "nt" else "/project/Assets/a.Unity")
    assert (found.path, found.place, found.extension) == (path, path, "unity")
    other = opened(uri="untitled:Untitled-1").get("untitled:Untitled-1")
    assert other is not None
    assert (other.path, other.extension) == ("", "untitled:untitled-1")


def test_edits_are_applied_one_after_the_other() -> None:
    documents = opened()
    edits = [edit((0, 0), (0, 3), "two"), edit((2, 0), (2, 5), ""), edit((0, 3), (0, 3), "!")]
    found = documents.change(URI, 2, edits)
    assert found is not None
    assert (found.version, found.text.data.decode()) == (2, "two!\nzwölf 𝄞 x\n\n")
    assert documents.get(URI) == found
    whole = documents.change(URI, None, [edit((0, 0), (0, 1), "x"), Edit(text="all\n", range=None)])
    assert whole is not None
    assert (whole.version, whole.text.data) == (None, b"all\n")
    assert documents.change("file:///other", 3, []) is None


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 11), ("utf-16", 8), ("utf-32", 7)])
def test_positions_are_in_the_unit_of_the_editor(encoding: str, character: int) -> None:
    found = opened(encoding).get(URI)
    assert found is not None
    offset = TEXT.encode().index(b" x")
    assert found.position(offset) == Position(1, character)
    assert found.offset(Position(1, character)) == offset
    assert found.range(0, 3) == Range(Position(0, 0), Position(0, 3))


def test_the_range_of_a_line_is_without_its_end() -> None:
    found = opened().get(URI)
    assert found is not None
    assert found.line_range(1) == Range(Position(0, 0), Position(0, 3))
    assert found.line_range(len(TEXT.encode())) == Range(Position(3, 0), Position(3, 0))
