"""Tables of sub-assets, read without regular expressions, against the expressions that say the same."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys

import pytest

from assetdb.unity.metas import meta as meta_tables
from assetdb.unity.metas.meta import (
    internal_id_rows,
    name_file_id_rows,
    read_meta,
    recycle_name_rows,
    sprite_name,
    sprite_rows,
    sub_asset_names,
)
from assetdb.unity.yaml.scalars import scalar_span, scalar_text
from tests.architecture.imports import PYTHONPATH
from tests.unity_text import ERAS, written

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HEAD = b"fileFormatVersion: 2\nguid: " + b"ab" * 16 + b"\n"
OLD = HEAD + b"ModelImporter:\n  serializedVersion: 19\n  fileIDToRecycleName:\n    100000: //RootNode\n"
OLD += b"    4300000: Wheel\n    -8679921383154817045: Far\n  externalObjects: {}\n  meshes:\n    globalScale: 1\n"
NEW = HEAD + b"ModelImporter:\n  serializedVersion: 25\n  internalIDToNameTable:\n"
NEW += b"".join(
    b"  - first:\n      %d: %d\n    second: %b\n" % row
    for row in (
        (1, 100000, b"//RootNode"),
        (74, -9_000_000_000_000_000_001, b"Take 001"),
        (43, 4300000, "Rad é".encode()),
    )
)
NEW += b"  externalObjects: {}\n"
INT64 = range(-(1 << 63), 1 << 63)


def table_in(meta: bytes, key: bytes) -> bytes:
    start = meta.find(key, meta.find(b"Importer:\n"))
    if start < 0:
        return b""
    end = re.compile(rb"\n {0,2}[^\s'\"-]").search(meta, start + len(key) - 1)
    return meta[start + len(key) - 1 : end.start() if end else None]


def named(table: bytes, rows: Iterable[tuple[re.Match[bytes], int]]) -> Iterator[tuple[re.Match[bytes], bytes]]:
    """Yield rows and their names, without what is a line of the name before it."""
    behind = 0
    for row, indent in rows:
        if row.start() >= behind:
            start, end, quote = scalar_span(table, row.end(), indent)
            yield row, scalar_text(table[start:end], quote).encode()
            behind = end


def internal(table: bytes) -> list[tuple[int, int, bytes]]:
    rows = re.finditer(rb"- first:\s*\n\s+(-?\d{1,20}): *(-?\d{1,20})\s*\n( +)second:", table)
    fitting = ((row, len(row[3])) for row in rows if int(row[2]) in INT64 and int(row[1]) in INT64)
    return [(int(row[2]), int(row[1]), name) for row, name in named(table, fitting) if abs(int(row[1])) < 1 << 32]


def recycled(table: bytes) -> list[tuple[int, bytes]]:
    rows = re.finditer(rb"\n( +)(-?\d{1,20}):", table)
    fitting = ((row, len(row[1])) for row in rows if int(row[2]) in INT64)
    return [(int(row[2]), name) for row, name in named(table, fitting)]


@pytest.fixture(params=[0, 1 << 20])
def large(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all tables of recycled names be large, or none."""
    monkeypatch.setattr(meta_tables, "_LARGE_TABLE", request.param)


@pytest.mark.usefixtures("large")
def test_damaged_tables_have_the_rows_that_the_expressions_find() -> None:
    numbers = random.Random(17)
    found = 0
    for _ in range(6000):
        data = bytearray(numbers.choice((OLD, NEW)))
        for _ in range(numbers.randint(0, 4)):
            data[numbers.randrange(75, len(data))] = numbers.choice(b"\n\n  -:#'\" 0a\t\xff")
        meta = bytes(data)
        facts = read_meta(meta)[1]
        if facts.importer == "ModelImporter":
            assert facts.internal_ids == table_in(meta, b"\n  internalIDToNameTable:\n"), meta
            assert facts.recycle_names == table_in(meta, b"\n  fileIDToRecycleName:\n"), meta
            assert internal_id_rows(facts.internal_ids) == internal(facts.internal_ids), meta
            rows = recycle_name_rows(facts.recycle_names)
            assert [(row[0], row[2]) for row in rows] == recycled(facts.recycle_names), meta
            found += len(internal(facts.internal_ids)) + len(rows)
    assert found > 6000


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("100000: //RootNode\n    4300000: Body_LOD0", [(100000, 1, "//RootNode"), (4300000, 43, "Body_LOD0")]),
        ("7400000: 'Take: 1'\n    4300000: ''", [(7400000, 74, "Take: 1"), (4300000, 43, "")]),
        ("4300000: 'it''s'\n    4300002: a'b'", [(4300000, 43, "it's"), (4300002, 43, "a'b'")]),
        ("4300000: 'a' b'\n    4300002: c", [(4300000, 43, "a"), (4300002, 43, "c")]),
        ('4300000: "a\\tb"\n    4300002: x', [(4300000, 43, "a\tb"), (4300002, 43, "x")]),
        ("4300000: one\n      two\n    4300002: x", [(4300000, 43, "one two"), (4300002, 43, "x")]),
        ("4300000: \n    4300002: x \n    -5: y", [(4300000, 43, ""), (4300002, 43, "x"), (-5, 0, "y")]),
        ("4300000: a\r\n    4300002: b\r", [(4300000, 43, "a"), (4300002, 43, "b")]),
        ("4300000: \u00e9\n    4300002: b: c #d", [(4300000, 43, "\u00e9"), (4300002, 43, "b: c #d")]),
        ("99999999999999999999: a\n    9223372036854775807: b", [(9223372036854775807, 0, "b")]),
    ],
)
def test_plain_rows_and_others_of_recycled_names(rows: str, expected: list[tuple[int, int, str]]) -> None:
    found = recycle_name_rows(f"\n    {rows}".encode())
    assert [(file_id, class_id, name.decode()) for file_id, class_id, name in found] == expected


