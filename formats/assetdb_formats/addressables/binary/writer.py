"""Writer of binary catalogs, byte for byte as Unity's packages write them.

Values are appended in the order in which the writer comes to them, and equal bytes are written once whatever their
kind: an offset is the place of the first value that had these bytes.
"""

from __future__ import annotations

import re
from struct import Struct
from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.binary.reader import MAGIC
from assetdb_formats.addressables.binary.strings import CHAIN_FLAG, NULL, UNICODE_FLAG
from assetdb_formats.addressables.errors import UnwritableError
from assetdb_formats.addressables.json.tagged import bundle_options
from assetdb_formats.addressables.model import (
    RESOURCE_MANAGER_ASSEMBLY,
    BundleOptions,
    DirectoryAsset,
    Hash128,
    JsonObject,
    LoadRequestOptions,
    Number,
    Opaque,
    Problem,
    TypeName,
    full_type,
)

if TYPE_CHECKING:
    from assetdb_formats.addressables.editing.content import Content, Entry
    from assetdb_formats.addressables.flavour import BinaryFlavour
    from assetdb_formats.addressables.model import Data, Key, ProviderData

_U32: Final = Struct("<I")
_PAIR: Final = Struct("<II")
_TRIPLE: Final = Struct("<III")
_KEY_TEXT: Final = Struct("<IHxx")
_LOCATION: Final = Struct("<4Ii2I")
_OPTIONS: Final = Struct("<5I")
_COMMON: Final = Struct("<hBBi")
_NODE_SIZE: Final = 8  # a part shorter than a chain node is not worth one
_LIMIT: Final = 0x3FFFFFFF  # offsets have 30 bits
_SEPARATORS: Final = "/\\.-_,"
_OLD_SEPARATORS: Final = "/.-_\\,"
_CORE_ASSEMBLIES: Final = ("mscorlib", "System.Private.CoreLib", "netstandard")
_ASSEMBLY_DETAILS: Final = re.compile(r", Version=[^,\]]*, Culture=[^,\]]*, PublicKeyToken=[^,\]]*")
_CORE_MODULE: Final = "UnityEngine.CoreModule, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null"
_PROVIDERS_NAMESPACE: Final = "UnityEngine.ResourceManagement.ResourceProviders"


def encode_binary(content: Content, flavour: BinaryFlavour) -> tuple[bytes, list[Problem]]:
    """Return the bytes of a binary catalog, and the losses.

    Raises UnwritableError for content without any form in it: dependencies in a circle, over 1 GiB.
    """
    writer = _Writer(content, flavour)
    return writer.write(), writer.losses()


