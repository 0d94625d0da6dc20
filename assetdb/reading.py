"""Files of a project, read whole; what cannot be read is absent."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_LARGEST_FILE: Final = 1 << 30


def read_file(path: str) -> bytes | None:
    """Return the first GiB of a file, or None where there is none that may be read."""
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST_FILE)
    except OSError:
        return None
