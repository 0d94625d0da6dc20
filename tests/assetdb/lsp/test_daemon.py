"""The server beside a daemon: what others change is shown at once, and a daemon that ends is no loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.assetdb.lsp.editor import editing
from tests.assetdb.unity_project import HEAD, guid
from tests.system.watch.daemons import wait_for

if TYPE_CHECKING:
    from tests.system.watch.daemons import Project


TEXT = f"{HEAD}--- !u!114 &5\nMonoBehaviour:\n  a: {{fileID: 2100000, guid: {guid(50)}, type: 2}}\n"


def test_what_another_program_changes_is_shown(made: Project) -> None:
    made.start()
    with editing(made.root) as editor:
        uri = editor.open(made.root / "Assets/Open.asset", TEXT)
        assert editor.hints(uri)[0]["label"] == "missing-asset"
        assert editor.wait_for("textDocument/publishDiagnostics", uri=uri)["diagnostics"]
        editor.told.clear()
        for path, text in (
            ("New.mat", f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: New\n"),
            ("New.mat.meta", f"fileFormatVersion: 2\nguid: {guid(50)}\nNativeFormatImporter:\n  userData: \n"),
        ):
            (made.root / "Assets" / path).write_text(text)
        while editor.hints(uri)[0]["label"] != "New.mat":
            editor.wait_for("workspace/inlayHint/refresh")
        assert editor.wait_for("textDocument/publishDiagnostics", uri=uri, diagnostics=[])


def test_what_is_saved_here_is_shown_at_once(made: Project) -> None:
    made.start()
    player = made.root / "Assets/Prefabs/Player.prefab"
    with editing(made.root) as editor:
        own = editor.open(player)
        uri = editor.open(made.root / "Assets/Main.unity")
        assert "Player.prefab" in {hint["label"].partition(" (")[0] for hint in editor.hints(uri)}
        player.write_text(player.read_text().replace("m_Name: Body", "m_Name: Torso"))
        editor.told.clear()
        editor.notify("textDocument/didSave", {"textDocument": {"uri": own}})
        editor.wait_for("workspace/inlayHint/refresh")
        assert any("Torso" in hint["label"] for hint in editor.hints(uri))


def test_a_daemon_may_come_and_go(made: Project) -> None:
    with editing(made.root) as editor:
        uri = editor.open(made.root / "Assets/Main.unity")
        labels = [hint["label"] for hint in editor.hints(uri)]
        daemon = made.start()
        wait_for(lambda: [hint["label"] for hint in editor.hints(uri)] == labels)
        found = editor.at("references", uri, 0, 0, context={"includeDeclaration": False})
        daemon.kill()
        daemon.wait()
        assert [hint["label"] for hint in editor.hints(uri)] == labels
        assert editor.at("references", uri, 0, 0, context={"includeDeclaration": False}) == found
        symbols = editor.ask("workspace/symbol", {"query": "player"})
        made.start()
        assert editor.ask("workspace/symbol", {"query": "player"}) == symbols
        assert [hint["label"] for hint in editor.hints(uri)] == labels
