"""Programs of the user, found by name.

Windows looks for a program in the working folder first, and so does ``shutil.which`` there: a ``git.exe`` that a
project brings would be run by a question about that project. Here only the folders of PATH count, and only those with
whole paths.
"""

from __future__ import annotations

import os
import shutil
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROOTS: Final = ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)", r"LocalAppData\Programs")
"""Variables, with a folder below, where installers of Windows put programs."""
_PLACES: Final = {"git": r"Git\cmd", "sh": r"Git\bin"}
"""Folders of Git for Windows, whose installer may leave PATH alone."""


def find_program(name: str) -> str:
    """Return the path of an installed program, or ``""``."""
    if os.name != "nt":
        return shutil.which(name) or ""
    return _on_windows(name, tuple((key, os.environ.get(key, "")) for key in ("PATH", *map(_variable, _ROOTS))))


def _variable(root: str) -> str:
    return root.partition("\\")[0]


@lru_cache(maxsize=16)
def _on_windows(name: str, surroundings: tuple[tuple[str, str], ...]) -> str:
    return next((path for path in candidates(name, dict(surroundings)) if os.path.isfile(path)), "")


def candidates(name: str, surroundings: Mapping[str, str]) -> list[str]:
    """Return where a program may be on Windows, by its environment."""
    folders = [folder.strip('"') for folder in surroundings.get("PATH", "").split(";")]
    if name in _PLACES:
        for root in _ROOTS:
            variable, _, below = root.partition("\\")
            above = surroundings.get(variable, "")
            if above:
                folders.append("\\".join(filter(None, (above.rstrip("\\"), below, _PLACES[name]))))
    return [f"{folder.rstrip(chr(92))}\\{name}.exe" for folder in folders if _is_whole(folder)]


def _is_whole(folder: str) -> bool:
    """Whether a path begins with a drive's root or a share."""
    return folder[1:3] in (":\\", ":/") or folder.startswith("\\\\")
