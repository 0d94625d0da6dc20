"""Calls in C# that find something of the project by name.

Only what plain reading proves: an argument is one literal, or a constant of the same file. Of everything else, as texts
that are put together, nothing is said.
"""

from __future__ import annotations

import re

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
_CALL: Final = re.compile(
    rb"\b("
    + b"|".join(name.encode() for name in FUNCTIONS)
    + rb")\s{0,9}(?:<[^<>;(){}]{0,99}>\s{0,9})?\(\s{0,99}(?=([@\"\w]))"
)
_SEVERAL: Final = "GetMask"
_QUOTES: Final = (b'"', b"@")
_CONST: Final = ("const", "string")
_READONLY: Final = ("readonly", "string")
_MOST_IN_TYPES: Final = 40  # tokens between the angle brackets of a call


class Call(NamedTuple):
    """A call of one of the functions with one name.

    Attributes:
        receiver: the word before the function, as ``Resources``; ``""`` if there is none.
        function: its name.
        argument: the name that it is given.
        line: 1-based.
        types: the words in its type arguments: ``Sprite`` of ``Load<Sprite>``.
    """

    receiver: str
    function: str
    argument: str
    line: int
    types: str


def may_call(data: bytes) -> bool:
    """Whether a file may make one of the calls; False is proven."""
    has_constants = b"string" in data and (b"const" in data or b"readonly" in data)
    for match in _CALL.finditer(data):
        function = match[1].decode()
        # Events have an Invoke, too, and most coroutines are started by a call: only texts are looked at.
        is_known = match[2] in _QUOTES or (has_constants and function not in OF_COMPONENT) or function == _SEVERAL
        if is_known and FUNCTIONS[function].encode() in data:
            return True
    return False


def calls_in(tokens: Tokens) -> Iterator[Call]:
    """Yield the calls with known arguments."""
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
            yield Call(receiver, token.text, argument, line, types)


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
    """Yield the first argument, or all of them, where they are known."""
    at = opening + 1
    while at + 1 < len(found) and found[at + 1].text in (",", ")"):
        text = found[at].text
        name = text[1:] if text.startswith('"') else constants.get(text, "")
        if name and "\\" not in name and '"' not in name:
            yield name, found[at].line
        if not several or found[at + 1].text == ")":
            return
        at += 2


def _constants(found: Sequence[Token]) -> dict[str, str]:
    """Return the texts of constants, without names that have several."""
    known: dict[str, set[str]] = {}
    for at, token in enumerate(found[:-5]):
        if (token.text, found[at + 1].text) in (_CONST, _READONLY) and found[at + 3].text == "=":
            value, end = found[at + 4].text, found[at + 5].text
            is_text = value.startswith('"') and end in (";", ",")
            known.setdefault(found[at + 2].text, set()).add(value[1:] if is_text else "")
    return {name: next(iter(values)) for name, values in known.items() if len(values) == 1}
