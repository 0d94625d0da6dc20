"""Reader of JSON catalogs: packages 0.1 to 4.x.

The object holds lists of names and four base64 strings: keys (tagged objects), buckets (for each key the offset of its
object and the entries it names), entries (rows of int32) and extra data (tagged objects). Rows have 7 columns since
1.1.3, 5 in 0.7 and 0.8, 4 before; the width is what the length says.

Made for speed, in pairs with the quickest other reader: the four base64 strings are cut out of the bytes before the
rest is parsed as JSON (they are 80 % of a file; 5.1 ms against 1.3 on a file of 3.7 MB), the extra data, half of a
file, is decoded only on use, and the common case of the key table, contiguous ASCII text, is sliced from one
decoded string.
"""

from __future__ import annotations

import re
from array import array
from binascii import Error as Base64Error
from binascii import a2b_base64
from contextlib import suppress
from operator import itemgetter
from struct import Struct
from sys import byteorder
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.addressables.catalog import Catalog
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.json.tagged import TAG_NAMES, read_tagged
from assetdb_formats.addressables.json.text import parse_object
from assetdb_formats.addressables.model import Location, ProviderData, TypeName, key_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb_formats.addressables.model import Data, Key

_LENGTH: Final = Struct("<i")
_WIDTHS: Final = (7, 5, 4)
_HEADER: Final = 5  # bytes of a text key before its text: tag and length
_HEADS: Final = [f"\0{chr(size & 0xFF)}{chr(size >> 8)}\0\0" for size in range(1024)]  # by length of the text
_RUN: Final = 64
_KEYS_AT_ONCE: Final = 8192  # slicing keys takes several times the memory of the keys themselves
_TEXT_FREE: Final = 1 << 20  # characters that a small file may expand to
_TEXT_PER_BYTE: Final = 8  # characters of prefixes; real catalogs have a fifth of one


