"""Tags of objects that C# compares with a text, or sets.

``enemy.tag`` may be a property of any class. Certain are ``gameObject``, ``transform`` and ``collider``, which have
Unity's classes, and names that a file declares with such a class and never otherwise.
"""

from __future__ import annotations

import re

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Final

    from assetdb.unity.scripts.faults import Token

_USE: Final = re.compile(
    rb"tag(?<=[.\s]tag)\s{0,9}(?:[!=]?=|\.\s{0,9}Equals\s{0,9}\()\s{0,99}(?:(@?\")|\w)",
)
_TAG: Final = "tag"
_OWN: Final = {"gameObject": "GameObject", "transform": "Transform", "collider": "Collider"}
_HOLDERS: Final = frozenset(("GameObject", "Transform", "Collider", "Collider2D", "Rigidbody", "Rigidbody2D"))
_ENGINE: Final = "UnityEngine"
NO_TYPES: Final = frozenset(
    (
        *("return", "in", "out", "ref", "is", "as", "else", "await", "throw", "case", "not", "and", "or", "when"),
        *("yield", "where", "select", "orderby", "by", "on", "equals", "do"),
    )
)
"""Words before a name that declare none."""
_END_OF_TYPE: Final = (">", "]", "?")
_BEHIND: Final = frozenset((")", ";", "&", "|", "?", ":", ",", "}"))
_MOST_PARAMETERS: Final = 40  # tokens between the parentheses of a lambda, or in front of a name in a list
_OPENING: Final = {")": "(", "]": "[", "}": "{"}
_STATEMENTS: Final = frozenset(("if", "while", "for", "foreach", "using", "lock", "fixed", "switch", "catch"))
_BEHIND_PATTERN: Final = frozenset((")", "&", "|", ":", ";", ",", "=>", "when"))
_BEHIND_ONE_OF_LIST: Final = frozenset(("=", ";", ",", ")"))
_VAR: Final = "var"


class TagUse(NamedTuple):
    """A tag of an object that is compared or set.

    Attributes:
        receiver: the name of the object.
        holder: its class.
        tag: the text.
        line: 1-based.
    """

    receiver: str
    holder: str
    tag: str
    line: int


def plain_text(token: str) -> str:
    """Return a text without escapes and its first quote, or ``""``."""
    return token if token[:1] == '"' and len(token) > 1 and "\\" not in token and '"' not in token[1:] else ""


def may_use_tag(data: bytes, *, has_constants: bool) -> bool:
    """Whether a file may use a tag; False is proven."""
    return any(match[1] or has_constants for match in _USE.finditer(data))


def tag_uses(found: Sequence[Token], constants: Mapping[str, str]) -> Iterator[TagUse]:
    """Yield the uses of tags with known texts.

    Args:
        found: the tokens of a file.
        constants: texts with a quote in front, by name.

    >>> from assetdb.unity.scripts.tokens import tokens_of
    >>> list(tag_uses(tokens_of(b'gameObject.tag == "Enemy")').all, {}))
    [TagUse(receiver='gameObject', holder='GameObject', tag='Enemy', line=1)]
    """
    holders: dict[str, str] | None = None
    for at in range(2, len(found) - 3):
        if found[at].text != _TAG or found[at - 1].text != ".":
            continue
        place = _place_of_value(found, at + 1)
        if place < 0 or place + 1 >= len(found) or found[place + 1].text not in _BEHIND:
            continue
        text = found[place].text
        value = plain_text(text) or constants.get(text, "")
        if not value.startswith('"'):
            continue
        if holders is None:
            holders = _holders(found)
        owner = at - 3 if found[at - 2].text == "?" else at - 2
        receiver = found[owner].text
        if receiver in holders and (receiver in _OWN or not _is_member(found, owner)):
            yield TagUse(receiver, holders[receiver], value[1:], found[place].line)


def _place_of_value(found: Sequence[Token], at: int) -> int:
    """Return where the value behind a tag is, or -1."""
    sign, following = found[at].text, found[at + 1].text
    if sign in ("=", "!") and following == "=":
        return at + 2
    if sign == "=":
        return at + 1
    return at + 3 if (sign, following, found[at + 2].text) == (".", "Equals", "(") else -1


