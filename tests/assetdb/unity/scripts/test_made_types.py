"""Types that C# makes objects of."""

from __future__ import annotations

from time import process_time

import pytest

from assetdb.unity.scripts.made_types import made_of, made_types, may_make


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = new Health();", [("Health", 1)]),
        ("\na = new Health { lives = 3 };\nb = new global::Door(\n1);", [("Health", 2), ("Door", 3)]),
        ("a = new Health\r\n                    {\r\n lives = 3 };", [("Health", 1)]),
        ("a = new @Health();", [("Health", 1)]),
        ("a = new Health[3]; b = new List<Health>(); c = new(); d = new { e = 1 };", []),
        ("a = new Game.Health(); b = new Health.Event(); c = new global::Game.Health();", []),
        ('// new Health()\na = "new Health()";', []),
        ("class A : B { public new Health Find() => null; public new void F() {} }", []),
        ("#if DEBUG\na = new Health();\n#else\nb = new Health();\n#endif\nc = new Health();", [("Health", 6)]),
        ("T F<T>() where T : Item, new() { return new T(); }", []),
        ("a = new Health(;", []),
        ("new", []),
        ("a = new Health", []),
        ("a = new global", []),
    ],
)
def test_types_by_their_own_name(source: str, expected: list[tuple[str, int]]) -> None:
    found = made_types(source.encode())
    assert list(found) == expected
    assert {name for name, _ in found} <= set(may_make(source.encode()))
    assert made_of([list(row) for row in found]) == found


def test_the_usual_types_of_the_engine_are_left_out_at_first_sight() -> None:
    assert may_make(b"a = new Vector3(1, 2, 3); b = new Health(); c = new Armour{}; d = new Health()") == (
        "Armour",
        "Health",
    )


@pytest.mark.parametrize(
    "piece", ["new ", "new a.", "new a(", "where a ", "new global::", "new " + "a" * 99, "new a" + " " * 99]
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    started = process_time()
    text = piece.encode() * 50_000
    may_make(text)
    made_types(text)
    assert process_time() - started < 5
