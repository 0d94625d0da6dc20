"""Names of files that another system cannot have.

They break the rules of Windows (reserved characters and names,
https://learn.microsoft.com/windows/win32/fileio/naming-a-file) and of git for Windows, which refuses a checkout with
such a path; of file systems that ignore case (NTFS, APFS); and of Linux, whose names have at most 255 bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_PATH: Final = 259
"""Characters of a path on Windows without the switch for long ones, a NUL not counted (MAX_PATH is 260)."""
USUAL_ROOT: Final = len("C:\\Users\\firstname.lastname\\source\\repos\\my-great-project\\")
"""Characters of a repository's folder on a developer's machine, with its last separator."""
_LONGEST_NAME: Final = 255  # bytes on Linux
_META: Final = ".meta"
_ODD: Final = re.compile(
    r'[\x00-\x1f:?*<>|"\\]|[. ]\Z|\A(?:con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³]) *(?:\.|\Z)',
    re.IGNORECASE,
)


def fault_of_name(name: str) -> str:
    """Return why another system cannot have a name, ``""`` if all can."""
    found = _ODD.search(name)
    if found is None:
        size = len(name.encode("utf-8", "surrogateescape"))
        if size > _LONGEST_NAME:
            return f"its name has {size} bytes, and Linux allows {_LONGEST_NAME}"
        size += len(_META)
        return (
            f"the name of its .meta has {size} bytes, and Linux allows {_LONGEST_NAME}" if size > _LONGEST_NAME else ""
        )
    if found.end() == len(name) and found[0] in (".", " "):
        return f"its name ends with a {'dot' if found[0] == '.' else 'space'}, which Windows does not allow"
    if len(found[0]) > 1:
        return f"{found[0].rstrip('. ').lower()} is the name of a device on Windows"
    if found[0] < " ":
        return f"its name has a control character (U+{ord(found[0]):04X}), which Windows does not allow"
    return f"its name has a {found[0]}, which Windows does not allow"


def may_be_odd(names: str) -> bool:
    """Whether names, joined by slashes, may be faulty: a coarse test."""
    if len(names) > _LONGEST_NAME - len(_META) or not names.isascii():  # a character has up to four bytes
        return True
    return _COARSE.search(names) is not None


_COARSE: Final = re.compile(
    r'[\x00-\x1f:?*<>|"\\]|[. ](?:/|\Z)|(?:/|\A)(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])', re.IGNORECASE
)


def twins(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return groups of names that differ in case or form alone."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(normalize("NFC", normalize("NFC", name).casefold()), []).append(name)
    return [tuple(sorted(group)) for group in groups.values() if len(group) > 1]
