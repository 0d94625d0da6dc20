"""Events are callers of methods in the editor's call hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.lsp.editor import EVERYTHING, Editor, editing, position
from tests.assetdb.lsp.features.events import FILES, at

if TYPE_CHECKING:
    from pathlib import Path

HALL = "Assets/Hall.unity"


def prepared(editor: Editor, uri: str, line: int, character: int) -> Any:  # noqa: ANN401 - JSON
    return editor.at("prepareCallHierarchy", uri, line, character)


def lines(ranges: list[dict[str, Any]]) -> list[int]:
    return [each["start"]["line"] for each in ranges]


def test_a_method_in_csharp_has_the_objects_whose_events_call_it(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / "Assets/Door.cs")
    line, character = at("Assets/Door.cs", "Knock")
    (item,) = prepared(eventful, uri, line, character + 2)
    assert (item["name"], item["detail"], item["uri"]) == ("Knock", "Door.cs", uri)
    assert item["range"] == {"start": position(line, character), "end": position(line, character + 5)}
    (call,) = eventful.ask("callHierarchy/incomingCalls", {"item": item})
    assert (call["from"]["detail"], call["from"]["uri"]) == (HALL, uri_of(str(events / HALL)))
    assert lines(call["fromRanges"]) == [at(HALL, "m_MethodName: Knock")[0]]
    assert eventful.ask("callHierarchy/outgoingCalls", {"item": item}) is None, "the server of C# knows those"
    back = eventful.ask("callHierarchy/outgoingCalls", {"item": call["from"]})
    assert [each["to"]["name"] for each in back] == ["Door.Knock", "Base.Swing"]


def test_a_call_in_yaml_leads_to_all_callers_of_its_method(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / HALL)
    line, character = at(HALL, "m_MethodName: Swing")
    (item,) = prepared(eventful, uri, line, character + 15)
    assert (item["name"], item["detail"]) == ("Base.Swing", "Assets/Base.cs")
    assert item["range"]["start"] == position(*at("Assets/Base.cs", "Swing"))
    assert prepared(eventful, uri, *at(HALL, "Game.Base, Assembly")) == [item], "the row of its type"
    (call,) = eventful.ask("callHierarchy/incomingCalls", {"item": item})
    assert lines(call["fromRanges"]) == [line]


def test_an_object_has_the_methods_that_its_events_call(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / HALL)
    (item,) = prepared(eventful, uri, at(HALL, "--- !u!114 &2")[0], 6)
    assert isinstance(item["data"]["fileId"], str), "an editor would round a number of 64 bits"
    found = eventful.ask("callHierarchy/outgoingCalls", {"item": item})
    assert [(each["to"]["name"], lines(each["fromRanges"])) for each in found] == [
        ("Door.Knock", [at(HALL, "m_MethodName: Knock")[0]]),
        ("Base.Swing", [at(HALL, "m_MethodName: Swing")[0]]),
    ]
    assert eventful.ask("callHierarchy/incomingCalls", {"item": item}) is None
    assert prepared(eventful, uri, at(HALL, "--- !u!114 &1")[0], 6) is None, "no event"


def test_overrides_of_an_instance_call_methods_too(eventful: Editor, events: Path) -> None:
    path = "Assets/Level.unity"
    uri = eventful.open(events / path)
    rows = [number for number, row in enumerate(FILES[path][1].split("\n")) if "value: Stop" in row]
    (item,) = prepared(eventful, uri, rows[2], 15)
    assert item["detail"] == "Assets/Gun.cs"
    found = eventful.ask("callHierarchy/incomingCalls", {"item": item})
    assert rows[2] - 1 in [line for each in found for line in lines(each["fromRanges"])]


@pytest.mark.parametrize(("text", "into"), [("var other = speed", 6), ("int speed", 5), ("class Door", 7)])
def test_names_that_no_event_calls_have_none(eventful: Editor, events: Path, text: str, into: int) -> None:
    uri = eventful.open(events / "Assets/Door.cs")
    line, character = at("Assets/Door.cs", text)
    assert prepared(eventful, uri, line, character + into) is None


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"uri": "file:///", "guid": "x"},
        {"guid": "../../etc", "method": "M"},
        {"guid": "f" * 32, "fileId": "9" * 400},
        {"guid": "f" * 32, "fileId": "²"},
        {"guid": "f" * 32, "fileId": "77"},
        {"guid": "f" * 32, "method": "M" * 100_000},
    ],
)
def test_items_that_the_server_did_not_make_have_no_calls(eventful: Editor, events: Path, data: Any) -> None:  # noqa: ANN401 - JSON
    uri = uri_of(str(events / HALL))
    place = {"start": position(0, 0), "end": position(0, 0)}
    item = {"name": "x", "kind": 6, "uri": uri, "range": place, "selectionRange": place}
    if data is not None:
        item["data"] = {"uri": uri} | data
    for way in ("incomingCalls", "outgoingCalls"):
        number = eventful.begin(f"callHierarchy/{way}", {"item": item})
        said = eventful.answer(number)
        assert not said.get("result"), said


def test_in_an_editor_that_asks_one_server_csharp_is_left_to_that_of_csharp(events: Path) -> None:
    capabilities = EVERYTHING | {
        "textDocument": EVERYTHING["textDocument"] | {"callHierarchy": {"dynamicRegistration": True}}
    }
    with Editor() as editor:
        said = editor.initialize(events, capabilities=capabilities)["capabilities"]
        assert "callHierarchyProvider" not in said
        rows = editor.wait_for("client/registerCapability")["registrations"]
        assert editor.quit() == 0
    (row,) = [each for each in rows if each["method"] == "textDocument/prepareCallHierarchy"]
    (selected,) = row["registerOptions"]["documentSelector"]
    assert ",cs" not in selected["pattern"]
    assert "prefab" in selected["pattern"]
    with editing(events) as editor:
        assert prepared(editor, editor.open(events / HALL), *at(HALL, "--- !u!114 &2"))
