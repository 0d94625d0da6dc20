"""The registry of RPC methods, filled by a decorator.

>>> queries = Registry()
>>> @queries.method("assets")
... def assets(params, project, allowance):
...     'Return the number of assets.'
...     return len(project.database)
>>> queries.methods["assets"].summary
'Return the number of assets.'

Dispatch, the decoders of parameters, which requests the loop answers, and the table of methods in ``docs/watch.md``
follow.
"""

from __future__ import annotations

from inspect import getdoc
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec

from assetdb.daemon.rpc.protocol import Parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    _Function = TypeVar("_Function", bound=Callable[..., object])

_NO_DEFAULT: Final = msgspec.NODEFAULT


class Method(NamedTuple):
    """One method.

    Attributes:
        name: as it is called.
        params: decodes its parameters, or raises an error.
        run: the function; its arguments besides the parameters depend on the registry.
        in_loop: whether the loop runs it directly.
        is_long: whether it may take seconds, with progress notifications to the client.
        summary: the first line of the function's docstring.
    """

    name: str
    params: type[Parameters]
    run: Callable[..., Any]
    in_loop: bool
    is_long: bool
    summary: str


class Registry:
    """Methods of one kind, by name."""

    def __init__(self) -> None:
        self.methods: dict[str, Method] = {}

    def method(
        self, name: str, *, params: type[Parameters] = Parameters, in_loop: bool = False, is_long: bool = False
    ) -> Callable[[_Function], _Function]:
        """Make a function the method of that name.

        Raises:
            ValueError: it exists already, or the function has no docstring.
        """

        def register(function: _Function) -> _Function:
            summary = (getdoc(function) or "").partition("\n")[0].replace("``", "`")  # Markdown, not reStructuredText
            if name in self.methods or not summary:
                raise ValueError(f"method {name!r} is registered twice, or has no docstring")
            self.methods[name] = Method(name, params, function, in_loop, is_long, summary)
            return function

        return register


def documentation(methods: Iterable[Method]) -> str:
    """Return the table of methods for the guide, in Markdown."""
    rows = ["| method | parameters | does |", "|---|---|---|"]
    for method in methods:
        fields = ", ".join(f"`{_described(field)}`" for field in msgspec.structs.fields(method.params))
        rows.append(f"| `{method.name}` | {fields} | {method.summary} |")
    return "\n".join(rows) + "\n"


def _described(field: msgspec.structs.FieldInfo) -> str:
    if field.default_factory is not _NO_DEFAULT:
        return f"{field.name}={_json(field.default_factory())}"
    return field.name if field.default is _NO_DEFAULT else f"{field.name}={_json(field.default)}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
