"""Tokens of C# source, whatever is in strings, comments and directives."""

from __future__ import annotations

import tracemalloc

import pytest

from assetdb.unity.scripts import tokens
from assetdb.unity.scripts.faults import Fault, Token
from assetdb.unity.scripts.tokens import is_of_editor, tokens_of


def words(source: str) -> list[str]:
    found = tokens_of(source.encode())
    assert not found.unclear, source
    return [token.text for token in found.all]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class A { }", ["class", "A", "{", "}"]),
        ("@class x1 _y \xe4", ["class", "x1", "_y", "\xe4"]),
        ("a => b :: c", ["a", "=>", "b", "::", "c"]),
        ("1.5f 0x1F 'x' '\\'' '\\u0041'", ["1.5f", "0x1F", "0", "0", "0"]),
        ("a // b { \nc", ["a", "c"]),
        ("a /* { \n */ b", ["a", "b"]),
        ('x = "a { // b";', ["x", "=", '"a { // b', ";"]),
        ('"a\\"b" c', ['"a\\"b', "c"]),
        ('@"a ""{"" b\n" c', ['"a ""{"" b\n', "c"]),
        ('$"a {b + "c"} d" e', ['"', "e"]),
        ('$"{{ }}" e', ['"', "e"]),
        ('$@"a\n{b}" e', ['"', "e"]),
        ('@$"\\" e', ['"', "e"]),
        ('$"\\"" e', ['"', "e"]),
        ('$"{ new[] { 1 } }" e', ['"', "e"]),
        ('$"{$"{a}"}" e', ['"', "e"]),
        ('"""a "" { b""" c', ['"', "c"]),
        ('$$""""a """ b"""" c', ['"', "c"]),
        ("", []),
    ],
)
def test_strings_and_comments_are_cut_out(source: str, expected: list[str]) -> None:
    assert words(source) == expected


def test_each_token_has_its_line() -> None:
    source = 'a\n"b"\r\n/* \n */ c\r@"d\n" e\n"""\nx\n""" f\n$@"\n" g'
    found = tokens_of(source.encode())
    assert [(token.text, token.line) for token in found.all if token.text.isalpha()] == [
        *(("a", 1), ("c", 4), ("e", 6), ("f", 9), ("g", 11))
    ]
    assert Token('"b', 2) in found.all


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("#if A\nx\n#elif B\ny\n#else\nz\n#endif\nw", ["x", "y", "z", "w"]),
        ("#if A\n{ }\n#endif", ["{", "}"]),
        ("# if A\n#endif\n", []),
        ("  #if A\n  #endif", []),
    ],
)
def test_all_branches_count(source: str, texts: list[str]) -> None:
    found = tokens_of(source.encode())
    assert ([token.text for token in found.all], found.conditional, found.unclear) == (texts, True, False)


def test_other_directives_are_left_out() -> None:
    found = tokens_of(b"#region a { \nx\n#endregion\n#pragma y\n")
    assert ([token.text for token in found.all], found.conditional, found.unclear) == (["x"], False, False)
    assert [token.text for token in tokens_of(b"a #b").all] == ["a", "#", "b"]


@pytest.mark.parametrize("line", ["#!/usr/bin/env dotnet", "#:package X@1", "## text", "#"])
def test_directives_without_a_word_are_left_out(line: str) -> None:
    found = tokens_of(f"{line}\nx\n#if A\n{line}\n#endif\n".encode())
    assert ([token.text for token in found.all], found.fault) == (["x"], None)


