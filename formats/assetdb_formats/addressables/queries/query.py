"""Queries on one catalog: closure, users, names, search."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.addressables.editing.content import check_pairs, unstored_primary_keys
from assetdb_formats.addressables.errors import PatternError
from assetdb_formats.addressables.model import BundleOptions, key_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assetdb_formats.addressables.catalog import Catalog


_NOT_SEEN: Final = -2


class Closure(NamedTuple):
    """All locations that loading an asset loads, and the bundles among them.

    They are in the order of first need. ``size`` is the bytes of the bundles, fetched by URL or not: a player without
    any of the bundles has to download so much.
    """

    locations: tuple[int, ...]
    bundles: tuple[tuple[int, BundleOptions], ...]
    size: int


def closure_of(catalog: Catalog, starts: Iterable[int]) -> Closure:
    """Return all locations that loading ``starts`` loads, themselves included."""
    order: dict[int, None] = dict.fromkeys(starts)
    waiting = list(order)[::-1]
    visited: set[int] = set()
    while waiting:
        index = waiting.pop()
        place = catalog.dependency_place(index)
        if place in visited:
            continue
        visited.add(place)
        new = [needed for needed in catalog.dependencies(index) if needed not in order]
        order.update(dict.fromkeys(new))
        waiting.extend(reversed(new))
    bundles = tuple((index, options) for index in order if (options := catalog.bundle(index)) is not None)
    return Closure(tuple(order), bundles, sum(options.size for _, options in bundles))


class Needs(NamedTuple):
    """The locations that others need, in the order of first need.

    ``bundles`` are those among ``locations`` that are downloaded, ``size`` their bytes; with all
    dependencies also those among ``starts``.
    """

    locations: tuple[int, ...]
    bundles: dict[int, BundleOptions]
    size: int


def needs_of(catalog: Catalog, starts: Sequence[int], *, direct: bool = False) -> Needs:
    """Return the locations ``starts`` need: all, or ``direct`` dependencies alone."""
    if direct:
        firsts: dict[int, int] = {}  # of the locations that share a list, the first
        for index in starts:
            firsts.setdefault(catalog.dependency_place(index), index)
        needed = tuple(dict.fromkeys(other for index in firsts.values() for other in catalog.dependencies(index)))
        bundles = {index: options for index in needed if (options := catalog.bundle(index)) is not None}
        return Needs(needed, bundles, sum(options.size for options in bundles.values()))
    closure = closure_of(catalog, starts)
    own = set(starts)
    return Needs(tuple(index for index in closure.locations if index not in own), dict(closure.bundles), closure.size)


def locations_named(catalog: Catalog, text: str) -> list[int]:
    """Return a key's locations, else a bundle name's or an internal id's."""
    at = catalog.find_key(text)
    if at is not None:
        return list(catalog.key_locations(at))
    return [
        index
        for index in range(catalog.location_count)
        if catalog.internal_id(index) == text
        or ((options := catalog.bundle(index)) is not None and options.bundle_name == text)
    ]


def similar_keys(catalog: Catalog, text: str) -> list[str]:
    """Suggest up to three keys: those that contain the text, else similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is missing

    names = [key_text(key) for key in catalog.keys]
    folded = text.casefold()
    return [name for name in names if folded in name.casefold()][:3] or get_close_matches(text, names[:20_000], n=3)


def similar_classes(catalog: Catalog, wanted: str) -> list[str]:
    """Suggest a class, without its namespace, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where something is missing

    kinds = map(catalog.type, range(catalog.location_count))
    bare = sorted({kind.name.rpartition(".")[2] for kind in kinds if kind is not None})
    return get_close_matches(wanted.rpartition(".")[2], bare, n=1)


def users_of(catalog: Catalog, targets: Iterable[int], *, direct: bool = False) -> list[int]:
    """Return other locations that load ``targets``, in table order."""
    count = catalog.location_count
    # Columns, as a hostile file has 100,000 locations: for each set of dependencies the last location that has it, for
    # each location the one before with the same set; for each location the last of the sets that it is in.
    numbers: dict[tuple[int, ...], int] = {}
    by_place: dict[int, int] = {}  # -1 for none
    last_user = array("i")
    user_before = array("i", (-1,)) * count
    for index in range(count):
        place = catalog.dependency_place(index)
        number = by_place.get(place, _NOT_SEEN)
        if number == _NOT_SEEN:
            needed = catalog.dependencies(index)
            number = by_place[place] = numbers.setdefault(needed, len(numbers)) if needed else -1
        if number >= 0:
            if number == len(last_user):
                last_user.append(-1)
            user_before[index] = last_user[number]
            last_user[number] = index
    check_pairs(catalog, sum(map(len, numbers)))
    last_place = array("i", (-1,)) * count
    sets, place_before = array("i"), array("i")
    for needed, number in numbers.items():
        for index in needed:
            place_before.append(last_place[index])
            last_place[index] = len(sets)
            sets.append(number)
    del numbers
    wanted = set(targets)
    found: set[int] = set()
    waiting = list(wanted)
    while waiting:
        place = last_place[waiting.pop()]
        while place >= 0:
            user, last_user[sets[place]] = last_user[sets[place]], -1  # the users of a set are gone through once
            while user >= 0:
                if user not in found:
                    found.add(user)
                    if not direct:
                        waiting.append(user)
                user = user_before[user]
            place = place_before[place]
    return sorted(found - wanted)


