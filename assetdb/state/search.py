"""Searches in the facts of all directories, for updates.

Tables of names and of the directories of GUIDs would take 500 MB for a million assets, and half a minute to build
before the first edit. The columns of the facts are searched instead, once for all keys of an edit: 10 ms for 60,000
assets. Most edits change only references and need no search. Pure.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, chain, repeat

from assetdb.scan.directory import SEPARATOR, reference_columns
from assetdb.state.columns import path_in
from assetdb.state.rows import type_of
from assetdb.store.indexes.graph import split

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.state.columns import Sanitize
    from assetdb.state.rows import PlacedRow

_FEW: Final = 4
_CARET: Final = b"^"
_MOST_CARETS: Final = 16  # in one key: 20,000 of them in the name of a sub-asset have 200 MB of stems


class FactSearch:
    """Searches the facts of all directories.

    Attributes:
        directories: by path, as they are now.
        duplicates: of each shared GUID all assets, the one with the entry first.
        few: number of keys or GUIDs up to which each is searched in the bytes of a column; more are searched at once in
            all its strings.
    """

    def __init__(
        self,
        directories: dict[bytes, DirectoryFacts],
        duplicates: dict[bytes, list[PlacedRow]],
        sanitize: Sanitize | None,
    ) -> None:
        """Take the facts, which are searched on demand."""
        self.directories = directories
        self.duplicates = duplicates
        self._sanitize = sanitize
        self.few = _FEW
        # Original keys of rewritten ones.
        self._rewritten: dict[bytes, bytes] | None = None
        self._carets: set[bytes] | None = None
        self._undecided: set[bytes] | None = None  # directories with candidates
        self._summed: DirectoryFacts | None = None  # the directory asked for last
        self._starts = array("Q")  # of the bodies in it

    def take(self, directory: DirectoryFacts) -> None:
        """Record that a directory was replaced."""
        if self._rewritten is not None:
            self._rewritten.update(self._rewritten_in(directory))
        if self._carets is not None:
            self._carets.update(self._carets_in(directory))
        if self._undecided is not None and _has_candidates(directory):
            self._undecided.add(directory.path)

    # --- GUIDs

    def homes(self, guids: Collection[bytes]) -> dict[bytes, bytes]:
        """Return the directory of each GUID's entry, for GUIDs of one asset."""
        found: dict[bytes, bytes] = {}
        if guids:
            wanted = set(guids)
            for directory in self.directories.values():
                packed = directory.guids
                if len(wanted) > self.few or any(guid in packed for guid in wanted):
                    for guid in wanted.intersection(split(packed)):
                        found[guid] = directory.path
        return found

    def sharing(self, guids: Collection[bytes]) -> Iterator[DirectoryFacts]:
        """Yield the directories in which an asset has one of some GUIDs."""
        wanted = set(guids)
        if wanted:
            for directory in self.directories.values():
                if not wanted.isdisjoint(split(directory.guids)):
                    yield directory

    def scripts_in_use(self, scripts: Collection[bytes]) -> set[bytes]:
        """Return scripts (GUIDs in hex) that are the type of an entry."""
        missing = set(scripts)
        found: set[bytes] = set()
        for directory in self.directories.values() if missing else ():
            keys = directory.keys
            if len(missing) > self.few or any(script in keys for script in missing):
                for place, key in enumerate(keys.split(SEPARATOR) if directory.guids else ()):
                    script = type_of(key)
                    if script in missing and self._has_entry(directory, place):
                        missing.discard(script)
                        found.add(script)
            if not missing:
                break
        return found

    def holders(self, guids: Collection[bytes]) -> dict[bytes, tuple[bytes, bytes]]:
        """Return references and candidates of entries with some candidates."""
        if self._undecided is None:
            self._undecided = {path for path, each in self.directories.items() if _has_candidates(each)}
        found: dict[bytes, tuple[bytes, bytes]] = {}
        for path in self._undecided if guids else ():
            directory = self.directories.get(path)
            if directory is not None:
                for place, pair in enumerate(reference_columns(directory)):
                    guid = directory.guids[place * 16 : place * 16 + 16]
                    if not (set(split(pair[1])).isdisjoint(guids)) and self._has_entry(directory, place):
                        found[guid] = pair
        return found

    def _has_entry(self, directory: DirectoryFacts, place: int) -> bool:
        """Whether an asset of a directory has its GUID's entry."""
        duplicates = self.duplicates.get(directory.guids[place * 16 : place * 16 + 16])
        if duplicates is None:
            return True
        first = duplicates[0]
        if first.home != directory.path:
            return False
        # Not by reading all rows for each GUID: a copied folder of 3,000 took minutes. Nor by the sizes before each:
        # adding them up took 3 s for 30,000.
        if self._summed is not directory:
            sizes = memoryview(directory.body_sizes).cast("I")
            self._summed, self._starts = directory, array("Q", accumulate(sizes, initial=0))
        body = directory.bodies[self._starts[place] : self._starts[place + 1]]
        return first.path == path_in(body, directory.path)

    # --- names

    def claims(self, keys: Collection[bytes]) -> dict[bytes, dict[bytes, bytes]]:
        """Return owners of some keys: GUIDs, each with its directory."""
        rewritten = self._all_rewritten()
        wanted = {key for key in keys if key not in rewritten}
        if rewritten:
            final = set(keys)
            wanted.update(key for key, claimed in rewritten.items() if claimed in final)
        found: dict[bytes, dict[bytes, bytes]] = {}
        for directory in self.directories.values() if wanted else ():
            columns = directory.keys, directory.sub_keys
            if len(wanted) <= self.few and not any(key in column for key in wanted for column in columns):
                continue
            asset_keys, sub = _keys_in(directory)
            if not (wanted.isdisjoint(asset_keys) and wanted.isdisjoint(sub)):
                for key, guid in self._owners(directory, asset_keys, sub):
                    if key in wanted:
                        found.setdefault(rewritten.get(key, key), {})[guid] = directory.path
        return found

    def all_claims(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Yield all keys, each with its owner and the owner's directory."""
        rewritten = self._all_rewritten()
        for directory in self.directories.values():
            for key, guid in self._owners(directory, *_keys_in(directory)):
                yield rewritten.get(key, key), guid, directory.path

    def stems(self, more: Iterable[bytes]) -> set[bytes] | None:
        """Return the texts before a ``^`` in keys, None if too many.

        If none of the texts is contested, a chosen name cannot collide with another.
        """
        if self._carets is None:
            self._carets = set()
            for directory in self.directories.values():
                self._carets.update(self._carets_in(directory))
        found = self._carets.union(key for key in more if _CARET in key)
        if any(key.count(_CARET) > _MOST_CARETS for key in found):
            return None
        return {key[:at] for key in found for at, character in enumerate(key) if character == _CARET[0]}

    def _owners(
        self, directory: DirectoryFacts, asset_keys: list[bytes], sub: list[bytes]
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield keys of a directory with their owners, if these have entries."""
        guids = split(directory.guids)
        counts = array("I", directory.sub_counts)
        shared = self.duplicates
        if shared and not shared.keys().isdisjoint(guids):
            has = [self._has_entry(directory, place) for place in range(len(guids))]
            subs = iter(sub)
            for place, guid in enumerate(guids):
                found = [asset_keys[place], *(next(subs) for _ in range(counts[place]))]
                if has[place]:
                    for key in found:
                        yield key, guid
            return
        yield from zip(asset_keys, guids, strict=True)
        yield from zip(sub, chain.from_iterable(map(repeat, guids, counts)), strict=True)

    def _all_rewritten(self) -> Mapping[bytes, bytes]:
        if self._sanitize is None:
            return {}
        if self._rewritten is None:
            self._rewritten = {}
            for directory in self.directories.values():
                self._rewritten.update(self._rewritten_in(directory))
        return self._rewritten

    def _rewritten_in(self, directory: DirectoryFacts) -> dict[bytes, bytes]:
        """Return rewritten keys of a directory with their originals."""
        found = {}
        sanitize = self._sanitize
        if sanitize is not None:
            for key in set(chain(*_keys_in(directory))):
                kind, _, name = key.partition(b":")
                new = sanitize(name.decode())
                if new is not None:
                    found[key] = kind + b":" + new.encode("utf-8", "replace")
        return found

    def _carets_in(self, directory: DirectoryFacts) -> Iterator[bytes]:
        if self._sanitize is None and _CARET not in directory.keys and _CARET not in directory.sub_keys:
            return
        rewritten = self._all_rewritten()
        for key in chain(*_keys_in(directory)):
            claimed = rewritten.get(key, key)
            if _CARET in claimed:
                yield claimed


def _keys_in(directory: DirectoryFacts) -> tuple[list[bytes], list[bytes]]:
    """Return keys of assets and sub-assets of a directory."""
    asset_keys = directory.keys.split(SEPARATOR) if directory.guids else []
    return asset_keys, directory.sub_keys.split(SEPARATOR) if any(directory.sub_counts) else []


def _has_candidates(directory: DirectoryFacts) -> bool:
    return any(array("I", directory.reference_counts)[1::2])
