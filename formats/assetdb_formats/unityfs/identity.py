"""Names of built objects, from bundle names, GUIDs and fileIDs.

Both ways are one-way hashes: to learn what a built object is, hash every candidate of the project and look the
PathID up. On Unity's own UnityDataTools project 137 of 138 objects are found so, in builds of 2019.4 to 2022.1.

Source: ``Unity5PackedIdentifiers`` of the Scriptable Build Pipeline, documented to do what
``BuildPipeline.BuildAssetBundles`` does. Builds of the pipeline with a ``fileIDHashSeed`` or with
``PrefabPackedIdentifiers`` (what Addressables does today) have other PathIDs.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.codecs.md4 import md4

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NATIVE: Final = 2
"""File type of an asset that Unity's own YAML holds: .mat, .anim, .controller, .asset."""
IMPORTED: Final = 3
"""File type of an asset that an importer makes: models, textures, scripts, prefabs."""

BUILTIN_EXTRA: Final = "Resources/unity_builtin_extra"
"""The built-in file whose objects are copied into bundles; its GUID is 0000000000000000f000000000000000."""

_PATH_ID: Final = Struct("<q")
_TYPE_AND_ID: Final = Struct("<iq")


def archive_name(bundle_name: str, digest: Callable[[bytes], bytes] = md4) -> str:
    """Return the name of a bundle's SerializedFile for other bundles.

    Args:
        bundle_name: as the build knows it: ``assetBundleName`` of the metas with its variant, or the bundle name of
            an Addressables catalog (``AssetBundle.m_AssetBundleName``); not the name of the file.
        digest: MD4, or SpookyHash V2 for bundles of the Scriptable Build Pipeline with its V2 hasher (Addressables
            projects since 2020: ``catalog.bundle`` is CAB-9b67bff01fcf00c946057f107ae966a5 in all of 18).

    Returns:
        ``CAB-`` and 32 hex digits. Names in bundles may be in other case: compare them folded.
    """
    return "CAB-" + digest(bundle_name.encode("utf-8", "surrogateescape")).hex()


def object_path_id(guid: str, file_type: int, file_id: int) -> int:
    """Return the PathID of an asset's object in a built bundle.

    Args:
        guid: 32 hex digits in lower case, as in a meta file.
        file_type: ``type`` of a reference in YAML: :data:`NATIVE` or :data:`IMPORTED`.
        file_id: the object in the asset.
    """
    return _path_id(guid.encode("ascii") + _TYPE_AND_ID.pack(file_type, file_id))


def builtin_path_id(file_id: int, path: str = BUILTIN_EXTRA) -> int:
    """Return the PathID of a built-in object copied into a bundle."""
    return _path_id(path.encode("utf-8") + _PATH_ID.pack(file_id))


def _path_id(key: bytes) -> int:
    value: int = _PATH_ID.unpack_from(md4(key))[0]
    return value


class Source(NamedTuple):
    """The project object behind a PathID; ``guid`` "" is Unity's own."""

    guid: str
    file_type: int
    file_id: int


def path_ids(candidates: Iterable[Source]) -> dict[int, Source]:
    """Map the PathID of every candidate to its source."""
    return {
        object_path_id(*source) if source.guid else builtin_path_id(source.file_id): source for source in candidates
    }
