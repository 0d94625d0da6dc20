"""Events in YAML lead to the methods and classes that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.lsp.editor import position
from tests.assetdb.lsp.features.events import FILES, at, value_at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor


def test_definition_leads_from_an_event_to_method_and_class(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / "Assets/Hall.unity")

    def found(text: str, into: int) -> tuple[str, Any]:
        line, character = at("Assets/Hall.unity", text)
        (link,) = eventful.at("definition", uri, line, character + into)
        return link["targetUri"].rpartition("/")[2], link["targetSelectionRange"]["start"]

    assert found("m_MethodName: Knock", 14) == ("Door.cs", position(*at("Assets/Door.cs", "Knock")))
    assert found("m_MethodName: Swing", 19) == ("Base.cs", position(*at("Assets/Base.cs", "Swing")))
    assert found("Game.Door, Assembly", 6) == ("Door.cs", position(*at("Assets/Door.cs", "Door : Base")))
    assert found("Game.Base, Assembly", 0) == ("Base.cs", position(*at("Assets/Base.cs", "Base : Mono")))
    line, character = at("Assets/Hall.unity", "m_MethodName: Knock")
    assert eventful.at("definition", uri, line, character) is None, "the key is no name"
    assert eventful.at("definition", uri, line + 9, character + 14) is None, "an empty name"


def test_hover_on_an_event_says_target_class_and_file(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / "Assets/Hall.unity")
    line, character = at("Assets/Hall.unity", "m_MethodName: Swing")
    said = value_at(eventful, uri, line, character + 15).split("\n\n")
    assert said[0] == "**Base.Swing**"
    assert said[-1] == f"[Assets/Base.cs:5]({uri_of(str(events / 'Assets/Base.cs'))}#L5)"
    line, character = at("Assets/Hall.unity", "UnityEngine.GameObject, UnityEngine")
    assert value_at(eventful, uri, line, character).startswith("**GameObject**")


def test_overrides_of_calls_lead_to_the_target_that_they_name(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / "Assets/Level.unity")
    rows = [number for number, row in enumerate(FILES["Assets/Level.unity"][1].split("\n")) if "value: Stop" in row]
    found = [eventful.at("definition", uri, line, 15) for line in rows]
    assert [link and link[0]["targetUri"].rpartition("/")[2] for link in found] == [
        *(None, None),  # the text does not say whom the prefab's own calls call
        *("Gun.cs", "Other.cs"),
    ]
