"""Events in YAML lead to the methods and classes that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.checks.scripts.test_callers import HEAD
from tests.assetdb.lsp.editor import editing, position
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


CALL = """--- !u!114 &{0}
MonoBehaviour:
  m_Script: {{fileID: 11500000, guid: dddddddddddddddddddddddddddddd0e, type: 3}}
  m_OnClick:
    m_PersistentCalls:
      m_Calls:
      - m_Target: {{fileID: 1}}
        m_TargetAssemblyTypeName: {1}, Assembly-CSharp
        m_MethodName: {2}
"""


def test_definition_is_on_the_declared_name_also_behind_others_of_its_letters(tmp_path: Path) -> None:
    root = tmp_path / "P"
    (root / "ProjectSettings").mkdir(parents=True)
    rows = ("public DoorState Door() {}", "public Color Tint { get; set; }", "void Tint2() {} void Hue(Hue Hue) {}")
    write(root / "Assets/Scripts/Gate.cs", 1, "class Gate {\n  " + "\n  ".join(rows) + "\n}\n")
    names = ("Door", "set_Tint", "Hue")
    calls = "".join(CALL.format(number, "Gate", name) for number, name in enumerate(names, 1))
    write(root / "Assets/Hall.unity", 2, HEAD + calls)
    for number in range(110):  # each has the name in its path, and comes before the script
        write(root / f"Assets/Gate/{number}.txt", 100 + number, "")
    with editing(root) as editor:
        uri = editor.open(root / "Assets/Hall.unity")
        text = (root / "Assets/Hall.unity").read_text().split("\n")
        found = {}
        for name in names:
            line = text.index(f"        m_MethodName: {name}")
            (link,) = editor.at("definition", uri, line, 24)
            place = link["targetSelectionRange"]
            assert link["targetUri"].endswith("/Gate.cs")
            found[name] = place["start"]["line"] - 1, place["start"]["character"] - 2
    assert found == {"Door": (0, 17), "set_Tint": (1, 13), "Hue": (2, 21)}


def write(path: Path, number: int, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.with_name(f"{path.name}.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\n")
