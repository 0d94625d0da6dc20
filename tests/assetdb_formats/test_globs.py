"""Patterns against ``pathspec`` and ``fnmatch``, which mean the same, and against patterns made to take for ever."""

from __future__ import annotations

import random
import re
from fnmatch import fnmatchcase

import pytest
from pathspec import PathSpec

from assetdb_formats.globs import name_matcher, path_matcher

GLYPHS = ("a", "b", "*", "?", "**", "[ab]", "[!a]", "[a-b]", "/", "/", "**/", "/**", ".", "[", "]", "-")


def texts(chooser: random.Random, glyphs: tuple[str, ...], most: int) -> str:
    return "".join(chooser.choice(glyphs) for _ in range(chooser.randrange(1, most)))


def paths(chooser: random.Random) -> str:
    names = ["".join(chooser.choice("ab.-[]") for _ in range(chooser.randrange(1, 4))) for _ in range(4)]
    return "/".join(names[: chooser.randrange(1, 5)]) + chooser.choice(("", "", "/"))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")  # of theirs
def test_lines_of_a_gitignore_mean_what_pathspec_takes_them_for() -> None:
    chooser = random.Random(1)
    matched = 0
    for _ in range(4000):
        lines = [chooser.choice(("", "", "!")) + texts(chooser, GLYPHS, 7) for _ in range(chooser.randrange(1, 3))]
        if any("[!" in line for line in lines):
            # pathspec lets [!a] stand for a slash, git does not; a name without slashes is the same to both.
            candidates = [paths(chooser).split("/")[0] for _ in range(8)]
        else:
            candidates = [paths(chooser) for _ in range(8)]
        try:
            theirs = PathSpec.from_lines("gitignore", lines)
        except re.error:  # a range that goes backwards
            continue
        except ValueError:
            with pytest.raises(ValueError, match="is not a valid pattern"):
                path_matcher(lines)
            continue
        ours = path_matcher(lines)
        for path in candidates:
            if path.startswith("./"):  # which theirs takes off
                continue
            assert ours(path) == theirs.match_file(path), (lines, path)
            matched += ours(path)
    assert matched > 2000


@pytest.mark.long
def test_patterns_for_names_mean_what_fnmatch_takes_them_for() -> None:
    chooser = random.Random(2)
    matched = 0
    for _ in range(20_000):
        pattern = texts(chooser, GLYPHS, 7)
        path = paths(chooser)
        assert name_matcher(pattern)(path) == fnmatchcase(path, pattern), (pattern, path)
        matched += fnmatchcase(path, pattern)
    assert matched > 500


@pytest.mark.parametrize("line", ["!", "a\\", "x/a\\"])
def test_what_is_no_pattern_is_said(line: str) -> None:
    with pytest.raises(ValueError, match="is not a valid pattern"):
        path_matcher([line])


@pytest.mark.parametrize(
    ("line", "path", "matched"),
    [
        ("[!a]b", "/b", False),
        ("x[!a]b", "x/b", False),
        ("[z-a]", "z", False),
        ("\\*", "*", True),
        ("\\*", "a", False),
        ("# a", "# a", False),
        ("[[a]", "[", True),
        ("a&&b", "a&&b", True),
        ("[a&&b||c~~d--e]", "&", True),
        ("a", "b/a/c", True),
        ("a/*", "a/b\n", True),
    ],
)
def test_corners(line: str, path: str, *, matched: bool) -> None:
    assert path_matcher([line])(path) is matched


def test_forty_stars_and_twenty_thousand_brackets_take_no_time() -> None:
    """Each took from 12 s to ages; a machine would have to be a thousand times slower for this to be noticed."""
    name = "a" * 250
    stars = "*a" * 40 + "b"
    assert not path_matcher([stars])(f"Assets/{name}")
    assert path_matcher([stars])(f"Assets/{name}b")
    assert not name_matcher(stars)(name)
    deep = "/".join("a" * 200)
    assert not path_matcher(["**/a" * 40 + "/b"])(deep)
    assert not path_matcher(["**/*a*" * 40 + "/b"])(deep)
    assert path_matcher(["**/a" * 40])(deep)
    assert not name_matcher("[" * 20_000)("a")
    assert name_matcher("[" * 20_000)("[" * 20_000)
    assert not name_matcher("*[" * 20_000 + "]")(name)
    assert not path_matcher(["[" * 20_000])("a")


