"""``ProjectSettings/ProjectVersion.txt``: the editor that a project was last opened with."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

VERSION_FILE: Final = "ProjectSettings/ProjectVersion.txt"
"""The file, relative to the project."""

Version = tuple[int, int]
"""Major and minor version of the editor, such as ``(2021, 3)``."""
OLDEST: Final[Version] = (0, 0)
NEWEST: Final[Version] = (9999, 9)

FIRST_WITHOUT_LIBYAML: Final = "2019.3"
_KEY: Final = b"m_EditorVersion:"
_WRITTEN: Final = _KEY + b" "
_LONGEST: Final = 80
_MOST_DIGITS: Final = 4
_LENGTH: Final = 2


def editor_version(data: bytes) -> str:
    """Return a version such as ``2021.3.4f1``, or ``""``."""
    for line in data.splitlines():
        if line.startswith(_KEY):
            return line.removeprefix(_KEY).strip()[:_LONGEST].decode("utf-8", "replace")
    return ""


def unity_version(text: bytes) -> Version:
    """Return the version of a ``ProjectVersion.txt``, or the newest."""
    for line in text.split(b"\n"):
        if line.startswith(_WRITTEN):
            numbers = line.removeprefix(_WRITTEN).split(b".", 2)[:-1]
            if len(numbers) == _LENGTH and all(number.isdigit() and len(number) <= _MOST_DIGITS for number in numbers):
                return int(numbers[0]), int(numbers[1])
    return NEWEST


def version_of(text: str) -> Version:
    """Return a version of its major and minor number, such as ``2019.3``."""
    major, minor = text.split(".")
    return int(major), int(minor)


def reads_by_libyaml(text: bytes) -> bool:
    """Whether the editor of a ``ProjectVersion.txt`` reads text with libyaml.

    From 2019.3 on Unity has a reader of its own, which refuses less and other things.
    """
    return unity_version(text) < version_of(FIRST_WITHOUT_LIBYAML)
