"""Files that the editor moves or deletes, and documents of revisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.lsp.protocol.uris import place_of, uri_of
from scripts.fixture import copy_fixture
from tests.assetdb.lsp.editor import EVERYTHING, Editor, editing, position
from tests.assetdb.lsp.test_features import line_of
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCRIPT = f"fileID: 11500000, guid: {'a' * 32}, type: 3"
MOVING: dict[str, Any] = EVERYTHING | {
    "workspace": {
        "applyEdit": True,
        "fileOperations": {"willRename": True, "willDelete": True, "didRename": True, "didDelete": True},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
    }
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "Game"
    copy_fixture(found)
    return found


@pytest.fixture
def mover(root: Path) -> Iterator[Editor]:
    with editing(root, capabilities=MOVING) as found:
        yield found


def renamed(editor: Editor, *pairs: tuple[Path, Path]) -> list[tuple[str, str]]:
    files = [{"oldUri": uri_of(str(old)), "newUri": uri_of(str(new))} for old, new in pairs]
    found = editor.ask("workspace/willRenameFiles", {"files": files})
    changes = found["documentChanges"] if found else []
    assert {change["kind"] for change in changes} <= {"rename"}
    return [(change["oldUri"], change["newUri"]) for change in changes]


def deleted(editor: Editor, *paths: Path) -> list[str]:
    found = editor.ask("workspace/willDeleteFiles", {"files": [{"uri": uri_of(str(path))} for path in paths]})
    return [change["uri"] for change in found["documentChanges"]] if found else []


def test_what_is_told_is_what_the_editor_can_do(root: Path) -> None:
    with Editor() as editor:
        said = editor.initialize(root, capabilities=MOVING)["capabilities"]["workspace"]["fileOperations"]
        assert set(said) == {"willRename", "willDelete", "didRename", "didDelete"}
        assert editor.quit() == 0
    with Editor() as editor:
        assert "fileOperations" not in editor.initialize(root)["capabilities"]["workspace"]
        assert editor.quit() == 0


def test_a_meta_goes_with_its_file_or_folder(mover: Editor, root: Path) -> None:
    prefab, folder = root / "Assets/Prefabs/Base.prefab", root / "Assets/Prefabs"
    meta, to = prefab.with_name("Base.prefab.meta"), root / "Assets/Böse.prefab"
    assert renamed(mover, (prefab, to)) == [(uri_of(str(meta)), uri_of(f"{to}.meta"))]
    assert renamed(mover, (folder, root / "Assets/New")) == [
        (uri_of(f"{folder}.meta"), uri_of(f"{root}/Assets/New.meta"))
    ]
    assert renamed(mover, (prefab, to), (meta, to.with_name("Böse.prefab.meta"))) == [], "the user takes it along"
    assert renamed(mover, (meta, root / "Assets/x.meta")) == []
    to.with_name("Böse.prefab.meta").write_text("guid: 1\n")
    assert renamed(mover, (prefab, to)) == [], "that one would be lost"
    assert renamed(mover, (root / "ProjectSettings/ProjectVersion.txt", root / "x.txt")) == []
    assert renamed(mover, (root / "Assets/nothing.mat", root / "Assets/x.mat")) == []


def test_a_meta_goes_with_its_file_in_a_repository_that_is_a_package(tmp_path: Path) -> None:
    root = tmp_path / "Tools"
    (root / "Runtime").mkdir(parents=True)
    (root / "package.json").write_text('{"name": "com.acme.tools"}')
    (root / "Runtime/Door.cs").write_text("class Door {}")
    (root / "Runtime/Door.cs.meta").write_text(f"fileFormatVersion: 2\nguid: {'a' * 32}\n")
    (root / "Runtime/Hall.prefab").write_text(f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n  m_Script: {{{SCRIPT}}}\n")
    (root / "Runtime/Hall.prefab.meta").write_text(f"fileFormatVersion: 2\nguid: {'b' * 32}\n")
    old, new = root / "Runtime/Door.cs", root / "Runtime/Gate.cs"
    with editing(root, capabilities=MOVING) as mover:
        assert renamed(mover, (old, new)) == [(uri_of(f"{old}.meta"), uri_of(f"{new}.meta"))]
        assert deleted(mover, old) == [uri_of(f"{old}.meta")]
        said = mover.wait_for("window/showMessage")["message"]
        assert said.startswith("1 file refers to Door.cs: Packages/com.acme.tools/Runtime/Hall.prefab.")


def test_what_is_deleted_goes_with_its_meta_and_who_breaks_is_said(mover: Editor, root: Path) -> None:
    prefab = root / "Assets/Prefabs/Base.prefab"
    assert deleted(mover, prefab) == [uri_of(f"{prefab}.meta")]
    said = mover.wait_for("window/showMessage")
    assert said["type"] == 2
    assert "refer to Base.prefab: " in said["message"] or "refers to Base.prefab: " in said["message"]
    assert "Assets/Prefabs/Variant.prefab" in said["message"]
    scene = root / "Assets/Scenes/Main.unity"
    assert deleted(mover, scene, scene.with_name("Main.unity.meta")) == []
    assert deleted(mover, root / "ProjectSettings") == []
    assert deleted(mover) == []
    assert not [row for row in mover.told if row["method"] == "window/showMessage"]
    assert prefab.exists(), "the editor deletes"


def test_a_revision_of_a_file_has_names_and_no_findings(editor: Editor, project: Path) -> None:
    variant = project / "Assets/Prefabs/Variant.prefab"
    path = uri_of(str(variant)).removeprefix("file://")
    uri = f"git:{path}?%7B%22path%22%3A%22/x.cs%22%2C%22ref%22%3A%22HEAD%22%7D"
    item = {"uri": uri, "languageId": "unity-yaml", "version": 1, "text": variant.read_text("utf-8")}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    line = line_of(variant, "- target:")
    assert editor.at("hover", uri, line, 20)["contents"]["value"].startswith("**Base.prefab (GameObject)**")
    assert [hint["label"] for hint in editor.hints(uri)] == ["Base.prefab (GameObject)", "Base.prefab"]
    assert editor.of("codeLens", uri) is None
    span = {"start": position(0, 0), "end": position(0, 0)}
    asked = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": []}}
    assert editor.ask("textDocument/codeAction", asked) == []
    editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_places_of_uris() -> None:
    assert place_of("git:/a/b%20c.prefab?%7B%22ref%22%3A%22%22%7D") == "/a/b c.prefab"
    assert place_of("git:///a/b.prefab.git?x") == "/a/b.prefab"
    assert place_of("file:///a/b.git") == "/a/b.git"
    for uri in ("git:", "git:x", "untitled:1", "", "git://host", "git:/%00"):
        assert place_of(uri) == ""


def test_an_edit_that_takes_metas_along_says_so(root: Path) -> None:
    edits = {**MOVING["workspace"]["workspaceEdit"], "changeAnnotationSupport": {"groupsOnLabel": True}}
    able = MOVING | {"workspace": MOVING["workspace"] | {"workspaceEdit": edits}}
    base, other = root / "Assets/Prefabs/Base.prefab", root / "Assets/Prefabs/Other.prefab"
    with editing(root, capabilities=able) as editor:
        files = [{"oldUri": uri_of(str(base)), "newUri": uri_of(str(other))}]
        for method, params, label in (
            ("workspace/willRenameFiles", {"files": files}, "Move metas along (assetdb)"),
            ("workspace/willDeleteFiles", {"files": [{"uri": uri_of(str(base))}]}, "Delete metas along (assetdb)"),
        ):
            found = editor.ask(method, params)
            (change,) = found["documentChanges"]
            assert found["changeAnnotations"][change["annotationId"]] == {"label": label}


def moved(editor: Editor, old: Path, new: Path) -> None:
    files = [{"oldUri": uri_of(str(old)), "newUri": uri_of(str(new))}]
    editor.notify("workspace/didRenameFiles", {"files": files})


def test_metas_that_were_left_behind_are_offered_once_more(mover: Editor, root: Path) -> None:
    base, other = root / "Assets/Prefabs/Base.prefab", root / "Assets/Prefabs/Other.prefab"
    meta = uri_of(f"{base}.meta")
    mover.replies = {"window/showMessageRequest": {"title": "Move the Meta"}, "workspace/applyEdit": {"applied": True}}
    base.rename(other)
    moved(mover, base, other)
    said = mover.wait_for("window/showMessageRequest")
    assert said["message"].startswith("Other.prefab was moved without its meta: ")
    assert said["actions"] == [{"title": "Move the Meta"}]
    edit = mover.wait_for("workspace/applyEdit")["edit"]
    assert edit["documentChanges"] == [{"kind": "rename", "oldUri": meta, "newUri": uri_of(f"{other}.meta")}]

    mover.replies["window/showMessageRequest"] = {"title": "Delete the Meta"}
    mover.replies["workspace/applyEdit"] = {"applied": False, "failureReason": "it is locked"}
    other.unlink()
    mover.notify("workspace/didDeleteFiles", {"files": [{"uri": uri_of(str(base))}]})
    assert mover.wait_for("window/showMessageRequest")["message"] == "Base.prefab was deleted without its meta."
    assert mover.wait_for("workspace/applyEdit")["edit"]["documentChanges"] == [{"kind": "delete", "uri": meta}]
    assert "it is locked" in mover.wait_for("window/showMessage")["message"]


def test_metas_that_went_along_or_whose_asset_stayed_are_not_offered(mover: Editor, root: Path) -> None:
    base, other = root / "Assets/Prefabs/Base.prefab", root / "Assets/Prefabs/Other.prefab"
    moved(mover, base, other)  # it is still there: the move failed
    mover.notify("workspace/didDeleteFiles", {"files": [{"uri": uri_of(str(base))}]})
    base.rename(other)
    (root / "Assets/Prefabs/Base.prefab.meta").rename(root / "Assets/Prefabs/Other.prefab.meta")
    moved(mover, base, other)
    mover.notify("workspace/didRenameFiles", {"files": [{"oldUri": "untitled:1", "newUri": "file:///%00"}]})
    mover.send({"id": "assetdb 1", "result": {"title": 7}})  # an answer to nothing
    assert renamed(mover, (other, base)), "it answers on"
    assert not [row for row in mover.told if row["method"] == "window/showMessageRequest"]


@pytest.mark.parametrize("reply", [None, {"title": "Something else"}, {"title": 7}, [], "Move the Meta"])
def test_an_offer_that_is_not_taken_changes_nothing(mover: Editor, root: Path, reply: object) -> None:
    base, other = root / "Assets/Prefabs/Base.prefab", root / "Assets/Prefabs/Other.prefab"
    mover.replies = {"window/showMessageRequest": reply}
    base.rename(other)
    moved(mover, base, other)
    assert mover.wait_for("window/showMessageRequest")
    assert renamed(mover, (base, root / "Assets/third.prefab")), "it answers on"
    assert not [row for row in mover.told if row["method"] == "workspace/applyEdit"]
