"""``assetdb check``, which prints its last output again if nothing changed."""

from __future__ import annotations

import os
import sys

from assetdb.cli.asking import opened
from assetdb.cli.review.check_options import CheckOptions  # noqa: TC001 - the command line makes one, by the annotation
from assetdb.cli.terminal import columns, has_color, write_json_text
from assetdb.settings.project import JOURNAL_NAME
from assetdb_formats.processes import Uncollected

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final, TextIO

    from assetdb.query.snapshots.snapshot import Snapshot

_LARGEST: Final = 1 << 23
"""Characters of an output that is kept: a report of ten thousand findings as JSON."""
_REDRAWN: Final = "\r"
_SHOWN: Final = ("format", "json", "statistics", "quiet", "verbose", "select", "ignore", "baseline")
_JUDGED: Final = ("fail_on", "exit_zero", "strict")
_OF_CHANGES: Final = ("fix", "dry_run", "write_baseline", "staged", "since", "merge", "rev", "fetch")
_OF_ONE_RUN: Final = (*_OF_CHANGES, "output", "packages", "no_refresh", "in_daemon", "opened")


def check(options: CheckOptions, paths: list[str] | None = None) -> int:
    """Report findings of a project; 1 if something fails."""
    with Uncollected(wanted=not options.in_daemon):  # a daemon collects as it sees fit
        if paths or any(getattr(options, name) for name in _OF_ONE_RUN):
            return _check_files(options, paths or [])
        options.synced = False  # a check always looks at the files itself
        project = opened(options)
        if os.path.lexists(os.path.join(project.root, JOURNAL_NAME)):
            return _check_files(options, [], project)
        return _check_whole(options, project)


def _check_files(options: CheckOptions, paths: list[str], project: Snapshot | None = None) -> int:
    from assetdb.cli.review.checking import check_files  # noqa: PLC0415 - an output that is printed again needs none of it

    return check_files(paths, options, project)


def _check_whole(options: CheckOptions, project: Snapshot) -> int:
    """Print the output of a whole check, the last if unchanged."""
    from assetdb.checks.reports.kept import KeptOutput, Output  # noqa: PLC0415 - most checks of editors have paths

    given = [getattr(options, name) for name in (*_SHOWN, *_JUDGED)]
    terminal = columns(), columns(sys.stderr), has_color()
    kept = KeptOutput(project, repr((given, terminal)), options.baseline, options.cwd)
    found = kept.find()
    if found is not None:
        sys.stderr.write(found.notes)
        if options.shape == "json":
            write_json_text(found.text)
        else:
            sys.stdout.write(found.text)
        return found.code
    from assetdb.cli.review.checking import check_files  # noqa: PLC0415 - as above

    text, notes = _Recorded(sys.stdout), _Recorded(sys.stderr)
    sys.stdout, sys.stderr = text, notes  # all that is used of them is passed on
    try:
        with kept.written_once():
            code = check_files([], options, project, kept)
            if text.is_whole and notes.is_whole:
                kept.keep(Output(code, "".join(text.parts), "".join(notes.parts)))
    finally:
        sys.stdout, sys.stderr = text.stream, notes.stream
    return code


class _Recorded:
    """A stream that keeps a copy of all text.

    Attributes:
        stream: where it is written.
        parts: of the text.
        is_whole: whether the parts are all of it, and can be written again.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.parts: list[str] = []
        self.is_whole = True
        self._size = 0

    def write(self, text: str) -> int:
        """Write a text."""
        self._size += len(text)
        if self._size > _LARGEST or _REDRAWN in text:
            self.is_whole = False
            self.parts.clear()
        if self.is_whole:
            self.parts.append(text)
        return self.stream.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)
