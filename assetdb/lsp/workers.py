"""Worker threads for quick and for slow requests.

Each project has its own lanes, and what a lane uses (an engine, names) is its own: nothing is shared, nothing locked.
"""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from assetdb.client.cancelling import Cancelled, Work, doing
from assetdb.client.engine import Engine
from assetdb.lsp.documents.names import Names

if TYPE_CHECKING:
    from collections.abc import Callable

QUICK: Final = "quick"
"""What is asked at every movement of the pointer: hover, names in the text, definition."""
TEXT: Final = "text"
"""What walks over a whole document: symbols, folding."""
FIND: Final = "find"
"""What searches all names: completion, symbols of the workspace."""
LONG: Final = "long"
"""What reads many files: references, lenses, diagnostics."""
WHOLE: Final = "whole"
"""What looks at whole projects: findings of the workspace."""
LANES: Final = (QUICK, TEXT, FIND, LONG, WHOLE)


class Job(Work):
    """A piece of work for a lane.

    ``run`` is given the lane's names, None outside of a project.
    """

    def __init__(self, run: Callable[[Lane], None]) -> None:
        super().__init__()
        self.run = run


class Lane:
    """A thread that does one job after the other.

    Attributes:
        root: of the project, ``""`` for what is in none.
    """

    def __init__(
        self, root: str, kind: str, on_bake: Callable[[], None], on_fault: Callable[[Exception], None]
    ) -> None:
        self.root = root
        self.moved = False
        """Whether assets may be elsewhere than they were."""
        self.memory: dict[str, object] = {}
        """What its jobs keep until assets are elsewhere."""
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._on_bake = on_bake
        self._on_fault = on_fault
        self._engine: Engine | None = None
        self._names: Names | None = None
        self._thread = threading.Thread(target=self._work, name=f"{kind} {root}", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Have a job done; from any thread."""
        self._queue.put(job)

    def close(self) -> None:
        """End the lane when waiting jobs are done."""
        self._queue.put(None)

    @property
    def engine(self) -> Engine:
        """The engine of the project.

        For the jobs of this lane alone.
        """
        if self._engine is None:
            self._engine = Engine(self.root, self._on_bake)
        self._take_moves()
        return self._engine

    @property
    def names(self) -> Names:
        """The names of references.

        For the jobs of this lane alone.
        """
        engine = self.engine
        if self._names is None:
            self._names = Names(engine)
        return self._names

    def _take_moves(self) -> None:
        if self.moved and self._engine is not None:
            self.moved = False
            self.memory.clear()
            self._engine.expire()
            if self._names is not None:
                self._names.refresh(moved=True)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            if job.cancelled:
                continue
            try:
                with doing(job):
                    if self._names is not None:
                        self._names.refresh()
                    job.run(self)
            except Cancelled:
                pass
            except Exception as error:  # noqa: BLE001 - a job that goes wrong must not end the lane; it is logged
                self._on_fault(error)
        if self._engine is not None:
            self._engine.close()


class Lanes:
    """The lanes of all projects, made when they are first needed."""

    def __init__(self, on_bake: Callable[[str], None], on_fault: Callable[[Exception], None]) -> None:
        """Take handlers of coming bakes and of faults.

        They are called from any thread.
        """
        self._on_bake = on_bake
        self._on_fault = on_fault
        self._lanes: dict[tuple[str, str], Lane] = {}
        self._lock = threading.Lock()

    def get(self, root: str, kind: str) -> Lane:
        """Return a lane of a project, or of none."""
        key = root, kind
        with self._lock:
            lane = self._lanes.get(key)
            if lane is None:
                lane = self._lanes[key] = Lane(root, kind, lambda: self._on_bake(root), self._on_fault)
            return lane

    def moved(self, root: str) -> None:
        """Say that assets of a project may be elsewhere, or others."""
        with self._lock:
            for (of, _), lane in self._lanes.items():
                lane.moved = lane.moved or of == root

    @property
    def roots(self) -> set[str]:
        """The projects that have some."""
        with self._lock:
            return {root for root, _ in self._lanes if root}

    def end(self, root: str) -> None:
        """End those of a project."""
        with self._lock:
            for key in [key for key in self._lanes if key[0] == root]:
                self._lanes.pop(key).close()
