"""Localized texts: files of every version, written here byte by byte, and damaged ones."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.containers.pak import open_pak
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.localization import LocalizedText, read_cultures, read_localized_texts

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = pack("<4I", 0x7574140E, 0xFC034A67, 0x9D90154A, 0x1B7F37C3)
META = pack("<4I", 0xA14CEE4F, 0x83554868, 0xBD464C6C, 0x7C50DA70)
ROWS = (("Menu", "Play", 7, "Spielen"), ("Menu", "Start", 8, "Spielen"), ("", "Über", 9, "Über uns"))


def string(text: str) -> bytes:
    if text.isascii():
        return pack("<i", len(text) + 1) + text.encode() + b"\0"
    return pack("<i", -len(text) - 1) + text.encode("utf-16-le") + b"\0\0"


def locres(version: int) -> bytes:
    """Return the rows as a version has them; equal strings once from version 1 on."""
    strings = list(dict.fromkeys(row[3] for row in ROWS))
    hashed = pack("<I", 0xABCD) if version >= 2 else b""
    body = pack("<I", len(ROWS)) if version >= 2 else b""
    names = list(dict.fromkeys(row[0] for row in ROWS))
    body += pack("<I", len(names))
    for name in names:
        own = [row for row in ROWS if row[0] == name]
        body += hashed + string(name) + pack("<I", len(own))
        for _, key, source, text in own:
            body += hashed + string(key) + pack("<I", source)
            body += pack("<i", strings.index(text)) if version else string(text)
    if not version:
        return body
    table = pack("<i", len(strings))
    for text in strings:
        table += string(text) + (pack("<i", 1) if version >= 2 else b"")
    return MAGIC + bytes([version]) + pack("<q", 25 + len(body)) + body + table


@pytest.mark.parametrize("version", range(4))
def test_texts_by_namespace_and_key(version: int) -> None:
    found = read_localized_texts(locres(version))
    assert found.version == version
    assert found.namespaces == ("Menu", "")
    assert found.texts == tuple(LocalizedText(*row) for row in ROWS)


@pytest.mark.parametrize(("version", "compiled"), [(0, None), (1, ("en", "de"))])
def test_cultures(version: int, compiled: tuple[str, ...] | None) -> None:
    data = META + bytes([version]) + string("en") + string("en/Game.locres")
    data += b"" if compiled is None else pack("<i", len(compiled)) + b"".join(map(string, compiled))
    found = read_cultures(data)
    assert found == (version, "en", "en/Game.locres", compiled)


def test_newer_versions_are_named() -> None:
    with pytest.raises(UnrealError, match="version 4; versions 0 to 3 are known"):
        read_localized_texts(MAGIC + b"\4" + bytes(40))
    with pytest.raises(UnrealError, match="version 2; versions 0 to 1 are known"):
        read_cultures(META + b"\2" + bytes(40))


@pytest.mark.parametrize("version", range(4))
def test_every_cut_and_every_count_is_an_error_with_its_place(version: int) -> None:
    data = locres(version)
    for size in range(len(data)):
        with pytest.raises(UnrealError) as cut:
            read_localized_texts(data[:size])
        assert cut.value.offset is not None
    for place in range(25 if version else 0, len(data) - 3):
        try:
            read_localized_texts(data[:place] + b"\xff\xff\xff\x7f" + data[place + 4 :])
        except UnrealError as error:
            assert error.offset is not None  # noqa: PT017 - some numbers may be anything


def test_a_string_that_is_not_there_is_an_error() -> None:
    data = bytearray(locres(1))
    at = data.index(pack("<I", 7)) + 4
    data[at : at + 4] = pack("<i", 5)
    with pytest.raises(UnrealError, match="string 5 of 2") as found:
        read_localized_texts(bytes(data))
    assert found.value.offset == at
    data[17:25] = pack("<q", len(data) + 1)
    with pytest.raises(UnrealError, match=r"strings at \d+ of"):
        read_localized_texts(bytes(data))


@pytest.mark.corpus("unreal")
@pytest.mark.parametrize("engine", ["UE5_8", "UE6_0"])
def test_files_of_the_engine(corpus: Path, engine: str) -> None:
    """Namespace and key are those that the samples' own description names."""
    folder = corpus / f"unreal/data/CUE4Parse/{engine}/Pak/Uncompressed"
    by_culture = {}
    with open_pak(str(folder / "CUE4ParseFixtures-Minimal-Uncompressed.pak")) as pak:
        for entry in pak.entries:
            if entry.path.endswith(".locres"):
                by_culture[entry.path.split("/")[-2]] = read_localized_texts(pak.read_file(entry))
    texts = {
        culture: {(row.namespace, row.key): row.text for row in found.texts} for culture, found in by_culture.items()
    }
    assert {culture: found.version for culture, found in by_culture.items()} == {"de": 3, "en": 3}
    assert texts["de"].keys() == texts["en"].keys()  # both are made from one list
    assert [row.source for row in by_culture["de"].texts] == [row.source for row in by_culture["en"].texts]
    assert texts["en"]["CUE4ParseFixtures.Tests", "CityGreeting"] == "Greetings from Frankfurt"
    assert texts["de"]["CUE4ParseFixtures.Tests", "CityGreeting"].startswith("Gr\u00fc\u00dfe")
