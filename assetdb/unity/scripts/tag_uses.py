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
_NO_TYPES: Final = frozenset(
    (
        *("return", "in", "out", "ref", "is", "as", "else", "await", "throw", "case", "not", "and", "or", "when"),
        *("yield", "where", "select", "orderby", "by", "on", "equals", "do"),
    )
)
_END_OF_TYPE: Final = (">", "]", "?")
_BEHIND: Final = frozenset((")", ";", "&", "|", "?", ":", ",", "}"))
_MOST_PARAMETERS: Final = 40  # tokens between the parentheses of a lambda


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
            if kind is None and at + 1 < len(found) and found[at + 1].text == "=>" and before not in _NO_TYPES:
                kind = ""  # the parameter of a lambda
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
        is_type = text in _END_OF_TYPE or (text.isidentifier() and text not in _NO_TYPES)
        return "" if is_type else None
    is_of_unity = at < 1 or found[at - 1].text != "." or (at > 1 and found[at - 2].text == _ENGINE)
    return text if is_of_unity else ""


def _parameters(found: Sequence[Token], at: int) -> Iterator[str]:
    """Yield the names without types before the end of a lambda's parameters."""
    for place in range(at, max(at - _MOST_PARAMETERS, 0), -1):
        text, before = found[place].text, found[place - 1].text
        if text == "(":
            return
        if text.isidentifier() and before in ("(", ","):
            yield text
