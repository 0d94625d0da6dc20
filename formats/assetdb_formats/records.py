"""``NamedTuple`` and ``Generic`` without ``typing``, for fast starts.

Importing ``typing`` takes 9 ms where a bare interpreter starts in 10 (Python 3.11, ``re`` and ``contextlib`` with it);
``collections`` takes 2, and each named tuple of its making 0.1, most of it for methods of which no two differ. So they
are made here, with the methods of all in one class. The type checker sees the ones that ``typing`` makes.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Generic, NamedTuple, TypeVar
else:
    try:
        from _collections import _tuplegetter
    except ImportError:  # another Python than CPython

        def _tuplegetter(index: int, doc: str | None) -> property:
            return property(lambda record: tuple.__getitem__(record, index), doc=doc)

    _new = tuple.__new__
    # By the number of fields; compiled with this module, for compiling is most of what a named tuple takes to make.
    _CONSTRUCTORS = {
        1: lambda _cls, a: _new(_cls, (a,)),
        2: lambda _cls, a, b: _new(_cls, (a, b)),
        3: lambda _cls, a, b, c: _new(_cls, (a, b, c)),
        4: lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
        5: lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
        6: lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
        7: lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
        8: lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
        9: lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
        10: lambda _cls, a, b, c, d, e, f, g, h, i, j: _new(_cls, (a, b, c, d, e, f, g, h, i, j)),
        11: lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        12: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m)),
        13: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m, n)),
        14: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)
        ),
        15: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p)
        ),
        16: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q)
        ),
        17: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r)
        ),
        18: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s)
        ),
        19: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t)
        ),
        20: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u)
        ),
        21: lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v)
        ),
    }

    def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[object, ...]) -> object:
        """Return the ``__new__`` of a named tuple, as ``collections`` makes it."""
        function = _CONSTRUCTORS.get(len(fields))
        if function is None:
            raise TypeError(
                f"{name} has {len(fields)} fields: the table of constructors has up to {len(_CONSTRUCTORS)}"
            )
        qualname = f"{name}.__new__"
        code = function.__code__.replace(co_varnames=("_cls", *fields), co_name="__new__", co_qualname=qualname)
        return type(function)(code, function.__globals__, "__new__", defaults)

    class _Record(tuple):
        """The methods of all named tuples, as in ``collections``."""

        __slots__ = ()

        @classmethod
        def _make(cls, iterable: object) -> object:
            """Return one made of a sequence or iterable of all its fields."""
            record = tuple.__new__(cls, iterable)
            if len(record) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(record)}")
            return record

        def _replace(self, /, **fields: object) -> object:
            """Return another in which some fields have other values."""
            record = self._make(map(fields.pop, self._fields, self))
            if fields:
                raise ValueError(f"Got unexpected field names: {list(fields)!r}")
            return record

        def _asdict(self) -> dict[str, object]:
            """Return the fields by name."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            shown = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(shown)})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    class _Maker(type):
        """The metaclass that turns a class statement into a named tuple."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one with a default")
            body["__slots__"] = ()
            body["__match_args__"] = body["_fields"] = fields
            body["_field_defaults"] = defaults
            body["__new__"] = _constructor(name, fields, tuple(defaults.values()))
            for index, field in enumerate(fields):
                body[field] = _tuplegetter(index, None)
            return type(name, (_Record,), body)

    class NamedTuple(metaclass=_Maker):
        """A base class with annotated attributes as fields."""

    class Generic:
        """A base class with parameters, which only the type checker reads."""

        def __class_getitem__(cls, _parameters: object) -> type:
            return cls

    def TypeVar(name: str, *_constraints: type) -> str:  # noqa: N802 - stands for typing.TypeVar
        """Return a placeholder, which only the type checker reads."""
        return name


__all__ = ["Generic", "NamedTuple", "TypeVar"]
