"""The facts of all directories of a project, laid side by side: what is built in bulk is built of these. Pure."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain, pairwise, repeat

from assetdb.diagnostics import Diagnostic, others
from assetdb.scan.asset import utf8
from assetdb.scan.directory import SEPARATOR, SLASH, DirectoryFacts, reference_columns
from assetdb.store import schema
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Sanitize = Callable[[str], str | None]


class AssetColumns(NamedTuple):
    """All assets of some directories as parallel columns.

    Attributes:
        guids: 16 bytes each.
        keys: type and bare name, see :data:`assetdb.scan.asset.AssetRow`.
        bodies: bincode of name, sub-assets and path.
        sub_counts: how many of ``sub_keys`` belong to each.
        sub_keys: class and bare name of each sub-asset that takes part in the pool of names.
        links: references and candidates of each, packed.
        homes: the directory that each lies in, as the file system has it.
    """

    guids: list[bytes]
    keys: list[bytes]
    bodies: list[bytes]
    sub_counts: list[int]
    sub_keys: list[bytes]
    links: list[tuple[bytes, bytes]]
    homes: list[bytes]

    def without(self, dropped: set[int]) -> AssetColumns:
        """Return the columns without the assets at some positions."""
        kept = [position for position in range(len(self.guids)) if position not in dropped]
        starts = list(accumulate(self.sub_counts, initial=0))
        return AssetColumns(
            [self.guids[position] for position in kept],
            [self.keys[position] for position in kept],
            [self.bodies[position] for position in kept],
            [self.sub_counts[position] for position in kept],
            list(chain.from_iterable(self.sub_keys[starts[p] : starts[p + 1]] for p in kept)),
            [self.links[position] for position in kept],
            [self.homes[position] for position in kept],
        )


def columns_of(directories: Iterable[DirectoryFacts]) -> AssetColumns:
    """Lay the assets of directories, each with its facts, side by side."""
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
    counts = [len(directory.guids) // 16 for directory in with_assets]
    homes = list(chain.from_iterable(map(repeat, [directory.path for directory in with_assets], counts)))
    return AssetColumns(guids, keys, bodies, sub_counts, sub_keys, links, homes)


def folders_of(directory: DirectoryFacts) -> list[tuple[bytes, bytes]]:
    """Return GUID (16 bytes) and path of each folder whose meta lies in a directory."""
    if not directory.folders:
        return []
    prefix = utf8(directory.path) + SLASH
    guids = directory.folder_guids
    return [
        (guids[number * 16 : number * 16 + 16], prefix + utf8(name))
        for number, name in enumerate(directory.folders.split(SLASH))
    ]


def path_in(body: bytes, directory: bytes) -> bytes:
    """Return the path at the end of an entry's body (UTF-8), of an asset that lies in a directory.

    A file name has no slash: the last of the body is the one in front of it, and nothing need be decoded.
    """
    return body[body.rindex(SLASH) - len(utf8(directory)) :]


# --- names that are rewritten


def sanitized(columns: AssetColumns, sanitize: Sanitize) -> tuple[AssetColumns, dict[bytes, list[Diagnostic]]]:
    """Rewrite names before the rule is applied; return a warning for each, too, by the asset's GUID."""
    problems: dict[bytes, list[Diagnostic]] = {}
    keys = list(columns.keys)
    bodies = list(columns.bodies)
    sub_keys = list(columns.sub_keys)
    start = 0
    for position, count in enumerate(columns.sub_counts):
        keys[position], bodies[position], sub_keys[start : start + count], found = sanitized_row(
            keys[position], bodies[position], sub_keys[start : start + count], sanitize
        )
        if found:
            problems[columns.guids[position]] = list(found)
        start += count
    return columns._replace(keys=keys, bodies=bodies, sub_keys=sub_keys), problems


def sanitized_row(
    key: bytes, body: bytes, sub_keys: Sequence[bytes], sanitize: Sanitize
) -> tuple[bytes, bytes, tuple[bytes, ...], tuple[Diagnostic, ...]]:
    """Rewrite the names of one asset: return its key, body and the keys of its rows, and a warning for each."""
    old_names = schema.body_names(body)
    new_names = []
    problems = []
    for old in old_names:
        new = sanitize(old.decode())
        if new is not None:
            path = schema.body_path(body).decode()
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


# --- GUIDs that several have


def duplicate_guid(guid: bytes, claimants: Sequence[bytes]) -> list[Diagnostic]:
    """Say of each claimant of a GUID (paths, in order) who has it too."""
    paths = [path.decode() for path in claimants]
    return [
        Diagnostic("duplicate-guid", path, 0, f"has the GUID {guid.hex()} of {others(paths, path)}") for path in paths
    ]
