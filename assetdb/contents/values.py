"""Values of one object: its document as leaves by property path.

One document is parsed at a time, and only its events are used: nothing is built as deep as the data, and values
beyond a limit are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.overrides import Reference
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import yaml

_LARGEST: Final = 32 << 20
_MOST_EVENTS: Final = 100_000
"""A third of a second of libyaml; a document of 76,000 references has 600,000."""
_MOST_WITHOUT_LIBYAML: Final = 20_000
_DEEPEST: Final = 64


class Scalar(NamedTuple):
    """A number or text as written; certainly text where ``quoted``."""

    text: str
    quoted: bool = False


class Value(NamedTuple):
    """A leaf of a document.

    Attributes:
        path: from below the class's name: ``m_LocalPosition.x``, ``m_Materials[0]``.
        value: its content; None for an empty list or mapping.
        group: the path of the flow mapping that it is part of (``m_LocalPosition``), or ``""``.
    """

    path: str
    value: Scalar | Reference | None
    group: str = ""


class Values(NamedTuple):
    """The leaves of one document, and whether it has more."""

    class_name: str
    rows: list[Value]
    truncated: bool


class _Open:
    """A mapping or list that is not at its end."""

    __slots__ = ("count", "key", "path", "pending", "start")

    def __init__(self, path: str, start: int, *, sequence: bool, flow: bool) -> None:
        self.path = path
        self.start = start
        self.key: str | None = None
        self.count = 0 if sequence else -1
        self.pending: list[tuple[str, Scalar]] | None = [] if flow and not sequence else None

    def next_path(self) -> str:
        """Return the path of the value that comes now."""
        if self.count >= 0:
            self.count += 1
            return f"{self.path}[{self.count - 1}]"
        key, self.key = self.key or "", None
        return f"{self.path}.{key}" if self.path else key


def read_values(body: bytes) -> Values:
    """Return the leaves of a document, in its order.

    Args:
        body: as :class:`assetdb.unity.yaml.objects.TextObject` has it, or a meta from its importer on.

    Raises:
        FormatError: it is not YAML, or nested too deeply.
    """
    import yaml  # noqa: PLC0415 - 20 ms, and only one object's values need it

    if len(body) > _LARGEST:
        raise FormatError(f"has {len(body):,} bytes in one object, and at most {_LARGEST:,} are read")
    loader = getattr(yaml, "CBaseLoader", None)
    most = _MOST_EVENTS if loader is not None else _MOST_WITHOUT_LIBYAML
    try:
        return _leaves(yaml.parse(body.decode("utf-8", "replace"), Loader=loader or yaml.BaseLoader), most)
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise FormatError(f"is not YAML{line} of its document: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise FormatError(f"is not YAML: {error}") from error


def _leaves(events: Iterable[yaml.Event], most: int) -> Values:
    """Return the leaves that a parser finds, up to a bound.

    Raises:
        FormatError: it is nested too deeply, has an alias, or is not a mapping.
    """
    import yaml  # noqa: PLC0415 - imported already

    rows: list[Value] = []
    stack: list[_Open] = []
    class_name = ""
    for count, event in enumerate(events):
        if count > most:
            return Values(class_name, rows, truncated=True)
        if isinstance(event, yaml.ScalarEvent):
            if not stack:
                raise FormatError("is not a YAML mapping")
            top = stack[-1]
            if top.count < 0 and top.key is None:
                top.key = event.value
                class_name = class_name or event.value
                continue
            _add(top, Scalar(event.value, event.style in ("'", '"')), rows)
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(stack) > _DEEPEST:
                raise FormatError(f"is deeper than {_DEEPEST} levels")
            sequence = isinstance(event, yaml.SequenceStartEvent)
            if stack and stack[-1].count < 0 and stack[-1].key is None:
                raise FormatError("has a key that is not text")
            # The class's own name is no part of a path.
            path = "" if len(stack) < 2 else stack[-1].next_path()
            if stack and stack[-1].pending is not None:
                _flush(stack[-1], rows)
            if len(stack) == 1:
                stack[-1].key = None
            stack.append(_Open(path, len(rows), sequence=sequence, flow=bool(event.flow_style)))
        elif isinstance(event, yaml.CollectionEndEvent):
            top = stack.pop()
            if top.pending is not None:
                _close_flow(top, rows)
            elif top.path and top.start == len(rows):
                rows.append(Value(top.path, None))
        elif isinstance(event, yaml.AliasEvent):
            raise FormatError("has an alias, which may expand without end")
    return Values(class_name, rows, truncated=False)


def _add(top: _Open, value: Scalar, rows: list[Value]) -> None:
    if top.pending is not None:
        top.pending.append((top.key or "", value))
        top.key = None
    else:
        rows.append(Value(top.next_path(), value))


def _flush(top: _Open, rows: list[Value]) -> None:
    """Take a flow mapping that holds more than scalars as any other."""
    rows += [Value(f"{top.path}.{key}" if top.path else key, value) for key, value in top.pending or ()]
    top.pending = None


def _close_flow(top: _Open, rows: list[Value]) -> None:
    """Add a flow mapping of scalars: a reference, or a vector."""
    fields = dict(top.pending or ())
    if "fileID" in fields and fields.keys() <= {"fileID", "guid", "type"}:
        digits = fields["fileID"].text
        if digits.removeprefix("-").isdecimal() and len(digits) <= len(str(-(1 << 63))):
            guid = fields["guid"].text.lower() if "guid" in fields else ""
            rows.append(Value(top.path, Reference(int(digits), guid)))
            return
    if not fields:
        rows.append(Value(top.path, None))
    rows += [Value(f"{top.path}.{key}", value, top.path) for key, value in fields.items()]
