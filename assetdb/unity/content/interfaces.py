"""Paths and templates in UI documents and style sheets.

Pure: bytes in, facts out. Paths beside a GUID are references, which are read elsewhere.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT: Final = ".uxml"
SHEETS: Final = (".uss", ".tss")
# In a document a text may have the marks of a sheet's comments: ``image/*``.
_OF_DOCUMENT: Final = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_OF_SHEET: Final = re.compile(rb"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DOCUMENT_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_SOURCE: Final = re.compile(
    rb"<(?:[\w.-]+:)?(?:Style|Template|Import)\b[^<>]{0,2000}?\ssrc\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')"
)
_URL: Final = re.compile(rb"\burl\(\s*([^()\n]{1,2000}?)\s*\)|@import\s+[\"']([^\"'\n]{1,2000})[\"']")
_DECLARED: Final = re.compile(rb"<(?:[\w.-]+:)?Template\b[^<>]{0,2000}?\sname\s*=\s*[\"']([^\"'<>]*)[\"']")
_USED: Final = re.compile(rb"<(?:[\w.-]+:)?Instance\b[^<>]{0,2000}?\stemplate\s*=\s*[\"']([^\"'<>]*)[\"']")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_DATABASE: Final = re.compile(r"project:(?://database)?/+", re.IGNORECASE)
_GUID: Final = "guid="


class Named(NamedTuple):
    """A name in a document, and its line from 1 on."""

    name: str
    line: int


class Interface(NamedTuple):
    """A UI document or a style sheet.

    Attributes:
        paths: of files that are named without a GUID; from the project's folder if they begin with ``/``.
        declared: names of the templates that the document declares.
        used: templates of its instances.
    """

    paths: tuple[Named, ...]
    declared: tuple[str, ...]
    used: tuple[Named, ...]


def read_interface(data: bytes) -> Interface:
    """Return the facts of any UI document or style sheet."""
    comment = _OF_DOCUMENT if _DOCUMENT_START.match(data) is not None else _OF_SHEET
    text = comment.sub(lambda match: b"\n" * match[0].count(b"\n") + b" ", data)
    written = (*_named(text, _SOURCE), *_named(text, _URL))
    paths = (Named(path, line) for name, line in written if (path := _path(name)))
    used = tuple(Named(unescape(name), line) for name, line in _named(text, _USED))
    declared = tuple(unescape(name) for name, _ in _named(text, _DECLARED))
    return Interface(tuple(sorted(paths, key=lambda row: row.line)), declared, used)


def interface_of(rows: list[Any]) -> Interface:
    """Return a document of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    paths, declared, used = rows
    return Interface(tuple(Named(*row) for row in paths), tuple(declared), tuple(Named(*row) for row in used))


def _path(written: str) -> str:
    """Return a URL's path, an empty one beside a GUID."""
    url = unescape(written).strip().strip("\"'")
    if not url or _GUID in url:
        return ""
    match = _DATABASE.match(url)
    if match is not None:
        url = f"/{url[match.end() :]}"
    if _SCHEME.match(url) or url.startswith("//"):
        return ""
    return unquote(url.partition("?")[0].partition("#")[0])


def _named(text: bytes, pattern: re.Pattern[bytes]) -> Iterator[Named]:
    """Yield the names that a pattern finds, with their lines."""
    line, counted = 1, 0
    for match in pattern.finditer(text):
        group = match.lastindex or 0
        line += text.count(b"\n", counted, match.end(group))
        counted = match.end(group)
        yield Named(match[group].decode("utf-8", "replace"), line)
