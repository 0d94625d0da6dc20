"""Write files whose names come from an untrusted container: none leaves its folder."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from typing import TYPE_CHECKING, Final

from assetdb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

# What Windows cannot store or takes for something else; refused everywhere: an extraction is the same on every system.
_FORBIDDEN: Final = re.compile(r'[\x00-\x1f<>:"|?*\\\x7f]')
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_LONGEST: Final = 255


class UnsafeNameError(UsageError):
    """A name that would leave its folder, or that some file system takes for another."""


def relative_name(path: str) -> str:
    """Return a container's path as one below the target folder: mount points begin with ``../../../``, which goes.

    Raises:
        UnsafeNameError: it is absolute, has ``..`` inside, or a part that a file system cannot store.
    """
    if path.startswith("/"):
        raise UnsafeNameError(f"{path!r} is an absolute path")
    parts = path.split("/")
    while parts and parts[0] == "..":
        del parts[0]
    if not parts:
        raise UnsafeNameError(f"{path!r} names no file")
    for part in parts:
        if part in ("", ".", ".."):
            raise UnsafeNameError(f"{path!r} has {part!r} inside")
        if _FORBIDDEN.search(part) or _DEVICES.fullmatch(part) or part[-1] in ". " or len(part.encode()) > _LONGEST:
            raise UnsafeNameError(f"{path!r} has a part that is not a portable file name")
        if not part.isprintable():
            raise UnsafeNameError(f"{path!r} has characters that cannot be shown")
    return "/".join(parts)


class TargetFolder:
    """A folder that files are extracted into."""

    def __init__(self, path: str) -> None:
        """Make the folder if need be."""
        os.makedirs(path, exist_ok=True)
        self._root = os.path.realpath(path)
        self._spellings: dict[str, str] = {}

    def write(self, name: str, pieces: Iterable[bytes]) -> int:
        """Write a file below the folder and return its size; it appears whole or not at all.

        Raises:
            UnsafeNameError: see `relative_name`; or the name differs from an earlier one only in case; or a link that
                was there before leads out of the folder.
        """
        relative = relative_name(name)
        spelling = folded = ""
        for part in relative.split("/"):  # folders too: `Maps/a` and `maps/b` are one folder elsewhere
            spelling = f"{spelling}/{part}"
            folded = f"{folded}/{part.casefold()}"
            if self._spellings.setdefault(folded, spelling) != spelling:
                raise UnsafeNameError(f"{relative!r} differs from {self._spellings[folded][1:]!r} only in case")
        target = os.path.join(self._root, *relative.split("/"))
        folder = os.path.dirname(target)
        os.makedirs(folder, exist_ok=True)
        real = os.path.realpath(folder)
        if real != self._root and not real.startswith(os.path.join(self._root, "")):
            raise UnsafeNameError(f"{relative!r} lies behind a link that leaves {self._root}")
        size = 0
        temporary = os.path.join(folder, f".assetdb-{secrets.token_hex(8)}")
        try:
            with open(temporary, "xb") as file:
                for piece in pieces:
                    file.write(piece)
                    size += len(piece)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
        return size
