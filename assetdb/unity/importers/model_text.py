"""Names in text models: ASCII FBX, Wavefront .obj, COLLADA .dae.

The files are not parsed. Their names are guesses for ``assetdb.unity.importers.model.model_objects``, where a guess
counts only if its hash is an id, so wrong names do no harm.
"""

from __future__ import annotations

import re
from typing import Final

# "Model::Wheel" of ASCII FBX; ``g``, ``o`` and ``usemtl`` lines; names of COLLADA nodes, geometries and materials.
_FBX: Final = re.compile(rb'"(?:Model|Geometry|Material|AnimStack|Take)::([^"\r\n]{1,200})"')
_OBJ: Final = re.compile(rb"^(?:[go]|usemtl)[ \t]+([^\r\n]{1,200})", re.MULTILINE)
_DAE: Final = re.compile(rb"<(?:node|geometry|material|animation_clip)\b[^>]{0,400}?\bname=\"([^\"]{1,200})\"")
_PATTERNS: Final = {"fbx": _FBX, "obj": _OBJ, "dae": _DAE}
# Each guess is hashed for a dozen classes; a file with more names than this is generated.
_LIMIT: Final = 4096


def names_in_text(extension: str, data: bytes) -> tuple[str, ...]:
    """Return the distinct names in a text model, in order.

    Args:
        extension: without the dot, in any case; ``fbx``, ``obj`` or ``dae``, others have no names.
        data: the file; binary content has no names either.
    """
    pattern = _PATTERNS.get(extension.lower())
    found: dict[str, None] = {}
    if pattern is not None and b"\0" not in data[:1024]:
        for match in pattern.finditer(data):
            found[match[1].decode(errors="replace").strip()] = None
            if len(found) >= _LIMIT:
                break
    return tuple(found)
