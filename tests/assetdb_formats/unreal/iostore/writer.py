"""Writes IoStore containers of versions 1 to 10, container headers and zen packages, for the tests alone.

No public sample of TOC versions 1 to 4, 7 and 9 exists; what the reader expects of them is written down here a second
time, from the other side.
"""

from __future__ import annotations

import gzip
import hashlib
import struct
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from blake3 import blake3

from assetdb_formats.codecs.city_hash import name_hash, object_path_hash, package_id
from assetdb_formats.unreal.codecs.aes import Cipher
from assetdb_formats.unreal.iostore.chunk_types import chunk_id as packed_id
from assetdb_formats.unreal.iostore.chunk_types import type_number
from assetdb_formats.unreal.iostore.perfect_hash import seeded_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY: Final = bytes(range(32))
NONE: Final = 0xFFFFFFFF
ALGORITHM: Final = 0xC1640000


class Written(NamedTuple):
    """One chunk to write."""

    id: bytes
    data: bytes
    path: str | None = None


class Files(NamedTuple):
    """A written container: the .utoc, the .ucas of each partition, and the chunks in the order of the TOC."""

    toc: bytes
    partitions: list[bytes]
    chunks: list[Written]

    def read(self, partition: int, offset: int, size: int) -> bytes:
        data = self.partitions[partition][offset : offset + size]
        assert len(data) == size
        return data


def sha1(data: bytes) -> bytes:
    return hashlib.sha1(data, usedforsecurity=False).digest()


def chunk_id(identity: int, kind: str, version: int, part: int = 0) -> bytes:
    number = type_number(kind, version)
    assert number is not None, (kind, version)
    return packed_id(identity, number, part)


def _require_cryptography() -> None:
    pytest.importorskip("cryptography", reason="this Python is without cryptography")


def ecb_encrypt(data: bytes, key: bytes = KEY) -> bytes:
    """Encrypt whole blocks: the product only ever decrypts."""
    _require_cryptography()
    from cryptography.hazmat.primitives import ciphers  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.ciphers import algorithms, modes  # noqa: PLC0415

    encryptor = ciphers.Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305 - Unreal's
    return encryptor.update(data) + encryptor.finalize()


