"""Skimming of objects: names, references and streamed data alone.

A *program* is the layout of a class in one line of text, as far as the last value that is wanted::

    12      bytes to step over                     n       m_Name: i32 size, bytes
    a       up to the next multiple of 4           s       any other string
    p o     a PPtr with a PathID of 64, 32 bits    [...]   an array: i32 count, then so many elements
    r R     StreamingInfo: offset of 32, 64 bits, u32 size, path, zeros up to the next multiple of 4
    q       StreamedResource: path, zeros up to the next multiple of 4, u64 offset, u64 size
    e       the object ends here

``[4p]4nap`` is a GameObject before 5.5 with a reference after its name. Programs are made of type trees
(:func:`program_of`), or come from a table for builds without them (:mod:`assetdb_formats.unityfs.types.layouts`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from struct import Struct
from struct import error as StructError  # noqa: N812 - an exception's name
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.tree_values import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb_formats.unityfs.serialized_files.tree_values import ValuePlan

SKIP, ALIGN, TEXT, NAME, WIDE, NARROW, STEP, POINTERS, LOOP, STREAM, WIDE_STREAM, RESOURCE, END = range(13)
_TOKEN: Final = re.compile(r"(\d+)|([aenspoqrR\[\]])")
_WANTED: Final = frozenset("enpoqrR")
_LETTERS: Final = {
    "a": ALIGN,
    "s": TEXT,
    "n": NAME,
    "p": WIDE,
    "o": NARROW,
    "r": STREAM,
    "R": WIDE_STREAM,
    "q": RESOURCE,
    "e": END,
}
_POINTER_SIZES: Final = {WIDE: 12, NARROW: 8}
_SHADER_FORM: Final = "SerializedShader"  # m_Name of a Shader is empty from 5.5 on: its name is in m_ParsedForm
_REGISTRY: Final = "ManagedReferencesRegistry"
_LONGEST_PROGRAM: Final = 100_000  # characters; the longest of Unity's own classes has 2,000

Op = tuple[int, int, "tuple[Op, ...] | tuple[int, ...]"]
"""What to do, bytes that it takes (of an array: that an element takes, at the least), and what is in it."""


class Streamed(NamedTuple):
    """Bytes of an object in another file, by path and range."""

    path: str
    offset: int
    size: int


class Skim(NamedTuple):
    """The facts of an object that skimming finds.

    Attributes:
        name: ``m_Name``; ``""`` where it has none.
        pointers: file ID and PathID of every reference that is not null, in order.
        places: the offset of each of them in the object.
        streams: its streamed data, and the part of the object that names them (start, end).
    """

    name: str
    pointers: list[tuple[int, int]]
    places: list[int]
    streams: list[tuple[Streamed, int, int]]

    @classmethod
    def nothing(cls) -> Skim:
        """Return the result for an object of an unknown class."""
        return cls("", [], [], [])


class Program(NamedTuple):
    """A class's program, compiled; see the module."""

    text: str
    ops: tuple[Op, ...]


def program_of(plan: ValuePlan, *, whole: bool = False) -> str | None:
    """Return the program of a class by its type tree, or None.

    None is for a class with references to managed objects ([SerializeReference]), whose types are stored among the
    data. With ``whole`` the program goes on to the end of an object, and wants it to end there.
    """
    tokens: list[str] = []
    waiting: list[ValuePlan | str] = [plan]
    top = {
        id(child)
        for parent in (plan, *(child for child in plan.children if child.type_name == _SHADER_FORM))
        for child in parent.children
        if child.name == "m_Name" and child.kind is Kind.TEXT
    }
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
    return _shortened([*tokens, "e"] if whole else tokens)


def _stream(plan: ValuePlan) -> str:
    """Return the code letter of a class of streamed data, or ""."""
    codes = "".join(child.code or ("s" if child.aligned else "?") for child in plan.children)
    if plan.type_name == "StreamingInfo":
        return {"IIs": "r", "QIs": "R"}.get(codes, "")
    return "q" if plan.type_name == "StreamedResource" and codes == "sQQ" else ""


def _shortened(tokens: Sequence[str]) -> str:
    """Return a program as text, with runs of bytes added up."""
    depth = end = 0
    is_wanted = False
    for number, word in enumerate(tokens, 1):
        depth += word.count("[") - word.count("]")
        is_wanted = is_wanted or word in _WANTED
        if depth == 0 and is_wanted:
            end, is_wanted = number, False
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


@lru_cache(maxsize=4096)
def compile_program(text: str) -> Program:
    """Compile a program of plausible length. Raises UnityFSError."""
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
            if op == END and len(levels) > 1:
                raise UnityFSError("an object ends in an array", field="program")
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
    """Return the ops of an element, without needless alignment."""
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
    return (LOOP, max(sum(map(_least, ops)), 1), tuple(ops))


