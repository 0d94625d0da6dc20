"""References of a part of a text, found chunk by chunk, are those of the whole."""

from __future__ import annotations

import pytest

from assetdb.lsp.documents.line_references import (
    YAML,
    first_references,
    references_in,
    references_in_lines,
    references_to_guid,
)
from assetdb.lsp.documents.text import Text

GUID = "d1c74252c1f6ad0ccea4a18ab1a04ee8"
ROWS = (
    "--- !u!114 &{0}\nMonoBehaviour:\n"
    f"  a: {{{{fileID: {{0}}, guid: {GUID}, type: 3}}}}\n"
    f"  wrapped: {{{{fileID: {{0}}, guid: {GUID},\n    type: 3}}}}\n  own: {{{{fileID: {{0}}}}}}\n"
)
DATA = "".join(ROWS.format(number) for number in range(1, 60)).encode()


@pytest.mark.parametrize("end", [b"", b"  last: {fileID: 7}"])
@pytest.mark.parametrize("size", [1, 50, 333, 1 << 16])
def test_the_first_are_those_of_the_whole(size: int, end: bytes) -> None:
    text = Text.of(DATA + end, chunk=size)
    whole = references_in(DATA + end, YAML)
    assert len(whole) == 59 * 3 + bool(end)
    assert first_references(text, 0, 1 << 30, YAML, 1 << 30) == whole
    assert first_references(text, 0, 1 << 30, YAML, 10) == whole[:10]
    for first, last in ((0, 0), (5, 9), (17, 100), (300, 1 << 30)):
        assert first_references(text, first, last, YAML, 1 << 30) == references_in_lines(text, first, last, YAML)


def test_references_to_an_asset_or_to_one_object_of_it() -> None:
    text = Text.of(DATA, chunk=100)
    assert len(list(references_to_guid(text, GUID, None, YAML))) == 59 * 2
    found = list(references_to_guid(text, GUID, 30, YAML))
    assert {item.file_id for item in found} == {30}
    assert len(found) == 2
    line = f"a: {{fileID: 7, guid: {GUID}, type: 3}}, " * 5000
    assert len(list(references_to_guid(Text.of(line.encode()), GUID, 7, YAML))) == 5000
    near = list(references_to_guid(text, GUID, None, YAML, near=len(DATA) // 2))
    assert sorted(near) == sorted(references_to_guid(text, GUID, None, YAML))
    assert abs(near[0].start - len(DATA) // 2) < 400
