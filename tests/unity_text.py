"""Unity's text a second time: plain statements of how Unity writes and reads it, and a rewrite for YAML libraries.

Nothing here is of the code under test, and nothing asks a YAML library: both would share faults. The rules are those of
public reports, Unity's manual (UnityYAML) and counts over real files; values are read letter by letter, which is slow.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

OLD: Final = "libyaml, up to 2019.2"
NEW: Final = "UnityYAML, from 2019.3 on"
NEWEST: Final = "UnityYAML of Unity 6"
ERAS: Final = (OLD, NEW, NEWEST)

_NAMED: Final = {
    name: chr(code)
    for name, code in zip(
        '0abtnvfre"\\ N_LP', (0, *range(7, 14), 27, 34, 92, 32, 0x85, 0xA0, 0x2028, 0x2029), strict=True
    )
}
_NAMES: Final = {letter: name for name, letter in _NAMED.items() if name not in ' "\\'} | {'"': '"', "\\": "\\"}
_FIRST_LETTERS: Final = "#,[]{}&*!|>'\"%@`"


# --- writing


def style(text: str, era: str) -> str:
    """Return the quote that Unity writes around a text, or ``""``."""
    beside_space = re.search(r" \n|\n ", text) is not None
    if beside_space or any(letter != "\n" and not " " <= letter <= "~" for letter in text):
        return '"'
    if not text:
        return ""
    quoted = (
        text[0] in _FIRST_LETTERS
        or text in ("-", "?", ":")
        or text.startswith(("- ", "? ", ": "))
        or ": " in text
        or text.endswith(":")
        or text[0] == " "
        or text[-1] == " "
        or "\n" in text
        or (era == OLD and (" #" in text or text.startswith(("---", "..."))))
        or (era == NEWEST and text.endswith("]"))
    )
    return "'" if quoted else ""


def written(text: str, column: int, indent: int, era: str, width: int = 0) -> str:
    """Return a value as Unity writes it.

    Args:
        text: the value.
        column: where the value begins in its line.
        indent: of its further lines: two more than the key, or than the dash of a list item.
        era: one of the three above.
        width: the column from which on lines are broken, if it is not Unity's own.
    """
    quote = style(text, era)
    width = width or (80 if era == OLD else 79)
    out = [quote]
    at = column + len(quote)
    broken = False  # the last letter was a line break of the text
    for place, letter in enumerate(text):
        following = text[place + 1 : place + 2]
        before = text[place - 1] if place else ""
        inside = 0 < place < len(text) - 1
        may_fold = letter == " " and at > width and inside
        if quote == "'" and letter == "\n":
            out.append("\n" if broken else "\n\n")
            at, broken = 0, True
            continue
        if broken:
            out.append(" " * indent)
            at, broken = indent, False
        if may_fold and _folds_at(before, following, quote, era):
            out.append("\n" + " " * indent)
            at = indent
            if quote == '"' and following == " ":
                out.append("\\")
                at += 1
            continue
        piece = "''" if quote == "'" == letter else _escaped(letter) if quote == '"' else letter
        out.append(piece)
        at += len(piece)
    out.append(quote)
    return "".join(out)


def _folds_at(before: str, following: str, quote: str, era: str) -> bool:
    if era != OLD:
        return following != " "  # the last of several spaces
    if quote == '"':
        return before != " "  # the first one; the next is escaped
    return before != " " and following not in (" ", "\n")


def _escaped(letter: str) -> str:
    if letter in _NAMES:
        return "\\" + _NAMES[letter]
    code = ord(letter)
    if " " <= letter <= "~":
        return letter
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


# --- reading


def value_of(lines: list[str]) -> str:
    """Return the value in lines: the first from the value on, the others whole."""
    first = lines[0].lstrip(" ")
    if first[:1] not in ("'", '"'):
        return _joined([first, *lines[1:]]).rstrip(" \t")
    text = _joined([first[1:], *lines[1:]])
    return _single(text) if first[0] == "'" else _double(text)


def quote_is_open(lines: list[str]) -> bool:
    """Whether lines begin a quoted value and do not end it."""
    text = "\n".join([lines[0].lstrip(" "), *lines[1:]])
    quote, text = text[:1], text[1:]
    if quote == "'":
        return len(re.findall("'", text)) % 2 == 0
    if quote != '"':
        return False
    place = 0
    while place < len(text):
        if text[place] == '"':
            return False
        place += 2 if text[place] == "\\" else 1
    return True


def _joined(lines: list[str]) -> str:
    """Join lines: one break is a space, a break and n blank lines are n breaks; only starts of lines are dropped."""
    text = lines[0]
    breaks = 0
    for number, line in enumerate(lines[1:], 1):
        word = line.lstrip(" \t")
        breaks += 1
        if word or number == len(lines) - 1:
            text += " " if breaks == 1 else "\n" * (breaks - 1)
            text += word
            breaks = 0
    return text


def _single(text: str) -> str:
    read = ""
    place = 0
    while place < len(text):
        if text[place] == "'":
            if text[place + 1 : place + 2] != "'":
                return read
            place += 1
        read += text[place]
        place += 1
    raise ValueError("the quote is open")


def _double(text: str) -> str:
    read = ""
    place = 0
    while text[place] != '"':
        if text[place] != "\\":
            read += text[place]
            place += 1
            continue
        name = text[place + 1]
        digits = {"x": 2, "u": 4, "U": 8}.get(name, 0)
        if digits:
            read += chr(int(text[place + 2 : place + 2 + digits], 16))
        else:
            read += _NAMED[name]
        place += 2 + digits
    return read


# --- lines

_LINE: Final = re.compile(r"( *)((?:- +|-$)*)(.*)", re.DOTALL)
_KEY: Final = re.compile(r"('(?:[^']|'')*'|(?![\[{'\"]).*?):(?: +|$)")
_QUOTED: Final = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\"")


class Entry(NamedTuple):
    """A line with a key or an item, and the further lines of its value.

    Attributes:
        lines: all of them.
        indent: the column of the key, or of a value without a key.
        key: as written, None for an item that is a value.
        value: of the first line, what is behind the key; then the others.
    """

    lines: list[str]
    indent: int
    key: str | None
    value: list[str]

    @property
    def is_flow(self) -> bool:
        """Whether the value is in braces or brackets."""
        return self.value[0][:1] in ("{", "[")


def entries(text: str) -> Iterator[Entry]:
    """Yield the lines of a document or meta that are no part of a value before them."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        first = number
        number += 1
        match = _LINE.match(line)
        assert match is not None
        if not line.strip() or line.startswith(("%", "--- ", "...")):
            continue
        indent = len(match[1]) + len(match[2])
        key = _KEY.match(match[3])
        value = match[3][key.end() :] if key else match[3]
        # Of a list item, the column of its dash counts; of a key its own.
        inner = indent if key else len(match[1]) + max(0, len(match[2]) - 2)
        own = [value]
        if value[:1] in ("'", '"'):
            while quote_is_open(own) and number < len(lines):
                own.append(lines[number])
                number += 1
        elif value[:1] in ("{", "["):
            while flow_is_open(own) and number < len(lines):
                own.append(lines[number])
                number += 1
        elif value.strip():
            while number < len(lines) and _continues(lines, number, inner):
                own.append(lines[number])
                number += 1
            while not own[-1].strip():
                own.pop()
                number -= 1
        yield Entry(lines[first:number], indent, key[1] if key else None, own)


