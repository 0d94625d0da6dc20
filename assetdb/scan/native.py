"""New directories, read by the native module where it is there.

:mod:`assetdb._native` lists, opens, reads and hashes in threads. It knows the form that Unity gives its files, and asks
a :class:`Judge` about everything else. A directory with anything unusual is left to :mod:`assetdb.scan.changes`, which
takes the usual assets of it as known. So the Python code defines every result, and is all that a bake needs.
"""

from __future__ import annotations

from assetdb.scan.asset import IMPLICIT_SPRITE, asset_row
from assetdb.scan.directory import NO_FINDING, DirectoryFacts
from assetdb.system.mirrors import tree_of
from assetdb.unity.kinds import (
    BYTE_ORDER_MARK,
    CONTAINER,
    LEFT_ALONE,
    PARTS,
    PLUGIN_FOLDER,
    UNNAMED,
    UNNAMED_IN_PREFABS,
    Plan,
    is_misfit,
    plan_of,
    split_name,
    type_key,
)
from assetdb.unity.metas.meta import GUID_END, SPRITE_MODE_SINGLE, TEXTURE_TYPE_SPRITE, MetaReader
from assetdb.unity.metas.refusal import PLAIN_TAIL
from assetdb.unity.referring.references import CERTAIN_FORMS, packed_references, packed_without
from assetdb.version import native_module

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Any, Final, Protocol

    from assetdb.scan.directory import AssetRow
    from assetdb.scan.reader import DirectoryReader
    from assetdb.unity.facts import ImporterFacts

    class FolderReader(Protocol):
        """Reads one directory after the other."""

        def read(self, path: bytes, place: bytes) -> tuple[tuple[Any, ...] | None, bool, int]:
            """Return facts or None, whether they are whole, and files read."""

    class Walk(Protocol):
        """The walk of the native module."""

        def push(self, directories: list[tuple[bytes, bytes]]) -> None:
            """Add directories: their paths in the project and their locations."""

        def take(self) -> list[tuple[bytes, tuple[Any, ...] | None, bool]]:
            """Wait for directories; an empty list means that all were read.

            Each has its path, its facts or None, and whether the facts are whole.
            """

        def close(self) -> int:
            """End all threads; return how many files were read."""


_OF_FOLDERS: Final = ("", "DefaultImporter")


class Judge:
    """Answers the questions of one thread of the native module.

    After an answer of None or an error, :mod:`assetdb.scan.changes` reads the asset, and meets the error itself.
    """

    def __init__(self) -> None:
        self._metas = MetaReader(tables=False)

    def meta(self, data: bytes) -> tuple[object, ...] | None:
        """Return GUID and facts of a meta, None if it is odd."""
        known = self._metas.known
        count = len(known)
        (guid, facts, others), _ = self._metas.read_unknown(data)
        if not guid or others or facts.conflict or data.startswith(BYTE_ORDER_MARK) or self._metas.fault is not None:
            return None
        is_sheet = facts.sprite_mode != SPRITE_MODE_SINGLE
        flags = (
            not (facts.sprites or facts.labels or facts.asset_bundle_name or facts.folder),
            not is_sheet and facts.texture_type == TEXTURE_TYPE_SPRITE,
            is_sheet,
            facts.folder or facts.importer in _OF_FOLDERS,
            data.endswith(PLAIN_TAIL) and b"'" not in data and b'"' not in data,
        )
        kind = b"%d" % facts.texture_class if facts.texture_class else b""
        is_kept = len(known) > count or data[GUID_END:] in known
        return (
            guid,
            facts,
            facts.importer,
            flags,
            facts.main_object,
            kind,
            packed_without(facts.references, b""),
            is_kept,
        )

    def plan(self, asset: bytes, importer: str) -> tuple[object, ...]:
        """Return how assets of an extension and importer are read."""
        _, extension = split_name(asset)
        plan = plan_of(extension, importer)
        if is_misfit(extension, importer):  # which is told elsewhere
            plan = plan._replace(read=False, look=True)
        return (
            extension,
            b"" if plan.typed else type_key(extension, 0, importer),
            plan,
            (extension == b"prefab", extension == CONTAINER, extension in CERTAIN_FORMS),
        )

    def type_key(self, extension: bytes, class_id: int, importer: str) -> bytes:
        """Return :func:`assetdb.unity.kinds.type_key`."""
        return type_key(extension, class_id, importer)

    def references(self, data: bytes, extension: bytes, guid: bytes, facts: ImporterFacts) -> tuple[bytes, bytes]:
        """Return packed references and candidates of an asset and its meta."""
        return packed_references(data, extension, guid, facts.references)

    def row(
        self, asset: bytes, hint: bytes, guid: bytes, facts: ImporterFacts, data: bytes | None, plan: Plan
    ) -> AssetRow | None:
        """Return the row of an asset that causes no diagnostic."""
        stem, extension = split_name(asset)
        row, finding = asset_row(stem, extension, hint, guid, facts, data, plan)
        return row if finding is NO_FINDING else None


