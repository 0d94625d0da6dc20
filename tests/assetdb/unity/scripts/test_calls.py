"""Calls that find something by its name, where plain reading tells the name."""

from __future__ import annotations

from time import process_time

import pytest

from assetdb.unity.scripts.calls import calls_in, may_call
from assetdb.unity.scripts.tokens import tokens_of


def found(source: str) -> list[tuple[str, str, str, int]]:
    tokens = tokens_of(source.encode())
    assert not tokens.unclear, source
    calls = [(call.receiver, call.function, call.argument, call.line) for call in calls_in(tokens)]
    assert may_call(source.encode()) or not calls
    return calls


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('SceneManager.LoadScene("Menu");', [("SceneManager", "LoadScene", "Menu", 1)]),
        ('SceneManager.LoadScene(/* name */ "Menu");', [("SceneManager", "LoadScene", "Menu", 1)]),
        ('SceneManager.LoadScene( // of the file\r\n\t/**/ "Menu");', [("SceneManager", "LoadScene", "Menu", 2)]),
        ('x\n= UnityEngine.Resources.Load<Sprite>("Icons/coin", 1);', [("Resources", "Load", "Icons/coin", 2)]),
        ('other.CompareTag("Enemy")', [("other", "CompareTag", "Enemy", 1)]),
        ('CompareTag(@"Enemy")', [("", "CompareTag", "Enemy", 1)]),
        (
            'LayerMask.GetMask("Ground", "Water")',
            [("LayerMask", "GetMask", "Ground", 1), ("LayerMask", "GetMask", "Water", 1)],
        ),
        (
            'const string Menu = "Main"; void F() { SceneManager.LoadScene(Menu); }',
            [("SceneManager", "LoadScene", "Main", 1)],
        ),
        (
            'Invoke("Open", 2f);\nthis.StartCoroutine("Fade")',
            [("", "Invoke", "Open", 1), ("this", "StartCoroutine", "Fade", 2)],
        ),
        ('opened?.Invoke("door")', [("?", "Invoke", "door", 1)]),
        ("SceneManager.LoadScene(17);", [("SceneManager", "LoadScene", "17", 1)]),
        (
            "const int Last = 3; void F() { UnityEngine.SceneManagement.SceneManager.LoadSceneAsync(Last, mode); }",
            [("SceneManager", "LoadSceneAsync", "3", 1)],
        ),
        ('if (gameObject.tag == "Enemy")', [("gameObject", "tag", "Enemy", 1)]),
        ('void OnTriggerEnter(Collider it) { if (it.tag != "Enemy") {} }', [("it", "tag", "Enemy", 1)]),
        ('x = hit.collider?.transform.tag.Equals("Enemy");', [("transform", "tag", "Enemy", 1)]),
        ('foreach (var a in b) a?.gameObject?.tag = "Enemy";', [("gameObject", "tag", "Enemy", 1)]),
        ('const string Foe = "Enemy"; bool F(GameObject it) => it.tag == Foe;', [("it", "tag", "Enemy", 1)]),
        (
            'const string A = "x", B = "y"; bool F(C c) { c.A = a ? A : B; if (B == A) return A; Shader.Find(A); }',
            [("Shader", "Find", "x", 1)],
        ),
        ('SceneManager.LoadScene<int>("Menu")', [("SceneManager", "LoadScene", "Menu", 1)]),
        ('static readonly string A = "Fire1"; bool B() => Input.GetButton(A);', [("Input", "GetButton", "Fire1", 1)]),
    ],
)
def test_a_literal_and_a_constant_of_the_file_are_known(source: str, expected: list[object]) -> None:
    assert found(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        'SceneManager.LoadScene("Level" + number);',
        'SceneManager.LoadScene($"Level{number}");',
        "SceneManager.LoadScene(name);",
        "SceneManager.LoadScene(index);",
        "SceneManager.LoadScene(2 + offset);",
        "SceneManager.LoadScene(-1);",
        "SceneManager.LoadScene(0x11);",
        "runner.SceneManager.LoadScene(17);",
        "int Last = 3; void F() { SceneManager.LoadScene(Last); }",
        "const int A = 3; class B { const int A = 4; void F() { SceneManager.LoadScene(A); } }",
        "const int A = 3; class B { const string A = Name; void F() { SceneManager.LoadScene(A); } }",
        "readonly int A = 3; Game(int a) { A = a; } void F() { SceneManager.LoadScene(A); }",
        "readonly int A = 3; Game(int a) { this.A = a; } void F() { SceneManager.LoadScene(A); }",
        "readonly int A = 3; Game(int a) { F(out A); } void F() { SceneManager.LoadScene(A); }",
        'const string A = "x"; class B { void F(string A) { SceneManager.LoadScene(A); } }',
        'const string A = "x"; class B { string? A; void F() { SceneManager.LoadScene(A); } }',
        'const string A = "x"; class B { void F() { var A = Name(); SceneManager.LoadScene(A); } }',
        'const string A = "x"; class B { string A; bool F(Collider it) => it.tag == A; }',
        'if (tag == "Enemy") {}',
        'if (node.tag == "Enemy") {}',
        'void F(Node it) { if (it.tag == "Enemy") {} }',
        'void F(Collider it) { if (gameObject.tag == "Ene" + "my") {} }',
        'void F(Collider it) { nodes.Where(it => it.tag == "Enemy"); }',
        'void F(Collider it) { nodes.Where((at, it) => it.tag == "Enemy"); }',
        'void F(Collider it) { foreach (var it in nodes) if (it.tag == "Enemy") {} }',
        'void F(Collider it) { if (at.it.tag == "Enemy") {} }',
        'void F(Box.Collider it) { if (it.tag == "Enemy") {} }',
        'void F(Collider[] it) { if (it.tag == "Enemy") {} }',
        'void F(Node transform) { if (transform.tag == "Enemy") {} }',
        'gameObject.tag += "Enemy";',
        'gameObject.tags == "Enemy"',
        'if (gameObject.tag == $"Enemy{number}") {}',
        '// SceneManager.LoadScene("Menu");',
        'x = "SceneManager.LoadScene(\\"Menu\\")";',
        'string Menu = "Main"; void F() { SceneManager.LoadScene(Menu); }',
        'const string A = "x"; class B { const string A = "y"; void F() { Shader.Find(A); } }',
        'Resources.Load("a\\tb")',
        'Resources.Load("")',
        "a < b > (c)",
        "LoadScene",
        'const string Fade = "x"; void F() { StartCoroutine(Fade); }',
        "StartCoroutine(Fade()); opened.Invoke(door);",
    ],
)
def test_of_everything_else_nothing_is_said(source: str) -> None:
    assert found(source) == []


def test_type_arguments_are_told() -> None:
    (call,) = calls_in(tokens_of(b'Resources.Load<Game.Item>("Sword")'))
    assert call.types == "Game.Item"
    assert list(calls_in(tokens_of(b"Resources.Load<" + b"A," * 100 + b'A>("Sword")'))) == []


@pytest.mark.parametrize(
    ("source", "may"),
    [
        ("Input.GetAxis(axis)", False),
        ('Pool.Load("coin")', False),
        ('const string A = "x"; float B() => Input.GetAxis(A);', True),
        ('Shader.Find(Resources.Load("names"))', True),
        ('LayerMask.GetMask(mine, "UI")', True),
        ('Resources /* of the game */ . Load("coin")', True),
    ],
)
def test_a_file_is_read_only_if_a_name_in_it_may_be_known(source: str, may: bool) -> None:  # noqa: FBT001 - a case
    assert may_call(source.encode()) is may


@pytest.mark.parametrize(
    "piece", ["LoadScene(a, ", 'LoadScene("a", ', "GetMask(a, ", "LoadScene(1, ", "LoadScene(/* /* ", "LoadScene(//"]
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    started = process_time()
    assert not may_call(piece.encode() * 50_000)
    assert process_time() - started < 2
