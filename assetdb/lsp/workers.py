"""Worker threads for quick and for slow requests.

Each project has its own lanes, and each lane its own engine and names: nothing is shared or locked.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from assetdb.client.engine import Engine
from assetdb.lsp.documents.names import Names
from assetdb.system.jobs import Job, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

QUICK: Final = "quick"
"""Requests at every movement of the pointer: hover, names in the text, definition."""
TEXT: Final = "text"
"""Requests that walk a whole document: symbols, folding."""
FIND: Final = "find"
"""Requests that search all names: completion, symbols of the workspace."""
LONG: Final = "long"
"""Requests that read many files: references, lenses."""
FINDINGS: Final = "findings"
"""Findings of open documents, and fixes: they wait for a check of the project, for which no reference should wait."""
WHOLE: Final = "whole"
"""Requests about whole projects: findings of the workspace."""


class Lane(Worker):
    """A worker with the engine of its project, or of several.

    Requests that are not about one project are in lanes whose ``root`` is ``""``.
    """

    def __init__(
        self,
        root: str,
        kind: str,
        on_bake: Callable[[str], None],
        on_fault: Callable[[BaseException], None],
        out_dir: str | None = None,
    ) -> None:
        self.root = root
        self.moved = False
        """Whether assets may have moved."""
        self.memory: dict[str, object] = {}
        """Data that its jobs keep until assets move."""
        self._on_bake = on_bake
        self._out_dir = out_dir
        self._engines: dict[str, Engine] = {}
        self._names: Names | None = None
        self._are_names_old = False
        super().__init__(f"{kind} {root}", on_fault, self._release)

    def job(self, run: Callable[[Lane], None]) -> Job:
        """Return a job that calls ``run`` with this lane."""

        def work() -> None:
            self._are_names_old = True
            run(self)

        return Job(work)

    @property
    def engine(self) -> Engine:
        """The engine of the project, for the jobs of this lane alone."""
        engine = self.engine_of(self.root)
        if self.moved:
            self.moved = False
            self.memory.clear()
            engine.expire()
            if self._names is not None:
                self._names.refresh(moved=True)
        return engine

    def engine_of(self, root: str) -> Engine:
        """Return the engine of one of several projects."""
        if root not in self._engines:
            self._engines[root] = Engine(root, partial(self._on_bake, root), out_dir=self._out_dir)
        return self._engines[root]

    def keep(self, roots: Collection[str]) -> None:
        """Release the engines of all other projects."""
        for root in self._engines.keys() - set(roots):
            self._engines.pop(root).close()

    @property
    def names(self) -> Names:
        """The names of references, refreshed once for each job of this lane."""
        engine = self.engine
        if self._names is None:
            self._names = Names(engine)
        elif self._are_names_old:
            self._names.refresh()
        self._are_names_old = False
        return self._names

    def _release(self) -> None:
        self.keep(())


class Lanes:
    """The lanes of all projects, created on demand."""

    def __init__(
        self, on_bake: Callable[[str], None], on_fault: Callable[[BaseException], None], out_dir: str | None = None
    ) -> None:
        """Take handlers of bakes and faults, called from any thread.

        ``out_dir`` is where the files of projects are, absolute, None for what their settings say.
        """
        self.out_dir = out_dir
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
                lane = self._lanes[key] = Lane(root, kind, self._on_bake, self._on_fault, self.out_dir)
            return lane

    def moved(self, root: str) -> None:
        """Report that assets of a project may have moved or changed."""
        with self._lock:
            for (of, _), lane in self._lanes.items():
                lane.moved = lane.moved or of == root

    @property
    def roots(self) -> set[str]:
        """The projects that have lanes."""
        with self._lock:
            return {root for root, _ in self._lanes if root}

    def end(self, root: str) -> None:
        """End the workers of a project."""
        with self._lock:
            for key in [key for key in self._lanes if key[0] == root]:
                self._lanes.pop(key).close()
