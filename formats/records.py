"""``NamedTuple`` and ``Generic`` for the modules that a one-shot command or a bake imports.

Importing ``typing`` takes 9 ms where a bare interpreter starts in 10 (Python 3.11, ``re`` and ``contextlib`` with it);
``collections.namedtuple`` takes 2. The type checker sees those of ``typing``.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Generic, NamedTuple, TypeVar
else:
    from collections import namedtuple

    class _Maker(type):
        """Turns the class statement below into a named tuple with the methods of its body."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = list(body.get("__annotations__", {}))
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])  # noqa: PYI024 - see above
            for key, value in body.items():
                if key not in fields and key not in ("__annotations__", "__module__", "__qualname__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """A base class whose annotated attributes become the fields."""

    class Generic:
        """A base class that takes parameters and leaves them to the type checker."""

        def __class_getitem__(cls, _parameters: object) -> type:
            return cls

    def TypeVar(name: str, *_constraints: type) -> str:  # noqa: N802 - stands for typing.TypeVar
        """Return what only the type checker looks at."""
        return name


__all__ = ["Generic", "NamedTuple", "TypeVar"]
