"""What a project's files have wrong with them: stable codes, where, and what to do."""

from __future__ import annotations

from typing import NamedTuple


class Diagnostic(NamedTuple):
    """One finding about one file of a project.

    Attributes:
        code: a stable name such as ``duplicate-guid``; never reworded once released.
        path: the file or folder, relative to the project, with ``/``.
        line: 1-based line, or 0 where no line is to blame.
        message: what is wrong, with what is needed to find it (the other path, both GUIDs).
        advice: what to do about it.
        fatal: whether the database would be ambiguous, so that a bake fails without ``--keep-going``.
    """

    code: str
    path: str
    line: int
    message: str
    advice: str
    fatal: bool = False

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.code}: {self.message} ({self.advice})"
