"""A first look at C#: whatever a file has is among its marks."""

from __future__ import annotations

import json
import time

import pytest

from assetdb.unity.scripts.marks import marks_of, read_marks

SOURCE = b"""using System;
using static UnityEngine.Mathf;
using UnityEditor;
namespace Studio.Game
{
#if DEBUG
    class Door : MonoBehaviour { void Open() { SceneManager.LoadScene("Menu"); } }
#endif
}
"""


def test_a_file_has_its_marks() -> None:
    marks = read_marks(SOURCE)
    assert marks.types == (("Door", "MonoBehaviour"),)
    assert marks.namespaces == ("Studio.Game",)
    assert marks.usings == ("System", "UnityEditor", "UnityEngine.Mathf")
    assert (marks.editor, marks.conditional, marks.calls, marks.conflict) == (True, True, True, 0)
    assert not marks.uneven


def test_a_file_without_anything_has_none() -> None:
    assert read_marks(b"") == ((), (), (), False, False, False, 0, False, (), ())


def test_a_message_that_takes_another_value_is_a_mark() -> None:
    text = b"class A {\n  void OnTriggerEnter(Collision hit) {}\n  void OnCollisionEnter2D(Collision2D hit) {}\n"
    marks = read_marks(
        text + b"#if B\n  void OnTriggerStay(int a) {}\n#endif\n  void OnTriggerExit2D(Collider a) {}\n}\n"
    )
    assert marks.unfit == (("OnTriggerEnter", "Collision", 2), ("OnTriggerExit2D", "Collider", 7))


@pytest.mark.parametrize("more", [b"{", b")", b"]", b'"', b"#if A\n", b"#endif\n", b"/*", b"*/"])
def test_what_may_be_open_is_uneven(more: bytes) -> None:
    assert read_marks(SOURCE + more).uneven


@pytest.mark.parametrize("hidden", ['Log("}");', "Log('}');", "// a comment }\n", 'Log("http://a }");'])
def test_a_brace_in_a_text_does_not_stand_in_for_one_that_is_missing(hidden: str) -> None:
    assert read_marks(f"class A {{ void B() {{ {hidden} }}".encode()).uneven
    assert not read_marks(f"class A {{ void B() {{ {hidden.replace('}', '{}')} }} }}".encode()).uneven


def test_a_file_that_is_not_read_is_uneven(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_marks("class A {}".encode("utf-16")).uneven
    monkeypatch.setattr("assetdb.unity.scripts.marks.LARGEST", len(SOURCE))
    assert not read_marks(SOURCE).uneven
    assert read_marks(SOURCE + b" ").uneven


def test_an_unresolved_merge_is_one_with_both_ends() -> None:
    assert read_marks(b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n").conflict == 2
    assert read_marks(b"a\n<<<<<<< HEAD\nb\n").conflict == 0
    assert read_marks(b"// a <<<<<<< b\n>>>>>>> x\n").conflict == 0


def test_marks_return_from_their_json() -> None:
    marks = read_marks(SOURCE)
    assert marks_of(json.loads(json.dumps(marks))) == marks


def test_a_large_file_takes_no_time_by_the_square() -> None:
    started = time.process_time()
    read_marks(b"using A" * 1_000_000 + b"namespace \xe2\x80\xae" * 100_000 + b"<" * 1_000_000)
    assert time.process_time() - started < 20


def test_a_file_of_messages_takes_no_time_by_the_square() -> None:
    started = time.process_time()
    marks = read_marks(b"#if A\nvoid OnTriggerEnter(Collision it) {}\n#endif\nvoid OnTriggerExit(int it) {}\n" * 20_000)
    assert marks.unfit == (("OnTriggerExit", "int", 4),)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("using UnityEditor; class A { }", True),
        ("using UnityEngine; class A { }", False),
        ("using UnityEditor; namespace UnityEditor.Acme { class A { } }", False),  # it adds a class to them
        ("using UnityEditor; namespace UnityEditorial { class A { } }", True),
        ("using UnityEditor; namespace Acme.UnityEditor { class A { } }", True),
    ],
)
def test_a_script_uses_the_editor_unless_it_adds_to_it(text: str, *, uses: bool) -> None:
    marks = read_marks(text.encode())
    assert marks.uses_editor is uses
    assert not marks.is_empty


@pytest.mark.parametrize("text", ["", "\n", "// class\n", "version https://git-lfs.github.com/spec/v1\n"])
def test_a_script_without_code_is_empty(text: str) -> None:
    assert read_marks(text.encode()).is_empty
    assert not read_marks(f"{text}\nusing System;\n".encode()).is_empty
    assert not read_marks(f"{text}\nnamespace A {{ }}\n".encode()).is_empty
    assert not read_marks(f"{text}\nenum A {{ }}\n".encode()).is_empty
