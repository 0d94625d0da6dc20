"""No possessive group ends its repeats where Python 3.11.0 to 3.11.4 forget the place.

There (gh-106052) a repeat of ``(?:, a+b)*+`` that fails behind ``a+`` leaves the match where ``a+`` began: in
``[{x: 1}, {]`` the bracket was found behind ``, {``. Debian 12 has 3.11.2. Such a group is written
``(?>(?:, a+b){0,99})``, whose repeats are bounded because an atomic group holds something of each.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from re import _constants as opcodes
from re import _parser as parser
from typing import TYPE_CHECKING

import pytest

import assetdb
import assetdb_formats
from assetdb.unity.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_GUARDED = "assetdb.unity.yaml.judging.refusals._PLAIN_MAPS"  # looks at the byte before its end, too
_OF_POSIX = ("assetdb.scan.processes", "assetdb.client.detach", "assetdb_formats.forking")
_REPEATS = (opcodes.MAX_REPEAT, opcodes.MIN_REPEAT, opcodes.POSSESSIVE_REPEAT)


def _patterns() -> Iterator[tuple[str, str | bytes, int]]:
    """Return name, source and flags of each pattern that a module holds."""
    for package in (assetdb, assetdb_formats):
        for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if info.name.endswith("__main__") or (sys.platform == "win32" and info.name in _OF_POSIX):
                continue
            for name, value in vars(importlib.import_module(info.name)).items():
                held = list(value.values()) if isinstance(value, dict) else value
                for one in held if isinstance(held, list | tuple) else [held]:
                    if isinstance(one, re.Pattern):
                        yield f"{info.name}.{name}", one.pattern, one.flags & ~(re.UNICODE | re.DEBUG)
                    elif isinstance(one, Pattern):
                        yield f"{info.name}.{name}", one._source, one._flags


def _children(operation: object, argument: object) -> list[object]:
    if operation in _REPEATS:
        return [argument[2]]
    if operation is opcodes.ATOMIC_GROUP:
        return [argument]
    if operation is opcodes.SUBPATTERN:
        return [argument[-1]]
    if operation is opcodes.BRANCH:
        return list(argument[1])
    if operation in (opcodes.ASSERT, opcodes.ASSERT_NOT):
        return [argument[1]]
    return []


def _is_character(body: object) -> bool:
    if len(body) != 1:
        return False
    operation, argument = body[0]
    if operation is opcodes.SUBPATTERN:
        return argument[0] is None and _is_character(argument[-1])
    return operation in (opcodes.LITERAL, opcodes.NOT_LITERAL, opcodes.ANY, opcodes.IN)


def _may_forget(body: object, *, consumed: bool = False, written: bool = False) -> bool:
    """Whether a repeat of the body may fail after a place behind its start was written down."""
    for operation, argument in body:
        if operation in _REPEATS and argument[0] == 0:  # never fails; a greedy one gives back, and writes each place
            written |= consumed or operation is not opcodes.POSSESSIVE_REPEAT
        elif operation in _REPEATS and _is_character(argument[2]):
            if written or consumed:
                return True
            written = operation is not opcodes.POSSESSIVE_REPEAT
        elif _children(operation, argument) and not _is_character([(operation, argument)]):
            if written or consumed:
                return True
            parts = _children(operation, argument)
            if any(_may_forget(part) for part in parts):
                return True
            written = True
        elif written:
            return True
        consumed = True
    return False


def _forgetful(body: object) -> bool:
    return any(
        (operation is opcodes.POSSESSIVE_REPEAT and not _is_character(argument[2]) and _may_forget(argument[2]))
        or any(map(_forgetful, _children(operation, argument)))
        for operation, argument in body
    )


def test_no_possessive_group_may_forget_its_place() -> None:
    found = {name for name, source, flags in _patterns() if _forgetful(parser.parse(source, flags))}
    assert found == {_GUARDED}


@pytest.mark.parametrize(
    ("source", "forgets"),
    [
        (r"(?:, \w++: a)*+", True),
        (r"(?:a[bc]*+d)?+", True),
        (r"(?:ab?c)++", True),
        (r"(?:b*c)*+", True),
        (r"(?:(?:ab|c)d)*+", True),
        (r"(?:''[^']*+)*+", False),
        (r"(?:[ \t]*+\n)*+", False),
        (r"(?:- )*+", False),
        (r"\w*+", False),
        (r"(?>(?:ab?c)*)", False),
        (r"(?:, (?:ab?c)*+)", True),
    ],
)
def test_what_forgets(source: str, *, forgets: bool) -> None:
    assert _forgetful(parser.parse(source)) is forgets
