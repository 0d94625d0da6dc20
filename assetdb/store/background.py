"""What a process beside a bake's own makes while that one decides names: the graph, the cache's file, what was seen.

None of these depends on names. They are a third of the time that follows a scan; a small project's take less than a
process.
"""

from __future__ import annotations

import marshal  # between a process and its own child only: what that sends is our own
import sys

from assetdb.diagnostics import encode
from assetdb.scan import cache, seen
from assetdb.store.graph import Edges
from assetdb.store.record import folders_of
from assetdb.system.free_memory import give_back

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.packed import PackedDirectories
    from assetdb.store.output import Output


class Background:
    """One such process; whoever makes one closes it.

    Attributes:
        seen_rows: what :func:`assetdb.scan.seen.rows` makes, once :meth:`edges` has returned; None before, and where
            nothing is written.
    """

    def __init__(self, output: Output, settings: bytes, directories: PackedDirectories, *, read_only: bool) -> None:
        """Prepare; ``settings`` are packed, ``read_only`` is whether nothing will be written."""
        self.seen_rows: seen.Rows | None = None
        self._output = output
        self._settings = settings
        self._directories = directories
        self._read_only = read_only
        self._result: Callable[[], Sequence[bytes]] | None = None  # of the process, where there is one
        self._end: Callable[[], None] | None = None
        self._has_cache = False

    def start(
        self, work: Callable[[], Edges], places: Sequence[int], problems: list[Diagnostic]
    ) -> Callable[[], Edges]:
        """Start to make all of it; return what waits for the graph.

        Args:
            work: makes the graph.
            places: of the asset behind each of the database's rows, as :func:`assetdb.scan.seen.rows` has them.
            problems: of the project as a whole.
        """
        if sys.platform != "win32":
            from assetdb.scan.processes import BackgroundProcess  # noqa: PLC0415 - only where processes can fork

            give_back(self._directories.size)  # what is free here would be used, and so copied, in both
            process = BackgroundProcess.start(lambda: self._make(work, places, problems))
            if process is not None:
                self._result, self._end = process.result, process.close
        return self._edges if self._result is not None else work

    def _make(self, work: Callable[[], Edges], places: Sequence[int], problems: list[Diagnostic]) -> list[bytes]:
        """Make all of it, as buffers behind the numbers that belong to them."""
        edges = work()
        give_back(self._directories.size)
        sizes = edges.external_count, edges.edge_count
        if self._read_only:
            return [marshal.dumps((*sizes, None, False)), *map(bytes, edges.parts)]
        assets, folders, packed = seen.rows(places, folders_of(self._directories), self._directories)
        give_back(self._directories.size)
        parts = cache.encode(self._settings, cache.NO_FILES, len(places), encode(problems), self._directories)
        try:
            has_cache = self._output.begin_cache(parts)
        except OSError:  # whoever writes it when its time has come says why
            has_cache = False
        return [marshal.dumps((*sizes, (assets, folders), has_cache)), *map(bytes, edges.parts), packed]

    def _edges(self) -> Edges:
        assert self._result is not None  # noqa: S101 - for the type checker
        numbers, *buffers = self._result()
        external_count, edge_count, counts, self._has_cache = marshal.loads(numbers)  # noqa: S302 - our own child's
        if counts is not None:
            self.seen_rows = (*counts, buffers.pop())
        return Edges(buffers, external_count, edge_count)

    @property
    def may_have_cache(self) -> bool:
        """Whether there may be a file of :meth:`Output.begin_cache` that is to stay."""
        return self._end is not None and not self._read_only

    def finish_cache(self) -> bool:
        """Put the cache in its place, as of the database and index that are there now; False where it is not made."""
        try:
            return self._has_cache and self._output.finish_cache()
        except OSError:  # whoever writes it then says why
            return False
        finally:
            self._has_cache = False

    def close(self) -> None:
        """End the process, and remove what it wrote and nobody wanted."""
        if self._end is not None:
            self._end()
            self._end = None
            if not self._read_only:
                self._output.drop_cache()
