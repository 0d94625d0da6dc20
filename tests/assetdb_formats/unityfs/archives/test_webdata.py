"""The data of web players: plain and packed, and what damaged ones do."""

from __future__ import annotations

import gzip
import random
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.files import FileTooLargeError
from assetdb_formats.inputs import InputError, InputLimits, file_input
from assetdb_formats.unityfs.archives import webdata
from assetdb_formats.unityfs.archives.webdata import WebData, may_be_web_data
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


def test_names() -> None:
    assert [may_be_web_data(name) for name in ("Build/G.data", "g.DATA.BR", "g.unityweb", "g.data2")] == [1, 1, 1, 0]
