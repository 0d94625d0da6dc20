"""LMDB: the pages of a database file, read without its lock.

LMDB's own library asks for trust in the file, and for a lock in the folder; this reader writes nothing, checks every
number, and does not disturb an editor that has the file open. What it reads while the editor writes may contradict
itself, which is a :class:`FormatError`.

The first two pages are states of the file, the later one valid. Each has two tables: of free pages, and the main one,
whose rows are the named tables. A table is a tree of pages: leaves have keys and values, branches keys and pages. A
page begins with its number, its kind and the places of its nodes. Large values are on pages of their own.
"""

from __future__ import annotations

import os
from struct import Struct, error
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAGE: Final = Struct("<QHHHH")  # number, unused, flags, end of the places of nodes, start of nodes
_META: Final = Struct("<II8xQ")  # magic, version, size of the map
_TABLE: Final = Struct("<IHHQQQQQ")  # page size, flags, depth, pages of three kinds, rows, root
_STATE: Final = Struct("<QQ")  # last page, number of the transaction
_NODE: Final = Struct("<HHHH")  # 32 bits of size or page, flags or upper bits of the page, size of the key
_MAGIC: Final = 0xBEEFC0DE
_VERSION: Final = 1
_BRANCH, _LEAF, _OVERFLOW, _META_PAGE = 1, 2, 4, 8
_BIG, _SUBTABLE, _SEVERAL = 1, 2, 4
_NO_PAGE: Final = (1 << 64) - 1
_PAGE_SIZES: Final = tuple(1 << power for power in range(9, 17))
_HEAD: Final = 256  # bytes of a page with a state
_LARGEST_VALUE: Final = 64 << 20


class _Node(NamedTuple):
    key: bytes
    flags: int
    number: int
    """Bytes of the value, or the page below."""
    place: int


class LmdbFile:
    """The newest state of an open LMDB file."""

    def __init__(self, file: BinaryIO) -> None:
        """Read the state.

        Raises:
            FormatError: it is no LMDB file, or another version of one.
        """
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        page_size = _page_size(self._at(0, _HEAD))
        states = [_state(self._at(number * page_size, _HEAD), number * page_size) for number in (0, 1)]
        root, _ = max((state for state in states if state is not None), key=lambda state: state[1], default=(0, 0))
        if not root:
            raise FormatError("is no LMDB file, or has no valid state", offset=0)
        self._page_size = page_size
        self._root = root

    def tables(self) -> dict[str, int]:
        """Return the root page of each named table.

        Raises:
            FormatError: pages contradict themselves.
        """
        found = {}
        for page, node in self._leaves(self._root):
            if node.flags & _SUBTABLE:
                found[node.key.decode("utf-8", "replace")] = _table(page, node.place)
        return found

    def rows(self, root: int, is_wanted: Callable[[bytes], bool] = lambda _: True) -> Iterator[tuple[bytes, bytes]]:
        """Yield keys and values of a table, in its order.

        Args:
            root: of :meth:`tables`.
            is_wanted: whether the value of a key is read.

        Raises:
            FormatError: pages contradict themselves, or a key has several values.
        """
        for page, node in self._leaves(root):
            if is_wanted(node.key):
                yield node.key, self._value(page, node)

    def _leaves(self, root: int) -> Iterator[tuple[bytes, _Node]]:
        stack = [] if root == _NO_PAGE else [root]
        seen: set[int] = set()
        while stack:
            number = stack.pop()
            if number in seen:
                raise FormatError("is reached twice", offset=number * self._page_size, field=f"page {number}")
            seen.add(number)
            page = self._page(number)
            flags = _PAGE.unpack_from(page)[2]
            nodes = self._nodes(page, number)
            if flags & _BRANCH:
                stack += [node.number for node in reversed(nodes)]
            elif flags & _LEAF:
                yield from ((page, node) for node in nodes)
            else:
                raise FormatError("is neither branch nor leaf", offset=number * self._page_size, field=f"page {number}")

    def _page(self, number: int) -> bytes:
        page = self._at(number * self._page_size, self._page_size)
        if _PAGE.unpack_from(page)[0] != number:
            raise FormatError("has another number", offset=number * self._page_size, field=f"page {number}")
        return page

    def _nodes(self, page: bytes, number: int) -> list[_Node]:
        _, _, flags, lower, _ = _PAGE.unpack_from(page)
        nodes = []
        for place in range(_PAGE.size, min(lower, len(page) - 1), 2):
            start = int.from_bytes(page[place : place + 2], "little")
            try:
                low, high, more, size = _NODE.unpack_from(page, start)
            except error:
                raise self._cut(number) from None
            key = page[start + _NODE.size : start + _NODE.size + size]
            end = start + _NODE.size + size
            below = low | high << 16
            if flags & _BRANCH:
                below |= more << 32
            if len(key) < size or (flags & _LEAF and not more & _BIG and end + below > len(page)):
                raise self._cut(number)
            nodes.append(_Node(key, more, below, end))
        return nodes

    def _value(self, page: bytes, node: _Node) -> bytes:
        if node.flags & _SEVERAL:
            raise FormatError("has several values", field=node.key[:40].hex())
        if not node.flags & _BIG:
            return page[node.place : node.place + node.number]
        number = int.from_bytes(page[node.place : node.place + 8], "little")
        if node.number > min(_LARGEST_VALUE, self._size):
            raise FormatError(f"a value has {node.number:,} bytes", offset=number * self._page_size)
        whole = self._at(number * self._page_size, _PAGE.size + node.number)
        if _PAGE.unpack_from(whole)[0] != number or not _PAGE.unpack_from(whole)[2] & _OVERFLOW:
            raise FormatError("is not the page of a value", offset=number * self._page_size, field=f"page {number}")
        return whole[_PAGE.size :]

    def _at(self, offset: int, size: int) -> bytes:
        if offset + size > self._size:
            raise FormatError("the file ends before", offset=offset)
        self._file.seek(offset)
        data = self._file.read(size)
        if len(data) < size:
            raise FormatError("the file ends before", offset=offset)
        return data

    def _cut(self, number: int) -> FormatError:
        return FormatError("has a node beyond its end", offset=number * self._page_size, field=f"page {number}")


def _page_size(head: bytes) -> int:
    """Return the size of pages, from the first one."""
    size: int = _TABLE.unpack_from(head, _PAGE.size + _META.size)[0]
    if size not in _PAGE_SIZES:
        raise FormatError("is no LMDB file, or has no valid state", offset=0)
    return size


def _state(page: bytes, offset: int) -> tuple[int, int] | None:
    """Return root and transaction of a state, None if invalid."""
    flags = _PAGE.unpack_from(page)[2]
    magic, version, _ = _META.unpack_from(page, _PAGE.size)
    if not flags & _META_PAGE or magic != _MAGIC:
        return None
    if version != _VERSION:
        raise FormatError(f"is of version {version} of LMDB; {_VERSION} is known", offset=offset)
    main = _PAGE.size + _META.size + _TABLE.size
    return _table(page, main), _STATE.unpack_from(page, main + _TABLE.size)[1]


def _table(page: bytes, place: int) -> int:
    """Return the root page of a table."""
    try:
        root: int = _TABLE.unpack_from(page, place)[7]
    except error:
        raise FormatError("has a table beyond its end", field="table") from None
    return root
