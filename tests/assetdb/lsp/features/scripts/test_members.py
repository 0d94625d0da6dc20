"""Hovers in C# say what uses a class, calls a method or sets a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.lsp.documents.script_names import ScriptName
from assetdb.lsp.features.scripts.members import Words
from tests.assetdb.lsp.features.events import at, value_at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor


def test_hover_in_c_sharp_is_on_names_that_assets_use_alone(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / "Assets/Door.cs")
    assert value_at(eventful, uri, *at("Assets/Door.cs", "Knock")) == "called by 1 event: Hall"
    assert value_at(eventful, uri, *at("Assets/Door.cs", "speed = 1")) == "set in 1 prefab, 1 scene"
    assert value_at(eventful, uri, *at("Assets/Door.cs", "Door : Base")) == "3 usages"
    for text in ("speed of", "Door\n"[:4], "int speed", "hidden", "var other", "Close(int", "how", "namespace"):
        assert value_at(eventful, uri, *at("Assets/Door.cs", text)) is None
    for request in ("hover", "definition"):
        assert eventful.at(request, uri, 99, 99) is None


def test_a_field_has_the_words_of_its_own_type() -> None:
    words = Words({}, {("Door", "speed"): "set in 1 prefab", ("Gate", "speed"): "set in 2 scenes"})
    assert words.of(ScriptName("speed"), "Gate") == "set in 2 scenes"
    assert words.of(ScriptName("speed"), "Wall") == ""
    assert words.of(ScriptName("speed")) == "Door: set in 1 prefab; Gate: set in 2 scenes"
    assert Words({}, {("Door", "speed"): "set in 1 prefab"}).of(ScriptName("speed")) == "set in 1 prefab"
