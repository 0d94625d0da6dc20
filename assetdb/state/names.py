"""The no-winner rule: names that are unique per (name, type).

When several assets claim a name, none keeps it: each gets ``name^run``, where the run is the shortest trailing
run of its parent directories that no other claimant has. The result depends only on the set of claimants, so adding an
asset never renames one outside its bucket, and the order of the walk does not matter. Pure.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, compress
from operator import ne

from assetdb.scan.directory import utf8

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final

_MOST_CARETS: Final = 8


class Paths:
    """Paths of assets and their directories, from which runs are made."""

    def __init__(self, directories: Mapping[bytes, bytes], path_of: Callable[[bytes], bytes]) -> None:
        """Take directories by GUID, and a source of UTF-8 paths."""
        self._directories = directories
        self._path_of = path_of
        self._nearest: dict[bytes, bytes] = {}
        self._files: dict[bytes, bytes] = {}

    def nearest(self, owner: bytes) -> bytes:
        """Return the name of an asset's directory, its shortest run."""
        directory = self._directories[owner]
        name = self._nearest.get(directory)
        if name is None:
            name = self._nearest[directory] = utf8(directory).rpartition(b"/")[2]
        return name

    def directory(self, owner: bytes) -> bytes:
        """Return the path of an asset's directory."""
        return utf8(self._directories[owner])

    def file(self, owner: bytes) -> bytes:
        """Return the path of an asset."""
        path = self._files.get(owner)
        if path is None:
            path = self._files[owner] = self._path_of(owner)
        return path


class NamePool:
    """Claimed ``type:name`` keys and given names, by owners' GUIDs (16 bytes)."""

    def __init__(
        self, claims: Iterable[tuple[Sequence[bytes], Sequence[bytes]]], paths_of: Callable[[set[bytes]], Paths]
    ) -> None:
        """Decide all claims at once.

        Args:
            claims: keys with their owners, in any number of pieces.
            paths_of: given the owners of contested keys, returns their paths.
        """
        self._chosen: dict[bytes, dict[bytes, bytes]] = {}  # by owner and contested key, before collisions
        self._lengthened: dict[tuple[bytes, bytes], bytes] = {}  # by key and owner, after a collision
        first: dict[bytes, bytes] = {}
        buckets: dict[bytes, set[bytes]] = {}
        # Each key is looked up once, and the loop is only for second claims: 30 ms instead of 70 for 139,000 claims,
        # 23,500 of them contested.
        for keys, owners in claims:
            held = map(first.setdefault, keys, owners)
            for key, owner in compress(zip(keys, owners, strict=True), map(ne, held, owners)):
                bucket = buckets.get(key)
                if bucket is None:
                    buckets[key] = {first[key], owner}
                else:
                    bucket.add(owner)
        self._contested = buckets
        if not buckets:
            return
        chosen = self._chosen
        made: list[bytes] = []
        contesting: set[bytes] = set().union(*buckets.values())
        paths = paths_of(contesting)
        nearest = {owner: paths.nearest(owner) for owner in contesting}
        for key, bucket in buckets.items():
            runs = {owner: nearest[owner] for owner in bucket}
            if len(set(runs.values())) < len(runs):  # one of ten buckets
                runs = disambiguate(bucket, paths)[0]
            stem = key + b"^"
            for owner, run in runs.items():
                new = stem + run
                made.append(new)
                renamed = chosen.get(owner)
                if renamed is None:
                    chosen[owner] = {key: new}
                else:
                    renamed[key] = new
        distinct = set(made)
        # A new name was also given to another owner, or is the unchanged name of one.
        if len(distinct) < len(made) or not distinct & first.keys() <= buckets.keys():
            self._resolve_collisions(lambda name: name in first and name not in buckets, paths)

    @property
    def renamed(self) -> Collection[bytes]:
        """The owners that did not get all claimed names."""
        return self._chosen.keys()

    def names_of(self, owner: bytes) -> dict[bytes, bytes]:
        """Return given names by the keys that were claimed."""
        chosen = self._chosen.get(owner)
        if not chosen:
            return {}
        longer = self._lengthened
        names = {key: longer.get((key, owner), new) for key, new in chosen.items()} if longer else chosen
        return {key: new[new.index(b":") + 1 :] for key, new in names.items()}

    def inseparable(self, paths: Paths) -> list[tuple[bytes, list[bytes]]]:
        """Return the keys that directories cannot separate, with their owners."""
        found = []
        for key, owners in self._contested.items():
            by_file = disambiguate(owners, paths)[1]
            if by_file:
                found.append((key, sorted(by_file)))
        return sorted(found)

    def _resolve_collisions(self, is_taken: Callable[[bytes], bool], paths: Paths) -> None:
        """Lengthen names that meet names outside their bucket, which is rare.

        A file may itself be called ``Foo^Editor``. All names that collide are lengthened together, so none is
        preferred.
        """
        before = {(key, owner): new for owner, names in self._chosen.items() for key, new in names.items()}
        chosen = dict(before)
        longer: dict[tuple[bytes, bytes], Iterator[bytes]] = {}
        changed = set(chosen)
        while changed:
            holders: dict[bytes, set[bytes]] = {}
            for (_, owner), new in chosen.items():
                holders.setdefault(new, set()).add(owner)
            changed = {claim for claim, new in chosen.items() if is_taken(new) or len(holders[new]) > 1}
            for claim in changed:
                if claim not in longer:
                    longer[claim] = _longer(claim, chosen[claim], paths)
                chosen[claim] = next(longer[claim])
        self._lengthened = {claim: new for claim, new in chosen.items() if new != before[claim]}


