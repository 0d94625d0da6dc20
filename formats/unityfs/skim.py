"""Skimming an object: its name, its references and its streamed data, without a value made of anything else.

A class is a *program*, one line of text: what stands in an object's bytes, as far as the last thing that is wanted::

    12      bytes to step over                     n       m_Name: i32 size, bytes
    a       up to the next multiple of 4           s       any other string
    p o     a PPtr with a PathID of 64, 32 bits    [...]   an array: i32 count, then so many of these
    r R     StreamingInfo: offset of 32, 64 bits, u32 size, path, zeros up to the next multiple of 4
    q       StreamedResource: path, zeros up to the next multiple of 4, u64 offset, u64 size

``[4p]4nap`` is a GameObject before 5.5 with a reference after its name. Programs are made of type trees
(:func:`program_of`), or stand in a table for builds without them (:mod:`formats.unityfs.layouts`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from formats.unityfs.errors import UnityFSError
from formats.unityfs.values import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.unityfs.values import Plan

SKIP, ALIGN, TEXT, NAME, WIDE, NARROW, STEP, POINTERS, LOOP, STREAM, WIDE_STREAM, RESOURCE = range(12)
_TOKEN: Final = re.compile(r"(\d+)|([anspoqrR\[\]])")
_WANTED: Final = frozenset("npoqrR")
_LETTERS: Final = {
    "a": ALIGN,
    "s": TEXT,
    "n": NAME,
    "p": WIDE,
    "o": NARROW,
    "r": STREAM,
    "R": WIDE_STREAM,
    "q": RESOURCE,
}
_POINTER_SIZES: Final = {WIDE: 12, NARROW: 8}
_REGISTRY: Final = "ManagedReferencesRegistry"
_LONGEST_PROGRAM: Final = 100_000  # characters; the longest of Unity's own classes has 2,000

Op = tuple[int, int, "tuple[Op, ...] | tuple[int, ...]"]
"""What to do, bytes that it takes (at the least), and what is in it."""


class Streamed(NamedTuple):
    """Bytes of an object that lie in another file: its path as Unity writes it, and where they are there."""

    path: str
    offset: int
    size: int


class Skim(NamedTuple):
    """What an object says.

    Attributes:
        name: ``m_Name``; ``""`` where it has none.
        pointers: file ID and PathID of every reference that is not none, in order.
        places: where in the object each of them stands.
        streams: its streamed data, and where in the object that is said (start, end).
    """

    name: str
    pointers: list[tuple[int, int]]
    places: list[int]
    streams: list[tuple[Streamed, int, int]]

    @classmethod
    def nothing(cls) -> Skim:
        """Return what is seen of an object of which nothing is known."""
        return cls("", [], [], [])


class Program(NamedTuple):
    """A class's program, compiled; see the module."""

    text: str
    ops: tuple[Op, ...]


def program_of(plan: Plan) -> str | None:
    """Return the program of a class as its type tree has it; None where only its values say what its bytes are.

    That is a class with references to managed objects ([SerializeReference]), whose types stand among the data.
    """
    tokens: list[str] = []
    waiting: list[Plan | str] = [plan]
    top = {id(child) for child in plan.children if child.name == "m_Name" and child.kind is Kind.TEXT}
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            tokens.append(item)
            continue
        if item.kind is Kind.REFERENCED or item.type_name == _REGISTRY:
            return None
        if item.aligned:
            waiting.append("a")
        stream = _stream(item)
        if stream:
            waiting.append(stream)
        elif item.kind in (Kind.NUMBER, Kind.NUMBERS):
            size = Struct("<" + item.code).size
            waiting.append(str(size) + " " if item.kind is Kind.NUMBER else f"[{size}]")
        elif item.kind is Kind.TEXT:
            waiting.append("n" if id(item) in top else "s")
        elif item.kind is Kind.BYTES:
            waiting.append("[1]")
        elif item.kind is Kind.POINTER:
            waiting.append("p" if item.code == "q" else "o")
        elif item.kind is Kind.LIST:
            waiting += ["]", item.children[0], "["]
        else:
            waiting += reversed(item.children)
    return _shortened(tokens)


