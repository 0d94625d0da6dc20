"""Files of a project, read whole; what cannot be read is absent."""

from __future__ import annotations

import os

from assetdb.failures import OF_THE_TREE, scan_error

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_LARGEST_FILE: Final = 1 << 30


def read_file(path: str) -> bytes | None:
    """Return the first GiB of a file, or None where there is none that may be read.

    Raises:
        ScanError: whether there is one cannot be told just now.
    """
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST_FILE)
    except OSError as error:
        if error.errno not in OF_THE_TREE:
            raise scan_error(os.fsencode(path), error) from error
        return None
