"""Every request about a document, over pipes, each message read by lsprotocol."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.contents.hierarchy import Hierarchy
from assetdb.lsp.protocol.uris import path_of, uri_of
from assetdb.unity.yaml.objects import TextObjects
from scripts.fixture import copy_fixture
from tests.assetdb.lsp.editor import editing, position
from tests.assetdb.unity_project import HEAD, game_object, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor

BASE = "864eb4c93ac1f6e40d118fd26989f203"
ITEM = "d1c74252c1f6ad0ccea4a18ab1a04ee8"


def line_of(path: Path, text: str) -> int:
    return next(number for number, line in enumerate(path.read_text("utf-8").split("\n")) if text in line)


@pytest.fixture
def variant(project: Path) -> Path:
    return project / "Assets/Prefabs/Variant.prefab"


def test_hover_names_what_a_reference_is(editor: Editor, variant: Path) -> None:
    uri = editor.open(variant)
    line = line_of(variant, "- target:")
    for character in (14, 30, 60, 77):
        found = editor.at("hover", uri, line, character)
        assert found["contents"]["kind"] == "markdown"
        assert found["contents"]["value"].startswith("**Base.prefab (GameObject)**")
        assert "[Assets/Prefabs/Base.prefab](file:///" in found["contents"]["value"]
        assert f"guid {BASE}, fileID 1000" in found["contents"]["value"]
        assert found["range"] == {"start": position(line, 14), "end": position(line, 77)}
    assert editor.at("hover", uri, line, 4) is None
    assert editor.at("hover", uri, line_of(variant, "m_TransformParent"), 30) is None, "fileID 0 is nothing"


def test_hover_on_an_object_says_what_it_is_called(editor: Editor, variant: Path) -> None:
    uri = editor.open(variant)
    value = editor.at("hover", uri, line_of(variant, "--- !u!1001"), 6)["contents"]["value"]
    assert value == "**Renamed Root (PrefabInstance)**\n\n`fileID 3000`"


def test_hover_reads_the_text_and_not_the_disk(editor: Editor, variant: Path) -> None:
    uri = editor.open(variant)
    line = line_of(variant, "value: Renamed Root")
    editor.change(uri, 2, (line, 13, line, 20, "Unsaved"))
    value = editor.at("hover", uri, line_of(variant, "--- !u!1001"), 6)["contents"]["value"]
    assert value.startswith("**Unsaved Root (PrefabInstance)**")


def test_hover_shows_a_picture(editor: Editor, project: Path) -> None:
    meta = project / "Assets/Sprites/Single.png.meta"
    uri = editor.open(meta)
    value = editor.at("hover", uri, line_of(meta, "guid:"), 10)["contents"]["value"]
    shown = re.search(r"!\[thumbnail\]\(([^()]*)\)", value)  # the folder's name has parentheses, which end a link
    assert shown
    assert path_of(shown[1]) == str(project / "Assets/Sprites/Single.png")
    assert shown[1] in value.partition("![")[0]


def test_hover_shows_no_picture_for_a_pointer_of_git_lfs(editor: Editor, project: Path) -> None:
    picture = project / "Assets/Sprites/Pointer.png"
    oid = "a" * 64
    picture.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 4096\n")
    meta = project / "Assets/Sprites/Pointer.png.meta"
    meta.write_text(f"fileFormatVersion: 2\nguid: {'4' * 32}\nTextureImporter:\n  serializedVersion: 11\n")
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(str(meta)), "type": 1}]})
    value = editor.at("hover", editor.open(meta), 1, 10)["contents"]["value"]
    assert "Pointer.png" in value
    assert "![thumbnail]" not in value


def test_hover_says_why_there_is_no_name(editor: Editor, project: Path) -> None:
    text = "--- !u!114 &5\nMonoBehaviour:\n  a: {fileID: 11500000, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
    text += f"  b: {{fileID: 77, guid: {BASE}, type: 3}}\n  c: {{fileID: 99}}\n"
    uri = editor.open(project / "Assets/Wrong.asset", text)
    assert editor.at("hover", uri, 2, 20)["contents"]["value"].startswith(
        "**missing-asset**: no asset or known package has this GUID"
    )
    assert editor.at("hover", uri, 3, 20)["contents"]["value"].startswith("**dangling**: the asset exists")
    assert editor.at("hover", uri, 4, 12)["contents"]["value"].startswith("**dangling**")


def test_inlay_hints_stand_behind_the_references_of_the_range_alone(editor: Editor, variant: Path) -> None:
    uri = editor.open(variant)
    wrapped = line_of(variant, "m_SourcePrefab")
    found = editor.hints(uri)
    assert [(hint["position"], hint["label"]) for hint in found] == [
        (position(line_of(variant, "- target:"), 77), "Base.prefab (GameObject)"),
        (position(wrapped + 1, 12), "Base.prefab"),
    ]
    assert editor.hints(uri, 0, 3) == []
    assert editor.hints(uri, wrapped + 1, wrapped + 1) == found[1:]
    assert editor.hints(uri, wrapped, wrapped) == [], "it ends in the next line"


def test_definition_leads_to_asset_object_and_script(editor: Editor, project: Path, variant: Path) -> None:
    uri = editor.open(variant)
    base = project / "Assets/Prefabs/Base.prefab"
    found = editor.at("definition", uri, line_of(variant, "- target:"), 20)[0]
    assert found["targetUri"] == uri_of(str(base))
    assert found["targetSelectionRange"]["start"] == position(line_of(base, "&1000"), 0)
    assert found["originSelectionRange"]["start"]["character"] == 14
    found = editor.at("definition", uri, line_of(variant, "m_SourcePrefab"), 20)[0]
    assert (found["targetUri"], found["targetRange"]["start"]) == (uri_of(str(base)), position(0, 0))
    settings = project / "Assets/Documents/Settings.asset"
    uri = editor.open(settings)
    found = editor.at("definition", uri, line_of(settings, "m_Script"), 30)[0]
    assert found["targetUri"].endswith(".cs")


def test_definition_leads_to_an_object_of_the_same_text(editor: Editor, project: Path) -> None:
    scene = project / "Assets/Scenes/Main.unity"
    uri = editor.open(scene)
    found = editor.at("definition", uri, line_of(scene, "m_GameObject: {fileID: 500}"), 25)[0]
    assert (found["targetUri"], found["targetRange"]["start"]) == (uri, position(line_of(scene, "&500"), 0))


def test_definition_is_a_location_for_clients_that_know_no_links(project: Path, variant: Path) -> None:
    with editing(project, capabilities={}) as editor:
        uri = editor.open(variant)
        found = editor.at("definition", uri, line_of(variant, "- target:"), 20)[0]
        assert found["uri"] == uri_of(str(project / "Assets/Prefabs/Base.prefab"))
        assert editor.at("hover", uri, line_of(variant, "- target:"), 20)["contents"]["kind"] == "plaintext"
        assert {"name", "kind", "location"} <= editor.of("documentSymbol", uri)[0].keys()


def test_document_symbols_are_the_hierarchy(editor: Editor, project: Path) -> None:
    def shape(items: list[dict[str, Any]]) -> list[Any]:
        return [(item["name"], item.get("detail", ""), shape(item.get("children", []))) for item in items]

    text = (
        "--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {fileID: 11}\n  - component: {fileID: 12}\n"
        "  m_Name: Root\n--- !u!4 &11\nTransform:\n  m_GameObject: {fileID: 10}\n  m_Father: {fileID: 0}\n"
        "--- !u!114 &12\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n"
        f"  m_Script: {{fileID: 11500000, guid: {ITEM}, type: 3}}\n  m_Name: \n"
        "--- !u!1 &20\nGameObject:\n  m_Component:\n  - component: {fileID: 21}\n  m_Name: Child\n"
        "--- !u!4 &21\nTransform:\n  m_GameObject: {fileID: 20}\n  m_Father: {fileID: 11}\n"
        "--- !u!1001 &30\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 21}\n"
        f"    m_Modifications:\n    - target: {{fileID: 1000, guid: {BASE}, type: 3}}\n"
        "      propertyPath: m_IsActive\n      value: 0\n      objectReference: {fileID: 0}\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {BASE}, type: 3}}\n"
    )
    uri = editor.open(project / "Assets/Tree.prefab", text)
    found = editor.of("documentSymbol", uri)
    instance = ("Base", "PrefabInstance", [("m_IsActive", "0", [])])
    child = ("Child", "GameObject", [("Transform", "", []), instance])
    assert shape(found) == [("Root", "GameObject", [("Transform", "", []), ("Item", "MonoBehaviour", []), child])]
    assert found[0]["selectionRange"] == {"start": position(0, 0), "end": position(0, 12)}


@pytest.mark.parametrize("path", ["Assets/Prefabs/Nested.prefab", "Assets/Scenes/Main.unity"])
def test_document_symbols_are_the_objects_of_ls(editor: Editor, project: Path, path: str) -> None:
    def objects(items: list[dict[str, Any]], depth: int = 0) -> list[tuple[int, str]]:
        rows = []
        for item in items:
            if item.get("detail") in ("GameObject", "PrefabInstance"):
                rows += [(depth, item["name"]), *objects(item.get("children", []), depth + 1)]
        return rows

    content = TextObjects((project / path).read_bytes())
    nodes = list(Hierarchy(lambda _: content, "").nodes(nested=False))
    stems = {
        node.places: location.stem
        for node in nodes
        for location in (project / "Assets").rglob("*.prefab")
        if node.places and node.places in location.with_name(f"{location.name}.meta").read_text("utf-8")
    }
    listed = [(node.depth, node.name or stems[node.places]) for node in nodes]
    assert listed
    assert objects(editor.of("documentSymbol", editor.open(project / path))) == listed


def test_of_symbols_that_hang_below_themselves_one_is_a_root(editor: Editor, project: Path) -> None:
    text = "".join(
        f"--- !u!1 &{n}\nGameObject:\n  m_Component:\n  - component: {{fileID: {n + 1}}}\n  m_Name: N{n}\n"
        f"--- !u!4 &{n + 1}\nTransform:\n  m_GameObject: {{fileID: {n}}}\n  m_Father: {{fileID: {father}}}\n"
        for n, father in ((10, 21), (20, 11), (0, 1), (30, 31))
    )
    found = editor.of("documentSymbol", editor.open(project / "Assets/Circle.prefab", text))
    below = {item["name"]: {child["name"] for child in item.get("children", [])} for item in found}
    assert {"N20", "N0", "N30"} <= below.keys()
    assert "N10" in below["N20"]


def test_symbols_of_a_deep_hierarchy_come(editor: Editor, project: Path) -> None:
    text = "".join(
        f"--- !u!1 &{n}\nGameObject:\n  m_Component:\n  - component: {{fileID: {n + 1}}}\n  m_Name: N{n}\n"
        f"--- !u!4 &{n + 1}\nTransform:\n  m_GameObject: {{fileID: {n}}}\n"
        f"  m_Father: {{fileID: {n - 1 if n > 10 else 0}}}\n"
        for n in range(10, 4010, 2)
    )
    found = editor.of("documentSymbol", editor.open(project / "Assets/Deep.prefab", text))
    count, waiting = 0, list(found)
    while waiting:
        item = waiting.pop()
        count += 1
        waiting += item.get("children", [])
    assert count == 4000


def test_workspace_symbols_are_what_find_finds(editor: Editor, project: Path) -> None:
    found = editor.ask("workspace/symbol", {"query": "item"})
    assert ("Item", uri_of(str(project / "Assets/Scripts/Item.cs"))) in {
        (item["name"], item["location"]["uri"]) for item in found
    }
    assert editor.ask("workspace/symbol", {"query": "no such name anywhere"}) == []


def test_completion_offers_assets_by_name_inside_guid(editor: Editor, project: Path) -> None:
    text = "--- !u!114 &5\nMonoBehaviour:\n  a: {fileID: 1, guid: bas, type: 3}\n  b: base\n"
    uri = editor.open(project / "Assets/New.asset", text)
    found = editor.at("completion", uri, 2, text.split("\n")[2].index("bas") + 3)
    item = next(item for item in found["items"] if item["label"] == "Base.prefab")
    assert item["textEdit"]["newText"] == BASE
    start = text.split("\n")[2].index("bas")
    assert item["textEdit"]["range"] == {"start": position(2, start), "end": position(2, start + 3)}
    assert editor.at("completion", uri, 3, 8) is None
    meta = project / "Assets/Scripts/Item.cs.meta"
    assert editor.at("completion", editor.open(meta), line_of(meta, "guid:"), 8) is None, "its own GUID is no choice"


def test_rename_is_refused_with_the_reason(editor: Editor, variant: Path) -> None:
    at = {"textDocument": {"uri": editor.open(variant)}, "position": position(3, 3)}
    for method, params in (("prepareRename", at), ("rename", {**at, "newName": "x"})):
        error = editor.error(f"textDocument/{method}", params)
        assert error["code"] == -32803
        assert "together with its .meta" in error["message"]


@pytest.mark.parametrize(
    ("name", "line", "title"),
    [
        ("Assets/Scripts/Item.cs", "class Item", "7 usages, 2 files unread"),
        ("Assets/Scripts/Item.cs.meta", "guid:", "7 usages, 2 files unread"),
        ("Assets/Prefabs/Base.prefab", "--- !u!1 &", "2 usages, 2 files unread"),
        ("Assets/Scenes/Main.unity", "--- !u!29", "no usages, 2 files unread"),
    ],
)
def test_code_lenses_count_usages_when_they_are_seen(
    editor: Editor, project: Path, name: str, line: str, title: str
) -> None:
    uri = editor.open(project / name)
    (lens,) = editor.of("codeLens", uri)
    assert "command" not in lens
    assert lens["range"]["start"] == position(line_of(project / name, line), 0)
    resolved = editor.ask("codeLens/resolve", lens)
    assert resolved["command"]["title"] == title
    command = {"command": resolved["command"]["command"], "arguments": resolved["command"]["arguments"]}
    assert len({place["uri"] for place in editor.ask("workspace/executeCommand", command)}) == int(
        title.replace("no", "0").split()[0]
    )


@pytest.mark.parametrize("more", [["field"], ["method"], ["field", ""], ["class", "Item"]])
def test_a_command_without_the_name_of_a_field_finds_all_usages(editor: Editor, project: Path, more: list[str]) -> None:
    uri = editor.open(project / "Assets/Scripts/Item.cs")
    every = editor.ask("workspace/executeCommand", {"command": "assetdb.usages", "arguments": [uri, ITEM]})
    assert every
    asked = {"command": "assetdb.usages", "arguments": [uri, ITEM, *more]}
    assert editor.ask("workspace/executeCommand", asked) == every


def test_findings_are_published_when_a_document_is_opened_and_saved(editor: Editor, project: Path) -> None:
    path = project / "Assets/Found.asset"
    text = f"{HEAD}--- !u!114 &5\nMonoBehaviour:\n  a: {{fileID: 1, guid: 0123456789abcdef0123456789abcdef, type: 3}}\n"
    uri = editor.open(path, text)
    found = editor.wait_for("textDocument/publishDiagnostics", uri=uri)
    assert found["version"] == 1
    (finding,) = found["diagnostics"]
    assert (finding["code"], finding["severity"], finding["source"]) == ("missing-asset", 1, "assetdb")
    start = text.split("\n")[4].index("0123")
    assert finding["range"] == {"start": position(4, start), "end": position(4, start + 32)}
    editor.change(uri, 2, (4, start, 4, start + 32, ITEM), (4, 14, 4, 15, "11500000"))
    editor.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert editor.wait_for("textDocument/publishDiagnostics", uri=uri, version=2)["diagnostics"] == []
    editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert editor.wait_for("textDocument/publishDiagnostics", uri=uri)["diagnostics"] == []


def test_findings_of_the_file_and_their_fixes(tmp_path: Path) -> None:
    root = tmp_path / "project"
    copy_fixture(root)
    (root / "assetdb.toml").write_text('[check.severity]\nmissing-asset = "note"\n')
    path = root / "Assets/Unregistered.asset"
    text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n"
    text += "  a: {fileID: 1, guid: 0123456789abcdef0123456789abcdef, type: 3}\n"
    path.write_text(text)
    with editing(root) as editor:
        uri = editor.open(path)
        found = editor.wait_for("textDocument/publishDiagnostics", uri=uri)["diagnostics"]
        assert {(item["code"], item["severity"]) for item in found} == {("missing-asset", 3), ("missing-meta", 1)}
        span = {"start": position(0, 0), "end": position(0, 0)}
        asked = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": found}}
        (action,) = editor.ask("textDocument/codeAction", asked)
        assert action["kind"] == "quickfix"
        assert action["diagnostics"][0]["code"] == "missing-meta"
        assert not path.with_name(f"{path.name}.meta").exists()
        command = {"command": action["command"]["command"], "arguments": action["command"]["arguments"]}
        editor.told.clear()
        assert editor.ask("workspace/executeCommand", command) == ["Assets/Unregistered.asset.meta"]
        assert path.with_name(f"{path.name}.meta").exists()
        found = editor.wait_for("textDocument/publishDiagnostics", uri=uri)["diagnostics"]
        assert [item["code"] for item in found] == ["missing-asset"]
        assert editor.ask("textDocument/codeAction", asked) == []
        assert editor.ask("workspace/executeCommand", command) == []


def test_assets_of_packages_are_where_they_are_and_assemblies_are_offered_behind_many_assets(tmp_path: Path) -> None:
    root = tmp_path / "P"
    (root / "ProjectSettings").mkdir(parents=True)
    (root / "Packages").mkdir()
    (root / "Packages/manifest.json").write_text('{"dependencies": {"com.acme.tools": "1.0.0"}}')
    package = root / "Library/PackageCache/com.acme.tools@1.0.0"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    write(package, "Runtime/Hammer.mat", 1, "")
    for number in range(1001):
        write(root, f"Assets/A/{number}.txt", 10 + number, "")
    for number, name in ((2, "One"), (3, "Two")):
        write(root, f"Assets/{name}.asmdef", number, f'{{"name": "{name}", "references": ["GUID:"]}}')
    with editing(root) as editor:
        (found,) = editor.ask("workspace/symbol", {"query": "hammer"})
        assert found["location"]["uri"] == uri_of(str(package / "Runtime/Hammer.mat"))
        uri = editor.open(root / "Assets/One.asmdef")
        behind = (root / "Assets/One.asmdef").read_text().index('"]')
        offered = editor.at("completion", uri, 0, behind)["items"]
        assert [item["label"] for item in offered] == ["One.asmdef", "Two.asmdef"]


def test_documents_and_their_keys_are_folded(editor: Editor, project: Path) -> None:
    scene = project / "Assets/Scenes/Main.unity"
    found = editor.of("foldingRange", editor.open(scene))
    heads = {item["startLine"]: item for item in found if item.get("kind") == "region"}
    head = heads[line_of(scene, "&500")]
    assert head["endLine"] == line_of(scene, "&501") - 1
    assert head["collapsedText"] == "GameObject Camera"
    assert any(item["startLine"] == line_of(scene, "m_Component:") for item in found)


def test_other_forms_of_references_have_names(editor: Editor, project: Path) -> None:
    path = project / "Assets/Other.asmdef"
    text = f'{{\n  "references": [\n    "GUID:{ITEM}"\n  ]\n}}\n'
    uri = editor.open(path, text)
    assert [hint["label"] for hint in editor.hints(uri)] == ["Item.cs"]
    assert "Item.cs" in editor.at("hover", uri, 2, 20)["contents"]["value"]
    uri = editor.open(project / "Assets/Scripts/Item.cs")
    assert editor.hints(uri) is None
    assert editor.at("hover", uri, 0, 0) is None


def test_names_with_a_number_sign_are_whole_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"Button #{number}" for number in range(1, 6)]
    rows = "".join(f"  - {{fileID: {10 * number + 1}}}\n" for number in range(1, 6))
    text = game_object(900, "Panel").replace("  m_Father", f"  m_Children:\n{rows}  m_Father")
    text += "".join(game_object(10 * number, name, 901) for number, name in enumerate(names, 1))
    (tmp_path / "ProjectSettings").mkdir()
    write(tmp_path, "Assets/Menu.unity", 1, HEAD + text)
    monkeypatch.chdir(tmp_path)
    assert main(["ls", "Assets/Menu.unity"]) == 0
    listed = capsys.readouterr().out
    assert main(["find", "Button*", "--in", "Assets/Menu.unity"]) == 0
    found = capsys.readouterr().out
    for name in names:
        assert f"{name} " in listed
        assert f"Panel / {name} " in found
    with editing(tmp_path) as editor:
        scene = tmp_path / "Assets/Menu.unity"
        uri = editor.open(scene)
        for number, name in enumerate(names, 1):
            assert main(["name", f"Menu.unity / Panel / {name}"]) == 0
            assert f"Menu.unity / Panel / {name} (GameObject)" in capsys.readouterr().out
            for line, character in ((f"--- !u!1 &{number}0", 6), (f"m_GameObject: {{fileID: {number}0}}", 25)):
                value = editor.at("hover", uri, line_of(scene, line), character)["contents"]["value"]
                assert value.startswith(f"**Panel / {name} (GameObject)**")
