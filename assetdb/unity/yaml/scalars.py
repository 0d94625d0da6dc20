"""Scalars of Unity's YAML: plain, quoted, escaped, folded.

Unity wraps long scalars at 80 columns unless a project turns that off, so a value may continue on the following lines,
indented deeper than its key. Written for scalars only: whole documents are never built.
"""

from __future__ import annotations

from assetdb.unity.patterns import Pattern

TYPE_CHECKING = False

if TYPE_CHECKING:
    import re
    from typing import Final

_ESCAPES: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_ESCAPE: Final = r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))"
_SURROGATE_PAIR: Final = r"[\ud800-\udbff][\udc00-\udfff]"
_LONE_SURROGATE: Final = r"[\ud800-\udfff]"
_FOLD: Final = r"[ \t]*\n[ \t]*((?:\n[ \t]*)*)"
_DOUBLE_QUOTED: Final = Pattern(rb'"((?s:[^"\\]|\\.)*+)"')
_SINGLE_QUOTED: Final = Pattern(rb"'((?:[^']|'')*+)'")
_PLAIN_COMMENT: Final = Pattern(rb"[ \t]#")
_NEXT_WORD: Final = Pattern(rb"((?:[ \t\r]*+\n)*+)( *+)(?=\S)")


def scalar_at(data: bytes, start: int, indent: int) -> str:
    """Decode the scalar after a key's colon.

    ``indent`` is the key's own column in spaces: lines that are indented deeper continue the scalar. Undecodable bytes
    become U+FFFD. A text with an unclosed quote is read as a plain one.
    """
    end = len(data)
    while start < end and data[start] in b" \t":
        start += 1
    quote = data[start : start + 1]
    if quote in (b'"', b"'"):
        match = (_DOUBLE_QUOTED if quote == b'"' else _SINGLE_QUOTED).match(data, start)
        if match:
            text = _text(match[1])
            return _double_quoted(text) if quote == b'"' else _folded(text).replace("''", "'")
    lines: list[bytes] = []
    position = start
    while True:
        line_end = data.find(b"\n", position)
        line_end = end if line_end < 0 else line_end
        line = data[position:line_end]
        comment = _PLAIN_COMMENT.search(line) if b"#" in line else None
        lines.append(line[: comment.start()] if comment else line)
        following = None if _is_last(data, line_end, indent) else _NEXT_WORD.match(data, line_end + 1)
        if comment or not lines[0].strip() or following is None or len(following[2]) <= indent:
            return _folded(_text(b"\n".join(lines))).strip()
        lines.extend([b""] * following[1].count(b"\n"))
        position = following.end()


def _is_last(data: bytes, line_end: int, indent: int) -> bool:
    """Whether the next line certainly does not continue the scalar."""
    beginning = data[line_end + 1 : line_end + indent + 2].lstrip(b" ")
    return line_end + 1 >= len(data) or not (beginning or b" ")[:1].isspace()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").replace("\r\n", "\n")


def _folded(text: str) -> str:
    """Fold line breaks: one becomes a space, n + 1 become n."""
    if "\n" not in text:
        return text
    import re  # noqa: PLC0415 - nearly all values are of one line

    return re.sub(_FOLD, lambda match: "\n" * match[1].count("\n") or " ", text)


def _double_quoted(text: str) -> str:
    import re  # noqa: PLC0415 - few values are quoted

    if "\n" in text:
        text = _folded(re.sub(r"\\[ \t]*\n[ \t]*", "", text))
    if "\\" not in text:
        return text
    text = re.sub(_ESCAPE, _unescape, text, flags=re.DOTALL)
    text = re.sub(_SURROGATE_PAIR, lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return re.sub(_LONE_SURROGATE, "\ufffd", text)


def _unescape(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    return _ESCAPES.get(match[4], match[0])
