"""The process beside a bake: order, graph and cache file.

None of these depends on names. They are half of the time that follows a scan; a small project's take less than a
process. The order of GUIDs is the first of it, and the bake's own process needs it, too, once it has the names: it
finds it in memory that both share.
"""

from __future__ import annotations

import marshal  # between a process and its own child only: what that sends is our own
import sys
from array import array

from assetdb.diagnostics import encode
from assetdb.scan.known import cache, file_identities
from assetdb.store.cache_record import folders_of
from assetdb.store.indexes.graph import Edges
from assetdb.system.free_memory import give_back

TYPE_CHECKING = False

if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator, Sequence
    from typing import Final, Protocol

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.known.packed import PackedDirectories
    from assetdb.store.indexes.graph import GraphWork, Ordered
    from assetdb.store.output import Output

    class Pieces(Protocol):
        """A process that makes one piece after the other: :class:`assetdb.scan.processes.BackgroundProcess`."""

        def piece(self) -> bytes:
            """Wait for the next."""

        def rest(self) -> Sequence[bytes]:
            """Wait for all others."""

        def close(self) -> None:
            """End the process."""


_PLACE: Final = array("I").itemsize
_GUID: Final = 16


class Background:
    """One such process; whoever makes one closes it.

    Attributes:
        seen_rows: what :func:`assetdb.scan.known.file_identities.rows` makes, once :meth:`edges` has returned; None
            before, and where nothing is written.
    """

    def __init__(self, output: Output, settings: bytes, directories: PackedDirectories, *, read_only: bool) -> None:
        """Prepare; ``settings`` are packed, ``read_only`` is whether nothing will be written."""
        self.seen_rows: file_identities.Rows | None = None
        self._output = output
        self._settings = settings
        self._directories = directories
        self._read_only = read_only
        self._work: GraphWork | None = None
        self._process: Pieces | None = None
        self._shared: mmap.mmap | None = None  # the order that the process finds
        self._ordered: Ordered | None = None
        self._has_cache = False

    def start(self, work: GraphWork, places: Sequence[int] | None, problems: list[Diagnostic]) -> None:
        """Start to make order, graph and cache.

        Results of an earlier start are dropped.

        Args:
            work: makes the graph.
            places: of the asset behind each of the database's rows, as :func:`assetdb.scan.known.file_identities.rows`
                has them; None where these are the order that the work finds.
            problems: of the project as a whole.
        """
        self.close()
        self._work, self._ordered = work, None
        if sys.platform != "win32":
            from mmap import mmap  # noqa: PLC0415 - only a large project's first bake has it

            from assetdb.scan.processes import BackgroundProcess  # noqa: PLC0415 - only where processes can fork

            give_back(self._directories.size)  # what is free here would be used, and so copied, in both
            try:
                self._shared = mmap(-1, max(1, work.asset_count * (_PLACE + _GUID)))
            except OSError:  # no memory: all is done in this process, or it ends there
                return
            self._process = BackgroundProcess.start(lambda: self._make(work, places, problems))

    def _make(self, work: GraphWork, places: Sequence[int] | None, problems: list[Diagnostic]) -> Iterator[bytes]:
        """Yield the order's completion, then buffers behind their numbers."""
        order, guids = ordered = work.find_order()
        if self._shared is not None:  # else it has been taken from there already
            middle = work.asset_count * _PLACE
            self._shared[:middle], self._shared[middle : middle + len(guids)] = order.tobytes(), guids
        yield b""
        edges = work.encode(ordered)
        del ordered, guids
        give_back(self._directories.size)
        sizes = edges.external_count, edges.edge_count
        if self._read_only:
            yield marshal.dumps((*sizes, None, False))
            yield from map(bytes, edges.parts)
            return
        rows = order if places is None else places
        assets, folders, packed = file_identities.rows(rows, folders_of(self._directories), self._directories)
        give_back(self._directories.size)
        parts = cache.encode(self._settings, cache.NO_FILES, len(rows), encode(problems), self._directories)
        try:
            has_cache = self._output.begin_cache(parts)
        except OSError:  # whoever writes it when its time has come says why
            has_cache = False
        yield marshal.dumps((*sizes, (assets, folders), has_cache))
        yield from map(bytes, edges.parts)
        yield packed

    def ordered(self) -> Ordered:
        """Wait for the order, and return it."""
        assert self._work is not None  # noqa: S101 - for the type checker
        if self._ordered is None:
            if self._process is None or self._shared is None:
                self._ordered = self._work.find_order()
            else:
                self._process.piece()
                middle = self._work.asset_count * _PLACE
                order = array("I", self._shared[:middle])
                self._ordered = order, self._shared[middle : middle + self._work.asset_count * _GUID]
                self._shared.close()
                self._shared = None
        return self._ordered

    def edges(self) -> Edges:
        """Wait for the graph, and return it."""
        ordered = self.ordered()
        if self._process is None:
            assert self._work is not None  # noqa: S101 - for the type checker
            return self._work.encode(ordered)
        numbers, *buffers = self._process.rest()
        external_count, edge_count, counts, self._has_cache = marshal.loads(numbers)  # noqa: S302 - our own child's
        if counts is not None:
            self.seen_rows = (*counts, buffers.pop())
        return Edges(buffers, external_count, edge_count)

    @property
    def may_have_cache(self) -> bool:
        """Whether there may be a file of :meth:`Output.begin_cache` that is to stay."""
        return self._process is not None and not self._read_only

    def finish_cache(self) -> bool:
        """Put the cache in its place; False where there is none.

        It belongs to the database and index that are there now.
        """
        try:
            return self._has_cache and self._output.finish_cache()
        except OSError:  # whoever writes it then says why
            return False
        finally:
            self._has_cache = False

    def close(self) -> None:
        """End the process, and remove unused files of it."""
        if self._process is not None:
            self._process.close()
            self._process = None
            if not self._read_only:
                self._output.drop_cache()
        if self._shared is not None:
            self._shared.close()
            self._shared = None
