"""Calls in C# that find something by its name, and tags.

Only what plain reading proves: an argument is one literal, or a constant of the same file. Of everything else, as texts
that are put together, nothing is said.
"""

from __future__ import annotations

import re

from assetdb.unity.scripts.tag_uses import NO_TYPES, may_use_tag, plain_text, tag_uses
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    from assetdb.unity.scripts.faults import Token
    from assetdb.unity.scripts.tokens import Tokens

OF_COMPONENT: Final = ("Invoke", "InvokeRepeating", "StartCoroutine")
"""Functions of a component that call a method of it by its name."""
FUNCTIONS: Final = {
    **dict.fromkeys(OF_COMPONENT, ""),
    **dict.fromkeys(("LoadScene", "LoadSceneAsync"), "SceneManager"),
    **dict.fromkeys(("Load", "LoadAsync", "LoadAll"), "Resources"),
    **dict.fromkeys(("LoadAssetAsync", "InstantiateAsync"), "Addressables"),
    "Find": "Shader",
    **dict.fromkeys(("NameToLayer", "GetMask"), "LayerMask"),
    **dict.fromkeys(("GetAxis", "GetAxisRaw", "GetButton", "GetButtonDown", "GetButtonUp"), "Input"),
    **dict.fromkeys(("FindWithTag", "FindGameObjectWithTag", "FindGameObjectsWithTag"), "GameObject"),
    "CompareTag": "",
    **dict.fromkeys(("Play", "CrossFade", "CrossFadeInFixedTime"), ""),
    **dict.fromkeys(("SetTrigger", "ResetTrigger", "SetBool", "SetFloat", "SetInteger"), ""),
}
"""Functions and the class that has them; ``""`` for functions of an object."""
TAG: Final = "tag"
"""The function of a :class:`Call` that is a use of a tag; its ``types`` are the class of the object."""
# Between a parenthesis and its argument: LoadScene(/* name */ "Main").
_SPACE: Final = rb"\s{0,99}+(?>(?:(?:/\*[^*]{0,199}+\*/|//[^\n]{0,199}+\n)\s{0,99}+){0,9})"
_CALL: Final = re.compile(
    rb"\b("
    + b"|".join(name.encode() for name in FUNCTIONS)
    + rb")\s{0,9}(?:<[^<>;(){}]{0,99}>\s{0,9})?\("
    + _SPACE
    + rb"(?=([@\"\w]))"
)
_SEVERAL: Final = "GetMask"
_QUOTES: Final = (b'"', b"@")
_OF_INDEX: Final = ("LoadScene", "LoadSceneAsync")
_NUMBER: Final = re.compile(r"\d{1,6}", re.ASCII)
_CONSTANT_NUMBER: Final = re.compile(rb"\b(?:const|readonly)\s+int\b")
_CONSTANT: Final = ("const", "readonly")
_OF_CONSTANTS: Final = ("string", "int")
_CHANGING: Final = ("out", "ref")
_END_OF_TYPE: Final = ("?", "]")
_BEHIND_DECLARED: Final = frozenset((",", ")", ";", "in"))
_NAMESPACE: Final = "SceneManagement"
_MOST_IN_TYPES: Final = 40  # tokens between the angle brackets of a call


class Call(NamedTuple):
    """A call of one of the functions with one name.

    Attributes:
        receiver: the word before the function, as ``Resources``; ``""`` if there is none.
        function: its name.
        argument: the name that it is given.
        line: 1-based.
        types: the words in its type arguments: ``Sprite`` of ``Load<Sprite>``.
        is_index: whether the argument is a number.
    """

    receiver: str
    function: str
    argument: str
    line: int
    types: str
    is_index: bool = False


def may_call(data: bytes) -> bool:
    """Whether a file may make one of the calls; False is proven."""
    has_constants = b"string" in data and (b"const" in data or b"readonly" in data)
    has_numbers: bool | None = None
    absent: set[str] = set()  # functions: to search for the class of each call took minutes of 1 MB
    for match in _CALL.finditer(data):
        function, first = match[1].decode(), match[2]
        if function in absent:
            continue
        # Events have an Invoke, too, and most coroutines are started by a call: only texts are looked at.
        is_known = first in _QUOTES or (has_constants and function not in OF_COMPONENT) or function == _SEVERAL
        if not is_known and function in _OF_INDEX:
            if has_numbers is None:
                has_numbers = _CONSTANT_NUMBER.search(data) is not None
            is_known = first.isdigit() or has_numbers
        if is_known and FUNCTIONS[function].encode() in data:
            return True
        if is_known:
            absent.add(function)
    return may_use_tag(data, has_constants=has_constants)


