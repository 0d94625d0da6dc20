"""Headers of archives: where blocks and info lie, which flags mean encryption, and each size at its limit."""

from __future__ import annotations

from io import BytesIO
from struct import pack

import pytest

from assetdb_formats.unityfs.archives.archive import is_archive, read_archive
from assetdb_formats.unityfs.archives.compression import Packed
from assetdb_formats.unityfs.archives.directory import LARGEST_INFO, Archive, Node
from assetdb_formats.unityfs.errors import EncryptedError, UnityFSError, UnsupportedError
from tests.assetdb_formats.unityfs import builder

HEAD = 8 + 4 + 6 + 11 + 20  # the signature, format, two versions, four numbers
NODES = pack(">I", 2) + pack(">qqI", 0, 30, 4) + b"CAB-a\0" + pack(">qqI", 30, 10, 0) + b"a.res\0"


def info(*blocks: tuple[int, int, int], nodes: bytes = NODES, digest: bytes = bytes(16)) -> bytes:
    return digest + pack(">I", len(blocks)) + b"".join(pack(">IIH", *block) for block in blocks) + nodes


def read(data: bytes) -> Archive:
    return read_archive(BytesIO(data))


BLOCKS = info((15, 15, 0), (25, 25, 0x40), digest=bytes(range(16)))


def test_blocks_and_files_are_where_the_header_says() -> None:
    data = builder.assemble(BLOCKS, b"x" * 40, compression=0)
    found = read(data + b"behind")
    start = HEAD + -HEAD % 16
    assert (found.signature, found.format, found.unity_version) == ("UnityFS", 8, "2022.3.1f1")
    assert (found.size, found.trailing, found.gap, found.flags) == (len(data), 6, 0, 0x40)
    assert found.info == Packed(start, len(BLOCKS), len(BLOCKS), 0)
    assert (found.hash, found.directory_size, found.decoded_size) == (bytes(range(16)), 0, 40)
    first = start + len(BLOCKS)
    assert found.blocks == (Packed(first, 15, 15, 0), Packed(first + 15, 25, 25, 0))
    assert found.starts == (0, 15, 40)
    assert found.nodes == (Node(0, 30, 4, "CAB-a"), Node(30, 10, 0, "a.res"))


def test_info_at_the_end_leaves_the_blocks_at_the_front() -> None:
    start = HEAD + -HEAD % 16
    data = builder.assemble(BLOCKS, b"x" * 43, compression=0, at_end=True)
    found = read(data)
    assert found.info.offset == len(data) - len(BLOCKS)
    assert (found.blocks[0].offset, found.gap) == (start, 3)
    padded = read(builder.assemble(BLOCKS, b"x" * 40, compression=0, padded=True))
    assert padded.blocks[0].offset == start + len(BLOCKS) + -len(BLOCKS) % 16
    # Format 6 has no zeros behind its header.
    assert read(builder.assemble(BLOCKS, b"x" * 40, compression=0, number=6)).info.offset == HEAD
    with pytest.raises(UnityFSError, match="needs 25 bytes, 24 are left") as caught:
        read(builder.assemble(BLOCKS, b"x" * 39, compression=0, at_end=True))
    assert (caught.value.offset, caught.value.field) == (start + 15, "blocks[1]")


def changed(at: int, layout: str, *values: int) -> bytes:
    """Return a whole archive in which one number of the header is another."""
    data = bytearray(builder.assemble(BLOCKS, b"x" * 40, compression=0))
    number = pack(layout, *values)
    data[at : at + len(number)] = number
    return bytes(data)


def test_declared_sizes_are_held_to_the_file() -> None:
    size = len(changed(0, ">"))
    for wrong in (size + 1, HEAD - 1):
        with pytest.raises(UnityFSError, match=f"declares {wrong} bytes, the file has {size}") as caught:
            read(changed(HEAD - 20, ">q", wrong))
        assert (caught.value.offset, caught.value.field) == (HEAD - 20, "size")
    start = HEAD + -HEAD % 16
    with pytest.raises(UnityFSError, match="bytes of blocks info do not fit in") as caught:
        read(changed(HEAD - 20, ">q", HEAD))
    assert (caught.value.offset, caught.value.field) == (start, "info")
    left = size - start
    for at_end in (0, 0x80):
        with pytest.raises(UnityFSError, match=f"{left + 1} bytes of blocks info do not fit in"):
            read(changed(HEAD - 12, ">III", left + 1, left + 1, 0x40 | at_end))
        with pytest.raises(UnityFSError) as caught:  # fits, and is something else then
            read(changed(HEAD - 12, ">III", left, left, 0x40 | at_end))
        assert "fit" not in caught.value.what
    with pytest.raises(UnityFSError, match=f"{LARGEST_INFO + 1} bytes of blocks info; {LARGEST_INFO} are") as caught:
        read(changed(HEAD - 8, ">II", LARGEST_INFO + 1, 0x41))
    assert (caught.value.offset, caught.value.field) == (HEAD - 20 + 12, "info.size")
    with pytest.raises(UnityFSError, match=f"bytes cannot be {LARGEST_INFO} bytes"):
        read(changed(HEAD - 8, ">II", LARGEST_INFO, 0x40))


