"""The objects of an open document, found chunk by chunk.

After an edit only the edited chunk is searched again: a scene of 100,000 objects has some 500 chunks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.system.cancelling import check_cancelled
from assetdb.unity.kinds import TEXT_HEAD_BYTES, kind_without_documents
from assetdb.unity.yaml.objects import MAX_CLASS, MAX_ID, TextObject, TextObjects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.lsp.documents.text import Text

_SEARCHES: Final = 50
"""So many objects are searched chunk by chunk before there is an index of all anchors: a hover after an edit asks for
few, the findings of a scene for 100,000, in each of its 500 chunks."""
_CHUNKS_AT_ONCE: Final = 15  # a mask: chunks between two of the places where others may go before


class OpenDocument(NamedTuple):
    """One object of an open text asset.

    Attributes:
        class_id: Unity's class number.
        file_id: the anchor.
        stripped: only a stand-in for an object of a prefab.
        head: where its ``---`` line begins.
        start: where its body begins: the line feed behind that line.
        end: where it ends: the line feed before the next one's line, or the end of the text.
    """

    class_id: int
    file_id: int
    stripped: bool
    head: int
    start: int
    end: int


def open_documents(text: Text) -> Iterator[OpenDocument]:
    """Yield the YAML documents of a text in order."""
    for number, chunk in enumerate(text.chunks):
        for row in chunk.documents:
            yield _opened(text, number, row)
        if number & _CHUNKS_AT_ONCE == _CHUNKS_AT_ONCE:
            check_cancelled()


def document_at(text: Text, offset: int) -> OpenDocument | None:
    """Return the document that has a byte, or None."""
    number = text.chunk_at(offset)
    while number >= 0:
        for row in reversed(text.chunks[number].documents):
            found = _opened(text, number, row)
            if found.head <= offset:
                return found if offset <= found.end else None
        number -= 1
    return None


def document_of(text: Text, file_id: int) -> OpenDocument | None:
    """Return the first document of an anchor, or None."""
    return next((found for number in range(len(text.chunks)) if (found := _of_chunk(text, number, file_id))), None)


def _of_chunk(text: Text, number: int, file_id: int) -> OpenDocument | None:
    """Return the first document of an anchor in a chunk, or None."""
    chunk = text.chunks[number]
    row = chunk.anchors.get(file_id)
    return _opened(text, number, chunk.documents[row]) if row is not None else None


def _opened(text: Text, number: int, row: tuple[int, int, bool, int, int]) -> OpenDocument:
    class_id, file_id, stripped, start, end = row
    chunk = text.chunks[number]
    offset = text.offsets[number]
    head = chunk.data.rfind(b"\n", 0, start) + 1
    if end < len(chunk.data):
        return OpenDocument(class_id, file_id, stripped, offset + head, offset + start, offset + end)
    for following in range(number + 1, len(text.chunks)):
        boundary = text.chunks[following].boundary
        if boundary >= 0:
            found = text.offsets[following] + boundary - 1
            return OpenDocument(class_id, file_id, stripped, offset + head, offset + start, found)
    return OpenDocument(class_id, file_id, stripped, offset + head, offset + start, text.size)


def cut_out(text: Text) -> tuple[TextObjects, dict[int, OpenDocument]]:
    """Return all objects of a text, and their places."""
    content = OpenObjects(text)
    places: dict[int, OpenDocument] = {}
    objects: dict[int, TextObject] = {}
    for found, item in _Objects(text).placed():
        places[found.file_id], objects[found.file_id] = found, item
    content.objects = objects
    return content, places


class OpenObjects(TextObjects):
    """The objects of an open text, made on demand."""

    def __init__(self, text: Text) -> None:  # finding all objects cuts all of them out
        self.objects = _Objects(text)
        found = any(chunk.documents for chunk in text.chunks)
        self.kind = "yaml" if found else kind_without_documents(text.slice(0, TEXT_HEAD_BYTES))
        self._instances: list[tuple[int, str]] | None = None


class _Objects(Mapping[int, TextObject]):
    def __init__(self, text: Text) -> None:
        self._text = text
        self._returns = b"\r" in text.slice(0, TEXT_HEAD_BYTES)
        self._known: dict[int, TextObject] = {}
        self._searches = 0
        self._chunks: dict[int, int] | None = None

    def _found(self, file_id: int) -> OpenDocument | None:
        """Return an anchor's first document, by an index after some searches."""
        if self._chunks is None:
            self._searches += 1
            if self._searches <= _SEARCHES:
                return document_of(self._text, file_id)
            chunks = self._text.chunks
            self._chunks = {}
            for number in range(len(chunks) - 1, -1, -1):  # the first of two documents is the last one entered
                self._chunks.update(dict.fromkeys(chunks[number].anchors, number))
        number = self._chunks.get(file_id, -1)
        return _of_chunk(self._text, number, file_id) if number >= 0 else None

    def __getitem__(self, file_id: int) -> TextObject:
        known = self._known.get(file_id)
        if known is None:
            found = self._found(file_id)
            if found is None or found.class_id >= MAX_CLASS or not -MAX_ID <= file_id < MAX_ID:
                raise KeyError(file_id)
            known = self._known[file_id] = self._cut(found)
        return known

    def __iter__(self) -> Iterator[int]:
        return iter(dict.fromkeys(found.file_id for found in open_documents(self._text)))

    def __len__(self) -> int:
        return sum(len(chunk.documents) for chunk in self._text.chunks)

    def values(self) -> Iterator[TextObject]:  # type: ignore[override]  # an iterator is all that is needed
        """Yield all objects, each cut out once."""
        return (item for _, item in self.placed())

    def placed(self) -> Iterator[tuple[OpenDocument, TextObject]]:
        """Yield all objects with their places, each cut out once."""
        seen = set()
        for found in open_documents(self._text):
            if found.file_id not in seen and found.class_id < MAX_CLASS and -MAX_ID <= found.file_id < MAX_ID:
                seen.add(found.file_id)
                yield found, self._known.get(found.file_id) or self._cut(found)

    def _cut(self, found: OpenDocument) -> TextObject:
        body = self._text.slice(found.start, found.end)
        if self._returns:
            body = body.replace(b"\r\n", b"\n")
            if found.end < self._text.size:  # the line feed after the last CR is not part of the body
                body = body.removesuffix(b"\r")
        return TextObject(found.class_id, found.file_id, found.stripped, body)
