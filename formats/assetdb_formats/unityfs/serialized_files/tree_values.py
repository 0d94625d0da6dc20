"""Values of an object, read with its type tree.

A plan is made of each tree once. An object is read by a loop over the plan with a stack of its own, so that neither a
deep tree nor deep data makes deep recursion.
"""

from __future__ import annotations

from enum import IntEnum
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unityfs.errors import UnityFSError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assetdb_formats.unityfs.types.typetree import TreeNode

_NUMBERS: Final = {
    "SInt8": "b",
    "UInt8": "B",
    "char": "B",
    "bool": "?",
    "short": "h",
    "SInt16": "h",
    "unsigned short": "H",
    "UInt16": "H",
    "int": "i",
    "SInt32": "i",
    "unsigned int": "I",
    "UInt32": "I",
    "Type*": "I",
    "long long": "q",
    "SInt64": "q",
    "unsigned long long": "Q",
    "UInt64": "Q",
    "FileSize": "Q",
    "float": "f",
    "double": "d",
}


class PPtr(NamedTuple):
    """A reference by file (0: this one) and PathID; (0, 0): null."""

    file_id: int
    path_id: int


Value = int | float | str | bytes | PPtr | list["Value"] | dict[str, "Value"]
"""What a field holds; pairs of a map are dictionaries with ``first`` and ``second``."""

ManagedName = tuple[str, str, str]
"""Namespace, class and assembly of a type behind [SerializeReference]."""

MOST_VALUES: Final = 16_000_000
"""Values of an object, if the caller does not say: a byte can be a value of 100 bytes in memory."""
_REGISTRY: Final = "ManagedReferencesRegistry"
_TERMINUS: Final = ("UnityEngine.DMAT", "Terminus", "FAKE_ASM")


class Kind(IntEnum):
    """Kinds of plans, by the field that they read."""

    NUMBER = 0
    TEXT = 1
    BYTES = 2
    NUMBERS = 3  # an array of numbers
    LIST = 4  # any other array
    FIELDS = 5
    POINTER = 6
    REFERENCED = 7  # an object behind [SerializeReference], for which its class has to be read


class ValuePlan(NamedTuple):
    """How to read one field.

    Attributes:
        code: the code of the number in :mod:`struct`; for a POINTER, of its PathID.
        aligned: whether zeros follow up to a multiple of 4.
        smallest: the least bytes of the field, 1 if it may have none.
        children: plans of the fields of FIELDS and REFERENCED, or of the element of a LIST.
    """

    kind: Kind
    name: str
    type_name: str
    code: str
    aligned: bool
    smallest: int
    children: tuple[ValuePlan, ...]


def make_plan(tree: Sequence[TreeNode]) -> ValuePlan:
    """Make the plan of a type tree. Raises UnityFSError if contradictory."""
    # From the last node to the first: a node's children are complete when it comes.
    waiting: list[tuple[int, ValuePlan]] = []  # level and plan, the next sibling last
    for number in range(len(tree) - 1, -1, -1):
        node = tree[number]
        children = []
        while waiting and waiting[-1][0] > node.level:
            children.append(waiting.pop()[1])
        waiting.append((node.level, _plan(node, tuple(children))))
    return waiting[0][1]


def _plan(node: TreeNode, children: tuple[ValuePlan, ...]) -> ValuePlan:
    kind = Kind.FIELDS
    code = ""
    aligned = node.aligned
    smallest = sum(child.smallest for child in children)
    if node.type_name in _NUMBERS:
        kind, code = Kind.NUMBER, _NUMBERS[node.type_name]
        smallest = Struct("<" + code).size
        if children:
            raise UnityFSError(f"{node.type_name} {node.name} has fields", field="tree")
    elif node.type_name == "string":
        kind, smallest = Kind.TEXT, 4
        aligned = aligned or any(child.aligned for child in children)
    elif node.type_name == "TypelessData":
        kind, smallest = Kind.BYTES, 4
    elif node.type_name.startswith("PPtr<") and [child.name for child in children] == ["m_FileID", "m_PathID"]:
        kind, code = Kind.POINTER, children[1].code
        if children[0].code != "i" or code not in ("i", "q"):
            raise UnityFSError(f"{node.type_name} {node.name} has no numbers", field="tree")
    elif len(children) == 1 and children[0].type_name == "Array":
        array = children[0]
        if len(array.children) != 2:
            raise UnityFSError(f"the array in {node.name} has {len(array.children)} parts", field="tree")
        element = array.children[1]
        smallest = 4
        aligned = aligned or array.aligned
        if element.kind is Kind.NUMBER:
            # An aligned element that is a number is aligned once, after the last of them.
            aligned = aligned or element.aligned
            kind, code = (Kind.BYTES, "") if element.code in "Bb" else (Kind.NUMBERS, element.code)
        else:
            kind, children = Kind.LIST, (element,)
    elif node.type_name == "ReferencedObject":
        kind = Kind.REFERENCED
    return ValuePlan(kind, node.name, node.type_name, code, aligned, max(smallest, 1), children)


