"""Tags of objects in C#, where plain reading tells the object's class."""

from __future__ import annotations

from time import process_time

import pytest

from assetdb.unity.scripts.tag_uses import may_use_tag, plain_text, tag_uses
from assetdb.unity.scripts.tokens import tokens_of


def found(source: str) -> list[tuple[str, str, str]]:
    tokens = tokens_of(source.encode())
    assert not tokens.unclear, source
    uses = [(use.receiver, use.holder, use.tag) for use in tag_uses(tokens.all, {"Foe": '"Enemy'})]
    assert may_use_tag(source.encode(), has_constants=True) or not uses
    return uses


@pytest.mark.parametrize(
    ("source", "holder"),
    [
        ("void OnTriggerEnter2D(Collider2D it) { }", "Collider2D"),
        ("public GameObject it; void F() { it = other; }", "GameObject"),
        ("UnityEngine.Transform it = transform;", "Transform"),
        ("foreach (Rigidbody it in bodies) { }", "Rigidbody"),
        ("if (hit is Collider it && it) return it;", "Collider"),
        ("GameObject it; void F(bool a) { if (a && it == null) it = F(a, it); }", "GameObject"),
    ],
)
def test_a_declared_name_has_one_class(source: str, holder: str) -> None:
    assert found(f'{source} bool G() {{ return it.tag == "Enemy"; }}') == [("it", holder, "Enemy")]
    assert found(f"{source} bool G() {{ return this.it.tag != Foe; }}") == [("it", holder, "Enemy")]
    assert found(f'{source} bool G() {{ return other.it.tag == "Enemy"; }}') == []


@pytest.mark.parametrize(
    "source",
    [
        "Node it;",
        "Collider it; Node it;",
        "Collider it; List<Node> it;",
        "Collider it; Node? it;",
        "Collider it; Node[] it;",
        "Collider it; var it = nodes[0];",
        "Collider it; a = from it in nodes select it;",
        "Collider it; a = it => it;",
        "Collider it; a = (b, it) => it;",
        "Box.Collider it;",
        "Collider it; bool B() { return F() is { } it && it; }",
        "Collider it; bool B() { return F() is Node { Left: null } it ? it : null; }",
        "Collider it; bool B() { return F() is Node(1, _) it; }",
        "Collider it; bool B() { return F() is Node(_) it; }",
        "Collider it; void B() { Node a, it; }",
        "Collider it; void B() { Node a = F(1, 2), it = G(a); }",
        "Collider it; void B() { for (int a = 0, it = 1; ; ) {} }",
        "Collider it; void B() { (string tag, int number) it = F(); }",
        "Collider it; void B() { foreach ((string tag, int number) it in F()) {} }",
        "Collider it; void B() { var (it, a) = F(); }",
        "Collider it; void B() { foreach (var (a, it) in F()) {} }",
    ],
)
def test_another_class_makes_a_name_unknown(source: str) -> None:
    assert found(f'{source} bool G() {{ return it.tag == "Enemy"; }}') == []


@pytest.mark.parametrize(
    "use",
    [
        "F(it); F(a, it); F(a, it, b);",
        "if (a) it = b; if (F(a, b)) it = b; foreach (var a in F(b)) { } it = c;",
        "b = (Collider)it; return (Collider)it; G((Collider)it);",
        "Collider a, it = b, c;",
        "private static Collider a = F(1, 2), it;",
        "it?.Go(); x = new[] { a, it, b }; x = a[1, 2] + it;",
        "if (a) { } it?.Go();",
    ],
)
def test_a_use_declares_nothing(use: str) -> None:
    assert found(f'Collider it; void F() {{ {use} }} bool G() {{ return it.tag == "Enemy"; }}') == [
        ("it", "Collider", "Enemy")
    ]


@pytest.mark.parametrize(
    ("use", "is_known"),
    [
        ('gameObject.tag=="Enemy";', True),
        ('gameObject . tag\n!= @"Enemy";', True),
        ('other.gameObject.tag = "Enemy";', True),
        ('other.transform.tag.Equals("Enemy") ? 1 : 2;', True),
        ("collision.collider.tag == Foe && a;", True),
        ('gameObject.tag == "Ene" + name;', False),
        ("gameObject.tag == Foe.Name;", False),
        ("gameObject.tag == Friend;", False),
        ('gameObject.tag == "";', False),
        ('gameObject.tag == @"""Enemy""";', False),
        ('gameObject.tag == "\\u0041";', False),
        ('gameObject.tag.StartsWith("Enemy");', False),
        ('gameObject.tag => "Enemy";', False),
        ('gameObject.tag += "Enemy";', False),
        ('camera.tag == "Enemy";', False),
        ('tag == "Enemy";', False),
        ("gameObject.tag ==", False),
        ("gameObject.tag", False),
    ],
)
def test_a_text_that_is_known(use: str, is_known: bool) -> None:  # noqa: FBT001 - a row
    assert [tag for _, _, tag in found(f"x = {use}")] == (["Enemy"] if is_known else [])


def test_a_file_without_a_use_is_told_before_it_is_read() -> None:
    assert may_use_tag(b'a.tag == "Enemy"', has_constants=False)
    assert not may_use_tag(b"a.tag == Foe", has_constants=False)
    assert not may_use_tag(b'(tag == "Enemy"); a.tags == "Enemy"', has_constants=True)


def test_a_text_with_an_escape_is_not_plain() -> None:
    assert [plain_text(token) for token in ('"a', '"', '"a\\n', '"a"b', "a", "")] == ['"a', "", "", "", "", ""]


@pytest.mark.parametrize(
    "piece",
    [
        "a.tag == ",
        "(a, b) => ",
        "a, ",
        "=> ",
        'gameObject.tag == "a" ;',
        "Collider a ",
        "a, it;",
        "(a, it) it;",
        "{ } it;",
    ],
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    started = process_time()
    text = piece.encode() * 50_000
    may_use_tag(text, has_constants=True)
    list(tag_uses(tokens_of(text).all, {}))
    assert process_time() - started < 5


@pytest.mark.parametrize(
    ("token", "text"),
    [('"Enemy', '"Enemy'), ('"E', '"E'), ('"', ""), ("Enemy", ""), ('"a\\n', ""), ('"a"b', ""), ("", "")],
)
def test_a_plain_text_has_no_escapes(token: str, text: str) -> None:
    assert plain_text(token) == text


@pytest.mark.parametrize(
    ("source", "has_constants", "may"),
    [
        ('it.tag.Equals("Enemy")', False, True),
        ('it.tag == "Enemy"', False, True),
        ("it.tag == Foe", False, False),
        ("it.tag == Foe", True, True),
        ("it.name", True, False),
    ],
)
def test_a_file_that_uses_no_tag_is_told(source: str, *, has_constants: bool, may: bool) -> None:
    assert may_use_tag(source.encode(), has_constants=has_constants) is may
