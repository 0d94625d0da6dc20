"""Patterns that are compiled late find what those of ``re`` find."""

from __future__ import annotations

import re

import pytest

from assetdb.unity.patterns import Pattern

TEXT = b"a1\nb22\nc"


@pytest.mark.parametrize("multiline", [False, True])
@pytest.mark.parametrize("first", ["search", "match", "fullmatch"])
def test_a_pattern_finds_what_a_compiled_one_finds(multiline: bool, first: str) -> None:  # noqa: FBT001 - a row
    source = rb"^([a-z])(\d*)$"
    late, compiled = Pattern(source, multiline=multiline), re.compile(source, re.MULTILINE if multiline else 0)
    for name in (first, "search", "match", "fullmatch"):
        found, expected = getattr(late, name)(TEXT), getattr(compiled, name)(TEXT)
        assert (found and found.span()) == (expected and expected.span())
    assert late.findall(TEXT) == compiled.findall(TEXT)
    assert [match.span() for match in late.finditer(TEXT, 2)] == [match.span() for match in compiled.finditer(TEXT, 2)]