def test_names_are_matched_whole_by_stars_marks_and_classes() -> None:
    for pattern, matched, others in (
        ("a", ("a",), ("", "b", "aa", "a\n", "A")),
        ("", ("",), ("a",)),
        ("a*", ("a", "ab", "a/b\n"), ("ba", "")),
        ("*a", ("a", "ba", "aaa"), ("ab", "")),
        ("a*b*c", ("abc", "axxbyyc", "abbcc"), ("acb", "ab", "abcd")),
        ("**", ("", "a/b"), ()),
        ("?", ("a", "/", "\n"), ("", "ab")),
        ("[ab]", ("a", "b"), ("c", "", "ab")),
        ("[!ab]", ("c", "/", "!"), ("a", "b", "")),
        ("[^a]", ("^", "a"), ("b",)),  # no negation, as in fnmatch
        ("[a-c]", ("a", "b", "c"), ("d", "-")),
        ("[a-]", ("a", "-"), ("b",)),
        ("[-a]", ("a", "-"), ("b",)),
        ("[a-cx-z]", ("b", "y"), ("d", "w", "-")),
        ("[]a]", ("]", "a"), ("b",)),
        ("[!]a]", ("b",), ("]", "a")),
        ("[c-a]", (), ("a", "b", "c", "-")),
        ("[!c-a]", ("a", "/"), ("", "ab")),
        ("[", ("[",), ("a",)),
        ("[]", ("[]",), ("a", "]")),
        ("[!]", ("[!]",), ("a", "!")),
        ("a\\b", ("a\\b",), ("ab",)),
        ("a.b", ("a.b",), ("axb",)),
        ("*.[ch]", ("x.c", ".h"), ("x.cc", "xc")),
    ):
        matches = name_matcher(pattern)
        assert [text for text in matched if not matches(text)] == [], pattern
        assert [text for text in others if matches(text)] == [], pattern


def test_lines_of_a_gitignore_are_anchored_by_their_slashes() -> None:
    for lines, matched, others in (
        (["a"], ("a", "b/a", "a/b", "b/a/c", "a/"), ("ab", "b/ab", "b")),
        (["/a"], ("a", "a/b", "a/"), ("b/a", "ab")),
        (["a/b"], ("a/b", "a/b/c"), ("c/a/b", "a/bc", "a")),
        (["a/"], ("a/", "a/b", "b/a/", "b/a/c"), ("a", "b/a")),
        (["/a/"], ("a/", "a/b"), ("a", "b/a/")),
        (["**/a"], ("a", "b/a", "c/b/a/d"), ("ab",)),
        (["a/**"], ("a/b", "a/b/c", "a/"), ("a", "b/a/c")),
        (["a/**/b"], ("a/b", "a/x/b", "a/x/y/b/z"), ("ab", "b", "a/xb", "c/a/b")),
        (["a/**/**/b"], ("a/b", "a/x/b"), ("ab",)),
        (["*"], ("a", "a/b", "a/"), ()),
        (["*/"], ("a/", "a/b"), ("a",)),
        (["**"], ("a", "a/b"), ()),
        (["**/"], ("a/", "a/b"), ("a",)),
        (["a/*"], ("a/b", "a/b/"), ("a", "a/", "b/a/c", "a/b/c")),
        (["*.c"], ("x.c", "a/x.c", "x.c/y"), ("x.cc", "xc")),
        (["a*c/d"], ("abc/d", "ac/d"), ("a/c/d", "abc")),
        (["a?c"], ("abc",), ("a/c", "ac")),
        (["a[!b]c"], ("axc",), ("abc", "a/c")),
        (["a[^b]c"], ("axc",), ("abc", "a/c")),
        (["\\#a"], ("#a",), ("a", "\\#a")),
        (["\\!a"], ("!a",), ("a",)),
        (["a "], ("a",), ("a ",)),
        (["a\\ "], ("a ",), ("a",)),
        (["#a", "", "   "], (), ("#a", "a", "")),
        (["a", "!a/b"], ("a", "a/c"), ("a/b", "a/b/d")),
        (["!a/b", "a"], ("a", "a/c", "a/b"), ()),
        (["*", "!/keep"], ("a", "x/keep"), ("keep", "keep/a")),
    ):
        matches = path_matcher(lines)
        assert [text for text in matched if not matches(text)] == [], lines
        assert [text for text in others if matches(text)] == [], lines
    assert not path_matcher([])("a")
