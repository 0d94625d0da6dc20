"""Facts of all directories as columns, for bulk work; pure."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain, compress, repeat

from assetdb.diagnostics import Diagnostic, others
from assetdb.scan.directory import SEPARATOR, SLASH, utf8
from assetdb.store import schema
from assetdb.store.entry import read_body
from assetdb.store.indexes.graph import split
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.packed import LooseDirectories, PackedDirectories

    Fields = LooseDirectories | PackedDirectories
    Sanitize = Callable[[str], str | None]


class AssetColumns(NamedTuple):
    """All assets of some directories as parallel columns.

    Attributes:
        guids: 16 bytes each.
        keys: type and bare name, see :data:`assetdb.scan.directory.AssetRow`.
        bodies: bincode of name, sub-assets and path of each, one after the other.
        starts: start of each body, and the end of the last.
        sub_counts: how many of ``sub_keys`` belong to each.
        sub_keys: class and bare name of each sub-asset that takes part in the pool of names.
    """

    guids: list[bytes]
    keys: list[bytes]
    bodies: bytes
    starts: array[int]
    sub_counts: Sequence[int]
    sub_keys: list[bytes]

    def body(self, position: int) -> bytes:
        """Return the body of an asset."""
        return self.bodies[self.starts[position] : self.starts[position + 1]]

    def bodies_in(self, positions: Iterable[int]) -> list[bytes]:
        """Return the bodies of assets."""
        bodies, starts = self.bodies, self.starts
        return [bodies[starts[position] : starts[position + 1]] for position in positions]

    def only(self, kept: Sequence[int]) -> AssetColumns:
        """Return the columns of only the assets at some positions."""
        ends = list(accumulate(self.sub_counts, initial=0))
        bodies = self.bodies_in(kept)
        return AssetColumns(
            [self.guids[position] for position in kept],
            [self.keys[position] for position in kept],
            b"".join(bodies),
            array("Q", accumulate(map(len, bodies), initial=0)),
            [self.sub_counts[position] for position in kept],
            list(chain.from_iterable(self.sub_keys[ends[p] : ends[p + 1]] for p in kept)),
        )


class Links(NamedTuple):
    """References of assets in columns.

    Attributes:
        counts: how many references each has.
        targets: their target GUIDs, 16 bytes each.
        candidates: of assets that have any, by position, packed.
    """

    counts: array[int]
    targets: bytes
    candidates: dict[int, bytes]

    def only(self, kept: Sequence[int]) -> Links:
        """Return the links of only the assets at some positions."""
        ends = list(accumulate(self.counts, initial=0))
        return Links(
            array("I", [self.counts[position] for position in kept]),
            b"".join([self.targets[ends[position] * 16 : ends[position + 1] * 16] for position in kept]),
            {new: self.candidates[old] for new, old in enumerate(kept) if old in self.candidates},
        )


def homes_of(fields: Fields) -> Iterable[bytes]:
    """Return the directory of each asset, as file system bytes."""
    homes = zip(fields.each("path"), fields.sizes("guids"), strict=True)
    return chain.from_iterable([repeat(path, size // 16) for path, size in homes])


def links_of(fields: Fields) -> Links:
    """Return the references of the assets of directories.

    No bytes are made for each asset: for 60,000 that would be 120,000 objects, for 168,000 references.
    """
    counts = zip(fields.each("reference_counts"), fields.sizes("guids"), strict=True)
    numbers = array("I", b"".join([found or bytes(size // 2) for found, size in counts]))
    packed = fields.joined("references")
    held = numbers[1::2]
    candidates: dict[int, bytes] = {}
    if any(held):
        ends = list(accumulate(numbers, initial=0))
        kept: list[bytes] = []
        at = 0
        for position in compress(range(len(held)), held):
            first, last = ends[2 * position + 1] * 16, ends[2 * position + 2] * 16
            candidates[position] = packed[first:last]
            kept.append(packed[at:first])
            at = last
        packed = b"".join([*kept, packed[at:]])
    return Links(numbers[0::2], packed, candidates)


def links_from(pairs: Sequence[tuple[bytes, bytes]]) -> Links:
    """Return columns of the packed references and candidates of each asset."""
    return Links(
        array("I", [len(certain) // 16 for certain, _ in pairs]),
        b"".join([certain for certain, _ in pairs]),
        {position: pair[1] for position, pair in enumerate(pairs) if pair[1]},
    )


def columns_of(fields: Fields) -> AssetColumns:
    """Return the assets of directories as columns."""
    guids = split(fields.joined("guids"))
    keys = SEPARATOR.join(compress(fields.each("keys"), fields.sizes("guids"))).split(SEPARATOR) if guids else []
    starts = array("Q", accumulate(array("I", fields.joined("body_sizes")), initial=0))
    bodies = fields.joined("bodies")
    sub_counts = array("I", fields.joined("sub_counts"))
    sub_keys = SEPARATOR.join(filter(None, fields.each("sub_keys"))).split(SEPARATOR) if any(sub_counts) else []
    return AssetColumns(guids, keys, bodies, starts, sub_counts, sub_keys)


def folders_of(directory: DirectoryFacts) -> list[tuple[bytes, bytes]]:
    """Return GUID (16 bytes) and path of a directory's folders."""
    return _folders(directory.path, directory.folders, directory.folder_guids)