def _stream(plan: Plan) -> str:
    """Return the letter of a class that says where streamed data are, or ""."""
    codes = "".join(child.code or ("s" if child.aligned else "?") for child in plan.children)
    if plan.type_name == "StreamingInfo":
        return {"IIs": "r", "QIs": "R"}.get(codes, "")
    return "q" if plan.type_name == "StreamedResource" and codes == "sQQ" else ""


def _shortened(tokens: Sequence[str]) -> str:
    """Return a program as text: runs of bytes added up, and nothing behind the last thing that is wanted."""
    depth = 0
    end = 0
    for number, word in enumerate(tokens, 1):
        depth += word.count("[") - word.count("]")
        if depth == 0 and (word in _WANTED or (word == "]" and _is_wanted(tokens[:number]))):
            end = number
    out: list[str] = []
    run = 0
    for token in tokens[:end]:
        if token[:1].isdigit():
            run += int(token)
            continue
        if run:
            out.append(str(run))
            run = 0
        out.append(token)
    return "".join(out)


def _is_wanted(tokens: Sequence[str]) -> bool:
    """Whether the array that the last token closes holds anything that is wanted."""
    depth = 0
    for token in reversed(tokens):
        depth += token.count("]") - token.count("[")
        if token in _WANTED:
            return True
        if depth == 0:
            return False
    return False


@lru_cache(maxsize=4096)
def compile_program(text: str) -> Program:
    """Compile a program.

    Raises:
        UnityFSError: it is none, or longer than any class of Unity's.
    """
    if len(text) > _LONGEST_PROGRAM or _TOKEN.sub("", text):
        raise UnityFSError(f"no program: {text[:40]!r}", field="program")
    levels: list[list[Op]] = [[]]
    phases: list[int | None] = [0]  # of the position in a multiple of 4, where it is known
    for number, letter in _TOKEN.findall(text):
        phase = phases[-1]
        if letter == "[":
            levels.append([])
            # The first element begins where the count ends; the others where the one before them does.
            phases.append(None)
        elif letter == "]":
            if len(levels) == 1:
                raise UnityFSError("an array ends that did not begin", field="program")
            phases.pop()
            _put(levels[-2], _array(_folded(levels.pop())))
            phases[-1] = phases[-1] if levels[-1][-1][0] in (STEP, POINTERS) and levels[-1][-1][1] % 4 == 0 else None
        elif number:
            _put(levels[-1], (SKIP, int(number), ()))
            phases[-1] = None if phase is None else (phase + int(number)) % 4
        elif letter == "a":
            if phase is None:
                _put(levels[-1], (ALIGN, 0, ()))
            elif phase:
                _put(levels[-1], (SKIP, 4 - phase, ()))
            phases[-1] = 0
        else:
            op = _LETTERS[letter]
            _put(levels[-1], (op, _POINTER_SIZES.get(op, {STREAM: 12, WIDE_STREAM: 16, RESOURCE: 20}.get(op, 4)), ()))
            if op not in _POINTER_SIZES:
                phases[-1] = None
    if len(levels) != 1:
        raise UnityFSError("an array does not end", field="program")
    return Program(text, tuple(levels[0]))


def _put(ops: list[Op], op: Op) -> None:
    if op[0] == SKIP and ops and ops[-1][0] == SKIP:
        op = (SKIP, op[1] + ops.pop()[1], ())
    if op[0] != SKIP or op[1]:
        ops.append(op)


def _folded(ops: list[Op]) -> list[Op]:
    """Return the ops of an element; alignment of what has a multiple of 4 bytes all along is none."""
    position = 0
    out: list[Op] = []
    for op in ops:
        if op[0] == ALIGN:
            if position % 4:
                return ops
            continue
        if op[0] not in (SKIP, WIDE, NARROW):
            return ops
        position += op[1]
        _put(out, op)
    return out if position % 4 == 0 or len(out) == len(ops) else ops


def _array(ops: list[Op]) -> Op:
    if all(op[0] in (SKIP, WIDE, NARROW) for op in ops):
        stride = sum(op[1] for op in ops)
        places = []
        at = 0
        for op in ops:
            if op[0] != SKIP:
                places += [at, op[1]]
            at += op[1]
        return (POINTERS, stride, tuple(places)) if places else (STEP, stride, ())
    return (LOOP, max(sum(op[1] for op in ops), 1), tuple(ops))