class JsonCatalog(Catalog):
    """A JSON catalog.

    A location is what a key leads to: where it is, what it is, and which other locations it needs.

    >>> with open("Game_Data/StreamingAssets/aa/catalog.json", "rb") as file:
    ...     catalog = JsonCatalog(file.read())
    >>> (number,) = catalog.locate("Prefabs/Hero.prefab")
    >>> [catalog.bundle(needed).bundle_name for needed in catalog.dependencies(number)]
    ['group_3_assets', 'group_1_assets']

    ``fields`` is the parsed object with the four base64 strings emptied.

    ``width`` is the number of columns of an entry (7, 5 or 4), ``lower_case`` whether the field names are as in 0.x,
    ``key_texts`` the ``m_Keys`` of 1.1.3 to 1.16.7 or None, ``prefixes`` the ``m_InternalIdPrefixes`` or None.
    ``primary_keys`` is the list that the primary key column indexes: ``keys``, or ``m_Keys`` where the two differ.
    """

    kind = "json"

    def __init__(self, data: bytes, *, salvage: bool = False, intended_prefixes: bool = False) -> None:
        """Read the tables and the keys.

        ``intended_prefixes`` expands ``N#rest`` at the first ``#``, as the writer meant it; Unity's own reader takes
        the last one, and so leaves the ids of files with a ``#`` in their name unexpanded.
        Raises AddressablesError; with ``salvage`` only where nothing at all can be read.
        """
        self.data = data
        self.problems = []
        self.compared = {}
        self._salvage = salvage
        self._intended = intended_prefixes
        self.fields, self._encoded = parse_object(data, self.report)
        fields = self.fields
        if not any(name.lower() in ("m_providerids", "m_internalids", "m_keydatastring") for name in fields):
            # settings.json and buildlayout.json lie beside a catalog and are easily taken for it.
            self.fault("no-catalog", "is a JSON object, but not a catalog", offset=0)
        self.lower_case = "m_keyDataString" in fields and "m_KeyDataString" not in fields
        self.locator_id = self._text("m_LocatorId")
        self.build_result_hash = self._text("m_BuildResultHash")
        self.instance_provider = self._provider(fields.get("m_InstanceProviderData"), "m_InstanceProviderData")
        self.scene_provider = self._provider(fields.get("m_SceneProviderData"), "m_SceneProviderData")
        self.resource_providers = tuple(
            provider
            for number, value in enumerate(self._list("m_ResourceProviderData", required=False))
            if (provider := self._provider(value, f"m_ResourceProviderData[{number}]")) is not None
        )
        self.provider_ids = self._texts("m_providerIds" if self.lower_case else "m_ProviderIds")
        self.internal_ids = self._texts("m_internalIds" if self.lower_case else "m_InternalIds")
        self.key_texts = self._texts("m_Keys") if isinstance(fields.get("m_Keys"), list) else None
        prefixes = fields.get("m_InternalIdPrefixes")
        self.prefixes = self._texts("m_InternalIdPrefixes") if prefixes is not None else None
        self._check_prefixes()
        self.types = [
            self._type(value, f"m_resourceTypes[{number}]")
            for number, value in enumerate(self._list("m_resourceTypes", required=False))
        ]
        self._buckets, self._starts = self._read_buckets()
        self._key_tags = array("h")  # -1 of a key outside the key data
        self.keys = self._read_keys(self.blob("KeyData"))
        # The packages that wrote m_Keys put every key there, as text; Unity reads any that it has.
        same = self.key_texts is None or self.key_texts == list(map(key_text, self.keys))
        self.primary_keys: Sequence[Key] = self.keys if same else self.key_texts or []
        self._entries, self.width = self._read_entries()
        self._limits = self._column_limits()
        self._checked: set[int] = set()
        self._extra: bytes | None = None
        self._extra_left = 0
        self._objects: dict[int, Data] = {}

    # --- the JSON object ---------------------------------------------------------------------------------------

    def _part_of(self, field: str) -> str:
        return field.partition("[")[0].partition(".")[0] or "file"

    def _text(self, name: str) -> str | None:
        value = self.fields.get(name)
        if value is None or isinstance(value, str):
            return value
        self.fault("wrong-type", f"is {type(value).__name__}, not text", name)
        return None

    def _list(self, name: str, *, required: bool) -> list[Any]:
        value = self.fields.get(name)
        if isinstance(value, list):
            return value
        if value is None and not required:
            return []
        wrong = "is missing" if value is None else f"is {type(value).__name__}, not a list"
        self.fault("missing-field" if value is None else "wrong-type", wrong, name)
        return []

    def _texts(self, name: str) -> list[str]:
        values = self._list(name, required=True)
        if not {*map(type, values)} <= {str}:
            for number, value in enumerate(values):
                if not isinstance(value, str):
                    self.fault("wrong-type", "is not text", f"{name}[{number}]")
                    values[number] = ""
        return values

    def _type(self, value: object, field: str) -> TypeName:
        if isinstance(value, dict):
            assembly, name = value.get("m_AssemblyName"), value.get("m_ClassName")
            if isinstance(name, str) and (assembly is None or isinstance(assembly, str)):
                return TypeName(assembly, name)
        self.fault("wrong-type", "is not a type", field)
        return TypeName(None, "")

    def _provider(self, value: object, field: str) -> ProviderData | None:
        if value is None:
            return None
        if not isinstance(value, dict):
            self.fault("wrong-type", "is not an object", field)
            return None
        identity, text, kind = value.get("m_Id"), value.get("m_Data"), value.get("m_ObjectType")
        if (identity is not None and not isinstance(identity, str)) or (text is not None and not isinstance(text, str)):
            self.fault("wrong-type", "has an id or data that is not text", field)
            return None
        return ProviderData(identity, None if kind is None else self._type(kind, f"{field}.m_ObjectType"), text)

    def blob_name(self, blob: str) -> str:
        """Return this file's spelling of a base64 field's name (``KeyData``, ...)."""
        return f"m_{blob[0].lower() if self.lower_case else blob[0]}{blob[1:]}String"

    def blob(self, blob: str) -> bytes:
        """Decode one of the four base64 strings."""
        name = self.blob_name(blob)
        encoded = self._encoded.get(name)
        if encoded is None:
            self.fault("missing-field", "is missing", name)
            return b""
        raw, why = _decoded(encoded)
        if why:
            self.fault("base64", f"is not base64 ({why})", name)
        return raw

    def key_data(self) -> bytes:
        """Decode the keys' bytes again.

        Their faults were reported when the keys were read. They are not kept: of a catalog of 45 MB they are 13.
        """
        return _decoded(self._encoded.get(self.blob_name("KeyData"), b""))[0]

    # --- the tables --------------------------------------------------------------------------------------------

    def _words(self, blob: str, code: str) -> tuple[array[int], bytes]:
        raw = self.blob(blob)
        name = self.blob_name(blob)
        if len(raw) % 4:
            self.fault("truncated", f"{len(raw)} bytes are not a number of int32", name)
        words = array(code)
        words.frombytes(raw[: len(raw) // 4 * 4])
        if byteorder == "big":
            words.byteswap()
        if not words:
            self.fault("truncated", "has no count", name, 0)
            words.append(0)
        return words, raw

    def _read_buckets(self) -> tuple[array[int], array[int]]:
        """Return the bucket table as u32 words, and each bucket's start."""
        words, _ = self._words("BucketData", "I")
        name = self.blob_name("BucketData")
        count, size = words[0], len(words)
        if count > (size - 1) // 2:
            signed = count - (1 << 32) if count >> 31 else count
            self.fault("count", f"counts {signed} buckets, {size * 4 - 4} bytes are left", name, 0)
        starts = array("I")
        add = starts.append
        at, previous = 1, -1
        try:
            while at < size:
                add(at)
                entries = words[at + 1]
                at += entries + 2
                if entries == previous:
                    # Runs of equal buckets are stepped over 64 at a time: oddrealm's 31,574 buckets are 150 runs
                    # (3.3 ms bucket by bucket, 0.6 so).
                    step = entries + 2
                    block = step * _RUN
                    same = (array("I", (entries,)) * _RUN).tobytes()
                    while words[at + 1 : at + 1 + block : step].tobytes() == same:
                        starts.extend(range(at, at + block, step))
                        at += block
                    previous = -1
                else:
                    previous = entries
        except (IndexError, OverflowError):
            at = 0
        if at != size or len(starts) != count:
            starts = self._broken_buckets(words, name)
        return words, starts

    def _broken_buckets(self, words: array[int], name: str) -> array[int]:
        """Find the fault in the bucket table; return the buckets before it."""
        starts = array("I")
        count, size, at = words[0], len(words), 1
        while len(starts) < count:
            if size - at < 2:
                self.fault("truncated", "needs 8 bytes", f"{name}[{len(starts)}]", at * 4)
                return starts
            entries = words[at + 1]
            if entries > size - at - 2:
                what = f"counts {entries} entries, {(size - at - 2) * 4} bytes are left"
                self.fault("count", what, f"{name}[{len(starts)}].entries", at * 4 + 4)
                return starts
            starts.append(at)
            at += 2 + entries
        if at != size:
            self.fault("left-over", f"{(size - at) * 4} bytes are left over", name, at * 4)
        return starts

    def _read_keys(self, blob: bytes) -> list[Key]:
        starts = self._starts
        name = self.blob_name("KeyData")
        size = len(blob)
        if size < 4:
            self.fault("truncated", "has no count", name, 0)
            self._key_tags.extend(self._tag(blob, at) for at in range(len(starts)))
            return [None] * len(starts)
        stored = _LENGTH.unpack_from(blob)[0]
        if stored < len(starts):
            self.fault("count", f"counts {stored} keys for {len(starts)} buckets", name, 0)
        if not starts:
            return []
        # Every package writes keys one behind the other, nearly all as ASCII text: then a key is the slice up to the
        # next one, if tag and length before it agree (0.25 us a key; 0.9 for one call of read_tagged).
        keys: list[Key] = []
        for first in range(0, len(starts), _KEYS_AT_ONCE):
            own = starts[first : first + _KEYS_AT_ONCE]
            offsets: tuple[int, ...] = itemgetter(*own, own[0])(self._buckets)[:-1]
            after = first + len(own)
            found = self._slice_keys(
                blob, first, offsets, self._buckets[starts[after]] if after < len(starts) else size
            )
            if found is None:
                self._key_tags = array("h", (self._tag(blob, at) for at in range(len(starts))))
                return self._decode_keys(blob, [self._buckets[start] for start in starts], name)
            keys += found
        return keys

    def _tag(self, blob: bytes, key_number: int) -> int:
        offset = self.key_offset(key_number)
        return blob[offset] if offset < len(blob) else -1

    def _slice_keys(self, blob: bytes, first: int, offsets: Sequence[int], end: int) -> list[Key] | None:
        """Return keys that lie one behind another; None if they do not.

        Their tags are added to ``_key_tags``.
        """
        name = self.blob_name("KeyData")
        if offsets[0] < 4 or offsets[-1] > end or end > len(blob) or list(offsets) != sorted(offsets):
            return None
        base = offsets[0]
        own = blob[base:end]
        try:
            tags = bytes(itemgetter(*offsets, base)(blob)[:-1])
        except IndexError:
            return None
        text = own.decode("latin-1")
        places = [at - base for at in offsets]
        ends = (*places[1:], end - base)
        keys: list[Key] = [text[at + _HEADER : stop] for at, stop in zip(places, ends, strict=True)]
        other = [found.start() for found in re.finditer(rb"[^\0]", tags)] if tags.count(0) != len(tags) else []
        # Writing the table again from the slices proves every tag and length at once (1.4 ms, each by itself 2.8).
        pieces: list[Key] = [""]
        pieces *= 2 * len(keys)
        try:
            pieces[::2] = map(_HEADS.__getitem__, map(len, keys))  # type: ignore[arg-type]
        except IndexError:
            return None
        pieces[1::2] = keys
        for number in other:
            pieces[2 * number] = ""
            pieces[1 + 2 * number] = text[places[number] : ends[number]]
            keys[number] = ""
        if "".join(pieces) != text or not (own.isascii() or all(map(str.isascii, keys))):  # type: ignore[arg-type]
            return None
        for number in other:
            keys[number] = self._decode_key(blob, offsets[number], f"{name}[{first + number}]")
        self._key_tags.extend(tags)
        return keys

    def _decode_key(self, blob: bytes, offset: int, field: str) -> Key:
        try:
            return read_tagged(blob, offset, field)[0]  # type: ignore[return-value]
        except AddressablesError as error:
            self.report(error, "key")
            return None

    def _decode_keys(self, blob: bytes, offsets: Sequence[int], name: str) -> list[Key]:
        # Keys that overlap could expand to a key blob for every bucket.
        left = _TEXT_FREE + 2 * len(blob)
        keys: list[Key] = []
        for number, offset in enumerate(offsets):
            key = self._decode_key(blob, offset, f"{name}[{number}]")
            left -= len(key) if isinstance(key, str) else 0
            if left < 0:
                raise AddressablesError("the keys overlap and expand to more than the file", offset=offset, field=name)
            keys.append(key)
        return keys

    def _read_entries(self) -> tuple[array[int], int]:
        words, raw = self._words("EntryData", "i")
        name = self.blob_name("EntryData")
        count, held = words[0], len(words) - 1
        width = 4 if self.lower_case else 7
        if count == 0 and not held:
            return array("i"), width
        for guess in _WIDTHS:
            if count * guess == held:
                width = guess
                break
        else:
            what = f"counts {count} entries, which {len(raw) - 4} bytes do not hold at 28, 20 or 16 bytes each"
            self.fault("count", what, name, 0)
            held = max(0, min(count, held // width)) * width
        del words[1 + held :], words[0]
        return words, width

    # --- what is read -------------------------------------------------------------------------------------------

    @property
    def location_count(self) -> int:
        """How many entries there are."""
        return len(self._entries) // self.width

    @property
    def has_types(self) -> bool:
        """Whether entries have types and primary keys: if they have 7 columns."""
        return self.width == 7

    def _column_limits(self) -> list[tuple[str, int, int]]:
        """Return the name and the valid range of each column."""
        keys = len(self.keys)
        any_number = (-(1 << 31), 1 << 31)
        limits = [("internalId", 0, len(self.internal_ids)), ("provider", 0, len(self.provider_ids))]
        limits.append(("dependencyKey", -1, keys))
        if self.width > 4:
            limits.append(("dependencyHash", *any_number))
        limits.append(("data", *any_number))
        if self.width == 7:
            limits.append(("primaryKey", 0, len(self.primary_keys)))
            limits.append(("resourceType", 0, len(self.types)))
        return limits

    def row(self, index: int) -> array[int]:
        """Return an entry's checked numbers; salvage replaces dangling ones by -1."""
        width, checked = self.width, self._checked
        if not 0 <= index < len(self._entries) // width:
            raise IndexError(index)
        row = self._entries[index * width : (index + 1) * width]
        if index not in checked:
            for column, (name, low, high) in enumerate(self._limits):
                if not low <= row[column] < high:
                    at = index * width + column
                    field = f"{self.blob_name('EntryData')}[{index}].{name}"
                    self.fault("index", f"{row[column]} is outside {low}..{high - 1}", field, 4 + at * 4)
                    self._entries[at] = row[column] = -1
            checked.add(index)
        return row

    def key_locations(self, key_number: int) -> Sequence[int]:
        """Return the entries in the bucket of a key."""
        start, buckets = self._starts[key_number], self._buckets
        found = buckets[start + 2 : start + 2 + buckets[start + 1]]
        count = len(self._entries) // self.width
        if found and max(found) >= count:
            name = self.blob_name("BucketData")
            good = array("I")
            for at, entry in enumerate(found):
                if entry < count:
                    good.append(entry)
                    continue
                what = f"names entry {entry} of {count}"
                field = f"{name}[{key_number}].entries[{at}]"
                self.fault("index", what, field, (start + 2 + at) * 4)
            return good
        return found

    def locations(self) -> Iterator[Location]:
        """Yield every location in table order, three times as fast as ``location``."""
        if self.width < 7:
            yield from super().locations()
            return
        keys, types, providers, entries = self.keys, self.types, self.provider_ids, self._entries
        primaries = self.primary_keys
        known: dict[int, str] = {}
        needs: dict[int, tuple[int, ...]] = {-1: ()}
        objects = self._objects
        make = tuple.__new__  # a named tuple's own constructor takes twice as long
        for index, row in enumerate(zip(*[iter(entries)] * 7, strict=True)):
            identity, provider, needed, dependency_hash, data, primary, kind = row
            if identity < 0 or provider < 0 or needed < -1 or primary < 0 or kind < 0:
                yield self.location(index)  # raises with the place, or salvages
                continue
            try:
                internal = known.get(identity)
                if internal is None:
                    internal = known[identity] = self.expand(self.internal_ids[identity])
                others = needs.get(needed)
                if others is None:
                    others = needs[needed] = tuple(self.key_locations(needed))
                key = primaries[primary]
                row_of_facts = (
                    index, key if type(key) is str else None if key is None else str(key), internal,
                    providers[provider], types[kind], keys[needed] if needed >= 0 else None, dependency_hash, others,
                    None if data < 0 else objects[data] if data in objects else self._object(data),
                )  # fmt: skip
            except IndexError:
                yield self.location(index)
            else:
                yield make(Location, row_of_facts)

    def key_type(self, key_number: int) -> str:
        """Return the name of the tag before a key, such as ``AsciiString``."""
        tag = self._key_tags[key_number]
        return TAG_NAMES.get(tag, f"tag {tag}")

    def key_offset(self, key_number: int) -> int:
        """Return where in the key data a key begins."""
        return self._buckets[self._starts[key_number]]

    def primary_key(self, index: int) -> str | None:
        """Return an entry's first key; None in rows without the column."""
        row = self.row(index)
        if self.width < 7 or row[5] < 0:
            return None
        key = self.primary_keys[row[5]]
        return None if key is None else str(key)

    def raw_internal_id(self, index: int) -> str:
        """Return the stored internal id of an entry, its prefix not expanded."""
        number = self.row(index)[0]
        return self.internal_ids[number] if number >= 0 else ""

    def internal_id(self, index: int) -> str:
        """Return the internal id of an entry, its prefix expanded."""
        return self.expand(self.raw_internal_id(index))

    def expand(self, stored: str, *, intended: bool = False) -> str:
        """Expand ``N#rest`` with prefix N; anything else is returned as it is."""
        if not self.prefixes:
            return stored
        prefix, rest = self._split(stored, first=intended or self._intended)
        return prefix + rest

    def _split(self, stored: str, *, first: bool) -> tuple[str, str]:
        """Split a stored id into the prefix it names and the remainder."""
        prefixes = self.prefixes or []
        at = stored.find("#") if first else stored.rfind("#")
        if at < 0:
            return "", stored
        digits = stored[:at].strip(" \t\n\v\f\r")  # int.TryParse allows white space and a sign
        bare = digits[1:] if digits[:1] in ("+", "-") else digits
        if not (bare.isascii() and bare.isdigit()) or len(bare) > 10:
            return "", stored
        number = int(digits)
        if not 0 <= number < len(prefixes):
            if not self._salvage and number <= 0x7FFFFFFF:
                raise AddressablesError(f"names prefix {number} of {len(prefixes)}", field="m_InternalIds")
            return "", stored
        return prefixes[number], stored[at + 1 :]

    def _check_prefixes(self) -> None:
        """Refuse ids that expand to far more than the file."""
        most = _TEXT_FREE + _TEXT_PER_BYTE * len(self.data)
        if not self.prefixes or max(map(len, self.prefixes)) * len(self.internal_ids) <= most:
            return
        size = 0
        for stored in self.internal_ids:
            with suppress(AddressablesError):  # raised where the id is read
                size += len(self._split(stored, first=self._intended)[0])
        if size > most:
            self.fault("prefix", "the prefixes expand to far more than the file", "m_InternalIdPrefixes")
            self.prefixes = None

    def provider(self, index: int) -> str:
        """Return the provider id of an entry."""
        number = self.row(index)[1]
        return self.provider_ids[number] if number >= 0 else ""

    def type(self, index: int) -> TypeName | None:
        """Return an entry's type; None in rows of 4 and 5 columns."""
        row = self.row(index)
        return self.types[row[6]] if self.width == 7 and row[6] >= 0 else None

    def dependency_key(self, index: int) -> Key:
        """Return the key that names the dependencies of an entry."""
        number = self.row(index)[2]
        return self.keys[number] if number >= 0 else None

    def dependency_hash(self, index: int) -> int:
        """Return the stored dependency hash; 0 in rows of 4 columns."""
        return self.row(index)[3] if self.width > 4 else 0

    def dependencies(self, index: int) -> tuple[int, ...]:
        """Return the entries in the bucket of the dependency key."""
        number = self.row(index)[2]
        return tuple(self.key_locations(number)) if number >= 0 else ()

    def dependency_place(self, index: int) -> int:
        """Return the number of a location's dependency key."""
        return self.row(index)[2]

    def location_data(self, index: int) -> Data:
        """Return the extra data of an entry."""
        offset = self.row(index)[3 if self.width == 4 else 4]
        return self._object(offset) if offset >= 0 else None

    def _object(self, offset: int) -> Data:
        found = self._objects.get(offset)
        if found is None:
            try:
                found = self._objects[offset] = self._read_object(offset)
            except AddressablesError as error:
                self.report(error, "data")
        return found

    def _read_object(self, offset: int) -> Data:
        name = self.blob_name("ExtraData")
        if self._extra is None:
            self._extra = self.blob("ExtraData")
            self._extra_left = _TEXT_FREE + 2 * len(self._extra)
        if self._extra_left < 0:
            raise AddressablesError("the objects overlap and expand to more than the file", offset=offset, field=name)
        found, end = read_tagged(self._extra, offset, name)
        self._extra_left -= end - offset
        return found


def _decoded(encoded: bytes | memoryview) -> tuple[bytes, str]:
    """Return the decodable bytes of base64 text, and its fault or ``""``."""
    try:
        return a2b_base64(encoded, strict_mode=bool(encoded)), ""
    except (Base64Error, ValueError) as error:
        why = str(error)
    try:
        return a2b_base64(encoded[: len(encoded) // 4 * 4]), why
    except (Base64Error, ValueError):
        return b"", why
