"""Questions about one catalog: what an asset needs, what needs it, what is where, and the text of all of it."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from formats.addressables.content import check_pairs
from formats.addressables.model import BundleOptions, Location, key_text, key_to_plain
from formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from formats.addressables.catalog import Catalog
    from formats.addressables.model import Data

_CHARACTERS_PER_BYTE: Final = 100
_CHARACTERS_ANYWAY: Final = 1 << 20


class Closure(NamedTuple):
    """All that loading something loads: locations in the order of first need, and the bundles among them.

    ``size`` is the bytes of those bundles that are fetched by URL or not: what a player without any has to download.
    """

    locations: tuple[int, ...]
    bundles: tuple[tuple[int, BundleOptions], ...]
    size: int


def closure_of(catalog: Catalog, starts: Iterable[int]) -> Closure:
    """Return what the locations ``starts`` load, themselves included. Circles and any depth are walked once."""
    order: dict[int, None] = dict.fromkeys(starts)
    waiting = list(order)[::-1]
    visited: set[tuple[int, ...]] = set()
    while waiting:
        needed = catalog.dependencies(waiting.pop())
        if needed in visited:
            continue
        visited.add(needed)
        new = [index for index in needed if index not in order]
        order.update(dict.fromkeys(new))
        waiting.extend(reversed(new))
    bundles = tuple((index, options) for index in order if (options := catalog.bundle(index)) is not None)
    return Closure(tuple(order), bundles, sum(options.size for _, options in bundles))


def users_of(catalog: Catalog, targets: Iterable[int], *, direct: bool = False) -> list[int]:
    """Return the locations whose loading loads one of ``targets``, not counting those, in the order of the table."""
    count = catalog.location_count
    # Columns, as a hostile file has 100,000 locations: for each set of dependencies the last location that has it, for
    # each location the one before with the same set; for each location the last of the sets that it is in.
    numbers: dict[tuple[int, ...], int] = {}
    last_user = array("i")
    user_before = array("i", (-1,)) * count
    for index in range(count):
        needed = catalog.dependencies(index)
        if needed:
            number = numbers.setdefault(needed, len(numbers))
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
    """Return for each location the places of its keys in ``catalog.keys``. Raises FormatError on a hostile file."""
    keys: list[list[int]] = [[] for _ in range(catalog.location_count)]
    check_pairs(catalog, sum(len(catalog.key_locations(at)) for at in range(len(catalog.keys))))
    for at in range(len(catalog.keys)):
        for index in catalog.key_locations(at):
            keys[index].append(at)
    return keys


def labels_of(catalog: Catalog) -> dict[int, int]:
    """Return the keys that are labels, with the number of assets under each.

    A label is a key of two and more assets that is neither a primary key nor a GUID nor made by the writer for a set of
    dependencies. (An asset that loads as several types has one location for each.)
    """
    primary = {catalog.primary_key(index) for index in range(catalog.location_count)}
    wanted = {catalog.dependency_key(index) for index in range(catalog.location_count)}
    found = {}
    for at, key in enumerate(catalog.keys):
        if not isinstance(key, str) or key in primary or key in wanted or _GUID.fullmatch(key):
            continue
        names = {catalog.primary_key(index) for index in catalog.key_locations(at)}
        if names:
            found[at] = len(names)
    return found


_GUID = re.compile(r"[0-9a-f]{32}")


def assets_in_several_bundles(catalog: Catalog) -> dict[str, list[int]]:
    """Return internal ids that more than one set of locations of different bundles loads: content there twice."""
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
    type_name: str | None = None,
    label: str | None = None,
    regular: bool = False,
    matches: Callable[[str], bool] | None = None,
) -> list[int]:
    """Return the locations that fit everything that is given, in the order of the table.

    ``text`` is looked for in keys and internal ids without regard to case, as a regular expression with ``regular``;
    ``type_name`` is a class with or without its namespace, ``label`` a key that is exactly so.
    Raises ``re.error`` for a broken expression.
    """
    chosen: set[int] | None = None
    if label is not None:
        at = catalog.find_key(label)
        chosen = set(catalog.key_locations(at)) if at is not None else set()
    if text is not None or matches is not None:
        if matches is None:
            matches = re.compile(text or "" if regular else re.escape(text or ""), re.IGNORECASE).search  # type: ignore[assignment]
        assert matches is not None  # noqa: S101 - for the type checker: it was given or has just been made
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
    if type_name is not None:
        wanted = type_name.casefold()
        fitting = {
            index
            for index in (range(catalog.location_count) if chosen is None else chosen)
            if (kind := catalog.type(index)) is not None and wanted in (kind.name.casefold(), _bare(kind.name))
        }
        chosen = fitting
    return sorted(range(catalog.location_count) if chosen is None else chosen)


def _bare(name: str) -> str:
    return re.split(r"[.+]", name)[-1].casefold()


def extract_text(catalog: Catalog) -> Iterator[str]:
    """Yield the lines of Unity's own "Extract Binary Catalog": each key with its locations."""
    keys_by_location(catalog)  # refuses a file whose keys imply far more than it holds
    for at, key in enumerate(catalog.keys):
        name = key_text(key)
        for index in catalog.key_locations(at):
            location = catalog.location(index)
            if name != location.primary_key:
                yield f"{name} -> {location.primary_key or ''}"
                continue
            yield name
            yield f"\tResourceType: {location.type or ''}"
            yield f"\tProviderId: {location.provider}"
            yield f"\tInternalId: {location.internal_id}"
            yield f"\tData: {_data_text(location.data)}"
            yield f"\tDependencyHash: {location.dependency_hash}"
            if location.dependencies:
                yield "\tDependencies:"
                for other in location.dependencies:
                    yield f"\t\t{catalog.primary_key(other) or ''}"


