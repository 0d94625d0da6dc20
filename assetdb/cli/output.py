"""Results that commands write to a file instead of the terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write lines to a file, a pipe or a terminal.

    A file is replaced atomically. A lone surrogate of a name is written as its escape.
    """
    pieces = (f"{line}\n".encode("utf-8", "backslashreplace") for line in lines)
    if os.path.exists(path) and not os.path.isfile(path):  # /dev/stdout, a pipe: nothing to replace
        with open(path, "wb") as file:
            file.writelines(pieces)
    else:
        replace_file(path, pieces)
