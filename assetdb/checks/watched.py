"""A project that records the files that a rule reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from assetdb.project import asset_file
from assetdb.system.identity import RACY, Identities

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.query.snapshot import Snapshot

ABSENT: Final = -3
"""Identity of a file that is not there; none that is has it by more than accident."""
_MEMORY: Final = "facts of rules"
_Facts = TypeVar("_Facts")


class Watched:
    """A project whose files are noted when a rule reads them: all else is that project's."""

    def __init__(self, project: Snapshot, since_ns: int) -> None:
        """Begin to note; ``since_ns`` is when nothing had been read yet."""
        self._project = project
        self._identities = Identities(since_ns)
        self.files: dict[str, int] = {}
        """Identity of each file that was read, by its path; :data:`RACY` where a change might leave the same one."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a project has
        return getattr(self._project, name)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, as the project does."""
        self._note(path)
        return self._project.read(path)

    def names_in(self, folder: str) -> list[str]:
        """Return the names in a folder, as the project does."""
        self._note(folder)
        return self._project.names_in(folder)

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there."""
        self._note(path)
        return self._project.exists(path)

    def facts(self, path: str, extract: Callable[[bytes], _Facts]) -> _Facts:
        """Return what the bytes of a file say; of one that cannot be read, what no bytes say.

        A daemon's next snapshot, and the next rule, read only what changed since.
        """
        now = self._note(path)
        known = cast("dict[tuple[str, object], tuple[int, object]]", self._project.memory.setdefault(_MEMORY, {}))
        held = known.get((path, extract))
        if held is not None and held[0] == now != RACY:
            return cast("_Facts", held[1])
        found = extract(self._project.read(path) or b"")
        known[path, extract] = now, found
        return found

    def _note(self, path: str) -> int:
        now = self.files[path] = identity_of(self._project.root, path, self._identities.of)
        return now


def identity_of(root: str, path: str, of: Callable[[os.stat_result], int]) -> int:
    """Return what tells one state of a file from another, :data:`ABSENT` where there is none."""
    try:
        return of(os.stat(asset_file(root, path)))
    except (OSError, ValueError):
        return ABSENT
