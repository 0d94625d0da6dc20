"""The state of verdicts and their problems as bytes.

Not needed if nothing changed, like the library that decodes it.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from assetdb.checks.verdicts.state import State
from assetdb.checks.verdicts.tree import Row
from assetdb.scan.content_id import digest_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.checks.verdicts.locating import Problem

_DIGEST: Final = 16
_DAMAGED: Final = (ValueError, IndexError, TypeError, OverflowError, MemoryError)
_Packed: TypeAlias = tuple[int, int, str, str, str, str, str, str, str, str, str, str | None, str, str]
"""A problem, with ids as text: a file may have more than 64 bits."""
_PROBLEMS: Final = msgspec.msgpack.Decoder(list[_Packed])
_ENCODER: Final = msgspec.msgpack.Encoder()


class _Whole(msgspec.Struct, array_like=True, frozen=True):
    """A State in columns; ``environment`` are all inputs besides the tree."""

    environment: str
    hides_guids: bool
    history: str
    rows: list[tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, int]]
    loose: list[tuple[bytes, str]]
    alone: dict[bytes, str]
    outside: list[tuple[bytes, str, str, bytes]]
    keys: bytes
    outcomes: list[tuple[str, str]]
    codes: bytes
    occurrences: bytes
    totals: list[int]
    files: dict[bytes, tuple[bytes, bytes]]
    nested: list[tuple[bytes, bytes]]
    problems: list[tuple[bytes, bytes]]


class Packing:
    """Packs the problems of each file once; most stay after an edit."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[list[Problem], bytes]] = {}

    def packed(self, problems: Mapping[bytes, list[Problem]]) -> list[tuple[bytes, bytes]]:
        """Return packed problems by file."""
        known: dict[bytes, tuple[list[Problem], bytes]] = {}
        for path, rows in problems.items():
            before = self._known.get(path)
            known[path] = before if before is not None and before[0] is rows else _packed(rows)
        found = [(path, packed) for path, (_, packed) in known.items()]
        self._known = known  # as a whole: other threads ask for digests
        return found

    def digest(self, path: bytes, rows: list[Problem]) -> bytes:
        """Return a digest of the problems of a file."""
        known = self._known.get(path)
        if known is None or known[0] is not rows:
            known = self._known[path] = _packed(rows)
        return digest_state(known[1], size=_DIGEST).digest()

    def unpacked(self, problems: list[tuple[bytes, bytes]]) -> dict[bytes, list[Problem]]:
        """Return problems by file, which packs them again without looking at them.

        Raises:
            ValueError: they are invalid.
        """
        known = {path: ([_problem(row) for row in _PROBLEMS.decode(packed)], packed) for path, packed in problems}
        self._known = dict(known)
        return {path: rows for path, (rows, _) in known.items()}


def decode_state(packed: bytes, environment: str, packing: Packing) -> State | None:
    """Return a state from bytes, None if damaged or of another environment.

    Args:
        packed: as it was encoded.
        environment: the inputs of verdicts besides the tree.
        packing: learns how the problems are packed.
    """
    try:
        whole = msgspec.msgpack.decode(packed, type=_Whole)
        return _unpacked(whole, packing) if whole.environment == environment else None
    except _DAMAGED:
        return None


def encode_state(state: State, environment: str, problems: list[tuple[bytes, bytes]]) -> bytes:
    """Return a state and its packed problems as bytes."""
    whole = _Whole(
        environment,
        state.hides_guids,
        state.history,
        [(path, *row) for path, row in state.rows.items()],
        [(path, str(content)) for path, content in state.loose.items()],  # of more than 64 bits
        state.alone,
        [(guid, file, stamp, b" ".join(nested)) for guid, (file, stamp, nested) in state.outside.items()],
        b"\n".join(state.keys),
        state.outcomes,
        state.codes.tobytes(),
        state.occurrences.tobytes(),
        state.by_code(),
        state.files,
        [(path, b" ".join(nested)) for path, nested in state.nested.items()],
        problems,
    )
    return _ENCODER.encode(whole)


def _unpacked(whole: _Whole, packing: Packing) -> State:
    state = State()
    state.rows = {path: Row(*columns) for path, *columns in whole.rows}  # type: ignore[arg-type]  # eight of them
    state.hides_guids = whole.hides_guids
    state.history = whole.history
    state.loose = {path: int(content) for path, content in whole.loose}
    state.alone = whole.alone
    state.outside = {guid: (file, stamp, _split(nested)) for guid, file, stamp, nested in whole.outside}
    state.keys = whole.keys.split(b"\n") if whole.keys else []
    state.outcomes = whole.outcomes
    state.codes.frombytes(whole.codes)
    state.occurrences.frombytes(whole.occurrences)
    state.totals = whole.totals
    count = len(state.keys)
    is_whole = len(state.codes) == len(state.occurrences) == count and len(state.totals) == len(state.outcomes)
    if not is_whole or (count and max(state.codes) >= len(state.outcomes)):
        raise ValueError("verdicts and keys do not belong together")
    # One file at a time would take three times as long.
    columns = [keys for keys, _ in whole.files.values()]
    numbers = array("I", b"".join(columns))
    lengths = list(map(len, columns))
    lengths_differ = lengths != [len(times) for _, times in whole.files.values()]
    if lengths_differ or any(length % 4 for length in lengths) or (numbers and max(numbers) >= count):
        raise ValueError("references and keys do not belong together")
    state.files = whole.files
    state.nested = {path: _split(nested) for path, nested in whole.nested}
    state.problems = packing.unpacked(whole.problems)
    return state


def _packed(rows: list[Problem]) -> tuple[list[Problem], bytes]:
    return rows, _ENCODER.encode(list(map(_pack, rows)))


def _pack(row: Problem) -> _Packed:
    unlisted, line, class_id, object_id, way, script, script_id, *texts, file_id, kind, reason = row
    way, script, place, override, detail, guid = (_unicode(text) for text in (way, script, *texts))
    number = None if file_id is None else str(file_id)
    numbers = unlisted, line, str(class_id), str(object_id)
    return *numbers, way, script, str(script_id), place, override, detail, guid, number, kind, reason


def _problem(row: _Packed) -> Problem:
    unlisted, line, class_id, object_id, way, script, script_id, *texts, file_id, kind, reason = row
    place, override, detail, guid = texts
    number = None if file_id is None else int(file_id)
    numbers = unlisted, line, int(class_id), int(object_id)
    return *numbers, way, script, int(script_id), place, override, detail, guid, number, kind, reason


def _unicode(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _split(packed: bytes) -> tuple[bytes, ...]:
    return tuple(packed.split(b" ")) if packed else ()
