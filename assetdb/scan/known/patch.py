"""Updates of wide directories by the names of changed files.

Listing a folder of 100,000 assets and comparing its files takes longer than a bake of most projects. If an observer
reports every changed file, only these are examined.
"""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from itertools import chain

from assetdb.diagnostics import Diagnostic, decode, encode
from assetdb.scan.directory import SLASH, DirectoryFacts, utf8
from assetdb.scan.fast_path import Columns
from assetdb.scan.known.content import UNKNOWN, assets_of
from assetdb.scan.known.slices import between, joined
from assetdb.scan.walking.listing import META, PACKAGES, belongs, is_in_plugin, shown
from assetdb.settings.project import is_hidden
from assetdb.system.failures import is_gone
from assetdb.system.identity import RACY
from assetdb.system.mirrors import tree_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

    from assetdb.scan.changes import Changes, FoundAssets
    from assetdb.scan.directory import AssetRow
    from assetdb.scan.reading_position import Place

_MOST: Final = 256  # assets at once; for more, listing the directory is faster
_OF_ONE_NAME: Final = frozenset({"missing-meta", "left-behind"})
"""Diagnostics of a listing that depend on one file only."""


def patched(changes: Changes, reader: Place, known: DirectoryFacts, names: Collection[bytes]) -> DirectoryFacts | None:
    """Return a directory in which only named files changed.

    Its identity remains as at the last listing, so that a bake lists it again.

    Returns:
        None if it must be listed: names depend on each other (a meta without its asset, names that differ in case),
        there is a link, or too many files are named.

    Raises:
        ScanError: the files cannot be read now.
    """
    listed = decode(known.listing_diagnostics)
    if known.path == PACKAGES or tree_of(reader.root) or any(found.code not in _OF_ONE_NAME for found in listed):
        return None
    touched = {name.removesuffix(META) for name in names}
    touched = {name for name in touched if not is_hidden(name)}
    if len(touched) > _MOST or any(name.endswith(META) for name in touched):
        return None
    pairs: list[tuple[bytes, bytes]] = []
    alone: list[bytes] = []
    for asset in sorted(touched):
        has_asset, has_meta = _is_there(asset, reader), _is_there(asset + META, reader)
        has_asset = has_asset and belongs(reader, known.path, asset)
        has_meta = has_meta and belongs(reader, known.path, asset + META)
        if has_asset is None or has_meta is None or (has_meta and not has_asset):
            return None
        if has_meta:
            pairs.append((asset, asset + META))
        elif has_asset:
            alone.append(asset)
    assets = known.files.split(SLASH)[: known.pair_count * 2 : 2]
    places = {asset: place for place, asset in enumerate(assets) if asset in touched}
    found = changes.read_pairs(known.path, pairs, known, assets_of(_only(known, sorted(places.values())), b""))
    folder = utf8(known.path) + SLASH
    paths = {shown(folder + asset) for asset in touched}
    listed = [item for item in listed if item.path not in paths]
    if not is_in_plugin(known.path):
        listed += [Diagnostic("missing-meta", shown(folder + asset), 0, "has no .meta") for asset in alone]
    others = [item for item in decode(known.file_diagnostics) if item.path.removesuffix(".meta") not in paths]
    return _with_assets(known, places, found, assets)._replace(
        listing_diagnostics=encode(sorted(listed)), file_diagnostics=encode(sorted([*others, *found.diagnostics]))
    )


def _is_there(name: bytes, reader: Place) -> bool | None:
    """Whether a regular file exists; None for other kinds, or if unknown."""
    try:
        status = os.lstat(reader.prefix + name)
    except OSError as error:
        return False if is_gone(error) else None
    return stat.S_ISREG(status.st_mode) or None


def _only(known: DirectoryFacts, places: list[int]) -> DirectoryFacts:
    """Return a directory with some assets, also those without a GUID."""
    files = known.files.split(SLASH)
    count = len(known.guids) // 16
    parts = between(known, [(place, place + 1) for place in places if place < count] or [(0, 0)])
    return joined(parts)._replace(
        files=SLASH.join(chain.from_iterable([files[place * 2 : place * 2 + 2] for place in places])),
        identities=b"".join([known.identities[place * 16 : place * 16 + 16] for place in places]),
        contents=b"".join([known.contents[place * 32 : place * 32 + 32] for place in places]),
        pair_count=len(places),
    )


def _with_assets(
    known: DirectoryFacts, places: dict[bytes, int], found: FoundAssets, assets: list[bytes]
) -> DirectoryFacts:
    """Return a directory with the assets at ``places`` replaced."""
    count = len(known.guids) // 16
    files = known.files.split(SLASH)
    edits: list[tuple[int, int, int]] = []  # first and last removed row, and the number of the new one, or -1
    numbers = {asset: number for number, asset in enumerate(found.names[::2])}
    for asset, number in numbers.items():
        place = places.get(asset, count)
        if place < count:
            edits.append((place, place + 1, number))
        else:
            place = bisect_left(assets, asset, 0, count)
            edits.append((place, place, number))
    edits += [(place, place + 1, -1) for asset, place in places.items() if place < count and asset not in numbers]
    edits.sort(key=lambda edit: (edit[0], edit[1]))
    bounds = list(zip([0, *[stop for _, stop, _ in edits]], [*[start for start, _, _ in edits], count], strict=True))
    parts: list[DirectoryFacts] = []
    new = found.without_assets()
    for run, (start, stop), number in zip(
        between(known, bounds), bounds, [*[number for _, _, number in edits], -1], strict=True
    ):
        parts.append(run)
        contents = known.contents[start * 32 : stop * 32]
        new.add(files[start * 2 : stop * 2], known.identities[start * 16 : stop * 16], contents)
        if number >= 0:
            parts.append(_of_row(known.path, found.rows[number]))
            new.add(found.names[number * 2 : number * 2 + 2], found.identities[number], found.contents[number])
    failed = [
        (files[place * 2], files[place * 2 + 1], known.identities[place * 16 : place * 16 + 16])
        for place in range(count, known.pair_count)
        if assets[place] not in places
    ]
    for asset, meta, identity in sorted([*failed, *found.failed]):
        new.add((asset, meta), identity, UNKNOWN * 2)
    pair_count, end = len(new.names) // 2, known.pair_count
    new.add(files[end * 2 :], known.identities[end * 16 :], known.contents[end * 32 :])
    return joined(parts)._replace(
        files=SLASH.join(new.names),
        identities=b"".join(new.identities),
        contents=b"".join(new.contents),
        pair_count=pair_count,
    )


def _of_row(path: bytes, row: AssetRow) -> DirectoryFacts:
    """Return a directory with one asset."""
    columns = Columns()
    columns.add(row)
    return DirectoryFacts(path, RACY, b"", b"", b"", b"", b"", *columns.packed())
