"""Lazy locations: decoded when a fact of them is used.

A catalog of 17,000 locations opens in 20 ms, and to decode them all takes 20 more. A question about the internal ids of
one provider decodes only these.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.model import BundleOptions, Data, Key, Location, TypeName


class LazyLocation(NamedTuple):
    """A location of a catalog that decodes its facts on access.

    It has the facts of a ``Location``. Two are equal if they are the same location of the same catalog. A damaged fact
    raises AddressablesError where the catalog was read strictly.
    """

    catalog: Catalog
    number: int

    @property
    def primary_key(self) -> str | None:
        """The first key, normally the address; None before 1.1."""
        return self.catalog.primary_key(self.number)

    @property
    def internal_id(self) -> str:
        """The id that its provider loads."""
        return self.catalog.internal_id(self.number)

    @property
    def provider(self) -> str:
        """The id of the provider."""
        return self.catalog.provider(self.number)

    @property
    def type(self) -> TypeName | None:
        """The type that it loads as; None before 1.1."""
        return self.catalog.type(self.number)

    @property
    def dependency_key(self) -> Key:
        """The key of its dependencies in a JSON catalog."""
        return self.catalog.dependency_key(self.number)

    @property
    def dependency_hash(self) -> int:
        """The stored hash of its dependencies."""
        return self.catalog.dependency_hash(self.number)

    @property
    def dependencies(self) -> tuple[int, ...]:
        """The numbers of the locations that it needs."""
        return self.catalog.dependencies(self.number)

    @property
    def data(self) -> Data:
        """The object that it hands to its provider."""
        return self.catalog.location_data(self.number)

    @property
    def bundle(self) -> BundleOptions | None:
        """Its download options, if it is a bundle."""
        return self.catalog.bundle(self.number)

    def facts(self) -> Location:
        """All of it, decoded."""
        return self.catalog.location(self.number)


class LazyLocations(Sequence[LazyLocation]):
    """The locations of a catalog in the order of its table."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._count = catalog.location_count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> LazyLocation: ...
    @overload
    def __getitem__(self, index: slice) -> list[LazyLocation]: ...

    def __getitem__(self, index: int | slice) -> LazyLocation | list[LazyLocation]:
        numbers = range(self._count)[index]
        if isinstance(numbers, int):
            return LazyLocation(self._catalog, numbers)
        return [LazyLocation(self._catalog, number) for number in numbers]

    def __iter__(self) -> Iterator[LazyLocation]:
        # A named tuple's own constructor takes three times as long.
        return map(tuple.__new__, repeat(LazyLocation), zip(repeat(self._catalog), range(self._count)))