def disambiguate(bucket: set[bytes], paths: Paths) -> tuple[dict[bytes, bytes], list[bytes]]:
    """Return the run of each owner, and those that directories cannot separate."""
    nearest = {owner: paths.nearest(owner) for owner in bucket}
    if len(set(nearest.values())) == len(nearest):  # nine of ten buckets
        return nearest, []
    chosen = _shortest_unique({owner: paths.directory(owner) for owner in bucket})
    left = [owner for owner in bucket if owner not in chosen]
    if left:
        by_file = _shortest_unique({owner: paths.file(owner) for owner in bucket})
        for owner in left:
            # The whole path may be the end of another one: Assets/A.mat and Assets/Assets/A.mat.
            chosen[owner] = by_file.get(owner) or paths.file(owner)
    return chosen, left


def _shortest_unique(paths: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """Return the shortest unique run of each path that has one.

    Only the runs of one length exist at a time: all runs of a path of 1,000 directories have a megabyte.
    """
    chosen: dict[bytes, bytes] = {}
    starts = {owner: len(path) + 1 for owner, path in paths.items()}
    left = list(paths)
    while left:
        runs: dict[bytes, bytes] = {}
        for owner, path in paths.items():
            if starts[owner]:
                starts[owner] = start = path.rfind(b"/", 0, starts[owner] - 1) + 1
                runs[owner] = path[start:]
        counts = Counter(runs.values())
        still = []
        for owner in left:
            if owner not in runs:
                continue
            if counts[runs[owner]] == 1:
                chosen[owner] = runs[owner]
            else:
                still.append(owner)
        left = still
    return chosen


def _runs(path: bytes) -> Iterator[bytes]:
    """Yield the trailing runs of a path, shortest first."""
    start = len(path) + 1
    while start:
        start = path.rfind(b"/", 0, start - 1) + 1
        yield path[start:]


def _longer(claim: tuple[bytes, bytes], current: bytes, paths: Paths) -> Iterator[bytes]:
    """Yield ever longer names: more directories, then the whole path."""
    key, owner = claim
    for run in chain(_runs(paths.directory(owner)), _runs(paths.file(owner))):
        name = key + b"^" + run
        if len(name) > len(current):
            yield name
    name = key + b"^" + paths.file(owner)
    for carets in range(1, _MOST_CARETS + 1):  # only deliberately colliding names, or two names that are not UTF-8
        yield name + b"^" * carets
    name += b"^" + owner.hex().encode()  # they may grow in step, so that only the GUID separates them
    while True:
        yield name
        name += b"^"
