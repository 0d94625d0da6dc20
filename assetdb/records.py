"""``NamedTuple`` and ``Generic`` for the modules that a one-shot command imports; see :mod:`formats.records`."""

from __future__ import annotations

from formats.records import Generic, NamedTuple, TypeVar

__all__ = ["Generic", "NamedTuple", "TypeVar"]
