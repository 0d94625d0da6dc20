"""The data of web players: plain and packed, and what damaged ones do."""

from __future__ import annotations

import gzip
import random
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.files import FileTooLargeError
from assetdb_formats.inputs import InputError, InputLimits, file_input
from assetdb_formats.unityfs.archives import webdata
from assetdb_formats.unityfs.archives.webdata import UnpackedTooLargeError, WebData, may_be_web_data
from tests.assetdb_formats.unityfs.builder import web_data

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"boot.config": b"a=1\n", "data.unity3d": b"x" * 3000, "Il2CppData/Metadata/global-metadata.dat": b"m" * 50}


def packed(data: bytes, how: str) -> bytes:
    if how == "brotli":
        brotli = pytest.importorskip("brotli")
        result: bytes = brotli.compress(data)
        return result
    return gzip.compress(data) if how == "gzip" else data


@pytest.mark.parametrize("how", ["", "gzip", "brotli"])
def test_files_are_read_wherever_they_lie(tmp_path: Path, how: str) -> None:
    (tmp_path / "Game.data").write_bytes(packed(web_data(FILES), how))
    data = WebData(file_input(str(tmp_path / "Game.data")))
    assert data.compression == how
    assert {name: data.read(name, largest=4000) for name in data.names()} == FILES
    assert data.head("data.unity3d", 4) == b"xxxx"
    with data.open("data.unity3d") as one, data.open("boot.config") as other:
        assert (one.read(2), other.read(), one.seek(2998), one.read()) == (b"xx", b"a=1\n", 2998, b"xx")
    assert (data.unpacked_size, data.packed_size) == (len(web_data(FILES)), (tmp_path / "Game.data").stat().st_size)
    with pytest.raises(FileTooLargeError):
        data.read("data.unity3d", largest=10)
    assert data.find("Il2CppData", "Metadata/global-metadata.dat") == "Il2CppData/Metadata/global-metadata.dat"
    assert data.find("", "../boot.config") is None


def opened(folder: Path, data: bytes) -> WebData:
    (folder / "Game.data").write_bytes(data)
    return WebData(file_input(str(folder / "Game.data")))


def test_names_that_lead_out_of_it_are_no_files(tmp_path: Path) -> None:
    files = web_data({"../evil": b"1", "/etc/passwd": b"2", "a/../../b": b"3", "C:/x": b"4", "fine": b"5"})
    assert list(opened(tmp_path, files).names()) == ["fine"]


def test_what_unpacks_to_far_too_much_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bomb.data.gz").write_bytes(gzip.compress(bytes(50_000_000)))
    limits = InputLimits(ratio=10, freely=1 << 20, in_memory=1 << 20)
    with pytest.raises(InputError, match="unpacks to over"):
        WebData(file_input(str(tmp_path / "bomb.data.gz")), limits)


def test_without_brotli_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(webdata, "import_extra", _absent)
    with pytest.raises(webdata.MissingBrotliError, match="assetdb"):
        opened(tmp_path, b"\x1b\x00\x00")


def _absent(module: str, extra: str, what: str, *, field: str, error: type[Exception]) -> None:
    raise error(f"{what}: pip install 'assetdb[{extra}]'")


@pytest.mark.parametrize("how", ["", "gzip", "brotli"])
def test_mutations_are_typed_errors(tmp_path: Path, how: str) -> None:
    choice = random.Random(1)
    whole = packed(web_data(FILES), how)
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(choice.randint(1, 3)):
            data[choice.randrange(len(data))] = choice.randrange(256)
        try:
            found = opened(tmp_path, bytes(data[: choice.choice((len(data), choice.randrange(len(data))))]))
            for name in found.names():
                found.read(name, largest=1 << 20)
        except InputError:
            continue


def row(offset: int, size: int, name: bytes) -> bytes:
    return pack("<III", offset, size, len(name)) + name


def table(*rows: bytes, size: int | None = None, content: bytes = b"x" * 10) -> bytes:
    """Return web data whose content begins at the end of their table."""
    whole = b"".join(rows)
    return webdata.SIGNATURE + pack("<I", 20 + len(whole) if size is None else size) + whole + content


