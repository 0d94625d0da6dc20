"""The scans of a reconciler: each reads files once.

:meth:`Scan.run` may be called in a thread; :meth:`Scan.failed` and :meth:`Scan.ended` are called by the loop.
"""

from __future__ import annotations

from assetdb.daemon.reconciling.pending import ASKED

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.daemon.reconciling.failures import Failures
    from assetdb.daemon.reconciling.pending import Pending
    from assetdb.daemon.reconciling.saver import Saver
    from assetdb.daemon.reconciling.schedule import Schedule
    from assetdb.daemon.reconciling.watch import Watch
    from assetdb.daemon.reconciling.work import Outcome
    from assetdb.daemon.session import Session
    from assetdb.workspace.workspace import Update

_AGAIN: Final = "files are watched again"
_MOVED: Final = "the output folder has moved"


class Scan:
    """One reading of files, with the work that follows it.

    Attributes:
        counted: name of its count in the status; ``""`` if it is not counted.
        reason: why everything is scanned, or ``""``.
        tells_all: whether it is told also if nothing changed.
    """

    counted = ""
    reason = ""
    tells_all = True

    def run(self) -> Update | None:
        """Read the files.

        Raises:
            AssetdbError: the project is not as it should be.
            OSError: a file cannot be read.
        """
        raise NotImplementedError

    def failed(self) -> None:
        """Have the files read again, unless a later scan does it."""

    def ended(self, outcome: Outcome, update: Update | None) -> None:
        """Finish, after a failure, too; ``update`` is None then."""


class ChangedDirectories(Scan):
    """Reads the directories that an observer reported."""

    counted = "updates"

    def __init__(
        self, session: Session, pending: Pending, schedule: Schedule, directories: set[bytes], *, packages: bool
    ) -> None:
        """Take directories; with ``packages``, those outside the project are read first."""
        self._session = session
        self._pending = pending
        self._schedule = schedule
        self._directories = directories
        self._packages = packages

    def run(self) -> Update | None:
        """Read packages, then the directories, if there are any."""
        if self._packages:
            self._session.refresh_packages()
        return self._session.update(self._directories) if self._directories else None

    def failed(self) -> None:
        """Mark the directories again."""
        self._pending.mark(self._directories)

    def ended(self, outcome: Outcome, update: Update | None) -> None:  # noqa: ARG002 - a failed scan costs time, too
        """Pause in proportion to the cost."""
        self._schedule.updated(outcome.began, outcome.ended)


class LinkedDirectories(Scan):
    """Reads the directories behind links, which have no events."""

    tells_all = False

    def __init__(self, session: Session, pending: Pending) -> None:
        self._session = session
        self._pending = pending
        self._directories = set(session.through_links())

    def run(self) -> Update:
        """Read packages on this disk, then the directories."""
        if self._session.has_local_packages:
            self._session.refresh_packages()
        return self._session.update(self._directories)

    def failed(self) -> None:
        """Mark the directories as if an event had told of them."""
        self._pending.mark(self._directories)


class _OfProject(Scan):
    """A scan of the whole project."""

    counted = "reconciles"

    def __init__(self, session: Session, pending: Pending, schedule: Schedule, watch: Watch) -> None:
        self._session = session
        self._pending = pending
        self._schedule = schedule
        self._watch = watch

    def _follow_folder(self, update: Update | None) -> None:
        """Watch an output folder that has moved, and read everything again."""
        if update is not None and self._watch.follow_folder():
            self._pending.mark_everything(_MOVED)


class Everything(_OfProject):
    """Reads the whole project, since events may be lost."""

    def __init__(
        self, session: Session, pending: Pending, schedule: Schedule, watch: Watch, reason: str, *, packages: bool
    ) -> None:
        """Take the reason; with ``packages``, those outside are read first."""
        super().__init__(session, pending, schedule, watch)
        self.reason = reason
        self._packages = packages

    def run(self) -> Update:
        """Read packages, then the project."""
        if self._packages:
            self._session.refresh_packages()
        # Without events, packages are searched again when their list changes.
        return self._session.reconcile(elsewhere=self.reason != ASKED)

    def failed(self) -> None:
        """Keep the reason."""
        self._pending.mark_everything(self.reason)

    def ended(self, outcome: Outcome, update: Update | None) -> None:
        """Follow an output folder that has moved; pause by the cost."""
        self._follow_folder(update)
        self._schedule.updated(outcome.began, outcome.ended)


class Poll(_OfProject):
    """Reads the whole project because time has passed: there are no events."""

    def __init__(
        self, session: Session, pending: Pending, schedule: Schedule, watch: Watch, saver: Saver, failures: Failures
    ) -> None:
        super().__init__(session, pending, schedule, watch)
        self._saver = saver
        self._failures = failures

    def run(self) -> Update:
        """Read the project; packages are searched when a client asks."""
        return self._session.reconcile(elsewhere=False)

    def ended(self, outcome: Outcome, update: Update | None) -> None:
        """Plan the next poll; try again to watch now and then."""
        self._follow_folder(update)
        next_poll = self._schedule.poll_at(outcome.ended, outcome.ended - outcome.began)
        self._watch.poll_at = max(next_poll, self._failures.retry_at or 0.0)
        if update is not None and self._watch.may_be_retried(outcome.ended):
            self._pending.mark_everything(_AGAIN if self._watch.retry() else ASKED)
        self._saver.mark_if_saved(outcome.ended)
