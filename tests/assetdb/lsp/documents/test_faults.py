"""An editor shows what Unity refuses in the text that is open, also before it is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.fixture import copy_fixture
from tests.assetdb.lsp.editor import PULLING, Editor, editing
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OBJECT = "--- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {fileID: 2}\n  m_Name: Door\n"
TRANSFORM = "--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Children: []\n  m_Father: {fileID: 0}\n"
SOUND = f"{HEAD}{OBJECT}{TRANSFORM}"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("faults") / "Game"
    copy_fixture(found)
    return found


@pytest.fixture(scope="module")
def editor(root: Path) -> Iterator[Editor]:
    with editing(root, capabilities=PULLING) as found:
        yield found


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("m_Name: Door", "m_Name: 'Door", [("broken-asset", 6)]),
        ("m_Name: Door", "m_Name: 'Door' two", [("doubtful-text", 6)]),
        ("m_GameObject: {fileID: 1}", "m_GameObject: {fileID: 9}", [("missing-object", 9)]),
        (OBJECT, OBJECT + OBJECT, [("duplicate-object", 7)]),
        ("  - component: {fileID: 2}\n", "  - component: {fileID: 2}\n" * 2, [("broken-hierarchy", 6)]),
        ("m_Name: Door", "m_Name: Door\n  a: {fileID: 5, guid: 0123, type: 3}", [("invalid-guid", 7)]),
        ("m_Name: Door", "m_Name: Gate", []),
    ],
)
def test_faults_of_the_open_text_are_findings(
    root: Path, editor: Editor, before: str, after: str, expected: list[tuple[str, int]]
) -> None:
    uri = editor.open(root / "Assets/Faults.prefab", SOUND.replace(before, after, 1))
    items = editor.of("diagnostic", uri)["items"]
    assert [(item["code"], item["range"]["start"]["line"]) for item in items] == expected
    editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_a_file_without_objects_has_the_faults_that_were_saved(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    copy_fixture(root)
    path = root / "Assets/Faults.shadergraph"
    path.write_text('{"m_Name": "a",')
    (root / "Assets/Faults.shadergraph.meta").write_text(f"fileFormatVersion: 2\nguid: {'d' * 32}\n")
    with editing(root, capabilities=PULLING) as editor:
        assert [item["code"] for item in editor.of("diagnostic", editor.open(path))["items"]] == ["broken-asset"]
