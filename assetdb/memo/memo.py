"""The table of derived answers: ``derive(key, version, function)``.

>>> from assetdb.query.snapshots.snapshot import open_project
>>> project = open_project("fixtures/unity_project")
>>> memo = memo_of(project)
>>> inputs = memo.inputs(project)
>>> memo.derive(inputs, "scenes", "1", lambda view: sorted(view.names_in("Assets/Scenes")))
['Main.unity', 'Main.unity.meta']

An answer is valid while each input of its function is unchanged. Files of a scan are compared individually only if the
digest of the whole tree has changed. In a daemon the table is in memory; in a command it is read from one file in the
output folder, an entry at a time.
"""

from __future__ import annotations

import os
from _thread import RLock

from assetdb.memo.contents import Contents
from assetdb.memo.facts import FileFacts
from assetdb.memo.file import MemoFile
from assetdb.memo.inputs import OF_FILES, OF_TREE, TREE, Inputs
from assetdb.memo.noted import (
    csharp_uses,
    inherit,
    inputs_of_edits,
    packed_csharp_uses,
    packed_head,
    packed_scanned,
    unpacked_head,
    unpacked_scanned,
)
from assetdb.scan.content_id import digest_state
from assetdb.scan.known import cache
from assetdb.settings.project import files_of
from assetdb.settings.user import has_shared_folder
from assetdb.store.files import MEMO_NAME
from assetdb.system.cancelling import Acquired
from assetdb.system.identity import RACY
from assetdb.version import VERSION
from assetdb_formats.records import Generic, NamedTuple, TypeVar

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final, TypeAlias

    from assetdb.memo.edits import Edits
    from assetdb.memo.inputs import Input, Value
    from assetdb.memo.tree import Tree
    from assetdb.memo.view import View
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.shared_facts import SharedFacts
    from assetdb.workspace.workspace import Listing

    Handed: TypeAlias = tuple[
        dict[str, tuple[int, bytes]],
        list[tuple[str, str, dict[str, tuple[int, int, bytes]]]],
        dict[str, tuple[bytes, ...]],
    ]
    """Contents, facts and answers of another process, of the types that ``marshal`` takes."""

_MEMORY: Final = "memo"
_CONTENTS: Final = "contents of files"
_TREE: Final = "tree of the last check"
_HEAD, _SCANNED, _VALUE = range(3)  # parts of an entry
_Answer = TypeVar("_Answer")


class Codec(NamedTuple, Generic[_Answer]):
    """The encoding of answers in a file.

    Attributes:
        encode: returns an answer as bytes; raises ValueError for one that cannot be written.
        decode: returns the answer; raises ValueError for invalid bytes.
    """

    encode: Callable[[_Answer], bytes]
    decode: Callable[[bytes], _Answer]


class _Entry:
    """An answer in memory.

    Attributes:
        version: of the function.
        tree: digest of the tree at the last comparison, ``""`` if useless.
        number: of the listing at the last comparison, 0 if in another process.
        always: inputs that are compared at each question.
        scanned: inputs that the digest of the tree covers; None while only the file has them.
        answer: decoded, None while only the file has it.
        packed: the answer, encoded to be written; None until then, and afterwards.
        digest: of the encoded answer, ``""`` until needed.
        codec: for writing it, None if it is for this process only.
        is_known: whether there is an answer.
        is_written: whether the file has it.
        has_moved: whether the file has it with another digest of the tree, which is then compared file by file.
        lock: held while deriving the answer or comparing its inputs.
    """

    def __init__(self, version: str) -> None:
        self.version = version
        self.tree = ""
        self.number = 0
        self.always: dict[Input, Value] = {}
        self.scanned: dict[Input, Value] | None = {}
        self.answer: Any = None
        self.packed: bytes | None = None
        self.digest = ""
        self.codec: Codec[Any] | None = None
        self.is_known = False
        self.is_written = True
        self.has_moved = False
        self.lock = RLock()


