"""Paths and templates in UI documents and style sheets.

Pure: bytes in, facts out. Paths beside a GUID are references, which are read elsewhere.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

DOCUMENT: Final = ".uxml"
SHEETS: Final = (".uss", ".tss")
_COMMENT: Final = re.compile(rb"<!--.*?(?:-->|\Z)|/\*.*?(?:\*/|\Z)", re.DOTALL)
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
    text = _COMMENT.sub(lambda match: b"\n" * match[0].count(b"\n") + b" ", data)
    found = []
    for match in (*_SOURCE.finditer(text), *_URL.finditer(text)):
        path = _path(match[1] if match[1] is not None else match[2])
        if path:
            found.append(Named(path, _line(text, match)))
    used = tuple(Named(unescape(_text(match[1])), _line(text, match)) for match in _USED.finditer(text))
    declared = tuple(unescape(_text(match[1])) for match in _DECLARED.finditer(text))
    return Interface(tuple(sorted(found, key=lambda row: row.line)), declared, used)


def interface_of(rows: list[Any]) -> Interface:
    """Return a document of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    paths, declared, used = rows
    return Interface(tuple(Named(*row) for row in paths), tuple(declared), tuple(Named(*row) for row in used))


def _path(written: bytes) -> str:
    """Return a URL's path, an empty one beside a GUID."""
    url = unescape(_text(written)).strip().strip("\"'")
    if not url or _GUID in url:
        return ""
    match = _DATABASE.match(url)
    if match is not None:
        url = f"/{url[match.end() :]}"
    if _SCHEME.match(url) or url.startswith("//"):
        return ""
    return unquote(url.partition("?")[0].partition("#")[0])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _line(data: bytes, match: re.Match[bytes]) -> int:
    end = match.end(1) if match[1] is not None else match.end(2)
    return data.count(b"\n", 0, end) + 1
