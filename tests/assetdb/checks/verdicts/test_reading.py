"""Of files of any size no more is read for verdicts than the scan reads of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.checks.verdicts.reading import read_one
from assetdb.system.reading import LARGEST_ASSET
from tests.needs import needs_holes

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n"


def test_a_file_of_the_largest_size_is_read_whole_and_a_larger_one_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "A.unity").write_bytes(_TEXT)
    assert read_one(str(tmp_path), b"A.unity", len(_TEXT)) == _TEXT
    assert read_one(str(tmp_path), b"A.unity", len(_TEXT) - 1) is None


@needs_holes
def test_the_scan_and_the_verdicts_have_one_bound(tmp_path: Path) -> None:
    (tmp_path / "A.unity").write_bytes(_TEXT)
    os.truncate(tmp_path / "A.unity", LARGEST_ASSET + 1)
    assert read_one(str(tmp_path), b"A.unity") is None
