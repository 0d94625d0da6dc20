"""``Content``: the entries of a catalog for editing and writing.

Reading back goes through here when a catalog is edited, converted or written again. What a format adds of its own (the
keys of dependency sets, prefixes, merged strings, offsets) is taken off here and put back by the writer.
"""

from __future__ import annotations

import heapq
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, BinaryFlavour, JsonFlavour
from assetdb_formats.addressables.hashes import fold_hashes, key_hash
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.tagged import bundle_options
from assetdb_formats.addressables.model import BUNDLE_FIELDS, Problem, TypeName

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assetdb_formats.addressables.binary.reader import BinaryCatalog
    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.flavour import Flavour
    from assetdb_formats.addressables.model import Data, Key, ProviderData

# A hostile file lets every key share one list of all locations: 480 KB imply 400 million keys of entries. Real ones
# imply at most 1.1 for each four bytes of the file.
_FREE_PAIRS: Final = 1 << 16
_CORE_ASSEMBLY: Final = "mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089"


class Entry:
    """An entry of a catalog.

    ``keys`` begin with the primary one; ``dependencies`` are keys of other entries. It is changed by assignment,
    because entries with the same dependencies share one sequence.
    """

    __slots__ = ("data", "dependencies", "internal_id", "keys", "provider", "type")

    def __init__(
        self,
        keys: list[Key],
        internal_id: str,
        provider: str,
        type: TypeName | None = None,  # noqa: A002 - the field's name
        dependencies: Sequence[Key] = (),
        data: Data = None,
    ) -> None:
        self.keys = keys
        self.internal_id = internal_id
        self.provider = provider
        self.type = type
        self.dependencies = dependencies
        self.data = data

    def add_key(self, key: Key) -> None:
        """Append a key; a list made with one key reserves no room."""
        if self.keys:
            self.keys.append(key)
        else:
            self.keys = [key]


class Content:
    """A catalog to be written.

    Attributes:
        flavour: how the file that this was read from was written.
        key_order: the keys as the file has them; empty if entries in their order first use the keys in that order.
        key_lists: the entries of a key, if the file lists them in another order than its entries, as no package does.
        losses: facts that the file lacks, or has in a form that no package writes.
        core_assembly: full name of the assembly of System.String.
        other_fields: further fields of a JSON object, written back as they were.
        set_numbers: the keys of sets of dependencies in a file from before 1.1, whose formula is not known.
    """

    def __init__(self, flavour: Flavour, entries: list[Entry]) -> None:
        self.flavour = flavour
        self.entries = entries
        self.locator_id: str | None = None
        self.build_result_hash: str | None = None
        self.instance_provider: ProviderData | None = None
        self.scene_provider: ProviderData | None = None
        self.resource_providers: tuple[ProviderData, ...] = ()
        self.core_assembly = _CORE_ASSEMBLY
        self.other_fields: dict[str, Any] = {}
        self.key_order: list[Key] = []
        self.key_lists: dict[Key, list[Entry]] = {}
        self.set_numbers: dict[tuple[Key, ...], Key] = {}
        self.losses: list[Problem] = []

    def key_table(self) -> dict[Key, list[int]]:
        """Return every key with its entry numbers, in the order to write."""
        keys: dict[Key, list[int]] = {key: [] for key in self.key_order}
        for number, entry in enumerate(self.entries):
            for key in entry.keys:
                named = keys.get(key)
                if named is None:
                    keys[key] = [number]
                else:
                    named.append(number)
        if self.key_lists:
            numbers = {id(entry): number for number, entry in enumerate(self.entries)}
            for key, listed in self.key_lists.items():
                order = [numbers[id(entry)] for entry in listed if id(entry) in numbers]
                if key in keys and sorted(order) == keys[key]:
                    keys[key] = order
        return keys

    def keep_order(self, key: Key, numbers: list[int]) -> None:
        """Note the entries of a key that are not in entry order."""
        if any(after < before for before, after in pairwise(numbers)):
            self.key_lists[key] = [self.entries[number] for number in numbers]


