"""Archives of Unity 2 to 5 and inferred versions. No real sample is known here: these are synthetic."""

from __future__ import annotations

from io import BytesIO
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.archives.archive import read_archive
from assetdb_formats.unityfs.archives.compression import STORED, LzmaCursor, Packed
from assetdb_formats.unityfs.bundle import Bundle
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError
from assetdb_formats.unityfs.release import inferred_releases, is_stripped
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [name for name in builder.every_kind() if name.startswith(("UnityWeb", "UnityRaw"))]


@pytest.mark.parametrize("name", NAMES)
def test_the_directory(name: str) -> None:
    bundle = Bundle(BytesIO(builder.every_kind()[name]))
    assert bundle.archive is not None
    signature, _, number = name.partition(" ")
    assert (bundle.archive.signature, bundle.archive.format) == (signature, int(number))
    assert (bundle.archive.trailing, bundle.archive.gap) == (0, 0)
    first, second = bundle.nodes
    assert (first.path, first.serialized, second.serialized) == ("CAB-basket", True, False)
    assert b"".join(bundle.pieces(second)) == bytes(range(256)) * 2


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(("1", "6"))])
def test_unitypy_reads_the_same(name: str) -> None:
    unitypy = pytest.importorskip("UnityPy", reason="UnityPy is not installed (the extra `oracle`)")
    data = builder.every_kind()[name]
    theirs = unitypy.load(data)
    found = {(entry.path_id, entry.class_id) for entry in theirs.objects}
    (file,) = Bundle(BytesIO(data)).files()
    assert found == {(entry.path_id, entry.class_id) for entry in file.facts.objects}
    texts = [entry.read().m_Script for entry in theirs.objects if entry.type.name == "TextAsset"]
    assert texts == ["Füße\n" * 40]


def test_a_large_directory_is_read_whole() -> None:
    files = [(f"file number {number} with a long name", b"x") for number in range(4000)]
    for signature in ("UnityWeb", "UnityRaw"):
        archive = read_archive(BytesIO(builder.web_archive(files, signature=signature)))
        assert len(archive.nodes) == 4000
        assert archive.directory_size > 64 << 10


HEAD = len(b"UnityRaw\0") + 4 + len(b"3.x.x\0") + len(b"4.6.1f1\0")


