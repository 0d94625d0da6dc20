"""References across the project, over pipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.lsp.test_features import BASE, line_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor


def test_references_are_usages_down_to_the_line(editor: Editor, project: Path) -> None:
    variant = project / "Assets/Prefabs/Variant.prefab"
    uri = editor.open(variant)
    line = line_of(variant, "- target:")
    found = editor.at("references", uri, line, 20, context={"includeDeclaration": False})
    nested = project / "Assets/Prefabs/Nested.prefab"
    assert {(item["uri"], item["range"]["start"]["line"]) for item in found} == {
        (uri, line),
        (uri_of(str(nested)), line_of(nested, BASE)),
    }
    declared = editor.at("references", uri, line, 20, context={"includeDeclaration": True})
    assert len(declared) == len(found) + 1


def test_references_of_a_local_object_are_found_in_the_text(editor: Editor, project: Path) -> None:
    scene = project / "Assets/Scenes/Main.unity"
    uri = editor.open(scene)
    editor.change(uri, 2, (0, 0, 0, 0, "\n\n"))  # two lines more than on the disk
    found = editor.at("references", uri, line_of(scene, "&500") + 2, 6, context={"includeDeclaration": False})
    assert [(item["uri"], item["range"]["start"]["line"]) for item in found] == [
        (uri, line_of(scene, "m_GameObject: {fileID: 500}") + 2)
    ]


def test_references_of_a_script_say_that_they_are_looked_for(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "Assets/Scripts/Item.cs")
    more = {"context": {"includeDeclaration": False}, "workDoneToken": "usages 1"}
    found = editor.at("references", uri, 0, len("public class I"), **more)
    assert len({item["uri"] for item in found}) == 7
    kinds = [message["params"]["value"]["kind"] for message in editor.told if message["method"] == "$/progress"]
    if len(kinds) < 2:
        editor.wait_for("$/progress", value={"kind": "end"})
    assert kinds[0] == "begin"
