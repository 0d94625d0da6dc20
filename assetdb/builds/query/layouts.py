"""Sizes and changes of assets by build layouts."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from assetdb.builds.query.catalogs import without_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb_formats.addressables.companions.layout import BuildLayout


class AssetBytes(NamedTuple):
    """An asset in a bundle, as a build layout has it.

    Attributes:
        guid: 32 hex digits, ``""`` in text layouts, which have none for pulled-in assets.
        bundle: the bundle's name without the hash of its content, as all builds have it.
        size: bytes of its objects, with their streamed data.
        pulled_in: whether it has no entry of its own.
    """

    guid: str
    path: str
    bundle: str
    size: int
    pulled_in: bool
    used_by: tuple[str, ...]


class AssetTotal(NamedTuple):
    """An asset and its bytes in all bundles that have it."""

    path: str
    guid: str
    size: int
    pulled_in: bool
    bundles: tuple[str, ...]


class AssetChange(NamedTuple):
    """An asset in a bundle before and after; None if absent."""

    before: AssetBytes | None
    after: AssetBytes | None


def assets_of(layouts: Iterable[BuildLayout]) -> Iterator[AssetBytes]:
    """Yield the assets of build layouts, bundle by bundle."""
    for layout in layouts:
        names = [without_hash(bundle.name) for bundle in layout.bundles]
        for item in layout.assets:
            bundle = names[item.bundle] if item.bundle is not None else ""
            yield AssetBytes(item.guid or "", item.path, bundle, item.size, pulled_in=False, used_by=())
        for pulled in layout.implicit:
            bundle = names[pulled.bundle] if pulled.bundle is not None else ""
            yield AssetBytes(
                pulled.guid or "", pulled.path, bundle, pulled.size, pulled_in=True, used_by=pulled.used_by
            )


def of_same_bundles(layouts: Sequence[BuildLayout]) -> bool:
    """Whether several layouts (of successive builds, platforms) share a bundle."""
    known: set[str] = set()
    for layout in layouts:
        names = {without_hash(bundle.name) for bundle in layout.bundles}
        if not known.isdisjoint(names):
            return True
        known |= names
    return False


def totals(assets: Iterable[AssetBytes]) -> list[AssetTotal]:
    """Return the bytes of each asset, the largest first."""
    found: dict[str, list[AssetBytes]] = {}
    for item in assets:
        found.setdefault(item.path, []).append(item)
    rows = [
        AssetTotal(
            path,
            next((item.guid for item in items if item.guid), ""),
            sum(item.size for item in items),
            all(item.pulled_in for item in items),
            tuple(dict.fromkeys(item.bundle for item in items)),
        )
        for path, items in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.size, row.path))


def asset_changes(before: Iterable[AssetBytes], after: Iterable[AssetBytes]) -> list[AssetChange]:
    """Return assets with other sizes, matched by bundle and GUID or path."""
    left = list(before)
    found: list[AssetChange] = []
    new: list[AssetBytes] = list(after)
    for key in (_by_guid, _by_path):
        waiting: dict[object, deque[AssetBytes]] = {}
        for item in left:
            waiting.setdefault(key(item), deque()).append(item)
        unmatched = []
        for item in new:
            old = waiting.get(key(item)) if key(item) else None
            if old:
                found.append(AssetChange(old.popleft(), item))
            else:
                unmatched.append(item)
        new = unmatched
        left = [item for items in waiting.values() for item in items]
    found += [AssetChange(None, item) for item in new]
    found += [AssetChange(item, None) for item in left]
    changed = [row for row in found if row.before is None or row.after is None or row.before.size != row.after.size]
    return sorted(changed, key=_order)


def _by_guid(item: AssetBytes) -> tuple[str, str] | None:
    return (item.bundle, item.guid) if item.guid else None


def _by_path(item: AssetBytes) -> tuple[str, str] | None:
    return item.bundle, item.path.casefold()


def _order(row: AssetChange) -> tuple[int, str, str]:
    known = row.after or row.before
    sizes = [item.size if item is not None else 0 for item in row]
    return -abs(sizes[0] - sizes[1]), known.path if known is not None else "", known.bundle if known is not None else ""
