"""Legacy .pak files: written by the tests and read back, and real ones."""

from __future__ import annotations

import base64
import random
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.containers.pak import Pak, open_pak
from assetdb_formats.unreal.errors import MissingExtraError, MissingKeyError, OverlapError
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import KEY

if TYPE_CHECKING:
    from pathlib import Path

FILES = [
    ("Game/Content/A.uasset", random.Random(1).randbytes(700) + bytes(900)),
    ("Game/Content/Deep/B.uexp", b"short"),
    ("root.ini", b"x" * 512),
]
# The key that the tests of the packer of these files are published with.
PACKS_KEY = base64.b64decode("lNJbw660IOC+kU7cnVQ1oeqrXyhk4J6UAZrCBbcnp94=")
FIXTURE_KEY = b"CUE4ParseFixtureAESKey0123456789"


def opened(data: bytes, key: bytes | None = None) -> Pak:
    def read(offset: int, size: int) -> bytes:
        part = data[offset : offset + size]
        if len(part) != size:
            raise FormatError("is cut short", offset=offset)
        return part

    return Pak(read, len(data), key=key)


# Neither blocks nor encryption before version 3.
FORMS = [(1, "None", False), (2, "None", False)]
FORMS += [(version, method, key) for version in range(3, 16) for method in ("None", "Zlib") for key in (False, True)]


@pytest.mark.parametrize(("version", "method", "encrypted"), FORMS)
def test_every_version_reads_back(version: int, method: str, encrypted: bool) -> None:  # noqa: FBT001 - a parameter
    if encrypted:
        pytest.importorskip("cryptography", reason="this Python is without cryptography")
    key = KEY if encrypted else None
    data = write_pak(version, FILES, method=method, key=key, encrypted_index=encrypted and version >= 4)
    pak = opened(data, key)
    assert pak.footer.version == version
    assert pak.mount_point == "../../../"
    assert sorted((entry.path, pak.read_file(entry)) for entry in pak.entries) == sorted(FILES)
    assert all(pak.is_intact(entry) for entry in pak.entries)
    assert all(entry.encrypted == encrypted for entry in pak.entries)
    found = pak.find("root.ini")
    assert found is not None
    assert found.size == 512


def test_a_file_that_holds_nothing_is_smaller_than_a_footer_may_be() -> None:
    data = write_pak(3, [])
    assert len(data) < 320
    assert list(opened(data).entries) == []
    for length in (0, 43):
        with pytest.raises(FormatError, match=r"is not a \.pak file"):
            opened(bytes(length))
    with pytest.raises(FormatError) as caught:
        opened(data[-44:])  # a footer whose index is not there
    assert "no footer" not in str(caught.value)


def test_first_version_8_stores_methods_in_one_byte() -> None:
    pak = opened(write_pak(8, FILES, method="Zlib", short_methods=True))
    assert pak.footer.short_methods
    assert sorted((entry.path, pak.read_file(entry)) for entry in pak.entries) == sorted(FILES)
    assert all(pak.is_intact(entry) for entry in pak.entries)


def test_an_encrypted_index_needs_the_right_key() -> None:
    data = write_pak(11, FILES, key=KEY, encrypted_index=True)
    with pytest.raises(MissingKeyError, match="a key is needed"):
        opened(data)
    with pytest.raises(MissingKeyError, match="does not fit"):
        opened(data, bytes(32))


def test_a_newer_version_is_named() -> None:
    data = bytearray(write_pak(11, FILES))
    data[-204 + 4] = 16
    with pytest.raises(FormatError, match="version 16; versions 1 to 15 are known"):
        opened(bytes(data))


def test_damaged_data_is_found() -> None:
    data = bytearray(write_pak(11, FILES))
    data[200] ^= 1
    pak = opened(bytes(data))
    assert [pak.is_intact(entry) for entry in pak.entries].count(False) == 1


def test_damaged_index_is_refused() -> None:
    data = bytearray(write_pak(7, FILES))
    data[-70] ^= 1
    with pytest.raises(FormatError, match="SHA-1"):
        opened(bytes(data))


