"""Writer of JSON catalogs, byte for byte as Unity's packages write them."""

from __future__ import annotations

import json
import re
from array import array
from binascii import b2a_base64
from struct import Struct
from sys import byteorder
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.addressables.errors import UnwritableError
from assetdb_formats.addressables.flavour import OLD_TABLES, TABLES
from assetdb_formats.addressables.hashes import fold_hashes, key_hash
from assetdb_formats.addressables.json.tagged import BINARY_ONLY, write_tagged
from assetdb_formats.addressables.model import (
    BUNDLE_OPTIONS_CLASS,
    RESOURCE_MANAGER_ASSEMBLY,
    BundleOptions,
    Number,
    Problem,
    ProviderData,
    TypeName,
    full_type,
    key_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb_formats.addressables.editing.content import Content, Entry
    from assetdb_formats.addressables.flavour import JsonFlavour
    from assetdb_formats.addressables.model import Data, Key

_COUNT: Final = Struct("<i")
_HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
_OLD_NAMES: Final = dict(zip(OLD_TABLES, TABLES, strict=True))
"""The tables by their names in 0.x. No other field is known there, so that ``m_keys`` is not ``m_Keys``."""


def _numbered(values: Iterable[Any]) -> dict[Any, int]:
    """Return a number for each value, in the order of first use."""
    return {value: at for at, value in enumerate(dict.fromkeys(values))}


def encode_json(content: Content, flavour: JsonFlavour) -> tuple[bytes, list[Problem]]:
    """Return a JSON catalog and the losses. Raises UnwritableError."""
    losses: list[Problem] = []
    entries = content.entries
    providers = _numbered(entry.provider for entry in entries)
    ids = _numbered(entry.internal_id for entry in entries)
    types = _numbered(entry.type for entry in entries)
    keys = _keys_of(content, losses)
    extra, extra_offsets = _extra_data(entries, losses, flavour.bundle_fields, content.core_assembly)
    dependencies = _dependency_keys(content, keys, flavour)
    if content.key_order:
        used = set(dependencies)
        keys = {key: named for key, named in keys.items() if named or key in used}
    numbers = {key: at for at, key in enumerate(keys)}
    rows = array("i", [len(entries)])
    for entry, needed, extra_offset in zip(entries, dependencies, extra_offsets, strict=True):
        rows.extend((ids[entry.internal_id], providers[entry.provider]))
        rows.append(-1 if needed is None else numbers[needed])
        if flavour.width > 4:
            hashes = () if needed is None else (key_hash(needed) or 0,)
            rows.append(fold_hashes(hashes, flavour.seed))
        rows.append(extra_offset)
        if flavour.width == 7:
            if not entry.keys:
                raise UnwritableError(f"the entry {entry.internal_id!r} has no key, and JSON needs one")
            rows.extend((numbers[entry.keys[0]], types[entry.type]))
    if flavour.width < 7 and any(entry.type is not None for entry in entries):
        losses.append(Problem("types", f"rows of {flavour.width} columns hold neither types nor primary keys"))
    blob, buckets = _key_tables(keys)
    stored = list(ids)
    prefixes: list[str] = []
    if flavour.compact:
        stored, prefixes = _compact(stored)
    tables = {
        "m_LocatorId": content.locator_id or "",
        "m_BuildResultHash": content.build_result_hash or "",
        "m_InstanceProviderData": _provider(content.instance_provider, content.core_assembly),
        "m_SceneProviderData": _provider(content.scene_provider, content.core_assembly),
        "m_ResourceProviderData": [
            _provider(provider, content.core_assembly) for provider in content.resource_providers
        ],
        "m_ProviderIds": list(providers),
        "m_InternalIds": stored,
        "m_KeyDataString": _base64(blob),
        "m_BucketDataString": _base64(_bytes(buckets)),
        "m_EntryDataString": _base64(_bytes(rows)),
        "m_ExtraDataString": _base64(extra),
        "m_Keys": [key_text(key) for key in keys] if "m_Keys" in flavour.fields else None,
        "m_resourceTypes": [_type(kind, content.core_assembly) for kind in types],
        "m_InternalIdPrefixes": prefixes,
    }
    for name, value in (("m_BuildResultHash", content.build_result_hash), ("m_LocatorId", content.locator_id)):
        if value and name not in flavour.fields:
            losses.append(Problem("field", f"packages of {flavour.name} have no such field: {value} is lost", name))
    text = json.dumps(_fields(content, flavour, tables), separators=(",", ":"), ensure_ascii=False)
    # Half of a surrogate pair, which UTF-16 of a binary catalog may hold, has no UTF-8, but an escape in JSON.
    data = _HALF_PAIR.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode()
    return (b"\xef\xbb\xbf" + data if flavour.bom else data), losses


def _keys_of(content: Content, losses: list[Problem]) -> dict[Key, list[int]]:
    """Return each key's entries; dependencies may name further keys."""
    keys = content.key_table()
    for entry in content.entries:
        for key in entry.dependencies:
            if key not in keys:
                keys[key] = []
                losses.append(Problem("dangling", f"the dependency {key_text(key)!r} is not a key of the catalog"))
    return keys


def _fields(content: Content, flavour: JsonFlavour, tables: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a file in their order."""
    known = {**content.other_fields, **tables}
    known |= {old: tables[name] for old, name in _OLD_NAMES.items()}
    return {name: known[name] for name in flavour.fields if name in known}


def _dependency_keys(content: Content, keys: dict[Key, list[int]], flavour: JsonFlavour) -> list[Key]:
    """Return each entry's dependency key; hashes of sets join ``keys``.

    Two and more dependencies share one key, their hash.

    The formula of packages before 1.1 is unknown: a set of the file keeps its number, and a new one gets the number
    that later packages give it, as the game only looks it up.
    """
    entries = content.entries
    result: list[Key] = []
    known: dict[tuple[Key, ...], Key] = dict(content.set_numbers) if flavour.width < 7 else {}
    hashes: dict[Key, int] = {}
    for entry in entries:
        needed = entry.dependencies
        if len(needed) < 2:
            result.append(needed[0] if needed else None)
            continue
        together = tuple(dict.fromkeys(needed))
        key = known.get(together)
        if key is None:
            for one in together:
                if one not in hashes:
                    hashes[one] = key_hash(one) or 0
            number = fold_hashes((hashes[one] for one in together), flavour.seed)
            key = known[together] = str(number) if flavour.text_sets else number
        if not keys.get(key):
            keys[key] = [named[0] for one in needed if (named := keys[one])]
        result.append(key)
    return result


def _key_tables(keys: dict[Key, list[int]]) -> tuple[bytes, array[int]]:
    blob = bytearray(_COUNT.pack(len(keys)))
    buckets = array("i", [len(keys)])
    for key, named in keys.items():
        buckets.append(len(blob))
        buckets.append(len(named))
        buckets.extend(named)
        blob += write_tagged("" if key is None else key)
    return bytes(blob), buckets


def _extra_data(
    entries: list[Entry], losses: list[Problem], shape: tuple[str, ...], core: str
) -> tuple[bytes, list[int]]:
    extra = bytearray()
    offsets: list[int] = []
    clipped = 0
    for entry in entries:
        data: Data = entry.data
        if data is None:
            offsets.append(-1)
            continue
        if isinstance(data, BINARY_ONLY) or (isinstance(data, Number) and data.kind in ("Int64", "Boolean")):
            clipped += 1
            offsets.append(-1)
            continue
        if isinstance(data, BundleOptions):
            kind = full_type(data.type or TypeName(RESOURCE_MANAGER_ASSEMBLY, BUNDLE_OPTIONS_CLASS), core)
            data = data._replace(shape=data.shape or shape, type=kind)
        offsets.append(len(extra))
        extra += write_tagged(data)
    if clipped:
        losses.append(Problem("data", f"{clipped} objects are of kinds that only binary catalogs hold"))
    return bytes(extra), offsets


def _compact(ids: list[str]) -> tuple[list[str], list[str]]:
    """Split ids before their last slash, as "optimizeCatalogSize" does."""
    prefixes: dict[str, int] = {}
    short = []
    for identity in ids:
        at = identity.rfind("/")
        if at <= 0:
            short.append(identity)
            continue
        number = prefixes.setdefault(identity[:at], len(prefixes))
        short.append(f"{number}#{identity[at:]}")
    return short, list(prefixes)


def _type(kind: TypeName | None, core: str) -> dict[str, str]:
    if kind is None:
        return {"m_AssemblyName": "", "m_ClassName": ""}
    if not kind.name:
        return {"m_AssemblyName": kind.assembly or "", "m_ClassName": ""}
    full = full_type(kind, core)
    return {"m_AssemblyName": full.assembly or "", "m_ClassName": full.name}


def _provider(provider: ProviderData | None, core: str) -> dict[str, Any]:
    if provider is None:
        provider = ProviderData("", None, "")
    return {"m_Id": provider.id or "", "m_ObjectType": _type(provider.type, core), "m_Data": provider.data or ""}


def _base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode("ascii")


def _bytes(numbers: array[int]) -> bytes:
    if byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()