class Memo:
    """The answers that were derived for one output folder.

    Attributes:
        is_held: whether nothing is written now, since more follows at once.
        is_fleeting: whether nothing is ever written: then no inputs of new answers are recorded, which are of one
            snapshot. To record them took a tenth of a question about a merge.
    """

    def __init__(self, folder: str = "", root: str = "") -> None:
        """Read the answers of a folder; without one, have none.

        Args:
            folder: the output folder, absolute.
            root: the project, whose shared answers are used if the folder has none; ``""``: not used.
        """
        self._path = os.path.join(folder, MEMO_NAME) if folder else ""
        self._root = root
        self._shared: SharedFacts | None = None
        self._file = MemoFile(self._path, VERSION, self._shared_file)
        self._contents = Contents(lambda: self._file.part(_CONTENTS, 0))
        self._facts = FileFacts(self.get)
        self._lock = RLock()  # for the file and the table, never held while waiting for an entry's
        self._is_due = True
        self.is_held = self.is_fleeting = False
        self._entries: dict[str, _Entry] = {}
        self._number = -1
        self._listing: Listing | None = None
        self._listings = 0
        self._of_snapshot: dict[Input, Value | Tree] = {}
        self._edits: tuple[int, Edits | None] | None = None

    def inputs(self, project: Snapshot, listing: Listing | None = None) -> Inputs:
        """Return the inputs of a project for one question.

        Args:
            project: as it is.
            listing: of its directories, where the project itself has none.
        """
        listing = project.listing() or listing
        with self._lock:
            if self._number != project.number:
                self._number, self._of_snapshot, self._edits = project.number, {}, None
                if self._listings > 1:  # a daemon's: commands end before there are files that are gone
                    file_of = files_of(project.root)
                    for table in (self._contents, self._facts):
                        table.forget_gone(lambda path: os.path.lexists(file_of(path)))
            if listing is not None and listing is not self._listing:  # answers keep only its number
                self._listing, self._listings = listing, self._listings + 1
            number = self._listings if listing is not None else 0
            return Inputs(project, listing, self._of_snapshot, self._contents, number, self._facts, self.derive_part)

    def derive(
        self,
        inputs: Inputs,
        key: str,
        version: str,
        function: Callable[[View], _Answer],
        codec: Codec[_Answer] | None = None,
    ) -> _Answer:
        """Return a function's answer about a project, the previous if valid.

        Args:
            inputs: of the project.
            key: of the answer, with all other inputs of the function.
            version: of the function: a new one derives again.
            function: given a view of the project, its only access to it.
            codec: writes and reads the answer; None: it is for this process only.
        """
        entry = self._entry(key, version)
        with Acquired(entry.lock):  # another thread may have been first
            if self.is_current(inputs, key, version) and self._is_decoded(key, entry, codec):
                answer: _Answer = entry.answer
                return answer
            from assetdb.memo.view import View  # noqa: PLC0415 - where nothing changed it is not needed

            view = View(inputs, records=not self.is_fleeting)
            answer = function(view)
            _take(entry, inputs, view.noted if not self.is_fleeting else {}, answer, codec)
            return answer

    def keep(
        self,
        inputs: Inputs,
        key: str,
        version: str,
        answer: _Answer,
        noted: Mapping[Input, Value],
        codec: Codec[_Answer],
    ) -> None:
        """Keep an answer with inputs that are known, without a view."""
        entry = self._entry(key, version)
        with Acquired(entry.lock):
            _take(entry, inputs, noted, answer, codec)

    def derive_part(
        self,
        inputs: Inputs,
        key: str,
        version: str,
        function: Callable[[View], _Answer],
        codec: tuple[Callable[[_Answer], bytes], Callable[[bytes], _Answer]],
    ) -> tuple[_Answer, dict[Input, Value]]:
        """Return a part of another answer, kept by itself, with its inputs."""
        found = self.derive(inputs, key, version, function, Codec(*codec))
        return found, self.noted(key, version)

    def is_current(self, inputs: Inputs, key: str, version: str) -> bool:
        """Whether an answer is known and all its inputs are unchanged."""
        entry = self._entry(key, version)
        with Acquired(entry.lock):
            if not entry.is_known or not _are_same(inputs, entry.always):
                return False
            if (entry.number and entry.number == inputs.number) or entry.scanned == {}:
                return True
            tree = inputs.value(TREE, "")
            if entry.tree != tree:
                if not self._is_unchanged(inputs, key, entry):
                    return False
                if isinstance(tree, str):
                    entry.tree, entry.has_moved = tree, True
            entry.number = inputs.number
            return True

    def _is_unchanged(self, inputs: Inputs, key: str, entry: _Entry) -> bool:
        """Whether inputs that the digest of another tree covers are unchanged."""
        edits = self.edits(inputs) if not entry.number else None  # else compared here, after another tree
        if edits is None or edits.since != entry.tree:
            scanned = self._scanned(key, entry)
            return scanned is not None and _are_same(inputs, scanned)
        try:
            scanned = entry.scanned
            if scanned is None:
                with self._lock:
                    packed = self._file.part(key, _SCANNED)
                scanned = inputs_of_edits(packed or b"", edits.paths)
        except (TypeError, ValueError, RecursionError):
            return False
        return all(edits.is_same(each, value) for each, value in scanned.items())

    def edits(self, inputs: Inputs) -> Edits | None:
        """Return the edits since the last whole check, None if unknown."""
        known = self._edits
        if known is None or known[0] != inputs.number or not inputs.number:
            from assetdb.memo.edits import edits_since  # noqa: PLC0415 - where nothing changed it is not needed

            known = self._edits = inputs.number, edits_since(inputs, self.get(_TREE))
        return known[1]

    def put_tree(self, inputs: Inputs) -> None:
        """Keep the tree, since which :meth:`edits` tells the edits."""
        from assetdb.memo.edits import packed_tree  # noqa: PLC0415 - the same

        packed = packed_tree(inputs)
        if packed is not None:
            self.put(_TREE, packed)

    def changed(self, inputs: Inputs, key: str, version: str) -> set[Input] | None:
        """Return changed inputs of an answer, None if they are unknown."""
        entry = self._entry(key, version)
        with Acquired(entry.lock):
            scanned = self._scanned(key, entry)
            if not entry.is_known or scanned is None:
                return None
            noted = {**entry.always, **scanned}
        return {each for each, value in noted.items() if value == RACY or value != inputs.value(*each)}

    def noted(self, key: str, version: str, *, scanned: bool = True) -> dict[Input, Value]:
        """Return the inputs of an answer that was derived, with their values.

        Without ``scanned``, those alone that the digest of the tree does not cover.
        """
        entry = self._entry(key, version)
        with Acquired(entry.lock):
            return {**entry.always, **((self._scanned(key, entry) or {}) if scanned else {})}

    def uncovered(self, answers: Iterable[tuple[str, str]]) -> dict[Input, Value]:
        """Return inputs of some answers that no digest of the tree covers.

        Args:
            answers: key and version of each.
        """
        found: dict[Input, Value] = {}
        for key, version in answers:
            inherit(found, self.noted(key, version, scanned=False))
        return found

    def csharp_uses(self, key: str, version: str) -> set[Input] | None:
        """Return inputs of an answer that edits of C# may change.

        None if they are uncertain.
        """
        entry = self._entry(key, version)
        with Acquired(entry.lock):
            if not entry.is_known or RACY in entry.always.values():
                return None
            if entry.scanned is not None:
                return csharp_uses(entry.scanned)
            with self._lock:
                packed = self._file.part(key, _SCANNED)
        try:
            return packed_csharp_uses(packed or b"")
        except (TypeError, ValueError, RecursionError):
            return None

    def latest(self, key: str, version: str, codec: Codec[_Answer]) -> _Answer | None:
        """Return the last answer, maybe stale, to continue from."""
        entry = self._entry(key, version)
        with Acquired(entry.lock):
            found: _Answer | None = entry.answer if self._is_decoded(key, entry, codec) else None
            return found

    def digest(self, inputs: Inputs, key: str, version: str) -> str:
        """Return a digest of a current answer, ``""`` if there is none."""
        entry = self._entry(key, version)
        with Acquired(entry.lock):
            if not self.is_current(inputs, key, version):
                return ""
            if not entry.digest and entry.codec is not None:
                self._encode(entry)
                if not self.is_held:  # nothing is written soon: a daemon would have all answers twice
                    entry.packed = None
            return entry.digest

    @staticmethod
    def _encode(entry: _Entry) -> bytes | None:
        """Return an answer as the file has it, None if unwritable."""
        if entry.packed is None and entry.codec is not None and entry.answer is not None:
            try:
                entry.packed = entry.codec.encode(entry.answer)
            except ValueError:
                return None
            entry.digest = _digest_of(entry.packed)
        return entry.packed

    def is_known(self, key: str, version: str) -> bool:
        """Whether there is an answer, maybe a stale one."""
        return self._entry(key, version).is_known

    def handed(self) -> Handed:
        """Return the answers of this process, for :meth:`take`."""
        with self._lock:
            self._pack_answers()
            return self._contents.handed(), self._facts.handed(), self._file.changed()

    def take(self, handed: Handed) -> None:
        """Take the answers that another process has derived from the same inputs.

        Answers that this one has derived itself stay.
        """
        known, facts, answers = handed
        with self._lock:
            self._contents.take(known)
            self._facts.take(facts)
            derived = {key for key, entry in self._entries.items() if not entry.is_written}.union(self._file.changed())
            for key in answers.keys() - derived:
                self._entries.pop(key, None)
                self._file.put(key, answers[key])

    def held(self, prefix: str) -> dict[str, Any]:
        """Return answers in memory with a prefix, the last used one last."""
        with self._lock:
            return {
                key: entry.answer
                for key, entry in self._entries.items()
                if entry.answer is not None and key.startswith(prefix)
            }

    def forget(self, keys: Iterable[str]) -> None:
        """Forget answers in memory, to make room, and the last edits."""
        with self._lock:
            self._edits = None
            for key in keys:
                self._entries.pop(key, None)

    def get(self, key: str) -> bytes | None:
        """Return the value that any process last put under a key."""
        with self._lock:
            return self._file.newest(key)

    def kept(self, key: str) -> bytes | None:
        """Return an encoded answer in the file, even a stale one."""
        with self._lock:
            return self._file.part(key, _VALUE)

    def put(self, key: str, value: bytes) -> None:
        """Keep a value under a key with all its inputs, for :meth:`write`."""
        with self._lock:
            self._file.put(key, [value])
            self._is_due = True

    def keys(self, prefix: str) -> list[str]:
        """Return the keys with a prefix, those written longest ago first."""
        with self._lock:
            return [key for key in self._file.keys() if key.startswith(prefix)]  # noqa: SIM118 - it is no dictionary

    def bound(self, prefix: str, most: int) -> None:
        """Remove the oldest entries with a prefix until few enough are left."""
        with self._lock:
            self._file.bound(prefix, most)

    def write_if_due(self) -> None:
        """Write changes, once in a process and after each :meth:`put`.

        A daemon has its answers in memory, and does not write twenty megabytes after each edit.
        """
        if self._is_due and not self.is_held:
            self.write()

    def write(self, *, answers: bool = True) -> bool:
        """Write changes; return whether that worked, else answers are derived again.

        Without ``answers``, only what was put.
        """
        if self.is_held or self.is_fleeting:
            self._is_due = True
            return True
        with self._lock:
            if answers:
                self._is_due = False
                self._pack()
            is_changed = self._file.is_changed
            if not self._file.write():
                return False
            if self._root and has_shared_folder():
                shared = self._find_shared()
                if shared is not None and shared.wants_derived(self._path, cache.FILE_NAME, is_changed=is_changed):
                    shared.publish(self._path)
            return True

    @property
    def shared_problems(self) -> list[tuple[str, str]]:
        """Problems with shared answers: a path and a message each."""
        return self._shared.problems if self._shared is not None else []

    def _shared_file(self) -> str:
        """Return the newest shared file of answers, or ``""``."""
        if not (self._root and has_shared_folder()):
            return ""
        shared = self._find_shared()
        return (shared.newest(MEMO_NAME, str) if shared is not None else None) or ""

    def _find_shared(self) -> SharedFacts | None:
        from assetdb.store.shared_facts import shared_facts  # noqa: PLC0415 - most users share nothing

        self._shared = self._shared or shared_facts(self._root)
        return self._shared

    def _pack(self) -> None:
        """Mark all answers missing in the file for writing."""
        if self._contents.is_changed:
            self._contents.is_changed = False
            try:  # noqa: SIM105 - contextlib takes time that an unchanged check does not have
                self._file.put(_CONTENTS, [self._contents.packed()])
            except ValueError:  # a name that is not text
                pass
        for name, packed in self._facts.changed():
            self._file.put(name, [packed])
        self._pack_answers()

    def _pack_answers(self) -> None:
        is_due = any(not entry.is_written for entry in self._entries.values()) or self._file.is_changed
        for key, entry in self._entries.items():
            # A digest alone is not worth writing twenty megabytes.
            if (not entry.is_written or (is_due and entry.has_moved)) and entry.lock.acquire(blocking=False):
                try:
                    self._put(key, entry)
                finally:
                    entry.lock.release()

    # --- entries

    def _entry(self, key: str, version: str) -> _Entry:
        """Return the entry of a key, which may have no answer."""
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is None or entry.version != version:
                entry = self._read(key, version)
            self._entries[key] = entry  # in order of use
            return entry

    def _read(self, key: str, version: str) -> _Entry:
        entry = _Entry(version)
        try:
            known, tree, digest, always = unpacked_head(self._file.part(key, _HEAD) or b"")
        except (TypeError, ValueError):
            return entry
        if known == version:
            entry.tree, entry.digest, entry.always = tree, digest, always
            entry.scanned, entry.is_known = None, True
        return entry

    def _scanned(self, key: str, entry: _Entry) -> dict[Input, Value] | None:
        """Return inputs covered by the tree's digest, None if damaged."""
        if entry.scanned is None:
            with self._lock:
                packed = self._file.part(key, _SCANNED)
            try:
                entry.scanned = unpacked_scanned(packed) if packed is not None else None
            except (TypeError, ValueError, RecursionError):
                return None
        return entry.scanned

    def _is_decoded(self, key: str, entry: _Entry, codec: Codec[Any] | None) -> bool:
        """Whether an answer is in memory, after reading it."""
        if entry.is_known and entry.answer is None and codec is not None:
            packed = self.kept(key)
            try:
                entry.answer, entry.codec = (None if packed is None else codec.decode(packed)), codec
            except (ValueError, TypeError, LookupError, OverflowError, MemoryError):
                return False
        return entry.answer is not None

    def _put(self, key: str, entry: _Entry) -> None:
        """Mark an entry for writing, if possible."""
        if entry.is_written:  # only the tree is another one: nothing is encoded again
            packed, value = self._file.part(key, _SCANNED), self.kept(key)
        else:
            scanned = self._scanned(key, entry)
            packed = packed_scanned(scanned) if scanned is not None else None
            value = self.kept(key) if entry.answer is None else None
        if not entry.is_written and entry.codec is not None and entry.answer is not None:
            value = self._encode(entry)
        entry.packed = None
        if value is not None and packed is not None:
            head = packed_head(entry.version, entry.tree, entry.digest, entry.always)
            self._file.put(key, [head, packed, value])
        entry.is_written, entry.has_moved = True, False