@pytest.mark.parametrize(
    ("at", "word", "field"),
    [
        (9, 7, "format"),
        (9, 0, "format"),
        (HEAD + 4, 1 << 31, "header_size"),
        (HEAD + 4, 8, "header_size"),
        (HEAD + 12, 0, "levels"),
        (HEAD + 12, 1 << 30, "levels"),
        (HEAD + 16, 1 << 31, "header_size"),
        (HEAD + 20, 5, "blocks[0]"),
        (HEAD + 24, 1 << 31, "size"),
        (HEAD + 24, 5, "size"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field(at: int, word: int, field: str) -> None:
    data = bytearray(builder.web_archive([("CAB", builder.whole_file(9))], signature="UnityRaw"))
    data[at : at + 4] = pack(">I", word)
    with pytest.raises(FormatError) as caught:
        read_archive(BytesIO(bytes(data)))
    assert caught.value.field == field


def changed(at: int, word: int, *, trailing: bytes = b"") -> bytes:
    """Return an archive of format 3 in which one number of the header is another."""
    data = bytearray(builder.web_archive([("CAB", b"abcd")], signature="UnityRaw", trailing=trailing))
    data[at : at + 4] = pack(">I", word)
    return bytes(data)


def test_sizes_of_the_header_are_held_to_the_file() -> None:
    whole = changed(HEAD + 16, 20)
    size = len(whole)  # the header has 60 bytes, the data 20: the directory 16, one file of 4
    assert size == 60 + 20
    found = read_archive(BytesIO(whole))
    assert (found.size, found.trailing, found.gap, found.directory_size, found.starts) == (size, 0, 0, 16, (0, 20))
    assert found.blocks == (Packed(60, 20, 20, STORED),)
    assert [node[:2] for node in found.nodes] == [(16, 4)]
    # Its own size may be that of the data and all that the file has, and nothing outside of that.
    for declared in (size, size + 3):
        archive = read_archive(BytesIO(changed(HEAD + 24, declared, trailing=b"xyz")))
        assert (archive.size, archive.trailing, archive.gap) == (declared, size + 3 - declared, declared - size)
    for declared in (size - 1, size + 4):
        with pytest.raises(UnityFSError, match=f"declares {declared} bytes, the file has {size + 3}") as caught:
            read_archive(BytesIO(changed(HEAD + 24, declared, trailing=b"xyz")))
        assert (caught.value.offset, caught.value.field) == (HEAD + 32, "size")
    # The header ends behind its last number, and its data in the file.
    for header_size in (HEAD + 31, 61):
        with pytest.raises(UnityFSError, match=f"a header of {header_size} bytes and 20 bytes of data") as caught:
            read_archive(BytesIO(changed(HEAD + 4, header_size)))
        assert (caught.value.offset, caught.value.field) == (HEAD + 4, "header_size")
    assert read_archive(BytesIO(changed(HEAD + 4, HEAD + 32))).nodes == ()  # a zero before counts no files


def test_formats_1_to_5_and_their_levels() -> None:
    for number in (0, 7):
        with pytest.raises(UnsupportedError, match=rf"UnityRaw format {number} is not known \(1 to 6 are\)") as caught:
            read_archive(BytesIO(changed(9, number)))
        assert (caught.value.offset, caught.value.field) == (9, "format")
    with pytest.raises(UnityFSError, match="has no level") as levels:
        read_archive(BytesIO(changed(HEAD + 12, 0)))
    assert (levels.value.offset, levels.value.field) == (HEAD + 12, "levels")
    for number in (1, 2, 3, 4, 5):
        for count in (1, 2, 5):
            data = builder.web_archive([("CAB", b"abcd")], signature="UnityRaw", number=number, levels=count)
            if number >= 4:
                data = data[:HEAD] + bytes(range(16)) + b"crc!" + data[HEAD + 20 :]
            found = read_archive(BytesIO(data))
            assert found.hash == (bytes(range(16)) if number >= 4 else b"")
            assert (found.format, found.size, found.unity_version) == (number, len(data), "4.6.1f1")


def test_a_directory_that_lies_is_refused() -> None:
    good = builder.web_archive([("CAB", b"abcd"), ("CAC", b"abcd")], signature="UnityRaw")
    at = good.index(b"CAB\0")
    for change in (pack(">I", 1 << 30) + b"CAB\0", pack(">I", 2) + b"CAC\0"):
        data = good[: at - 4] + change + good[at + 4 :]
        with pytest.raises(FormatError):
            read_archive(BytesIO(data))
    many = [("a", bytes(1000)), *((f"{number}", b"") for number in range(9))]
    data = bytearray(builder.web_archive(many, signature="UnityRaw"))
    start = data.index(b"0\0" + bytes(2))
    for number in range(9):  # each has all of the bytes
        place = data.index(f"{number}\0".encode(), start)
        data[place + 2 : place + 10] = pack(">II", 0, 1000)
        start = place
    with pytest.raises(FormatError, match="overlap"):
        read_archive(BytesIO(bytes(data)))


def test_files_in_any_order_are_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    begin = LzmaCursor._begin
    monkeypatch.setattr(LzmaCursor, "_begin", lambda self: begun.append(1) or begin(self))
    inner = builder.whole_file(9)
    files = [(f"{number:03}", inner if number % 2 else b"abc") for number in range(200)]
    data = builder.web_archive(files, signature="UnityRaw")
    start = data.index(b"000\0")
    rows = [data[start + 12 * number :][:12] for number in range(200)]
    plain = data[data.index(pack(">I", 200) + b"000") :]
    directory = pack(">I", 200) + b"".join(reversed(rows))  # backwards
    for shared in (b"", rows[-1][4:]):  # and all of them the same file
        changed = directory
        if shared:
            changed = pack(">I", 200) + b"".join(row[:4] + rows[-2][4:8] + pack(">I", 40) for row in rows)
        archive = _web(changed + plain[len(directory) :])
        begun.clear()
        bundle = Bundle(BytesIO(archive))
        assert sum(node.serialized for node in bundle.nodes) == (0 if shared else 100)
        assert len(begun) <= 2  # the directory, then the files


def _web(decoded: bytes) -> bytes:
    raw = builder.lzma_compress(decoded, 1 << 20)
    stored = raw[:5] + len(decoded).to_bytes(8, "little") + raw[5:]
    head = b"UnityWeb\0" + pack(">I", 1) + b"3.x.x\0" + b"3.4.0f1\0"
    size = len(head) + 24
    return head + pack(">IIIIII", size + len(stored), size, 1, 1, len(stored), len(decoded)) + stored


def test_the_size_in_the_lzma_data_is_compared() -> None:
    files = [("CAB", builder.whole_file(9))]
    with pytest.raises(FormatError, match="the LZMA data say 5 bytes, the archive"):
        Bundle(BytesIO(builder.web_archive(files, decoded_size=5)))
    unknown = Bundle(BytesIO(builder.web_archive(files, decoded_size=(1 << 64) - 1)))  # .lzma files may not say it
    assert len(list(unknown.files())) == 1


@pytest.mark.parametrize(
    ("signature", "archive", "serialized", "text"),
    [
        ("UnityFS", 6, 17, "5.5 to 2018.4"),
        ("UnityFS", 6, 21, "2019.3 to 2019.4"),
        ("UnityFS", 7, 22, "2020.1 to 2022.1"),
        ("UnityFS", 8, 22, "2021.3 or later"),
        ("UnityFS", 8, 23, "6000.0 or later"),
        ("", 0, 15, "5.0 to 5.4"),
        ("", 0, 16, "5.5"),
        ("UnityWeb", 3, 9, "3.5 to 4.7"),
        ("UnityRaw", 2, 8, "3.0 to 3.4"),
        ("UnityFS", 8, 9, ""),
        ("", 0, 99, ""),
    ],
)
def test_inferred_releases(signature: str, archive: int, serialized: int, text: str) -> None:
    assert inferred_releases(signature, archive, serialized) == text


def test_stripped_versions() -> None:
    assert is_stripped("0.0.0")
    assert is_stripped("")
    assert not is_stripped("5.6.0f3")


@pytest.mark.corpus("unityfs")
def test_what_is_inferred_holds_the_version_of_real_bundles(corpus: Path) -> None:
    compared = 0
    for path in sorted((corpus / "unityfs").rglob("*")):
        if not path.is_file() or path.read_bytes()[:8] != b"UnityFS\0":
            continue
        with path.open("rb") as stream:
            bundle = Bundle(stream)
            assert bundle.archive is not None
            year, minor = map(int, bundle.archive.unity_version.split(".")[:2])
            for file in bundle.files():
                said = inferred_releases("UnityFS", bundle.archive.format, file.facts.header.version)
                first, _, last = said.removesuffix(" or later").partition(" to ")
                assert tuple(map(int, first.split("."))) <= (year, minor), (path.name, said)
                assert not last or tuple(map(int, last.split("."))) >= (year, minor), (path.name, said)
                compared += 1
    assert compared > 50
