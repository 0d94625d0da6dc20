"""Lines of members in C# source, by their types and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.scripts.tokens import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.unity.scripts.faults import Token

_TYPES: Final = ("class", "struct", "interface", "record")
_NOT_OF_MEMBERS: Final = frozenset((*_TYPES, "enum", "where"))
_ENDS: Final = ("{", "}", ";")
_DEEPEST: Final = 64  # nested types and blocks
# Words of C#: parentheses behind one are a tuple's or a base's, as in `public (int, int) pair` or `Door() : base(1)`.
_RESERVED: Final = """abstract as base bool break byte case catch char checked class const continue decimal default
    delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int
    interface internal is lock long namespace new null object operator out override params private protected public
    readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint
    ulong unchecked unsafe ushort using virtual void volatile while"""
_NO_NAMES: Final = frozenset(_RESERVED.split())
_NONE: Final = ""


class MemberPlace(NamedTuple):
    """A declared member.

    Attributes:
        type: its type's name, ``""`` for a type itself.
        name: as it is declared.
        line: of the name, 1-based.
        is_method: whether parameters follow.
    """

    type: str
    name: str
    line: int
    is_method: bool


def member_places(data: bytes) -> list[MemberPlace]:
    """Return types and members of a source in order, none if unclear."""
    tokens = tokens_of(data)
    return [] if tokens.unclear else list(_places(tokens.all))


def _places(tokens: Sequence[Token]) -> Iterator[MemberPlace]:
    around: list[str] = []  # names of open types, "" for namespaces and all else
    head: list[Token] = []
    is_value, is_member = False, True
    brackets = angles = 0
    for at, token in enumerate(tokens):
        text = token.text
        if text in "([":
            brackets += 1
        elif text in ")]":
            brackets -= 1
        if brackets > (text in "([") or (brackets == 0 and text in ")]"):
            continue
        if text in _ENDS:
            declared = None if is_value else _declared_type(head)
            if declared is not None:
                yield MemberPlace(_NONE, declared.text, declared.line, is_method=False)
            if text == "{":
                around.append(declared.text if declared is not None else _NONE)
                if len(around) > _DEEPEST:
                    return
            elif text == "}" and around:
                around.pop()
            if text != "{" or not is_value:
                is_value, head = False, []
                is_member, angles = True, 0
            continue
        if around and around[-1] and not is_value and is_member and not angles and _is_name(token):
            following = tokens[at + 1].text if at + 1 < len(tokens) else ""
            is_method = following == "(" or (following == "<" and _is_before_parameters(tokens, at + 1))
            if is_method or (following in ("{", "=>", "=", ";", ",") and head):
                yield MemberPlace(around[-1], text, token.line, is_method)
        # After a value a comma begins the next field, except between type arguments: `int a = 1, b = 2;`
        is_value = (is_value or text in ("=", "=>")) and (text != "," or angles != 0)
        is_member = is_member and text not in _NOT_OF_MEMBERS
        angles += (text == "<") - (text == ">")
        head.append(token)


def _declared_type(head: Sequence[Token]) -> Token | None:
    """Return the name of the type that a head declares."""
    for at, token in enumerate(head[:-1]):
        if token.text == "where":
            return None
        if token.text in _TYPES and _is_name(head[at + 1]):  # the second word of `record struct` is none
            return head[at + 1]
    return None


def _is_name(token: Token) -> bool:
    return token.text.isidentifier() and token.text not in _NO_NAMES


def _is_before_parameters(tokens: Sequence[Token], start: int) -> bool:
    """Whether type parameters from ``start`` on are a method's."""
    depth = 0
    for at in range(start, min(len(tokens) - 1, start + 100)):
        depth += (tokens[at].text == "<") - (tokens[at].text == ">")
        if depth == 0:
            return tokens[at + 1].text == "("
    return False
