"""Messages of the Language Server Protocol 3.17 that this server uses.

Parameters are checked on arrival; unused fields are left out, and unknown ones ignored.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

# Codes of the protocol; JSON-RPC's own are in assetdb.daemon.rpc.protocol.
SERVER_NOT_INITIALIZED: Final = -32002
REQUEST_FAILED: Final = -32803
REQUEST_CANCELLED: Final = -32800

Integer = Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)]
"""An integer of the protocol, which has 32 bits."""
ID = str | Integer


class Message(msgspec.Struct, frozen=True):
    """A request, a notification without ``id``, or a response without ``method``."""

    method: str = ""
    id: ID | msgspec.UnsetType | None = msgspec.UNSET
    params: msgspec.Raw = msgspec.Raw(b"null")
    result: msgspec.Raw = msgspec.Raw(b"null")


class LspError(Exception):
    """An error answer: a code from above, a message for people."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class _Struct(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    pass


class Empty(_Struct, frozen=True):
    """No parameters, or none that matter."""


class Position(msgspec.Struct, frozen=True, order=True, gc=False):
    """A position; both are 0-based."""

    line: int
    character: int


class Range(msgspec.Struct, frozen=True, order=True, gc=False):
    """From a position up to another one."""

    start: Position
    end: Position


NOWHERE: Final = Range(Position(0, 0), Position(0, 0))


def at_line(number: int) -> Range:
    """Return the beginning of a line, the first one if negative."""
    start = Position(max(0, number), 0)
    return Range(start, start)


class Location(msgspec.Struct, frozen=True, order=True, gc=False):
    """A range in a file."""

    uri: str
    range: Range


# --- parameters


class TextDocument(_Struct, frozen=True):
    """Which document."""

    uri: str


class VersionedDocument(TextDocument, frozen=True):
    """A document and the client's name of its state."""

    version: Integer | None = None


class DocumentItem(_Struct, frozen=True):
    """A document that was opened."""

    uri: str
    text: str
    version: Integer | None = None


class DidOpen(_Struct, frozen=True):
    """``textDocument/didOpen``."""

    text_document: DocumentItem


class Edit(_Struct, frozen=True):
    """A part of a document that was replaced, or all of it."""

    text: str
    range: Range | None = None


class DidChange(_Struct, frozen=True):
    """``textDocument/didChange``."""

    text_document: VersionedDocument
    content_changes: list[Edit]


class OfDocument(_Struct, frozen=True):
    """Parameters of requests about a document."""

    text_document: TextDocument
    work_done_token: ID | None = None


class OfPosition(OfDocument, frozen=True, kw_only=True):
    """Parameters of requests about a position."""

    position: Position


class ReferenceContext(_Struct, frozen=True):
    """Whether the declaration counts as a reference."""

    include_declaration: bool = False


class OfReferences(OfPosition, frozen=True):
    """``textDocument/references``."""

    context: ReferenceContext = ReferenceContext()


class OfRange(OfDocument, frozen=True, kw_only=True):
    """Parameters of requests about a range."""

    range: Range


class OfPositions(OfDocument, frozen=True, kw_only=True):
    """``textDocument/selectionRange``."""

    positions: list[Position]


class DocumentDiagnostics(OfDocument, frozen=True):
    """``textDocument/diagnostic``."""

    previous_result_id: str = ""


class PreviousResult(_Struct, frozen=True):
    """The findings that a client has of a document."""

    uri: str
    value: str


class WorkspaceDiagnostics(_Struct, frozen=True):
    """``workspace/diagnostic``."""

    previous_result_ids: list[PreviousResult] = []
    work_done_token: ID | None = None


class WorkspaceSymbols(_Struct, frozen=True):
    """``workspace/symbol``."""

    query: str
    work_done_token: ID | None = None


class FileRename(_Struct, frozen=True):
    """A file or folder that is about to be moved."""

    old_uri: str
    new_uri: str


