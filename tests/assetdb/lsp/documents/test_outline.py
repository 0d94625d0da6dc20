"""The objects of an open text, by their place, by a byte and by their anchor."""

from __future__ import annotations

import pytest

from assetdb.lsp.documents import outline
from assetdb.lsp.documents.outline import OpenDocument, cut_out, document_at, document_of, open_documents
from assetdb.lsp.documents.text import Text

HEAD = b"%YAML 1.1\n"
ONE, TWO, AGAIN = (
    b"--- !u!1 &5\nGameObject:\n  m_Name: a\n",
    b"--- !u!4 &7 stripped\nTransform:\n",
    b"--- !u!1 &5\nB:\n",
)
DATA = HEAD + ONE + TWO + AGAIN


@pytest.fixture(params=[1 << 16, 16, 5])
def text(request: pytest.FixtureRequest) -> Text:
    """The text in one chunk, in a few and in many."""
    return Text.of(DATA, chunk=int(request.param))


def test_each_object_has_its_class_anchor_and_place(text: Text) -> None:
    first, second, third = open_documents(text)
    assert first == OpenDocument(1, 5, False, len(HEAD), len(HEAD) + 11, len(HEAD + ONE) - 1)  # noqa: FBT003 - a row
    assert DATA[second.head : second.start] == b"--- !u!4 &7 stripped"
    assert (second.class_id, second.file_id, second.stripped) == (4, 7, True)
    assert DATA[second.start : second.end] == b"\nTransform:"
    assert third.end == len(DATA)


def test_a_byte_is_of_the_object_around_it(text: Text) -> None:
    rows = list(open_documents(text))
    for offset in range(len(DATA) + 1):
        expected = next((row for row in rows if row.head <= offset <= row.end), None)
        assert document_at(text, offset) == expected


def test_an_anchor_means_its_first_object(text: Text) -> None:
    first, second, _ = open_documents(text)
    assert document_of(text, 5) == first
    assert document_of(text, 7) == second
    assert document_of(text, 6) is None


def test_objects_are_cut_out_once_with_their_places(text: Text) -> None:
    content, places = cut_out(text)
    assert {file_id: (item.class_id, item.body) for file_id, item in content.objects.items()} == {
        5: (1, b"\nGameObject:\n  m_Name: a"),
        7: (4, b"\nTransform:"),
    }
    assert {file_id: row.class_id for file_id, row in places.items()} == {5: 1, 7: 4}
    assert places[5].head == len(HEAD)


def test_the_line_ends_of_windows_are_not_part_of_an_object() -> None:
    content, _ = cut_out(Text.of(DATA.replace(b"\n", b"\r\n")))
    assert content.objects[5].body == b"\nGameObject:\n  m_Name: a"


@pytest.mark.parametrize(
    ("head", "is_object"),
    [
        ("!u!1 &9223372036854775807", True),
        ("!u!1 &-9223372036854775808", True),
        ("!u!1 &9223372036854775808", False),
        ("!u!4294967296 &5", False),
    ],
)
def test_numbers_that_unity_cannot_have_are_of_no_object(head: str, *, is_object: bool) -> None:
    content, _ = cut_out(Text.of(f"--- {head}\nA:\n".encode()))
    assert bool(content.objects) == is_object


@pytest.mark.parametrize("searches", [0, 1, 50])
def test_an_index_has_the_objects_that_a_search_of_the_chunks_finds(
    text: Text, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outline, "_SEARCHES", searches)
    objects = outline.OpenObjects(text).objects
    first, second = b"\nGameObject:\n  m_Name: a", b"\nTransform:"
    assert [objects[file_id].body for file_id in (5, 7, 5)] == [first, second, first]
    assert [objects.get(6), objects.get(0)] == [None, None]


def test_many_objects_are_not_searched_for_in_every_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Text.of(HEAD + b"".join(b"--- !u!1 &%d\nGameObject:\n" % number for number in range(1, 2001)), chunk=64)
    asked = []
    opened = outline._of_chunk
    monkeypatch.setattr(outline, "_of_chunk", lambda *words: (asked.append(words), opened(*words))[1])
    objects = outline.OpenObjects(text).objects
    assert all(objects[number].file_id == number for number in range(2000, 0, -1))
    assert len(asked) < 50 * len(text.chunks) + 2001
