"""References of a project in both directions, to object and property.

>>> from assetdb.query.snapshots.snapshot import open_project
>>> project = open_project("fixtures/unity_project")
>>> guids = AssetGraph(project).usages("864eb4c93ac1f6e40d118fd26989f203")
>>> sorted(project.assets.by_guid(guid).path for guid in guids)
['Assets/Prefabs/Nested.prefab', 'Assets/Prefabs/Variant.prefab']
"""

from __future__ import annotations

import os

from assetdb.settings.project import ASSET_ROOTS, asset_file
from assetdb.system.cancelling import check_cancelled
from assetdb.system.reading import read_file
from assetdb.unity.kinds import BYTE_ORDER_MARK, FONTS, SCRIPT_MAIN, extension_of
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Protocol

    from assetdb.query.graph.named import NamedReferences
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.indexes.graph import Graph
    from assetdb.unity.facts import Occurrence
    from assetdb.unity.yaml.property_path import Objects, Place

    class HasGraph(Protocol):
        """An open database, or a project (``assetdb.query.snapshots.snapshot.Snapshot``)."""

        @property
        def graph(self) -> Graph:
            """The graph of references, by nodes."""


SETTINGS_FOLDER = "ProjectSettings"
_FEW = 4  # GUIDs that are searched for one by one
FOUND_BY_NAME = "found by name"
"""In place of a property: no text of the file refers."""
FINDING = frozenset(("fbx", "obj", "spm", "st", "shader", *FONTS))
"""Extensions of files that find others by name."""
_FOUND = frozenset(("mat", "shader", *FONTS))
"""Extensions of files that others find by name."""


class Site(NamedTuple):
    """One place where a file refers to an asset.

    Attributes:
        path: the file, relative to the project; a ``.meta`` where the importer's settings refer.
        line: 1-based; 0 in a binary file, and where no line refers (:data:`FOUND_BY_NAME`).
        class_id: of the object that refers; 0 in files without objects.
        object_id: fileID of the object that refers; 0 in files without objects.
        object_name: its name, or the name of the GameObject that it is on.
        script: GUID of the script of a MonoBehaviour, or ``""``.
        property: path of the property that refers.
        override: the property of a prefab that an instance overrides there, or ``""``.
        file_id: what is referred to in the asset, or None if the form names the asset as a whole.
        hierarchy: the names from the root of the file down to that object, `` / `` between them, if requested.
        script_id: fileID of that script in its file: a class of a DLL, as Unity's UI was until 2018.
    """

    path: str
    line: int
    class_id: int
    object_id: int
    object_name: str
    script: str
    property: str
    override: str
    file_id: int | None
    hierarchy: str = ""
    script_id: int = SCRIPT_MAIN


class AssetGraph:
    """The graph of an open database, by GUIDs (32 hex digits)."""

    def __init__(self, database: HasGraph) -> None:
        """Take an open database.

        Raises:
            DatabaseError: it was written without references.
        """
        self._graphs = [database.graph]
        beside: Graph | None = getattr(database, "package_graph", None)
        if beside is not None:
            self._graphs.append(beside)
        self._project: Snapshot | None = getattr(database, "itself", None)
        self._named: NamedReferences | None = None

    def dependencies(self, guid: str, *, deep: bool = False) -> list[str]:
        """Return the GUIDs that an asset refers to, in order.

        With ``deep`` also those that these refer to, and so on.

        Raises:
            ValueError: ``guid`` is not hexadecimal.
            DatabaseError: the index is damaged.
        """
        return self._step(guid, incoming=False, deep=deep)

    def usages(self, guid: str, *, deep: bool = False) -> list[str]:
        """Return the GUIDs of assets that refer to one, in order.

        With ``deep`` also those that refer to these, and so on.

        Raises:
            ValueError: ``guid`` is not hexadecimal.
            DatabaseError: the index is damaged.
        """
        return self._step(guid, incoming=True, deep=deep)

    def closure(self, guids: Collection[str], *, incoming: bool = False) -> set[str]:
        """Return all that some GUIDs refer to, over any number of references.

        One of them is included only if it is reached. With ``incoming``, return all that refer to them.

        Raises:
            ValueError: one is not hexadecimal.
            DatabaseError: the index is damaged.
        """
        found: set[str] = set()
        by_name = set(guids)
        frontiers = [set(guids) for _ in self._graphs]
        while any(frontiers) or by_name:
            for number, edges in enumerate(self._graphs):
                nodes = [node for guid in frontiers[number] if (node := edges.node(int(guid, 16))) is not None]
                frontiers[number] = set()
                reached = set(edges.guids(edges.closure(nodes, incoming=incoming))) - found
                found |= reached
                by_name |= reached
                for other in range(len(self._graphs)):
                    if other != number:
                        frontiers[other] |= reached
            by_name = {other for guid in by_name for other in self._by_name(guid, incoming=incoming)} - found
            found |= by_name
            frontiers = [frontier | by_name for frontier in frontiers]
        return found

    def knows(self, guid: str) -> bool:
        """Whether a GUID is an asset's, or something refers to it."""
        return any(edges.node(int(guid, 16)) is not None for edges in self._graphs)

    def _step(self, guid: str, *, incoming: bool, deep: bool) -> list[str]:
        if deep:
            return sorted(self.closure([guid], incoming=incoming) - {guid})
        found: list[str] = []
        for edges in self._graphs:
            node = edges.node(int(guid, 16))
            if node is not None:
                found += edges.guids(edges.incoming(node) if incoming else edges.outgoing(node))
        by_name = self._by_name(guid, incoming=incoming)
        return sorted({*found, *by_name}) if by_name or len(self._graphs) > 1 else found

    def found_by_name(self, guid: str) -> list[str]:
        """Return the GUIDs of the assets that one finds by their names."""
        return self._by_name(guid, incoming=False)

    def _by_name(self, guid: str, *, incoming: bool) -> list[str]:
        """Return the assets that find one by name, or its targets."""
        asset = self._project.assets.by_guid(guid) if self._project is not None else None
        if asset is None or self._project is None or extension_of(asset.path) not in (_FOUND if incoming else FINDING):
            return []
        if self._named is None:
            from assetdb.query.graph.named import NamedReferences  # noqa: PLC0415 - few assets are found by name

            self._named = NamedReferences(self._project)
        return self._named.users(asset) if incoming else self._named.targets(asset)


