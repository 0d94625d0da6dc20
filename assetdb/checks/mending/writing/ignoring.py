"""The journal in git: ignored before its first byte.

A journal that was committed by accident would take back changes in every clone, and one that somebody made would write
any file there. Patterns go to the file that git names for a repository's own, which no commit contains: it serves
worktrees, submodules, and projects below the top of a repository.
"""

from __future__ import annotations

import os
from typing import Final

from assetdb.errors import FileError
from assetdb.history.git.questions import folder_with_git, output_of
from assetdb.settings.project import JOURNAL_NAME, SET_ASIDE
from assetdb.system.reading import read_small
from assetdb_formats.atomic import rewrite_file
from assetdb_formats.files import words_of

PATTERNS: Final = (f"{JOURNAL_NAME}*", f".*{JOURNAL_NAME}*.temporary", f".*{SET_ASIDE.decode()}")
"""The journal with its lock, temporary files of it, and files that are set aside until they are removed."""
_TITLE: Final = "# assetdb: a change of several files in progress"
_TIMEOUT: Final = 5.0
_LARGEST: Final = 1 << 20


def ignore_journal(root: str) -> str:
    """Let git ignore a change in progress; return why it cannot.

    Nothing is to be done outside of a repository.
    """
    if not folder_with_git(root):
        return ""
    named = output_of(root, ("rev-parse", "--git-path", "info/exclude"), _TIMEOUT)
    if not named or not named.strip():
        return f"git does not say where it keeps its own patterns: {_advice()}"
    path = os.path.join(root, named.removesuffix("\n"))
    try:
        if os.path.islink(path):
            return f"{path} is a link: {_advice()}"
        before = read_small(path, _LARGEST) if os.path.lexists(path) else b""
        lines = before.decode("utf-8", "surrogateescape").splitlines()
        missing = [pattern for pattern in PATTERNS if pattern not in lines]
        if missing:
            end = "" if before.endswith(b"\n") or not before else "\n"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            rewrite_file(path, [before, "\n".join([f"{end}{_TITLE}", *missing, ""]).encode()])
    except (OSError, FileError) as error:
        return f"{path}: {words_of(error)}: {_advice()}"
    return ""


def is_tracked(root: str) -> bool:
    """Whether git tracks the journal, so that it came with a commit."""
    if not folder_with_git(root):
        return False
    return bool(output_of(root, ("ls-files", "--", f":(literal){JOURNAL_NAME}"), _TIMEOUT))


def _advice() -> str:
    return f"git does not ignore {JOURNAL_NAME} while files are changed; do not commit it"