_I32: Final = {order: Struct(order + "i") for order in "<>"}
_POINTERS: Final = {(order, size): Struct(f"{order}i{code}") for order in "<>" for size, code in ((12, "q"), (8, "i"))}
_STREAMS: Final = {
    (order, op): Struct(order + code) for order in "<>" for op, code in ((STREAM, "II"), (WIDE_STREAM, "QI"))
}
_PAIR: Final = {order: Struct(order + "QQ") for order in "<>"}


def skim(program: Program, data: bytes, *, order: str = "<", base: int = 0) -> Skim:
    """Run a program over the bytes of an object, which may go on behind it.

    Raises:
        UnityFSError: the bytes end before the program does.
    """
    return _Skimming(data, order, base).run(program.ops)


class _Skimming:
    """One run; a loop in a loop is a frame on a stack of its own, so that depth of data is no depth of recursion."""

    def __init__(self, data: bytes, order: str, base: int) -> None:
        self.data = data
        self.order = order
        self.base = base
        self.position = 0
        self.found = Skim("", [], [], [])

    def run(self, ops: tuple[Op, ...]) -> Skim:
        data, end = self.data, len(self.data)
        frames: list[list[object]] = []
        at = 0
        left = 1
        name = ""
        while True:
            if at == len(ops):
                left -= 1
                if left > 0:
                    at = 0
                    continue
                if not frames:
                    return self.found._replace(name=name)
                ops, at, left = frames.pop()  # type: ignore[assignment]
                continue
            op, size, inside = ops[at]
            at += 1
            if op == SKIP:
                self.position += size
                if self.position > end:
                    raise self._error(end, size)
            elif op in (WIDE, NARROW):
                self._pointer(self.position, size)
                self.position += size
            elif op == ALIGN:
                self.position = min(self.position + -self.position % 4, end)
            elif op in (TEXT, NAME):
                start, count = self._count(1)
                self.position = start + count
                if op == NAME:
                    name = data[start : start + count].decode("utf-8", "surrogateescape")
            elif op == STEP:
                start, count = self._count(size)
                self.position = start + count * size
            elif op == POINTERS:
                start, count = self._count(size)
                for place in range(start, start + count * size, size):
                    for number in range(0, len(inside), 2):
                        self._pointer(place + inside[number], inside[number + 1])  # type: ignore[operator, arg-type]
                self.position = start + count * size
            elif op == LOOP:
                _, count = self._count(size)
                if count:
                    frames.append([ops, at, left])
                    ops, at, left = inside, 0, count  # type: ignore[assignment]
            else:
                self._stream(op)

    def _count(self, size: int) -> tuple[int, int]:
        start = self.position + 4
        if start > len(self.data):
            raise self._error(self.position, 4)
        count: int = _I32[self.order].unpack_from(self.data, self.position)[0]
        if count < 0 or count * size > len(self.data) - start:
            what = f"counts {count} items of {size} bytes, {len(self.data) - start} bytes are left"
            raise UnityFSError(what, offset=self.base + self.position, field="references")
        self.position = start
        return start, count

    def _pointer(self, place: int, size: int) -> None:
        if place + size > len(self.data):
            raise self._error(place, size)
        file_id, path_id = _POINTERS[self.order, size].unpack_from(self.data, place)
        if path_id:
            self.found.pointers.append((file_id, path_id))
            self.found.places.append(place)

    def _stream(self, op: int) -> None:
        start = self.position
        if op == RESOURCE:
            path = self._path()
            numbers = _PAIR[self.order]
        else:
            numbers = _STREAMS[self.order, op]
            path = ""
        if self.position + numbers.size > len(self.data):
            raise self._error(self.position, numbers.size)
        offset, size = numbers.unpack_from(self.data, self.position)
        self.position += numbers.size
        if op != RESOURCE:
            path = self._path()
        if size and path:
            self.found.streams.append((Streamed(path, offset, size), start, self.position))

    def _path(self) -> str:
        start, count = self._count(1)
        self.position = min(start + count + -(start + count) % 4, len(self.data))
        return self.data[start : start + count].decode("utf-8", "surrogateescape")

    def _error(self, place: int, size: int) -> UnityFSError:
        what = f"needs {size} bytes, {max(len(self.data) - place, 0)} are left"
        return UnityFSError(what, offset=self.base + place, field="references")