def _least(op: Op) -> int:
    """Return the minimum size of an op; of arrays their count.

    With elements counted the Shaders of a web player of 2022.3 (passes of 3,106 bytes "at the least") were refused.
    """
    return 4 if op[0] in (LOOP, STEP, POINTERS) else op[1]


_I32: Final = {order: Struct(order + "i") for order in "<>"}
_POINTERS: Final = {(order, size): Struct(f"{order}i{code}") for order in "<>" for size, code in ((12, "q"), (8, "i"))}
_STREAMS: Final = {
    (order, op): Struct(order + code) for order in "<>" for op, code in ((STREAM, "II"), (WIDE_STREAM, "QI"))
}
_PAIR: Final = {order: Struct(order + "QQ") for order in "<>"}


def skim(program: Program, data: bytes, *, order: str = "<", base: int = 0) -> Skim:
    """Run a program over the bytes of an object.

    The bytes may go on behind it. Nested loops are frames on a stack, so that depth of data is not depth of recursion.
    It is one function, because an index of a build runs it over every object: calls would be half of its time.
    """
    end = len(data)
    read_i32 = _I32[order].unpack_from
    pointers: list[tuple[int, int]] = []
    places: list[int] = []
    streams: list[tuple[Streamed, int, int]] = []
    name = ""
    frames: list[tuple[tuple[Op, ...], int, int]] = []
    ops = program.ops
    position = at = 0
    left = 1
    count = size = 0
    try:
        while True:
            if at == len(ops):
                left -= 1
                if left > 0:
                    at = 0
                    continue
                if not frames:
                    return Skim(name, pointers, places, streams)
                ops, at, left = frames.pop()
                continue
            op, size, inside = ops[at]
            at += 1
            if op == SKIP:
                position += size
                if position > end:
                    raise StructError  # noqa: TRY301 - as reading there does
            elif op in (WIDE, NARROW):
                pointer = _POINTERS[order, size].unpack_from(data, position)
                if pointer[1]:
                    pointers.append(pointer)
                    places.append(position)
                position += size
            elif op == ALIGN:
                position = min(position + -position % 4, end)
            elif op in (STREAM, WIDE_STREAM, RESOURCE):
                found, position, start = _stream_at(data, position, order, op)
                if found.size and found.path:
                    streams.append((found, start, position))
            elif op == END:
                if position != end:
                    raise UnityFSError(f"{end - position} bytes are left", offset=base + position, field="references")
            else:
                count = read_i32(data, position)[0]
                if op in (TEXT, NAME):
                    size = 1
                start = position + 4
                if not 0 <= count * size <= end - start:
                    what = f"counts {count} items of {size} bytes, {end - start} bytes are left"
                    raise UnityFSError(what, offset=base + position, field="references")
                if op == LOOP:
                    position = start
                    if count:
                        frames.append((ops, at, left))
                        ops, at, left = inside, 0, count  # type: ignore[assignment]
                    continue
                position = start + count * size
                if op == NAME:
                    name = data[start:position].decode("utf-8", "surrogateescape")
                elif op == POINTERS:
                    for place, pointer in _pointers_at(data, start, position, size, inside, order):  # type: ignore[arg-type]
                        if pointer[1]:
                            pointers.append(pointer)
                            places.append(place)
    except StructError:
        what = f"needs {max(size, 4)} bytes, {max(end - position, 0)} are left"
        raise UnityFSError(what, offset=base + position, field="references") from None


def _pointers_at(
    data: bytes, start: int, end: int, stride: int, inside: tuple[int, ...], order: str
) -> Iterable[tuple[int, tuple[int, int]]]:
    """Return the references of an array of equal elements, by offset."""
    if len(inside) == 2 and stride == inside[1]:  # nothing but references
        return zip(range(start, end, stride), _POINTERS[order, stride].iter_unpack(data[start:end]), strict=True)
    columns = []
    for number in range(0, len(inside), 2):
        unpack = _POINTERS[order, inside[number + 1]].unpack_from
        columns.append([(place, unpack(data, place)) for place in range(start + inside[number], end, stride)])
    return columns[0] if len(columns) == 1 else chain.from_iterable(zip(*columns, strict=True))


def _stream_at(data: bytes, position: int, order: str, op: int) -> tuple[Streamed, int, int]:
    """Return a streamed range, its end, and its start; raises StructError."""
    start = position
    if op == RESOURCE:
        path, position = _path_at(data, position, order)
        offset, size = _PAIR[order].unpack_from(data, position)
        position += _PAIR[order].size
    else:
        numbers = _STREAMS[order, op]
        offset, size = numbers.unpack_from(data, position)
        path, position = _path_at(data, position + numbers.size, order)
    return Streamed(path, offset, size), position, start


def _path_at(data: bytes, position: int, order: str) -> tuple[str, int]:
    count = _I32[order].unpack_from(data, position)[0]
    start = position + 4
    if not 0 <= count <= len(data) - start:
        raise StructError
    end = start + count
    return data[start:end].decode("utf-8", "surrogateescape"), min(end + -end % 4, len(data))
