"""The main class of a binary ``.asset``: NavMesh, LightingData.

It needs the first hundred bytes of the file and imports only :mod:`struct`, because a bake asks it about every
``.asset`` that is not YAML.

In the 43 such files of the corpus (versions 9, 17, 21 and 22) the first type belongs to the first object's data, and
that is the object that the meta's ``mainObjectFileID`` names in 31 of the 32 files where it names one (the other is
a LightingData.asset whose light probes come first). Where the meta names a native one, ``id // 100000`` is its
class and needs no file at all.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

_OLD_HEADER: Final = Struct(">4IB3x")
_NEW_HEADER: Final = Struct(">4IB3xIqqq")
_NEW: Final = 22
_OLDEST: Final = 9  # before it the metadata are at the end of the file
_NEWEST: Final = 23
_HAS_TREE_FLAG: Final = 13
_MONO_BEHAVIOUR: Final = 114
_LONGEST_VERSION: Final = 64
_MOST_TYPES: Final = 1 << 16


def serialized_file_main_class(head: bytes) -> int | None:
    """Return Unity's class number of the first object of a SerializedFile.

    Args:
        head: the first bytes of the file; 160 are always enough.

    Returns:
        The class number (238 NavMeshData, 1120 LightingDataAsset, 114 a ScriptableObject), or None where ``head`` is
        not the beginning of a SerializedFile of version 9 to 23, or of one without objects. Never an error.
    """
    if len(head) < _OLD_HEADER.size:
        return None
    metadata_size, file_size, version, data_offset, big_endian = _OLD_HEADER.unpack_from(head)
    if not _OLDEST <= version <= _NEWEST or big_endian > 1:
        return None
    position = _OLD_HEADER.size
    if version >= _NEW:
        if len(head) < _NEW_HEADER.size:
            return None
        metadata_size, file_size, data_offset = _NEW_HEADER.unpack_from(head)[5:8]
        position = _NEW_HEADER.size
    if not position + metadata_size <= data_offset <= file_size:
        return None
    end = head.find(b"\0", position, position + _LONGEST_VERSION)
    if end < 0 or not head[position : position + 1].isdigit():
        return None
    position = end + 5  # the zero byte and the platform
    if version >= _HAS_TREE_FLAG:
        position += 1
    numbers = Struct(">ii" if big_endian else "<ii")
    if position + numbers.size > len(head):
        return None
    types, class_id = numbers.unpack_from(head, position)
    if not 0 < types <= _MOST_TYPES:
        return None
    return _MONO_BEHAVIOUR if class_id < 0 else int(class_id)