def memo_of(project: Snapshot) -> Memo:
    """Return a project's memo, one for all snapshots of a daemon."""
    found = project.memory.get(_MEMORY)
    if found is None:
        found = project.memory.setdefault(_MEMORY, Memo(project.folder, project.root))
    if not isinstance(found, Memo):
        raise TypeError("the entry of the memo is not one")
    return found


def _are_same(inputs: Inputs, noted: Mapping[Input, Value]) -> bool:
    """Whether inputs certainly have the recorded values."""
    return all(value != RACY and value == inputs.value(*key) for key, value in noted.items())


def _take(
    entry: _Entry, inputs: Inputs, noted: Mapping[Input, Value], answer: _Answer, codec: Codec[_Answer] | None
) -> None:
    """Take an answer and its inputs.

    They are separated by whether the digest of the tree covers them. Where a covered one changed while the answer was
    made, the answer is for this scan alone: the scanned content may come back.
    """
    entry.answer, entry.codec, entry.digest, entry.packed = answer, codec, "", None
    entry.number = inputs.number
    entry.always, entry.scanned = {}, {}
    for key, value in noted.items():
        kind, argument = key
        is_scanned = inputs.is_scanned(argument) if kind in OF_FILES else kind in OF_TREE
        (entry.scanned if is_scanned else entry.always)[key] = value
    tree = inputs.value(TREE, "") if entry.scanned or entry.codec is not None else ""
    entry.tree = tree if isinstance(tree, str) and RACY not in entry.scanned.values() else ""
    entry.is_known = True
    entry.is_written = codec is None  # even if it is stale at once: the next one continues from it


def _digest_of(data: bytes) -> str:
    return digest_state(data, size=16).hexdigest()
