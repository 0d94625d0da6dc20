"""Archives of Unity 2 to 5: UnityWeb and UnityRaw.

UnityWeb is one LZMA stream, UnityRaw is stored. All integers are big-endian.

::

    z "UnityWeb" or "UnityRaw", u32 format (1 to 5), z player version, z Unity version
    (format >= 4, Unity 5.2: 16 bytes hash, u32 CRC)
    u32 bytes to load before streaming, u32 size of this header, u32 levels to load before streaming
    u32 levels, levels x {u32 stored size, u32 decoded size}      both counted from the data's beginning
    (format >= 2, Unity 2.6: u32 file size) (format >= 3, Unity 3.5: u32 size of the directory)
    the data, decoded: u32 files, files x {z path, u32 offset, u32 size}, the files; offsets from the data's beginning

The LZMA stream is a whole .lzma file: 5 bytes of properties, i64 decoded size, the stream. Format 6 under both names
has the layout of UnityFS, and is read as UnityFS.

This follows public readers as far as they agree. The corpus has no sample: it was tried on synthetic archives only,
some of them against UnityPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.unityfs.archives import compression
from assetdb_formats.unityfs.archives.blocks import BlockStream
from assetdb_formats.unityfs.archives.compression import Packed
from assetdb_formats.unityfs.archives.directory import LARGEST_INFO, Archive, Directory, Node
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.reader import BigEndianReader

if TYPE_CHECKING:
    from typing import BinaryIO

NEWEST: Final = 5
_WITH_FILE_SIZE: Final = 2
_WITH_INFO_SIZE: Final = 3
_WITH_HASH: Final = 4
_LEVEL_SIZE: Final = 8
_SMALLEST_NODE: Final = 10
_FIRST_READ: Final = 64 << 10  # bytes of the data that hold nearly every directory


def read_web_archive(stream: BinaryIO, head: bytes, signature: str) -> Archive:
    """Read an older archive's header and directory. Raises UnityFSError."""
    file_size = stream.seek(0, 2)
    reader = BigEndianReader(head, len(signature) + 1)
    number = reader.u32("format")
    if not 1 <= number <= NEWEST:
        raise UnsupportedError(f"{signature} format {number} is not known (1 to 6 are)", offset=9, field="format")
    reader.text("player_version", longest=255)
    unity_version = reader.text("unity_version", longest=255)
    digest = b""
    if number >= _WITH_HASH:
        digest = reader.take(16, "hash")
        reader.u32("crc")
    reader.u32("streamed_size")
    at = reader.position
    header_size = reader.u32("header_size")
    reader.u32("levels_before_streaming")
    levels = reader.count(reader.u32("levels"), _LEVEL_SIZE, "levels")
    if not levels:
        raise reader.error("has no level", "levels", offset=reader.position - 4)
    reader.need((levels - 1) * _LEVEL_SIZE, "levels")
    stored, size = reader.u32("levels"), reader.u32("levels")
    declared = reader.u32("size") if number >= _WITH_FILE_SIZE else header_size + stored
    if number >= _WITH_INFO_SIZE:
        reader.u32("info.size")
    if header_size < reader.position or header_size + stored > file_size:
        what = f"a header of {header_size} bytes and {stored} bytes of data in a file of {file_size}"
        raise UnityFSError(what, offset=at, field="header_size")
    if not header_size + stored <= declared <= file_size:
        raise UnityFSError(f"declares {declared} bytes, the file has {file_size}", offset=reader.position, field="size")
    kind = compression.LZMA_SIZED if signature == "UnityWeb" else compression.STORED
    block = Packed(header_size, stored, size, kind)
    compression.check(block, "blocks[0]")
    archive = Archive(
        signature=signature,
        format=number,
        unity_version=unity_version,
        size=declared,
        trailing=file_size - declared,
        flags=0,
        info=Packed(header_size, 0, 0, compression.STORED),
        hash=digest,
        blocks=(block,),
        starts=(0, size),
        nodes=(),
        gap=declared - header_size - stored,
        directory_size=0,
    )
    data = BlockStream(stream, archive)
    for most in (_FIRST_READ, LARGEST_INFO):
        try:
            nodes, end = _read_directory(data.read(0, min(size, most), "info"), size)
        except UnityFSError:
            if most >= min(size, LARGEST_INFO):
                raise
        else:
            return archive._replace(nodes=nodes, directory_size=end)
    raise AssertionError(most)


def _read_directory(decoded: bytes, total: int) -> tuple[tuple[Node, ...], int]:
    reader = BigEndianReader(decoded)
    directory = Directory(reader, total)
    for number in range(reader.count(reader.u32("info.nodes"), _SMALLEST_NODE, "info.nodes")):
        field = f"nodes[{number}]"
        path = reader.text(field, longest=4096)
        directory.add(Node(reader.u32(field), reader.u32(field), 0, path), field)
    return tuple(directory.nodes), reader.position
