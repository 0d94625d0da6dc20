"""Members are found at the lines that declare them, and not where they are used."""

from __future__ import annotations

import time

import pytest

from assetdb.unity.scripts.member_places import member_places

SOURCE = b"""using System.Collections.Generic;
namespace Game {
[System.Serializable]
public class Door : MonoBehaviour, IList<int>
{
    [SerializeField, Range(0, Max(1, 2))] private float speed = Max(3, 4);
    public List<Dictionary<int, string>> rows = new List<Dictionary<int, string>> { Row(), Row() };
    int a, b = 2, c = Max(b, 3), d;
    Dictionary<int, string> first = new Dictionary<int, string>(), second;
    bool less = b < c;
    public bool IsOpen { get; private set; } = Ready();
    public int Count => Total(rows);
    public event System.Action Opened;
    public void Open() { Close(); speed = 2; var local = 3; if (local > 2) { Close(); } }
    void Close(int how = 3) => Finish(how);
    T Find<T>(string name) where T : class { return null; }
    System.Action later = () => { Finish(1); };
    enum Kind { First, Second }
    struct Part
    {
        public int size;
        public void Fire() { }
    }
    void Last() { }
}
}
"""


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.decode().split("\n"), 1) if text in line)


@pytest.mark.parametrize(
    ("name", "declared", "is_method"),
    [
        *(("Open", "public void Open()", True), ("Close", "void Close(int", True), ("Find", "T Find<T>", True)),
        *(("speed", "float speed", False), ("rows", "rows = new", False), ("IsOpen", "IsOpen {", False)),
        *(("Count", "Count =>", False), ("Opened", "Opened;", False), ("Last", "void Last", True)),
        *(("a", "int a,", False), ("b", "int a,", False), ("c", "int a,", False), ("d", "int a,", False)),
        *(("first", "first =", False), ("second", "first =", False), ("less", "less =", False)),
        ("later", "later =", False),
    ],
)
def test_a_member_is_where_it_is_declared(name: str, declared: str, is_method: object) -> None:
    found = [each for each in member_places(SOURCE) if each.name == name]
    assert [(each.type, each.line, each.is_method) for each in found] == [("Door", line_of(declared), is_method)]


def test_members_of_nested_types_are_theirs() -> None:
    found = {(each.type, each.name, each.line) for each in member_places(SOURCE)}
    assert {("Part", "Fire", line_of("void Fire")), ("Part", "size", line_of("int size"))} <= found
    assert {("", "Door", line_of("class Door")), ("", "Part", line_of("struct Part"))} <= found


def test_nothing_that_is_only_used_is_a_member() -> None:
    names = {each.name for each in member_places(SOURCE)}
    assert names.isdisjoint({"Max", "Row", "Ready", "Total", "Finish", "local", "Range", "First", "how", "name", "T"})


def test_the_members_of_a_source_are_all_and_in_order() -> None:
    door = "speed rows a b c d first second less IsOpen Count Opened Open() Close() Find() later"
    assert named(SOURCE) == [
        *("Door", *(f"Door.{name}" for name in door.split())),
        *("Part", "Part.size", "Part.Fire()", "Door.Last()"),
    ]
    assert not any(each.is_method for each in member_places(SOURCE) if not each.type)


def named(data: bytes) -> list[str]:
    return [f"{each.type}.{each.name}".lstrip(".") + "()" * each.is_method for each in member_places(data)]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b"public A() : base(1) { }", ["A.A()"]),
        (b"A(int i) : this() { }", ["A.A()"]),
        (b"public (int x, int y) pair;", ["A.pair"]),
        (b"private (int, string) Both() { }", ["A.Both()"]),
        (b"public static implicit operator int(A a) => 3;", []),
        (b"public int this[int i] => 3;", []),
        (b"(int, int) one; int two;", ["A.one", "A.two"]),  # the closing one is no more open
        (b"int one = (1), two;", ["A.one", "A.two"]),
        (b"void F<T>() where T : class { } int one;", ["A.F()", "A.one"]),
        (b"void F<T>() where T : new() { }", ["A.F()"]),
        (b"class B : C { int one; } int two;", ["B", "B.one", "A.two"]),
        (b"record struct B(int X) { int one; }", ["B", "B.one"]),
        (b"record B(int X); int one;", ["B", "A.one"]),
        (b"record class B : C(1);", ["B"]),
        (b"interface B<T> where T : class { int One { get; } }", ["B", "B.One"]),
        (b"enum B { One, Two } enum C : byte { Three }", []),
        (b"MACRO; int one;", ["A.one"]),  # a word without a type before it
        (b"public int one;", ["A.one"]),
        (b"event System.Action One { add { } remove { } } int two;", ["A.One", "A.two"]),
        (b"int One { get; set; } = F(); int two;", ["A.One", "A.two"]),
        (b"A<B<int>, C> one; A<int> F<T>(A<T> a) { }", ["A.one", "A.F()"]),
        (b"const int one = 1, two = 2;", ["A.one", "A.two"]),
    ],
)
def test_each_form_of_a_declaration(body: bytes, names: list[str]) -> None:
    assert named(b"class A { " + body + b" }") == ["A", *names]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"class A { int one;", []),  # which is unclear
        (b"class A { int one }", ["A"]),
        (b"class A { int F( }", []),
        (b"class A { int F<T> }", ["A"]),
        (b"class A { int F<T> one }", ["A"]),
        (b"namespace N; class A { int one; }", ["A", "A.one"]),
        (b"namespace N { int one; class A { } int two; }", ["A"]),
        (b"} class A { int one; }", []),
    ],
)
def test_where_a_source_ends_or_begins(data: bytes, names: list[str]) -> None:
    assert named(data) == names


@pytest.mark.parametrize(("depth", "is_found"), [(64, True), (65, False)])
def test_types_are_nested_up_to_a_bound(depth: int, *, is_found: bool) -> None:
    data = b"".join(b"class A%d { " % number for number in range(depth)) + b"int one;" + b"}" * depth
    assert (f"A{depth - 1}.one" in named(data)) is is_found


@pytest.mark.parametrize(("count", "is_found"), [(49, True), (50, False)])
def test_type_parameters_are_read_up_to_a_bound(count: int, *, is_found: bool) -> None:
    data = b"class A { int F<%b>() { } }" % b", ".join(b"T%d" % number for number in range(count))
    assert ("A.F()" in named(data)) is is_found


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"class", b"class A {", b"}}}}", b"class A { void F(", b"\xff\xfe", b"{" * 10_000),
        *(b"class A { T F<T", b"class A { T F<T>"),
    ],
)
def test_any_bytes_have_members_or_none(data: bytes) -> None:
    assert all(each.line == 1 for each in member_places(data))


def test_time_grows_with_the_number_of_fields() -> None:
    source = b"class A { int %b; }" % b", ".join(b"a%d" % number for number in range(20_000))
    began = time.process_time()
    assert len(member_places(source)) == 20_001
    assert time.process_time() - began < 4