class Partial(NamedTuple):
    """The value of a plan and the offset after it."""

    value: Value
    end: int


def read_value(
    plan: ValuePlan,
    data: bytes,
    *,
    order: str = "<",
    referenced: Mapping[ManagedName, ValuePlan] | None = None,
    base: int = 0,
    most: int = MOST_VALUES,
) -> Partial:
    """Read an object; its data may be longer than its plan.

    Raises:
        UnityFSError: the data end before the plan does, or name a class that ``referenced`` has not, or have too many
            values.
    """
    return _ValueReader(data, order, referenced or {}, base, most).run(plan)


class _Frame:
    """A list or a dictionary that is being filled."""

    __slots__ = ("fields", "left", "next", "plan", "result")

    def __init__(
        self, plan: ValuePlan, fields: tuple[ValuePlan, ...], count: int, result: list[Value] | dict[str, Value]
    ) -> None:
        self.plan = plan
        self.fields = fields
        self.left = count
        self.next = 0
        self.result = result


class _ValueReader:
    def __init__(
        self, data: bytes, order: str, referenced: Mapping[ManagedName, ValuePlan], base: int, most: int
    ) -> None:
        self.data = data
        self.end = len(data)
        self.position = 0
        self.order = order
        self.referenced = referenced
        self.base = base
        self.left = most
        self.registries = 0
        self.stack: list[_Frame] = []

    def run(self, plan: ValuePlan) -> Partial:
        stack = self.stack
        while True:
            value = self._scalar(plan)
            self.left -= 1
            if self.left < 0:
                raise self._error("too many values in one object", plan)
            if value is None:
                frame = self._enter(plan)
                if frame.left:
                    stack.append(frame)
                    plan = self._following(frame)
                    continue
                value = frame.result
            if plan.aligned:
                self._align()
            # Hand the value to its container; a container that is complete by then is a value itself.
            while stack:
                frame = stack[-1]
                if isinstance(frame.result, list):
                    frame.result.append(value)
                else:
                    frame.result[plan.name] = value
                    if plan.kind is Kind.REFERENCED and not _last(value):
                        frame.left += 1
                        frame.next -= 1
                if frame.left:
                    plan = self._following(frame)
                    break
                stack.pop()
                if frame.plan.type_name == _REGISTRY:
                    self.registries -= 1
                plan, value = frame.plan, frame.result
                if plan.aligned:
                    self._align()
            else:
                return Partial(value, self.position)

    def _following(self, frame: _Frame) -> ValuePlan:
        """Return the next plan of an incomplete frame."""
        frame.left -= 1
        if frame.plan.kind is Kind.LIST:
            return frame.fields[0]
        plan = frame.fields[frame.next]
        frame.next += 1
        if plan.type_name == "ReferencedObjectData" and frame.plan.kind is Kind.REFERENCED:
            return self._referenced(frame, plan)
        if plan.kind is Kind.REFERENCED and frame.plan.type_name == _REGISTRY:
            return plan._replace(name=f"{len(frame.result) - 1:08d}")
        return plan

    def _enter(self, plan: ValuePlan) -> _Frame:
        if plan.kind is Kind.LIST:
            element = plan.children[0]
            count = self._count(plan, element.smallest)
            return _Frame(plan, plan.children, count, [])
        if plan.type_name == _REGISTRY:
            # The types behind [SerializeReference] have the field too, but only the object's own is written.
            if self.registries:
                return _Frame(plan, (), 0, {})
            self.registries += 1
        return _Frame(plan, plan.children, len(plan.children), {})

    def _referenced(self, frame: _Frame, plan: ValuePlan) -> ValuePlan:
        """Return the plan of a referenced object's data."""
        kind = frame.result.get("type") if isinstance(frame.result, dict) else None
        words = [kind.get(key) for key in ("ns", "class", "asm")] if isinstance(kind, dict) else []
        name = tuple(word for word in words if isinstance(word, str))
        if len(name) != 3:
            raise self._error("a referenced object without a type", plan)
        if not name[1] or name == _TERMINUS:  # null, or the end of a registry
            return plan._replace(kind=Kind.FIELDS, children=(), type_name="")
        found = self.referenced.get(name)
        if found is None:
            raise self._error(f"the file has no reference type {'.'.join(name[:2])}", plan)
        return found._replace(name=plan.name)

    def _scalar(self, plan: ValuePlan) -> Value | None:
        """Read a field without fields in it; None where it has some."""
        kind = plan.kind
        if kind is Kind.NUMBER:
            value: int | float = self._take(self.order + plan.code, plan)[0]
            return value
        if kind is Kind.POINTER:
            file_id, path_id = self._take(f"{self.order}i{plan.code}", plan)
            return PPtr(file_id, path_id)
        if kind is Kind.TEXT:
            return self._bytes(plan).decode("utf-8", "surrogateescape")
        if kind is Kind.BYTES:
            return self._bytes(plan)
        if kind is Kind.NUMBERS:
            count = self._count(plan, Struct("<" + plan.code).size)
            return list(self._take(f"{self.order}{count}{plan.code}", plan))
        return None

    def _take(self, layout: str, plan: ValuePlan) -> tuple[int, ...]:
        struct = _struct(layout)
        position = self.position
        if struct.size > self.end - position:
            raise self._error(f"needs {struct.size} bytes, {self.end - position} are left", plan)
        self.position = position + struct.size
        return struct.unpack_from(self.data, position)

    def _count(self, plan: ValuePlan, size: int) -> int:
        count = self._take(self.order + "i", plan)[0]
        if count < 0 or count * size > self.end - self.position:
            raise self._error(f"counts {count} items of {size} bytes, {self.end - self.position} bytes are left", plan)
        return count

    def _bytes(self, plan: ValuePlan) -> bytes:
        count = self._count(plan, 1)
        start = self.position
        self.position = start + count
        return self.data[start : self.position]

    def _align(self) -> None:
        # An object begins at a multiple of 4, and may end before the next one.
        self.position = min(self.position + -self.position % 4, self.end)

    def _error(self, what: str, plan: ValuePlan) -> UnityFSError:
        names = [frame.plan.name for frame in self.stack]
        return UnityFSError(what, offset=self.base + self.position, field=".".join([*names, plan.name][-8:]))


