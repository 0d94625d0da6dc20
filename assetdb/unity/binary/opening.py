"""Bytes of an asset as text, whichever way Unity saved it."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

LARGEST: Final = 32 << 20
"""Bytes of a binary asset that is read whole: half a minute."""
_FIRST: Final = b"\0"  # of all versions: the size of metadata below 16 MB, or of version 22 on a zero


def as_text(data: bytes) -> bytes:
    """Return a binary asset as text, any other bytes unchanged.

    These are returned for text, and for a binary file that cannot be read (:func:`is_damaged` tells why).
    """
    if not data.startswith(_FIRST) or len(data) > LARGEST:
        return data
    from assetdb.unity.binary.yaml_form import yaml_form  # noqa: PLC0415 - projects with binary assets only
    from assetdb_formats.binary import FormatError  # noqa: PLC0415 - the same

    try:
        return yaml_form(data)
    except FormatError:
        return data


def is_damaged(data: bytes) -> bool:
    """Whether a binary file is no whole SerializedFile, or contradicts itself.

    A version newer than ours, a file without type trees and one that is too large are not damaged.
    """
    from assetdb.unity.binary.yaml_form import yaml_form  # noqa: PLC0415 - the same
    from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError  # noqa: PLC0415 - the same

    if len(data) > LARGEST:
        return False
    try:
        yaml_form(data)
    except UnsupportedError:
        return len(data) not in _declared_sizes(data)
    except UnityFSError:
        return True
    return False


def _declared_sizes(data: bytes) -> tuple[int, int]:
    """Return the file size, where old and new headers have it."""
    return int.from_bytes(data[4:8], "big"), int.from_bytes(data[24:32], "big")
