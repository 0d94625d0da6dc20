"""The bounded reader of this family, with its errors."""

from __future__ import annotations

from struct import calcsize, unpack
from typing import TYPE_CHECKING, Any

from assetdb_formats import binary
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.strings import string_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from struct import Struct


class Reader(binary.Reader):
    """A cursor over little-endian bytes that never reads past its end."""

    __slots__ = ()

    failure = UnrealError

    def items(self, size: int, field: str) -> range:
        """Read a count of items of at least ``size`` bytes."""
        count = self.i32(field)
        if not 0 <= count * size <= self.end - self.position:
            self.count(count, size, field)
        return range(count)

    def rows(self, row: Struct, count: int, field: str) -> Iterator[tuple[Any, ...]]:
        """Read ``count`` rows of a ``struct``."""
        return row.iter_unpack(self.view(row.size * self.count(count, row.size, field), field))

    def integers(self, code: str, count: int, field: str) -> tuple[int, ...]:
        """Read ``count`` numbers of a ``struct`` format character."""
        size = calcsize(f"<{code}")
        data = self.view(size * self.count(count, size, field), field)
        return unpack(f"<{count}{code}", data)

    def string(self, field: str) -> str:
        """Read an FString as packages store it."""
        text, self.position = string_at(self.data, self.position, field)
        return text
