"""What C# declares is read whatever its strings, comments, directives and nesting; what is unclear is said to be."""

from __future__ import annotations

import random
from time import process_time

import pytest

from assetdb.unity.scripts.csharp import Base, Declaration, read_source
from assetdb.unity.scripts.marks import mentioned_types


def types(text: str) -> dict[str, Declaration]:
    source = read_source(text.encode())
    assert not source.unclear, text
    return {each.name: each for each in source.types}


def members(body: str) -> Declaration:
    return types(f"class C {{ {body} }} class After {{ }}")["C"]


def test_a_class_with_its_bases_and_members() -> None:
    found = types(
        """using System;
using UnityEngine;
namespace Game.Actors
{
    [RequireComponent(typeof(Rigidbody)), AddComponentMenu("} class Fake {")]
    public sealed partial class Player : Actor<int, List<string>>, IHit where T : class, new()
    {
        [SerializeField, FormerlySerializedAs("speed")] float pace = 3, turn;
        public Dictionary<int, string> map = new Dictionary<int, string> { { 1, "}" } };
        public int Health { get; private set; } = 100;
        public bool Dead => Health <= 0;
        public event Action Died, Hit;
        void Awake() { if (Dead) { Died?.Invoke(); } }
        public T Get<T>(Func<int, bool> by) where T : class { return null; }
        class Nested : MonoBehaviour { void Inner() { } }
    }
}"""
    )
    player = found["Player"]
    assert (player.kind, player.namespace, player.outer, player.arity) == ("class", "Game.Actors", (), 0)
    assert (player.line, player.partial, player.unclear) == (6, True, False)
    assert player.bases == (Base("", "Actor", 2),)
    assert {"Awake", "Get"} <= player.methods
    assert "Inner" not in player.methods
    assert {"Health", "Dead", "Died", "Hit"} <= player.properties
    assert {"pace", "turn", "map"} <= player.fields
    assert player.former == {"speed"}
    assert (found["Nested"].outer, found["Nested"].bases) == (("Player",), (Base("", "MonoBehaviour", 0),))


@pytest.mark.parametrize(
    "text",
    [
        '"}"',
        '"\\"}"',
        '@"\\"',
        '@"a""}"',
        '$"{x}}}"',
        '$"{(a ? "}" : $"{b}")}"',
        '$@"{a["k"]}""\\"',
        '@$"{a}\n}"',
        '"""\n } " "" \n"""',
        '$$"""\n {{x}} } """',
        '""""three """ }""""',
        "'}'",
        "'\\''",
        "'\\u007d'",
        "1 /* } */",
        "1 // }\n",
        '$"{d:yyyy}"',
        "new[] { 1, 2 }",
        "() => { return; }",
        "x is { Length: > 0 } ? 1 : 2",
    ],
)
def test_values_hide_no_member_and_end_no_class(text: str) -> None:
    found = members(f"object a = {text}; void After() {{ object b = {text}; }} int last;")
    assert "After" in found.methods
    assert {"a", "last"} <= found.fields


@pytest.mark.parametrize(
    ("body", "method"),
    [
        ("public abstract void Open();", "Open"),
        ("extern static void Open(int a);", "Open"),
        ("void Open() => Shut(x => { });", "Open"),
        ("public (int, string) Open() { return (1, null); }", "Open"),
        ("public async Task<List<int>> Open<T, U>(T a = default) where T : struct { }", "Open"),
        ("void IDoor.Open() { }", "Open"),
        ('[ContextMenu("x")] private void Open() { }', "Open"),
        ("public static bool operator ==(C a, C b) { return true; } void Open() { }", "Open"),
        ("public static bool operator ==(C a, C b) => true; void Open() { }", "Open"),
        ("public int this[int i] { get { return i; } } void Open() { }", "Open"),
        ("int x { get; set; } = new List<int> { 1 }.Count; void Open() { }", "Open"),
        ("~C() { } void Open() { }", "Open"),
        ("#region it's\nvoid Open() { }\n#endregion\n", "Open"),
        ("\n#if A\nvoid Open() { }\n#else\nvoid Shut() { }\n#endif\n", "Open"),
        ("\n#if A\nvoid Open() { }\n#else\nvoid Shut() { }\n#endif\n", "Shut"),
        ("public void @Open() { }", "Open"),
        ("public void Öffnen() { }", "Öffnen"),
    ],
)
def test_methods_of_every_form_are_found(body: str, method: str) -> None:
    assert method in members(body).methods


