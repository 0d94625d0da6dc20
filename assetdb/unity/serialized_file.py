"""The head of a binary SerializedFile: what class its first object has.

Some assets stay binary even with Force Text (NavMesh, LightingData, terrains): 54 of 58,454.
"""

from __future__ import annotations

from typing import Final

_HEAD: Final = 160  # bytes, always enough for the header and the first type


def main_class_of_serialized_file(data: bytes) -> int | None:
    """Return the class number of the first object, or None where ``data`` is no SerializedFile."""
    from formats.unityfs.mainclass import serialized_file_main_class  # noqa: PLC0415 - most projects have no such file

    return serialized_file_main_class(data[:_HEAD])