@pytest.mark.parametrize("size", [1 << 31, 1 << 40, (1 << 64) - 1])
@pytest.mark.parametrize("method", ["Zlib", "Gzip", "LZ4", "Zstd", "Oodle"])
def test_a_block_that_promises_more_than_any_has(method: str, size: int) -> None:
    pak = opened(write_pak(11, FILES, method="Zlib"))
    entry = pak.entries[0]._replace(method=method, size=size, block_size=size)
    with pytest.raises(FormatError, match="at most"):
        pak.read_file(entry)


def test_data_beyond_what_a_file_can_seek_to(tmp_path: Path) -> None:
    (tmp_path / "a.pak").write_bytes(write_pak(11, FILES))
    with open_pak(str(tmp_path / "a.pak")) as pak:
        entry = pak.entries[0]._replace(offset=(1 << 64) - 1000)
        with pytest.raises(FormatError, match="0 are left"):
            pak.read_file(entry)


def test_reading_is_limited_only_on_request(tmp_path: Path) -> None:
    (tmp_path / "a.pak").write_bytes(write_pak(11, FILES))
    with open_pak(str(tmp_path / "a.pak")) as pak:
        for _ in range(50):
            assert pak.read_file(pak.entries[0]) == FILES[0][1]
        pak.limit_reading()
        for _ in range(2):
            pak.read_file(pak.entries[0])
        with pytest.raises(OverlapError, match="contents overlap"):
            list(map(pak.read_file, pak.entries[:1] * 50))


@pytest.mark.corpus("unreal")
def test_real_files_of_versions_5_to_11_hold_what_they_were_packed_from(corpus: Path) -> None:
    root = corpus / "unreal" / "data" / "repak"
    wanted = {
        path.relative_to(root / "pack" / "root").as_posix(): path.read_bytes()
        for path in (root / "pack" / "root").rglob("*")
        if path.is_file()
    }
    versions = set()
    for path in sorted((root / "packs").glob("*.pak")):
        with open_pak(str(path), key=PACKS_KEY) as pak:
            versions.add(pak.footer.version)
            assert {entry.path: pak.read_file(entry) for entry in pak.entries} == wanted, path
            assert all(pak.is_intact(entry) for entry in pak.entries), path
    assert versions == {5, 7, 8, 9, 11}


@pytest.mark.corpus("unreal")
def test_every_real_file_lists_and_is_intact(corpus: Path) -> None:
    listed = 0
    for path in sorted((corpus / "unreal" / "data").rglob("*.pak")):
        with open_pak(str(path), key=PACKS_KEY if "repak" in path.parts else FIXTURE_KEY) as pak:
            listed += 1
            assert pak.entries, path
            for entry in pak.entries:
                assert pak.is_intact(entry), (path, entry)
                try:
                    assert len(pak.read_file(entry)) == entry.size
                except MissingExtraError:
                    assert entry.method == "Oodle"
    assert listed == 79


@pytest.mark.corpus("unreal")
def test_flat_directories_name_the_files_that_version_12_names(corpus: Path) -> None:
    root = corpus / "unreal" / "data" / "CUE4Parse"
    pairs = 0
    for path in sorted((root / "UE6_0").rglob("*.pak")):
        older = root / "UE5_8" / path.relative_to(root / "UE6_0")
        with open_pak(str(path), key=FIXTURE_KEY) as pak, open_pak(str(older), key=FIXTURE_KEY) as twin:
            assert (pak.footer.version, twin.footer.version) == (15, 12)
            assert {entry.path for entry in pak.entries} == {entry.path for entry in twin.entries}
            pairs += 1
    assert pairs == 13


@pytest.mark.corpus("unreal")
@pytest.mark.skipif(find_spec("ooz") is None, reason="the oodle extra (pyooz) is not installed")
def test_aes_ctr_files_are_those_of_the_plain_build(corpus: Path) -> None:
    root = corpus / "unreal" / "data" / "CUE4Parse"
    for path in sorted((root / "UE6_0").rglob("*OodleEncrypted.pak")):
        plain = str(path).replace("OodleEncrypted", "Uncompressed")
        with open_pak(str(path), key=FIXTURE_KEY) as pak, open_pak(plain) as twin:
            assert pak.footer.ctr
            wanted = {entry.path: twin.read_file(entry) for entry in twin.entries}
            assert {entry.path: pak.read_file(entry) for entry in pak.entries} == wanted
