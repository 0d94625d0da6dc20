"""Requests on the workspace: symbols, commands, lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec

from assetdb.checks.counting import counted
from assetdb.daemon.rpc.protocol import INVALID_PARAMS
from assetdb.errors import AssetdbError
from assetdb.lsp.documents.script_names import ScriptName
from assetdb.lsp.documents.symbol_kinds import FILE, KINDS
from assetdb.lsp.features.actions import fix
from assetdb.lsp.features.completion import FOUND
from assetdb.lsp.features.definition import resolved_link
from assetdb.lsp.features.diagnostics import ProjectFindings, reports_of
from assetdb.lsp.features.files import metas_to_delete, metas_to_rename, warning_of_users
from assetdb.lsp.features.lenses import resolved_lens
from assetdb.lsp.features.scripts.call_hierarchy import incoming_calls, outgoing_calls
from assetdb.lsp.features.usages import places_of, usages_of
from assetdb.lsp.projects import project_of, projects_in
from assetdb.lsp.protocol.connection import WARNING
from assetdb.lsp.protocol.lifecycle import FIND_USAGES, FIX
from assetdb.lsp.protocol.structures import (
    NOWHERE,
    CallItem,
    CodeLens,
    DeleteFiles,
    DocumentLink,
    ExecuteCommand,
    Location,
    LspError,
    OfCallItem,
    RenameFiles,
    SymbolInformation,
    WorkspaceDiagnostics,
    WorkspaceSymbols,
)
from assetdb.lsp.protocol.uris import path_of, uri_of
from assetdb.lsp.workers import FIND, LONG, QUICK, WHOLE
from assetdb.query.selecting.selector import is_guid
from assetdb.settings.project import asset_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.client.engine import Engine
    from assetdb.lsp.background_tasks import BackgroundTasks
    from assetdb.lsp.documents.open_documents import Documents
    from assetdb.lsp.features.completion import CompletionMatch
    from assetdb.lsp.progress import Progress
    from assetdb.lsp.protocol.connection import Peer
    from assetdb.lsp.protocol.structures import Diagnostic
    from assetdb.lsp.workers import Lane

_MOST_SYMBOLS: Final = 1000
_Answer = TypeVar("_Answer")


class Workspace:
    """The folders that the editor has open."""

    def __init__(self, documents: Documents, folders: list[str], background: BackgroundTasks, peer: Peer) -> None:
        """Take open documents, folders, background tasks and the editor."""
        self.folders = folders
        self.documents = documents
        self.background = background
        self.peer = peer
        self.findings = ProjectFindings(background)
        """Findings of whole projects, for their lane."""

    def projects(self) -> list[str]:
        """Return the projects of folders and open documents."""
        own = dict.fromkeys(projects_in(self.folders))
        own.update(dict.fromkeys(found for item in self.documents if (found := project_of(item.path))))
        return list(own)


class WorkspaceFeature(NamedTuple):
    """A workspace method's parameters, function, lane, and project of a request."""

    params: type[msgspec.Struct]
    run: Callable[[Any, Workspace, Lane, Progress], object]
    lane: str
    root: Callable[[Any], str]


def _of_each_project(
    workspace: Workspace, lane: Lane, progress: Progress, ask: Callable[[Engine], _Answer]
) -> Iterator[tuple[str, _Answer]]:
    """Yield each project that can be asked, and its answer."""
    roots = workspace.projects()
    lane.keep(roots)
    for root in roots:
        try:
            yield root, ask(lane.engine_of(root))
        except (AssetdbError, OSError) as error:
            progress.report(str(error))  # other projects may answer


def _symbols(params: WorkspaceSymbols, workspace: Workspace, lane: Lane, progress: Progress) -> object:
    """Return assets and sub-assets with a text in their names."""
    progress.begin("Searching assets")
    found: list[SymbolInformation] = []

    def ask(engine: Engine) -> list[CompletionMatch]:
        answer = FOUND.decode(engine.ask("find", {"pattern": params.query, "limit": _MOST_SYMBOLS}))
        if answer.unread_files:
            progress.report(f"{counted(answer.unread_files, 'file')} could not be read, and may have more")
        return answer.found

    for root, rows in _of_each_project(workspace, lane, progress, ask):
        shown = rows[: _MOST_SYMBOLS - len(found)]
        files = _files_of_packages(lane.engine_of(root), shown)
        for row in shown:
            place = Location(uri_of(files.get(row.guid) or asset_file(root, row.path)), NOWHERE)
            found.append(SymbolInformation(row.name, KINDS.get(row.type, FILE), place, row.path))
    return found


def _files_of_packages(engine: Engine, rows: list[CompletionMatch]) -> dict[str, str]:
    """Return the files of packages' assets by GUID, most are elsewhere."""
    guids = list(dict.fromkeys(row.guid for row in rows if row.path.startswith("Packages/")))
    located = zip(guids, engine.locate(guids) if guids else (), strict=True)
    return {guid: location.file for guid, location in located if location is not None}


