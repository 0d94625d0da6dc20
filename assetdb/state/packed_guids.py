"""GUIDs one after the other in a buffer, of which objects are made when they are asked for: a million take 72 MB."""

from __future__ import annotations

from collections.abc import Sequence

from assetdb.store.graph import split

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import overload


class PackedGuids(Sequence[bytes]):
    """GUIDs of 16 bytes each."""

    def __init__(self, packed: bytes) -> None:
        """Take them, one after the other."""
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed) // 16

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, at: int) -> bytes: ...
        @overload
        def __getitem__(self, at: slice) -> list[bytes]: ...

    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            return split(self._packed[start * 16 : stop * 16])[::step]
        row = range(len(self))[at]
        return self._packed[row * 16 : row * 16 + 16]
