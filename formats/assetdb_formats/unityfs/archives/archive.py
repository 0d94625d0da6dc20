"""UnityFS archives: header, block table, directory.

All integers are big-endian.

::

    z "UnityFS", u32 format (6, 7, 8), z "5.x.x", z Unity version, i64 file size,
    u32 size of the blocks info as stored, u32 as decoded, u32 flags
    (format >= 7, and late 2019.4: zeros up to a multiple of 16)
    blocks info, here or at the end of the file (flag 0x80):
        16 bytes hash (zeros), u32 n, n x {u32 decoded size, u32 stored size, u16 flags}
        u32 n, n x {i64 offset, i64 size, u32 flags, z path}      offsets in the decoded blocks
    (flag 0x200: up to a multiple of 16), the blocks, one after another

Source: what every public reader agrees on, and the 80 bundles of the corpus (Unity 2018.2 to 2022.3).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb_formats.unityfs.archives import compression
from assetdb_formats.unityfs.archives.compression import Packed
from assetdb_formats.unityfs.archives.directory import LARGEST_INFO, Archive, Directory, Node
from assetdb_formats.unityfs.archives.webarchive import read_web_archive
from assetdb_formats.unityfs.errors import EncryptedError, UnityFSError, UnsupportedError
from assetdb_formats.unityfs.reader import BigEndianReader

if TYPE_CHECKING:
    from typing import BinaryIO

SIGNATURE: Final = b"UnityFS\0"
_OLDER: Final = {b"UnityWeb\0": "UnityWeb", b"UnityRaw\0": "UnityRaw"}
_REFUSED: Final = {
    b"UnityArchive\0": "UnityArchive, the bundle of one Unity 5 beta, is not read",
}
_FORMATS: Final = (6, 7, 8)
_COMPRESSION: Final = 0x3F
_INFO_AT_END: Final = 0x80
_PADDING: Final = 0x200  # before the releases below: encryption
_ENCRYPTION: Final = 0x1400
_PADDING_SINCE: Final = {2020: (3, 34), 2021: (3, 2), 2022: (1, 1)}
_BLOCK_ENCRYPTED: Final = 0x100
_HEAD: Final = 4096
_BLOCK_SIZE: Final = 10
_NODE_SIZE: Final = 21


def is_archive(head: bytes) -> bool:
    """Whether a bundle begins so, of a readable version or not."""
    return head.startswith((SIGNATURE, *_OLDER, *_REFUSED))


def read_archive(stream: BinaryIO) -> Archive:
    """Read header, blocks and directory, decoding no block. Raises UnityFSError."""
    stream.seek(0)
    head = stream.read(_HEAD)
    for refused, refusal in _REFUSED.items():
        if head.startswith(refused):
            raise UnsupportedError(refusal, offset=0, field="signature")
    signature = "UnityFS" if head.startswith(SIGNATURE) else _OLDER.get(head[: head.find(b"\0") + 1])
    if signature is None:
        raise UnityFSError("not a UnityFS bundle", offset=0, field="signature")
    if signature != "UnityFS" and head[9:13] != (6).to_bytes(4, "big"):
        return read_web_archive(stream, head, signature)
    file_size = stream.seek(0, 2)
    reader = BigEndianReader(head, len(signature) + 1)
    number = reader.u32("format")
    if number not in _FORMATS:
        raise UnsupportedError(f"UnityFS format {number} is not known (6, 7 and 8 are)", offset=8, field="format")
    reader.text("player_version", longest=255)
    unity_version = reader.text("unity_version", longest=255)
    at = reader.position
    size = reader.i64("size")
    info_stored = reader.u32("info.compressed_size")
    info_size = reader.u32("info.size")
    flags = reader.u32("flags")
    if size > file_size or size < reader.position:
        raise UnityFSError(f"declares {size} bytes, the file has {file_size}", offset=at, field="size")
    release = _release(unity_version)
    padded = _check_flags(flags, release, offset=at + 16)
    if number >= 7 or (release[:2] == (2019, 4) and release >= (2019, 4, 15) and _zeros(reader)):
        reader.align(16)
    start = reader.position
    info = Packed(size - info_stored if flags & _INFO_AT_END else start, info_stored, info_size, flags & _COMPRESSION)
    if info.offset < start or info.offset + info_stored > size:
        raise UnityFSError(f"{info_stored} bytes of blocks info do not fit in", offset=start, field="info")
    if info_size > LARGEST_INFO:
        what = f"{info_size} bytes of blocks info; {LARGEST_INFO} are allowed"
        raise UnityFSError(what, offset=at + 12, field="info.size")
    compression.check(info, "info")
    decoded = compression.decode(stream, info, "info")
    data = start if flags & _INFO_AT_END else start + info_stored
    if padded:
        data += -data % 16
    end = info.offset if flags & _INFO_AT_END else size
    digest, blocks, starts, nodes, data_end = _read_info(decoded, data, end)
    return Archive(
        signature=signature,
        format=number,
        unity_version=unity_version,
        size=size,
        trailing=file_size - size,
        flags=flags,
        info=info,
        hash=digest,
        blocks=blocks,
        starts=starts,
        nodes=nodes,
        gap=end - data_end,
        directory_size=0,
    )


def _release(version: str) -> tuple[int, int, int]:
    match = re.match(r"(\d{1,4})\.(\d{1,3})\.(\d{1,3})", version)
    return (int(match[1]), int(match[2]), int(match[3])) if match else (0, 0, 0)


def _check_flags(flags: int, release: tuple[int, int, int], *, offset: int) -> bool:
    """Return whether the blocks begin at a multiple of 16; refuse encryption."""
    padded = bool(flags & _PADDING)
    encrypted = bool(flags & _ENCRYPTION)
    if padded and release[0]:  # builds with a stripped version are newer than the encryption
        since = _PADDING_SINCE.get(release[0])
        if release[0] < 2020 or (since is not None and release[1:] < since):
            encrypted = True
    if encrypted:
        raise EncryptedError(f"the bundle is encrypted (flags 0x{flags:x})", offset=offset, field="flags")
    return padded


def _zeros(reader: BigEndianReader) -> bool:
    """Whether zeros to a multiple of 16 follow (some 2019.4 builds)."""
    stop = reader.position + -reader.position % 16
    return not any(reader.data[reader.position : stop])


def _read_info(
    decoded: bytes, data: int, end: int
) -> tuple[bytes, tuple[Packed, ...], tuple[int, ...], tuple[Node, ...], int]:
    reader = BigEndianReader(decoded)
    digest = reader.take(16, "info.hash")
    blocks = []
    starts = [0]
    total = 0
    count = reader.count(reader.u32("info.blocks"), _BLOCK_SIZE, "info.blocks")
    for number in range(count):
        size = reader.u32("info.blocks")
        stored = reader.u32("info.blocks")
        flags = reader.u16("info.blocks")
        block = Packed(data, stored, size, flags & _COMPRESSION)
        if flags & _BLOCK_ENCRYPTED:
            raise EncryptedError("the block is encrypted", offset=data, field=f"blocks[{number}]")
        if stored > end - data:
            raise UnityFSError(f"needs {stored} bytes, {end - data} are left", offset=data, field=f"blocks[{number}]")
        if not stored and count > 1:  # or a few kB could declare a million of them
            raise UnityFSError("a block without bytes", offset=data, field=f"blocks[{number}]")
        compression.check(block, f"blocks[{number}]")
        blocks.append(block)
        data += stored
        total += size
        starts.append(total)
    directory = Directory(reader, total)
    for number in range(reader.count(reader.u32("info.nodes"), _NODE_SIZE, "info.nodes")):
        field = f"nodes[{number}]"
        node = Node(reader.i64(field), reader.i64(field), reader.u32(field), reader.text(field, longest=4096))
        directory.add(node, field)
    if reader.left:
        raise reader.error(f"{reader.left} bytes are left over", "info")
    return digest, tuple(blocks), tuple(starts), tuple(directory.nodes), data