def sites(root: str, path: str, guids: Iterable[str], file: str = "") -> list[tuple[str, Site]]:
    """Return GUIDs that an asset and its meta name, with their places.

    Args:
        root: the project.
        path: the asset, relative to it.
        guids: 32 lower-case hex digits each.
        file: where it is, if that is in a package outside the project.
    """
    wanted = [guid.encode("ascii") for guid in guids]
    beside = f"{file}.meta" if file else ""
    return [*_sites(root, path, wanted, file), *_sites(root, path + ".meta", wanted, beside)]


def settings_sites(root: str, guids: Iterable[str]) -> list[tuple[str, Site]]:
    """Return GUIDs that files in ``ProjectSettings/`` name, with their places."""
    wanted = [guid.encode("ascii") for guid in guids]
    return [site for path in settings_files(root) for site in _sites(root, path, wanted)]


def settings_files(root: str) -> Iterator[str]:
    """Return the files of ``ProjectSettings/``, relative to the project.

    Raises:
        ScanError: they cannot be listed just now.
    """
    try:
        names = sorted(os.listdir(os.path.join(root, SETTINGS_FOLDER)))
    except FileNotFoundError:
        return iter(())
    except OSError as error:
        from assetdb.system.failures import excuse  # noqa: PLC0415 - only where something is wrong

        excuse(SETTINGS_FOLDER, error)
        return iter(())
    return (f"{SETTINGS_FOLDER}/{name}" for name in names if name.endswith((".asset", ".json")))


def occurrences_in(root: str, path: str, guids: Iterable[str]) -> list[Occurrence]:
    """Return each reference of a file to some GUIDs, without its place.

    Args:
        root: the project.
        path: the file, relative to it.
        guids: 32 lower-case hex digits each.
    """
    from assetdb.unity.binary.opening import as_text  # noqa: PLC0415 - the same

    return _occurrences(as_text(_read(root, path)), path, [guid.encode("ascii") for guid in guids])


def _sites(root: str, path: str, guids: list[bytes], file: str = "") -> list[tuple[str, Site]]:
    data = _read(root, path, file)
    return [
        (found.guid.decode(), Site(path, *place[:-1], found.file_id, script_id=place.script_id))
        for found, place in placed(data, path, guids)
    ]


def _read(root: str, path: str, file: str = "") -> bytes:
    """Return the bytes of a file, none if it cannot be read."""
    if not path.startswith((*(f"{name}/" for name in ASSET_ROOTS), f"{SETTINGS_FOLDER}/")) or "/../" in path:
        return b""  # a damaged database leads nowhere else
    check_cancelled()
    return read_file(file or asset_file(root, path)) or b""


def _occurrences(data: bytes, path: str, guids: Iterable[bytes]) -> list[Occurrence]:
    wanted = list(guids)
    if len(wanted) <= _FEW:  # of the files of ProjectSettings/, few name an asset: the patterns take 6 ms to load
        text = data.lower()
        if not any(guid in text for guid in wanted):
            return []
    from assetdb.unity.referring.references import occurrences  # noqa: PLC0415 - a list of files needs none of these

    return occurrences(data, path.rpartition(".")[2].lower().encode(), wanted)


def placed(
    data: bytes, path: str, guids: Iterable[bytes], objects: Objects | None = None
) -> list[tuple[Occurrence, Place]]:
    """Return each reference of a file to some GUIDs, with its place.

    A binary file has no lines: theirs are 0.

    Args:
        data: the file.
        path: relative to the project.
        guids: 32 lower-case digits each.
        objects: of the file's text, if the caller has them.
    """
    if data.startswith(b"\0"):
        from assetdb.unity.binary.opening import as_text  # noqa: PLC0415 - projects with binary assets only

        text = as_text(data)
        if text is not data:
            return [(occurrence, place._replace(line=0)) for occurrence, place in placed(text, path, guids, objects)]
    found = _occurrences(data, path, guids)
    if not found:
        return []
    from assetdb.unity.yaml.property_path import each_place  # noqa: PLC0415 - places alone need it

    if path.lower().endswith(".meta"):  # its own GUID begins a line, also in a merge conflict
        found = [occurrence for occurrence in found if not begins_line(data, occurrence.offset)]
    where = each_place(data, [occurrence.offset for occurrence in found], objects)
    return list(zip(found, where, strict=True))


def begins_line(data: bytes, offset: int) -> bool:
    """Whether an offset is on the line ``guid:`` of a meta."""
    before = data[data.rfind(b"\n", 0, offset) + 1 : offset].removeprefix(BYTE_ORDER_MARK)
    return before.startswith(b"guid:") and not before[5:].strip(b" \t")
