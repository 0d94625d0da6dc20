"""From the facts of directories to a database: duplicates left out, names decided, entries encoded. Pure."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate, chain, pairwise, repeat

from assetdb.diagnostics import Diagnostic
from assetdb.scan.asset import utf8
from assetdb.scan.directory import SEPARATOR, SLASH, Directory, reference_columns, unread_files
from assetdb.state import names
from assetdb.store import graph, schema, supplement
from assetdb.store.supplement import RivalFacts
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

_MOST_OTHERS: Final = 3


class Assets(NamedTuple):
    """All assets of a project as parallel columns, and the directories that they lie in."""

    guids: list[bytes]
    keys: list[bytes]
    bodies: list[bytes]
    sub_counts: list[int]
    sub_keys: list[bytes]
    links: list[tuple[bytes, bytes]]
    path_of: Callable[[int], bytes]
    directory_of: Callable[[int], bytes]


class Gathered(NamedTuple):
    """The assets of a project, each GUID once.

    Attributes:
        assets: as their directories have them.
        order: positions of the assets by GUID.
        folders: GUID (16 bytes) and path of every folder.
        problems: GUIDs that are there twice.
        rivals: the assets that were left out because of that.
        unread: path and code of each file whose content could not be read.
    """

    assets: Assets
    order: list[int]
    folders: list[tuple[bytes, bytes]]
    problems: list[Diagnostic]
    rivals: list[RivalFacts]
    unread: list[tuple[bytes, bytes]]

    def edges(self) -> graph.Edges:
        """Encode who refers to whom; names play no part in that."""
        assets, order = self.assets, self.order
        guids = [assets.guids[position] for position in order]
        return graph.encode(guids, [assets.links[position] for position in order], [guid for guid, _ in self.folders])

    def supplement(self, sanitize: Callable[[str], str | None] | None = None) -> bytes:
        """Encode what has no place in the database."""
        known: set[bytes] = set()
        if any(rival.links[1] for rival in self.rivals):
            known = {*self.assets.guids, *(guid for guid, _ in self.folders)}
        rivals = self.rivals if sanitize is None else [_sanitized_rival(rival, sanitize) for rival in self.rivals]
        return supplement.encode(rivals, known, self.unread)


class Assembled(NamedTuple):
    """A database and what its index is made of.

    Attributes:
        encoded: the entries.
        problems: what only the project as a whole shows: duplicates, rewritten names.
        inseparable: names that folders cannot tell apart, each with the paths of its claimants.
        assets: what the entries are made of.
    """

    encoded: schema.Encoded
    problems: list[Diagnostic]
    inseparable: list[tuple[str, list[str]]]
    assets: Assets


def assemble(gathered: Gathered, sanitize: Callable[[str], str | None] | None = None) -> Assembled:
    """Decide names and make a database."""
    assets, problems = gathered.assets, list(gathered.problems)
    if sanitize is not None:
        assets, rewritten = sanitized(assets, sanitize)
        problems += rewritten
    decided = names.resolve(assets.keys, assets.sub_counts, assets.sub_keys, assets.path_of, assets.directory_of)
    types = [key[: key.index(b":")] for key in assets.keys]
    encoded = schema.encode(assets.guids, types, _renamed(assets, decided), gathered.order)
    inseparable = [
        (
            key.partition(b":")[2].decode(),
            sorted(assets.path_of(position).decode() for position in positions),
        )
        for key, positions in decided.inseparable
    ]
    return Assembled(encoded, problems, inseparable, assets)


def gather(directories: Sequence[Directory]) -> Gathered:
    """Lay the assets of all directories side by side; of assets that share a GUID, keep the first by path.

    Args:
        directories: all of the project, each with its facts.
    """
    with_assets = [directory for directory in directories if directory.guids]
    packed = b"".join([directory.guids for directory in with_assets])
    guids = [packed[start : start + 16] for start in range(0, len(packed), 16)]
    keys = SEPARATOR.join([directory.keys for directory in with_assets]).split(SEPARATOR) if guids else []
    sizes = array("I", b"".join([directory.body_sizes for directory in with_assets]))
    packed = b"".join([directory.bodies for directory in with_assets])
    ends = list(accumulate(sizes, initial=0))
    bodies = [packed[start:end] for start, end in pairwise(ends)]
    sub_counts = list(array("I", b"".join([directory.sub_counts for directory in with_assets])))
    sub_keys = SEPARATOR.join([directory.sub_keys for directory in with_assets if directory.sub_keys]).split(SEPARATOR)
    sub_keys = sub_keys if any(sub_counts) else []
    links = [pair for directory in with_assets for pair in reference_columns(directory)]
    paths = [utf8(directory.path) for directory in with_assets]
    counts = [len(directory.guids) // 16 for directory in with_assets]
    directory_of = list(chain.from_iterable(map(repeat, paths, counts))).__getitem__
    assets = Assets(guids, keys, bodies, sub_counts, sub_keys, links, _PathFinder(with_assets), directory_of)
    folders = [pair for directory in directories for pair in folders_of(directory)]
    problems: list[Diagnostic] = []
    rivals: list[RivalFacts] = []
    if len({*guids, *(guid for guid, _ in folders)}) != len(guids) + len(folders):
        assets, problems, rivals = _without_duplicates(assets, directories)
    order = schema.order_of(assets.guids)
    return Gathered(assets, order, folders, problems, rivals, unread_files(directories))


def _without_duplicates(
    assets: Assets, directories: Sequence[Directory]
) -> tuple[Assets, list[Diagnostic], list[RivalFacts]]:
    claims: dict[bytes, list[tuple[bytes, int]]] = {}
    for position, guid in enumerate(assets.guids):
        claims.setdefault(guid, []).append((assets.path_of(position), position))
    for directory in directories:
        for guid, path in folders_of(directory):
            claims.setdefault(guid, []).append((path, -1))
    problems = []
    dropped: set[int] = set()
    for guid, holders in claims.items():
        if len(holders) > 1:
            holders.sort()
            problems += duplicate_guid(guid, [path for path, _ in holders])
            with_entry = [position for _, position in holders if position >= 0]
            dropped.update(with_entry[1:])
    kept = [position for position in range(len(assets.guids)) if position not in dropped]
    starts = list(accumulate(assets.sub_counts, initial=0))
    path_of, directory_of = assets.path_of, assets.directory_of
    return (
        Assets(
            [assets.guids[position] for position in kept],
            [assets.keys[position] for position in kept],
            [assets.bodies[position] for position in kept],
            [assets.sub_counts[position] for position in kept],
            list(chain.from_iterable(assets.sub_keys[starts[p] : starts[p + 1]] for p in kept)),
            [assets.links[position] for position in kept],
            lambda position: path_of(kept[position]),
            lambda position: directory_of(kept[position]),
        ),
        problems,
        [RivalFacts(assets.guids[p], assets.keys[p], assets.bodies[p], assets.links[p]) for p in sorted(dropped)],
    )


def _sanitized_rival(rival: RivalFacts, sanitize: Callable[[str], str | None]) -> RivalFacts:
    key, body, _, _ = sanitized_row(rival.key, rival.body, (), "", sanitize)
    return rival._replace(key=key, body=body)


class _PathFinder:
    """Finds the path of the asset at a position among all; only claimants of contested names are asked for."""

    def __init__(self, directories: Sequence[Directory]) -> None:
        self._directories = directories
        self._starts = list(accumulate((len(directory.guids) // 16 for directory in directories), initial=0))
        self._names: dict[int, list[bytes]] = {}

    def __call__(self, position: int) -> bytes:
        row = bisect_right(self._starts, position) - 1
        directory = self._directories[row]
        listed = self._names.get(row)
        if listed is None:
            listed = self._names[row] = directory.files.split(SLASH)
        return utf8(directory.path) + SLASH + utf8(listed[(position - self._starts[row]) * 2])


def folders_of(directory: Directory) -> list[tuple[bytes, bytes]]:
    """Return GUID (16 bytes) and path of each folder whose meta lies in a directory."""
    if not directory.folders:
        return []
    prefix = utf8(directory.path) + SLASH
    guids = directory.folder_guids
    return [
        (guids[number * 16 : number * 16 + 16], prefix + utf8(name))
        for number, name in enumerate(directory.folders.split(SLASH))
    ]


def _renamed(assets: Assets, decided: names.Names) -> list[bytes]:
    """Return the bodies with the names that were decided."""
    bodies = list(assets.bodies)
    for position, new_names in decided.renamed.items():
        own = assets.keys[position]
        rows = new_names if len(new_names) > (own in new_names) or assets.sub_counts[position] else {}
        bodies[position] = schema.renamed_body(bodies[position], new_names.get(own), rows)
    return bodies


def sanitized(assets: Assets, sanitize: Callable[[str], str | None]) -> tuple[Assets, list[Diagnostic]]:
    """Rewrite names before the rule is applied, with a warning for each."""
    problems: list[Diagnostic] = []
    keys = list(assets.keys)
    bodies = list(assets.bodies)
    sub_keys = list(assets.sub_keys)
    start = 0
    for position, count in enumerate(assets.sub_counts):
        keys[position], bodies[position], sub_keys[start : start + count], found = sanitized_row(
            keys[position],
            bodies[position],
            sub_keys[start : start + count],
            assets.path_of(position).decode(),
            sanitize,
        )
        problems += found
        start += count
    return assets._replace(keys=keys, bodies=bodies, sub_keys=sub_keys), problems


def sanitized_row(
    key: bytes, body: bytes, sub_keys: Sequence[bytes], path: str, sanitize: Callable[[str], str | None]
) -> tuple[bytes, bytes, tuple[bytes, ...], tuple[Diagnostic, ...]]:
    """Rewrite the names of one asset: return its key, body and the keys of its rows, and a warning for each."""
    old_names = schema.body_names(body)
    new_names = []
    problems = []
    for old in old_names:
        new = sanitize(old.decode())
        if new is not None:
            problems.append(Diagnostic("sanitized-name", path, 0, f"{old.decode()!r} becomes {new!r}"))
        new_names.append(old if new is None else new.encode("utf-8", "replace"))
    if new_names == old_names:
        return key, body, tuple(sub_keys), tuple(problems)
    return (
        key.partition(b":")[0] + b":" + new_names[0],
        schema.body_with_names(body, new_names),
        tuple(sub_key.partition(b":")[0] + b":" + name for sub_key, name in zip(sub_keys, new_names[1:], strict=False)),
        tuple(problems),
    )


def duplicate_guid(guid: bytes, holders: Sequence[bytes]) -> list[Diagnostic]:
    """Say of each holder of a GUID (paths, in order) who has it too."""
    paths = [path.decode() for path in holders]
    return [
        Diagnostic("duplicate-guid", path, 0, f"has the GUID {guid.hex()} of {others(paths, path)}") for path in paths
    ]


def others(paths: Sequence[str], own: str, most: int = _MOST_OTHERS) -> str:
    """Return the other paths of those that share something, for people: ``most`` of them and how many more."""
    # No more are looked at: where a generator gave 12,000 assets one GUID, each would name 11,999, a gigabyte in all.
    named = [path for path in paths[: most + 1] if path != own][:most]
    left = len(paths) - 1 - len(named)
    return " and ".join([*named, *([f"{left:,} more"] if left > 0 else [])]) or own