def _last(value: Value) -> bool:
    """Whether a referenced object in a registry's own fields is the last.

    Registries of version 1 (Unity 2019 to 2021.1) are not arrays: the tree has one such field, 00000000, and the data
    repeat it, ended by an object of a class that does not exist.
    """
    kind = value.get("type") if isinstance(value, dict) else None
    return not isinstance(kind, dict) or kind.get("class") == _TERMINUS[1]


def _struct(layout: str) -> Struct:
    if len(layout) > 3:  # an array of numbers: its length is its own
        return Struct(layout)
    found = _STRUCTS.get(layout)
    if found is None:
        found = _STRUCTS[layout] = Struct(layout)
    return found


_STRUCTS: Final[dict[str, Struct]] = {}


def name_plan(plan: ValuePlan) -> ValuePlan | None:
    """Return the plan of an object up to its name.

    None if the class has no name. ``m_Name`` is the name of every object but a shader: it is empty there, since Unity
    keeps the name in ``m_ParsedForm``.
    """
    for number, child in enumerate(plan.children):
        if child.name == "m_Name" and child.kind is Kind.TEXT:
            return plan._replace(children=plan.children[: number + 1], aligned=False)
    return None


def references(value: Value) -> Iterator[tuple[str, PPtr]]:
    """Yield every non-null reference in a value, with its path."""
    waiting: list[tuple[str, Value]] = [("", value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, PPtr):
            if item.path_id:
                yield path, item
        elif isinstance(item, dict):
            prefix = f"{path}." if path else ""
            waiting.extend((prefix + key, child) for key, child in reversed(item.items()))
        elif isinstance(item, list) and item and not isinstance(item[0], int | float | str):
            waiting.extend((f"{path}[{number}]", item[number]) for number in range(len(item) - 1, -1, -1))


def leaves(value: Value) -> Iterator[tuple[str, Value]]:
    """Yield every value shown in one line, with its path."""
    waiting: list[tuple[str, Value]] = [("", value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, dict) and item:
            prefix = f"{path}." if path else ""
            waiting.extend((prefix + key, child) for key, child in reversed(item.items()))
        elif isinstance(item, list) and item and not isinstance(item[0], int | float):
            waiting.extend((f"{path}[{number}]", item[number]) for number in range(len(item) - 1, -1, -1))
        else:
            yield path, item
