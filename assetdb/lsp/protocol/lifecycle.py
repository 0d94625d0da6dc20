"""The capabilities of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.unity.kinds import ASSEMBLY, DOCUMENTS, GRAPH, SOURCE, extensions_with
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.lsp.protocol.capabilities import Capabilities

FIND_USAGES: Final = "assetdb.usages"
"""The command of a code lens: the arguments are a document's URI, a GUID, and for a member of a script ``field`` or
``method`` and its name; the answer is the places."""
FIX: Final = "assetdb.fix"
"""The command of a code action: the arguments are a document's URI and a code, the answer the paths that it changed."""
_SOURCE: Final = "cs"
EXTENSIONS: Final = ("meta", _SOURCE, *sorted(extensions_with(DOCUMENTS, SOURCE, ASSEMBLY, GRAPH)))
"""Of the files in which something is shown."""

_OPERATIONS: Final = (
    ("willRename", "rename"),
    ("willDelete", "delete"),
    ("didRename", "rename"),
    ("didDelete", "delete"),
)
"""Of files, with what an editor must be able to do for them; after them, metas that were left are offered once more."""


def server_capabilities(client: Capabilities) -> dict[str, object]:
    """Return the answer to ``initialize``."""
    pulled = {
        "diagnosticProvider": {
            "identifier": "assetdb",
            "interFileDependencies": True,
            "workspaceDiagnostics": True,
            "workDoneProgress": True,
        }
    }
    return {
        "capabilities": {
            **(pulled if client.pulls_diagnostics else {}),
            "positionEncoding": client.encoding,
            "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
            "hoverProvider": True,
            "inlayHintProvider": {"resolveProvider": False},
            "definitionProvider": True,
            "referencesProvider": {"workDoneProgress": True},
            "documentSymbolProvider": {"label": "assetdb"},
            "workspaceSymbolProvider": {"workDoneProgress": True},
            "completionProvider": {"triggerCharacters": [" ", ":", '"'], "resolveProvider": False},
            "renameProvider": {"prepareProvider": True},
            "codeLensProvider": {"resolveProvider": True},
            "documentHighlightProvider": True,
            "documentLinkProvider": {"resolveProvider": True},
            "selectionRangeProvider": True,
            "foldingRangeProvider": True,
            **({} if _registers_calls(client) else {"callHierarchyProvider": True}),
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "executeCommandProvider": {"commands": [FIND_USAGES, FIX]},
            "workspace": {
                "workspaceFolders": {"supported": True, "changeNotifications": True},
                **_file_operations(client),
            },
        },
        "serverInfo": {"name": "assetdb", "version": VERSION},
    }


def _file_operations(client: Capabilities) -> dict[str, object]:
    """Return the file operations that the editor announces."""
    able = client.words("workspace", "workspaceEdit", "resourceOperations")
    every = {"filters": [{"scheme": "file", "pattern": {"glob": "**/*"}}]}
    wanted = {
        name: every
        for name, operation in _OPERATIONS
        if operation in able and client.has("workspace", "fileOperations", name)
        if name.startswith("will") or client.has("workspace", "applyEdit")
    }
    return {"fileOperations": wanted} if wanted else {}


def registrations(client: Capabilities) -> list[dict[str, object]]:
    """Return the registrations that are sent when the client is ready."""
    rows: list[dict[str, object]] = []
    if client.has("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
        options: dict[str, object] = {"watchers": [{"globPattern": _pattern(EXTENSIONS)}]}
        rows.append({"id": "watched-files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options})
    if _registers_calls(client):
        pattern = _pattern([extension for extension in EXTENSIONS if extension != _SOURCE])
        options = {"documentSelector": [{"scheme": "file", "pattern": pattern}]}
        method = "textDocument/prepareCallHierarchy"
        rows.append({"id": "call-hierarchy", "method": method, "registerOptions": options})
    return rows


def _registers_calls(client: Capabilities) -> bool:
    """Whether call hierarchies can be left to another server in C#.

    VS Code asks one server alone, the one that came last.
    """
    return client.has("textDocument", "callHierarchy", "dynamicRegistration")


def _pattern(extensions: Sequence[str]) -> str:
    return f"**/*.{{{','.join(extensions)}}}"
