"""Orders of merges, and texts by lines beside git."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assetdb.unity.merging.sequences import merged_lines, ordered, regions
from tests.needs import require_git

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("abc", "abc", "abc", "abc"),
        ("abc", "axbc", "aybc", "axybc"),
        ("abc", "cab", "abxc", "cabx"),
        ("abc", "abc", "bac", "bac"),
        ("abc", "ac", "abxc", "abxc"),
        ("", "ab", "bc", "abc"),
        ("abc", "bac", "acb", None),
        ("abc", "bac", "bacx", "bacx"),
    ],
)
def test_orders(base: str, ours: str, theirs: str, expected: str | None) -> None:
    found = ordered(base, ours, theirs)
    assert (found if found is None else "".join(found)) == expected


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n", "e\n"]), max_size=9).map("".join)


@given(base=LINES, ours=LINES, theirs=LINES)
def test_regions_cover_all_three(base: str, ours: str, theirs: str) -> None:
    found = list(regions(base, ours, theirs, strict=True))
    for number, text in enumerate((base, ours, theirs)):
        assert "".join(text[slice(*region[number])] for region in found) == text


def replaced(base: list[str], edits: list[tuple[int, str]]) -> bytes:
    lines = list(base)
    for number, text in edits:
        lines[number % len(lines)] = text
    return "".join(lines).encode()


EDITS = st.lists(st.tuples(st.integers(0, 19), st.sampled_from(["x\n", "y\n", "x\ny\n", ""])), max_size=3)


@given(ours=EDITS, theirs=EDITS)
@settings(max_examples=60, deadline=None)
def test_texts_by_lines_are_those_of_git(
    tmp_path_factory: pytest.TempPathFactory, ours: list[tuple[int, str]], theirs: list[tuple[int, str]]
) -> None:
    """Of lines that differ from each other, so that every program pairs them alike."""
    base = [f"line {number}\n" for number in range(20)]
    texts = replaced(base, []), replaced(base, ours), replaced(base, theirs)
    folder = tmp_path_factory.mktemp("git")
    paths = [folder / name for name in ("base", "ours", "theirs")]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
    code, expected = by_git(paths)
    assert merged_lines(*texts) == (expected if code == 0 else None)


def by_git(paths: list[Path]) -> tuple[int, bytes]:
    require_git()
    base, ours, theirs = map(str, paths)
    done = subprocess.run(["git", "merge-file", "-p", ours, base, theirs], capture_output=True, check=False)
    return done.returncode, done.stdout
