"""Lenses say what calls a method and which assets set a field, and lead there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.checks.scripts.test_callers import HEAD
from tests.assetdb.lsp.features.events import at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor


def lenses(eventful: Editor, events: Path, path: str) -> list[tuple[int, str]]:
    uri = eventful.open(events / path)
    found = eventful.of("codeLens", uri)
    return [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in found if "command" in lens]


def test_lenses_say_what_calls_a_method_and_which_assets_set_a_field(eventful: Editor, events: Path) -> None:
    assert lenses(eventful, events, "Assets/Door.cs") == [
        (at("Assets/Door.cs", "int speed")[0], "set in 1 prefab, 1 scene"),
        (at("Assets/Door.cs", "void Knock")[0], "called by 1 event: Hall"),
    ]
    assert lenses(eventful, events, "Assets/Gun.cs") == [
        (1, "called by 3 events: Level / Menu and 2 more"),
        (1, "called by 3 events: Level / Menu and 2 more"),
    ]


def test_the_command_of_a_lens_leads_to_what_it_says(eventful: Editor, events: Path) -> None:
    uri = eventful.open(events / "Assets/Door.cs")
    commands = [lens["command"] for lens in eventful.of("codeLens", uri) if "command" in lens]
    places = [
        eventful.ask("workspace/executeCommand", {"command": each["command"], "arguments": each["arguments"]})
        for each in commands
    ]
    assert [(place["uri"], place["range"]["start"]["line"]) for place in places[0]] == [
        (uri_of(str(events / "Assets/Door.prefab")), at("Assets/Door.prefab", "speed:")[0]),
        (uri_of(str(events / "Assets/Hall.unity")), at("Assets/Hall.unity", "speed:")[0]),
    ]
    assert [(place["uri"], place["range"]["start"]["line"]) for place in places[1]] == [
        (uri_of(str(events / "Assets/Hall.unity")), at("Assets/Hall.unity", "m_MethodName: Knock")[0])
    ]


def test_an_instance_is_one_place_among_the_usages_of_its_prefab(eventful: Editor, events: Path) -> None:
    prefab, scene = events / "Assets/Panel.prefab", events / "Assets/Panels.unity"
    guid, row = (
        "0" * 31 + "1",
        "    - target: {{fileID: 30, guid: {}, type: 3}}\n      propertyPath: {}\n      value: 1\n",
    )
    prefab.write_text(HEAD + "--- !u!1 &10\nGameObject:\n  m_Name: Panel\n")
    (events / "Assets/Panel.prefab.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\n")
    source = f"{{fileID: 100100000, guid: {guid}, type: 3}}"
    text = HEAD
    for anchor in (1, 2):
        text += f"--- !u!1001 &{anchor}\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n"
        for name in ("m_Name", "m_RootOrder", "m_IsActive"):
            text += row.format(guid, name) + "      objectReference: {fileID: 0}\n"
        text += f"    m_RemovedComponents:\n    - {{fileID: 31, guid: {guid}, type: 3}}\n  m_SourcePrefab: {source}\n"
    text += f"--- !u!4 &3 stripped\nTransform:\n  m_CorrespondingSourceObject: {{fileID: 30, guid: {guid}, type: 3}}\n"
    text += f"--- !u!114 &4\nMonoBehaviour:\n  panel: {{fileID: 10, guid: {guid}, type: 3}}\n"
    scene.write_text(text)
    (events / "Assets/Panels.unity.meta").write_text(f"fileFormatVersion: 2\nguid: {'0' * 31}2\n")
    eventful.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(str(scene)), "type": 1}]})
    command = {"command": "assetdb.usages", "arguments": [uri_of(str(prefab)), guid]}
    places = eventful.ask("workspace/executeCommand", command)
    lines = [number for number, line in enumerate(text.split("\n")) if "m_SourcePrefab" in line or "panel:" in line]
    assert [place["range"]["start"]["line"] for place in places] == lines


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # The file's first object is a child, as Unity orders objects by their fileIDs.
        (
            (
                "--- !u!1 &1\nGameObject:\n  m_Name: Child\n--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n"
                "  m_Father: {fileID: 4}\n--- !u!1 &3\nGameObject:\n  m_Name: Root\n--- !u!224 &4\nRectTransform:\n"
                "  m_GameObject: {fileID: 3}\n  m_Father: {fileID: 0}\n"
            ),
            "--- !u!1 &3",
        ),
        (
            (
                "--- !u!1001 &1\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 7}\n"
                "--- !u!1001 &2\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n"
            ),
            "--- !u!1001 &2",
        ),
        ("--- !u!114 &1\nMonoBehaviour:\n  m_Name: Odd\n", "--- !u!114 &1"),
    ],
)
def test_the_lens_of_a_prefab_is_at_its_root(eventful: Editor, events: Path, text: str, line: str) -> None:
    uri = eventful.open(events / "Assets/Menu.prefab", HEAD + text)
    (lens,) = eventful.of("codeLens", uri)
    assert (HEAD + text).split("\n")[lens["range"]["start"]["line"]] == line