class NativeReader:
    """Reads new directories one after the other, in the thread that asks.

    Where processes can fork, each of them reads with one: two processes take 0.6 of the time of two threads, which wait
    for each other when they ask a :class:`Judge`.
    """

    def __init__(self, module: ModuleType, reader: DirectoryReader) -> None:
        self._reader = reader
        self._native: FolderReader = module.FolderReader(Judge(), _given(reader))

    def read(self, path: bytes) -> tuple[DirectoryFacts | None, bool]:
        """Return facts of a directory, and whether they are whole."""
        facts, is_whole, files_read = self._native.read(path, self._reader.place_of(path))
        self._reader.files_read += files_read
        return DirectoryFacts(*facts) if facts is not None else None, is_whole


def native_reader(reader: DirectoryReader) -> NativeReader | None:
    """Return a reader of new directories, None where Python reads all."""
    module = _module_for(reader)
    return NativeReader(module, reader) if module is not None else None


def native_walk(reader: DirectoryReader, threads: int) -> Walk | None:
    """Return a walk with as many threads, None where Python reads all."""
    module = _module_for(reader)
    if module is None:
        return None
    walk: Walk = module.Walk([Judge() for _ in range(threads)], _given(reader))
    return walk


def _module_for(reader: DirectoryReader) -> ModuleType | None:
    """Return the native module if it can read a project."""
    return native_module() if reader.excluded is None and not tree_of(reader.root) else None


def _given(reader: DirectoryReader) -> tuple[object, ...]:
    """Return how files are read and told, for the native module."""
    return (
        reader.identities.since_ns,
        reader.identities.is_minimal,
        (reader.largest_meta, reader.largest_asset),
        LEFT_ALONE,
        PLUGIN_FOLDER,
        IMPLICIT_SPRITE,
        sorted(PARTS),
        (UNNAMED, UNNAMED_IN_PREFABS),
    )


def read_all(
    walk: Walk,
    roots: Iterable[bytes],
    reader: DirectoryReader,
    read: Callable[[bytes, DirectoryFacts | None], DirectoryFacts | None],
    add: Callable[[DirectoryFacts], bool],
    meanwhile: Callable[[], None] | None,
) -> None:
    """Read all directories below some roots.

    Args:
        walk: of :func:`native_walk`; it ends here.
        roots: relative to the project.
        reader: of the project.
        read: reads a directory of which some assets may be known; None if there is no such directory.
        add: takes each directory, and returns whether to go on.
        meanwhile: called once the threads have work.
    """
    try:
        walk.push([(root, reader.place_of(root)) for root in roots])
        if meanwhile is not None:
            meanwhile()
        while found := walk.take():
            further: list[tuple[bytes, bytes]] = []
            for path, facts, is_whole in found:
                directory = DirectoryFacts(*facts) if facts is not None else None
                if not is_whole:
                    directory = read(path, directory)
                    if directory is not None:
                        further += [(child, reader.place_of(child)) for child in directory.subdirectories()]
                if directory is None:  # gone, or a failure, which ends all
                    continue
                if not add(directory):
                    return
            if further:
                walk.push(further)
    finally:
        reader.files_read += walk.close()
