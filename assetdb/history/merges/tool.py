"""Merges by another program, as Unity's ``UnityYAMLMerge``.

Its exit code 0 says nothing (Unity's manual sets ``trustExitCode = false``), and without an answer it writes no file or
an empty one. So the file is looked at, too: a result that is no text of Unity, has conflict markers, or a fault of
structure that neither side has, is refused, and the caller merges by itself.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import Final

from assetdb.errors import FileError
from assetdb.settings.programs import find_program
from assetdb.system.reading import read_small
from assetdb.unity.merging.envelope import LARGEST, UnmergeableError, read_version, text_of
from assetdb.unity.merging.faults import new_faults

_SECONDS: Final = 300
_WORDS: Final = ("merge", "-h", "-p", "--force", "--fallback", "none")
"""No window, only what is certain, whatever the extension, and no other program for the rest."""


def merged_by(program: str, path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return three versions of a file as a program merges them.

    Args:
        program: its path, or a name on PATH.
        path: of the file, whose extension the program is given.
        base: the common ancestor.
        ours: one side.
        theirs: the other.

    Raises:
        FileError: it is not there, fails, or wrote nothing that can be used.
    """
    found = program if os.path.isabs(program) else find_program(program)
    if not found:
        raise FileError("is not on PATH")
    with tempfile.TemporaryDirectory(prefix="assetdb-") as folder:
        extension = os.path.splitext(path)[1]
        places = [os.path.join(folder, f"{name}{extension}") for name in ("base", "theirs", "ours", "merged")]
        for place, data in zip(places, (base, theirs, ours), strict=False):
            with open(place, "wb") as file:
                file.write(data)
        try:
            done = subprocess.run(
                [found, *_WORDS, *places],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
                cwd=folder,
            )
            if done.returncode:
                raise FileError(f"ended with exit code {done.returncode}")
            merged = read_small(places[-1], LARGEST)
        except FileNotFoundError:
            raise FileError("wrote no file" if os.path.exists(found) else "is not there") from None
        except subprocess.TimeoutExpired:
            raise FileError(f"takes more than {_SECONDS} seconds") from None
        except OSError as error:
            raise FileError(f"cannot be run: {error.strerror}") from error
    return _usable(merged, ours, theirs)


def _usable(merged: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return a merged file; FileError if it cannot be used."""
    if not merged:
        raise FileError("wrote an empty file")
    try:
        text, mine, other = (read_version(data) for data in (merged, ours, theirs))
    except UnmergeableError as error:
        raise FileError(f"wrote a file that {error.what}") from None
    whole = text_of(text)
    if text.objects and new_faults(whole, whole, mine, other):
        raise FileError("wrote a file with a fault that neither side has")
    return merged
