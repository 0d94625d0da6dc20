"""Completion: the GUID of an asset by its name, behind ``guid:``."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from assetdb.lsp.protocol.registry import FORM, PROJECT, RequestContext, feature
from assetdb.lsp.protocol.structures import CompletionItem, CompletionList, OfPosition, TextEdit
from assetdb.lsp.workers import FIND
from assetdb.unity.kinds import ASSEMBLY, kind_of

_BEFORE: Final = re.compile(rb"""(?:guid\\{0,9}["']?\s{0,9}:\s{0,9}\\{0,9}["']?|GUID:)([^,}"'\\\n]{0,200})\Z""")
_BEHIND: Final = re.compile(rb"[0-9A-Za-z]{0,200}")
_REACH: Final = 400  # bytes before the cursor that are looked at
_MOST: Final = 100
_FILE: Final = 17
_ASSEMBLY_TYPE: Final = "AssemblyDefinitionAsset"
_SIGNS: Final = str.maketrans("", "", "*?[]")


class CompletionMatch(msgspec.Struct):
    """A match of a completion."""

    guid: str
    name: str
    path: str
    type: str
    file_id: int | None = None


class _Answer(msgspec.Struct):
    found: list[CompletionMatch]
    unread_files: int = 0


FOUND: Final = msgspec.json.Decoder(_Answer)


@feature("textDocument/completion", OfPosition, FIND, PROJECT, FORM)
def completion(params: OfPosition, context: RequestContext) -> CompletionList | None:
    """Return candidate assets for a GUID."""
    document = context.document
    text = document.text
    offset = document.offset(params.position)
    start = text.line_start(text.line_at(offset))
    before = text.slice(max(start, offset - _REACH), offset)
    match = _BEFORE.search(before)
    if match is None or (document.extension == "meta" and before.startswith(b"guid:")):  # its own GUID is not offered
        return None
    behind = _BEHIND.match(text.slice(offset, min(offset + 200, text.size)))
    end = offset + (behind.end() if behind is not None else 0)
    typed = match[1].decode("utf-8", "replace").strip().translate(_SIGNS)
    place = document.range(offset - len(match[1]), end)
    asked: dict[str, object] = {"pattern": typed, "limit": 10 * _MOST}
    if kind_of(document.form).content == ASSEMBLY:
        asked["types"] = [_ASSEMBLY_TYPE]  # among the first thousand assets of any type may be none
    answer = FOUND.decode(context.lane.engine.ask("find", asked))
    rows = [row for row in answer.found if row.file_id is None]
    folded = typed.casefold()
    rows.sort(key=lambda row: (not row.name.casefold().startswith(folded), row.name, row.path))
    items = [
        CompletionItem(
            row.path.rpartition("/")[2],
            _FILE,
            f"{row.type}  {row.path}",
            f"{row.name} {row.path}",
            f"{number:04}",
            TextEdit(place, row.guid),
        )
        for number, row in enumerate(rows[:_MOST])
    ]
    return CompletionList(is_incomplete=len(answer.found) > len(items) or not typed, items=items)
