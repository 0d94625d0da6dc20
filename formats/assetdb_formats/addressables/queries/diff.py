"""Comparison of two catalogs, and the downloads between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.addressables.editing.content import dependency_sets, first_keys
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.json.tagged import bundle_options
from assetdb_formats.addressables.model import key_text

if TYPE_CHECKING:
    from assetdb_formats.addressables.catalog import Catalog


_NO_HASH: Final = "0" * 32
"""The hash of a bundle that has none, as binary catalogs write it; JSON ones have empty text."""


class BundleState(NamedTuple):
    """A bundle of one side: its location and its cache identity."""

    internal_id: str
    hash: str
    size: int
    crc: int


class BundleChange(NamedTuple):
    """A bundle that one side lacks or that differs.

    ``before`` or ``after`` is None where it is missing; ``download`` is in bytes.
    """

    name: str
    before: BundleState | None
    after: BundleState | None
    download: int

    @property
    def changed_fields(self) -> tuple[str, ...]:
        """The differing fields of ``BundleState``; empty where a side lacks the bundle."""
        if self.before is None or self.after is None:
            return ()
        pairs = zip(BundleState._fields, self.before, self.after, strict=True)
        return tuple(name for name, one, other in pairs if one != other)


class AssetChange(NamedTuple):
    """An asset that loads differently, and the names of differing fields."""

    key: str
    what: tuple[str, ...]


class CatalogDiff(NamedTuple):
    """The difference of two catalogs; ``download`` in bytes."""

    keys_added: tuple[str, ...]
    keys_removed: tuple[str, ...]
    assets_changed: tuple[AssetChange, ...]
    bundles: tuple[BundleChange, ...]
    build_hash: tuple[str | None, str | None]
    download: int

    @property
    def is_empty(self) -> bool:
        """Whether a game would load equal content from both."""
        return not (self.keys_added or self.keys_removed or self.assets_changed or self.bundles)


class _Comparable(NamedTuple):
    keys: dict[str, frozenset[str]]  # a key, and the primary keys of what it names
    assets: dict[str, tuple[str, ...]]  # primary key -> internal id, provider, types, names of bundles
    bundles: dict[str, BundleState]


def diff_catalogs(before: Catalog, after: Catalog) -> CatalogDiff:
    """Compare two catalogs as a game sees them.

    Compared are keys, the objects that each key loads, and the bundles that the objects come from.

    Not compared are keys that a writer made for sets of dependencies, and the primary keys of bundles, which contain
    the bundle's hash. Bundles are paired by name (``m_BundleName``, stable between builds).
    """
    # A binary catalog keeps the low half of a size: with one, only the halves are compared.
    mask = -1 if before.kind == after.kind == "json" else 0xFFFFFFFF
    typed = before.has_types and after.has_types  # catalogs from before 1.1 name no types
    old, new = _comparable_of(before, mask, typed=typed), _comparable_of(after, mask, typed=typed)
    added = sorted(new.keys.keys() - old.keys.keys())
    removed = sorted(old.keys.keys() - new.keys.keys())
    changed = []
    for key in old.assets.keys() & new.assets.keys():
        if old.assets[key] != new.assets[key]:
            fields = ("internal id", "provider", "type", "bundle")
            what = tuple(
                name for name, one, other in zip(fields, old.assets[key], new.assets[key], strict=True) if one != other
            )
            changed.append(AssetChange(key, what))
    changed.extend(
        AssetChange(key, ("members",))
        for key in old.keys.keys() & new.keys.keys()
        if key not in old.assets and old.keys[key] != new.keys[key]
    )
    changed.sort()
    bundles = []
    for name in sorted(old.bundles.keys() | new.bundles.keys()):
        one, other = old.bundles.get(name), new.bundles.get(name)
        if one != other:
            # The cache of a player goes by name and hash: what only moved or got another CRC is not fetched again.
            cached = one is not None and other is not None and one.hash == other.hash and one.size == other.size
            bundles.append(BundleChange(name, one, other, 0 if other is None or cached else other.size))
    return CatalogDiff(
        tuple(added),
        tuple(removed),
        tuple(changed),
        tuple(bundles),
        (before.build_result_hash, after.build_result_hash),
        sum(change.download for change in bundles),
    )


def _comparable_of(catalog: Catalog, mask: int, *, typed: bool) -> _Comparable:
    """Return the compared facts of a catalog, cached with it."""
    kept = catalog.compared.get((mask, typed))
    if isinstance(kept, _Comparable):
        return kept
    try:
        side = catalog.compared[mask, typed] = _compared(catalog, mask, typed=typed)
    except AddressablesError as error:
        raise error.at(catalog.path) from None  # which of the two
    return side


def _compared(catalog: Catalog, mask: int, *, typed: bool) -> _Comparable:
    names: dict[int, str] = {}
    bundles: dict[str, BundleState] = {}
    rows = list(catalog.locations())
    for row in rows:
        bundle = None if row.data is None else bundle_options(row.data)
        if bundle is None:
            continue
        name = bundle.bundle_name or row.internal_id
        if name in bundles:
            name = row.internal_id
        names[row.number] = name
        bundles[name] = BundleState(row.internal_id, bundle.hash or _NO_HASH, bundle.size & mask, bundle.crc)
    sets = dependency_sets(catalog)[0] if catalog.kind == "json" else set()
    first = {} if catalog.has_types else {at: key_text(key) for at, key in first_keys(catalog, sets).items()}
    primary: list[str] = []
    assets: dict[str, list[list[str]]] = {}
    for row in rows:
        if row.number in names:
            primary.append(f"bundle {names[row.number]}")
            continue
        # Which of its keys is the primary one is not stored before 1.1; with such a catalog both go by internal id.
        key = row.primary_key if typed and row.primary_key is not None else row.internal_id
        primary.append(key)
        home = names.get(row.dependencies[0], "") if row.dependencies else ""
        kind = row.type.name if typed and row.type is not None else ""
        assets.setdefault(key, []).append([row.internal_id, row.provider, kind, home])
    keys: dict[str, frozenset[str]] = {}
    memo: dict[tuple[int, ...], frozenset[str]] = {}
    for at, value in enumerate(catalog.keys):
        if at in sets:
            continue
        named = tuple(catalog.key_locations(at))
        if named and all(index in names for index in named):
            own = first.get(named[0], rows[named[0]].primary_key)
            if key_text(value) == own:
                continue  # a bundle's file name, which changes with its hash
        members = memo.get(named)
        if members is None:
            members = memo[named] = frozenset(primary[index] for index in named)
        keys[key_text(value)] = members
    facts = {
        key: tuple(found[0])
        if len(found) == 1
        else tuple("\n".join(dict.fromkeys(column)) for column in zip(*sorted(found), strict=True))
        for key, found in assets.items()
    }
    return _Comparable(keys, facts, bundles)
