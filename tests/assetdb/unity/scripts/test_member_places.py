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
