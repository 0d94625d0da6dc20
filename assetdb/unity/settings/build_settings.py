"""``EditorBuildSettings.asset``: scenes of a build, and config objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.system.json_text import quote
from assetdb.unity.binary.opening import as_text
from assetdb.unity.yaml.scalars import scalar_span, scalar_text

if TYPE_CHECKING:
    from collections.abc import Mapping

PATH: Final = "ProjectSettings/EditorBuildSettings.asset"
_SCENE: Final = re.compile(rb"\n  - enabled: (\d)\s+path:")
_GUID: Final = re.compile(rb"\s*\n    guid: ([0-9a-fA-F]{32})(?=\s|\Z)")
_PATH_COLUMN: Final = 4
_PLAIN: Final = re.compile(r"[A-Za-z_](?:[\w ./()+-]*[\w)])?", re.ASCII)  # texts that Unity writes without quotes
_ASCII: Final = re.compile(r"[ -~]*")
_OBJECT: Final = rb"\n    %b: \{fileID: -?\d{1,19},\s+guid: ([0-9a-fA-F]{32}),"


class BuildScene(NamedTuple):
    """A scene of the list, and the 1-based line of its path.

    The line is 0 in binary settings.
    ``guid`` may be ``""`` (older settings) or stale, as in CustomAnalyzeRule of the Addressables samples.
    """

    enabled: bool
    path: str
    guid: str
    line: int = 0


def build_scenes(data: bytes) -> list[BuildScene]:
    """Return the scenes of the build settings, disabled ones included."""
    text = as_text(data)
    if text is not data:
        return [scene._replace(line=0) for scene in build_scenes(text)]
    scenes = []
    line, counted = 1, 0
    for match in _SCENE.finditer(data):
        start, end, mark = scalar_span(data, match.end(), _PATH_COLUMN)  # two lines where it is long
        guid = _GUID.match(data, end)
        digits = guid[1].decode().lower() if guid else ""
        line += data.count(b"\n", counted, match.end())
        counted = match.end()
        scenes.append(BuildScene(match[1] == b"1", scalar_text(data[start:end], mark), digits, line))
    return scenes


def with_paths(data: bytes, paths: Mapping[str, str]) -> bytes | None:
    """Return the settings with other paths of some scenes, None if binary.

    Args:
        data: the file.
        paths: the new path of each scene, by its own.
    """
    if as_text(data) is not data:
        return None
    found = []
    last = 0
    for match in _SCENE.finditer(data):
        start, end, mark = scalar_span(data, match.end(), _PATH_COLUMN)
        new = paths.get(scalar_text(data[start:end], mark))
        if new is not None:
            found += [data[last : match.end()], b" ", _scalar(new)]
            last = end
    return b"".join([*found, data[last:]])


def _scalar(path: str) -> bytes:
    """Return a path as Unity writes one."""
    if _PLAIN.fullmatch(path):
        return path.encode()
    if _ASCII.fullmatch(path):
        return b"'%b'" % path.replace("'", "''").encode()
    return quote(path).encode()  # with the escapes of YAML


def settings_object(data: bytes, name: str) -> str:
    """Return the GUID of a package's settings asset, or ``""``.

    Args:
        data: the file.
        name: the package's key, ``com.unity.addressableassets``.
    """
    found = re.search(_OBJECT % re.escape(name).encode(), as_text(data))
    return found[1].decode().lower() if found else ""
