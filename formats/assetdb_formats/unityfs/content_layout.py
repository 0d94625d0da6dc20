"""Content layouts and build manifests of content directories (Unity 6.6 on).

A content directory has a file for each asset or so, named by the hash of its content, and a manifest ``HASH.json`` that
says which files a file refers to. ``ContentLayout.json``, in the history of builds, adds source assets and sizes.
Versions 2 and 3 of the layout and 1 and 2 of the manifest are read, as Unity's reference source and the samples of
UnityDataTools have them; no file of version 3 was seen.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb_formats.addressables.companions.settings import json_object
from assetdb_formats.unityfs.errors import UnityFSError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LAYOUT_VERSIONS: Final = (2, 3)
MANIFEST_VERSIONS: Final = (1, 2)
_GUID: Final = re.compile("[0-9a-f]{32}")
_NO_GUID: Final = "0" * 32
MANIFEST: Final = "manifest"
"""The category of the manifest among the artifacts of a layout."""


class ContentFile(NamedTuple):
    """A SerializedFile of a content directory.

    Attributes:
        identity: by which others name it: ``0123...cdef.cfid``, without the extension in newer versions.
        content_hash: its file's name without extension; ``""`` for Unity's own files.
        needs: hashes of the files that it refers to, in the order of its externals; ``""`` for Unity's own.
        sources: paths of the assets in it; of a layout alone.
    """

    identity: str
    content_hash: str
    needs: tuple[str, ...]
    sources: tuple[str, ...]


class Artifact(NamedTuple):
    """A file of the build; its size in bytes."""

    content_hash: str
    category: str
    size: int


class ContentScene(NamedTuple):
    """A scene: path, hash of its file or ``""``, GUID."""

    path: str
    content_hash: str
    guid: str


class Loadable(NamedTuple):
    """An object that is loaded by itself, and its source.

    Attributes:
        guid: of its asset; 32 lower-case hex digits.
        path: of its asset when it was built.
        content_hash: of the file that has it.
        path_id: its PathID there.
    """

    guid: str
    path: str
    file_id: int
    content_hash: str
    path_id: int


class ContentLayout(NamedTuple):
    """The content of a layout or a manifest.

    Attributes:
        manifest_hash: of the manifest that the layout belongs to; ``""`` in a manifest.
        artifacts: the files of the build; of a layout alone.
        loadables: objects with their sources; of a layout alone.
    """

    version: int
    manifest_hash: str
    files: tuple[ContentFile, ...]
    scenes: tuple[ContentScene, ...]
    artifacts: tuple[Artifact, ...]
    loadables: tuple[Loadable, ...]


def read_content_layout(data: bytes) -> ContentLayout:
    """Read a ``ContentLayout.json``. Raises FormatError."""
    return _read(data, "content layout", LAYOUT_VERSIONS, "LoadableSceneIds")


def read_content_manifest(data: bytes) -> ContentLayout:
    """Read the manifest of a content directory. Raises FormatError."""
    return _read(data, "content manifest", MANIFEST_VERSIONS, "LoadableScenes")


def content_hash(pieces: Iterable[bytes]) -> str:
    """Return the name that Unity gives a file of some content.

    XXH3-128 with its bytes in reverse order: three manifests of UnityDataTools' ``LeadingEdgeBuilds``, such as
    ``15d5df98d98434e67e06716cfabfad1b.json`` of 1,703 bytes, are named so.
    """
    from xxhash import xxh3_128  # noqa: PLC0415 - only checks need it

    state = xxh3_128()
    for piece in pieces:
        state.update(piece)
    return state.digest()[::-1].hex()


def _read(data: bytes, what: str, versions: tuple[int, ...], scenes_field: str) -> ContentLayout:
    fields = json_object(data)
    version = _typed(fields, "Version", int, "", 0)
    if version not in versions:
        known = " and ".join(map(str, versions))
        raise UnsupportedError(f"version {version} of a {what}: versions {known} are read", field="Version")
    artifacts = tuple(
        Artifact(_typed(row, "ContentHash", str, at), _typed(row, "Category", str, at), _size(row, at))
        for at, row in _rows(fields, "BinaryArtifacts")
    )
    rows = list(_rows(fields, "SerializedFiles"))
    hashes = [_hash(row, at, artifacts) for at, row in rows]
    files = tuple(
        ContentFile(
            _typed(row, "StableId", str, at) or _typed(row, "ID", str, at),
            own,
            tuple(
                hashes[_index(place, len(hashes), f"{at}.SerializedFileDependencies")]
                for place in _typed(row, "SerializedFileDependencies", list, at, [])
            ),
            tuple(_texts(row, "SourceAssets", at)),
        )
        for (at, row), own in zip(rows, hashes, strict=True)
    )
    scenes = tuple(_scene(row, at, hashes) for at, row in _rows(fields, scenes_field))
    loadables = tuple(filter(None, (_loadable(row, at, hashes) for at, row in _rows(fields, "LoadableObjectIds"))))
    return ContentLayout(version, _typed(fields, "BuildManifestHash", str, ""), files, scenes, artifacts, loadables)


def _hash(row: dict[str, Any], at: str, artifacts: tuple[Artifact, ...]) -> str:
    """Return the hash of a content file, also by its artifact."""
    place = _typed(row, "ArtifactIndex", int, at, -1)
    if place == -1 or not artifacts:
        return str(_typed(row, "ContentHash", str, at))
    return artifacts[_index(place, len(artifacts), f"{at}.ArtifactIndex")].content_hash


def _scene(row: dict[str, Any], at: str, hashes: list[str]) -> ContentScene:
    place = _typed(row, "SerializedFile", int, at, -1)
    own = "" if place == -1 else hashes[_index(place, len(hashes), f"{at}.SerializedFile")]
    return ContentScene(_typed(row, "Path", str, at), own, _guid(row, at))


def _loadable(row: dict[str, Any], at: str, hashes: list[str]) -> Loadable | None:
    """Return an object with its source, or None if either is absent."""
    place = _typed(row, "SerializedFile", int, at, -1)
    guid = _guid(row, at)
    if place == -1 or not guid:
        return None
    own = hashes[_index(place, len(hashes), f"{at}.SerializedFile")]
    file_id, path_id = _typed(row, "LFID", int, at, 0), _typed(row, "OutputLFID", int, at, 0)
    return Loadable(guid, _typed(row, "AssetPath", str, at), file_id, own, path_id)


def _guid(row: dict[str, Any], at: str) -> str:
    """Return a GUID, or ``""`` where none is given."""
    text = str(_typed(row, "GUID", str, at)).lower()
    if text and not _GUID.fullmatch(text):
        raise UnityFSError(f"{text!r:.60} is not 32 hex digits", field=f"{at}.GUID")
    return "" if text == _NO_GUID else text


def _size(row: dict[str, Any], at: str) -> int:
    size = _typed(row, "Size", int, at, 0)
    if size < 0:
        raise UnityFSError(f"{size} bytes", field=f"{at}.Size")
    return int(size)


def _rows(fields: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a list with their place."""
    for number, row in enumerate(_typed(fields, name, list, "", [])):
        if not isinstance(row, dict):
            raise UnityFSError(f"is {type(row).__name__}, not an object", field=f"{name}[{number}]")
        yield f"{name}[{number}]", row


def _texts(row: dict[str, Any], name: str, at: str) -> Iterator[str]:
    for text in _typed(row, name, list, at, []):
        if not isinstance(text, str):
            raise UnityFSError("is not a list of text", field=f"{at}.{name}")
        yield text


def _index(place: object, count: int, field: str) -> int:
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < count:
        raise UnityFSError(f"{place!r:.40} is no number of {count:,} entries", field=field)
    return place


def _typed(fields: dict[str, Any], name: str, kind: type, at: str, default: object = "") -> Any:  # noqa: ANN401 - it is ``kind``
    value = fields.get(name, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        field = f"{at}.{name}".lstrip(".")
        raise UnityFSError(f"is {type(value).__name__}, not {kind.__name__}", field=field)
    return value