def content_of(catalog: Catalog) -> Content:
    """Return the entries of a catalog. Raises AddressablesError for implausible keys."""
    content = _from_json(catalog) if isinstance(catalog, JsonCatalog) else _from_binary(catalog)  # type: ignore[arg-type]
    content.locator_id = catalog.locator_id
    content.build_result_hash = catalog.build_result_hash
    content.instance_provider = catalog.instance_provider
    content.scene_provider = catalog.scene_provider
    content.resource_providers = catalog.resource_providers
    if catalog.kind == "json":
        content.instance_provider = _null_data(catalog.instance_provider)
        content.scene_provider = _null_data(catalog.scene_provider)
        content.resource_providers = tuple(filter(None, map(_null_data, catalog.resource_providers)))
    return content


def _null_data(provider: ProviderData | None) -> ProviderData | None:
    """Return provider data with null for empty text, as binary writers."""
    return provider if provider is None or provider.data else provider._replace(data=None)


def check_pairs(catalog: Catalog, pairs: int) -> None:
    """Refuse more pairs of key and location than bytes (AddressablesError)."""
    if pairs > _FREE_PAIRS + len(catalog.data):
        raise AddressablesError(f"the keys of this file name locations {pairs} times, far more than it has bytes")


# --- JSON ------------------------------------------------------------------------------------------------------


def dependency_sets(catalog: Catalog) -> tuple[set[int], list[int], int]:
    """Find the keys that a writer made for sets of dependencies.

    Returns the positions of keys that are the hash of the primary keys in their bucket; the positions of numbers that
    are used as dependency keys without being such a hash; and the seed of the hashes. Before 1.1 every Int32 that is
    used as a dependency key counts as a hash: no formula fits the numbers of 0.6 and 0.7.
    """
    used = {key: at for at, key in enumerate(catalog.keys) if isinstance(key, int) or _is_number(key)}
    if not used:
        return set(), [], 0
    wanted = {catalog.dependency_key(index) for index in range(catalog.location_count)}
    hashed: set[int] = set()
    unlike: list[int] = []
    if not catalog.has_types:
        return {at for key, at in used.items() if isinstance(key, int) and key in wanted}, unlike, 0
    seed_used = 0
    memo: dict[Key, int | None] = {}
    for key, at in used.items():
        if key not in wanted:
            continue
        names = list(dict.fromkeys(catalog.primary_key(index) for index in catalog.key_locations(at)))
        for name in names:
            if name not in memo:
                memo[name] = key_hash(name)
        folded = [number for name in names if (number := memo[name]) is not None]
        number = int(str(key))
        for seed in (0, 17):
            if len(folded) == len(names) and fold_hashes(folded, seed) == number:
                hashed.add(at)
                seed_used = seed
                break
        else:
            if key not in names:  # else it is the address of a bundle that is called by a number
                unlike.append(at)
    return hashed, unlike, seed_used


def unstored_primary_keys(catalog: Catalog) -> dict[int, Key]:
    """Return the primary keys of locations, none where the catalog stores them."""
    return {} if catalog.has_types else first_keys(catalog, dependency_sets(catalog)[0])


def first_keys(catalog: Catalog, without: set[int]) -> dict[int, Key]:
    """Return the primary keys of locations, which files before 1.1 lack.

    Keys at the positions ``without`` are left out.

    The keys of an entry are in the order address, GUID, labels; only labels of earlier entries come before its address.
    Two assets may share an address (``TextMesh Pro/Sprites/EmojiOne``): then the first key of the second asset is its
    GUID.
    """
    first: dict[int, Key] = {}
    shared: dict[int, list[Key]] = {}
    for at, key in enumerate(catalog.keys):
        if at not in without:
            named = catalog.key_locations(at)
            if named:
                owner = min(named)
                first.setdefault(owner, key)
            for index in named:
                if index != owner:
                    shared.setdefault(index, []).append(key)
    addresses = {key for key in first.values() if isinstance(key, str)}
    for index, keys in shared.items():
        if not isinstance(first.get(index), str):
            first[index] = next((key for key in keys if key in addresses), first.get(index, keys[0]))
    return first


