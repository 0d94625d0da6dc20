"""Names in COLLADA files (.dae).

The files are not parsed. Their names are guesses for ``assetdb.unity.importers.model.model_objects``, where a guess
counts only if its hash is an id, so wrong names do no harm.
"""

from __future__ import annotations

import re
from typing import Final

# Names of nodes, geometries and materials.
_DAE: Final = re.compile(rb"<(?:node|geometry|material|animation_clip)\b[^>]{0,400}?\bname=\"([^\"]{1,200})\"")
# Each guess is hashed for a dozen classes; a file with more names than this is generated.
_LIMIT: Final = 4096


def names_in_collada(data: bytes) -> tuple[str, ...]:
    """Return the distinct names in a COLLADA file, in order."""
    found: dict[str, None] = {}
    if b"\0" not in data[:1024]:
        for match in _DAE.finditer(data):
            found[match[1].decode(errors="replace").strip()] = None
            if len(found) >= _LIMIT:
                break
    return tuple(found)
