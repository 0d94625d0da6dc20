"""Findings that a client asks for: of a document, and of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.lsp.protocol.uris import uri_of
from scripts.fixture import copy_fixture
from tests.assetdb.lsp.editor import EVERYTHING, PULLING, Editor, editing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.system.watch.daemons import Project

GONE = "0123456789abcdef0123456789abcdef"
TEXT = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n"
BROKEN = f"{TEXT}  a: {{fileID: 1, guid: {GONE}, type: 3}}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "Game"
    copy_fixture(found)
    return found


@pytest.fixture
def pulling(root: Path) -> Iterator[Editor]:
    with editing(root, capabilities=PULLING) as found:
        yield found


def whole(editor: Editor, known: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Ask for the findings of the workspace; return them by URI."""
    previous = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
    found = editor.ask("workspace/diagnostic", {"previousResultIds": previous})
    return {item["uri"]: item for item in found["items"]}


def codes(report: dict[str, Any]) -> list[str]:
    return sorted(item["code"] for item in report["items"])


@pytest.mark.parametrize(
    ("gone", "user", "code", "message"),
    [
        (
            *("Assets/Scripts/Item.cs", "Assets/Documents/Settings.asset", "missing-script"),
            "its script Assets/Scripts/Item.cs is not there, its meta is",
        ),
        (
            *("Assets/Prefabs/Base.prefab", "Assets/Prefabs/Variant.prefab", "target-absent"),
            "Base.prefab: the file, or a file that it nests, is absent or empty",
        ),
    ],
)
def test_an_asset_that_left_its_meta_is_missed(root: Path, gone: str, user: str, code: str, message: str) -> None:
    (root / gone).unlink()
    with editing(root, capabilities=PULLING) as editor:
        found = editor.of("diagnostic", editor.open(root / user))["items"]
    assert code in {item["code"] for item in found}
    assert any(message in item["message"] for item in found)


def test_they_are_asked_for_or_sent_and_not_both(root: Path) -> None:
    path = root / "Assets/Found.asset"
    with Editor() as editor:
        said = editor.initialize(root, capabilities=PULLING)["capabilities"]["diagnosticProvider"]
        assert (said["interFileDependencies"], said["workspaceDiagnostics"]) == (True, True)
        uri = editor.open(path, BROKEN)
        assert "missing-asset" in codes(editor.of("diagnostic", uri))
        editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert editor.of("diagnostic", uri)["items"] == []
        assert editor.quit() == 0
        assert "textDocument/publishDiagnostics" not in {message["method"] for message in editor.told}
    with Editor() as editor:
        assert "diagnosticProvider" not in editor.initialize(root, capabilities=EVERYTHING)["capabilities"]
        editor.wait_for("textDocument/publishDiagnostics", uri=editor.open(path, BROKEN))
        assert editor.quit() == 0


def test_those_of_a_document_follow_its_text(pulling: Editor, root: Path) -> None:
    uri = pulling.open(root / "Assets/Found.asset", BROKEN)
    first = pulling.of("diagnostic", uri)
    assert first["kind"] == "full"
    again = pulling.ask(
        "textDocument/diagnostic", {"textDocument": {"uri": uri}, "previousResultId": first["resultId"]}
    )
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}
    pulling.change(uri, 2, (4, 0, 5, 0, ""))
    later = pulling.ask(
        "textDocument/diagnostic", {"textDocument": {"uri": uri}, "previousResultId": first["resultId"]}
    )
    assert later["kind"] == "full"
    assert "missing-asset" not in codes(later)


def test_a_document_in_no_project_has_none(pulling: Editor, tmp_path: Path) -> None:
    found = pulling.of("diagnostic", pulling.open(tmp_path / "elsewhere" / "a.asset", BROKEN))
    assert (found["kind"], found["items"]) == ("full", [])


