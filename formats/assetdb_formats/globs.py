"""Shell and git patterns, matched in linear time.

Patterns are untrusted: the regular expressions that ``fnmatch`` and ``pathspec`` make of forty stars try every way to
divide a name among them. Here the text between two stars is searched for once, in an atomic group: its first match is
always enough, because it leaves the most for the rest.
"""

from __future__ import annotations

from re import compile as compiled
from re import escape

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

_STAR: Final = ""
"""Stands for a star among tokens; every other token matches exactly one character."""
_ANY_FOLDERS: Final = "(?:[^/]+/)*?"
_BOUNDARY: Final = r"(?=/|\Z)"


def name_matcher(pattern: str) -> Callable[[str], bool]:
    """Return a predicate for a glob; ``*`` and ``?`` match slashes too."""
    match = compiled(_joined(_tokens(pattern, "(?s:.)", "", escapes=False), "(?s:.)") + r"\Z").match
    return lambda text: match(text) is not None


def path_matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    r"""Return a predicate that matches paths against lines of a ``.gitignore``.

    Paths have ``/``, and a directory one at its end.

    Raises:
        ValueError: a line is not a valid pattern (``!``, or a ``\`` with nothing behind it).
    """
    rules = [rule for rule in map(_rule, reversed(patterns)) if rule is not None]

    def matches(path: str) -> bool:
        for match, included in rules:  # the last line that matches a path decides
            if match(path) is not None:
                return included
        return False

    return matches


def _rule(pattern: str) -> tuple[Callable[[str], object], bool] | None:
    r"""Return a line's predicate, and whether it includes paths.

    Raises:
        ValueError: it is not a valid pattern.
    """
    text = pattern if pattern.endswith("\\ ") else pattern.rstrip()
    if not text or text.startswith("#"):
        return None
    included = not text.startswith("!")
    text = text.removeprefix("!") if not included else text
    segments = text.split("/")
    if not segments[0]:
        del segments[0]  # a slash in front: from the root on
    elif len(segments) == 1 or segments[1:] == [""]:
        segments.insert(0, "**")  # a lone name: at any depth
    if not segments:
        raise ValueError(f"{pattern!r} is not a valid pattern")
    if not segments[-1]:
        segments[-1] = "**"  # a slash behind: what is in a directory of that name
    folded = [one for number, one in enumerate(segments) if one != "**" or segments[number - 1 : number] != ["**"]]
    try:
        return compiled(_expression(folded, directory=text.endswith("/") and text != "/")).match, included
    except ValueError:
        raise ValueError(f"{pattern!r} is not a valid pattern: nothing follows its last backslash") from None


def _expression(segments: list[str], *, directory: bool) -> str:
    """Return the regular expression of a pattern's segments."""
    if segments in (["**"], ["**", "*"]):
        return "[^/]*/" if directory else "(?s:.)"
    if segments == ["**", "*", "**"]:
        return "[^/]*/"
    parts = []
    groups: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            groups.append([])
        else:
            groups[-1].append(segment)
    inside = not groups[-1]  # a "**" at the end: only what is in the directory, not itself
    if inside:
        del groups[-1]
    for number, group in enumerate(groups):
        if not group:
            continue  # in front of a "**" at the beginning
        last = number == len(groups) - 1
        folders = _ANY_FOLDERS if number else ""
        expression = folders + "/".join(map(_segment, group))
        if not last:
            parts.append(f"(?>{expression}/)")
        elif inside:
            parts.append(f"{expression}/")
        else:
            parts.append(expression + (r"/?\Z" if group[-1] == "*" else _BOUNDARY))
    return "".join(parts)


def _segment(glob: str) -> str:
    """Return the regular expression of the text between two slashes.

    Raises:
        ValueError: a backslash has nothing behind it.
    """
    if glob == "*":
        return "[^/]+"
    return _joined(_tokens(glob, "[^/]", "/", escapes=True), "[^/]", _BOUNDARY)


def _joined(tokens: list[str], any_character: str, end: str = r"\Z") -> str:
    """Return the regular expression of tokens, followed by ``end`` wherever it matches."""
    chunks: list[list[str]] = [[]]
    for token in tokens:
        if token == _STAR:
            chunks.append([])
        else:
            chunks[-1].append(token)
    first, *others = ["".join(chunk) for chunk in chunks]
    if not others:
        return first
    *between, last = others
    middle = "".join(f"(?>{any_character}*?{chunk})" for chunk in between if chunk)
    return f"{first}{middle}(?>{any_character}*?{last}{end})" if last else f"{first}{middle}{any_character}*+"


def _tokens(pattern: str, any_character: str, never: str, *, escapes: bool) -> list[str]:
    r"""Split a pattern into regular expressions of single characters and stars.

    Args:
        pattern: the pattern.
        any_character: the expression for a ``?``.
        never: characters that a negated ``[...]`` does not match.
        escapes: whether a ``\`` makes the next character an ordinary one.

    Raises:
        ValueError: a backslash has nothing behind it.
    """
    tokens: list[str] = []
    last_bracket = pattern.rfind("]")
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "*":
            if tokens[-1:] != [_STAR]:
                tokens.append(_STAR)
        elif character == "?":
            tokens.append(any_character)
        elif character == "\\" and escapes:
            if position == len(pattern):
                raise ValueError(pattern)
            tokens.append(escape(pattern[position]))
            position += 1
        elif character == "[" and position < last_bracket:
            start = position + (pattern[position] in ("!^" if escapes else "!"))
            end = pattern.find("]", start + 1)
            if end < 0:
                tokens.append(r"\[")
            else:
                tokens.append(_class(pattern[start:end], never if start > position else None))
                position = end + 1
        else:
            tokens.append(escape(character))
    return tokens


def _class(content: str, never: str | None) -> str:
    """Return the regular expression of a ``[...]``, or of its negation."""
    parts = []
    position = 0
    while position < len(content):
        low = content[position]
        if content[position + 1 : position + 2] == "-" and position + 2 < len(content):
            high = content[position + 2]
            if low <= high:
                parts.append(f"{escape(low)}-{escape(high)}")
            position += 3
        else:
            parts.append(escape(low))
            position += 1
    inside = "".join(parts)
    if never is None:
        return f"[{inside}]" if inside else "(?!)"
    return f"[^{inside}{never}]" if inside or never else "(?s:.)"
