"""Scalars of Unity's text: plain, quoted, escaped, folded.

Unity's text is no YAML in four ways that change values. Nothing is a comment (``m_Name: Button #1``). Only the start of
a continuation line is dropped: spaces before a break are text. A quote ends where its quote is, often in column 0. And
a plain text goes on in deeper lines, whatever they begin with or contain (``- x``, ``: y``, ``#z``).

A scalar has three functions, all pure: where it is (:func:`scalar_span`), its text (:func:`scalar_text`), and why Unity
cannot read it (:func:`scalar_fault`). :func:`scalar_at` is the first two. Every input has a text: an unclosed
quote is read as a plain text.
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
_ESCAPE_BYTES: Final = Pattern(rb"\\(?:x[0-9A-Fa-f]{2}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|((?s:.)))")
# Escapes but the usual, in a text without pairs of backslashes: a shader in quotes has thousands of usual ones.
_ODD_ESCAPE: Final = Pattern(rb'\\(?![0abtnvfre "/N_LP\t]|x[0-9A-Fa-f]{2})')
_BACKSLASHES: Final = b"\\\\"
_SURROGATE_PAIR: Final = r"[\ud800-\udbff][\udc00-\udfff]"
_LONE_SURROGATE: Final = r"[\ud800-\udfff]"
_ESCAPED_BREAK: Final = r"(?<!\\)((?:\\\\)*)\\\n[ \t]*"
_DOUBLE_QUOTED: Final = Pattern(rb'"[^"\\]*+(?:\\(?s:.)[^"\\]*+)*+"')
_SINGLE_QUOTED: Final = Pattern(rb"'[^']*+(?:''[^']*+)*+'")
_NEXT_WORD: Final = Pattern(rb"(?:[ \t\r]*+\n)*+([ \t]*+)(?=[^ \t\r\n])")
_BLANK: Final = b" \t\r"
_MOST_CODE: Final = 0x10FFFF
_SURROGATES: Final = range(0xD800, 0xE000)

UNCLOSED_QUOTE: Final = "has a quote that is not closed"
UNKNOWN_ESCAPE: Final = "has an escape that Unity does not know"
SURROGATE_ESCAPE: Final = "has an escape of half a character"
COLON_AT_LINE_END: Final = "has a wrapped text with a line that ends in a colon"


def scalar_at(data: bytes, start: int, indent: int) -> str:
    r"""Decode the scalar after a key's colon.

    >>> text = b"  m_Name: Button #1\n  m_Text: 'it''s\n    folded'\n  m_Layer: 5\n"
    >>> [scalar_at(text, text.index(key) + len(key), 2) for key in (b"m_Name:", b"m_Text:", b"m_Layer:")]
    ['Button #1', "it's folded", '5']

    Args:
        data: the text; line ends are LF or CR LF.
        start: behind the colon, or behind the dash of a list item.
        indent: the column of the key or of the dash: deeper lines continue the scalar.
    """
    start, end, quote = scalar_span(data, start, indent)
    return scalar_text(data[start:end], quote)


def scalar_span(data: bytes, start: int, indent: int) -> tuple[int, int, bytes]:
    """Return start and end of a scalar, quotes included, and its quote.

    The quote is ``b""`` for a plain text and for one whose quote is not closed. The arguments are as for
    :func:`scalar_at`.
    """
    size = len(data)
    while start < size and data[start] in b" \t":
        start += 1
    quote = data[start : start + 1]
    if quote in (b'"', b"'"):
        match = (_DOUBLE_QUOTED if quote == b'"' else _SINGLE_QUOTED).match(data, start)
        if match:
            return start, match.end(), quote
    line_end = data.find(b"\n", start)
    line_end = size if line_end < 0 else line_end
    text_end = _without_blanks(data, start, line_end)
    if text_end == start:
        return start, start, b""
    while not is_last(data, line_end, indent):
        following = _NEXT_WORD.match(data, line_end + 1)
        if following is None or len(following[1]) <= indent:
            break
        word: int = following.end()
        line_end = data.find(b"\n", word)
        line_end = size if line_end < 0 else line_end
        text_end = _without_blanks(data, word, line_end)
    return start, text_end, b""


def scalar_text(raw: bytes, quote: bytes) -> str:
    """Return the text of a scalar.

    Args:
        raw: the bytes of its :func:`span <scalar_span>`.
        quote: the third value of the span.
    """
    text = (raw[1:-1] if quote else raw).decode("utf-8", "replace")
    if quote == b'"':
        return _double_quoted(text)
    text = _folded(text)
    return text.replace("''", "'") if quote else text


def scalar_fault(raw: bytes, quote: bytes, *, libyaml: bool = False) -> tuple[str, int] | None:
    """Return why Unity does not read a scalar, and where.

    The offset is within ``raw``; None if it can be read.

    Args:
        raw: the bytes of its :func:`span <scalar_span>`.
        quote: the third value of the span.
        libyaml: whether it is read by Unity up to 2019.2, which joins the lines around a backslash.
    """
    if not quote:
        if raw[:1] in (b'"', b"'"):
            return UNCLOSED_QUOTE, 0
        if b"\n" in raw and b":" in raw:
            offset = 0
            for line in raw.split(b"\n"):
                if line.rstrip(_BLANK).endswith(b":"):
                    return COLON_AT_LINE_END, offset
                offset += len(line) + 1
    elif quote == b'"' and b"\\" in raw and _ODD_ESCAPE.search(raw.replace(_BACKSLASHES, b"")) is not None:
        for match in _ESCAPE_BYTES.finditer(raw):
            digits = match[1] or match[2]
            if digits:
                code = int(digits, 16)
                if code in _SURROGATES:
                    return SURROGATE_ESCAPE, match.start()
                if code > _MOST_CODE:
                    return UNKNOWN_ESCAPE, match.start()
            elif match[3] is not None and (match[3] >= b"\x80" or chr(match[3][0]) not in _ESCAPES):
                if libyaml and match[3] in (b"\n", b"\r"):
                    continue
                return UNKNOWN_ESCAPE, match.start()
    return None


def key_span(data: bytes, start: int, line_end: int) -> tuple[int, int, bytes]:
    """Return a key's end, the place behind its colon, and its quote.

    A key ends at the first colon before a space or the end of the line; it may be empty (``: Any``). The end is -1 if
    there is none. :func:`scalar_text` reads the key.
    """
    quote = data[start : start + 1]
    if quote in (b'"', b"'"):
        match = (_DOUBLE_QUOTED if quote == b'"' else _SINGLE_QUOTED).match(data, start, line_end)
        end: int = match.end() if match else line_end
        colon = end
        while data[colon : colon + 1] == b" ":
            colon += 1
        is_key = data[colon : colon + 1] == b":" and data[colon + 1 : colon + 2] in _BEHIND_COLON
        return (end, colon + 1, quote) if is_key else (-1, -1, b"")
    colon = data.find(b":", start, line_end)
    while colon >= 0:
        if colon + 1 >= line_end or data[colon + 1] in b" \t\r":
            return _without_blanks(data, start, colon), colon + 1, b""
        colon = data.find(b":", colon + 1, line_end)
    return -1, -1, b""


_BEHIND_COLON: Final = (b" ", b"\n", b"\r", b"\t", b"")


def _without_blanks(data: bytes, start: int, end: int) -> int:
    """Return the end without spaces, tabs and CR before it."""
    while end > start and data[end - 1] in _BLANK:
        end -= 1
    return end


def is_last(data: bytes, line_end: int, indent: int) -> bool:
    """Whether the next line certainly does not continue the scalar."""
    beginning = data[line_end + 1 : line_end + indent + 2].lstrip(b" ")
    return line_end + 1 >= len(data) or not (beginning or b" ")[:1].isspace()


def _folded(text: str) -> str:
    """Fold line breaks: one becomes a space, n + 1 become n."""
    if "\n" not in text:
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    last = lines.pop().lstrip(" \t")
    folded = [lines[0]]
    blank = 0
    for line in lines[1:]:
        words = line.lstrip(" \t")
        if words:
            folded += ("\n" * blank or " ", words)
            blank = 0
        else:
            blank += 1
    folded += ("\n" * blank or " ", last)
    return "".join(folded)


def _double_quoted(text: str) -> str:
    if "\\" not in text:
        return _folded(text)
    import re  # noqa: PLC0415 - few values are quoted

    if "\n" in text:
        text = _folded(re.sub(_ESCAPED_BREAK, r"\1", text.replace("\r\n", "\n")))
    text = re.sub(_ESCAPE, _unescape, text, flags=re.DOTALL)
    text = re.sub(_SURROGATE_PAIR, lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return re.sub(_LONE_SURROGATE, "\ufffd", text)


def _unescape(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code <= _MOST_CODE else "\ufffd"
    return _ESCAPES.get(match[4], match[0])
