"""The no-winner rule: names that are unique per (name, type), whatever the project.

When several assets claim a name, none keeps it: each gets ``name^run``, where the run is the shortest trailing
run of its parent directories that no other claimant has. The result depends on the set of claimants alone,
so adding an asset never renames one outside its bucket and no order of the walk matters. Pure.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat

from formats.records import Generic, NamedTuple, TypeVar

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet


_Owner = TypeVar("_Owner", int, bytes)


class Names(NamedTuple):
    """What the rule decided.

    Attributes:
        renamed: for each asset (by position) that lost a name, the new name by the key that it claimed.
        inseparable: buckets in which directories could not separate all claimants, as key and positions.
    """

    renamed: dict[int, dict[bytes, bytes]]
    inseparable: list[tuple[bytes, list[int]]]


def resolve(
    keys: Sequence[bytes],
    sub_counts: Iterable[int],
    sub_keys: Iterable[bytes],
    path_of: Callable[[int], bytes],
    directory_of: Callable[[int], bytes] | None = None,
) -> Names:
    """Give every claimant of a contested name its own.

    Args:
        keys: ``type:name`` of each asset.
        sub_counts: how many of ``sub_keys`` each asset has.
        sub_keys: ``class:name`` of all sub-assets that take part.
        path_of: the path of the asset at a position, UTF-8 with ``/``; asked for claimants only.
        directory_of: that of its directory, where this is quicker.
    """
    claims = [*keys, *sub_keys]
    owners = list(chain(range(len(keys)), chain.from_iterable(map(repeat, range(len(keys)), sub_counts))))
    last_owner = dict(zip(claims, owners, strict=True))
    contested = {key for key, owner in zip(claims, owners, strict=True) if last_owner[key] != owner}
    if not contested:
        return Names({}, [])
    buckets: dict[bytes, set[int]] = {key: set() for key in contested}
    for key, owner in zip(claims, owners, strict=True):
        if key in contested:
            buckets[key].add(owner)
    paths = Paths(path_of, directory_of)
    renamed: dict[int, dict[bytes, bytes]] = {}
    inseparable: list[tuple[bytes, list[int]]] = []
    made: list[bytes] = []
    for key, bucket in buckets.items():
        runs, by_file = separate(bucket, paths)
        if by_file:
            inseparable.append((key, sorted(by_file)))
        start = key.index(b":") + 1
        stem = key + b"^"
        for owner, run in runs.items():
            new = stem + run
            made.append(new)
            own = renamed.get(owner)
            if own is None:
                renamed[owner] = {key: new[start:]}
            else:
                own[key] = new[start:]
    distinct = set(made)
    if len(distinct) < len(made) or not contested.issuperset(distinct & last_owner.keys()):
        _settle_all(renamed, last_owner.keys() - contested, paths)  # keys that somebody holds as they are
    return Names(renamed, sorted(inseparable))


def _settle_all(renamed: dict[int, dict[bytes, bytes]], taken: AbstractSet[bytes], paths: Paths[int]) -> None:
    chosen = {
        (key, owner): key[: key.index(b":") + 1] + name for owner, own in renamed.items() for key, name in own.items()
    }
    settle(chosen, taken.__contains__, paths)
    for (key, owner), new in chosen.items():
        renamed[owner][key] = new[new.index(b":") + 1 :]


class Paths(Generic[_Owner]):
    """Trailing runs of paths, made once for each directory."""

    def __init__(
        self, path_of: Callable[[_Owner], bytes], directory_of: Callable[[_Owner], bytes] | None = None
    ) -> None:
        """Take what gives the path of an asset and, where that is quicker, of its directory."""
        self._path_of: Callable[[_Owner], bytes] = path_of
        self._directory_of: Callable[[_Owner], bytes] = directory_of or (
            lambda owner: path_of(owner).rpartition(b"/")[0]
        )
        self._runs: dict[bytes, list[bytes]] = {}

    def directory_runs(self, owner: _Owner) -> list[bytes]:
        """Return the runs of an asset's parent directories, shortest first."""
        directory = self._directory_of(owner)
        runs = self._runs.get(directory)
        if runs is None:
            runs = self._runs[directory] = _runs(directory)
        return runs

    def file_runs(self, owner: _Owner) -> list[bytes]:
        """Return the runs of an asset's whole path, its file name first."""
        return _runs(self._path_of(owner))


def _runs(path: bytes) -> list[bytes]:
    parts = path.split(b"/")
    return [b"/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1)]


def separate(bucket: set[_Owner], paths: Paths[_Owner]) -> tuple[dict[_Owner, bytes], list[_Owner]]:
    """Return the run of each claimant of a key, and those for whom directories were not enough."""
    nearest = {owner: paths.directory_runs(owner)[0] for owner in bucket}
    if len(set(nearest.values())) == len(nearest):  # nine of ten buckets
        return nearest, []
    runs_of = {owner: paths.directory_runs(owner) for owner in bucket}
    chosen = _shortest_own(runs_of)
    left = [owner for owner in runs_of if owner not in chosen]
    if left:
        by_file = _shortest_own({owner: paths.file_runs(owner) for owner in runs_of})
        for owner in left:
            # Even its whole path may be how another ends: Assets/A.mat beside Assets/Assets/A.mat.
            chosen[owner] = by_file.get(owner) or paths.file_runs(owner)[-1]
    return chosen, left


def _shortest_own(runs_of: dict[_Owner, list[bytes]]) -> dict[_Owner, bytes]:
    """Return the shortest run that no other has, for all that have one."""
    chosen: dict[_Owner, bytes] = {}
    left = list(runs_of)
    depth = 0
    while left:
        counts = Counter(runs[depth] for runs in runs_of.values() if len(runs) > depth)
        still = []
        for owner in left:
            runs = runs_of[owner]
            if len(runs) <= depth:
                continue
            if counts[runs[depth]] == 1:
                chosen[owner] = runs[depth]
            else:
                still.append(owner)
        left = still
        depth += 1
    return chosen


def settle(chosen: dict[tuple[bytes, _Owner], bytes], is_taken: Callable[[bytes], bool], paths: Paths[_Owner]) -> None:
    """Lengthen names that meet a name outside their bucket: a file may itself be called ``Foo^Editor``.

    All that meet are lengthened together, so this too is without a winner.

    Args:
        chosen: the new name by key and owner; changed in place.
        is_taken: whether somebody holds a key as it is.
        paths: of the owners.
    """
    longer: dict[tuple[bytes, _Owner], Iterator[bytes]] = {}
    changed = set(chosen)
    while changed:
        holders: dict[bytes, set[_Owner]] = {}
        for (_, owner), new in chosen.items():
            holders.setdefault(new, set()).add(owner)
        changed = {claim for claim, new in chosen.items() if is_taken(new) or len(holders[new]) > 1}
        for claim in changed:
            if claim not in longer:
                longer[claim] = _longer(claim, chosen[claim], paths)
            chosen[claim] = next(longer[claim])


def _longer(claim: tuple[bytes, _Owner], current: bytes, paths: Paths[_Owner]) -> Iterator[bytes]:
    key, owner = claim
    for run in chain(paths.directory_runs(owner), paths.file_runs(owner)):
        name = key + b"^" + run
        if len(name) > len(current):
            yield name
    name = key + b"^" + paths.file_runs(owner)[-1]
    while True:  # only names that were made to collide come here
        name += b"^"
        yield name
