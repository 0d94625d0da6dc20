"""Arguments of a call, checked against the tool's declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.mcp.declarations import FLAG, LEAST_TOKENS, MAX_TOKENS, MOST_TOKENS, NUMBER, TEXT, parameters_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.mcp.declarations import Parameter, Tool

_LONGEST_TEXT: Final = 4000
_MOST_TEXTS: Final = 10_000
_LARGEST: Final = 1 << 31
_SHAPES: Final = {TEXT: "a text", FLAG: "true or false", NUMBER: "a positive integer"}


class ArgumentError(Exception):
    """Arguments that a tool does not take; names those that it takes."""


def checked(tool: Tool, given: object) -> dict[str, Any]:
    """Return the arguments of a call without nulls; raises ArgumentError."""
    if not isinstance(given, dict):
        raise ArgumentError(f"arguments is an object: {_usage(tool)}")
    parameters = {parameter.name: parameter for parameter in parameters_of(tool)}
    found = {name: value for name, value in given.items() if value is not None}
    unknown = sorted(found.keys() - parameters.keys())
    if unknown:
        raise ArgumentError(f"{tool.name} has no argument {unknown[0][:100]!r}: {_usage(tool)}")
    for name, parameter in parameters.items():
        if name in found:
            _check(parameter, found[name], tool)
        elif parameter.required:
            raise ArgumentError(f"{tool.name} needs {name!r}: {_usage(tool)}")
    tokens = found.get(MAX_TOKENS)
    if tokens is not None and not LEAST_TOKENS <= tokens <= MOST_TOKENS:
        raise ArgumentError(f"{MAX_TOKENS} is {LEAST_TOKENS:,} to {MOST_TOKENS:,}")
    return found


def _check(parameter: Parameter, value: Any, tool: Tool) -> None:  # noqa: ANN401 - of the client
    if parameter.kind == TEXT:
        fits = _is_text(value)
    elif parameter.kind == FLAG:
        fits = isinstance(value, bool)
    elif parameter.kind == NUMBER:
        fits = isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LARGEST
    else:
        fits = isinstance(value, list) and len(value) <= _MOST_TEXTS and all(map(_is_text, value))
    if not fits:
        shape = _SHAPES.get(parameter.kind, f"a list of at most {_MOST_TEXTS:,} texts")
        limit = "" if parameter.kind in (FLAG, NUMBER) else f", of at most {_LONGEST_TEXT:,} characters, without NUL"
        raise ArgumentError(f"{parameter.name!r} is {shape}{limit}: {_usage(tool)}")


def _is_text(value: object) -> bool:
    """Whether a value is a text without halves of surrogate pairs."""
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT or "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _usage(tool: Tool) -> str:
    """Return an example of a call of a tool."""
    fields: Mapping[str, str] = {TEXT: '"..."', FLAG: "true", NUMBER: "1"}
    shown = (f'"{item.name}": {fields.get(item.kind, "[...]")}' for item in tool.parameters)
    return f"call {tool.name} {{{', '.join(shown)}}}"
