"""Facts of one part: a player's file, a bundle, resource data.

Frozen, with columns for objects.

A part is one file on disk (or one member of an archive); the files in it are its SerializedFiles and resource data.
Everything in a build is derived from these facts, which the index caches.
"""

from __future__ import annotations

from array import array
from typing import Final, NamedTuple

ARCHIVE: Final = "bundle"
SERIALIZED: Final = "serialized file"
RESOURCE: Final = "resource data"
CATALOG: Final = "catalog"
LAYOUT: Final = "build layout"
STATE: Final = "content state"
CONTENT_LAYOUT: Final = "content layout"
CONTENT_MANIFEST: Final = "content manifest"
CODE: Final = "code"
OTHER: Final = "other"

HELD: Final = (ARCHIVE, SERIALIZED, RESOURCE)
"""Kinds of parts whose bytes are Unity's objects and their data."""
NOT_SHIPPED: Final = (LAYOUT, STATE, CONTENT_LAYOUT)
"""Kinds of parts for the next build or for tools, which no player gets."""


class FileFacts(NamedTuple):
    """A file in a part; sizes and offsets in bytes.

    Attributes:
        name: by which other files refer to it: as in the archive's directory, or the part's name.
        offset: where it begins in the decoded data of the part.
        serialized: whether it is a SerializedFile; all that follows is empty for resource data.
        platform: Unity's number of the build target.
        type_trees: whether the layouts of its classes are in it.
        metadata_end: where its header and metadata end.
        externals: the files that it refers to, from 1 on.
        types: class number, and file ID and PathID of its script (0, 0 without), of each type.
        objects: how many it has.
        extracted: whether type trees of it are in another file, which may change when this one does not.
        without_trees: how many objects lack theirs.
    """

    name: str
    offset: int
    size: int
    serialized: bool = False
    version: int = 0
    unity_version: str = ""
    platform: int = 0
    type_trees: bool = False
    metadata_end: int = 0
    externals: tuple[str, ...] = ()
    types: tuple[tuple[int, int, int], ...] = ()
    objects: int = 0
    extracted: bool = False
    without_trees: int = 0


class ArchiveFacts(NamedTuple):
    """The archive of a bundle.

    Attributes:
        signature: ``UnityFS``, ``UnityWeb`` or ``UnityRaw``.
        unity_version: as the archive has it; ``0.0.0`` if it was stripped.
        compressions: names of the methods that its blocks are compressed with.
        decoded_size: bytes of all blocks, decoded.
        name: of its AssetBundle object; ``""`` without one.
    """

    signature: str
    format: int
    unity_version: str
    compressions: tuple[str, ...]
    decoded_size: int
    name: str = ""
    dependencies: tuple[str, ...] = ()
    scenes: bool = False


class Stream(NamedTuple):
    """Data of an object (by its place) in another file."""

    object: int
    path: str
    offset: int
    size: int


class ScriptFacts(NamedTuple):
    """A MonoScript: its place in the part, and its class."""

    object: int
    assembly: str
    namespace: str
    name: str


class UnreadScript(NamedTuple):
    """MonoBehaviours with unknown fields: class, reason and number."""

    script: str
    why: str
    objects: int


class PlayerFacts(NamedTuple):
    """The facts in the ``globalgamemanagers`` of a player.

    Attributes:
        scenes: paths, in the order of the levels.
        prefabs: GUID of each prefab in it, index in the part of the file with the list, file ID and PathID of its
            GameObject; only in players of 5.0 to 2018.1.
    """

    scenes: tuple[str, ...] = ()
    company: str = ""
    product: str = ""
    guid: str = ""
    prefabs: tuple[tuple[str, int, int, int], ...] = ()


class PartFacts(NamedTuple):
    """The facts of one part.

    Attributes:
        kind: one of the constants above.
        size: its bytes, as unpacked from an archive around it.
        block_starts: where each block begins in the decoded data, and the end of the last.
        block_sizes: bytes of each block as stored.
        files: the files in it, in the order of their data.
        path_ids: of its objects, file after file, in the order of their tables; all columns below alike.
        types: place of the type in the file's types, or -1.
        contained: place of an object and the path that scripts load it by.
        container_pointers: place of the file in the part, file ID, PathID and path of entries that lead to other files
            (ResourceManager) or to no object (the scenes of a bundle: 0, 0).
        names: ``m_Name`` of each object.
        reference_counts: how many references each object has.
        reference_files: their file IDs, object after object.
        reference_ids: their PathIDs.
        streams: data in other files.
        problems: unreadable parts, one sentence each.
        unread: class number and number of objects whose references are not all known.
        unread_scripts: the MonoBehaviours among these, by script and reason.
        scripts_key: stamp of the DLLs and scripts that gave the fields of MonoBehaviours; ``""`` for none.
        has_contents: whether objects were read; else names, references, streams and scripts are empty.
    """

    kind: str
    size: int
    archive: ArchiveFacts | None = None
    block_starts: array[int] = array("q")
    block_sizes: array[int] = array("q")
    files: tuple[FileFacts, ...] = ()
    path_ids: array[int] = array("q")
    class_ids: array[int] = array("i")
    types: array[int] = array("i")
    offsets: array[int] = array("q")
    sizes: array[int] = array("q")
    contained: tuple[tuple[int, str], ...] = ()
    container_pointers: tuple[tuple[int, int, int, str], ...] = ()
    names: tuple[str, ...] = ()
    reference_counts: array[int] = array("I")
    reference_files: array[int] = array("i")
    reference_ids: array[int] = array("q")
    streams: tuple[Stream, ...] = ()
    scripts: tuple[ScriptFacts, ...] = ()
    player: PlayerFacts | None = None
    problems: tuple[str, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
    unread_scripts: tuple[UnreadScript, ...] = ()
    scripts_key: str = ""
    has_contents: bool = True
