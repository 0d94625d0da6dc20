"""A session as pytest-lsp's client has it: every method, through lsprotocol's types both ways."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from assetdb.lsp.protocol.uris import uri_of
from tests.assetdb.lsp.editor import COMMAND

pytest.importorskip("pytest_lsp", reason="not installed: pip install -e '.[dev]'")

from lsprotocol import types
from pytest_lsp import client_capabilities, make_test_lsp_client

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_lsp import LanguageClient


async def session(client: LanguageClient, project: Path, editor: str) -> list[str]:
    """Ask everything once; return what a person would see of it."""
    folder = types.WorkspaceFolder(uri_of(str(project)), "game")
    said = await client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(editor), root_uri=folder.uri, workspace_folders=[folder]
        )
    )
    path = project / "Assets/Prefabs/Variant.prefab"
    document = types.TextDocumentIdentifier(uri_of(str(path)))
    item = types.TextDocumentItem(document.uri, "unity-yaml", 1, path.read_text("utf-8"))
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    target = types.Position(9, 20)
    seen = [said.server_info.name if said.server_info else ""]
    hover = await client.text_document_hover_async(types.HoverParams(document, target))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    seen.append(hover.contents.value.partition("\n")[0])
    span = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, span))
    seen += [str(hint.label) for hint in hints or []]
    definition = await client.text_document_definition_async(types.DefinitionParams(document, target))
    assert isinstance(definition, list | tuple)
    seen += [(place.target_uri if isinstance(place, types.LocationLink) else place.uri)[-11:] for place in definition]
    context = types.ReferenceContext(include_declaration=True)
    usages = await client.text_document_references_async(types.ReferenceParams(context, document, target))
    seen.append(f"{len(usages or [])} places")
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    seen += [symbol.name for symbol in symbols or []]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    seen.append(f"{len(folds or [])} folds")
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    for lens in lenses or []:
        resolved = await client.code_lens_resolve_async(lens)
        assert resolved.command is not None
        seen.append(resolved.command.title)
        command = types.ExecuteCommandParams(resolved.command.command, resolved.command.arguments)
        assert await client.workspace_execute_command_async(command) == []
    everywhere = await client.workspace_symbol_async(types.WorkspaceSymbolParams("hero.fbx"))
    seen += [symbol.name for symbol in everywhere or []]
    edit = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(9, 35), types.Position(9, 67)), text="her"
    )
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, document.uri), [edit])
    )
    offered = await client.text_document_completion_async(types.CompletionParams(document, types.Position(9, 38)))
    assert isinstance(offered, types.CompletionList)
    seen += [item.label for item in offered.items]
    client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    await client.shutdown_session()
    return seen


async def run(project: Path, editor: str) -> list[str]:
    client = make_test_lsp_client()
    await client.start_io(*COMMAND)
    try:
        return await asyncio.wait_for(session(client, project, editor), 120)
    finally:
        await client.stop()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # pygls leaves its pipes to the end of the loop
@pytest.mark.parametrize("editor", ["visual-studio-code", "neovim", "emacs"])
def test_a_session_of_editors_that_can_do_different_things(project: Path, editor: str) -> None:
    seen = asyncio.run(run(project, editor))
    assert seen == [
        *("assetdb", seen[1], "Base.prefab (GameObject)", "Base.prefab", "Base.prefab", "3 places"),
        *(seen[6:-4]),
        *("4 folds", "no usages, 2 files unread", "Hero", "Hero.fbx"),
    ]
    assert "Base.prefab (GameObject)" in seen[1]
    assert seen[6] == "Renamed Root"
