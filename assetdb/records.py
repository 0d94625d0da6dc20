"""``NamedTuple`` for the modules that a one-shot command imports; see :mod:`formats.records`."""

from __future__ import annotations

from formats.records import NamedTuple

__all__ = ["NamedTuple"]
