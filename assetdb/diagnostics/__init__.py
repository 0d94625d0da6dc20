"""Diagnostics: defects of files with code, place and advice."""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final


STAND_ALONE: Final = ("orphan-meta", "missing-directory")
"""The codes of metas without a file or folder, which some questions count as assets nevertheless."""
NOT_SHARED: Final = "facts-not-shared"
"""The code of a run in which facts could not be shared; it concerns no file of a project."""
_FIELD: Final = "\x1f"
_MOST_OTHERS: Final = 3


class Diagnostic(NamedTuple):
    """One finding about one file of a project.

    Attributes:
        code: one of :data:`assetdb.diagnostics.codes.CODES`, such as ``duplicate-guid``.
        path: the file or folder, relative to the project, with ``/``.
        line: 1-based line, or 0 for the file as a whole.
        message: the problem, with other paths or GUIDs that are needed to find it.
        since: the first version of Unity for which it is a problem, such as ``2019.3``; ``""`` for all.
    """

    code: str
    path: str
    line: int
    message: str
    since: str = ""

    @property
    def fatal(self) -> bool:
        """Whether the database would be ambiguous: a bake needs ``--keep-going``."""
        from assetdb.diagnostics.codes import CODES  # noqa: PLC0415 - most bakes find nothing

        return CODES[self.code].ambiguous

    @property
    def advice(self) -> str:
        """The remedy, in one line."""
        from assetdb.diagnostics.codes import CODES  # noqa: PLC0415 - most bakes find nothing

        return CODES[self.code].advice

    def fields(self) -> dict[str, object]:
        """Return the diagnostic for JSON."""
        own = {"code": self.code, "path": self.path, "line": self.line, "message": self.message}
        return {**own, "advice": self.advice, "fatal": self.fatal}

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.code}: {self.message} ({self.advice})"


def others(paths: Sequence[str], own: str) -> str:
    """Return a few other paths as text, and how many more."""
    # No more are examined: if a generator gave 12,000 assets one GUID, each would name 11,999, a gigabyte in all.
    named = [path for path in paths[: _MOST_OTHERS + 1] if path != own][:_MOST_OTHERS]
    left = len(paths) - 1 - len(named)
    return " and ".join([*named, *([f"{left:,} more"] if left > 0 else [])]) or own


def encode(diagnostics: list[Diagnostic]) -> bytes:
    """Pack diagnostics for the cache, one a line."""
    return "\n".join(
        _FIELD.join((d.code, _one_line(d.path), str(d.line), _one_line(d.message), d.since)) for d in diagnostics
    ).encode()


def decode(packed: bytes) -> list[Diagnostic]:
    """Unpack the result of :func:`encode`."""
    found = []
    for row in packed.decode().split("\n") if packed else ():
        code, path, line, message, since = row.split(_FIELD)
        found.append(Diagnostic(code, path, int(line), message, since))
    return found


def _one_line(text: str) -> str:
    return text.replace("\n", "\ufffd").replace(_FIELD, "\ufffd")
