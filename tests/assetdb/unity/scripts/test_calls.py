"""Calls that find something by its name, where plain reading tells the name."""

from __future__ import annotations

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
        "SceneManager.LoadScene(2);",
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
