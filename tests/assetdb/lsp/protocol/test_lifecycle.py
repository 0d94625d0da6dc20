"""What the server announces, by what the editor can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb.lsp.protocol.capabilities import Capabilities
from assetdb.lsp.protocol.lifecycle import EXTENSIONS, registrations, server_capabilities
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping


def announced(said: Mapping[str, object]) -> dict[str, Any]:
    found = server_capabilities(Capabilities(said))
    assert found["serverInfo"] == {"name": "assetdb", "version": VERSION}
    capabilities = found["capabilities"]
    assert isinstance(capabilities, dict)
    return capabilities


def test_findings_are_to_be_pulled_by_who_pulls() -> None:
    assert "diagnosticProvider" not in announced({})
    provider = announced({"textDocument": {"diagnostic": {}}})["diagnosticProvider"]
    assert (provider["identifier"], provider["workspaceDiagnostics"]) == ("assetdb", True)


def test_positions_are_in_the_clients_unit() -> None:
    assert announced({})["positionEncoding"] == "utf-16"
    assert announced({"general": {"positionEncodings": ["utf-8"]}})["positionEncoding"] == "utf-8"


@pytest.mark.parametrize(
    ("operations", "can", "names"),
    [
        (["rename", "delete"], {"willRename": True, "willDelete": True}, {"willRename", "willDelete"}),
        (["rename"], {"willRename": True, "willDelete": True}, {"willRename"}),
        (["rename", "delete"], {"willDelete": True}, {"willDelete"}),
        (["create"], {"willRename": True}, set()),
        ([], {}, set()),
        (["rename", "delete"], {"didRename": True, "didDelete": True}, set()),
    ],
)
def test_moves_are_asked_for_only_if_the_editor_can_tell_and_make_them(
    operations: list[str], can: dict[str, bool], names: set[str]
) -> None:
    said = {"workspace": {"workspaceEdit": {"resourceOperations": operations}, "fileOperations": can}}
    workspace = announced(said)["workspace"]
    assert set(workspace.get("fileOperations", {})) == names
    assert ("fileOperations" in workspace) == bool(names)


def test_metas_that_were_left_are_offered_where_the_editor_applies_edits() -> None:
    said = {
        "workspace": {
            "applyEdit": True,
            "workspaceEdit": {"resourceOperations": ["rename"]},
            "fileOperations": {"didRename": True, "didDelete": True},
        }
    }
    assert set(announced(said)["workspace"]["fileOperations"]) == {"didRename"}


def test_files_are_watched_where_that_can_be_registered() -> None:
    assert registrations(Capabilities({})) == []
    (row,) = registrations(Capabilities({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}))
    assert row["method"] == "workspace/didChangeWatchedFiles"
    assert row["registerOptions"] == {"watchers": [{"globPattern": f"**/*.{{{','.join(EXTENSIONS)}}}"}]}
    assert {"meta", "cs", "prefab", "unity", "asmdef", "shadergraph"} <= set(EXTENSIONS)
    assert "png" not in EXTENSIONS
