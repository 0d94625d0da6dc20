"""Properties of a known class, and references that contradict it.

Extension and fileID prove them: the main object of a material is not a mesh. A script of the project may declare
properties of such names with other types, so of its objects only ``m_Script`` is considered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.kinds import kind_of, main_file_id

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT: Final = "m_Script"
MATERIALS: Final = "m_Materials"
"""The property that is a list."""
_MONO_BEHAVIOUR: Final = 114
# Image of Unity UI, and the DLLs that had it until 2019: no other class in them has m_Sprite or an m_Material.
_IMAGES: Final = frozenset(
    ("fe87c0e1cc204ed48ad3b37840f39efc", "f70555f144d8491a825f0804e09c671c", "f5f67c52d1564df4a8936ccd202a3bd8")
)
_EXPECTED: Final = {
    "m_Avatar": frozenset((90,)),
    "m_Controller": frozenset((91, 93, 221)),
    "m_Material": frozenset((21, 62, 134)),  # of renderers, and of colliders
    MATERIALS: frozenset((21,)),
    "m_Mesh": frozenset((43,)),
    "m_SourcePrefab": frozenset((1, 1001)),
    "m_Sprite": frozenset((213,)),
}
_SCRIPTS: Final = frozenset(("boo", "cs", "dll", "js"))
_REFERENCE: Final = rb"\{fileID: (-?\d{1,20}),\s+guid: ([0-9a-fA-F]{32})(?=[,}\s])"
TYPED_PROPERTIES: Final = (SCRIPT, *(name for name in _EXPECTED if name != MATERIALS))
"""Properties of one reference."""
_PROPERTY: Final = re.compile(rb"\n ++(%b): %b" % ("|".join(TYPED_PROPERTIES).encode(), _REFERENCE))
_MATERIALS_KEY: Final = b" m_Materials:"
_MATERIALS: Final = re.compile(rb"\n ++m_Materials:((?:\r?\n *- \{[^{}]{0,200}\})+)")
_ROW: Final = re.compile(_REFERENCE)


class TypedReference(NamedTuple):
    """A reference in a typed property, and the offset of its GUID."""

    name: str
    file_id: int
    guid: bytes
    offset: int


def typed_references(data: bytes) -> Iterator[TypedReference]:
    """Yield the references in properties of known classes."""
    for match in _PROPERTY.finditer(data):
        yield TypedReference(match[1].decode(), int(match[2]), match[3].lower(), match.start(3))
    for listed in _MATERIALS.finditer(data):
        for match in _ROW.finditer(data, *listed.span(1)):
            yield TypedReference(MATERIALS, int(match[1]), match[2].lower(), match.start(2))


def written_materials(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield fileID and GUID of rows in lists of materials, as written."""
    for listed in _MATERIALS.findall(data) if _MATERIALS_KEY in data else ():
        yield from _ROW.findall(listed)


def is_other_kind(name: str, file_id: int, path: str, *, folder: bool = False) -> bool:
    """Whether a target certainly has the wrong class for a property.

    Args:
        name: of the property.
        file_id: of the target.
        path: of the target's asset.
        folder: whether that is a folder.
    """
    if folder:
        return True
    extension = path.rpartition("/")[2].rpartition(".")[2].lower()
    class_id = kind_of(extension).class_id
    if name == SCRIPT:
        return class_id != 0 and extension not in _SCRIPTS
    if extension == "cs":
        return True
    return class_id != 0 and class_id not in _EXPECTED[name] and file_id == main_file_id(extension)


def is_certain(name: str, class_id: int, script: str) -> bool:
    """Whether an object's property of that name is Unity's own.

    Args:
        name: of the property.
        class_id: of the object that refers.
        script: GUID of its script, ``""`` if it has none.
    """
    return name == SCRIPT or class_id != _MONO_BEHAVIOUR or script in _IMAGES
