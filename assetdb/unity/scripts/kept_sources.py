"""Declarations of C# from the JSON that keeps them between processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.unity.scripts.calls import Call
from assetdb.unity.scripts.csharp import Base, Declaration, FormerName, Source
from assetdb.unity.scripts.faults import Fault

if TYPE_CHECKING:
    from typing import Any


def source_of(rows: list[Any]) -> Source:
    """Return a source of its JSON.

    Raises:
        ValueError, TypeError, LookupError: it is of another form.
    """
    types, usings, aliases, fault, imports, editor, calls = rows
    return Source(
        tuple(map(_declaration_of, types)),
        frozenset(usings),
        frozenset(aliases),
        None if fault is None else Fault(*fault),
        tuple((name, line) for name, line in imports),
        tuple((name, line) for name, line in editor),
        tuple(Call(*call) for call in calls),
    )


def _declaration_of(row: list[Any]) -> Declaration:
    kind, namespace, outer, name, arity, line, partial, bases, *others = row
    methods, properties, fields, unclear, abstract, types, unstored, serializable, around, parameters, renamed = others
    return Declaration(
        kind,
        namespace,
        tuple(outer),
        name,
        arity,
        line,
        partial,
        tuple(Base(*base) for base in bases),
        frozenset(methods),
        frozenset(properties),
        frozenset(fields),
        unclear,
        abstract,
        tuple((field, kind) for field, kind in types),
        tuple((field, why) for field, why in unstored),
        serializable,
        tuple(around),
        tuple((method, tuple(kinds)) for method, kinds in parameters),
        tuple(FormerName(*each) for each in renamed),
    )