def test_a_table_lies_in_the_data_and_its_files_too(tmp_path: Path) -> None:
    end = 20 + 13 + 10
    data = opened(tmp_path, table(row(33, 10, b"a")))
    assert (data.table_size, data.unpacked_size, data.read("a", largest=10)) == (33, end, b"x" * 10)
    assert (data.place("a"), data.size("a"), data.head("a", 3)) == ((33, 10), 10, b"xxx")
    assert list(opened(tmp_path, table(content=b"")).names()) == []
    for wrong, what, offset, field in (
        (webdata.SIGNATURE, "is not the data of a web player (UnityWebData1.0)", 0, "signature"),
        (webdata.SIGNATURE + b"\x14\0\0", "is not the data of a web player (UnityWebData1.0)", 0, "signature"),
        (table(size=19), "a table up to byte 19 of 30", 16, "table"),
        (table(size=31), "a table up to byte 31 of 30", 16, "table"),
        (table(bytes(11)), "the table is cut off", 20, "table"),
        (table(row(33, 11, b"a")), "a file of 11 bytes at 33, and a name of 1 bytes", 20, "table"),
        (table(row(0, 0, b"a")[:-1], size=32), "a file of 0 bytes at 0, and a name of 1 bytes", 20, "table"),
    ):
        with pytest.raises(InputError) as caught:
            opened(tmp_path, wrong)
        assert (caught.value.what, caught.value.offset, caught.value.field) == (what, offset, field)
        assert caught.value.path == str(tmp_path / "Game.data")


def test_a_table_has_a_megabyte_at_most(tmp_path: Path) -> None:
    large = webdata.SIGNATURE + pack("<I", 1 << 20) + row(0, 0, b"n" * ((1 << 20) - 32))
    assert len(large) == 1 << 20
    assert list(opened(tmp_path, large).names()) == ["n" * ((1 << 20) - 32)]
    with pytest.raises(InputError, match=f"a table up to byte {(1 << 20) + 1} of"):
        opened(tmp_path, webdata.SIGNATURE + pack("<I", (1 << 20) + 1) + large[20:] + b"n")


def test_files_have_at_most_twice_the_data_together(tmp_path: Path) -> None:
    rows = [row(0, 69, b"a"), row(0, 69, b"b"), row(5, 0, b"c")]
    assert len(list(opened(tmp_path, table(*rows)).names())) == 3
    with pytest.raises(InputError, match="the files overlap") as caught:
        opened(tmp_path, table(*rows[:2], row(5, 1, b"c")))
    assert (caught.value.offset, caught.value.field) == (46, "table")
    # Of two files of one name the first one counts.
    assert opened(tmp_path, table(row(46, 1, b"a"), row(47, 2, b"a"))).place("a") == (46, 1)


def test_data_unpack_to_their_bound_and_not_a_byte_more(tmp_path: Path) -> None:
    whole = web_data(FILES)
    packed = gzip.compress(whole)
    (tmp_path / "Game.data.gz").write_bytes(packed)
    item = file_input(str(tmp_path / "Game.data.gz"))
    for spare in (0, 1):
        limits = InputLimits(ratio=2, freely=len(whole) - 2 * len(packed) - spare, in_memory=100)
        if spare:
            with pytest.raises(UnpackedTooLargeError, match=f"unpacks to over {len(whole) - 1:,} bytes") as caught:
                WebData(item, limits)
            assert (caught.value.field, caught.value.path) == ("gzip", item.name)
        else:
            assert sorted(WebData(item, limits).names()) == sorted(FILES)
    for cut, message in ((packed[:-9], "the gzip data are cut off"), (packed[:10] + b"\xff" * 9, "are damaged: ")):
        with pytest.raises(InputError, match=message) as damaged:
            opened(tmp_path, cut)
        assert damaged.value.field == "gzip"
    brotli = pytest.importorskip("brotli").compress(whole)
    for cut, message in ((brotli[:-3], "nor complete Brotli"), (b"\xff" * 40, "nor valid Brotli")):
        with pytest.raises(InputError, match=message) as damaged:
            opened(tmp_path, cut)
        assert damaged.value.field == "brotli"


def test_names() -> None:
    assert [may_be_web_data(name) for name in ("Build/G.data", "g.DATA.BR", "g.unityweb", "g.data2")] == [1, 1, 1, 0]
