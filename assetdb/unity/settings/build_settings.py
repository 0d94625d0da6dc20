"""``EditorBuildSettings.asset``: scenes of a build, and config objects."""

from __future__ import annotations

import re

from assetdb.unity.yaml.scalars import scalar_at
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

PATH: Final = "ProjectSettings/EditorBuildSettings.asset"
_SCENE: Final = re.compile(rb"- enabled: (\d)\s+path:([^\r\n]*)(?:\s+guid: ([0-9a-f]{32}))?")
_OBJECT: Final = rb"\n    %b: \{fileID: -?\d{1,19},\s+guid: ([0-9a-fA-F]{32}),"


class BuildScene(NamedTuple):
    """A scene of the list, and the 1-based line of its path.

    ``guid`` may be ``""`` (older settings) or stale, as in CustomAnalyzeRule of the Addressables samples.
    """

    enabled: bool
    path: str
    guid: str
    line: int = 0


def build_scenes(data: bytes) -> list[BuildScene]:
    """Return the scenes of the build settings, disabled ones included."""
    return [
        BuildScene(
            match[1] == b"1",
            scalar_at(data, match.start(2), 4),
            (match[3] or b"").decode(),
            data.count(b"\n", 0, match.start(2)) + 1,
        )
        for match in _SCENE.finditer(data)
    ]


def settings_object(data: bytes, name: str) -> str:
    """Return the GUID of a package's settings asset, or ``""``.

    Args:
        data: the file.
        name: the package's key, ``com.unity.addressableassets``.
    """
    found = re.search(_OBJECT % re.escape(name).encode(), data)
    return found[1].decode().lower() if found else ""