def _is_number(key: Key) -> bool:
    return (
        isinstance(key, str) and len(key) <= 11 and key.removeprefix("-").isascii() and key.removeprefix("-").isdigit()
    )


def _from_json(catalog: JsonCatalog) -> Content:
    keys = catalog.keys
    entries = [
        Entry([], catalog.internal_id(index), catalog.provider(index), catalog.type(index))
        for index in range(catalog.location_count)
    ]
    check_pairs(catalog, sum(len(catalog.key_locations(at)) for at in range(len(keys))))
    sets, _, seed = dependency_sets(catalog)
    if not sets and catalog.width > 4:  # the hash of no dependencies is the seed
        rows = map(catalog.row, range(catalog.location_count))
        seed = 17 if any(row[2] < 0 and row[3] == 17 for row in rows) else 0
    if catalog.prefixes:
        # Unity reads `12#/a#b` literally, a bug that a rewritten catalog repeats only if the prefix stays a prefix.
        for index, entry in enumerate(entries):
            entry.internal_id = catalog.expand(catalog.raw_internal_id(index), intended=True)
    for at, key in enumerate(keys):
        if at not in sets:
            for index in catalog.key_locations(at):
                entries[index].add_key(key)
    spelled: dict[int, tuple[Key, ...]] = {}
    first = {} if catalog.has_types else first_keys(catalog, sets)
    for index, entry in enumerate(entries):
        row = catalog.row(index)
        primary = catalog.primary_keys[row[5]] if catalog.width == 7 and row[5] >= 0 else first.get(index)
        if primary is not None and primary in entry.keys:
            entry.keys.remove(primary)
            entry.keys.insert(0, primary)
        entry.data = catalog.location_data(index)
    for index, entry in enumerate(entries):
        at = catalog.row(index)[2]
        if at in sets:
            if at not in spelled:
                needed = [entries[other] for other in catalog.key_locations(at)]
                spelled[at] = tuple(other.keys[0] for other in needed if other.keys)
            entry.dependencies = spelled[at]
        elif at >= 0:
            entry.dependencies = (keys[at],)
    fields = tuple(catalog.fields)
    content = Content(
        JsonFlavour(
            name=json_era(catalog),
            fields=fields,
            width=catalog.width,
            compact=bool(catalog.prefixes),
            text_sets="m_BuildResultHash" in fields if not sets else all(isinstance(keys[at], str) for at in sets),
            seed=seed,
            bom=catalog.data.startswith(b"\xef\xbb\xbf"),
            bundle_fields=next(
                (options.shape for entry in entries if (options := bundle_options(entry.data)) is not None),
                tuple(BUNDLE_FIELDS),
            ),
        ),
        entries,
    )
    content.other_fields = dict(catalog.fields)
    if not catalog.has_types:
        content.set_numbers = {names: keys[at] for at, names in spelled.items()}
    for at, key in enumerate(keys):
        if at not in sets and len(catalog.key_locations(at)) > 1:
            content.keep_order(key, list(catalog.key_locations(at)))
    natural = list(dict.fromkeys(key for entry in entries for key in entry.keys))
    if natural != keys[: len(natural)]:
        content.key_order = list(keys)
        content.losses.append(Problem("order", "the key table is in an order that no package writes; it is kept"))
    return content


def json_era(catalog: JsonCatalog) -> str:
    """Return the first package that wrote the shape of a JSON catalog."""
    fields = catalog.fields
    if catalog.lower_case:
        return "0.1"
    if "m_BuildResultHash" in fields:
        return "1.21.1"
    if catalog.width == 7:
        return "1.1" if catalog.key_texts is not None else "1.16.8"
    if catalog.width == 5:
        return "0.7"
    return "0.6" if "m_InstanceProviderData" in fields else "0.5"