def flow_is_open(lines: list[str]) -> bool:
    """Whether lines begin braces or brackets and do not end them."""
    text = _QUOTED.sub("", "\n".join(lines))
    return sum(map(text.count, "{[")) > sum(map(text.count, "}]"))


# --- for YAML libraries

_JOINED: Final = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
_EMPTY: Final = "''"


def for_yaml(text: str) -> str:
    """Rewrite Unity's text for a YAML library: it has the same values there.

    Values of several lines and with `` #`` are quoted on one line, empty keys are quoted, and a ``data:`` that is
    repeated in a mapping is ``data[0]``, ``data[1]``.
    """
    out: list[str] = []
    for entry in entries(text):
        value = entry.value[0]
        is_joined = value[:1] == '"' and any(_JOINED.search(part) for part in entry.value[:-1])  # of other writers
        is_odd = len(entry.value) > 1 or " #" in value or value[:1] in ("|", ">", "!", "&", "*")
        head = entry.lines[0][: entry.indent] + (f"{entry.key or _EMPTY}: " if entry.key is not None else "")
        if entry.is_flow or is_joined or not (is_odd or entry.key == ""):
            out += [head + value if entry.key == "" else entry.lines[0], *entry.lines[1:]]
        else:
            out.append(head + (_quoted(value_of(entry.value)) if value.strip() else ""))
    return "\n".join(_numbered(out))


def _continues(lines: list[str], number: int, column: int) -> bool:
    for line in lines[number:]:
        if line.strip():
            return len(line) - len(line.lstrip(" ")) > column
    return False


def _quoted(text: str) -> str:
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _numbered(lines: list[str]) -> list[str]:
    """Number the ``data:`` keys that a mapping has more than once."""
    open_at: dict[int, list[int]] = {}
    groups: list[list[int]] = []
    for number, line in enumerate(lines):
        column = len(line) - len(line.lstrip(" "))
        if not line.strip():
            continue
        for deeper in [at for at in open_at if at > column]:
            del open_at[deeper]
        if line.strip() == "data:":
            if column not in open_at:
                groups.append(open_at.setdefault(column, []))
            open_at[column].append(number)
    for group in groups:
        for place, number in enumerate(group if len(group) > 1 else ()):
            lines[number] = lines[number].replace("data:", f"'data[{place}]':")
    return lines