class RenameFiles(_Struct, frozen=True):
    """``workspace/willRenameFiles`` and ``workspace/didRenameFiles``."""

    files: list[FileRename]


class DeleteFiles(_Struct, frozen=True):
    """``workspace/willDeleteFiles`` and ``workspace/didDeleteFiles``."""

    files: list[TextDocument]


class FileEvent(_Struct, frozen=True):
    """A file that was created (1), changed (2) or deleted (3)."""

    uri: str
    type: int


class DidChangeWatchedFiles(_Struct, frozen=True):
    """``workspace/didChangeWatchedFiles``."""

    changes: list[FileEvent]


class Folder(_Struct, frozen=True):
    """A folder of the workspace."""

    uri: str


class FolderChange(_Struct, frozen=True):
    """Which folders came and went."""

    added: list[Folder] = []
    removed: list[Folder] = []


class DidChangeFolders(_Struct, frozen=True):
    """``workspace/didChangeWorkspaceFolders``."""

    event: FolderChange


class Cancel(_Struct, frozen=True):
    """``$/cancelRequest``."""

    id: ID


class CancelProgress(_Struct, frozen=True):
    """``window/workDoneProgress/cancel``."""

    token: ID


class ChosenAction(_Struct, frozen=True):
    """The answer to ``window/showMessageRequest``."""

    title: str


class AppliedEdit(_Struct, frozen=True):
    """The answer to ``workspace/applyEdit``."""

    applied: bool
    failure_reason: str | None = None


class ExecuteCommand(_Struct, frozen=True):
    """``workspace/executeCommand``."""

    command: str
    arguments: list[msgspec.Raw] = []
    work_done_token: ID | None = None


class Initialize(_Struct, frozen=True):
    """Parameters of ``initialize``."""

    root_uri: str | None = None
    root_path: str | None = None
    workspace_folders: list[Folder] | None = None
    capabilities: dict[str, object] = {}


# --- results


class Markup(_Struct, frozen=True):
    """Text for people: ``markdown`` or ``plaintext``."""

    kind: str
    value: str


class Hover(_Struct, frozen=True):
    """The text beside the pointer."""

    contents: Markup
    range: Range | None = None


class InlayHint(_Struct, frozen=True):
    """A name shown in the text without being part of it."""

    position: Position
    label: str
    tooltip: str = ""
    padding_left: bool = False


class LocationLink(_Struct, frozen=True):
    """A location, and the range that led there."""

    target_uri: str
    target_range: Range
    target_selection_range: Range
    origin_selection_range: Range | None = None


class Symbol(msgspec.Struct, rename="camel", omit_defaults=True):
    """One symbol of a document with its children, a tree that grows."""

    name: str
    kind: int
    range: Range
    selection_range: Range
    detail: str = ""
    children: list[Symbol] = []


class SymbolInformation(_Struct, frozen=True):
    """One symbol of a workspace, or of a document without a tree."""

    name: str
    kind: int
    location: Location
    container_name: str = ""


class FoldingRange(_Struct, frozen=True, kw_only=True):
    """Lines that can be folded."""

    start_line: int
    end_line: int
    kind: str = ""
    collapsed_text: str = ""


class TextEdit(_Struct, frozen=True):
    """A range and its replacement."""

    range: Range
    new_text: str


class FileOperation(_Struct, frozen=True):
    """A file to be renamed (``old_uri`` and ``new_uri``) or deleted (``uri``)."""

    kind: str
    old_uri: str | msgspec.UnsetType = msgspec.UNSET
    new_uri: str | msgspec.UnsetType = msgspec.UNSET
    uri: str | msgspec.UnsetType = msgspec.UNSET
    annotation_id: str | msgspec.UnsetType = msgspec.UNSET


class ChangeAnnotation(_Struct, frozen=True):
    """The label under which an editor lists changes."""

    label: str