IN_BRANCH = "in its branch of #if"


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("a\n{", 2, "{ is not closed"),
        ("a\n}", 2, "} closes nothing"),
        ("\n( ]  [", 2, "( is not closed in front of the ] of line 2"),
        ('\n"open', 2, "a text in quotes is not closed"),
        ('"', 1, "a text in quotes is not closed"),
        ('\n@"open\n\n', 2, "a text in quotes is not closed"),
        ('\n$@"open\n\n', 2, "a text in quotes is not closed"),
        ('$"open', 1, "a text in quotes is not closed"),
        ('\n$"{a\n', 2, "{ in a text is not closed"),
        ('$@"{a}\n{b\n', 2, "{ in a text is not closed"),
        ('\n$"a\nb"', 2, "a text in quotes is not closed"),
        ('\n"""open""\n', 2, "a text in quotes is not closed"),
        ("\na /* b\n\n", 2, "/* is not closed"),
        ("a /*/", 1, "/* is not closed"),
        ("#if A\n#if B\n#endif\n", 1, "#if has no #endif"),
        ("#if A\n#else\n", 1, "#if has no #endif"),
        ("\n#endif\n", 2, "#endif has no #if"),
        ("#else\n", 1, "#else has no #if"),
        ("#if A\n#endif\n#elif B\n", 3, "#elif has no #if"),
        ("#if A\n{\n#endif\n}", 2, f"{{ is not closed {IN_BRANCH} (line 1)"),
        ("a\n#if A\nb {\n#else\nc {\n#endif\n}", 3, f"{{ is not closed {IN_BRANCH} (line 2)"),
        ("{\n#if A\n}\n#endif\n", 3, f"}} closes nothing {IN_BRANCH} (line 2)"),
        ("#if A\n(\n)\n#else\n(\n#endif", 5, f"( is not closed {IN_BRANCH} (line 1)"),
    ],
)
def test_what_cannot_be_cut_for_sure_is_unclear(source: str, line: int, said: str) -> None:
    found = tokens_of(source.encode())
    assert (found.unclear, found.fault) == (True, Fault(line, said))


@pytest.mark.parametrize(
    "source",
    [
        '{ /**/ } /* } */ // {\n#region {\n#endregion\n#error " {\n',
        'a(\'{\', \'\\\\\', \'"\', \'\\u007b\') + "{\\"{" + @"{""\\" + $"{{{a}" + $@"{{\n{$"{b}"}"',
        '"""\n { " ""\n""" + $$"""{ {{a}} """ // "',
        "if (a) {\n#if A\n} else {\n#elif B\n#else\n} else if (b) {\n#endif\n}",
        "#if A\nclass B { }\n#else\nclass C { }\n#endif",
        "# if A\n#  endif // {",
    ],
)
def test_what_compilers_follow_is_clear(source: str) -> None:
    assert tokens_of(source.encode()).fault is None


def test_a_file_in_another_encoding_or_too_large_is_unclear(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tokens_of("class A {}".encode("utf-16")).fault == Fault(0, "the text is encoded as UTF-16")
    assert tokens_of(b"\xfe\xff\0a").unclear
    assert tokens_of(b"\n<<<<<<< a\n=======\n>>>>>>> b\n").fault == Fault(0, "an unresolved merge")
    assert [token.text for token in tokens_of(b"\xef\xbb\xbfclass").all] == ["class"]
    monkeypatch.setattr(tokens, "LARGEST", 3)
    assert not tokens_of(b"abc").unclear
    assert tokens_of(b"abcd").fault == Fault(0, "the file has 4 bytes, and at most 3 are read")


def test_lines_have_the_conditions_around_them() -> None:
    source = """a
#if A && B // why
b
#if !UNITY_EDITOR
c
#else
d
#endif
e
#elif C
f
#else
g
#endif
h
"""
    found = tokens_of(source.encode())
    conditions = {token.text: found.conditions(token.line) for token in found.all}
    assert conditions == {
        "a": (),
        "b": ("A && B",),
        "c": ("!UNITY_EDITOR", "A && B"),
        "d": ("UNITY_EDITOR", "A && B"),
        "e": ("A && B",),
        "f": ("C",),
        "g": ("!C",),
        "h": (),
    }


def test_a_thousand_nested_branches_take_no_memory_by_the_square() -> None:
    source = b"#if A\n" * 1000 + b"#if B\n#endif\n" * 100_000 + b"x\n" + b"#endif\n" * 1000
    found = tokens_of(source)
    assert not found.unclear
    assert found.conditions(found.all[0].line) == ("A",) * 16


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ((), False),
        (("UNITY_EDITOR",), True),
        (("DEBUG", "UNITY_EDITOR_WIN && X"), True),
        (("UNITY_EDITOR || UNITY_EDITOR_OSX",), True),
        (("UNITY_EDITOR || X",), False),
        (("!UNITY_EDITOR",), False),
        (("!(UNITY_EDITOR)",), False),
        (("?",), False),
    ],
)
def test_conditions_of_the_editor_alone(conditions: tuple[str, ...], expected: bool) -> None:  # noqa: FBT001 - a row
    assert is_of_editor(conditions) == expected


@pytest.mark.parametrize("text", ['"', '@"', '"""', "/*", '$"'])
def test_a_text_without_its_end_takes_little_memory(text: str) -> None:
    source = f"class A {{ string b = {text}{'x' * 1_000_000}".encode()
    tracemalloc.start()
    try:
        assert tokens_of(source).unclear
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
