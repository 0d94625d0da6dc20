"""Files that a command line names in several ways, and lines that are alike but for numbers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from assetdb.cli.bundle.each import each_input, grouped
from assetdb_formats.inputs import Input, find_inputs

if TYPE_CHECKING:
    from pathlib import Path


def everything(path: str) -> list[Input]:
    return list(find_inputs(path, lambda _: True))


def test_a_file_is_one_by_whatever_paths_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "aa").mkdir()
    (tmp_path / "aa" / "catalog.json").write_bytes(b"{}")
    monkeypatch.chdir(tmp_path)
    for paths in (("aa", "./aa/catalog.json", "aa/../aa"), ("aa/catalog.json", str(tmp_path / "aa"))):
        files, broken = each_input(paths, everything)
        assert (len(files), broken) == (1, 0)


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ([f"a: object {number} of 0x{number:x}" for number in range(5)], 4),
        ([f"a: deadbeef{number} is cut" for number in range(5)], 4),
        ([f"a: object_{number}" for number in range(5)], 5),
        (["a: cafe", "a: babe", "a: face", "a: fade", "a: beef"], 5),
    ],
)
def test_lines_that_differ_in_numbers_alone_are_counted(lines: list[str], count: int) -> None:
    assert len(list(grouped(lines))) == count


def test_a_long_number_that_is_a_part_of_a_word_is_read_once() -> None:
    """Each digit was tried as the last one of each beginning: half a second for 8 KB."""
    began = time.monotonic()
    assert len(list(grouped([f"object {'1' * 50_000}_"]))) == 1
    assert time.monotonic() - began < 5