def test_blank_lines_and_spaces_between_numbers_do_no_harm() -> None:
    table = b"\n  - first: \n\n      74:  7 \n\n    second: a\n  - first:\n5: 6\n    second: b\n"
    table += b"  - first:\n\n5: 6\n  second: c"
    assert internal_id_rows(table) == internal(table) == [(7, 74, b"a"), (6, 5, b"c")]


NAMES = (
    *(
        "tile #1",
        "#2",
        "one\n",
        "a\n- first: b\n    9: 9\n    second: c\n",
        "Take: 1",
        "it's",
        "\ud55c_0",
        "a\tb",
        " c ",
    ),
    *("x" * 90 + " and some more words", "- d", "{e}", "f: 213", "g[0]", '"h"', "i\\n", "12:30", "k: l #m"),
)


@pytest.mark.parametrize("era", ERAS)
def test_names_in_tables_are_as_unity_wrote_them(era: str) -> None:
    rows = "".join(
        f"  - first:\n      213: {number}\n    second: {written(name, 12, 6, era)}\n"
        for number, name in enumerate(NAMES, 1)
    )
    old = "".join(f"    {213 * 100_000 + n}: {written(name, 14, 6, era)}\n" for n, name in enumerate(NAMES, 1))
    sheet = "".join(
        f"    - serializedVersion: 2\n      name: {written(name, 12, 8, era)}\n      rect:\n        x: 0\n"
        f"      internalID: {number}\n"
        for number, name in enumerate(NAMES, 1)
    )
    keys = [name for name in NAMES if "\n" not in name]
    ids = "".join(f"      {written(name, 6, 8, era, 500)}: {number}\n" for number, name in enumerate(keys, 1))
    texture = f"  spriteMode: 2\n  spriteSheet:\n    sprites:\n{sheet}    outline: []\n    nameFileIdTable:\n{ids}"
    tail = '  externalObjects: {}\n  userData: \'{"a": "#1"}\'\n  assetBundleName: \n  assetBundleVariant: \n'
    meta = HEAD + f"TextureImporter:\n  internalIDToNameTable:\n{rows}{tail}{texture}".encode()
    expected = dict(enumerate(NAMES, 1))
    facts = read_meta(meta)[1]
    assert {row[0]: row[2].decode() for row in internal_id_rows(facts.internal_ids)} == expected
    assert {row[0]: row[2].decode() for row in sprite_rows(facts.sprites)} == expected
    assert [row[2].decode() for row in name_file_id_rows(facts.name_file_ids)] == keys
    assert facts.user_data == '{"a": "#1"}'
    assert sprite_name(meta.replace(tail.encode(), b""), "stem", 1) in ("tile #1", "")
    found = recycle_name_rows(
        read_meta(HEAD + f"ModelImporter:\n  fileIDToRecycleName:\n{old}{tail}".encode())[1].recycle_names
    )
    assert {row[0] - 21_300_000: row[2].decode() for row in found} == expected


@pytest.mark.parametrize("era", ERAS)
def test_labels_are_as_unity_wrote_them(era: str) -> None:
    labels = ["a #1", "b: c", "one\n", "- d", "e" * 70 + " f g h i j k l", "last"]
    lines = "".join(f"- {written(label, 2, 2, era)}\n" for label in labels)
    meta = HEAD + f"labels:\n{lines}NativeFormatImporter:\n  userData: \n".encode()
    assert read_meta(meta)[1].labels == tuple(labels)
    assert read_meta(meta)[1].importer == "NativeFormatImporter"


def test_the_objects_of_usual_metas_are_found_without_regular_expressions() -> None:
    words = (
        "import sys; from assetdb.unity.metas.meta import read_meta, sub_asset_names\n"
        "for meta in map(bytes.fromhex, sys.argv[1:]):\n"
        "    print(len(sub_asset_names(read_meta(meta, references=False)[1])))\n"
        "print('re' in sys.modules)"
    )
    metas = [OLD, NEW, HEAD + b"PluginImporter:\n  userData: \n"]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path += {PYTHONPATH.split(os.pathsep)!r}\n{words}"]
        + [meta.hex() for meta in metas],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.split() == ["3", "3", "0", "False"]
    assert list(sub_asset_names(read_meta(OLD)[1])) == [100000, 4300000, -8679921383154817045]
