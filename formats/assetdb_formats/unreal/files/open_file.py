"""Base of open containers: an Oodle process and a read budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.errors import OverlapError

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from assetdb_formats.unreal.codecs.compression import OodleDecoder

# What one command reads at most of a sound container: `verify` every block for its signature, every chunk for its
# hash, the large ones of TOC version 4 for a second hash; and two chunks may share a block.
_TIMES: Final = 4


class ReadBudget:
    """How many bytes may still be read of files that are opened one after the other.

    Chunks, blocks and files of a .pak name the bytes that they are stored in, and nothing else keeps a million of them
    from naming the same ones: what is extracted would grow with the square of the container. In 33 real containers
    and 51 .pak files no stored byte belongs to two.
    """

    def __init__(self) -> None:
        self._size = 0
        self._spent: int | None = None

    def add(self, size: int) -> None:
        """Count a file of this size in."""
        self._size += size

    def limit(self) -> None:
        """From now on, let no more be read than a sound container has any command read."""
        self._spent = 0

    def spend(self, size: int, offset: int, path: str) -> None:
        """Count ``size`` bytes as read.

        Raises:
            OverlapError: there is a limit, and it is passed.
        """
        if self._spent is None:
            return
        self._spent += size
        if self._spent > _TIMES * self._size:
            what = f"what lies in it overlaps: it would be read more than {_TIMES} times over"
            raise OverlapError(what, offset=offset, field="data", path=path)


class OpenFile:
    """A context manager with an Oodle process, for classes that read files.

    Attributes:
        path: the file.
        budget: how much may be read; without limit until `limit_reading`.
        oodle: the decoder that was given, or one of its own.
    """

    def __init__(self, path: str, oodle: OodleDecoder | None) -> None:
        self.path = path
        self.budget = ReadBudget()
        self._own_oodle = OodleProcess() if oodle is None else None
        self.oodle: OodleDecoder | None = oodle or self._own_oodle

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files and end the Oodle process."""
        if self._own_oodle is not None:
            self._own_oodle.close()

    def limit_reading(self) -> None:
        """Refuse, as OverlapError, to read much more than there is: for one pass over all of it."""
        self.budget.limit()