def test_those_of_the_workspace_are_of_files_that_nobody_opened(pulling: Editor, root: Path) -> None:
    path = root / "Assets/Found.asset"
    path.write_text(BROKEN)
    found = whole(pulling)
    report = found[uri_of(str(path))]
    assert codes(report) == ["missing-asset", "missing-meta"]
    assert (report["kind"], report["version"]) == ("full", None)
    (place,) = [item["range"] for item in report["items"] if item["code"] == "missing-asset"]
    assert place["start"] == {"line": 4, "character": 0}
    ids = {uri: item["resultId"] for uri, item in found.items()}
    again = whole(pulling, ids)
    assert again.keys() == found.keys()
    assert {item["kind"] for item in again.values()} == {"unchanged"}


def test_a_folder_that_comes_and_goes_at_once_stays(pulling: Editor, root: Path) -> None:
    folder = {"uri": uri_of(str(root)), "name": "Game"}
    pulling.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": [folder]}})
    assert whole(pulling)
    pulling.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    assert whole(pulling) == {}


def test_what_is_mended_is_taken_back(pulling: Editor, root: Path) -> None:
    path = root / "Assets/Found.asset"
    path.write_text(BROKEN)
    uri = uri_of(str(path))
    pulling.of("diagnostic", pulling.open(path))  # a document of the project is open: its changes are followed
    ids = {uri: item["resultId"] for uri, item in whole(pulling).items()}
    path.unlink()
    pulling.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
    pulling.wait_for("workspace/diagnostic/refresh")
    report = whole(pulling, ids)[uri]
    assert (report["kind"], report["items"]) == ("full", [])
    ids[uri] = report["resultId"]
    assert uri not in whole(pulling, ids)


def test_a_daemon_tells_of_changes_in_projects_without_an_open_document(made: Project) -> None:
    made.start()
    with editing(made.root, capabilities=PULLING) as editor:
        whole(editor)
        editor.wait_for("workspace/diagnostic/refresh")
        path = made.root / "Assets/Found.asset"
        path.write_text(BROKEN)
        while uri_of(str(path)) not in whole(editor):
            editor.wait_for("workspace/diagnostic/refresh")


def test_a_workspace_without_projects_has_none(tmp_path: Path) -> None:
    with editing(tmp_path, capabilities=PULLING) as editor:
        assert whole(editor) == {}
        assert whole(editor, {"file:///gone.asset": "an id"})["file:///gone.asset"]["items"] == []


def test_a_finding_names_the_object_and_property_of_its_own_file(root: Path) -> None:
    file = root / "Assets/Panel.prefab"
    text = f"""--- !u!1 &1
GameObject:
  m_Component:
  - component: {{fileID: 2}}
  m_Name: Panel
--- !u!23 &2
MeshRenderer:
  m_GameObject: {{fileID: 1}}
  m_Materials:
  - {{fileID: 1, guid: {GONE}, type: 3}}
"""
    text = TEXT.partition("--- ")[0] + text
    file.write_text(text)
    (root / "Assets/Panel.prefab.meta").write_text(f"fileFormatVersion: 2\nguid: {'5' * 32}\n")
    with editing(root, capabilities=PULLING) as editor:
        uri = editor.open(file)
        opened = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        unopened = whole(editor)[uri]["items"]
    for items in (opened, unopened):
        (message,) = (item["message"] for item in items if item["code"] == "missing-asset")
        assert message.startswith("Panel (MeshRenderer): m_Materials[0]: ")


def test_an_object_without_a_name_is_named_by_its_class_as_check_names_it(root: Path) -> None:
    """The skybox of a scene of Mirror: the message began with a space."""
    file = root / "Assets/Sky.unity"
    sky = f"--- !u!104 &2\nRenderSettings:\n  m_SkyboxMaterial: {{fileID: 2100000, guid: {GONE}, type: 2}}\n"
    file.write_text(TEXT.partition("--- ")[0] + sky)
    (root / "Assets/Sky.unity.meta").write_text(f"fileFormatVersion: 2\nguid: {'6' * 32}\n")
    with editing(root, capabilities=PULLING) as editor:
        uri = editor.open(file)
        opened = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        unopened = whole(editor)[uri]["items"]
    for items in (opened, unopened):
        (message,) = (item["message"] for item in items if item["code"] == "missing-asset")
        assert message.startswith("RenderSettings &2: m_SkyboxMaterial: ")
