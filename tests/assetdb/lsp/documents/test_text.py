"""Texts in chunks: the same as one that is cut anew after every edit, by pygls' reading of the protocol."""

from __future__ import annotations

import random
import re

import pytest

from assetdb.lsp.documents import text as text_module
from assetdb.lsp.documents.outline import OpenObjects, document_at, document_of, open_documents
from assetdb.lsp.documents.text import Text
from assetdb.lsp.protocol.capabilities import ENCODINGS
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.objects import TextObjects

pytest.importorskip("pygls", reason="not installed: pip install -e '.[dev]'")

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument

PIECES = (
    *(b"--- !u!1 &1\n", b"--- !u!114 &-2\n", b"--- !u!4 &77 stripped\r\n", b"--- ", b"\n--- !u!1 &9", b"--- \n"),
    *(b"a", b"\r\n", b"\n", b"\r", "ä𝄞".encode(), b"x\n", b"  m_Name: abc\n"),
)


def some(chance: random.Random, most: int) -> bytes:
    return b"".join(chance.choices(PIECES, k=chance.randrange(most)))


def edge(data: bytes, offset: int) -> int:
    """The beginning of the character that has a byte."""
    while 0 < offset < len(data) and data[offset] & 0xC0 == 0x80:
        offset -= 1
    return offset


def edited(seed: int) -> list[tuple[bytes, Text]]:
    chance = random.Random(seed)
    data = some(chance, 14)
    text = Text.of(data, chunk=chance.randrange(1, 12))
    found = [(data, text)]
    for _ in range(4):
        start, end = sorted(edge(data, chance.randrange(len(data) + 1)) for _ in range(2))
        new = some(chance, 4)
        data = data[:start] + new + data[end:]
        text = text.edited(start, end, new, chunk=5)
        found.append((data, text))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_an_edited_text_has_the_lines_and_objects_of_its_bytes(seed: int) -> None:
    for data, text in edited(seed):
        assert text.data == data
        lines = re.split(rb"\r\n|\r|\n", data)
        assert [text.line(number) for number in range(text.line_count)] == lines
        assert [
            (found.class_id, found.file_id, found.stripped, found.start, found.end) for found in open_documents(text)
        ] == [tuple(found) for found in documents(data)]
        whole, opened = TextObjects(data), OpenObjects(text)
        assert opened.kind == whole.kind
        assert list(opened.objects.values()) == list(whole.objects.values())
        assert {number: opened.objects[number] for number in opened.objects} == whole.objects
        for found in open_documents(text):
            assert document_of(text, found.file_id) is not None
            assert document_at(text, found.head) == found


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(20))
def test_positions_are_those_of_pygls(seed: int, encoding: str) -> None:
    codec = PositionCodec(types.PositionEncodingKind(encoding))
    for data, text in edited(seed):
        if b"\r" in data.replace(b"\r\n", b""):
            continue  # pygls' lines are Python's, which end at more than the protocol says; a CR alone is tested above
        document = TextDocument("file:///x", data.decode(), position_codec=codec)
        for offset in {edge(data, place) for place in range(len(data) + 1)}:
            if data[offset - 1 : offset + 1] == b"\r\n":
                continue
            line, character = text.position_at(offset, encoding)
            assert text.offset_at(line, character, encoding) == offset
            there = document.offset_at_position(types.Position(line, character))
            assert len(data.decode()[:there].encode()) == offset


def test_positions_outside_mean_what_is_nearest() -> None:
    text = Text.of("ab\r\nä𝄞x\n".encode())
    assert text.offset_at(0, 99, "utf-16") == 2
    assert text.offset_at(99, 0, "utf-16") == text.size
    assert text.offset_at(-1, 5, "utf-16") == 0
    assert text.offset_at(1, -5, "utf-16") == 4
    assert text.offset_at(1, 2, "utf-16") == 6, "the middle of a pair is its beginning"
    assert text.offset_at(1, 3, "utf-8") == 6
    assert Text.of(b"").position_at(5, "utf-8") == (0, 0)


def test_an_edit_makes_few_chunks_anew() -> None:
    data = b"".join(b"--- !u!1 &%d\nGameObject:\n  m_Name: N%d\n" % (n, n) for n in range(100_000))
    text = Text.of(data)
    again = text.edited(2_000_000, 2_000_003, b"xyz")
    assert len(set(map(id, again.chunks)) - set(map(id, text.chunks))) <= 2
    for _ in range(200):  # thousands of small chunks would be as slow as one large one
        again = again.edited(2_000_000, 2_010_000, b"")
    assert len(again.chunks) <= len(text.chunks)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_far_behind_in_a_line_are_counted_on_from_the_one_before(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = "é😀 {fileID: 1}, " * 2000
    text = Text.of(f"{row}\n{row}".encode())
    counted: list[int] = []
    of = text_module._units_of
    monkeypatch.setattr(text_module, "_units_of", lambda data, unit: counted.append(len(data)) or of(data, unit))
    places = [len(row[:number].encode()) for number in range(0, len(row), 7)]
    for first in (0, len(row.encode()) + 1):
        for offset, number in zip(places, range(0, len(row), 7), strict=True):
            assert text.position_at(first + offset, encoding) == (first > 0, of(row[:number].encode(), encoding))
    assert sum(counted) < 4 * len(row.encode()) + 2 * 2000 * 1000, "each from the beginning would be 100 MB"
    inner = len(("é😀 {fileID: 1}, " * 1500).encode())
    for offset in (*reversed(places[::50]), inner, inner + 1, inner + 3, inner + 2, inner):  # also within a character
        assert text.position_at(offset, encoding)[1] == of(row.encode()[:offset], encoding)