def test_the_bits_of_encryption_are_refused_with_their_place() -> None:
    for flags in (0x400, 0x1000):
        with pytest.raises(EncryptedError, match=f"flags 0x{flags | 0x40:x}") as caught:
            read(changed(HEAD - 4, ">I", 0x40 | flags))
        assert (caught.value.offset, caught.value.field) == (HEAD - 4, "flags")
    assert read(changed(HEAD - 4, ">I", 0x40 | 0x800)).flags == 0x840
    block = info((15, 15, 0), (25, 25, 0x100))
    with pytest.raises(EncryptedError, match="the block is encrypted") as inner:
        read(builder.assemble(block, b"x" * 40, compression=0))
    assert inner.value.field == "blocks[1]"


def test_padding_before_its_release_is_encryption() -> None:
    files = [("CAB-a", b"x" * 20)]
    for version, is_padding in (
        ("2019.9.99f1", False),
        ("2020.3.33f1", False),
        ("2020.3.34f1", True),
        ("2020.4.0f1", True),
        ("2021.3.1f1", False),
        ("2021.3.2f1", True),
        ("2022.1.0f1", False),
        ("2022.1.1f1", True),
        ("2023.0.0f1", True),
        ("0.0.0", True),
        ("stripped", True),
    ):
        data = builder.archive(files, padded=True, unity_version=version)
        if is_padding:
            assert read(data).nodes[0].size == 20
        else:
            with pytest.raises(EncryptedError):
                read(data)


def test_late_2019_4_is_padded_where_zeros_follow_the_header() -> None:
    # The first byte of the info is that of a hash, which is zero in every real file: here it is not.
    marked = info((40, 40, 0), digest=b"\1" * 16)
    for version in ("2019.4.15f1", "2019.4.14f1", "2019.3.99f1", "2018.4.20f1"):
        data = builder.assemble(marked, b"x" * 40, compression=0, number=6, unity_version=version)
        assert read(data).hash == b"\1" * 16
        head = len(data) - len(marked) - 40
        zeros = -head % 16
        assert zeros
        padded = data[: head - 20] + pack(">q", len(data) + zeros) + data[head - 12 : head] + bytes(zeros) + data[head:]
        if version == "2019.4.15f1":
            assert read(padded).info.offset == head + zeros
        else:
            with pytest.raises(UnityFSError):
                read(padded)


def test_a_block_has_bytes_unless_it_is_alone() -> None:
    none = pack(">I", 1) + pack(">qqI", 0, 0, 0) + b"a\0"
    assert read(builder.assemble(info((0, 0, 0), nodes=none), b"", compression=0)).decoded_size == 0
    with pytest.raises(UnityFSError, match="a block without bytes") as caught:
        read(builder.assemble(info((40, 40, 0), (0, 0, 0)), b"x" * 40, compression=0))
    assert caught.value.field == "blocks[1]"
    with pytest.raises(UnityFSError, match="3 bytes are left over") as left:
        read(builder.assemble(info((40, 40, 0)) + b"???", b"x" * 40, compression=0))
    assert left.value.field == "info"


def test_signatures_and_formats() -> None:
    for head in (b"UnityFS\0", b"UnityWeb\0", b"UnityRaw\0", b"UnityArchive\0"):
        assert is_archive(head)
        assert not is_archive(head[:-1] + b"2\0")
    with pytest.raises(UnityFSError, match="not a UnityFS bundle") as caught:
        read(b"UnityOther\0" + bytes(60))
    assert (caught.value.offset, caught.value.field) == (0, "signature")
    with pytest.raises(UnsupportedError, match="UnityArchive, the bundle of one Unity 5 beta") as beta:
        read(b"UnityArchive\0" + bytes(60))
    assert (beta.value.offset, beta.value.field) == (0, "signature")
    for number in (5, 9):
        with pytest.raises(UnsupportedError, match=f"UnityFS format {number} is not known") as other:
            read(changed(8, ">I", number))
        assert (other.value.offset, other.value.field) == (8, "format")