def test_other_types_than_classes() -> None:
    found = types(
        "namespace A.B;\npublic readonly struct S : I { }\ninterface I : J { void M(); }\n"
        "enum E : byte { One = 1 << 2 }\nrecord R(int X, string Y) : Base(X), I;\nrecord struct Q(int Z);\n"
        "delegate void D<T>(T x);\n"
        "class P(int a) : Base<int>(a) { }\nglobal::System.Action x;\n"
    )
    assert {name: each.kind for name, each in found.items()} == {
        "S": "struct",
        "I": "interface",
        "E": "enum",
        "R": "record",
        "Q": "record",
        "D": "delegate",
        "P": "class",
    }
    assert {each.namespace for each in found.values()} == {"A.B"}
    assert found["P"].bases == (Base("", "Base", 1),)
    assert {"X", "Y"} <= found["R"].properties


def test_bases_in_branches_count_all_of_them() -> None:
    text = "class C\n#if NET\n : NetBehaviour\n#else\n : MonoBehaviour\n#endif\n{ }"
    found = types(text)["C"]
    assert found.unclear or {base.name for base in found.bases} == {"NetBehaviour", "MonoBehaviour"}


@pytest.mark.parametrize("base", ["A.B.Base", "global::A.B.Base", "A.B.Base<int, string>"])
def test_a_qualified_base(base: str) -> None:
    (found,) = types(f"class C : {base} {{ }}")["C"].bases
    assert (found.qualifier, found.name) == ("A.B", "Base")


def test_usings_and_aliases() -> None:
    source = read_source(b"using System;\nusing static A.B;\nusing X = Y.Z<int>;\nglobal using G.H;\nclass C { }")
    assert source.usings == {"System", "G.H"}
    assert source.aliases == {"X"}


@pytest.mark.parametrize(
    "text",
    [
        "class C {",
        "class C { } }",
        'class C { string s = "open; }',
        "#if A\nclass C : B {\n#else\nclass C {\n#endif\n}",
        "#if A\nclass C { }",
        "#endif\nclass C { }",
        'class C { string s = $"{open; }',
        'class C { string s = """open; }',
        "class C { void M( { } }",
        "class C {\n<<<<<<< HEAD\n  void A() { }\n=======\n  void B() { }\n>>>>>>> other\n}",
    ],
)
def test_what_cannot_be_told_is_unclear(text: str) -> None:
    assert read_source(text.encode()).unclear


def test_other_encodings_are_unclear() -> None:
    assert read_source("class C { }".encode("utf-16")).unclear
    assert [each.name for each in read_source("class C { }".encode("utf-8-sig")).types] == ["C"]
    assert [each.line for each in read_source(b"\r\nclass C { }\r\nclass D { }\rclass E { }").types] == [2, 3, 4]


def test_an_empty_file_declares_nothing() -> None:
    assert read_source(b"") == read_source(b"// nothing\n")
    assert read_source(b"").types == ()


def test_a_former_name_that_is_no_literal_is_unclear() -> None:
    assert members("[FormerlySerializedAs(Names.Old)] int a;").unclear
    assert not members('[FormerlySerializedAs("old")] int a;').unclear


def test_types_that_are_mentioned() -> None:
    text = (
        b"// class Old\npublic class A<T> : Base.Of<T>, I { struct B : I {} }\nenum E\n{ }\nrecord struct R(int x);\n"
    )
    assert set(mentioned_types(text)) == {("Old", ""), ("A", "Of"), ("B", "I"), ("E", ""), ("R", "")}


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "{",
        "}",
        "[",
        '$"{',
        '"',
        '@"',
        "'",
        "/*",
        "#if A\n",
        '"""',
        "class C<",
        "class C {",
        "a = ",
        "class C : B<",
        "[A(",
        '$@"{',
        "{}",
        "{} b ",
        "() ",
        "a, ",
        "<>",
        "class C {}",
    ],
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    started = process_time()
    pieces = piece * 15_000
    for text in (pieces, f"class C {{ {pieces}", f"class C {{ x = {pieces}", f"class C {{ int {pieces}b; }}"):
        read_source(text.encode())
        mentioned_types(text.encode())
    assert process_time() - started < 2.5


def test_types_that_are_nested_without_end_are_unclear() -> None:
    assert read_source(b"class C {" * 10_000 + b"}" * 10_000).unclear
    assert not read_source(b"class C {" * 10 + b"}" * 10).unclear


@pytest.mark.parametrize("text", ["record struct", "record class", "class class", "record struct class"])
@pytest.mark.parametrize("end", ["{ }", ";", " "])
def test_a_type_without_a_name_is_none(text: str, end: str) -> None:
    """As it is while somebody types it."""
    found = read_source(f"class C {{ }}\npublic {text} {end}\nrecord struct D {{ }}".encode())
    assert found.types[0].name == "C"
    assert [each.name for each in read_source(f"public {text} {end}".encode()).types] == []


