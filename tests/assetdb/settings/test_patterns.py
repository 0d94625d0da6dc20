"""Patterns of the settings that are refused, and what is told of them."""

from __future__ import annotations

import time

import pytest

from assetdb.errors import ConfigurationError
from assetdb.settings.patterns import MOST_PATTERNS, refuse_many, refuse_no_pattern
from assetdb_formats.globs import name_matcher


def test_a_list_of_too_many_is_refused() -> None:
    refuse_many("exclude", ["a"] * MOST_PATTERNS)
    with pytest.raises(ConfigurationError, match="exclude has 1,001 patterns, and at most 1,000 are tried"):
        refuse_many("exclude", ["a"] * (MOST_PATTERNS + 1))


@pytest.mark.parametrize("pattern", ["[", "a[", "[]", "[!]", "[^", "a[b", "[ab]c[d", "[z-a]", "[a-bd-c]", "[!9-0]"])
@pytest.mark.parametrize("escapes", [True, False])
def test_brackets_that_mean_nothing_are_refused(pattern: str, escapes: bool) -> None:  # noqa: FBT001 - a row
    with pytest.raises(ConfigurationError, match=r"^name: '.*' has (a \[ without \]|the range ...,)"):
        refuse_no_pattern("name", pattern, escapes=escapes)


@pytest.mark.parametrize("pattern", ["", "a", "]", "a]", "[a]", "[]]", "[!]]", "[a-]", "[-a]", "[a-a]", "[[]"])
@pytest.mark.parametrize("escapes", [True, False])
def test_other_brackets_are_taken(pattern: str, escapes: bool) -> None:  # noqa: FBT001 - a row
    refuse_no_pattern("name", pattern, escapes=escapes)


def test_an_escaped_bracket_is_a_character_where_there_are_escapes() -> None:
    refuse_no_pattern("paths", "\\[", escapes=True)
    with pytest.raises(ConfigurationError, match="the character itself is"):
        refuse_no_pattern("name", "\\[", escapes=False)
    assert name_matcher("[[]")("[")


def test_an_escaped_character_ends_no_range_backwards() -> None:
    refuse_no_pattern("paths", r"[A-Za-z0-9_\-.]", escapes=True)
    refuse_no_pattern("paths", r"[\a-\c]", escapes=True)
    with pytest.raises(ConfigurationError, match="it is backwards"):
        refuse_no_pattern("paths", r"[\c-\a]", escapes=True)
    assert not name_matcher(r"[_\-.]")("-")
    with pytest.raises(ConfigurationError, match="a - that is a character comes last"):
        refuse_no_pattern("name", r"[_\-.]", escapes=False)


def test_a_class_ends_before_the_next_folder_in_paths_alone() -> None:
    refuse_no_pattern("name", "[a/b]", escapes=False)
    with pytest.raises(ConfigurationError, match="without"):
        refuse_no_pattern("paths", "[a/b]", escapes=True)


def test_a_long_pattern_takes_no_time_by_the_square() -> None:
    started = time.process_time()
    refuse_no_pattern("paths", "[" * 1_000_000 + "]" * 1_000_000, escapes=True)
    refuse_no_pattern("paths", "[a]" * 500_000, escapes=True)
    assert time.process_time() - started < 20
