"""Values of one object: its document as leaves by property path.

One document is read at a time, node by node: nothing is built as deep as the data, and values beyond a limit are left
out. A key that a mapping has more than once is numbered: the maps of Unity 5 are mappings of many ``data:``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.overrides import Reference
from assetdb.unity.referring.guid_shapes import written_guid
from assetdb.unity.yaml.nodes import END, KEY, LIST, SCALAR, Node, read_nodes
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable

_ENTRY: Final = "data"  # the key of each entry in a map of Unity 5
_LARGEST: Final = 32 << 20
_MOST_NODES: Final = 100_000
"""A quarter of a second; a document of 76,000 references has 600,000."""


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
    """The leaves of one document.

    Attributes:
        class_name: its first key.
        rows: its leaves in order.
        truncated: whether it has more.
        repeated: paths of keys that a mapping has more than once and Unity writes once: all of them are among the
            rows, with numbers; which of them Unity takes is not known.
    """

    class_name: str
    rows: list[Value]
    truncated: bool
    repeated: tuple[str, ...] = ()


class _Open:
    """A mapping or list that is not at its end.

    Attributes:
        path: of the mapping or list.
        start: the number of its first leaf.
        key: of the value that comes now.
        count: how many items a list had so far, -1 in a mapping.
        pending: values of braces that may be a reference.
        keys: how often each key came, and the number of the first leaf of the first.
    """

    __slots__ = ("count", "key", "keys", "path", "pending", "start")

    def __init__(self, path: str, start: int, *, is_list: bool, flow: bool) -> None:
        self.path = path
        self.start = start
        self.key = ""
        self.count = 0 if is_list else -1
        self.pending: list[tuple[str, Scalar]] | None = [] if flow and not is_list else None
        self.keys: dict[str, tuple[int, int]] = {}

    def next_path(self, found: _Found) -> str:
        """Return the path of the value that comes now."""
        if self.count >= 0:
            self.count += 1
            return f"{self.path}[{self.count - 1}]"
        path = _below(self.path, self.key)
        known = self.keys.get(self.key)
        if known is None:
            self.keys[self.key] = 1, len(found.rows)
            return path
        times, first = known
        self.keys[self.key] = times + 1, first
        if times == 1:
            found.number_first(path, first)
            if self.key != _ENTRY:
                found.repeated.append(path)
        return f"{path}[{times}]"


class _Found:
    """The leaves so far."""

    def __init__(self) -> None:
        self.rows: list[Value] = []
        self.repeated: list[str] = []

    def number_first(self, path: str, first: int) -> None:
        """Make the first of several values with one key number 0."""
        for number in range(first, len(self.rows)):
            row = self.rows[number]
            if row.path != path and not row.path.startswith((f"{path}.", f"{path}[")):
                break
            group = f"{path}[0]{row.group[len(path) :]}" if row.group.startswith(path) else row.group
            self.rows[number] = Value(f"{path}[0]{row.path[len(path) :]}", row.value, group)


def read_values(body: bytes) -> Values:
    """Return the leaves of a document, in its order.

    It reads what any version of Unity reads; whether a project's version does is told by
    :class:`assetdb.unity.yaml.judging.refusals.Judge`.

    Args:
        body: as :class:`assetdb.unity.yaml.objects.TextObject` has it, or a meta from its importer on.

    Raises:
        FormatError: Unity does not read it, or it is nested too deeply.
    """
    if len(body) > _LARGEST:
        raise FormatError(f"has {len(body):,} bytes in one object, and at most {_LARGEST:,} are read")
    return _leaves(read_nodes(body, libyaml=True))


def _leaves(nodes: Iterable[Node]) -> Values:
    """Return the leaves among nodes, up to a bound.

    Raises:
        FormatError: it is not a mapping, or as of the nodes.
    """
    found = _Found()
    stack: list[_Open] = []
    class_name = ""
    for count, node in enumerate(nodes):
        if count > _MOST_NODES:
            return Values(class_name, found.rows, truncated=True, repeated=tuple(found.repeated))
        kind = node.kind
        if kind == KEY:
            stack[-1].key = node.text
            class_name = class_name or node.text
        elif kind == SCALAR:
            if stack[-1].pending is not None:
                stack[-1].pending.append((stack[-1].key, Scalar(node.text, node.quoted)))
            elif len(stack) > 1 or node.text:
                found.rows.append(Value(stack[-1].next_path(found), Scalar(node.text, node.quoted)))
        elif kind == END:
            top = stack.pop()
            if top.pending is not None:
                _close_flow(top, found)
            elif top.path and top.start == len(found.rows):
                found.rows.append(Value(top.path, None))
        else:
            # The class's own name is no part of a path.
            path = "" if len(stack) < 2 else _open_path(stack[-1], found)
            stack.append(_Open(path, len(found.rows), is_list=kind == LIST, flow=node.flow))
    if not class_name:
        raise FormatError("is not a mapping")
    return Values(class_name, found.rows, truncated=False, repeated=tuple(found.repeated))


def _below(path: str, key: str) -> str:
    """Return the path of a key; an empty one is quoted."""
    key = key or "''"
    return f"{path}.{key}" if path else key


def _open_path(top: _Open, found: _Found) -> str:
    """Return the path of a mapping or list that begins in another."""
    key = top.key
    for inner, value in top.pending or ():  # braces that hold more than scalars are as any other mapping
        top.key = inner
        found.rows.append(Value(top.next_path(found), value))
    top.pending, top.key = None, key
    return top.next_path(found)


def _close_flow(top: _Open, found: _Found) -> None:
    """Add braces that hold scalars alone: a reference, or a vector."""
    fields = dict(top.pending or ())
    if "fileID" in fields and fields.keys() <= {"fileID", "guid", "type"}:
        digits = fields["fileID"].text
        if digits.removeprefix("-").isdecimal() and len(digits) <= len(str(-(1 << 63))):
            guid = written_guid(fields["guid"].text, quoted=fields["guid"].quoted) if "guid" in fields else ""
            found.rows.append(Value(top.path, Reference(int(digits), guid)))
            return
    if not fields:
        found.rows.append(Value(top.path, None))
    for key, value in top.pending or ():
        top.key = key
        found.rows.append(Value(top.next_path(found), value, top.path))
