"""A plan in the making: contents of files before and after.

Each file is read once, and through no link.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.codes import MISSING
from assetdb.checks.mending.plan import Edit, Fix, Plan, Proposal
from assetdb.checks.mending.writing.safe_files import reached
from assetdb.checks.placeholder_guids import is_placeholder
from assetdb.errors import MendingError
from assetdb.history.moved_files import ignored
from assetdb.settings.project import META

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_GUID_BYTES: Final = 16


class Draft:
    """The edits, fixes and proposals of a plan, so far.

    Attributes:
        root: the project, absolute.
    """

    def __init__(self, root: str, known: Callable[[str], bool] = lambda _: False) -> None:
        """Begin an empty plan; ``known`` returns whether a GUID is taken."""
        self.root = root
        self._known = known
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}
        self._fixes: list[Fix] = []
        self._proposals: list[Proposal] = []
        self._given: set[str] = set()

    def read(self, path: str) -> bytes | None:
        """Return the planned bytes of a file, None for none.

        Raises:
            MendingError: it is reached through a link, is a link, or not a file.
            OSError: it cannot be read.
        """
        if path in self._after:
            return self._after[path]
        if path not in self._before:
            try:
                with reached(self.root, path) as place:
                    self._before[path] = place.read()
            except (FileNotFoundError, NotADirectoryError):
                self._before[path] = None
        return self._before[path]

    def has_content(self, path: str) -> bool:
        """Whether a file will exist; a folder or device counts as one."""
        try:
            return self.read(path) is not None
        except (MendingError, OSError):
            return True

    def write(self, path: str, data: bytes | None) -> None:
        """Plan new bytes for a file, or (None) its removal.

        Raises:
            MendingError: it is reached through a link, is a link, not a file, or read-only.
        """
        self.read(path)
        if self._before[path] is not None and data is not None:
            with reached(self.root, path) as place:
                status = place.status()
            if status is not None and not status.st_mode & 0o222:
                raise MendingError(f"{path}: is read-only; check it out of version control, or make it writable")
        self._after[path] = data

    def write_all(self, files: Iterable[tuple[str, bytes | None]]) -> None:
        """Plan new bytes for several files: for all, or none.

        Raises:
            MendingError: as :meth:`write`.
        """
        before = dict(self._after)
        try:
            for path, data in files:
                self.write(path, data)
        except (MendingError, OSError):
            self._after = before
            raise

    def new_guid(self) -> str:
        """Return a random GUID that nothing has, unlike a typed one."""
        while True:
            guid = os.urandom(_GUID_BYTES).hex()
            if not (guid in self._given or is_placeholder(guid) or self._known(guid)):
                self._given.add(guid)
                return guid

    def take_guid(self, guid: str) -> bool:
        """Reserve a GUID for an asset, unless another has it."""
        if guid in self._given:
            return False
        self._given.add(guid)
        return True

    def is_given(self, guid: str) -> bool:
        """Whether an asset gets a GUID by this plan."""
        return guid in self._given

    def mend(self, code: str, path: str, what: str) -> None:
        """Record the fix of a finding."""
        self._fixes.append(Fix(code, path, what))

    def propose(self, code: str, path: str, message: str) -> None:
        """Leave a finding to a person."""
        self._proposals.append(Proposal(code, path, message.removeprefix(f"{path}: ")))  # an error also names the path

    def has_proposal(self, path: str, word: str) -> bool:
        """Whether a proposal is about a path, or has a word."""
        return any(proposal.path == path or word in proposal.message for proposal in self._proposals)

    def plan(self) -> Plan:
        """Return the plan so far.

        A new meta that git ignores mends nothing for anybody else: it is written, and left to a person.
        """
        made = {fix.path: f"{fix.path}{META}" for fix in self._fixes if fix.code == MISSING}
        hidden = ignored(self.root, list(made.values())) if made else set()
        unseen = [fix for fix in self._fixes if made.get(fix.path) in hidden]
        for fix in unseen:
            self._fixes.remove(fix)
            self.propose(fix.code, fix.path, f"{fix.what}, which git ignores: no clone has it until the rule goes")
        edits = [Edit(path, self._before[path], after) for path, after in sorted(self._after.items())]
        return Plan(
            tuple(edit for edit in edits if edit.before != edit.after),
            fixes=tuple(self._fixes),
            proposals=tuple(self._proposals),
        )
