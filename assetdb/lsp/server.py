"""The server's main loop: one thread reads, lanes answer.

A request is answered once: with its result, its error, or, as soon as the client cancels it, with that.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

import assetdb.lsp.features  # noqa: F401 - registers them
from assetdb.daemon.rpc.protocol import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR
from assetdb.errors import AssetdbError
from assetdb.lsp.background_tasks import BackgroundTasks
from assetdb.lsp.documents.open_documents import Documents
from assetdb.lsp.features.files import left_by_deleting, left_by_renaming
from assetdb.lsp.progress import Progress
from assetdb.lsp.projects import project_of
from assetdb.lsp.protocol import structures
from assetdb.lsp.protocol.connection import ERROR, WARNING, Peer, read_message
from assetdb.lsp.protocol.framing import FramingError
from assetdb.lsp.protocol.lifecycle import registrations
from assetdb.lsp.protocol.registry import FEATURES, FORM, PROJECT, RequestContext
from assetdb.lsp.protocol.structures import LspError, Message
from assetdb.lsp.protocol.uris import path_of
from assetdb.lsp.workers import Lanes
from assetdb.lsp.workspace import WORKSPACE_FEATURES, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.lsp.features.files import Offer
    from assetdb.lsp.protocol.registry import Feature
    from assetdb.lsp.workers import Lane
    from assetdb.system.jobs import Job

_PARAMS: Final = {name: msgspec.json.Decoder(found.params) for name, found in FEATURES.items()} | {
    name: msgspec.json.Decoder(found.params) for name, found in WORKSPACE_FEATURES.items()
}


class Server:
    """A language server for one initialized editor."""

    def __init__(
        self,
        messages: Iterator[bytes],
        peer: Peer,
        params: structures.Initialize,
        project: str = "",
        out_dir: str | None = None,
    ) -> None:
        """Take further messages, parameters of ``initialize``, and a project.

        ``out_dir`` is where the files of projects are, absolute, None for what their settings say.
        """
        self._messages = messages
        self.peer = peer
        self.documents = Documents(peer.client.encoding)
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        root = path_of(params.root_uri) if params.root_uri else params.root_path or ""
        served = [folder for folder in (project, *(folders or [root])) if folder]
        self.lanes = Lanes(self._on_bake, self._on_fault, out_dir)
        self.background = BackgroundTasks(self.documents, self.lanes, peer)
        self.workspace = Workspace(self.documents, served, self.background, peer)
        self._baked: set[str] = set()
        self._shut_down = False
        self._pending: dict[structures.ID, tuple[Job, structures.ID | None]] = {}  # with the token of its progress
        self._notifications: dict[str, tuple[type[msgspec.Struct], Callable[[Any], None]]] = {
            "initialized": (structures.Empty, self._on_initialized),
            "textDocument/didOpen": (structures.DidOpen, self._on_open),
            "textDocument/didChange": (structures.DidChange, self._on_change),
            "textDocument/didSave": (structures.OfDocument, self._on_save),
            "textDocument/didClose": (structures.OfDocument, self._on_close),
            "workspace/didChangeWatchedFiles": (structures.DidChangeWatchedFiles, self._on_files),
            "workspace/didChangeWorkspaceFolders": (structures.DidChangeFolders, self._on_folders),
            "workspace/didRenameFiles": (structures.RenameFiles, self._on_renamed),
            "workspace/didDeleteFiles": (structures.DeleteFiles, self._on_deleted),
            "$/cancelRequest": (structures.Cancel, self._on_cancel),
            "window/workDoneProgress/cancel": (structures.CancelProgress, self._on_cancel_progress),
        }

    def run(self) -> int:
        """Serve until the client ends it; return 0 after a ``shutdown``."""
        try:
            for data in self._messages:
                if not self._handle(data) or self.peer.gone:
                    break
        except FramingError as error:
            self.peer.fail(None, PARSE_ERROR, str(error))
        finally:
            self.background.close()
        return 0 if self._shut_down else 1

    # --- answers

    def _answer(self, number: structures.ID, result: object) -> None:
        if self._pending.pop(number, None) is None:
            return  # it was cancelled
        try:
            self.peer.answer(number, result)
        except ValueError as error:
            self.peer.fail(number, INTERNAL_ERROR, f"the answer is not JSON: {error}")

    def _answer_error(self, number: structures.ID, code: int, message: str) -> None:
        if self._pending.pop(number, None) is not None:
            self.peer.fail(number, code, message)

    def _on_bake(self, root: str) -> None:
        """Log once, not for each lane, that a project has no database."""
        if root in self._baked:
            return
        self._baked.add(root)
        self.peer.log(f"reading {root}: it has no database yet")

    def _on_fault(self, error: BaseException) -> None:
        self.peer.log(f"internal error: {type(error).__name__}: {error}", ERROR)

    # --- from the client

    def _handle(self, data: bytes) -> bool:
        """Take one message; return False after the last one."""
        message = read_message(data, self.peer)
        if message is None:
            return True
        number = message.id
        if not message.method:
            if number is None or number is msgspec.UNSET:
                self.peer.fail(None, INVALID_REQUEST, "neither a method nor an id")
            else:
                self._take_answer(message)
            return True
        if number is msgspec.UNSET:
            return self._take_notification(message)
        if number is None:
            self.peer.fail(None, INVALID_REQUEST, "the id is null")
        elif number in self._pending:
            self.peer.fail(number, INVALID_REQUEST, "another request of this id has no answer yet")
        else:
            self._take_request(number, message)
        return True

    def _take_notification(self, message: Message) -> bool:
        if message.method == "exit":
            return False
        known = self._notifications.get(message.method)
        if known is None:
            return True
        params, run = known
        try:
            run(msgspec.json.decode(message.params, type=params))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self.peer.log(f"{message.method}: {error}", ERROR)
        return True

    def _take_answer(self, message: Message) -> None:
        try:
            self.peer.take_answer(message)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self.peer.log(f"the answer to {message.id}: {error}", ERROR)

    def _take_request(self, number: structures.ID, message: Message) -> None:
        method = message.method
        if method == "initialize":
            self.peer.fail(number, INVALID_REQUEST, "initialized already")
        elif self._shut_down:
            self.peer.fail(number, INVALID_REQUEST, "the server was shut down")
        elif method == "shutdown":
            self._shut_down = True
            for other in list(self._pending):
                self._cancel(other)
            self.peer.answer(number, None)
        elif method in _PARAMS:
            self._begin(number, method, message.params)
        else:
            self.peer.fail(number, METHOD_NOT_FOUND, method[:100])

    # --- requests

    def _begin(self, number: structures.ID, method: str, raw: msgspec.Raw) -> None:
        """Pass a request to its lane."""
        try:
            params: Any = _PARAMS[method].decode(raw)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self.peer.fail(number, INVALID_PARAMS, str(error))
            return
        token = getattr(params, "work_done_token", None)
        if method in WORKSPACE_FEATURES:
            row = WORKSPACE_FEATURES[method]
            run = partial(row.run, params, self.workspace)
            root, kind = row.root(params), row.lane
        else:
            feature = FEATURES[method]
            document = self.documents.get(params.text_document.uri)
            if document is None:
                self.peer.answer(number, feature.absent)
                return
            root, kind = project_of(document.place), feature.lane
            run = partial(self._ask, feature, params, document)
        progress = Progress(self.peer.notify, token, self.peer.tell)
        lane = self.lanes.get(root, kind)
        job = lane.job(partial(self._do, number, run, progress))
        self._pending[number] = job, token
        lane.submit(job)

    def _ask(self, feature: Feature, params: Any, document: Any, lane: Lane, progress: Progress) -> object:  # noqa: ANN401 - of the feature's type
        if (PROJECT in feature.needs and not lane.root) or (FORM in feature.needs and not document.form):
            return None
        return feature.run(params, RequestContext(document, lane, self.peer.client, self.documents, progress))

    def _do(
        self, number: structures.ID, run: Callable[[Lane, Progress], object], progress: Progress, lane: Lane
    ) -> None:
        """Answer a request, in a lane."""
        try:
            self._answer(number, run(lane, progress))
        except LspError as error:
            self._answer_error(number, error.code, error.message)
        except (AssetdbError, OSError) as error:
            self._answer_error(number, structures.REQUEST_FAILED, str(error))
        except BaseException as error:
            self._answer_error(number, INTERNAL_ERROR, f"{type(error).__name__}: {error}")
            raise
        finally:
            progress.end()

    def _cancel(self, number: structures.ID) -> None:
        pending = self._pending.pop(number, None)
        if pending is not None:
            pending[0].cancel()
            self.peer.fail(number, structures.REQUEST_CANCELLED, "cancelled")

    # --- notifications

    def _on_initialized(self, _: structures.Empty) -> None:
        rows = registrations(self.peer.client)
        if rows:
            self.peer.request("client/registerCapability", {"registrations": rows})

    def _on_open(self, params: structures.DidOpen) -> None:
        self.background.opened(self.documents.open(params.text_document))

    def _on_change(self, params: structures.DidChange) -> None:
        document = params.text_document
        if self.documents.change(document.uri, document.version, params.content_changes) is None:
            self.peer.log(f"{document.uri}: changed, and not open", ERROR)

    def _on_save(self, params: structures.OfDocument) -> None:
        self.background.saved(path_of(params.text_document.uri), self.documents.get(params.text_document.uri))

    def _on_close(self, params: structures.OfDocument) -> None:
        document = self.documents.close(params.text_document.uri)
        if document is not None:
            self.background.closed(document)

    def _on_files(self, params: structures.DidChangeWatchedFiles) -> None:
        self.background.written([path_of(change.uri) for change in params.changes])

    def _on_folders(self, params: structures.DidChangeFolders) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        new = [path_of(folder.uri) for folder in params.event.added]
        kept = [folder for folder in self.workspace.folders if folder not in gone]
        # A folder in both lists is kept: the client of VS Code compares its folders by identity when it starts.
        self.workspace.folders = list(dict.fromkeys(folder for folder in (*kept, *new) if folder))
        self.background.forget_projects()

    def _on_renamed(self, params: structures.RenameFiles) -> None:
        self._offer(left_by_renaming(params, labelled=self.peer.client.shows_labels))

    def _on_deleted(self, params: structures.DeleteFiles) -> None:
        self._offer(left_by_deleting(params, labelled=self.peer.client.shows_labels))

    def _offer(self, offer: Offer | None) -> None:
        """Offer to take along metas that were left behind."""
        if offer is None:
            return

        def done(answer: msgspec.Raw) -> None:
            said = msgspec.json.decode(answer, type=structures.AppliedEdit | None)
            if said is None or not said.applied:
                reason = said.failure_reason if said is not None else ""
                text = f"The editor did not change the metas{f': {reason}' if reason else ''}."
                self.peer.notify("window/showMessage", {"type": WARNING, "message": text})

        def chosen(answer: msgspec.Raw) -> None:
            said = msgspec.json.decode(answer, type=structures.ChosenAction | None)
            if said is not None and said.title == offer.action:
                self.peer.request("workspace/applyEdit", {"label": offer.action, "edit": offer.edit}, done)

        asked = {"type": WARNING, "message": offer.message, "actions": [{"title": offer.action}]}
        self.peer.request("window/showMessageRequest", asked, chosen)

    def _on_cancel(self, params: structures.Cancel) -> None:
        self._cancel(params.id)

    def _on_cancel_progress(self, params: structures.CancelProgress) -> None:
        for number, (_, token) in list(self._pending.items()):
            if token == params.token:
                self._cancel(number)
