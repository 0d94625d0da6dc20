"""Of files of any size no more is read for verdicts than the scan reads of them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from assetdb.checks.verdicts.reading import ReadFacts, narrowed, read_one
from assetdb.system.reading import LARGEST_ASSET
from tests.needs import make_large

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n"


def test_a_file_of_the_largest_size_is_read_whole_and_a_larger_one_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "A.unity").write_bytes(_TEXT)
    assert read_one(str(tmp_path), b"A.unity", len(_TEXT)) == _TEXT
    assert read_one(str(tmp_path), b"A.unity", len(_TEXT) - 1) is None


def test_a_file_that_is_no_text_of_unity_is_read_where_its_kind_has_contents(tmp_path: Path) -> None:
    for name in ("a.shader", "a.dat"):
        (tmp_path / name).write_bytes(b"Shader")
    assert read_one(str(tmp_path), b"a.shader") == b"Shader"
    assert read_one(str(tmp_path), b"a.dat") is None


def test_the_scan_and_the_verdicts_have_one_bound(tmp_path: Path) -> None:
    (tmp_path / "A.unity").write_bytes(_TEXT)
    make_large(tmp_path / "A.unity", LARGEST_ASSET + 1)
    assert read_one(str(tmp_path), b"A.unity") is None


def test_references_to_some_assets_alone() -> None:
    keys = [digit * 32 + b" 100 " for digit in (b"a", b"b", b"c")]
    packed = array("I", [0, 1, 2]).tobytes(), array("I", [4, 5, 6]).tobytes()
    found = ReadFacts(keys, {b"A": packed, b"B": packed, b"C": packed}, {}, {b"A": (b"a" * 32,)}, {}, {})
    made = narrowed(found, {b"A": {b"c" * 32}, b"B": None, b"C": ()})
    rows = {
        path: [
            (made.keys[number][:1], count)
            for number, count in zip(array("I", numbers), array("I", counts), strict=True)
        ]
        for path, (numbers, counts) in made.files.items()
    }
    assert rows == {b"A": [(b"c", 6)], b"B": [(b"a", 4), (b"b", 5), (b"c", 6)], b"C": []}
    assert made.nested == found.nested