# --- binary ----------------------------------------------------------------------------------------------------


def _from_binary(catalog: BinaryCatalog) -> Content:
    """Build the content of a binary catalog.

    Facts of locations are held in columns, by the location's number: a hostile file has 100,000 locations.
    """
    keys = catalog.keys
    lists = [tuple(catalog.key_locations(at)) for at in range(len(keys))]
    check_pairs(catalog, sum(map(len, lists)))
    order, natural = _entry_order(catalog, lists)
    first_position, merged = _positions(catalog.location_count, order)
    entries, primaries = _bare_entries(catalog, order, first_position, merged)
    content = Content(binary_flavour(catalog), entries)
    for key, named in zip(keys, lists, strict=True):
        after = -1
        listed = []
        if len(named) == 1 and named[0] not in merged:
            entries[first_position[named[0]]].add_key(key)
            continue
        for index in named:
            # Several equal entries became one location: the key means the next one behind its entry before.
            positions = merged.get(index)
            after = first_position[index] if positions is None else next((at for at in positions if at > after), after)
            entries[after].add_key(key)
            listed.append(after)
        content.keep_order(key, listed)
    if not natural:
        content.key_order = list(keys)
        content.losses.append(Problem("order", "the key table is in an order that no package writes; it is kept"))
    named_by: dict[Key, tuple[int, ...]] = {}
    for key, named in zip(keys, lists, strict=True):
        if key not in named_by:
            named_by[key] = named if len(named) == 1 else tuple(dict.fromkeys(named))
    del lists
    misfits = 0
    spelled: dict[tuple[int, ...], tuple[tuple[Key, ...], bool]] = {}
    for index, entry in zip(order, entries, strict=True):
        primary = primaries[index]
        if len(entry.keys) > 1 and primary in entry.keys:
            entry.keys.remove(primary)
            entry.keys.insert(0, primary)
        needed = catalog.dependencies(index)
        if len(needed) == 1:  # not worth remembering: each of a long chain is needed once
            entry.dependencies = (primaries[needed[0]],)
            misfits += named_by.get(primaries[needed[0]]) != needed
        elif needed:
            found = spelled.get(needed)
            if found is None:
                names = tuple(dict.fromkeys(primaries[other] for other in needed))
                fits = tuple(dict.fromkeys(other for name in names for other in named_by.get(name, ()))) == needed
                found = spelled[needed] = names, fits
            entry.dependencies = found[0]
            misfits += not found[1]
    if misfits:
        content.losses.append(
            Problem("dependencies", f"the dependencies of {misfits} entries are not what their primary keys name")
        )
    core = next((kind.assembly for kind in catalog.known_types() if kind.name == "System.String"), None)
    if core:
        content.core_assembly = core
    return content


def _positions(count: int, order: array[int]) -> tuple[array[int], dict[int, list[int]]]:
    """Return each location's first position, and all positions of repeated ones."""
    first = array("i", (-1,)) * count
    several: dict[int, list[int]] = {}
    for number, index in enumerate(order):
        if first[index] < 0:
            first[index] = number
        else:
            several.setdefault(index, [first[index]]).append(number)
    return first, several


def _bare_entries(
    catalog: BinaryCatalog, order: array[int], first_position: array[int], merged: dict[int, list[int]]
) -> tuple[list[Entry], list[str | None]]:
    """Return ordered entries without keys and dependencies, and their primary keys."""
    primaries: list[str | None] = []
    entries: list[Any] = [None] * len(order)
    for location in catalog.locations():
        index = location.number
        primaries.append(location.primary_key)
        for number in merged.get(index) or (first_position[index],):
            entries[number] = Entry([], location.internal_id, location.provider, location.type, (), location.data)
    return entries, primaries


