"""What PyYAML's C loader reads, made of libyaml's events: the same values in a fifth of the time.

PyYAML makes a node of every scalar, resolves it by regular expressions and makes a value of it, in Python. Unity's
files say the same few scalars over and over; each is resolved once here, by the loader itself. What is rare in them
(tags, anchors, merge keys, keys that are no scalars, several documents, errors) is left to the loader from the start.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import yaml
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from tests.unity_text import for_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_SCALARS = 100_000  # of one loader that are remembered
_MEANT_FOR_MAPPINGS = ("tag:yaml.org,2002:merge", "tag:yaml.org,2002:value")  # << and = as keys


class _RareError(Exception):
    """Something that only the loader itself reads."""


_ODD = re.compile(r" #|^ +#|^[ -]*: |[^:\-\s] +$|: [|>!&*@`%]|^ +data:$", re.MULTILINE)  # what the two read differently


class Reader:
    """Reads one document as ``yaml.load(text, loader)`` does."""

    def __init__(self, loader: type[Any]) -> None:
        self._loader = loader
        self._resolver = loader("")
        self._parser: Callable[[str], Any] | None = yaml.cyaml.CParser if yaml.__with_libyaml__ else None
        self._scalars: dict[str, Any] = {}

    def __call__(self, text: str) -> Any:  # noqa: ANN401 - YAML may hold anything
        if self._parser is not None:
            try:
                return self._whole(self._parser(text).get_event)
            except (_RareError, yaml.YAMLError, TypeError):  # TypeError: a key that no dict takes
                pass
        return yaml.load(text, self._loader)  # noqa: S506 - the callers derive theirs from safe ones

    def _whole(self, event: Callable[[], Any]) -> Any:  # noqa: ANN401 - YAML
        _expect(event(), StreamStartEvent)
        _expect(event(), DocumentStartEvent)
        found = self._value(event, event())
        _expect(event(), DocumentEndEvent)
        _expect(event(), StreamEndEvent)
        return found

    def _value(self, event: Callable[[], Any], first: Any) -> Any:  # noqa: ANN401 - YAML
        kind = type(first)
        if kind is ScalarEvent:
            value = first.value
            if first.anchor is not None or first.tag is not None:
                raise _RareError
            if not first.implicit[0]:  # it is in quotes
                return value
            try:
                return self._scalars[value]
            except KeyError:
                return self._plain(value)
        if kind is MappingStartEvent:
            _expect_bare(first)
            rows = {}
            while type(key := event()) is not MappingEndEvent:
                name = self._value(event, key)
                rows[name] = self._value(event, event())
            return rows
        _expect(first, SequenceStartEvent)
        _expect_bare(first)
        items = []
        while type(item := event()) is not SequenceEndEvent:
            items.append(self._value(event, item))
        return items

    def _plain(self, value: str) -> Any:  # noqa: ANN401 - YAML
        if len(self._scalars) >= _MOST_SCALARS:
            self._scalars.clear()
        tag = self._resolver.resolve(yaml.ScalarNode, value, (True, False))
        if tag in _MEANT_FOR_MAPPINGS:
            raise _RareError
        found = self._scalars[value] = self._resolver.construct_object(yaml.ScalarNode(tag, value), deep=True)
        return found


class UnityReader(Reader):
    """Reads one document of Unity's text, rewritten where a YAML library reads it differently."""

    def __call__(self, text: str) -> Any:  # noqa: ANN401 - as above
        if _ODD.search(text) is None:
            with suppress(yaml.YAMLError):
                return super().__call__(text)
        return super().__call__(for_yaml(text))


def _expect(event: object, kind: type) -> None:
    if type(event) is not kind:
        raise _RareError


def _expect_bare(event: Any) -> None:  # noqa: ANN401 - PyYAML has no types for it
    if event.anchor is not None or event.tag is not None:
        raise _RareError
