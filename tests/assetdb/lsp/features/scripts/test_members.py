"""Hovers in C# say what uses a class, calls a method or sets a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
