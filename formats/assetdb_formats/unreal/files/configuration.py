"""Config/*.ini of a project: default maps, modes, asset roots."""

from __future__ import annotations

import os
import re
from typing import Final

from assetdb_formats.files import read_file

_PATH: Final = re.compile(r"/[A-Za-z0-9_]+(?:/[\w.-]+)+")
_LARGEST_INI: Final = 16 << 20


def configured_packages(folder: str) -> list[str]:
    """Return the packages that the Config/*.ini of a project (or of the one that a Content folder is in) names.

    Raises:
        OSError: one of them cannot be read.
    """
    found: set[str] = set()
    for base in (folder, os.path.join(folder, os.pardir)):
        config = os.path.join(base, "Config")
        if not os.path.isdir(config):
            continue
        for place, _, names in os.walk(config):
            for name in names:
                if name.lower().endswith(".ini"):
                    text = read_file(os.path.join(place, name), largest=_LARGEST_INI)
                    encoding = "utf-16" if text[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8"
                    found.update(path.partition(".")[0] for path in _PATH.findall(text.decode(encoding, "replace")))
    return sorted(found)