class WorkspaceEdit(_Struct, frozen=True):
    """Changes of files, with their labels by ``annotation_id``."""

    document_changes: list[FileOperation] | msgspec.UnsetType = msgspec.UNSET
    change_annotations: dict[str, ChangeAnnotation] | msgspec.UnsetType = msgspec.UNSET


class CompletionItem(_Struct, frozen=True):
    """One of the things that may be meant."""

    label: str
    kind: int
    detail: str
    filter_text: str
    sort_text: str
    text_edit: TextEdit


class CompletionList(msgspec.Struct, frozen=True, rename="camel"):
    """Candidates, and whether there are more."""

    is_incomplete: bool
    items: list[CompletionItem]


class Command(_Struct, frozen=True):
    """Something that can be done."""

    title: str
    command: str
    arguments: list[object] = []


class CodeAction(_Struct, frozen=True):
    """A fix that is offered."""

    title: str
    kind: str
    diagnostics: list[Diagnostic]
    command: Command


class OfGuid(_Struct, frozen=True):
    """The subject of a lens or link: a GUID, and its document."""

    uri: str
    guid: str


class OfCall(OfGuid, frozen=True):
    """A script's method, or an object of an asset.

    ``file_id`` is text: an editor in JavaScript would round such a number.
    """

    method: str = ""
    file_id: str = ""


class CallItem(_Struct, frozen=True, kw_only=True):
    """A method, or an object with events that call methods."""

    name: str
    kind: int
    detail: str = ""
    uri: str
    range: Range
    selection_range: Range
    data: OfCall | None = None


class OfCallItem(_Struct, frozen=True):
    """``callHierarchy/incomingCalls`` and ``callHierarchy/outgoingCalls``."""

    item: CallItem
    work_done_token: ID | None = None


class IncomingCall(_Struct, frozen=True):
    """An object that calls a method, and where in its file."""

    caller: CallItem = msgspec.field(name="from")
    from_ranges: list[Range]


class OutgoingCall(_Struct, frozen=True):
    """A method that an object calls, and where in the object's file."""

    to: CallItem
    from_ranges: list[Range]


class CodeLens(_Struct, frozen=True):
    """A line between the lines; its command is resolved later."""

    range: Range
    command: Command | None = None
    data: OfGuid | None = None


class DocumentHighlight(_Struct, frozen=True):
    """A range of the cursor's meaning: read (2) or written (3)."""

    range: Range
    kind: int


class DocumentLink(_Struct, frozen=True):
    """A range that leads to a document; its target is resolved later."""

    range: Range
    target: str | None = None
    tooltip: str | None = None
    data: OfGuid | None = None


class SelectionRange(_Struct, frozen=True):
    """A range around a position, and the next larger one."""

    range: Range
    parent: SelectionRange | None = None


class Diagnostic(_Struct, frozen=True):
    """One finding."""

    range: Range
    message: str
    severity: int
    code: str
    source: str


FULL: Final = "full"
UNCHANGED: Final = "unchanged"


class DiagnosticReport(_Struct, frozen=True):
    """The findings of a document: :data:`FULL`, or :data:`UNCHANGED` without ``items``.

    Reports of a workspace have ``uri``, and a ``version`` that is null for files that are not open.
    """

    kind: str
    result_id: str
    items: list[Diagnostic] | msgspec.UnsetType = msgspec.UNSET
    uri: str | msgspec.UnsetType = msgspec.UNSET
    version: Integer | msgspec.UnsetType | None = msgspec.UNSET


class WorkspaceDiagnosticReport(_Struct, frozen=True):
    """The findings of all documents."""

    items: list[DiagnosticReport] | msgspec.UnsetType = msgspec.UNSET


class PublishDiagnostics(_Struct, frozen=True):
    """``textDocument/publishDiagnostics``; no version is sent to clients that do not know it."""

    uri: str
    diagnostics: list[Diagnostic]
    version: Integer | None = None