class _Writer:
    def __init__(self, content: Content, flavour: BinaryFlavour) -> None:
        self._content = content
        self._flavour = flavour
        self._out = bytearray()
        self._written: dict[bytes, int] = {}
        self._types: dict[TypeName, int] = {}
        self._counts: dict[str, int] = {}
        self._keys = content.key_table()
        if content.key_order:
            self._keys = {key: named for key, named in self._keys.items() if named}

    def _lose(self, what: str, by: int = 1) -> None:
        self._counts[what] = self._counts.get(what, 0) + by

    def losses(self) -> list[Problem]:
        """Return each loss: a code, its count and a description."""
        return [
            Problem(what.partition(":")[0], f"{count} {what.partition(':')[2]}") for what, count in self._counts.items()
        ]

    # --- values ------------------------------------------------------------------------------------------------

    def _value(self, raw: bytes) -> int:
        found = self._written.get(raw)
        if found is None:
            found = self._written[raw] = len(self._out)
            self._out += raw
        return found

    def _sized(self, raw: bytes) -> int:
        found = self._written.get(raw)
        if found is None:
            self._out += _U32.pack(len(raw))
            found = self._written[raw] = len(self._out)
            self._out += raw
        return found

    def _array(self, numbers: list[int]) -> int:
        return self._sized(b"".join(map(_U32.pack, numbers)))

    def _is_wide(self, text: str) -> bool:
        return not text.isascii() and ord(max(text)) >= self._flavour.unicode_from

    def _narrow(self, text: str) -> bytes:
        if not text.isascii():
            self._lose("letters:strings with letters that became question marks")
        return text.encode("ascii", "replace")

    def _plain(self, text: str, *, wide: bool | None = None) -> int:
        if self._is_wide(text) if wide is None else wide:
            return UNICODE_FLAG | self._sized(text.encode("utf-16-le", "surrogatepass"))
        return self._sized(self._narrow(text))

    def _string(self, text: str | None, separator: str = "") -> int:
        if text is None:
            return NULL
        if not separator:
            return self._plain(text)
        parts = text.split(separator)
        wide = [self._is_wide(part) for part in parts]
        sizes = [
            len(part.encode("utf-16-le", "surrogatepass")) if is_wide else len(part)
            for part, is_wide in zip(parts, wide, strict=True)
        ]
        between = 1 if self._flavour.tail_first else 0
        if len(parts) < 2 or (len(parts) == 2 and sizes[0] + sizes[1] + between < _NODE_SIZE):
            return self._plain(text)
        joined = self._join_right(parts, wide, sizes, separator)
        if self._flavour.reversed_chains:
            joined = self._join_left(parts, wide, sizes, separator)
        return CHAIN_FLAG | self._chain(joined)

    @staticmethod
    def _join_left(parts: list[str], wide: list[bool], sizes: list[int], separator: str) -> list[tuple[str, bool]]:
        """Join short parts with their predecessors; return the parts, last first."""
        links: list[tuple[str, bool]] = []
        text, is_wide, size = parts[-1], wide[-1], sizes[-1]
        for at in range(len(parts) - 2, -1, -1):
            if size < _NODE_SIZE:
                text = f"{parts[at]}{separator}{text}"
                size += sizes[at] + 1
                is_wide |= wide[at]
            else:
                links.append((text, is_wide))
                text, is_wide, size = parts[at], wide[at], sizes[at]
        links.append((text, is_wide))
        return links

    @staticmethod
    def _join_right(parts: list[str], wide: list[bool], sizes: list[int], separator: str) -> list[tuple[str, bool]]:
        """Join parts as writers before 1.28 do: with the successor."""
        links: list[tuple[str, bool]] = []
        text = parts[0]
        for at in range(1, len(parts)):
            if sizes[at - 1] < _NODE_SIZE or sizes[at] < _NODE_SIZE:
                text = f"{text}{separator}{parts[at]}"
            else:
                links.append((text, wide[at - 1]))
                text = parts[at]
        links.append((text, wide[-1]))
        return links

    def _chain(self, links: list[tuple[str, bool]]) -> int:
        if self._flavour.tail_first:
            node = NULL
            for text, wide in reversed(links):
                part = self._plain(text, wide=wide)
                node = self._value(_PAIR.pack(part, node))
            return node
        parts = [self._plain(text, wide=wide) for text, wide in links]
        node = NULL
        for part in reversed(parts):
            node = self._value(_PAIR.pack(part, node))
        return node

    def _type(self, kind: TypeName | None) -> int:
        if kind is None:
            return NULL
        found = self._types.get(kind)
        if found is None:
            assembly, name = kind.assembly, kind.name
            if self._flavour.simple_types:
                simple, _, details = (assembly or "").partition(",")
                assembly = simple if simple and simple not in _CORE_ASSEMBLIES else None
                if assembly and details and not details.startswith(" Version=0.0.0.0,"):
                    self._lose("versions:assemblies lost a version that is not 0.0.0.0")
                name = _ASSEMBLY_DETAILS.sub("", name)
            else:
                assembly = full_type(kind, self._content.core_assembly).assembly
            first = self._string(assembly, ".")
            second = self._string(name, ".")
            found = self._types[kind] = self._value(_PAIR.pack(first, second))
        return found

    def _provider(self, provider: ProviderData | None) -> int:
        if provider is None:
            return NULL
        identity = self._string(provider.id)
        kind = self._type(provider.type)
        return self._value(_TRIPLE.pack(identity, kind, self._string(provider.data)))

    # --- objects -----------------------------------------------------------------------------------------------

    def _object(self, value: Data) -> int:
        """Write an object with its type, or null where none fits."""
        if value is None:
            return NULL
        core = self._content.core_assembly
        if isinstance(value, str):
            offset, kind = self._text_value(value), TypeName(core, "System.String")
        elif isinstance(value, int):
            offset, kind = self._value(Struct("<i").pack(value)), TypeName(core, "System.Int32")
        elif isinstance(value, Number) and value.kind in ("Int64", "Boolean"):
            raw = Struct("<q").pack(value.value) if value.kind == "Int64" else bytes((value.value,))
            offset, kind = self._value(raw), TypeName(core, f"System.{value.kind}")
        elif isinstance(value, Hash128):
            offset, kind = self._value(_hash_bytes(value.digits)), TypeName(_CORE_MODULE, "UnityEngine.Hash128")
        elif isinstance(value, LoadRequestOptions):
            offset = self._value(
                Struct("<BxxxiI").pack(value.ignore_failures, value.timeout, self._string(value.cache_path, "/"))
            )
            kind = TypeName(RESOURCE_MANAGER_ASSEMBLY, f"{_PROVIDERS_NAMESPACE}.ProviderLoadRequestOptions")
        elif isinstance(value, DirectoryAsset):
            ids = self._array(list(value.sub_ids)) if value.sub_ids else 0
            path = self._string(value.load_path, "/") if value.load_path else 0
            offset = self._value(Struct("<iiII").pack(value.asset_id, value.scene_id, ids, path))
            kind = TypeName(RESOURCE_MANAGER_ASSEMBLY, f"{_PROVIDERS_NAMESPACE}.ContentDirectoryAssetData")
        else:
            options = bundle_options(value)
            if options is None:
                self._lose(f"data:objects of a type without a binary form ({_kind_of(value)}) are dropped")
                return NULL
            offset = self._options(options)
            kind = options.type or TypeName(
                RESOURCE_MANAGER_ASSEMBLY, f"{_PROVIDERS_NAMESPACE}.AssetBundleRequestOptions"
            )
        return self._value(_PAIR.pack(self._type(kind), offset))

    def _text_value(self, text: str) -> int:
        separator = self._best_separator(text)
        if self._flavour.split_keys:
            if not text:
                return NULL
            identity = self._string(text, separator)
        else:
            identity = self._string(text)
        return self._value(_KEY_TEXT.pack(identity, ord(separator) if separator else 0))

    def _best_separator(self, text: str) -> str:
        """Return the most frequent separator that leaves at least two long parts."""
        order, length = (_SEPARATORS, 4) if self._flavour.split_keys else (_OLD_SEPARATORS, 8)
        best, most = "", 0
        for separator in order:
            count = text.count(separator)
            if count > most:
                best, most = separator, count
        if not best:
            return ""
        long_parts = sum(len(part) + sum(c > "\uffff" for c in part) > length for part in text.split(best))
        return best if long_parts > 1 else ""

    def _options(self, options: BundleOptions) -> int:
        hash_offset = self._value(_hash_bytes(options.hash))
        name = self._string(options.bundle_name, "_")
        if options.size >> 32:
            self._lose("size:bundle sizes of 4 GiB and more kept their low 32 bits")
        timeout = max(-(1 << 15), min(options.timeout, (1 << 15) - 1))
        redirects = options.redirect_limit
        if redirects < 0:
            self._lose("redirect:redirect limits of -1 (the engine's default) became 32")
            redirects = 32
        if timeout != options.timeout or redirects > 255 or not 0 <= options.retry_count <= 255:
            self._lose("range:timeouts or counts were clamped to what fits")
        flags = (
            (options.asset_load_mode & 1)
            | options.chunked_transfer << 1
            | options.use_crc_for_cached << 2
            | options.use_web_request_for_local << 3
            | options.clear_other_versions << 4
        )
        retries = max(0, min(options.retry_count, 255))
        common = self._value(_COMMON.pack(timeout, min(redirects, 255), retries, flags))
        raw = _OPTIONS.pack(hash_offset, name, options.crc & NULL, options.size & NULL, common)
        return self._value(raw)

    # --- the catalog -------------------------------------------------------------------------------------------

    def write(self) -> bytes:
        """Return the bytes of the catalog."""
        content, flavour, out = self._content, self._flavour, self._out
        out += bytes(flavour.header_size)
        out += _U32.pack(8 * len(self._keys))
        keys_offset = len(out)
        out += bytes(8 * len(self._keys))
        header = [
            MAGIC,
            flavour.version,
            keys_offset,
            self._string(content.locator_id),
            self._provider(content.instance_provider),
            self._provider(content.scene_provider),
            self._array([self._provider(provider) for provider in content.resource_providers]),
        ]
        if flavour.header_size == 32:
            header.append(self._string(content.build_result_hash))
        elif content.build_result_hash:
            self._lose("field:build result hashes have no place in a header of 28 bytes")
        raw = b"".join(map(_U32.pack, header))
        out[: len(raw)] = raw
        self._written[raw] = 0
        offsets = self._locations()
        pairs = []
        for key, named in self._keys.items():
            name = self._object(key)
            pairs.append(_PAIR.pack(name, self._array([offsets[number] for number in named])))
        table = b"".join(pairs)
        out[keys_offset : keys_offset + len(table)] = table
        if len(out) > _LIMIT:
            raise UnwritableError(f"{len(out)} bytes: offsets of a binary catalog end at 1 GiB")
        merged = len(offsets) - len(set(offsets))
        if merged:
            self._lose("merged:entries are equal to another and share its place", merged)
        return bytes(out)

    def _locations(self) -> list[int]:
        """Write every entry after its dependencies, without recursion."""
        entries = self._content.entries
        offsets: list[int | None] = [None] * len(entries)
        needed: dict[tuple[Key, ...], list[int]] = {}
        for start in range(len(entries)):
            if offsets[start] is not None:
                continue
            path = [(start, iter(self._needed(entries[start], needed)))]
            open_ones = {start}
            while path:
                number, rest = path[-1]
                for other in rest:
                    if offsets[other] is None:
                        if other in open_ones:
                            raise UnwritableError(
                                f"{entries[other].internal_id!r} depends on itself: a binary catalog cannot"
                            )
                        open_ones.add(other)
                        path.append((other, iter(self._needed(entries[other], needed))))
                        break
                else:
                    path.pop()
                    entry = entries[number]
                    places = [offsets[other] for other in self._needed(entry, needed)]
                    offsets[number] = self._location(entry, [place for place in places if place is not None])
        return [offset for offset in offsets if offset is not None]

    def _needed(self, entry: Entry, known: dict[tuple[Key, ...], list[int]]) -> list[int]:
        together = tuple(entry.dependencies)
        found = known.get(together)
        if found is None:
            found = known[together] = [number for key in together for number in self._keys.get(key, ())]
            missing = sum(key not in self._keys for key in together)
            if missing:
                self._lose("dangling:dependencies are keys that nothing has", missing)
        return found

    def _location(self, entry: Entry, needed: list[int]) -> int:
        dependencies = self._array(list(dict.fromkeys(needed))) if entry.dependencies else NULL
        first = entry.keys[0] if entry.keys else None
        if first is not None and not isinstance(first, str):
            self._lose("primary:primary keys that are not text became null")
        primary = self._string(first, "/") if isinstance(first, str) else NULL
        internal = self._string(entry.internal_id, "/")
        provider = self._string(entry.provider, ".")
        data = self._object(entry.data)
        kind = self._type(entry.type)
        return self._value(_LOCATION.pack(primary, internal, provider, dependencies, 0, data, kind))


def _hash_bytes(digits: str) -> bytes:
    """Return 16 bytes as ``Hash128.Parse`` does: anything but 32 digits is zero."""
    try:
        raw = bytes.fromhex(digits)
    except ValueError:
        raw = b""
    return raw if len(raw) == 16 and len(digits) == 32 else bytes(16)


def _kind_of(value: Data) -> str:
    if isinstance(value, JsonObject | Opaque):
        return value.type.name
    return value.kind if isinstance(value, Number) else type(value).__name__
