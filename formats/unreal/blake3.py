"""BLAKE3 (the hash of IoStore chunks) in the standard library, many leaves at a time.

A hash of 32-bit additions and rotations costs about 1 us a byte in plain Python. Here one arbitrarily long
integer holds the same state word of many leaves, 64 bits apart, so that one addition adds them all: 25 to 40
times faster. The algorithm is the published specification of BLAKE3 (CC0).
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_LEAF: Final = 1024
_BLOCK: Final = 64
_LANES: Final = 1024  # leaves at a time; more do not get faster, fewer do not fill the integers
_START: Final = 1
_END: Final = 2
_PARENT: Final = 4
_ROOT: Final = 8
_IV: Final = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
_PERMUTATION: Final = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
_COLUMNS_AND_DIAGONALS: Final = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)
_U64: Final = Struct("<Q")


def _schedule() -> list[tuple[int, int, int, int, int, int]]:
    steps = []
    order = list(range(16))
    for _ in range(7):
        for number, quarter in enumerate(_COLUMNS_AND_DIAGONALS):
            steps.append((*quarter, order[2 * number], order[2 * number + 1]))
        order = [order[place] for place in _PERMUTATION]
    return steps


_STEPS: Final = _schedule()


def blake3(data: bytes) -> bytes:
    """Return the 32-byte BLAKE3 of ``data``."""
    return blake3_many([data])[0]


def blake3_many(inputs: Sequence[bytes | memoryview]) -> list[bytes]:
    """Return the 32-byte BLAKE3 of each input; many small inputs together are as fast as one large one."""
    trees: list[list[bytes]] = [[] for _ in inputs]
    alone = [len(data) <= _LEAF for data in inputs]
    batch: list[tuple[int, int, memoryview]] = []
    for number, leaf in _leaves(inputs):
        batch.append((number, len(trees[number]), leaf))
        trees[number].append(b"")
        if len(batch) == _LANES:
            _hash_leaves(batch, alone, trees)
            batch.clear()
    if batch:
        _hash_leaves(batch, alone, trees)
    _join(trees)
    return [tree[0] for tree in trees]


def blake3_pieces(pieces: Iterable[bytes]) -> bytes:
    """Return the 32-byte BLAKE3 of data that arrives in pieces, of which a megabyte is held at a time."""
    trees: list[list[bytes]] = [[]]
    held = bytearray()
    for piece in pieces:
        held += piece
        while len(held) > _LANES * _LEAF:
            _hash_part(held[: _LANES * _LEAF], trees)
            del held[: _LANES * _LEAF]
    if not trees[0]:
        return blake3(bytes(held))
    _hash_part(held, trees)
    _join(trees)
    return trees[0][0]


def _hash_part(part: bytearray, trees: list[list[bytes]]) -> None:
    """Append the leaves of a part of a longer input to its tree."""
    batch = []
    for _, leaf in _leaves([memoryview(bytes(part))]):
        batch.append((0, len(trees[0]), leaf))
        trees[0].append(b"")
    _hash_leaves(batch, [False], trees)


def _leaves(inputs: Sequence[bytes | memoryview]) -> Iterator[tuple[int, memoryview]]:
    for number, data in enumerate(inputs):
        view = memoryview(data)
        for start in range(0, len(view) or 1, _LEAF):
            yield number, view[start : start + _LEAF]


def _hash_leaves(batch: list[tuple[int, int, memoryview]], alone: Sequence[bool], trees: list[list[bytes]]) -> None:
    """Hash up to ``_LANES`` leaves and put their chaining values into their trees; ``alone`` are inputs of one leaf."""
    batch = sorted(batch, key=lambda entry: -len(entry[2]))  # those that end first are then the upper lanes
    counts = [max(1, -(-len(leaf) // _BLOCK)) for _, _, leaf in batch]
    # One slot of 1,024 bytes a leaf, so that word w of all leaves is a strided slice.
    slots = b"".join([leaf if len(leaf) == _LEAF else bytes(leaf).ljust(_LEAF, b"\0") for _, _, leaf in batch])
    lanes = len(batch)
    state = [_repeat(word, lanes) for word in _IV]
    positions = bytearray(8 * lanes)
    for lane, (_, position, _) in enumerate(batch):
        _U64.pack_into(positions, 8 * lane, position)
    counter = int.from_bytes(positions, "little")
    high = counter >> 32 & _repeat(0xFFFFFFFF, lanes)
    low = counter & _repeat(0xFFFFFFFF, lanes)
    active = lanes
    block = 0
    while active:
        flags = bytearray(_U64.pack(0 if block else _START) * active)
        sizes = bytearray(_U64.pack(_BLOCK) * active)
        ending = active
        while ending and counts[ending - 1] == block + 1:
            ending -= 1
            number, _, leaf = batch[ending]
            flags[8 * ending] |= _END | (_ROOT if alone[number] else 0)
            sizes[8 * ending] = len(leaf) - block * _BLOCK
        message = _words(slots, block * _BLOCK, _LEAF, active)
        state = _compress(state, message, (low, high), sizes=sizes, flags=flags, lanes=active)
        if ending < active:
            values = _chaining_values(state, active)
            for lane in range(ending, active):
                number, position, _ = batch[lane]
                trees[number][position] = values[lane]
            active = ending
            mask = (1 << 64 * active) - 1
            state = [word & mask for word in state]
            low &= mask
            high &= mask
        block += 1


def _join(trees: list[list[bytes]]) -> None:
    """Replace every tree's leaves by its root, level by level; an odd node moves up as it is."""
    while True:
        pairs = [(number, at) for number, tree in enumerate(trees) for at in range(0, len(tree) - 1, 2)]
        if not pairs:
            return
        parents: list[bytes] = []
        for start in range(0, len(pairs), _LANES):
            part = pairs[start : start + _LANES]
            lanes = len(part)
            message = b"".join([trees[number][at] + trees[number][at + 1] for number, at in part])
            flags = bytearray(_U64.pack(_PARENT) * lanes)
            for lane, (number, _) in enumerate(part):
                if len(trees[number]) == 2:
                    flags[8 * lane] |= _ROOT
            state = [_repeat(word, lanes) for word in _IV]
            sizes = bytearray(_U64.pack(_BLOCK) * lanes)
            state = _compress(state, _words(message, 0, _BLOCK, lanes), (0, 0), sizes=sizes, flags=flags, lanes=lanes)
            parents += _chaining_values(state, lanes)
        made = iter(parents)
        for number, tree in enumerate(trees):
            odd = tree[-1:] if len(tree) % 2 else []
            trees[number] = [next(made) for _ in range(len(tree) // 2)] + odd


def _repeat(word: int, lanes: int) -> int:
    return int.from_bytes(_U64.pack(word) * lanes, "little")


def _words(data: bytes, offset: int, stride: int, lanes: int) -> list[int]:
    """Return the 16 message words at ``offset`` of every slot, each as one integer of ``lanes`` lanes."""
    end = lanes * stride
    words = []
    for start in range(offset, offset + _BLOCK, 4):
        wide = bytearray(8 * lanes)
        for byte in range(4):
            wide[byte::8] = data[start + byte : end : stride]
        words.append(int.from_bytes(wide, "little"))
    return words


def _chaining_values(state: list[int], lanes: int) -> list[bytes]:
    joined = bytearray(32 * lanes)
    for number, word in enumerate(state):
        wide = word.to_bytes(8 * lanes, "little")
        for byte in range(4):
            joined[4 * number + byte :: 32] = wide[byte::8]
    return [bytes(joined[start : start + 32]) for start in range(0, len(joined), 32)]


def _compress(
    state: list[int], message: list[int], counter: tuple[int, int], *, sizes: bytearray, flags: bytearray, lanes: int
) -> list[int]:
    """Mix one 64-byte block of every lane into its state of eight words.

    ``a`` and ``c`` are left to grow past 32 bits: they gain less than 2**34 in each of 28 steps, far from the
    64 bits of a lane, and are cut when they are next combined.
    """
    mask = _repeat(0xFFFFFFFF, lanes)
    v = [
        *state,
        *(_repeat(word, lanes) for word in _IV[:4]),
        *counter,
        int.from_bytes(sizes, "little"),
        int.from_bytes(flags, "little"),
    ]
    for ia, ib, ic, id_, mx, my in _STEPS:
        a = v[ia] + v[ib] + message[mx]
        d = (v[id_] ^ a) & mask
        d = (d >> 16 | d << 16) & mask
        c = v[ic] + d
        b = (v[ib] ^ c) & mask
        b = (b >> 12 | b << 20) & mask
        a = a + b + message[my]
        d = (d ^ a) & mask
        v[id_] = d = (d >> 8 | d << 24) & mask
        v[ic] = c = c + d
        b = (b ^ c) & mask
        v[ib] = (b >> 7 | b << 25) & mask
        v[ia] = a
    return [(v[number] ^ v[number + 8]) & mask for number in range(8)]
