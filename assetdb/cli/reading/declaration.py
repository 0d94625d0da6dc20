"""The words of a command, from the table or from annotations.

A hot command has a row in ``assetdb.cli.plain``; any other declares its words where its function takes them.
"""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from assetdb.cli import arguments
from assetdb.cli import options as shared
from assetdb.cli.plain import ANY, CHOICE, DECIMAL, FLAG, LIST, NUMBER, OPTIONAL, TABLE, TEXT, Argument, Option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

    from assetdb.cli.commands import Command

_KINDS: Final = {bool: FLAG, str: TEXT, int: NUMBER, float: DECIMAL}
_REQUIRED: Final = inspect.Parameter.empty


def words_of(command: Command, path: tuple[str, ...]) -> list[Option]:
    """Return the options and arguments of a command, its own first."""
    row = TABLE.get(path[0]) if len(path) == 1 else None
    if row is None:
        return list(_declared(command.load()))
    argument = [] if row.argument is None else [_plain_argument(row.argument)]
    return [*argument, *row.options]


def _plain_argument(argument: Argument) -> Argument:
    """Return an argument of the table in the form of declared ones."""
    found = copy.copy(argument)
    found.kind = {ANY: LIST, OPTIONAL: TEXT}.get(argument.kind, argument.kind)
    found.required = found.kind == argument.kind
    return found


def _declared(function: Callable[..., int]) -> Iterator[Option]:
    """Yield the words of a function's parameters and options."""
    own = inspect.unwrap(function).__globals__
    hints = get_type_hints(function, {**vars(arguments), **vars(shared), **own}, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if name != "options":
            yield _bound(name, hints[name], parameter.default)
    group = hints["options"]
    attributes = get_type_hints(group, localns=vars(shared), include_extras=True)
    for base in group.__mro__[:-1]:
        for name in base.__annotations__:
            yield _bound(name, attributes[name], getattr(group, name))


def _bound(name: str, annotation: Any, default: object) -> Option:  # noqa: ANN401 - types are of any type
    """Return a word with name, kind and default of its parameter."""
    base, declared = get_args(annotation)[:2]
    assert isinstance(declared, Option)  # noqa: S101 - a command without it fails at once
    found = copy.copy(declared)
    found.name = name
    found.required = default is _REQUIRED
    found.default = None if found.required else default
    kind = next(
        (part for part in (base, *get_args(base)) if part in _KINDS or get_origin(part) in (list, Literal)), str
    )
    if get_origin(kind) is Literal:
        found.kind, found.choices = CHOICE, get_args(kind)
    elif get_origin(kind) is list:
        found.kind = LIST
        found.size = len(get_args(get_args(kind)[0])) or 1
    else:
        found.kind = _KINDS[kind]
    return found
