"""What a project's files have wrong with them: stable codes, where, and what to do."""

from __future__ import annotations

from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final


_FIELD: Final = "\x1f"


# What to do about each; the keys are all the codes there are.
ADVICE: Final = {
    "binary-asset": "nothing to do: it is typed from its header; switch on Force Text to make it readable",
    "case-mismatch": "rename one of the two: file systems that fold case join them, others do not",
    "conflict-markers": "resolve the merge; until then the first GUID of a meta is used, and both sides of an asset",
    "duplicate-guid": "give one of the two a new GUID: delete its .meta and let Unity write another",
    "duplicate-sub-asset": "reimport the asset, or remove one of the two rows",
    "empty-asset": "restore the file: it has no bytes",
    "guid-in-package": "give the asset a new GUID, or remove the copy: Unity takes one of the two",
    "invalid-file-name": "rename the file: its name is not UTF-8",
    "lfs-pointer": "run `git lfs pull`: the file's content is not here",
    "linked-directory": "nothing to do where it is there under another path; else allow it, or replace the link",
    "missing-directory": "delete the .meta, or restore the empty folder that git did not keep",
    "missing-meta": "open the project in Unity once, and commit the .meta that it writes",
    "no-file-locks": "nothing to do if no other version bakes here; else put the output on a local disk with --out-dir",
    "no-guid": "delete the .meta and let Unity write another; references to the old GUID are lost",
    "not-a-file": "remove it: it is a device, a pipe or a socket",
    "not-yaml": "nothing to do if it is meant to be: it is typed from its importer",
    "orphan-meta": "delete the .meta, or restore the asset",
    "package-too-large": "point the file: dependency at the package alone, or move it into the project",
    "sanitized-name": "rename the asset if the rewritten name is not wanted",
    "shared-name": "rename one of them: their folders cannot tell them apart",
    "too-large": "restore it if it is damaged: a .meta is read up to 32 MiB, an asset's text up to 512 MiB",
    "unreadable": "check the permissions",
}
# These make the database ambiguous: a bake fails after listing all problems, unless told to keep going.
FATAL: Final = frozenset({"duplicate-guid", "duplicate-sub-asset"})


class Diagnostic(NamedTuple):
    """One finding about one file of a project.

    Attributes:
        code: a stable name such as ``duplicate-guid``; never reworded once released.
        path: the file or folder, relative to the project, with ``/``.
        line: 1-based line, or 0 where no line is to blame.
        message: what is wrong, with what is needed to find it (the other path, both GUIDs).
    """

    code: str
    path: str
    line: int
    message: str

    @property
    def fatal(self) -> bool:
        """Whether the database would be ambiguous, so that a bake fails without ``--keep-going``."""
        return self.code in FATAL

    @property
    def advice(self) -> str:
        """What to do about it."""
        return ADVICE[self.code]

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.code}: {self.message} ({self.advice})"


def encode(diagnostics: list[Diagnostic]) -> bytes:
    """Pack diagnostics for the cache, one a line."""
    return "\n".join(
        _FIELD.join((d.code, _one_line(d.path), str(d.line), _one_line(d.message))) for d in diagnostics
    ).encode()


def decode(packed: bytes) -> list[Diagnostic]:
    """Unpack what :func:`encode` packed."""
    found = []
    for row in packed.decode().split("\n") if packed else ():
        code, path, line, message = row.split(_FIELD)
        found.append(Diagnostic(code, path, int(line), message))
    return found


def _one_line(text: str) -> str:
    return text.replace("\n", "\ufffd").replace(_FIELD, "\ufffd")