def string(text: str) -> bytes:
    """An FString."""
    if not text:
        return struct.pack("<i", 0)
    if text.isascii():
        raw = text.encode() + b"\0"
        return struct.pack("<i", len(raw)) + raw
    wide = text.encode("utf-16-le") + b"\0\0"
    return struct.pack("<i", -len(wide) // 2) + wide


def directory_index(mount_point: str, files: list[tuple[str, int]]) -> bytes:
    """The directory index of (path, chunk index) pairs."""
    names: dict[str, int] = {}
    directories = [[NONE, NONE, NONE, NONE]]  # name, child, sibling, first file
    folders = {"": 0}
    rows: list[list[int]] = []

    def name(text: str) -> int:
        return names.setdefault(text, len(names))

    def folder(path: str) -> int:
        if path not in folders:
            parent_path, _, last = path.rpartition("/")
            parent = folder(parent_path)
            folders[path] = len(directories)
            directories.append([name(last), NONE, directories[parent][1], NONE])
            directories[parent][1] = folders[path]
        return folders[path]

    for path, chunk in files:
        parent_path, _, last = path.rpartition("/")
        parent = folder(parent_path)
        rows.append([name(last), directories[parent][3], chunk])
        directories[parent][3] = len(rows) - 1
    return b"".join(
        [
            string(mount_point),
            struct.pack("<I", len(directories)),
            *(struct.pack("<4I", *row) for row in directories),
            struct.pack("<I", len(rows)),
            *(struct.pack("<3I", *row) for row in rows),
            struct.pack("<I", len(names)),
            *map(string, names),
        ]
    )


def perfect_hash(ids: list[bytes], *, tries: int = 4000) -> tuple[list[int], list[int], list[int]]:
    """Return (chunk number at each slot, seeds, slots of chunks without a perfect hash)."""
    count = len(ids)
    seed_count = max(1, count // 2)
    buckets: list[list[int]] = [[] for _ in range(seed_count)]
    for number, identity in enumerate(ids):
        buckets[seeded_hash(identity, 0) % seed_count].append(number)
    slots: list[int | None] = [None] * count
    seeds = [0] * seed_count
    homeless: list[int] = []
    for bucket in sorted(range(seed_count), key=lambda each: -len(buckets[each])):
        members = buckets[bucket]
        if len(members) < 2:
            continue
        for seed in range(1, tries):
            places = {seeded_hash(ids[member], seed) % count for member in members}
            if len(places) == len(members) and all(slots[place] is None for place in places):
                for member in members:
                    slots[seeded_hash(ids[member], seed) % count] = member
                seeds[bucket] = seed
                break
        else:
            homeless += members
            seeds[bucket] = -(count + 1)
    free = [place for place, member in enumerate(slots) if member is None]
    for bucket, members in enumerate(buckets):
        if len(members) == 1:
            place = free.pop()
            slots[place] = members[0]
            seeds[bucket] = -place - 1
    overflow = []
    for member in homeless:
        place = free.pop()
        slots[place] = member
        overflow.append(place)
    return [member for member in slots if member is not None], seeds, overflow


def compress(method: str, data: bytes) -> bytes:
    if method == "Zlib":
        return zlib.compress(data)
    if method == "Gzip":
        return gzip.compress(data, mtime=0)
    return data


def write_container(
    version: int,
    chunks: list[Written],
    *,
    method: str = "None",
    block_size: int = 1024,
    partition_size: int = 1 << 40,
    encryption: int = 0,
    signed: bool = False,
    on_demand: bool = False,
    indexed: bool = True,
    container_id: int = 0x1234,
    mount_point: str = "../../../Game/Content/",
    tries: int = 4000,
) -> Files:
    """Write a container; ``encryption`` is 0, 1 (AES-ECB) or 2 (AES-CTR, version 10)."""
    seeds: list[int] = []
    overflow: list[int] = []
    if version >= 4 and chunks:
        order, seeds, overflow = perfect_hash([chunk.id for chunk in chunks], tries=tries)
        chunks = [chunks[number] for number in order]
    indexed = indexed and version >= 2
    if encryption:
        _require_cryptography()
    flags = (1 if method != "None" else 0) | (2 if encryption else 0) | (4 if signed else 0)
    flags |= (8 if indexed else 0) | (16 if on_demand else 0)
    partitions = [bytearray()]
    offsets = b""
    blocks = b""
    ivs: list[bytes] = []
    hashes: list[bytes] = []
    logical = 0
    for chunk in chunks:
        offsets += logical.to_bytes(5, "big") + len(chunk.data).to_bytes(5, "big")
        for start in range(0, len(chunk.data), block_size):
            piece = chunk.data[start : start + block_size]
            packed = compress(method, piece)
            stored = packed + bytes(-len(packed) % 16)
            if encryption == 1:
                stored = ecb_encrypt(stored)
            elif encryption == 2:
                ivs.append(len(ivs).to_bytes(12, "big"))
                stored = Cipher(KEY).ctr(stored, ivs[-1])
            if version >= 3 and len(partitions[-1]) + len(stored) > partition_size:
                partitions.append(bytearray())
            place = (len(partitions) - 1) * partition_size + len(partitions[-1]) if version >= 3 else len(partitions[0])
            partitions[-1] += stored
            blocks += place.to_bytes(5, "little") + len(packed).to_bytes(3, "little") + len(piece).to_bytes(3, "little")
            blocks += bytes([1 if method != "None" else 0])
            hashes.append(sha1(stored if encryption else packed))
        logical += -(-len(chunk.data) // block_size) * block_size
    directory = b""
    if indexed:
        named = [(chunk.path, number) for number, chunk in enumerate(chunks) if chunk.path is not None]
        directory = directory_index(mount_point, named)
        if encryption:
            directory += b"\x5a" * (-len(directory) % 16)
        if encryption == 1:
            directory = ecb_encrypt(directory)
        elif encryption == 2:
            ivs.append(b"directory iv")
            directory = Cipher(KEY).ctr(directory, ivs[-1])
    methods = [] if method == "None" else [method]
    header = struct.pack(
        "<16s B3x IIIIIIIII Q 16s BBH I Q I I I",
        b"-==--==--==--==-",
        version,
        144,
        len(chunks),
        len(blocks) // 12,
        12,
        len(methods),
        32,
        block_size,
        len(directory),
        len(partitions) if version >= 3 else 0,
        container_id,
        bytes(16),
        flags,
        encryption if version >= 10 else 0,
        0,
        len(seeds) if version >= 4 else 0,
        partition_size if version >= 3 else 0,
        len(overflow) if version >= 5 else 0,
        0,
        len(ivs),
    ).ljust(144, b"\0")
    digests = [blake3(chunk.data).digest() for chunk in chunks] if version >= 4 else []
    metas = b""
    for number, chunk in enumerate(chunks):
        digest = digests[number][:20] if version >= 4 else sha1(chunk.data)
        metas += digest + (bytes([1, 0, 0, 0]) if version >= 8 else bytes(12) + b"\1")
    body = [header, *(chunk.id for chunk in chunks), offsets]
    if version >= 4:
        body += [struct.pack("<i", seed) for seed in seeds]
    if version >= 5:
        body += [struct.pack("<i", place) for place in overflow]
    body += [blocks, *ivs, *(each.encode().ljust(32, b"\0") for each in methods)]
    if signed:
        body += [struct.pack("<I", 8), b"TOC-SIGN", b"BLK-SIGN", *hashes]
    body += [directory, metas]
    if on_demand and version >= 6:
        body += [bytes(20 * len(chunks)), bytes(20 * (len(blocks) // 12))]
    return Files(b"".join(body), [bytes(partition) for partition in partitions], chunks)


def name_batch(names: list[str]) -> bytes:
    """A name batch of engine 5."""
    if not names:
        return struct.pack("<I", 0)
    raw = [name.encode() if name.isascii() else name.encode("utf-16-le") for name in names]
    lengths = [len(name) if name.isascii() else 0x8000 + len(text) // 2 for name, text in zip(names, raw, strict=True)]
    return b"".join(
        [
            struct.pack("<IIQ", len(names), sum(map(len, raw)), ALGORITHM),
            struct.pack(f"<{len(names)}Q", *map(name_hash, names)),
            struct.pack(f">{len(names)}H", *lengths),
            *raw,
        ]
    )


def names_apart(names: list[str]) -> tuple[bytes, bytes]:
    """Names and hashes as engine 4 keeps them."""
    data = b""
    for name in names:
        raw = name.encode() if name.isascii() else name.encode("utf-16-le")
        data += struct.pack(">H", len(name) if name.isascii() else 0x8000 + len(raw) // 2) + raw
    return data, struct.pack(f"<{len(names) + 1}Q", ALGORITHM, *map(name_hash, names))


class StoredPackage(NamedTuple):
    """A package to list in a container header."""

    name: str
    imports: list[str]
    shaders: Sequence[bytes] = ()
    soft: Sequence[str] = ()


def container_header(
    version: int,
    packages: list[StoredPackage],
    *,
    container_id: int = 0x1234,
    redirects: list[tuple[str, str]] | None = None,
    localized: list[str] | None = None,
    entry_size: int = 32,
) -> bytes:
    """A ContainerHeader chunk; version -1 is engine 4 with entries of ``entry_size`` (32 or 16)."""
    redirects = redirects or []
    localized = localized or []
    ids = [package_id(package.name) for package in packages]
    size = entry_size if version < 0 else 24 if version < 3 else 16
    view_at = {(-1, 32): 24, (-1, 16): 8}.get((min(version, -1 if version < 0 else 0), size), 8 if version < 3 else 0)
    tail = b""
    entries = b""
    for number, package in enumerate(packages):
        base = number * size + view_at
        spot = len(packages) * size + len(tail)
        view = struct.pack("<II", len(package.imports), spot - base if package.imports else 0)
        tail += b"".join(struct.pack("<Q", package_id(name)) for name in package.imports)
        if version >= 0:
            spot = len(packages) * size + len(tail)
            view += struct.pack("<II", len(package.shaders), spot - base - 8 if package.shaders else 0)
            tail += b"".join(package.shaders)
        if version < 0 and size == 32:
            entries += struct.pack("<QIIII", 999, 3, 1, number, 0) + view
        elif version < 3:
            entries += struct.pack("<II", 3, 1) + view
        else:
            entries += view
    store = struct.pack(f"<I{len(ids)}Q", len(ids), *ids) + struct.pack("<I", len(entries + tail)) + entries + tail
    pairs = b"".join(struct.pack("<QQ", package_id(old), package_id(new)) for old, new in redirects)
    if version < 0:
        names, hashes = names_apart([])
        cultures = struct.pack("<I", 1 if localized else 0)
        if localized:
            rows = [struct.pack("<QQ", package_id(name), package_id(name + "_de")) for name in localized]
            cultures += string("de") + struct.pack("<I", len(rows)) + b"".join(rows)
        return b"".join(
            [
                struct.pack("<QI", container_id, len(ids)),
                struct.pack("<I", len(names)) + names + struct.pack("<I", len(hashes)) + hashes,
                store,
                cultures,
                struct.pack("<I", len(redirects)),
                pairs,
            ]
        )
    mapped = [*localized, *(old for old, _ in redirects)]
    parts = [struct.pack("<IIQ", 0x496F436E, version, container_id)]
    if version < 2:
        parts.append(struct.pack("<I", len(ids)))
    parts.append(store)
    if version >= 2:
        parts.append(struct.pack("<II", 0, 0))
    parts.append(name_batch(mapped))
    if version >= 1:
        parts.append(struct.pack("<I", len(localized)))
        parts += [struct.pack("<QII", package_id(name), mapped.index(name) | 1 << 30, 0) for name in localized]
        parts.append(struct.pack("<I", len(redirects)))
        parts += [
            struct.pack("<QQII", package_id(old), package_id(new), mapped.index(old) | 1 << 30, 0)
            for old, new in redirects
        ]
    else:
        parts += [struct.pack("<II", 0, len(redirects)), pairs]
    if version >= 4:
        soft = _soft_references(packages)
        if version >= 5:
            parts.append(struct.pack("<qq", sum(map(len, parts)) + 16, len(soft)))
        parts.append(soft)
    return b"".join(parts)


def _soft_references(packages: list[StoredPackage]) -> bytes:
    names = list(dict.fromkeys(name for package in packages for name in package.soft))
    if not names:
        return struct.pack("<I", 0)
    views = tail = b""
    for number, package in enumerate(packages):
        spot = 8 * len(packages) + len(tail) - 8 * number
        views += struct.pack("<II", len(package.soft), spot if package.soft else 0)
        tail += b"".join(struct.pack("<I", names.index(name)) for name in package.soft)
    return b"".join(
        [
            struct.pack("<II", 1, len(names)),
            *(struct.pack("<Q", package_id(name)) for name in names),
            struct.pack("<I", len(views + tail)),
            views,
            tail,
        ]
    )


def zen_package(
    form: int,
    name: str,
    exports: list[tuple[str, bytes]],
    imports: list[int],
    imported_names: list[str],
    *,
    versioned: bool = False,
    bulk: int = 0,
    padded_bulk: bool = True,
) -> bytes:
    """A zen package; ``form`` 0 engine 4, 1 graph data, 2 dependency bundles, 3 with cells."""
    names = [name, *(export for export, _ in exports)]
    import_map = b"".join(struct.pack("<Q", each) for each in imports)
    offset = 5000 if form < 3 else 0
    cooked = 5000
    export_map = b""
    for number, (export, data) in enumerate(exports):
        export_map += struct.pack(
            "<QQIIQQQQQIB3x", offset, len(data), number + 1, 0, (1 << 64) - 1, 1 << 62, (1 << 64) - 1, (1 << 64) - 1,
            package_id(export), 1, 0,
        )  # fmt: skip
        offset += len(data)
    # The last export is serialized first, so that data in bundle order differs from data by offset.
    order = list(reversed(range(len(exports)))) if form < 2 else list(range(len(exports)))
    bundle = b"".join(struct.pack("<IIII", number, 0, number, 1) for number in order)
    data = b"".join(exports[number][1] for number in order)
    if form == 0:
        raw, hashes = names_apart(names)
        hashes_at = 64 + len(raw) + (-len(raw) % 8)
        imports_at = hashes_at + len(hashes)
        exports_at = imports_at + len(import_map)
        bundles_at = exports_at + len(export_map)
        bundles = struct.pack("<II", 0, len(exports) * 2) + bundle
        graph = struct.pack("<I", len(imported_names))
        graph += b"".join(struct.pack("<QIII", package_id(each), 1, 0, 0) for each in imported_names)
        summary = struct.pack(
            "<8I6iII", 0, 0, 0, 0, 7, cooked, 64, len(raw), hashes_at, len(hashes), imports_at, exports_at, bundles_at,
            bundles_at + len(bundles), len(graph), 0,
        )  # fmt: skip
        return b"".join(
            [summary, raw.ljust(hashes_at - 64, b"\0"), hashes, import_map, export_map, bundles, graph, data]
        )
    count = 1 if form == 1 else 3
    head = b""
    if versioned:
        head = struct.pack("<IiiiI", 2, 522, 1009, 0, 1) + struct.pack("<16si", b"custom-version!!", 7)
    start = 40 + 4 * count + len(head) + (8 if form == 3 else 0)
    batch = name_batch(names)
    rows = struct.pack("<qqqI4x", 0, -1, 77, 1) * bulk
    middle = b""
    if bulk or form >= 2:
        padding = -(start + len(batch) + 8) % 8 if padded_bulk else 0
        middle = (
            (struct.pack("<Q", padding) + bytes(padding) if padded_bulk else b"") + struct.pack("<q", len(rows)) + rows
        )
    hashes_at = start + len(batch) + len(middle)
    imports_at = hashes_at + 8
    exports_at = imports_at + len(import_map)
    bundles_at = exports_at + len(export_map)
    end = bundles_at + len(bundle)
    if form == 1:
        tail = struct.pack("<QII3i", 0, 0, 2 * len(exports), 1, 0, 0)
        tail += b"".join(struct.pack("<IiBi", 1, 0, 1, 0) for _ in imported_names)
        offsets = [end]
    else:
        dependencies = bytes(20 * len(exports))
        entries = struct.pack("<i", 1)
        tail = dependencies + entries + name_batch(imported_names) + bytes(4 * len(imported_names))
        offsets = [end, end + len(dependencies), end + len(dependencies) + len(entries)]
    summary = struct.pack(
        f"<6I4i{count}i", int(versioned), end + len(tail), 0, 0, 7, cooked,
        hashes_at, imports_at, exports_at, bundles_at, *offsets,
    )  # fmt: skip
    cells = struct.pack("<ii", bundles_at, bundles_at) if form == 3 else b""
    return b"".join(
        [summary, head, cells, batch, middle, struct.pack("<Q", 0xFEED), import_map, export_map, bundle, tail, data]
    )


def script_rows(paths: list[str]) -> tuple[list[str], bytes]:
    """Names and rows of script objects; outers are found by the paths."""
    names = list(dict.fromkeys(_own_name(path) for path in paths))
    rows = b""
    for path in paths:
        outer = _outer(path)
        outer_index = 1 << 62 | object_path_hash(outer) if outer else (1 << 64) - 1
        own = 1 << 62 | object_path_hash(path)
        rows += struct.pack("<IIQQQ", names.index(_own_name(path)) | 2 << 30, 0, own, outer_index, (1 << 64) - 1)
    return names, struct.pack("<I", len(paths)) + rows


def _own_name(path: str) -> str:
    for mark in (":", "."):
        if mark in path:
            return path.rpartition(mark)[2]
    return path


def _outer(path: str) -> str:
    for mark in (":", "."):
        if mark in path:
            return path.rpartition(mark)[0]
    return ""