def bounded(catalog: Catalog, lines: Iterable[str]) -> Iterator[str]:
    """Pass the lines of an extract on, which a hostile file could make the square of itself.

    Its locations share their strings: thirty thousand may have the same internal id of a megabyte. The text of a real
    catalog is five times as large as its file.

    Raises:
        FormatError: they have more than a hundred times the characters that the catalog has bytes, and a million.
    """
    left = _CHARACTERS_PER_BYTE * len(catalog.data) + _CHARACTERS_ANYWAY
    for line in lines:
        left -= len(line)
        if left < 0:
            what = f"its locations share strings that spell out more than {_CHARACTERS_PER_BYTE} times the file"
            raise FormatError(what, field="locations")
        yield line


def _data_text(data: Data) -> str:
    if data is None:
        return ""
    if isinstance(data, BundleOptions):
        return data.type.name if data.type is not None else "AssetBundleRequestOptions"
    return str(getattr(data, "type", data))


def location_to_plain(catalog: Catalog, location: Location, keys: list[int] | None = None) -> dict[str, Any]:
    """Return a location as JSON can hold it."""
    options = catalog.bundle(location.number)
    plain: dict[str, Any] = {
        "number": location.number,
        "primary_key": location.primary_key,
        "internal_id": location.internal_id,
        "provider": location.provider,
        "type": location.type.name if location.type else None,
        "assembly": location.type.assembly if location.type else None,
        "dependencies": list(location.dependencies),
        "dependency_key": key_to_plain(location.dependency_key),
        "dependency_hash": location.dependency_hash,
    }
    if keys is not None:
        plain["keys"] = [key_to_plain(catalog.keys[at]) for at in keys]
    if options is not None:
        plain["bundle"] = {name: value for name, value in options._asdict().items() if name not in ("shape", "type")}
    elif location.data is not None:
        plain["data"] = _plain_data(location.data)
    return plain


def _plain_data(data: Data) -> object:
    if isinstance(data, tuple) and hasattr(data, "_asdict") and not hasattr(data, "digits"):
        return {
            "kind": type(data).__name__,
            **{k: list(v) if isinstance(v, tuple) else v for k, v in data._asdict().items()},
        }
    return key_to_plain(data)  # type: ignore[arg-type]
