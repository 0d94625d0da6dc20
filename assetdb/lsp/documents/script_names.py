"""The names in C# that assets refer to.

A language server of C# answers for everything else, and an editor shows both answers as one list.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.scripts.csharp import read_source
from assetdb.unity.scripts.faults import Token
from assetdb.unity.scripts.tokens import tokens_of

if TYPE_CHECKING:
    from assetdb.lsp.documents.open_documents import Document

EXTENSION: Final = "cs"
_WORD: Final = re.compile(rb"[^\W\d][\w]*", re.ASCII)


class ScriptName(NamedTuple):
    """A name that assets refer to: the class, a ``field`` or ``method``."""

    field: str = ""
    method: str = ""


def name_at(document: Document, offset: int) -> ScriptName | None:
    """Return the name at an offset, None for names of code alone."""
    text = document.text
    start, end = word_at(document, offset)
    if start == end:
        return None
    line = text.line_at(offset)
    word = text.slice(start, end).decode()
    is_class = word == os.path.basename(document.path).rpartition(".")[0]
    data = text.data
    types = () if is_class else read_source(data).types
    is_field = any(word == name and _is_field(name, kind) for each in types for name, kind in each.types)
    if not (is_class or is_field or any(word in each.methods for each in types)):
        return None
    tokens = tokens_of(data)
    # The last token of the line up to the word is the word itself, unless that is in a text or comment.
    before = tokens_of(text.slice(text.line_start(line), end)).all
    if Token(word, line + 1) not in tokens.all or not before or before[-1].text != word:
        return None
    return ScriptName() if is_class else ScriptName(field=word) if is_field else ScriptName(method=word)


def _is_field(name: str, kind: str) -> bool:
    """Whether a name is no type argument of its field's value.

    The reader takes the arguments of ``Dictionary<string, Door> doors = new Dictionary<string, Door>()`` for
    two fields.
    """
    arguments = kind.partition("<")[2]
    return kind.count("<") == kind.count(">") and name not in re.split(r"\W+", arguments)


def word_at(document: Document, offset: int) -> tuple[int, int]:
    """Return the ends of the word at an offset, equal without one."""
    text = document.text
    line = text.line_at(offset)
    start = text.line_start(line)
    for match in _WORD.finditer(text.line(line)):
        if match.start() <= offset - start <= match.end():
            return start + match.start(), start + match.end()
    return offset, offset
