"""Files of an editor's ``Library``, written by the tests: .info, the file of an import, ArtifactDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.assetdb.unity.binary.binary_assets import GAME_OBJECT_TREE, NAMED_TREE, TRANSFORM_TREE
from tests.assetdb_formats.unityfs.builder import POINTER, External, Kind, Packer, Thing, serialized_file, within

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PACK = Packer()
COMPONENT_TREE = ("Component Base", " PPtr<GameObject> m_GameObject", *within(1, POINTER), " int m_Rest")


class Shown(NamedTuple):
    """An object that the project window shows."""

    name: str
    file_id: int
    class_id: int
    script: str = ""


class Node(NamedTuple):
    """A GameObject in the file of an import: its number, that of its Transform, its parent's Transform."""

    name: str
    file_id: int
    transform: int
    father: int = 0


def representation(shown: Shown, path: str, first: str, other: str) -> str:
    """The lines of one object, in the order and with the thumbnail that Unity gives it."""
    return (
        f"{first}name: {shown.name}\n{other}thumbnail:\n{other}  m_Format: 0\n{other}  m_Width: 0\n"
        f"{other}  m_Height: 0\n{other}  image data: 0\n{other}  _typelessdata: \n"
        f"{other}guid: {'0' * 32}\n{other}path: {path}\n"
        f"{other}localIdentifier: {shown.file_id}\n{other}thumbnailClassID: {shown.class_id}\n{other}flags: 0\n"
        f"{other}scriptClassName: {shown.script}\n"
    )


def info(path: str, main: Shown, others: Sequence[Shown] = ()) -> bytes:
    """A ``GUID.info`` file; its header is of no meaning here."""
    rows = "".join(representation(item, path, "  - ", "    ") for item in others)
    text = (
        f"BaseName:\n  mainRepresentation:\n{representation(main, path, '    ', '    ')}"
        f"  representations:{'' if others else ' []'}\n{rows}  labels:\n    m_Labels: []\n"
        "  assetImporterClassID: 1035\n  assetBundleFullName:\n    m_AssetBundleName: \n    m_AssetBundleVariant: \n"
        "  externalReferencesForValidation: {}\n"
    )
    return bytes(range(1, 9)) + b"name: not this\n" + text.encode()


def imported(
    nodes: Sequence[Node] = (),
    components: Sequence[tuple[int, int, int]] = (),
    named: Sequence[tuple[int, int, str]] = (),
    targets: Sequence[tuple[str, str]] = (),
    **options: bool | int | str,
) -> bytes:
    """The file of an import.

    ``components`` are fileID, class and the fileID of the GameObject; ``named`` fileID, class and name of meshes and
    the like; ``targets`` GUID and path of what it refers to.
    """
    things = []
    for node in nodes:
        body = (
            PACK("i", 1)
            + PACK("iq", 0, node.transform)
            + PACK("I", 0)
            + PACK.string(node.name.encode())
            + bytes([1, 0, 0, 0])
        )
        things.append(Thing(node.file_id, 1, body))
        things.append(
            Thing(
                node.transform,
                4,
                PACK("iq", 0, node.file_id) + PACK("fff", 0, 0, 0) + PACK("i", 0) + PACK("iq", 0, node.father),
            )
        )
    things += [Thing(number, kind, PACK("iq", 0, owner) + PACK("i", 7)) for number, kind, owner in components]
    things += [Thing(number, kind, PACK.string(name.encode())) for number, kind, name in named]
    trees = {1: GAME_OBJECT_TREE, 4: TRANSFORM_TREE}
    trees |= {kind: COMPONENT_TREE for _, kind, _ in components}
    trees |= {kind: NAMED_TREE for _, kind, _ in named}
    used = {thing.class_id for thing in things}
    kinds = [Kind(number, tree) for number, tree in trees.items() if number in used]
    externals = tuple(External(path, guid, 3) for guid, path in targets)
    return serialized_file(things, kinds, externals=externals, **options)  # type: ignore[arg-type]


def write_metadata(root: Path, guid: str, data: bytes, content: bytes | None = None) -> Path:
    """Write ``GUID.info`` and the file beside it, newer than all that the project has."""
    path = root / "Library" / "metadata" / guid[:2] / f"{guid}.info"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if content is not None:
        path.with_suffix("").write_bytes(content)
    return path


class Import(NamedTuple):
    """A current import: fileID of the main object, and its file; as ``stored`` it is in ``Library/Artifacts``."""

    guid: str
    main: int
    file: bytes
    stored: bool = False


def write_artifact_db(root: Path, imports: Sequence[Import]) -> Path:
    """Write ``ArtifactDB`` with LMDB's own library, and the files that are beside it."""
    import lmdb  # noqa: PLC0415 - the tests that need it are skipped without

    path = root / "Library" / "ArtifactDB"
    path.parent.mkdir(parents=True, exist_ok=True)
    environment = lmdb.open(str(path), subdir=False, map_size=1 << 26, max_dbs=20, lock=False)
    names = ("CurrentRevisions", "ArtifactIDPropertyIDToProperty", "ArtifactIDToArtifactMetaInfo", "Other")
    tables = {name: environment.open_db(name.encode()) for name in names}
    with environment.begin(write=True) as transaction:
        for number, item in enumerate(imports, 1):
            artifact = number.to_bytes(16, "big")
            swapped = bytes(int(item.guid[place + 1] + item.guid[place], 16) for place in range(0, 32, 2))
            revision = swapped + bytes(28) + artifact
            transaction.put(f"key {number}".encode(), revision, db=tables[names[0]])
            key = b"MainObjectLocalIdentifierInFile" + artifact
            transaction.put(key, item.main.to_bytes(8, "little", signed=True), db=tables[names[1]])
            transaction.put(b"AnotherProperty" + artifact, bytes(8), db=tables[names[1]])
            digest = (number + 1000).to_bytes(16, "little")
            content = b"head" + (digest + b"tail" if item.stored else item.file)
            transaction.put(artifact, content, db=tables[names[2]])
            if item.stored:
                place = root / "Library" / "Artifacts" / digest.hex()[:2] / digest.hex()
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(item.file)
        transaction.put(bytes(16), imported(), db=tables[names[2]])  # of an import that is no more current
    environment.close()
    return path
