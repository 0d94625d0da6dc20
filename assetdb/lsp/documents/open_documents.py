"""The documents that an editor has open, with their current text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.lsp.documents.line_references import form_of
from assetdb.lsp.documents.text import Text
from assetdb.lsp.protocol.structures import Position, Range
from assetdb.lsp.protocol.uris import path_of, place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.lsp.protocol.structures import DocumentItem, Edit


class Document(NamedTuple):
    """An open document at the time of a request."""

    uri: str
    path: str
    version: int | None
    text: Text
    encoding: str

    @property
    def place(self) -> str:
        """The file of the document, or of its revision, or ``""``."""
        return self.path or place_of(self.uri)

    @property
    def form(self) -> str:
        """The form of its references, see :func:`assetdb.lsp.documents.line_references.form_of`."""
        return form_of(self.place or self.uri, self.text)

    @property
    def extension(self) -> str:
        """In lower case, without the dot."""
        return (self.place or self.uri).rpartition("/")[2].rpartition(".")[2].lower()

    def offset(self, position: Position) -> int:
        """Return the byte at a position."""
        return self.text.offset_at(position.line, position.character, self.encoding)

    def position(self, offset: int) -> Position:
        """Return the position of a byte."""
        return Position(*self.text.position_at(offset, self.encoding))

    def range(self, start: int, end: int) -> Range:
        """Return the range of bytes."""
        return Range(self.position(start), self.position(end))

    def line_range(self, offset: int) -> Range:
        """Return the range of the line that has a byte."""
        line = self.text.line_at(offset)
        start = self.text.line_start(line)
        return self.range(start, start + len(self.text.line(line)))


class Documents:
    """All of them, by URI."""

    def __init__(self, encoding: str) -> None:
        """Take the unit of character positions."""
        self.encoding = encoding
        self._open: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """Return one as it is now, None if it is not open."""
        return self._open.get(uri)

    def open(self, item: DocumentItem) -> Document:
        """Take a document that was opened."""
        text = Text.of(item.text.encode("utf-8", "replace"))
        path = path_of(item.uri)
        found = Document(item.uri, path, item.version, text, self.encoding)
        self._open[item.uri] = found
        return found

    def change(self, uri: str, version: int | None, edits: Iterable[Edit]) -> Document | None:
        """Apply edits in order; return None if the document is not open."""
        found = self._open.get(uri)
        if found is None:
            return None
        text = found.text
        for edit in edits:
            new = edit.text.encode("utf-8", "replace")
            if edit.range is None:
                text = Text.of(new)
                continue
            start, end = edit.range.start, edit.range.end
            text = text.edited(
                text.offset_at(start.line, start.character, self.encoding),
                text.offset_at(end.line, end.character, self.encoding),
                new,
            )
        self._open[uri] = found._replace(text=text, version=version)
        return self._open[uri]

    def close(self, uri: str) -> Document | None:
        """Forget a document."""
        return self._open.pop(uri, None)
