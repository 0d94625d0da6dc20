"""Universal render pipeline: renderers of its assets, and indices of cameras.

Pure: bytes in, facts out.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

PIPELINE_SCRIPT: Final = "bf2edee5c58d82540a51f03df9d42094"
"""GUID of ``UniversalRenderPipelineAsset.cs``."""
CAMERA_SCRIPT: Final = "a79441f348de89743a2939f4d699eac1"
"""GUID of ``UniversalAdditionalCameraData.cs``."""
_LIST: Final = re.compile(rb"^  m_RendererDataList:[ \t]*\r?\n((?:  - [^\n]*\n(?:    [^\n]*\n)*)*)", re.MULTILINE)
_ROW: Final = re.compile(rb"^  - \{fileID: (-?\d{1,20})", re.MULTILINE)
_DEFAULT: Final = re.compile(rb"^  m_DefaultRendererIndex: (\d{1,4})[ \t]*\r?$", re.MULTILINE)
_INDEX: Final = re.compile(rb"^  m_RendererIndex: (\d{1,4})[ \t]*\r?$", re.MULTILINE)  # -1 is the default
_SCRIPT: Final = CAMERA_SCRIPT.encode()
_DOCUMENT: Final = b"\n--- !u!"


class Pipeline(NamedTuple):
    """The renderers of a pipeline asset.

    Attributes:
        rows: offset of each row in the list, and whether it is None.
        default: index of the default renderer.
    """

    rows: tuple[tuple[int, bool], ...]
    default: int


def read_pipeline(data: bytes) -> Pipeline:
    """Return the renderers of a pipeline asset, none of another file."""
    block = _LIST.search(data)
    if block is None:
        return Pipeline((), 0)
    rows = _ROW.finditer(data, block.start(1), block.end(1))
    default = _DEFAULT.search(data)
    return Pipeline(tuple((row.start() + 4, row[1] == b"0") for row in rows), int(default[1]) if default else 0)


def pipeline_of(content: list[Any]) -> Pipeline:
    """Return a pipeline of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    rows, default = content
    return Pipeline(tuple((int(offset), bool(is_none)) for offset, is_none in rows), int(default))


def read_cameras(data: bytes) -> tuple[tuple[int, int], ...]:
    """Return offset and renderer's index of each camera that names one."""
    found = []
    for match in _INDEX.finditer(data):
        start = max(data.rfind(_DOCUMENT, 0, match.start()), 0)
        if data.find(_SCRIPT, start, match.start()) >= 0:
            found.append((match.start() + 2, int(match[1])))
    return tuple(found)


def cameras_of(content: list[Any]) -> tuple[tuple[int, int], ...]:
    """Return cameras of their JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    return tuple((int(offset), int(index)) for offset, index in content)
