"""Assets and folders by GUID, proved current or refreshed.

A found asset is valid while its file and meta are unchanged. Only a scan of the whole tree proves that something does
not exist, or that a list is complete; after a scan all answers use its result.
"""

from __future__ import annotations

import os

from assetdb.errors import DatabaseError, FileError
from assetdb.settings.project import CONFIGURATION_NAME
from assetdb.store.database import map_file, open_baked, open_bytes
from assetdb.store.files import DATABASE_NAME, INDEX_NAME

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

    from assetdb.scan.known.file_identities import Seen
    from assetdb.store.database import Database
    from assetdb.store.entry import Asset
    from assetdb.store.indexes.graph import Graph
    from assetdb.store.indexes.supplement import Duplicate, Supplement, Unread

_BUILT_IN: Final = "0000000000000000"


class CheckedAssets:
    """Finds current assets and folders of a project.

    Attributes:
        fresh: whether the files were updated, so that nothing has to be verified.
    """

    def __init__(
        self,
        root: str,
        path: str,
        look: Callable[[Callable[[], object]], tuple[bytes, bytes] | None],
        *,
        fresh: bool = False,
    ) -> None:
        """Take root, database path, refresh function; ``fresh``: current already.

        ``look`` returns database and index where they cannot be written, else None. The function that it is given opens
        the files, and is called while no other process can replace them, as a daemon of another version would.

        Raises:
            AssetdbError: there are no usable files, and ``look`` cannot make them.
        """
        self._root = root
        self._path = path
        self._look = look
        self._inner: Database | None = None
        self._statuses: tuple[os.stat_result, os.stat_result] | None = None
        self._seen: Seen | None = None
        self.fresh = False
        if not os.path.isfile(path) or not self._open():  # absent, damaged, or the index does not match
            self.refresh()
        else:
            self.fresh = fresh
            self._seen = self._read_seen() if not fresh else None

    def refresh(self) -> None:
        """Bring the files up to date, if that has not been done.

        Raises:
            AssetdbError, OSError: that cannot be done.
        """
        if self.fresh:
            return
        for _ in range(2):  # another bake is replacing the two files: the scan waits for it
            if self._made():
                break
        else:  # apparently unchanged, and yet damaged
            for name in (INDEX_NAME, DATABASE_NAME):
                try:  # noqa: SIM105 - contextlib takes time that a question does not have
                    os.unlink(os.path.join(os.path.dirname(self._path), name))
                except FileNotFoundError:
                    pass
            self._made()
        if self._inner is None:
            raise DatabaseError(f"{self._path}: the database or its index can be neither read nor rebuilt")
        self.fresh = True

    def expire(self) -> None:
        """Discard all proofs."""
        self.fresh = False
        self._seen = self._read_seen()

    def by_guid(self, guid: str) -> Asset | None:
        """Return the asset with a GUID (32 lower-case hex digits), or None."""
        if not self.fresh:
            try:
                found, proved = self._known(guid)
            except DatabaseError:
                proved = False
            if proved:
                return found
            self.refresh()
        return self.database.by_guid(guid)

    def folder(self, guid: str) -> str | None:
        """Return the path of the folder with a GUID, or None."""
        if not self.fresh:
            inner, seen = self._inner, self._seen
            path = inner.folder(guid) if inner is not None else None
            if inner is not None and seen is not None and path is not None:
                if seen.same_folder(inner.folder_row(guid), path):
                    return path
            elif guid.startswith(_BUILT_IN):
                return None
            self.refresh()
        return self.database.folder(guid)

    def containing(self, text: bytes) -> Iterator[Asset]:
        """Iterate over assets as ``assetdb.store.database.Database.containing`` does."""
        self.refresh()
        return self.database.containing(text)

    def candidates(self, text: str) -> Iterator[Asset]:
        """Iterate over assets as ``assetdb.store.database.Database.candidates`` does."""
        self.refresh()
        return self.database.candidates(text)

    @property
    def graph(self) -> Graph:
        """The graph of references."""
        self.refresh()
        return self.database.graph

    @property
    def supplement(self) -> Supplement:
        """Assets without the entry of their GUID, and unreadable files.

        It triggers no scan: a proved answer may miss only a second file that took the GUID since.
        """
        return self.database.supplement

    @property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """Assets without the entry of their GUID, as of the last look."""
        return self.database.duplicates

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The files that could not be read, as of the last look."""
        return self.database.unread

    def may_have_unread(self, code: str) -> bool:
        """Whether unread files may have a reason, by the bytes alone."""
        return self.database.may_have_unread(code)

    def close(self) -> None:
        """Close the files."""
        if self._inner is not None:
            self._inner.close()
        self._inner = self._seen = None

    @property
    def database(self) -> Database:
        """The database as it is open now.

        Raises:
            DatabaseError: it has been closed.
        """
        if self._inner is None:
            raise DatabaseError(f"{self._path} is closed")
        return self._inner

    def _known(self, guid: str) -> tuple[Asset | None, bool]:
        """Return the asset with a GUID, and whether that answer is proved."""
        inner, seen = self._inner, self._seen
        if inner is None or seen is None:
            return None, False
        row = inner.row(guid)
        if row >= 0:
            asset = inner.by_guid(guid)
            return asset, asset is not None and seen.same_asset(row, asset.path)
        if guid.startswith(_BUILT_IN):  # Unity's own
            return None, True
        row = inner.folder_row(guid)
        path = inner.folder(guid)
        return None, path is not None and seen.same_folder(row, path)

    def _made(self) -> bool:
        """Make the files and open them; False if they are not usable."""
        self.close()  # Windows does not replace a file that is mapped
        unsaved = self._look(self._open)
        if unsaved is not None:
            self.close()
            self._inner, self._statuses = open_bytes(self._path, *unsaved), None
        return self._inner is not None

    def _open(self) -> bool:
        """Open the database if it and its index are usable."""
        try:
            self._inner, database, index = open_baked(self._path)
        except DatabaseError:
            return False
        self._statuses = database, index
        return True

    def _read_seen(self) -> Seen | None:
        """Return the recorded identities of the files, if known."""
        if os.name == "nt" or self._inner is None or self._statuses is None:
            return None  # no ctime: a rename that only changes case leaves no trace
        from assetdb.scan.known.file_identities import FILE_NAME, Seen  # noqa: PLC0415 - not needed for answers as of the last bake

        try:
            data, _ = map_file(os.path.join(os.path.dirname(self._path), FILE_NAME))
            found = Seen(data, self._root, os.path.join(self._root, CONFIGURATION_NAME), *self._statuses)
        except (OSError, FileError, ValueError):
            return None
        return found if found.counts == self._inner.counts else None
