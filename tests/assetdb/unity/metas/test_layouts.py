"""Lines of importers in metas, and the versions of Unity that write them."""

from __future__ import annotations

import pytest

from assetdb.unity.metas.layouts import MOVED, NUMBERS, Row, number_of, rows_of
from assetdb.unity.settings.editor_version import NEWEST, OLDEST

SIMPLE = (
    Row("externalObjects", "", "externalObjects", "{}", (2017, 3), NEWEST),
    Row("userData", "", "userData", "~", OLDEST, NEWEST),
    Row("assetBundleName", "", "assetBundleName", "~", (5, 0), NEWEST),
    Row("assetBundleVariant", "", "assetBundleVariant", "~", (5, 1), NEWEST),
)


def test_a_simple_importer_has_the_common_lines() -> None:
    assert rows_of("DefaultImporter") == SIMPLE
    assert rows_of("NativeFormatImporter") == (
        *(SIMPLE[0], Row("mainObjectFileID", "", "mainObjectFileID", "#main", (2017, 1), NEWEST), *SIMPLE[1:]),
    )
    assert rows_of("NoImporter") == ()


def test_lines_have_the_path_of_their_block_and_versions() -> None:
    found = {row.path: row for row in rows_of("TextureImporter")}
    assert found["mipmaps"] == Row("mipmaps", "", "mipmaps", None, OLDEST, NEWEST)
    assert found["mipmaps/enableMipMap"] == Row(
        "mipmaps/enableMipMap", "  ", "enableMipMap", "#mipmaps", OLDEST, NEWEST
    )
    assert (found["bumpmap/flipGreenChannel"].first, found["isReadable"].indent) == ((2022, 2), "")
    limit = found["ignoreMasterTextureLimit"]
    assert (limit.value, limit.first, limit.last) == ("0", (2021, 2), (2022, 1))
    assert (found["textureSettings/wrapMode"].first, found["textureSettings/wrapMode"].last) == (OLDEST, (2016, 9))


@pytest.mark.parametrize(
    ("name", "version", "number"),
    [
        ("TextureImporter", (0, 0), 2),
        ("TextureImporter", (5, 4), 2),
        ("TextureImporter", (5, 5), 4),
        ("TextureImporter", (2022, 2), 12),
        ("TextureImporter", (2022, 3), 13),
        ("TextureImporter", NEWEST, 13),
        ("PluginImporter", (6000, 0), 3),
        ("NoImporter", NEWEST, 0),
    ],
)
def test_the_number_of_an_importer_is_that_of_the_last_change(name: str, version: tuple[int, int], number: int) -> None:
    assert number_of(name, version) == number


def test_numbers_grow_with_versions() -> None:
    for steps in NUMBERS.values():
        assert list(steps) == sorted(steps)
        assert [number for _, number in steps] == sorted({number for _, number in steps})


@pytest.mark.parametrize("key", MOVED)
def test_a_key_that_moved_has_two_lines_that_never_meet(key: str) -> None:
    rows = rows_of("TextureImporter")
    first, second = (row for row in rows if row.path == key)
    assert first.last < second.first
    between = next(place for place, row in enumerate(rows) if row.path == MOVED[key])
    assert rows.index(first) < between < rows.index(second)


def test_an_item_of_a_list_that_is_a_value_has_no_key() -> None:
    assert [row for row in rows_of("TrueTypeFontImporter") if not row.key] == [
        Row("", "- ", "", "#font", OLDEST, NEWEST)
    ]
