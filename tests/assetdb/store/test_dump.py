"""A database as lines, and the lines in which two differ."""

from __future__ import annotations

import pytest

from assetdb.errors import DatabaseError
from assetdb.store import schema
from assetdb.store.dump import class_text, difference, lines
from assetdb_formats.codecs.bincode import signed, string, unsigned

SCRIPT = b"cd" * 16


def body(name: str, path: str, *rows: tuple[int, int, str]) -> bytes:
    packed = b"".join(signed(number) + unsigned(kind) + string(text.encode()) for number, kind, text in rows)
    return string(name.encode()) + unsigned(len(rows)) + packed + string(path.encode())


def database(*entries: tuple[int, bytes, bytes]) -> bytes:
    guids = [bytes([number]) * 16 for number, _, _ in entries]
    return schema.encode(guids, [kind for _, kind, _ in entries], [each for _, _, each in entries])[0]


TEXT = (1, b"49", body('a "b"', "Assets/a\nb.txt"))
SHEET = (2, b"28", body("ä", "Assets/ä.png", (-5, 213, "s"), (7, 99999, "odd")))
ITEM = (3, SCRIPT, body("item", "Assets/item.asset"))
ONE, TWO, THREE = (f"{number:02x}" * 16 for number in (1, 2, 3))


def test_each_asset_and_sub_asset_is_a_line() -> None:
    assert list(lines(database(TEXT, SHEET, ITEM))) == [
        "asset-db schema 6: 3 assets, 1 script types",
        ONE + r' TextAsset(49) "a \"b\"" "Assets/a\nb.txt"',
        f'{TWO} Texture2D(28) "ä" "Assets/ä.png"',
        '    -5 Sprite(213) "s"',
        '    7 99999 "odd"',
        f'{THREE} script:{SCRIPT.decode()} "item" "Assets/item.asset"',
    ]
    assert list(lines(database())) == ["asset-db schema 6: 0 assets, 0 script types"]


def test_equal_databases_do_not_differ() -> None:
    assert difference(database(TEXT, SHEET), database(TEXT, SHEET)) == ()


def test_lines_of_one_asset_are_beside_each_other() -> None:
    renamed = (1, b"49", body("new", "Assets/new.txt"))
    assert difference(database(TEXT, SHEET), database(renamed, SHEET)) == (
        "- " + ONE + r' TextAsset(49) "a \"b\"" "Assets/a\nb.txt"',
        f'+ {ONE} TextAsset(49) "new" "Assets/new.txt"',
    )


def test_of_sub_assets_the_owner_is_told_unmarked() -> None:
    other = (2, b"28", body("ä", "Assets/ä.png", (-5, 213, "t"), (7, 99999, "odd")))
    assert difference(database(TEXT, SHEET), database(TEXT, other)) == (
        f'  {TWO} Texture2D(28) "ä" "Assets/ä.png"',
        '-     -5 Sprite(213) "s"',
        '+     -5 Sprite(213) "t"',
    )


@pytest.mark.parametrize("old", [b"", b"damaged"])
def test_a_damaged_file_counts_as_empty(old: bytes) -> None:
    assert difference(old, database(TEXT)) == (
        "+ " + ONE + r' TextAsset(49) "a \"b\"" "Assets/a\nb.txt"',
        "+ asset-db schema 6: 1 assets, 0 script types",
    )
    assert difference(database(TEXT), old)[0].startswith(f"- {ONE} ")
    with pytest.raises(DatabaseError):
        list(lines(old))


def test_a_class_without_a_name_is_its_number() -> None:
    assert (class_text(213), class_text(99999)) == ("Sprite(213)", "99999")