def _execute(params: ExecuteCommand, workspace: Workspace, lane: Lane, progress: Progress) -> object:
    words = _words(params)
    if params.command not in (FIND_USAGES, FIX):
        known = f"there are {FIND_USAGES} and {FIX}"
        raise LspError(INVALID_PARAMS, f"there is no command {params.command[:100]!r}; {known}")
    if len(words) < 2:
        raise LspError(INVALID_PARAMS, f"{params.command} takes a document's URI, and a GUID or a code")
    uri, what = words[:2]
    if not lane.root:
        raise LspError(INVALID_PARAMS, f"{uri[:1000]} is in no Unity project")
    if params.command == FIX:
        document = workspace.documents.get(uri)
        if document is None:
            raise LspError(INVALID_PARAMS, f"{uri[:1000]} is not open")
        progress.begin("Mending")
        changed = fix(document, what, lane)
        workspace.background.changed(lane.root)
        return changed
    if not is_guid(what):
        raise LspError(INVALID_PARAMS, f"{what[:100]!r} is no GUID")
    progress.begin("Finding usages")
    name = ScriptName(**dict([words[2:4]])) if words[2:3] in (["field"], ["method"]) and words[3:] else ScriptName()
    if any(name):
        return places_of(lane.engine, what, name, progress.report, only_set=True)
    return usages_of(lane.engine, what, progress.report)


def _words(params: ExecuteCommand) -> list[str]:
    try:
        return [msgspec.json.decode(word, type=str) for word in params.arguments]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return []


def _rename(params: RenameFiles, workspace: Workspace, lane: Lane, progress: Progress) -> object:  # noqa: ARG001 - a row's
    return metas_to_rename(params, labelled=workspace.peer.client.shows_labels)


def _delete(params: DeleteFiles, workspace: Workspace, lane: Lane, progress: Progress) -> object:
    progress.begin("Finding usages")
    warning = warning_of_users(params, lane, workspace.peer.log)
    if warning:
        workspace.peer.notify("window/showMessage", {"type": WARNING, "message": warning})
    return metas_to_delete(params, labelled=workspace.peer.client.shows_labels)


def _diagnostics(params: WorkspaceDiagnostics, workspace: Workspace, lane: Lane, progress: Progress) -> object:
    progress.begin("Checking projects")
    found: dict[str, list[Diagnostic]] = {}
    for _, of_project in _of_each_project(workspace, lane, progress, workspace.findings.of):
        found |= of_project
    return reports_of(params, found, workspace.documents)


def _incoming(params: OfCallItem, _: Workspace, lane: Lane, progress: Progress) -> object:
    progress.begin("Finding callers")
    return incoming_calls(params.item, lane, progress.report)


def _outgoing(params: OfCallItem, workspace: Workspace, lane: Lane, progress: Progress) -> object:
    return outgoing_calls(params.item, lane, workspace.peer.client, workspace.documents, progress)


def _project_of_data(params: CodeLens | DocumentLink | CallItem) -> str:
    return project_of(path_of(params.data.uri)) if params.data is not None else ""


WORKSPACE_FEATURES: Final[dict[str, WorkspaceFeature]] = {
    "workspace/willRenameFiles": WorkspaceFeature(RenameFiles, _rename, QUICK, lambda _: ""),
    "workspace/willDeleteFiles": WorkspaceFeature(
        DeleteFiles, _delete, FIND, lambda params: project_of(path_of(params.files[0].uri)) if params.files else ""
    ),
    "workspace/diagnostic": WorkspaceFeature(WorkspaceDiagnostics, _diagnostics, WHOLE, lambda _: ""),
    "documentLink/resolve": WorkspaceFeature(
        DocumentLink, lambda link, _, lane, __: resolved_link(link, lane), QUICK, _project_of_data
    ),
    "workspace/symbol": WorkspaceFeature(WorkspaceSymbols, _symbols, FIND, lambda _: ""),
    "codeLens/resolve": WorkspaceFeature(
        CodeLens, lambda lens, _, lane, __: resolved_lens(lens, lane), LONG, _project_of_data
    ),
    "callHierarchy/incomingCalls": WorkspaceFeature(
        OfCallItem, _incoming, LONG, lambda params: _project_of_data(params.item)
    ),
    "callHierarchy/outgoingCalls": WorkspaceFeature(
        OfCallItem, _outgoing, QUICK, lambda params: _project_of_data(params.item)
    ),
    "workspace/executeCommand": WorkspaceFeature(
        ExecuteCommand, _execute, LONG, lambda params: project_of(path_of((*_words(params), "")[0]))
    ),
}
