"""Writes .pak files of versions 1 to 15, for the tests alone."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import TYPE_CHECKING

from assetdb_formats.unreal.codecs.aes import Cipher
from tests.assetdb_formats.unreal.iostore.writer import KEY, compress, ecb_encrypt, sha1, string

if TYPE_CHECKING:
    from collections.abc import Container


def write_pak(
    version: int,
    files: list[tuple[str, bytes]],
    *,
    method: str = "None",
    key: bytes | None = None,
    encrypted_index: bool = False,
    short_methods: bool = False,
    block_size: int = 512,
    mount_point: str = "../../../",
    overlapping: bool = False,
    deleted: Container[str] = (),
) -> bytes:
    """Write a .pak; ``short_methods`` is the first version 8, ``key`` encrypts the files.

    ``overlapping`` stores only the first file, and has all others be the same bytes; ``deleted`` are paths that a
    patch marks so (up to version 9).
    """
    data = bytearray()
    records: list[tuple[str, bytes]] = []
    number = (1 if method != "None" else 0) if version >= 8 else {"None": 0, "Zlib": 1, "Gzip": 2}[method]
    for path, content in files:
        offset = 0 if overlapping else len(data)
        pieces = [content]
        if method != "None":
            pieces = [content[start : start + block_size] for start in range(0, len(content), block_size)]
        packed = [compress(method, piece) for piece in pieces]
        stored = [piece + bytes(-len(piece) % 16) if key else piece for piece in packed]
        iv = len(records).to_bytes(12, "big") if key and version >= 15 else b""
        if iv and key:
            whole = Cipher(key).ctr(b"".join(stored), iv)
            ends = [sum(map(len, stored[:number])) for number in range(len(stored) + 1)]
            stored = [whole[start:end] for start, end in pairwise(ends)]
        elif key:
            stored = [ecb_encrypt(piece, key) for piece in stored]
        size = len(packed[0]) if method == "None" else sum(map(len, stored))
        digest = sha1(b"".join(stored)[:size])
        record_size = 24 + (1 if short_methods else 4) + 20 + (8 if version == 1 else 0)
        if version >= 3:
            record_size += 5 + (4 + 16 * len(pieces) if method != "None" else 0)
        place = (0 if version >= 5 else offset) + record_size
        blocks = b""
        for piece, whole in zip(packed, stored, strict=True):
            blocks += struct.pack("<QQ", place, place + len(piece))
            place += len(whole)

        flags = ((1 if key else 0) | (2 if path in deleted else 0), block_size if method != "None" else 0)
        tail = struct.pack("<QQ", size, len(content))
        tail += bytes([number]) if short_methods else struct.pack("<I", number)
        tail += (bytes(8) if version == 1 else b"") + digest
        if version >= 3:
            tail += struct.pack("<I", len(pieces)) + blocks if method != "None" else b""
            tail += struct.pack("<BI", *flags)
        if not overlapping or not data:
            data += struct.pack("<Q", 0) + tail
            data += b"".join(stored)
        if version >= 10:
            many = len(pieces) if method != "None" else 0
            bits = 0x3F | many << 6 | (1 << 22 if key else 0) | number << 23 | 0b111 << 29
            packed_record = struct.pack("<IIII", bits, block_size, offset, len(content)) + iv
            if method != "None":
                packed_record += struct.pack("<I", size)
                if many > 1 or key:
                    packed_record += b"".join(struct.pack("<I", len(piece)) for piece in packed)
            records.append((path, packed_record))
        else:
            records.append((path, struct.pack("<Q", offset) + tail))
    index_offset = len(data)
    directories = b""
    if version >= 10:
        packed_records = b""
        folders: dict[str, list[tuple[str, int]]] = {}
        for path, packed_record in records:
            folder, _, last = path.rpartition("/")
            folders.setdefault(f"/{folder}/" if folder else "/", []).append((last, len(packed_records)))
            packed_records += packed_record
        directories = struct.pack("<I", len(folders))
        for folder, members in folders.items():
            directories += string(folder) + struct.pack("<I", len(members))
            for last, at in members:
                raw = last.encode()
                text = struct.pack("<I", len(raw)) + raw if version >= 12 else string(last)
                directories += text + struct.pack("<I", at)
        if version >= 13:
            directories = _flat(folders)
        if encrypted_index:
            directories += bytes(-len(directories) % 16)
        sized = string(mount_point) + struct.pack("<IQII", len(files), 0, 0, 1)
        rest = struct.pack("<I", len(packed_records)) + packed_records + struct.pack("<I", 0)
        total = len(sized) + 36 + len(rest)
        total += -total % 16 if encrypted_index else 0
        sized += struct.pack("<QQ", index_offset + total, len(directories)) + sha1(directories)
        index = sized + rest
    else:
        index = string(mount_point) + struct.pack("<I", len(files))
        index += b"".join(string(path) + text for path, text in records)
    if encrypted_index:
        index += bytes(-len(index) % 16)
    digest = sha1(index)
    if encrypted_index and version >= 15:
        index = Cipher(key or KEY).ctr(index, b"index vector")
        directories = Cipher(key or KEY).ctr(directories, b"names vector")
    elif encrypted_index:
        index = ecb_encrypt(index, key or KEY)
        directories = ecb_encrypt(directories, key or KEY) if directories else b""
    data += index + directories
    footer = (bytes(16) if version >= 7 else b"") + (bytes([encrypted_index]) if version >= 4 else b"")
    footer += struct.pack("<IIQQ20s", 0x5A6F12E1, version, index_offset, len(index), digest)
    footer += b"\0" if version == 9 else b""
    slots = 0 if version < 8 else 4 if short_methods else 5
    footer += b"".join(
        (method.encode() if slot == 0 and method != "None" else b"").ljust(32, b"\0") for slot in range(slots)
    )
    footer += struct.pack("<i", -1) if version >= 14 else b""
    footer += b"\2" + b"index vector" + b"path hash iv" + b"names vector" if version >= 15 else b""
    return bytes(data + footer)


def _flat(folders: dict[str, list[tuple[str, int]]]) -> bytes:
    """The flat directory index of versions from 13 on."""
    ordered = sorted(folders.items())
    shared_names = b""
    previous = b""
    for folder, _ in ordered:
        raw = (folder if folder == "/" else folder.removeprefix("/")).encode()
        limit = min(len(previous), len(raw))
        shared = next((at for at in range(limit) if previous[at] != raw[at]), limit)
        shared_names += struct.pack("<II", shared, len(raw) - shared) + raw[shared:]
        previous = raw
    files = [member for _, members in ordered for member in members]
    names = [last.encode() for last, _ in files]
    firsts = [sum(len(members) for _, members in ordered[:number]) for number in range(len(ordered) + 1)]
    starts = [sum(map(len, names[:number])) for number in range(len(names) + 1)]
    numbers = [0, len(shared_names), *firsts, *starts, *(at for _, at in files)]
    header = (0x50464451, len(ordered), len(files), 16, len(shared_names), starts[-1], len(files), 0)
    hashes = bytes(12 * len(files))
    return (
        struct.pack("<8I", *header)
        + hashes
        + struct.pack(f"<{len(numbers)}I", *numbers)
        + shared_names
        + b"".join(names)
    )
