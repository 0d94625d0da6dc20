"""The background process of a bake: order, graph and cache file.

Order, graph and cache do not depend on names. They take half of the time after a scan; in a small project less than
starting a process. The order of GUIDs comes first; the bake's own process also needs it, after deciding names, and
reads it from shared memory.
"""

from __future__ import annotations

import marshal  # between a process and its own child only: what that sends is our own
import mmap
import sys
from array import array

from assetdb.diagnostics import encode
from assetdb.scan.known import cache, file_identities
from assetdb.store.cache_record import folders_of
from assetdb.store.indexes.graph import Edges
from assetdb.system.free_memory import give_back

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final, Protocol

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.known.packed import PackedDirectories
    from assetdb.store.indexes.graph import GraphWork, Ordered
    from assetdb.store.output import Output

    class Pieces(Protocol):
        """A process that yields pieces in order: :class:`assetdb.scan.processes.BackgroundProcess`."""

        def piece(self) -> bytes:
            """Wait for the next piece."""

        def rest(self) -> Sequence[bytes]:
            """Wait for the remaining pieces."""

        def close(self) -> None:
            """End the process."""


_PLACE: Final = array("I").itemsize
_GUID: Final = 16


class Background:
    """The background process; its creator closes it.

    Attributes:
        seen_rows: result of :func:`assetdb.scan.known.file_identities.rows`, after :meth:`edges` has returned; None
            before, and if nothing is written.
    """

    def __init__(self, output: Output, settings: bytes, directories: PackedDirectories, *, read_only: bool) -> None:
        """Prepare; ``settings`` are packed, ``read_only``: nothing will be written."""
        self.seen_rows: file_identities.Rows | None = None
        self._output = output
        self._settings = settings
        self._directories = directories
        self._read_only = read_only
        self._process: Pieces | None = None
        self._shared: mmap.mmap | None = None  # the sorted order, made by the process
        self._has_cache = False

    def start(self, work: GraphWork, places: Sequence[int] | None, problems: list[Diagnostic]) -> None:
        """Start making order, graph and cache; if already started, start again.

        Args:
            work: makes the graph.
            places: the asset of each database row, as for :func:`assetdb.scan.known.file_identities.rows`; None for the
                order that the work finds.
            problems: of the project as a whole.
        """
        self.close()
        self._work = work
        self._ordered: Ordered | None = None
        if sys.platform != "win32":
            from assetdb.scan.processes import BackgroundProcess  # noqa: PLC0415 - only where processes can fork

            give_back(self._directories.size)  # free memory would be used, and so copied, by both processes
            try:
                self._shared = mmap.mmap(-1, max(1, work.asset_count * (_PLACE + _GUID)))
            except OSError:  # no memory: this process does everything, or fails there
                return
            self._process = BackgroundProcess.start(lambda: self._make(work, places, problems))

    def _make(self, work: GraphWork, places: Sequence[int] | None, problems: list[Diagnostic]) -> Iterator[bytes]:
        """Yield the order's completion, then numbers and buffers."""
        order, guids = ordered = work.find_order()
        if self._shared is not None:  # otherwise it was already taken
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
        checksum = file_identities.checksum_of(packed)
        parts = cache.encode(self._settings, cache.NO_FILES, len(rows), encode(problems), self._directories, checksum)
        try:
            has_cache = self._output.begin_cache(parts)
        except OSError:  # the later attempt to write it reports the reason
            has_cache = False
        yield marshal.dumps((*sizes, (assets, folders), has_cache))
        yield from map(bytes, edges.parts)
        yield packed

    def ordered(self) -> Ordered:
        """Wait for the order, and return it."""
        if self._process is not None and self._shared is not None:
            self._process.piece()
            middle = self._work.asset_count * _PLACE
            order = array("I", self._shared[:middle])
            self._ordered = order, self._shared[middle : middle + self._work.asset_count * _GUID]
            self._shared.close()
            self._shared = None
        return self._ordered or self._work.ordered()

    def edges(self) -> Edges:
        """Wait for the graph, and return it."""
        ordered = self.ordered()
        if self._process is None:
            return self._work.encode(ordered)
        numbers, *buffers = self._process.rest()
        external_count, edge_count, counts, self._has_cache = marshal.loads(numbers)  # noqa: S302 - our own child's
        if counts is not None:
            self.seen_rows = (*counts, buffers.pop())
        return Edges(buffers, external_count, edge_count)

    @property
    def may_have_cache(self) -> bool:
        """Whether a file of :meth:`Output.begin_cache` may have to be kept."""
        return self._process is not None and not self._read_only

    def finish_cache(self) -> bool:
        """Put the cache of the present files in place; False without one."""
        try:
            return self._has_cache and self._output.finish_cache()
        except OSError:  # the next attempt reports the reason
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