def calls_in(tokens: Tokens) -> Iterator[Call]:
    """Yield the calls, and the uses of tags, with known arguments."""
    found = tokens.all
    constants = _constants(found)
    for at, token in enumerate(found[:-2]):
        if token.text not in FUNCTIONS:
            continue
        opening, types = _opening(found, at + 1)
        if opening < 0:
            continue
        receiver = found[at - 2].text if at > 1 and found[at - 1].text == "." else ""
        known = constants if token.text not in OF_COMPONENT else {}
        for argument, line in _arguments(found, opening, known, several=token.text == _SEVERAL):
            if argument.startswith('"'):
                yield Call(receiver, token.text, argument[1:], line, types)
            elif token.text in _OF_INDEX and _is_of_unity(found, at - 2):
                yield Call(receiver, token.text, argument, line, types, is_index=True)
    for use in tag_uses(found, constants):
        yield Call(use.receiver, TAG, use.tag, use.line, use.holder)


def _is_of_unity(found: Sequence[Token], at: int) -> bool:
    """Whether a class is no property, as ``runner.SceneManager`` of a network."""
    return at < 1 or found[at - 1].text != "." or (at > 1 and found[at - 2].text == _NAMESPACE)


def _opening(found: Sequence[Token], at: int) -> tuple[int, str]:
    """Return a call's parenthesis, -1 for none, and its type arguments."""
    if found[at].text != "<":
        return (at, "") if found[at].text == "(" else (-1, "")
    words: list[str] = []
    for place in range(at + 1, min(at + _MOST_IN_TYPES, len(found) - 1)):
        text = found[place].text
        if text == ">" and found[place + 1].text == "(":
            return place + 1, "".join(words)
        words.append(text)
    return -1, ""


def _arguments(
    found: Sequence[Token], opening: int, constants: dict[str, str], *, several: bool
) -> Iterator[tuple[str, int]]:
    """Yield the first argument, or all of them, where they are known.

    A text begins with a quote, and a number does not.
    """
    at = opening + 1
    while at + 1 < len(found) and found[at + 1].text in (",", ")"):
        text = found[at].text
        value = _value(text) or constants.get(text, "")
        if value:
            yield value, found[at].line
        if not several or found[at + 1].text == ")":
            return
        at += 2


def _value(text: str) -> str:
    """Return a plain text or a small number, or ``""``."""
    return text if _NUMBER.fullmatch(text) else plain_text(text)


def _constants(found: Sequence[Token]) -> dict[str, str]:
    """Return the literals of constants, without names that may have several.

    ``readonly`` fields are assigned in constructors, too, and parameters may have a constant's name.
    """
    known: dict[str, set[str]] = {}
    places = set()
    for at, token in enumerate(found[:-5]):
        if token.text in _CONSTANT and found[at + 1].text in _OF_CONSTANTS and found[at + 3].text == "=":
            is_literal = found[at + 5].text in (";", ",")
            known.setdefault(found[at + 2].text, set()).add(_value(found[at + 4].text) if is_literal else "")
            places.add(at + 2)
    for at in range(1, len(found) - 2) if known else ():
        if found[at].text in known and at not in places and _may_be_set(found, at):
            known[found[at].text].add("")
    return {name: value for name, values in known.items() if len(values) == 1 and (value := next(iter(values)))}


def _may_be_set(found: Sequence[Token], at: int) -> bool:
    """Whether a place may declare a name or assign to it."""
    before, following = found[at - 1].text, found[at + 1].text
    if before == ".":
        return following == "=" and found[at + 2].text != "=" and at > 1 and found[at - 2].text == "this"
    if following == "=" and found[at + 2].text != "=":
        return True
    if before in _CHANGING or (before in _END_OF_TYPE and following in _BEHIND_DECLARED):
        return True
    return before.isidentifier() and before not in NO_TYPES