def test_any_bytes_have_an_answer() -> None:
    words = [
        "class ",
        "C",
        "{",
        "}",
        "(",
        ")",
        '"',
        "'",
        "$",
        "@",
        "\n",
        "#if X\n",
        "#endif\n",
        "=>",
        "=",
        ";",
        ":",
        "<",
        ">",
        ",",
        "[",
        "]",
    ]
    choose = random.Random(7)
    for _ in range(3000):
        data = "".join(choose.choice(words) for _ in range(40)).encode()
        assert read_source(data) == read_source(data)
        mentioned_types(data)


@pytest.mark.parametrize(
    ("body", "unstored"),
    [
        ("public int a; [SerializeField] int b; [SerializeReference] IThing c; protected int d;", {"d"}),
        (
            "public static int a; public const int b = 1; public readonly int c = 2, d; public event Action e;",
            set("abcde"),
        ),
        (
            "[NonSerialized] public int a; [HideInInspector] public int b; [SerializeField, NonSerialized] int c;",
            set("ac"),
        ),
        ("[SF] int a; int b;", {"b"}),
        ("\n#if X\n static\n#endif\n public int a; private int b;", {"b"}),
        ("public int A { get; set; } [field: SerializeField] public int B { get; set; }", {"<A>k__BackingField"}),
    ],
)
def test_fields_that_unity_never_serializes_are_known(body: str, unstored: set[str]) -> None:
    declared = types(f"using SF = UnityEngine.SerializeField; [Serializable] class C {{ {body} }}")["C"]
    assert {name for name, _ in declared.unstored} == unstored
    assert declared.serializable


@pytest.mark.parametrize(
    ("head", "arity"),
    [
        ("class A", 0),
        ("class A<T>", 1),
        ("class A<T, U>", 2),
        ("class A<T, U, V> : B<T, U>", 3),
        ("class A<T> : B<C<T, int>>", 1),
        ("interface A<in T, out U>", 2),
    ],
)
def test_type_parameters_are_counted(head: str, arity: int) -> None:
    declared = types(f"namespace N {{ {head} {{ }} }}")["A"]
    assert (declared.arity, declared.identity) == (arity, ("N", (), "A", arity))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int a;", {"a": "int"}),
        ("public int a, b = 2;", {"a": "int", "b": "int"}),
        ("[SerializeField] List<int> rows = new List<int>();", {"rows": "List<int>"}),
        ("Dictionary<string, int> map;", {"map": "Dictionary<string,int>"}),
        ("int[] a;", {"a": "int[]"}),
        ("Acme.Door door;", {"door": "Acme.Door"}),
        ("A a, b;", {"a": "A", "b": "A"}),
    ],
)
def test_fields_have_their_types_as_written(body: str, found: dict[str, str]) -> None:
    assert dict(members(body).types) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("void A() { }", {"A": ()}),
        ("void A(int a) { }", {"A": ("int",)}),
        (
            "void A(ref int a, List<int, B> b = null, [C] string[] d = default) { }",
            {"A": ("int", "List<int,B>", "string[]")},
        ),
        ("void A<T>(T a) { }", {}),  # no message is generic
        ("enum K { A(1) }", {}),
    ],
)
def test_methods_have_the_types_of_their_parameters(body: str, found: dict[str, tuple[str, ...]]) -> None:
    assert dict(members(body).parameters) == found


@pytest.mark.parametrize(
    ("attributes", "former", "unclear"),
    [
        ('[FormerlySerializedAs("a")]', {"a"}, False),
        ('[FormerlySerializedAsAttribute("a")]', {"a"}, False),
        ('[FormerlySerializedAs(oldName: "a")]', {"a"}, False),
        ('[FormerlySerializedAs("a"), FormerlySerializedAs("b")]', {"a", "b"}, False),
        ("[FormerlySerializedAs(NAME)]", set(), True),
        ("[FormerlySerializedAsAttribute(NAME)]", set(), True),
        ('[FormerlySerializedAs("a"), FormerlySerializedAsAttribute(NAME)]', {"a"}, True),
    ],
)
def test_former_names_are_known_or_a_type_is_unclear(attributes: str, former: set[str], *, unclear: bool) -> None:
    declared = read_source(f"class C {{ {attributes} public int b; }}".encode()).types[0]
    assert (declared.former, declared.unclear) == (former, unclear)


def test_imports_have_their_lines_outside_of_branches() -> None:
    text = """using System;
using global::UnityEditor.UI;
using static UnityEngine.Mathf;
using Short = UnityEditor.Editor;
#if UNITY_EDITOR
using UnityEditor;
#endif
namespace Game { using UnityEngine; }
"""
    assert read_source(text.encode()).imports == (("System", 1), ("UnityEditor.UI", 2), ("UnityEngine", 8))
