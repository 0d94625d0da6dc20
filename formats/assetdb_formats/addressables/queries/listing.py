"""Lists of a catalog's bundles, keys, labels, types and providers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.addressables.model import TypeName, key_text
from assetdb_formats.addressables.queries.query import assets_in_several_bundles, labels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.model import BundleOptions, Key, ProviderData


class ListedBundle(NamedTuple):
    """A bundle of a catalog, and the number of locations in it."""

    number: int
    primary_key: str | None
    internal_id: str
    options: BundleOptions
    assets: int


class ListedKey(NamedTuple):
    """A key, its stored type and the number of its locations."""

    key: Key
    stored_as: str
    locations: int


class ListedLabel(NamedTuple):
    """A label and how many assets have it."""

    label: str
    assets: int


class ListedLocation(NamedTuple):
    """A location in a line: class without namespace, primary key, internal id.

    Before 1.1 the class is the provider's.
    """

    number: int
    class_name: str
    primary_key: str | None
    internal_id: str


class ListedType(NamedTuple):
    """A type (empty before 1.1) and its number of locations."""

    type: TypeName
    locations: int


class ListedProvider(NamedTuple):
    """A provider's id and how many locations it loads."""

    provider: str
    locations: int


class InitialProvider(NamedTuple):
    """An initial provider; ``role`` is ``instance``, ``scene`` or ``resource``."""

    role: str
    provider: ProviderData


class DuplicateAsset(NamedTuple):
    """An asset in more than one bundle, with a location in each."""

    internal_id: str
    locations: tuple[int, ...]


def list_bundles(catalog: Catalog) -> list[ListedBundle]:
    """Return the bundles of a catalog in the order of the table."""
    bundles = catalog.bundles()
    assets: dict[int, int] = {}
    for index in range(catalog.location_count):
        needed = catalog.dependencies(index)
        if needed and index not in bundles:
            assets[needed[0]] = assets.get(needed[0], 0) + 1
    return [
        ListedBundle(index, catalog.primary_key(index), catalog.internal_id(index), options, assets.get(index, 0))
        for index, options in bundles.items()
    ]


def list_keys(catalog: Catalog) -> Iterator[ListedKey]:
    """Yield the keys of a catalog in the order of the table."""
    for at, key in enumerate(catalog.keys):
        yield ListedKey(key, catalog.key_type(at), len(catalog.key_locations(at)))


def list_labels(catalog: Catalog) -> list[ListedLabel]:
    """Return the labels of a catalog in the order of its keys."""
    return [ListedLabel(key_text(catalog.keys[at]), count) for at, count in labels_of(catalog).items()]


def list_locations(catalog: Catalog, numbers: Iterable[int] | None = None) -> Iterator[ListedLocation]:
    """Yield some locations of a catalog, or all in table order."""
    for number in range(catalog.location_count) if numbers is None else numbers:
        kind = catalog.type(number)
        name = kind.name if kind else catalog.provider(number)
        yield ListedLocation(number, name.rpartition(".")[2], catalog.primary_key(number), catalog.internal_id(number))


def list_types(catalog: Catalog) -> list[ListedType]:
    """Return the types that locations load as, the most frequent first."""
    counts: Counter[tuple[str, str]] = Counter()
    known: dict[tuple[str, str], TypeName] = {}
    for index in range(catalog.location_count):
        kind = catalog.type(index) or TypeName(None, "")
        name = kind.name, kind.assembly or ""
        counts[name] += 1
        known[name] = kind
    return [ListedType(known[name], count) for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]


def list_providers(catalog: Catalog) -> list[ListedProvider]:
    """Return the ids of providers, the most frequent first."""
    counts = Counter(map(catalog.provider, range(catalog.location_count)))
    return [ListedProvider(*pair) for pair in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]


def list_initialization(catalog: Catalog) -> list[InitialProvider]:
    """Return the providers that a game makes when it starts."""
    roles = [("instance", catalog.instance_provider), ("scene", catalog.scene_provider)]
    roles += [("resource", provider) for provider in catalog.resource_providers]
    return [InitialProvider(role, provider) for role, provider in roles if provider is not None]


def list_duplicates(catalog: Catalog) -> list[DuplicateAsset]:
    """Return the assets that several bundles hold."""
    found = assets_in_several_bundles(catalog)
    return [DuplicateAsset(internal_id, tuple(places)) for internal_id, places in found.items()]
