"""In C# only names that assets refer to are answered for."""

from __future__ import annotations

import pytest

from assetdb.lsp.documents.open_documents import Document
from assetdb.lsp.documents.script_names import ScriptName, name_at
from assetdb.lsp.documents.text import Text

SOURCE = """using UnityEngine;
// Player is the player, and speed is its speed
public class Player : MonoBehaviour
{
    [SerializeField] float speed = 3; /* speed */
    public string text = "speed of Player";
    int count;
    void Start() { var local = speed; Player other = this; count = 1; }
}
"""


def at(line: int, before: str) -> ScriptName | None:
    document = Document("file:///P/Player.cs", "/P/Player.cs", 1, Text.of(SOURCE.encode()), "utf-8")
    row = SOURCE.split("\n")[line]
    start = sum(len(each) + 1 for each in SOURCE.split("\n")[:line])
    return name_at(document, start + row.index(before))


def test_the_class_is_a_name_wherever_the_code_says_it() -> None:
    assert at(2, "Player") == ScriptName()
    assert at(2, "ayer ") == ScriptName()
    assert at(7, "Player") == ScriptName()


def test_a_stored_field_is_a_name_wherever_the_code_says_it() -> None:
    assert at(4, "speed") == ScriptName("speed")
    assert at(7, "speed") == ScriptName("speed")
    assert at(5, "text") == ScriptName("text")


def test_a_method_is_a_name_that_events_may_call() -> None:
    assert at(7, "Start") == ScriptName(method="Start")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        *((0, "using"), (0, "UnityEngine"), (1, "Player"), (1, "speed"), (2, "MonoBehaviour"), (2, "class")),
        *((4, "float"), (4, "= 3"), (4, "3;"), (5, "speed"), (5, "Player"), (7, "void"), (7, "local"), (8, "}")),
    ],
)
def test_of_all_else_only_the_language_server_of_c_sharp_knows(line: int, word: str) -> None:
    assert at(line, word) is None


def test_type_arguments_of_a_value_are_no_fields() -> None:
    source = (
        "public class Doors : MonoBehaviour {\n"
        "    Dictionary<string, Door> open = new Dictionary<string, Door>();\n"
        "    void Find() { Door found = null; open.Clear(); }\n"
        "}\n"
    )
    document = Document("file:///P/Doors.cs", "/P/Doors.cs", 1, Text.of(source.encode()), "utf-8")
    assert name_at(document, source.index("Door found")) is None
    assert name_at(document, source.index("open.Clear")) == ScriptName("open")
