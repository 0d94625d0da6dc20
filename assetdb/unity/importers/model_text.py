"""Names in COLLADA files (.dae).

The files are not parsed. Their names are guesses for ``assetdb.unity.importers.model.model_objects``, where a guess
counts only if its hash is an id, so wrong names do no harm. Unity's own rows have no model of this format, so which of
its nodes become objects is not known, and none is listed.
"""

from __future__ import annotations

import re
from typing import Final

_TAG: Final = re.compile(rb"<(/?)(node|geometry|material|animation_clip)\b([^<>]{0,2000})>")
_NAME: Final = re.compile(rb"(?:^|\s)name\s*=\s*(?:\"([^\"]{1,200})\"|'([^']{1,200})')")
_ENTITIES: Final = {b"&lt;": b"<", b"&gt;": b">", b"&quot;": b'"', b"&apos;": b"'", b"&amp;": b"&"}
_ENTITY: Final = re.compile(b"|".join(_ENTITIES))
# Each guess is hashed for a dozen classes; a file with more names than this is generated.
_LIMIT: Final = 4096
_LONGEST_PATH: Final = 1000
_DEEPEST: Final = 100


def names_in_collada(data: bytes) -> tuple[str, ...]:
    """Return distinct names in a COLLADA file, and paths of nodes.

    A node's path is given with and without the first node, which Unity may make the root of the model.
    """
    found: dict[str, None] = {}
    way: list[str] = []  # of the open nodes, "" for each without a name
    if b"\0" in data[:1024]:
        return ()
    for tag in _TAG.finditer(data):
        is_node = tag[2] == b"node"
        if tag[1]:
            if is_node and way:
                way.pop()
            continue
        name = _name(tag[3])
        if name:
            found[name] = None
        if is_node:
            if name and len(way) < _DEEPEST:
                names = [*filter(None, way), name]
                paths = "/".join(names), "/".join(names[1:])
                found.update((path, None) for path in paths if 0 < len(path) <= _LONGEST_PATH)
            if not tag[3].endswith(b"/"):
                way.append(name)
        if len(found) >= _LIMIT:
            break
    return tuple(found)[:_LIMIT]


def _name(attributes: bytes) -> str:
    match = _NAME.search(attributes)
    if match is None:
        return ""
    text = _ENTITY.sub(lambda entity: _ENTITIES[entity[0]], match[1] or match[2])
    return text.decode(errors="replace").strip()