def keys_by_location(catalog: Catalog) -> list[list[int]]:
    """Return for each location the places of its keys in ``catalog.keys``.

    Raises AddressablesError for a file whose keys imply far more than it holds.
    """
    keys: list[list[int]] = [[] for _ in range(catalog.location_count)]
    check_pairs(catalog, sum(len(catalog.key_locations(at)) for at in range(len(catalog.keys))))
    for at in range(len(catalog.keys)):
        for index in catalog.key_locations(at):
            keys[index].append(at)
    return keys


def labels_of(catalog: Catalog) -> dict[int, int]:
    """Return the labels, with the number of assets under each.

    A label is a key that is neither a primary key nor a GUID nor made by the writer for a set of dependencies. (An
    asset that loads as several types has one location for each.)
    """
    first = unstored_primary_keys(catalog)  # before 1.1, or every address would be a label of one asset
    if catalog.has_types:
        first.update((index, catalog.primary_key(index)) for index in range(catalog.location_count))
    primary = set(first.values())
    wanted = {catalog.dependency_key(index) for index in range(catalog.location_count)}
    found = {}
    for at, key in enumerate(catalog.keys):
        if not isinstance(key, str) or key in primary or key in wanted or _GUID.fullmatch(key):
            continue
        names = {first.get(index) for index in catalog.key_locations(at)}
        if names:
            found[at] = len(names)
    return found


_GUID = re.compile(r"[0-9a-f]{32}")


def assets_in_several_bundles(catalog: Catalog) -> dict[str, list[int]]:
    """Return internal ids of assets that are in several bundles."""
    homes: dict[tuple[str, str], dict[int, int]] = {}
    for index in range(catalog.location_count):
        needed = catalog.dependencies(index)
        if needed:
            kind = catalog.type(index)
            homes.setdefault((catalog.internal_id(index), str(kind)), {}).setdefault(needed[0], index)
    found: dict[str, list[int]] = {}
    for (internal_id, _), places in homes.items():
        if len(places) > 1:
            merged = found.setdefault(internal_id, [])
            merged.extend(index for index in places.values() if index not in merged)
    return found


def search(
    catalog: Catalog,
    *,
    text: str | None = None,
    classes: Sequence[str] = (),
    label: str | None = None,
    regular: bool = False,
) -> list[int]:
    """Return the locations that match all given criteria, in table order.

    ``text`` is searched in keys and internal ids without regard to case, as a regular expression with ``regular``;
    ``classes`` are classes with or without their namespace (one of them), ``label`` an exact key. Raises PatternError
    for an invalid expression.
    """
    chosen: set[int] | None = None
    if label is not None:
        at = catalog.find_key(label)
        chosen = set(catalog.key_locations(at)) if at is not None else set()
    if text is not None:
        matches = _matcher(text, regular=regular)
        hits: set[int] = set()
        for at, key in enumerate(catalog.keys):
            if matches(key_text(key)):
                hits.update(catalog.key_locations(at))
        known: dict[str, bool] = {}
        for index in range(catalog.location_count):
            internal_id = catalog.internal_id(index)
            hit = known.get(internal_id)
            if hit is None:
                hit = known[internal_id] = bool(matches(internal_id))
            if hit:
                hits.add(index)
        chosen = hits if chosen is None else chosen & hits
    if classes:
        wanted = {name.casefold() for name in classes}
        fitting = {
            index
            for index in (range(catalog.location_count) if chosen is None else chosen)
            if (kind := catalog.type(index)) is not None
            and not wanted.isdisjoint((kind.name.casefold(), _bare(kind.name)))
        }
        chosen = fitting
    return sorted(range(catalog.location_count) if chosen is None else chosen)


def _matcher(text: str, *, regular: bool) -> Callable[[str], object]:
    try:
        return re.compile(text if regular else re.escape(text), re.IGNORECASE).search
    except (re.error, ValueError, OverflowError, RecursionError) as error:  # a{99999999999} overflows
        raise PatternError(f"{text!r} is not a regular expression: {error}") from None


def _bare(name: str) -> str:
    return re.split(r"[.+]", name)[-1].casefold()
