"""``Catalog``: the interface that JSON and binary catalogs share.

A catalog is a table of locations and a table of keys; a key names one or more locations, a location may need others.
Opening reads the keys; columns and objects are made on first use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.json.tagged import bundle_options
from assetdb_formats.addressables.model import Location, Problem, key_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb_formats.addressables.model import BundleOptions, Data, Key, ProviderData, TypeName


_KEPT_PROBLEMS: Final = 1000


class Catalog(ABC):
    """A catalog that was read. Subclasses: ``JsonCatalog`` and ``BinaryCatalog``.

    Attributes:
        kind: ``json`` or ``binary``.
        data: the bytes of the file.
        path: the file, for errors; set by the function that opens it.
        locator_id: the catalog's own name, None before 1.1.
        build_result_hash: 32 digits since 1.21.1, else None.
        instance_provider, scene_provider, resource_providers: what the game makes when it starts.
        keys: every key, in the order of the file.
        problems: what a salvaging read could not decode; empty after a strict one.
        compared: what ``diff`` keeps of this catalog for the next comparison.
    """

    kind: str
    data: bytes
    path: str = ""
    locator_id: str | None
    build_result_hash: str | None
    instance_provider: ProviderData | None
    scene_provider: ProviderData | None
    resource_providers: tuple[ProviderData, ...]
    keys: list[Key]
    problems: list[Problem]
    compared: dict[tuple[int, bool], object]
    _salvage: bool
    _key_index: dict[Key, int] | None = None
    _label_index: dict[str, int] | None = None

    def report(self, error: AddressablesError, code: str) -> None:
        """Raise an error; while salvaging, note the first thousand."""
        if not self._salvage:
            raise error
        if len(self.problems) < _KEPT_PROBLEMS:
            part = self._part_of(error.field)
            self.problems.append(Problem(code, error.what, error.field, error.offset, part))
        elif len(self.problems) == _KEPT_PROBLEMS:
            self.problems.append(Problem("more", "there are more problems than are kept"))

    def fault(self, code: str, what: str, field: str = "", offset: int | None = None) -> None:
        """Report an error of the file; see :meth:`report`."""
        self.report(AddressablesError(what, offset=offset, field=field), code)

    def _part_of(self, field: str) -> str:  # noqa: ARG002 - of the file itself
        return "file"

    @property
    def key_index(self) -> dict[Key, int]:
        """Key to its first index in ``keys``."""
        index = self._key_index
        if index is None:
            keys = self.keys
            index = dict(zip(keys, range(len(keys)), strict=True))
            if len(index) != len(keys):
                index = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
            self._key_index = index
        return index

    @property
    @abstractmethod
    def location_count(self) -> int:
        """How many locations there are."""

    @property
    def has_types(self) -> bool:
        """Whether locations have types and primary keys (JSON from 1.1, all binary)."""
        return True

    @abstractmethod
    def key_locations(self, key_number: int) -> Sequence[int]:
        """Return the locations that the key at a place in ``keys`` names."""

    @abstractmethod
    def key_type(self, key_number: int) -> str:
        """Return the stored type of a key: JSON's tag, binary's class."""

    @abstractmethod
    def primary_key(self, index: int) -> str | None:
        """Return a location's first key, usually its address; None before 1.1."""

    @abstractmethod
    def internal_id(self, index: int) -> str:
        """Return a location's internal id: a path, URL or GUID.

        Prefixes are expanded, tokens are not.
        """

    @abstractmethod
    def provider(self, index: int) -> str:
        """Return the id of the provider that loads a location."""

    @abstractmethod
    def type(self, index: int) -> TypeName | None:
        """Return the type that a location loads as; None before 1.1."""

    @abstractmethod
    def dependency_key(self, index: int) -> Key:
        """Return a location's dependency key; None in binary catalogs."""

    @abstractmethod
    def dependency_hash(self, index: int) -> int:
        """Return the stored hash of a location's dependencies (int32)."""

    @abstractmethod
    def dependencies(self, index: int) -> tuple[int, ...]:
        """Return a location's direct dependencies in loading order."""

    @abstractmethod
    def dependency_place(self, index: int) -> int:
        """Return where a location's dependencies are listed, which others may share."""

    @abstractmethod
    def location_data(self, index: int) -> Data:
        """Return the object that a location hands to its provider, or None."""

    def location(self, index: int) -> Location:
        """Return everything about one location."""
        return Location(
            index,
            self.primary_key(index),
            self.internal_id(index),
            self.provider(index),
            self.type(index),
            self.dependency_key(index),
            self.dependency_hash(index),
            self.dependencies(index),
            self.location_data(index),
        )

    def locations(self) -> Iterator[Location]:
        """Yield every location in the order of the table."""
        return map(self.location, range(self.location_count))

    def find_key(self, text: str) -> int | None:
        """Return the index of a key given as text or digits."""
        number = self.key_index.get(text)
        if number is None:
            if self._label_index is None:
                self._label_index = {key_text(key): at for at, key in enumerate(self.keys) if not isinstance(key, str)}
            number = self._label_index.get(text)
        return number

    def locate(self, key: Key) -> tuple[int, ...]:
        """Return the locations of a key, or nothing."""
        number = self.key_index.get(key)
        return () if number is None else tuple(self.key_locations(number))

    def bundle(self, index: int) -> BundleOptions | None:
        """Return a bundle location's download options, else None."""
        return bundle_options(self.location_data(index))

    def bundles(self) -> dict[int, BundleOptions]:
        """Return every bundle: location to options, in the order of the table."""
        found = {}
        for index in range(self.location_count):
            options = self.bundle(index)
            if options is not None:
                found[index] = options
        return found