def folders_in(fields: Fields) -> list[tuple[bytes, bytes]]:
    """Return GUID (16 bytes) and path of all folders."""
    columns = [fields.each(name) for name in ("path", "folders", "folder_guids")]
    return [pair for each in zip(*columns, strict=True) if each[1] for pair in _folders(*each)]


def _folders(path: bytes, folders: bytes, guids: bytes) -> list[tuple[bytes, bytes]]:
    if not folders:
        return []
    prefix = utf8(path) + SLASH
    return [
        (guids[number * 16 : number * 16 + 16], prefix + utf8(name)) for number, name in enumerate(folders.split(SLASH))
    ]


def path_in(body: bytes, directory: bytes) -> bytes:
    """Return the path at the end of an entry's body.

    A file name contains no slash, so the last slash of the body precedes it, and nothing is decoded.
    """
    return body[body.rindex(SLASH) - len(utf8(directory)) :]


# --- rewritten names


def sanitized(columns: AssetColumns, sanitize: Sanitize) -> tuple[AssetColumns, dict[bytes, list[Diagnostic]]]:
    """Rewrite names before the naming rule; also return warnings by GUID."""
    problems: dict[bytes, list[Diagnostic]] = {}
    keys = list(columns.keys)
    bodies = columns.bodies_in(range(len(keys)))
    sub_keys = list(columns.sub_keys)
    start = 0
    for position, count in enumerate(columns.sub_counts):
        keys[position], bodies[position], sub_keys[start : start + count], found = sanitized_row(
            keys[position], bodies[position], sub_keys[start : start + count], sanitize
        )
        if found:
            problems[columns.guids[position]] = list(found)
        start += count
    starts = array("Q", accumulate(map(len, bodies), initial=0))
    return columns._replace(keys=keys, bodies=b"".join(bodies), starts=starts, sub_keys=sub_keys), problems


def sanitized_row(
    key: bytes, body: bytes, sub_keys: Sequence[bytes], sanitize: Sanitize
) -> tuple[bytes, bytes, tuple[bytes, ...], tuple[Diagnostic, ...]]:
    """Rewrite an asset's names; return key, body, row keys and warnings."""
    asset = read_body(body)
    names = [asset.name, *(row.name for row in asset.sub_assets)]
    made = [sanitize(name) for name in names]
    rewritten = [None if new is None else new.encode("utf-8", "replace") for new in made]
    new_name = rewritten[0]
    rows = {
        b"%d:%b" % (row.class_id, row.name.encode()): new
        for row, new in zip(asset.sub_assets, rewritten[1:], strict=True)
        if new is not None
    }
    return (
        _renamed(key, new_name),
        schema.renamed_body(body, new_name, rows),
        tuple(map(_renamed, sub_keys, rewritten[1:])),
        tuple(
            Diagnostic("sanitized-name", asset.path, 0, f"{old!r} becomes {new!r}")
            for old, new in zip(names, made, strict=True)
            if new is not None
        ),
    )


def _renamed(key: bytes, name: bytes | None) -> bytes:
    return key if name is None else key.partition(b":")[0] + b":" + name


# --- shared GUIDs


def duplicate_guid(guid: bytes, owners: Sequence[bytes]) -> list[Diagnostic]:
    """Return a diagnostic for each owner of a GUID, by their paths."""
    paths = [path.decode() for path in owners]
    return [
        Diagnostic("duplicate-guid", path, 0, f"has the GUID {guid.hex()} of {others(paths, path)}") for path in paths
    ]