def _instances(named: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return locations, each with the number of its earlier occurrences."""
    if len(set(named)) == len(named):
        return [(index, 0) for index in named]
    seen: dict[int, int] = {}
    result = []
    for index in named:
        count = seen.get(index, 0)
        seen[index] = count + 1
        result.append((index, count))
    return result


def _entry_order(catalog: BinaryCatalog, lists: list[tuple[int, ...]]) -> tuple[array[int], bool]:
    """Return the original order of entries, and whether keys follow from it.

    The key table is in the order of first use: the first location of a key is an entry not before the first of the
    key before it. A key's list is in the order of entries too. Where that leaves a choice, the file's order decides:
    the order of entries, except that a dependency comes before the first entry that needs it.
    """
    copies: dict[int, int] = {}
    for named in set(lists):
        if len(set(named)) != len(named):
            for index, copy in _instances(named):
                copies[index] = max(copies.get(index, 1), copy + 1)
    ranked = array("I")  # every entry in the order of the file, copies behind each other
    first_rank = array("I", (0,)) * catalog.location_count
    for index in sorted(range(catalog.location_count), key=catalog.offset):
        first_rank[index] = len(ranked)
        ranked.extend((index,) * copies.get(index, 1))
    for by_first_use in (True, False):
        order = _sort_entries(lists, copies, ranked, first_rank, by_first_use=by_first_use)
        if order is not None:
            return order, by_first_use
    return ranked, False


def _sort_entries(
    lists: list[tuple[int, ...]],
    copies: dict[int, int],
    ranked: array[int],
    first_rank: array[int],
    *,
    by_first_use: bool,
) -> array[int] | None:
    """Sort topologically; None where the lists contradict each other."""
    waiting = array("I", (0,)) * len(ranked)
    # What follows an entry: a list of edges, each with the number of the next one, in three columns.
    last_edge = array("i", (-1,)) * len(ranked)
    targets, next_edges = array("I"), array("i")

    def add(before: int, after: int) -> None:
        next_edges.append(last_edge[before])
        last_edge[before] = len(targets)
        targets.append(after)
        waiting[after] += 1

    previous = -1
    done: set[tuple[int, ...]] = set()
    for named in lists:
        if len(named) > 1 and named not in done:
            done.add(named)
            chain = _instances(named)
            held: dict[int, int] = {}
            for index, copy in chain:
                held[index] = copy + 1
            # Which of several equal entries a list means is known only where it has them all.
            ranks = [first_rank[index] + copy for index, copy in chain if held[index] == copies.get(index, 1)]
            for before, after in pairwise(ranks):
                add(before, after)
        if by_first_use and named and named[0] not in copies:
            first = first_rank[named[0]]
            if previous not in (-1, first):
                add(previous, first)
            previous = first
    heap = [rank for rank, count in enumerate(waiting) if not count]
    order = array("I")
    while heap:
        rank = heapq.heappop(heap)
        order.append(ranked[rank])
        edge = last_edge[rank]
        while edge >= 0:
            after = targets[edge]
            waiting[after] -= 1
            if not waiting[after]:
                heapq.heappush(heap, after)
            edge = next_edges[edge]
    return order if len(order) == len(ranked) else None


def binary_flavour(catalog: BinaryCatalog) -> BinaryFlavour:
    """Return a binary catalog's flavour, as far as header and strings tell."""
    simple = catalog.version >= 3
    tail_first = simple or catalog.chains_tail_first()
    wide = tail_first or catalog.has_narrow_unicode()
    for flavour in BINARY_FLAVOURS.values():
        if (
            flavour.version == catalog.version
            and flavour.header_size == catalog.header_size
            and flavour.reversed_chains == catalog.reversed_chains
            and flavour.tail_first == tail_first
            and (flavour.unicode_from == 128) == wide
        ):
            return flavour
    return BinaryFlavour(
        "unknown",
        catalog.version,
        catalog.header_size,
        catalog.reversed_chains,
        tail_first,
        128 if wide else 256,
        simple,
        catalog.reversed_chains,
    )
