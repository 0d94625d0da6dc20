"""The families of fonts, and those that they look for."""

from __future__ import annotations

import random

import pytest

from assetdb.unity.content.fonts import SoughtFonts, font_family, sought_fonts
from tests.assetdb.unity.content.font_writer import Text, font

META = b"fileFormatVersion: 2\nguid: 0\ntimeCreated: 1476470356\nTrueTypeFontImporter:\n  fontNames:%b\n  userData: \n"
LIGHT = font(Text("Open Sans Light"), Text("Regular", 2), Text("Open Sans", 16), Text("Light", 17))


@pytest.mark.parametrize(
    ("data", "family"),
    [
        (LIGHT, "Open Sans"),
        (font(Text("Unipix")), "Unipix"),
        (font(Text("Unipix"), collection=True), "Unipix"),
        (font(Text("Schrift", language=0x407), Text("Script")), "Script"),
        (font(Text("Schrift", language=0x407)), "Schrift"),
        (font(Text("Größe", 16, language=0x407), Text("Size", 1)), "Größe"),
        (font(Text("Mac", platform=1, encoding=0)), "Mac"),
        (font(Text("Mac", platform=1, encoding=0), Text("Windows")), "Windows"),
        (font(Text("Mac", platform=1, encoding=4)), ""),
        (font(Text("x" * 300)), ""),
        (font(Text("Style", 2)), ""),
        (font(), ""),
        (font(Text("Far"), tables=300), ""),
        (b"", ""),
        (b"ttcf", ""),
        (b"version https://git-lfs.github.com/spec/v1\n", ""),
    ],
)
def test_the_family_is_the_typographic_one_and_else_that_of_four_styles(data: bytes, family: str) -> None:
    assert font_family(data) == family


@pytest.mark.parametrize(
    ("names", "families"),
    [
        (b" []", ("open sans",)),
        (b"\n  - Roboto", ("roboto",)),
        (b"\n  - Roboto\n  - 'Noto: Sans'\n  fallbackFontReferences: []", ("roboto", "noto: sans")),
        (b"\n  - \n  -  Arial", ("arial",)),
    ],
)
def test_a_font_looks_for_the_names_of_its_meta_or_its_own(names: bytes, families: tuple[str, ...]) -> None:
    expected = SoughtFonts(families, 1476470356, "open sans")
    assert sought_fonts(META % names, LIGHT) == expected
    assert sought_fonts((META % names).replace(b"\n", b"\r\n"), LIGHT) == expected


def test_a_font_without_names_looks_for_none() -> None:
    assert sought_fonts(b"guid: 0\n", b"") == SoughtFonts((), 0, "")
    assert sought_fonts(META % b"\n  - Arial", b"") == SoughtFonts(("arial",), 1476470356, "")


def test_damaged_fonts_have_a_family_or_none() -> None:
    source = random.Random(1)
    for _ in range(3000):
        changed = bytearray(LIGHT)
        for _ in range(source.randrange(1, 6)):
            changed[source.randrange(len(changed))] = source.randrange(256)
        assert len(font_family(bytes(changed[: source.randrange(len(changed) + 1)]))) <= 256
