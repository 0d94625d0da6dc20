"""Reader of binary catalogs: format versions 1 to 3.

Packages 1.21.3 to 4.x write them.

Little endian, nothing aligned, 0xFFFFFFFF is null. A header, then the key table, then values of every kind in the order
in which they were first written; equal bytes are written once. An array has its byte length before its offset.

    header    i32 magic, i32 version, u32 keys, locator id, instance provider, scene provider, providers [, build hash]
    key       u32 object, u32 array of locations
    object    u32 type, u32 value;  type = u32 assembly, u32 class
    location  u32 primary key, internal id, provider, array of dependencies, i32 hash (0), u32 object, u32 type
    options   u32 hash, bundle name, crc, size, common;  common = i16 timeout, u8 redirects, u8 retries, i32 flags

Neither the header's size nor the order of string chains follows from the version: the size is where the key table
begins, and for version 1 both orders are tried on a name that can be read one way only.
"""

from __future__ import annotations

from array import array
from contextlib import suppress
from struct import Struct, unpack_from
from sys import byteorder
from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.binary.strings import (
    BRIEF,
    CHAIN_FLAG,
    FLAGS,
    NULL,
    OFFSET_MASK,
    StringTable,
    chains_written_tail_first,
)
from assetdb_formats.addressables.catalog import Catalog
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.model import (
    BundleOptions,
    DirectoryAsset,
    Hash128,
    LoadRequestOptions,
    Location,
    Number,
    Opaque,
    ProviderData,
    TypeName,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb_formats.addressables.model import Data, Key

MAGIC: Final = 0x0DE38942  # Mono's hash of "ContentCatalogData"
_HEADER: Final = Struct("<II6I")
_SHORT_HEADER: Final = Struct("<II5I")
_PAIR: Final = Struct("<II")
_KEY_TEXT: Final = Struct("<IHxx")
_KEY: Final = Struct("<I32xIHxxII")  # a GUID, as half of all keys are, with its length, its string and its object
_U32: Final = Struct("<I")
_LOCATION: Final = Struct("<4Ii2I")
_OPTIONS: Final = Struct("<5I")
_COMMON: Final = Struct("<hBBi")
_VERSIONS: Final = (1, 2, 3)
_SMALL: Final = 8  # items of an array
_PROBED: Final = 16  # providers and keys from which the order of string chains is inferred
_ROOTS: Final = ("UnityEngine.", "Unity.", "System.")
_KEPT: Final = 1 << 14  # small lists of dependencies that are kept; real catalogs have at most 1,300
_SIZES: Final = {28: _SHORT_HEADER, 32: _HEADER}


class BinaryCatalog(Catalog):
    """A binary catalog.

    >>> with open("catalog.bin", "rb") as file:
    ...     catalog = BinaryCatalog(file.read())
    >>> catalog.version, [catalog.internal_id(number) for number in catalog.locate("Prefabs/Hero.prefab")]
    (2, ['Assets/Prefabs/Hero.prefab'])

    ``version`` is 1 to 3, ``header_size`` 28 or 32, ``reversed_chains`` the order of its strings.
    """

    kind = "binary"

    def __init__(self, data: bytes, *, salvage: bool = False) -> None:
        """Read the header and the keys.

        Raises AddressablesError; with ``salvage`` only where the header or the key table cannot be read.
        """
        self.data = data
        self.problems, self.compared = [], {}
        self._salvage = salvage
        self._size = len(data)
        if len(data) < 28:
            raise AddressablesError(f"is {len(data)} bytes, a header has 28 or 32", offset=0, field="header")
        magic, self.version, keys = unpack_from("<III", data)
        if magic != MAGIC:
            raise AddressablesError(f"is 0x{magic:08x}, not 0x{MAGIC:08x}", offset=0, field="header.magic")
        if self.version not in _VERSIONS:
            self.fault("version", f"is {self.version}, not 1 to 3", "header.version", 4)
        # Other writers leave a gap between header and keys; every package puts the table right behind the header.
        self.header_size = 28 if keys < 36 else 32
        if not 32 <= keys <= len(data):
            raise AddressablesError(f"points to {keys}, outside 32..{len(data)}", offset=8, field="header.keysOffset")
        self._header = (*_SIZES[self.header_size].unpack_from(data), NULL)[2:8]
        self._array_left = 1024 + len(data)
        self._arrays: dict[int, tuple[int, ...]] = {}
        self._pairs = self._pair_array(keys, "keys")
        self.strings = StringTable(data, reversed_chains=self.version > 1)
        self._types: dict[int, TypeName] = {}
        self._objects: dict[int, Data] = {}
        if self.version == 1:
            self.strings.reversed = self._probe_chain_order()
        self.reversed_chains = self.strings.reversed
        _, identity, instance, scene, providers, build_hash = self._header
        self.locator_id = self._text(identity, "", "header.idOffset")
        self.instance_provider = self._provider(instance, "header.instanceProvider")
        self.scene_provider = self._provider(scene, "header.sceneProvider")
        self.resource_providers = self._providers(providers)
        self.build_result_hash = self._text(build_hash, "", "header.buildResultHash")
        self.keys = self._read_keys()
        self._offsets: list[int] = []
        self._numbers: dict[int, int] = {}
        self._loaded = self._all_read = False
        self._dependencies: dict[int, tuple[int, ...]] = {}

    # --- reading values ----------------------------------------------------------------------------------------

    def _text(self, identity: int, separator: str, field: str) -> str | None:
        try:
            return self.strings.read(identity, separator, field)
        except AddressablesError as error:
            self.report(error, "string")
            return None

    def _length(self, offset: int, field: str) -> int:
        if not 4 <= offset <= self._size:
            raise AddressablesError(f"points to {offset}, outside 4..{self._size}", offset=offset, field=field)
        length: int = _U32.unpack_from(self.data, offset - 4)[0]
        if length > self._size - offset:
            what = f"needs {length} bytes, {self._size - offset} are left"
            raise AddressablesError(what, offset=offset - 4, field=field)
        return length

    def _pair_array(self, offset: int, field: str) -> array[int]:
        length = self._length(offset, field)
        if length % 8:
            self.fault("count", f"{length} bytes are not pairs", field, offset - 4)
        pairs = array("I", self.data[offset : offset + length // 8 * 8])
        if byteorder == "big":
            pairs.byteswap()
        return pairs

    def _array(self, offset: int, field: str) -> tuple[int, ...]:
        """Return an array of u32; a null offset is an empty one."""
        found = self._arrays.get(offset)
        if found is None:
            if offset == NULL:
                return ()
            count = self._length(offset, field) // 4
            if count <= _SMALL:  # read again rather than kept: a chain of 100,000 dependencies has as many arrays
                return unpack_from(f"<{count}I", self.data, offset)
            self._array_left -= count
            if self._array_left < 0:
                raise AddressablesError("the arrays hold more than the file", offset=offset, field=field)
            found = self._arrays[offset] = unpack_from(f"<{count}I", self.data, offset)
        return found

    def _need(self, offset: int, size: int, field: str) -> int:
        if offset > self._size - size:
            raise AddressablesError(f"points to {offset}, {size} bytes do not fit", offset=offset, field=field)
        return offset

    def type_name(self, offset: int, field: str) -> TypeName | None:
        """Return the type at an offset, None for null."""
        found = self._types.get(offset)
        if found is None:
            if offset == NULL:
                return None
            assembly, name = _PAIR.unpack_from(self.data, self._need(offset, 8, field))
            read = self.strings.read
            found = TypeName(read(assembly, ".", f"{field}.assembly"), read(name, ".", f"{field}.class") or "")
            self._types[offset] = found
        return found

    def _provider(self, offset: int, field: str) -> ProviderData | None:
        if offset == NULL:
            return None
        try:
            identity, kind, text = unpack_from("<III", self.data, self._need(offset, 12, field))
            read = self.strings.read
            return ProviderData(
                read(identity, "", f"{field}.id"),
                self.type_name(kind, f"{field}.type"),
                read(text, "", f"{field}.data"),
            )
        except AddressablesError as error:
            self.report(error, "provider")
            return None

    def _providers(self, offset: int) -> tuple[ProviderData, ...]:
        field = "header.initObjectsArray"
        try:
            offsets = self._array(offset, field)
        except AddressablesError as error:
            self.report(error, "provider")
            return ()
        found = (self._provider(value, f"{field}[{number}]") for number, value in enumerate(offsets))
        return tuple(provider for provider in found if provider is not None)

    def _probe_chain_order(self) -> bool:
        """Find whether strings are stored backwards (packages 1.28 and 1.29)."""
        for identity in self._dotted_names():
            texts = []
            for reversed_chains in (False, True):
                table = StringTable(self.data, reversed_chains=reversed_chains)
                with suppress(AddressablesError):
                    texts.append(table.read(identity, ".", "header") or "")
            if len(texts) == 2 and texts[0] != texts[1]:  # one part alone reads alike both ways
                for number, text in enumerate(texts):
                    if text.startswith(_ROOTS) and not text.endswith((".UnityEngine", ".Unity", ".System")):
                        return number == 1
        return False

    def _dotted_names(self) -> Iterator[int]:
        """Yield string ids of some type names, which contain dots.

        They name the providers, the types of the first keys, and the types that load the first keys. A catalog that was
        converted from one of before 0.6 has no providers.
        """
        kinds: list[int] = []
        with suppress(AddressablesError):  # reported where it is read
            providers = self._array(self._header[4], "header.initObjectsArray")[:_PROBED]
            offsets = (self._header[2], self._header[3], *providers)
            kinds += [_U32.unpack_from(self.data, at + 4)[0] for at in offsets if at <= self._size - 12]
        locations: list[int] = []
        for number in range(0, min(len(self._pairs), 2 * _PROBED), 2):
            key, named = self._pairs[number : number + 2]
            if key <= self._size - 8:
                kinds.append(_U32.unpack_from(self.data, key)[0])
            with suppress(AddressablesError):
                locations += self._array(named, "keys.locations")[:1]
        for kind in kinds:
            if kind <= self._size - 8:
                yield from _PAIR.unpack_from(self.data, kind)
        for offset in locations:
            if offset <= self._size - _LOCATION.size:
                yield _LOCATION.unpack_from(self.data, offset)[2]

    # --- objects -----------------------------------------------------------------------------------------------

    def _object(self, offset: int, field: str) -> Data:
        """Return the object at an offset: a key, or a location's data."""
        if offset == NULL:
            return None
        kind_offset, value = _PAIR.unpack_from(self.data, self._need(offset, 8, field))
        kind = self.type_name(kind_offset, f"{field}.type")
        if kind is None:
            raise AddressablesError("has no type", offset=offset, field=field)
        name = kind.name
        if name == "System.String":
            return self._string_object(value, field)
        if value == NULL:
            return Opaque(kind, None)
        if name.endswith("AssetBundleRequestOptions"):
            return self._options(value, kind, field)
        data = self.data
        if name == "System.Int32":
            number: int = unpack_from("<i", data, self._need(value, 4, field))[0]
            return number
        if name == "System.Int64":
            return Number(unpack_from("<q", data, self._need(value, 8, field))[0], "Int64")
        if name == "System.Boolean":
            return Number(int(data[self._need(value, 1, field)] != 0), "Boolean")
        if name == "UnityEngine.Hash128":
            self._need(value, 16, field)
            return Hash128(data[value : value + 16].hex())
        if name.endswith(".ProviderLoadRequestOptions"):
            ignore, timeout, path = unpack_from("<BxxxiI", data, self._need(value, 12, field))
            return LoadRequestOptions(bool(ignore), timeout, self.strings.read(path, "/", f"{field}.cachePath"))
        if name.endswith(".ContentDirectoryAssetData"):
            asset, scene, ids, path = unpack_from("<iiII", data, self._need(value, 16, field))
            sub_ids = self._array(ids, f"{field}.subIds") if ids else ()
            text = self.strings.read(path, "/", f"{field}.loadPath") if path else None
            return DirectoryAsset(asset, scene, sub_ids, text)
        return Opaque(kind, value)

    def _string_object(self, value: int, field: str) -> str:
        if value == NULL:
            return ""  # the writer stores null for an empty string
        identity, separator = _KEY_TEXT.unpack_from(self.data, self._need(value, 8, field))
        return self.strings.read(identity, chr(separator) if separator else "", field) or ""

    def _options(self, offset: int, kind: TypeName, field: str) -> BundleOptions:
        hash_at, name, crc, size, common = _OPTIONS.unpack_from(self.data, self._need(offset, 20, field))
        timeout, redirects, retries, flags = (
            _COMMON.unpack_from(self.data, self._need(common, 8, f"{field}.common")) if common != NULL else (0, 0, 0, 0)
        )
        if hash_at == NULL:
            digits = "0" * 32
        else:
            self._need(hash_at, 16, f"{field}.hash")
            digits = self.data[hash_at : hash_at + 16].hex()
        return BundleOptions(
            digits,
            crc,
            timeout,
            flags & 2 != 0,
            redirects,
            retries,
            self.strings.read(name, "_", f"{field}.bundleName"),
            flags & 1,
            size,
            flags & 4 != 0,
            flags & 8 != 0,
            flags & 16 != 0,
            (),
            kind,
        )

    def known_types(self) -> Iterable[TypeName]:
        """Return the types that were decoded so far."""
        return self._types.values()

    def chains_tail_first(self) -> bool:
        """Whether the first string's parts are stored backwards (3.1 and later)."""
        if not self.reversed_chains:
            return False
        return chains_written_tail_first(self.data, (self._header[2], self._header[3]))

    def has_narrow_unicode(self) -> bool:
        """Whether a string without characters above 255 is UTF-16 (2.9 and later)."""
        if not self._all_read:
            for _ in self.locations():
                pass
        return self.strings.narrow_unicode

    # --- keys --------------------------------------------------------------------------------------------------

    def _read_keys(self) -> list[Key]:
        """Decode every key.

        Nearly all are text in the form that the package's writer gives them: {string, separator}, {type, value}.
        """
        data, size, text = self.data, self._size, self.strings.text
        key_at, length_at, read = _KEY.unpack_from, _U32.unpack_from, self.strings.read
        string_type = NULL  # where the type System.String is; a catalog has it once
        chains = {number: self.strings.quick(chr(number)) for number in b"/\\.-_,"}
        keys: list[Key] = []
        add = keys.append
        offsets = self._pairs[::2]
        inside = bool(offsets) and min(offsets) >= _KEY.size - 8 and max(offsets) <= size - 8
        for offset in offsets:
            try:
                if inside:
                    before, identity, separator, kind, value = key_at(data, offset - 44)
                    if kind == string_type and value == offset - 8:
                        if not separator and before == 32 and identity == offset - 40:
                            key = text[identity:value]
                            if key.isascii():
                                add(key)
                                continue
                        elif separator in chains and identity & FLAGS == CHAIN_FLAG:
                            add(
                                chains[separator](identity & OFFSET_MASK)
                                or read(identity, chr(separator), "keys")
                                or ""
                            )
                            continue
                        elif not identity & FLAGS and 4 <= identity <= size:  # or before 1.28: noted, but not split
                            length = length_at(data, identity - 4)[0]
                            key = text[identity : identity + length] if length <= BRIEF else ""
                            if len(key) == length and key.isascii():
                                add(key)
                                continue
                add(self._object(offset, "keys"))  # type: ignore[arg-type]
            except AddressablesError as error:
                self.fault("key", error.what, f"keys[{len(keys)}]", error.offset)
                add(None)
            else:
                kind = length_at(data, offset)[0] if offset <= size - 8 else NULL
                if kind in self._types and self._types[kind].name == "System.String":
                    string_type = kind
        return keys

    def key_type(self, key_number: int) -> str:
        """Return a key's class, such as ``System.String``; "" where it is unreadable."""
        offset = self._pairs[2 * key_number]
        try:
            kind = self.type_name(_U32.unpack_from(self.data, self._need(offset, 8, "keys"))[0], f"keys[{key_number}]")
        except AddressablesError as error:
            self.report(error, "type")
            return ""
        return kind.name if kind is not None else ""

    # --- locations ---------------------------------------------------------------------------------------------

    def _load(self) -> list[int]:
        """Find all locations: first the keys', in file order, then their dependencies."""
        if self._loaded:
            return self._offsets
        self._loaded = True
        found: set[int] = set()
        seen = set(self._pairs[1::2])
        offsets, data = self._offsets, self.data
        pair, size = _PAIR.unpack_from, self._size
        several = seen
        if seen and min(seen) >= 4 and max(seen) <= size - 4:
            # Nine keys of ten name one location.
            several = set()
            add = found.add
            for offset in seen:
                length, first = pair(data, offset - 4)
                if length == 4:
                    add(first)
                else:
                    several.add(offset)
        for offset in several:
            try:
                found.update(self._array(offset, "keys.locations"))
            except AddressablesError as error:
                self.report(error, "array")
        array_at = _U32.unpack_from
        last = size - _LOCATION.size
        tried: set[int] = set()
        while found:
            tried |= found
            group = sorted(found)
            while group and group[-1] > last:
                offset = group.pop()
                self.fault("index", f"points to {offset}, {_LOCATION.size} bytes do not fit", "locations", offset)
            offsets += group
            needed: set[int] = set()
            arrays = {array_at(data, offset + 12)[0] for offset in group} - seen
            seen |= arrays
            for array_offset in arrays:
                try:
                    needed.update(self._array(array_offset, "locations.dependencies"))
                except AddressablesError as problem:
                    self.report(problem, "array")
            found = needed - tried
        return offsets

    @property
    def location_count(self) -> int:
        """The number of different locations; the writer merges equal ones."""
        return len(self._load())

    def offset(self, index: int) -> int:
        """Return where in the file a location is."""
        return self._load()[index]

    def row(self, index: int) -> tuple[int, int, int, int, int, int, int]:
        """Return the numbers of a location as they are stored."""
        offsets = self._load()
        if not 0 <= index < len(offsets):
            raise IndexError(index)
        return _LOCATION.unpack_from(self.data, offsets[index])

    def locations(self) -> Iterator[Location]:
        """Yield every location in table order, three times as fast as ``location``."""
        offsets, data = self._load(), self.data
        unpack, read, path = _LOCATION.unpack_from, self.strings.read, self.strings.quick("/")
        providers: dict[int, str] = {}
        types = self._types
        arrays, objects = self._dependencies, self._objects
        make = tuple.__new__  # a named tuple's own constructor takes twice as long
        primary_id, primary = NULL, None
        internal_id, internal = NULL, None
        text, length_at, size = self.strings.text, _U32.unpack_from, self._size
        for index, offset in enumerate(offsets):
            first, identity, provider_id, needs_at, dependency_hash, object_at, type_at = unpack(data, offset)
            try:
                if first != primary_id:
                    primary_id = first
                    primary = None
                    if first & FLAGS == CHAIN_FLAG:
                        primary = path(first & OFFSET_MASK)
                    elif not first & FLAGS and 4 <= first <= size:
                        length = length_at(data, first - 4)[0]
                        if length <= BRIEF:
                            primary = text[first : first + length]
                            if len(primary) != length or not primary.isascii():
                                primary = None
                    if primary is None:
                        primary = read(first, "/", "")
                if identity == first:
                    internal = primary
                elif identity != internal_id:
                    internal = path(identity & OFFSET_MASK) if identity & FLAGS == CHAIN_FLAG else None
                    if internal is None:
                        internal = read(identity, "/", "")
                internal_id = identity
                provider = providers.get(provider_id)
                if provider is None:
                    provider = providers[provider_id] = read(provider_id, ".", "") or ""
                kind = types.get(type_at) or self.type_name(type_at, "")
            except AddressablesError:
                primary_id, primary = NULL, None
                internal_id, internal = NULL, None
                yield self.location(index)  # raises with the place, or salvages
                continue
            needed = arrays.get(needs_at)
            if needed is None:
                needed = self._indices(needs_at, f"locations[{index}].dependencies")
            value = objects.get(object_at)
            if value is None and object_at != NULL:
                value = self.location_data(index)
            yield make(Location, (index, primary, internal or "", provider, kind, None, dependency_hash, needed, value))
        self._all_read = True

    def _indices(self, array_offset: int, field: str) -> tuple[int, ...]:
        found = self._dependencies.get(array_offset)
        if found is None:
            numbers = self._numbers
            if not numbers and self._load():
                numbers = self._numbers = dict(zip(self._offsets, range(len(self._offsets)), strict=True))
            if 4 <= array_offset <= self._size - 4:  # one location, the common case
                length, only = _PAIR.unpack_from(self.data, array_offset - 4)
                if length == 4 and only in numbers:
                    found = (numbers[only],)
                    if len(self._dependencies) < _KEPT:
                        self._dependencies[array_offset] = found
                    return found
            try:
                offsets = self._array(array_offset, field)
            except AddressablesError as error:
                self.report(error, "array")
                offsets = ()
            try:
                found = tuple(map(numbers.__getitem__, offsets))
            except KeyError:  # salvage left some out
                found = tuple(numbers[offset] for offset in offsets if offset in numbers)
            if len(found) > _SMALL or len(self._dependencies) < _KEPT:
                self._dependencies[array_offset] = found
        return found

    def key_locations(self, key_number: int) -> Sequence[int]:
        """Return the locations of the key at an index of ``keys``.

        A location that stands for two equal entries appears twice.
        """
        return self._indices(self._pairs[key_number * 2 + 1], f"keys[{key_number}].locations")

    def _column(self, index: int, column: int, separator: str, field: str) -> str:
        identity = self.row(index)[column]
        try:
            return self.strings.required(identity, separator, field)
        except AddressablesError as error:
            self.fault("string", error.what, f"locations[{index}].{field}", error.offset)
            return ""

    def primary_key(self, index: int) -> str | None:
        """Return a location's primary key; None where it is not text."""
        return None if self.row(index)[0] == NULL else self._column(index, 0, "/", "primaryKey")

    def internal_id(self, index: int) -> str:
        """Return the internal id of a location."""
        return self._column(index, 1, "/", "internalId")

    def provider(self, index: int) -> str:
        """Return the provider id of a location."""
        return self._column(index, 2, ".", "provider")

    def type(self, index: int) -> TypeName | None:
        """Return the type of a location."""
        try:
            return self.type_name(self.row(index)[6], f"locations[{index}].type")
        except AddressablesError as error:
            self.report(error, "type")
            return None

    def dependency_key(self, index: int) -> Key:  # noqa: ARG002 - a binary catalog lists the locations themselves
        """Return None: a binary catalog lists dependencies without a key."""
        return None

    def dependency_hash(self, index: int) -> int:
        """Return the stored hash, which every writer leaves 0."""
        return self.row(index)[4]

    def dependencies(self, index: int) -> tuple[int, ...]:
        """Return the locations that a location needs."""
        return self._indices(self.row(index)[3], f"locations[{index}].dependencies")

    def dependency_place(self, index: int) -> int:
        """Return the offset of a location's dependencies."""
        return self.row(index)[3]

    def location_data(self, index: int) -> Data:
        """Return the object that a location hands to its provider."""
        offset = self.row(index)[5]
        found = self._objects.get(offset)
        if found is None and offset != NULL:
            try:
                found = self._object(offset, f"locations[{index}].data")
            except AddressablesError as error:
                self.report(error, "data")
                return None
            self._objects[offset] = found
        return found