def _is_member(found: Sequence[Token], at: int) -> bool:
    """Whether a name is one of another object."""
    return at > 1 and found[at - 1].text == "." and found[at - 2].text != "this"


def _holders(found: Sequence[Token]) -> dict[str, str]:
    """Return names with one class, which has a tag."""
    kinds: dict[str, set[str]] = {name: {kind} for name, kind in _OWN.items()}
    for at in range(1, len(found)):
        text, before = found[at].text, found[at - 1].text
        if text.isidentifier():
            kind = _declared_kind(found, at - 1)
            if kind is None and at + 1 < len(found) and found[at + 1].text == "=>" and before not in NO_TYPES:
                kind = ""  # the parameter of a lambda
            if kind is None and at + 2 < len(found):
                kind = _kind_in_list(found, at) if before in ("(", ",") else _kind_behind_pattern(found, at)
            if kind is not None and not (text in _OWN and kind in _HOLDERS):
                kinds.setdefault(text, set()).add(kind)
        elif text == "=>" and before == ")":
            for name in _parameters(found, at - 2):
                kinds.setdefault(name, set()).add("")
    single = {name: next(iter(own)) for name, own in kinds.items() if len(own) == 1}
    return {name: kind for name, kind in single.items() if kind}


def _declared_kind(found: Sequence[Token], at: int) -> str | None:
    """Return the class that a place declares a name with.

    It is ``""`` for another type, and None where it declares nothing.
    """
    text = found[at].text
    if text not in _HOLDERS:
        is_type = text in _END_OF_TYPE or (text.isidentifier() and text not in NO_TYPES)
        return "" if is_type else None
    is_of_unity = at < 1 or found[at - 1].text != "." or (at > 1 and found[at - 2].text == _ENGINE)
    return text if is_of_unity else ""


def _kind_in_list(found: Sequence[Token], at: int) -> str | None:
    """Return the class of a name in a list, or None.

    ``Node a, it;``, ``var (a, it)``.
    """
    if found[at + 1].text not in _BEHIND_ONE_OF_LIST or (found[at + 1].text == found[at + 2].text == "="):
        return None
    start = _opening(found, at - 1)
    if start < 0:
        return None
    if found[start].text == "(":
        before = found[start - 1].text if start else ""
        return "" if before == _VAR or (before == "for" and found[at - 1].text == ",") else None
    for place in range(start + 1, at - 2):
        if found[place + 1].text.isidentifier() and found[place + 2].text in ("=", ","):
            kind = _declared_kind(found, place)
            if kind is not None:
                return kind
    return None


def _kind_behind_pattern(found: Sequence[Token], at: int) -> str | None:
    """Return ``""`` for a name behind a pattern, or None.

    ``is { } it``, ``is Node(1, 2) it``, also behind a tuple's type: ``(string tag, int count) it``.
    """
    before, following = found[at - 1].text, found[at + 1].text
    if before == "}":
        is_last = following in _BEHIND_PATTERN or (following == "?" and found[at + 2].text != ".")
        return "" if is_last else None
    start = _opening(found, at - 2) if before == ")" else -1
    if start < 0 or found[start].text != "(" or following == ".":
        return None
    owner = found[start - 1].text if start else ""
    if owner in _STATEMENTS or owner in NO_TYPES - {"is", "in", "out", "ref", "case", "and", "or", "not"}:
        return None
    is_tuple = any(token.text == "," for token in found[start:at])
    return "" if is_tuple or (owner.isidentifier() and owner not in NO_TYPES) else None


def _opening(found: Sequence[Token], at: int) -> int:
    """Return the nearest open bracket or end of a statement, or -1."""
    waiting: list[str] = []
    for place in range(at, max(at - _MOST_PARAMETERS, -1), -1):
        text = found[place].text
        if text in _OPENING and (text != "}" or waiting):
            waiting.append(_OPENING[text])
        elif waiting:
            if text == waiting[-1]:
                waiting.pop()
        elif text in ("(", "[", "{", ";", "}"):
            return place
    return -1


def _parameters(found: Sequence[Token], at: int) -> Iterator[str]:
    """Yield the names without types before the end of a lambda's parameters."""
    for place in range(at, max(at - _MOST_PARAMETERS, 0), -1):
        text, before = found[place].text, found[place - 1].text
        if text == "(":
            return
        if text.isidentifier() and before in ("(", ","):
            yield text
