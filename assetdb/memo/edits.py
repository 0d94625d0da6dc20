"""Edits since a tree, after which most inputs are unchanged.

After an edit in one of unity-explorer's 5,023 scripts the inputs of all rules were compared, file by file, which took
longer than to find out which file had changed.
"""

from __future__ import annotations

import os
from functools import cached_property

from assetdb.memo import contents
from assetdb.memo.file import columns, split_columns
from assetdb.memo.inputs import CONTENT, IDENTITY, MARKS, OF_FILES, READ, REFERENCES, USERS
from assetdb.memo.script_facts import COMPARED
from assetdb.memo.script_facts import MARKS as MARKS_OF_SCRIPTS
from assetdb.memo.tree import is_named_unread
from assetdb.scan.content_id import digest_state
from assetdb.scan.directory import SLASH
from assetdb.system.identity import PACKED_RACY, RACY

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

    from assetdb.memo.inputs import Input, Inputs, Value
    from assetdb.memo.tree import Tree

_SCRIPT: Final = ".cs"
_SIZE: Final = len(PACKED_RACY)  # bytes of an identity
_MOST: Final = 20
"""Number of edited files beyond which every input is compared by itself."""


class Edits:
    """The files that were edited since a tree; none came or went.

    Attributes:
        since: the digest of the tree before the edits.
        paths: of the edited files, relative to the project.
        are_of_scripts: whether all edited files are C# files with a meta.
    """

    def __init__(self, inputs: Inputs, since: str, before: dict[str, int], *, are_of_scripts: bool) -> None:
        """Take edits.

        Args:
            inputs: of the project now.
            since: the digest of the tree before the edits.
            before: by path, the identity that each edited file had.
            are_of_scripts: whether all edited files are C# files with a meta.
        """
        self._inputs = inputs
        self.since = since
        self.paths = frozenset(before)
        self.are_of_scripts = are_of_scripts
        self._contents = {path: inputs.known_content(path, identity) for path, identity in before.items()}
        self._same_facts: dict[Input, bool] = {}

    def is_same(self, key: Input, value: Value) -> bool:
        """Whether an input still has the value that it had before."""
        kind, argument = key
        if value == RACY:
            return False
        if kind in OF_FILES and argument not in self.paths:
            return True
        if self.are_of_scripts and kind in (READ, REFERENCES, USERS):
            return True
        if kind == MARKS and self._keep_marks(argument):
            return True
        return (kind in COMPARED and self._has_same_facts(key)) or value == self._inputs.value(kind, argument)

    def change_none_of(self, uses: str) -> bool:
        """Whether certainly no input changed that answers use.

        Args:
            uses: inputs of :func:`assetdb.memo.noted.csharp_uses`, joined by :func:`joined_uses`.
        """
        changed = self._changed_marks
        if changed is None or any(joined_uses([(MARKS, use)]) in uses for use in changed):
            return False
        for path in self.paths:
            if any(joined_uses([(kind, path)]) in uses for kind in (CONTENT, IDENTITY)):
                return False
            used = [key for key in ((kind, path) for kind in COMPARED) if joined_uses([key]) in uses]
            if not all(map(self._has_same_facts, used)):
                return False
        return True

    def _keep_marks(self, use: str) -> bool:
        """Whether certainly nothing changed in a use of marks."""
        from assetdb.memo.marks import is_unchanged  # noqa: PLC0415 - imported by what told the changes

        changed = self._changed_marks
        return changed is not None and is_unchanged(use, changed)

    @cached_property
    def _changed_marks(self) -> frozenset[str] | None:
        """Parts of uses of marks that may have changed, None if unknown."""
        from assetdb.memo.marks import uses_of_edits  # noqa: PLC0415 - without edited files it is not needed

        facts, changes = self._inputs.facts, []
        for path, content in self._contents.items():
            if not path.lower().endswith(_SCRIPT):
                continue
            before = facts.find(MARKS_OF_SCRIPTS, path, content) if content is not None else None
            data = self._bytes(path)
            if before is None or data is None:
                return None
            changes.append((path, before[0], MARKS_OF_SCRIPTS.extract(data)))
        return uses_of_edits(changes)

    def _has_same_facts(self, key: Input) -> bool:
        """Whether a file certainly has the facts that it had.

        Facts that are not kept are no proof: another process may have replaced the table.
        """
        found = self._same_facts.get(key)
        if found is None:
            kind, path = key
            content, data = self._contents[path], self._bytes(path)
            found = False
            if content is not None and data is not None:
                found = self._inputs.facts.is_same(COMPARED[kind], path, content, data)
            self._same_facts[key] = found
        return found

    def _bytes(self, path: str) -> bytes | None:
        data = self._inputs.project.read(path)
        return data if data is not None and len(data) <= contents.LARGEST else None


def joined_uses(uses: Iterable[Input]) -> str:
    """Return inputs as one text, in which each can be found.

    >>> joined_uses([("marks", "types")]) in joined_uses([("content", "a.cs"), ("marks", "types"), ("marks", "empty")])
    True
    """
    return "".join([f"\n{kind}\0{argument}\n" for kind, argument in uses])


def packed_tree(inputs: Inputs) -> bytes | None:
    """Return a tree for :func:`edits_since`, None if an edit could go unseen."""
    tree = inputs.tree
    if tree is None or tree.is_racy:
        return None
    return columns([tree.digest, tree.names, tree.identities, _digest_of_database(inputs)])


def edits_since(inputs: Inputs, packed: bytes | None) -> Edits | None:
    """Return the edits since a tree.

    None if files came or went, or more than twenty changed.
    """
    tree = inputs.tree
    if tree is None or packed is None:
        return None
    try:
        digest, names, identities, database = split_columns(packed)
    except ValueError:
        return None
    if names != tree.names or len(identities) != len(tree.identities):
        return None
    before: dict[str, int] = {}
    are_of_scripts = database == _digest_of_database(inputs)
    for path, identity, is_unread in _edited(tree, identities):
        before[path] = identity
        are_of_scripts = are_of_scripts and is_unread and path.lower().endswith(_SCRIPT)
        if len(before) > _MOST:
            return None
    return Edits(inputs, digest.hex(), before, are_of_scripts=are_of_scripts)


def _digest_of_database(inputs: Inputs) -> bytes:
    """Return a digest of all assets and references."""
    database = inputs.project.database
    return digest_state(database.fingerprint().encode() + database.digest_of_references(), size=16).digest()


def _edited(tree: Tree, before: bytes) -> Iterator[tuple[str, int, bool]]:
    """Yield files with other identities than before, or racy ones.

    Yields the path of each, the identity that it had, and whether it is an asset that is named without being read.
    """
    start = 0
    for path, directory in sorted(tree.listing.directories.items()):
        current = directory.identities
        if before[start : start + len(current)] != current or PACKED_RACY in current:
            for number, name in enumerate(directory.files.split(SLASH)):
                new = current[number * _SIZE : (number + 1) * _SIZE]
                old = before[start + number * _SIZE : start + (number + 1) * _SIZE]
                if new in (PACKED_RACY, b"") or new != old:
                    is_unread = number % 2 == 0 and number < 2 * directory.pair_count and is_named_unread(name)
                    identity = memoryview(old).cast("q")[0] if old else RACY
                    yield os.fsdecode(path + SLASH + name), identity, is_unread
        start += len(current)
