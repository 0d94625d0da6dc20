"""GUIDs that the project had, by git's history and referring files."""

from __future__ import annotations

import os

from assetdb.settings.project import asset_file, is_part
from assetdb.store.files import GONE_NAME
from assetdb.system.reading import read_file

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final

    from assetdb.history.git.questions import Held
    from assetdb.history.lost_guids import Gone
    from assetdb.store.database import Database

_GIT: Final = "git "
_MOST_READ: Final = 200  # files that refer to one GUID


class Losses:
    """GUIDs that the project had and lost, looked up lazily.

    Attributes:
        has_answered: whether git could tell all that it was asked.
    """

    def __init__(self, root: str, folder: str, database: Callable[[], Database]) -> None:
        """Take a project's root, its output folder, and its database."""
        self._root = root
        self._folder = folder
        self._database = database
        self._stamp = ""
        self._gone: Gone | None = None
        self._uncommitted: dict[str, Held] | None = None
        self.has_answered = True
        self._assemblies: frozenset[bytes] | None = None
        self._named: dict[str, bool] = {}

    @property
    def stamp(self) -> str:
        """The state of git's history, as it is now; never ``""``."""
        from assetdb.history.git.stamp import history_stamp  # noqa: PLC0415 - most answers do not depend on history

        found = _GIT + history_stamp(self._root)
        if found != self._stamp:
            self._stamp, self._gone, self._uncommitted, self.has_answered = found, None, None, True
        return found

    @property
    def gone(self) -> Gone:
        """The GUIDs that were removed in git's history."""
        if self._gone is None:
            from assetdb.history.lost_guids import read_gone  # noqa: PLC0415 - the same

            self._gone = read_gone(self._root, os.path.join(self._folder, GONE_NAME))
            self.has_answered &= self._gone.is_whole
        return self._gone

    @property
    def is_shallow(self) -> bool:
        """Whether git's history is incomplete."""
        return self.stamp != _GIT and self.gone.is_shallow

    @property
    def is_complete(self) -> bool:
        """Whether git's history is complete, and was read completely."""
        return self.stamp != _GIT and self.gone.is_whole and not self.gone.is_shallow

    def expire(self) -> None:
        """Discard all answers, as the project may have changed."""
        self._gone = self._uncommitted = self._assemblies = None
        self.has_answered = True
        self._named.clear()

    def held(self, guid: str) -> Held | None:
        """Return a GUID's former file and the removing commit, or None."""
        return self.all_held((guid,)).get(guid)

    def all_held(self, guids: Iterable[str]) -> dict[str, Held]:
        """Return the GUIDs that git knows; looks at its folder once."""
        if self.stamp == _GIT:
            return {}
        if self._uncommitted is None:
            from assetdb.history.lost_guids import find_uncommitted  # noqa: PLC0415 - the same

            found = find_uncommitted(self._root)
            self._uncommitted = found or {}
            self.has_answered &= found is not None
        here, removed = self._uncommitted, self.gone.held
        held = {guid: here.get(guid) or removed.get(guid) for guid in guids}
        return {guid: row for guid, row in held.items() if row is not None}

    def has(self, guid: str) -> bool:
        """Whether the project had a GUID (32 lower-case hex digits) now unknown."""
        return self.held(guid) is not None or self._is_named_as_own(guid)

    def _is_named_as_own(self, guid: str) -> bool:
        """Whether referring files name only assemblies of the project for a GUID."""
        known = self._named.get(guid)
        if known is None:
            from assetdb.packages.named_assemblies import named_assemblies  # noqa: PLC0415 - most answers do not depend on these files

            named = set(named_assemblies(self._users(guid), guid.encode()))
            known = self._named[guid] = bool(named) and all(self._is_own(name) for name in named)
        return known

    def _users(self, guid: str) -> Iterator[bytes]:
        database = self._database()
        node = database.graph.node(int(guid, 16))
        if node is None:
            return
        graph = database.graph
        for user in graph.guids(graph.incoming(node)[:_MOST_READ]):
            asset = database.by_guid(user)
            data = read_file(asset_file(self._root, asset.path)) if asset is not None else None
            if data:
                yield data

    def _is_own(self, assembly: bytes) -> bool:
        """Whether an assembly is a default one, or defined in the project."""
        from assetdb.packages.named_assemblies import DEFINITION, definition_name, is_default  # noqa: PLC0415 - the same

        if is_default(assembly):
            return not is_part(self._root)  # a folder of assets shares that assembly with the project around it
        if self._assemblies is None:
            self._assemblies = frozenset(
                definition_name(read_file(asset_file(self._root, asset.path)) or b"")
                for asset in self._database().ending(DEFINITION)
            )
        return assembly in self._assemblies
