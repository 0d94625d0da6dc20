"""Highlights, links and selection ranges, over pipes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.lsp.editor import position
from tests.assetdb.lsp.test_features import BASE, ITEM, line_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.assetdb.lsp.editor import Editor

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
TEXT = (
    f"{HEAD}--- !u!1 &100\nGameObject:\n  m_Component:\n"
    "  - component: {fileID: 200}\n  - component: {fileID: 300}\n"
    f"--- !u!114 &200\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n"
    f"  m_Script: {{fileID: 11500000, guid: {ITEM}, type: 3}}\n"
    f"--- !u!114 &300\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n"
    f"  m_Script: {{fileID: 11500000, guid: {ITEM.upper()},\n    type: 3}}\n"
    f"  other: {{fileID: 5, guid: {BASE}, type: 3}}\n"
)


def places(found: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return [(item["range"]["start"]["line"], item["kind"]) for item in found]


def test_the_same_script_is_highlighted(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "Assets/Two.prefab", TEXT)
    for line, character in ((10, 20), (10, 50), (14, 20)):
        assert places(editor.at("documentHighlight", uri, line, character)) == [(10, 2), (14, 2)]
    assert places(editor.at("documentHighlight", uri, 16, 30)) == [(16, 2)]


def test_an_object_is_highlighted_with_what_refers_to_it(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "Assets/Two.prefab", TEXT)
    for line, character in ((2, 5), (9, 20), (13, 25)):
        assert places(editor.at("documentHighlight", uri, line, character)) == [(2, 3), (9, 2), (13, 2)]
    assert editor.at("documentHighlight", uri, 3, 3) is None
    assert editor.at("documentHighlight", uri, 900, 3) is None


def test_a_script_that_a_large_scene_has_often_is_highlighted_around_the_cursor(editor: Editor, project: Path) -> None:
    row = f"--- !u!114 &{{}}\nMonoBehaviour:\n  m_Script: {{{{fileID: 11500000, guid: {ITEM}, type: 3}}}}\n"
    text = HEAD + "".join(row.format(number) for number in range(1, 6001))
    uri = editor.open(project / "Assets/Large.unity", text)
    line = 2 + 3 * 5000 + 2
    found = editor.at("documentHighlight", uri, line, 40)
    assert len(found) == 2000
    assert line in [item["range"]["start"]["line"] for item in found]


def test_each_guid_is_a_link_to_its_file(editor: Editor, project: Path) -> None:
    variant = project / "Assets/Prefabs/Variant.prefab"
    found = editor.of("documentLink", editor.open(variant))
    line = line_of(variant, "- target:")
    link = next(item for item in found if item["range"]["start"]["line"] == line)
    text = variant.read_text("utf-8").split("\n")[line]
    assert text[link["range"]["start"]["character"] : link["range"]["end"]["character"]] == BASE
    assert "target" not in link
    resolved = editor.ask("documentLink/resolve", link)
    assert resolved["target"] == uri_of(str(project / "Assets/Prefabs/Base.prefab"))
    assert resolved["tooltip"] == "Assets/Prefabs/Base.prefab"


def test_a_link_to_nothing_has_no_target(editor: Editor, project: Path) -> None:
    text = TEXT.replace(BASE, "0123456789abcdef" * 2)
    link = editor.of("documentLink", editor.open(project / "Assets/Two.prefab", text))[-1]
    assert "target" not in editor.ask("documentLink/resolve", link)
    link["data"]["guid"] = "../../x"
    assert "target" not in editor.ask("documentLink/resolve", link)
    link["data"]["uri"] = "untitled:1"
    assert "target" not in editor.ask("documentLink/resolve", link)


def test_documents_in_no_project_and_large_ones_have_no_links(editor: Editor, project: Path, tmp_path: Path) -> None:
    assert editor.of("documentLink", editor.open(tmp_path / "a.prefab", TEXT)) is None
    assert editor.of("documentLink", editor.open(project / "Assets/L.unity", TEXT + "x: y\n" * 500_000)) is None


def chain(found: dict[str, Any] | None, text: str) -> list[str]:
    """Return the texts of a chain of selection ranges."""
    lines = text.split("\n")
    seen = []
    while found is not None:
        start, end = found["range"]["start"], found["range"]["end"]
        inside = lines[start["line"] : end["line"] + 1]
        inside[-1] = inside[-1][: end["character"]]
        inside[0] = inside[0][start["character"] :]
        seen.append("\n".join(inside))
        found = found.get("parent")
    return seen


def test_a_selection_grows_from_the_value_to_the_document(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "Assets/Two.prefab", TEXT)
    asked = {"textDocument": {"uri": uri}, "positions": [position(5, 24), position(0, 0), position(99, 9)]}
    value, first, last = editor.ask("textDocument/selectionRange", asked)
    objects = TEXT.split("--- ")
    assert chain(value, TEXT) == [
        "200",
        "{fileID: 200}",
        "- component: {fileID: 200}",
        "  - component: {fileID: 200}",
        "  m_Component:\n  - component: {fileID: 200}\n  - component: {fileID: 300}",
        "GameObject:\n  m_Component:\n  - component: {fileID: 200}\n  - component: {fileID: 300}",
        "--- " + objects[1].removesuffix("\n"),
        TEXT,
    ]
    assert chain(first, TEXT)[-1] == TEXT
    assert chain(last, TEXT)[-1] == TEXT


def test_depth_of_data_is_not_depth_of_a_selection(editor: Editor, project: Path) -> None:
    deep = "".join(f"{' ' * depth}k:\n" for depth in range(3000))
    text = f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n{deep}"
    uri = editor.open(project / "Assets/Deep.asset", text)
    asked = {"textDocument": {"uri": uri}, "positions": [position(3003, 2999)]}
    (found,) = editor.ask("textDocument/selectionRange", asked)
    assert 10 < len(chain(found, text)) < 70


def test_each_range_of_a_selection_holds_the_one_before(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "Assets/Two.prefab", TEXT)
    spots = [position(line, character) for line in range(18) for character in (0, 3, 17, 60)]
    for found in editor.ask("textDocument/selectionRange", {"textDocument": {"uri": uri}, "positions": spots}):
        texts = chain(found, TEXT)
        assert all(inner in outer and len(inner) < len(outer) for inner, outer in pairwise(texts))
