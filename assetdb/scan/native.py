"""New directories, read by the native module where it is there.

:mod:`assetdb._native` lists, opens, reads and hashes in threads. It knows the form that Unity gives its files, and asks
a :class:`Judge` about everything else. A directory with anything unusual is left to :mod:`assetdb.scan.changes`, which
takes the usual assets of it as known. So the Python code defines every result, and is all that a bake needs.
"""

from __future__ import annotations

import sys

from assetdb.diagnostics import Diagnostic, encode
from assetdb.scan.directory import NO_FINDING, NOT_YAML, DirectoryFacts, marked
from assetdb.system.mirrors import tree_of
from assetdb.unity.kinds import (
    ASSEMBLY,
    BYTE_ORDER_MARK,
    CONTAINER,
    LEFT_ALONE,
    PARTS,
    PLUGIN_FOLDER,
    SPRITE,
    SPRITE_MAIN,
    UNNAMED,
    UNNAMED_IN_PREFABS,
    URLS,
    Plan,
    is_misfit,
    kind_of,
    plan_of,
    split_name,
    type_key,
)
from assetdb.version import native_module
from assetdb_formats.codecs.bincode import signed, unsigned

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Any, Final, Protocol

    from assetdb.scan.directory import AssetRow
    from assetdb.scan.reader import DirectoryReader
    from assetdb.unity.facts import ImporterFacts
    from assetdb.unity.metas.meta import MetaReader

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

        def asked(self) -> int:
            """Return how often the threads asked a judge of metas and assets."""

        def leave(self) -> list[bytes]:
            """End all threads; return the directories that were not read."""

        def close(self) -> int:
            """End all threads; return how many files were read."""


_OF_FOLDERS: Final = ("", "DefaultImporter")
_SAMPLE: Final = 1000  # assets
_MANY_ASKED: Final = 0.25  # of them
_SWITCH_INTERVAL: Final = 0.0002  # seconds for which a question waits for what is imported meanwhile, else 5 ms


class Judge:
    """Answers the questions of one thread of the native module.

    After an answer of None or an error, :mod:`assetdb.scan.changes` reads the asset, and meets the error itself. What
    reads metas and texts is imported when it is asked for: small projects have nothing that the module does not know.
    """

    def __init__(self) -> None:
        self._metas: MetaReader | None = None

    def meta(self, data: bytes) -> tuple[object, ...] | None:
        """Return GUID and facts of a meta, None if it is odd."""
        from assetdb.unity.metas.meta import GUID_END, SPRITE_MODE_SINGLE, TEXTURE_TYPE_SPRITE, MetaReader  # noqa: PLC0415 - see above
        from assetdb.unity.metas.refusal import PLAIN_TAIL  # noqa: PLC0415 - see above
        from assetdb.unity.referring.references import packed_without  # noqa: PLC0415 - see above

        metas = self._metas = self._metas or MetaReader(tables=False)
        known = metas.known
        count = len(known)
        (guid, facts, others), _ = metas.read_unknown(data)
        if not guid or others or facts.conflict or data.startswith(BYTE_ORDER_MARK) or metas.fault is not None:
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
        content = kind_of(extension.decode("utf-8", "replace")).content
        flags = (
            extension == b"prefab",
            extension == CONTAINER,
            content == ASSEMBLY,
            content == URLS,
            is_misfit(extension, importer),
        )
        return extension, b"" if plan.typed else type_key(extension, 0, importer), plan, flags

    def type_key(self, extension: bytes, class_id: int, importer: str) -> bytes:
        """Return :func:`assetdb.unity.kinds.type_key`."""
        return type_key(extension, class_id, importer)

    def references(self, data: bytes, extension: bytes, guid: bytes, facts: ImporterFacts) -> tuple[bytes, bytes]:
        """Return packed references and candidates of an asset and its meta."""
        from assetdb.unity.referring.references import packed_references  # noqa: PLC0415 - see above

        return packed_references(data, extension, guid, facts.references)

    def row(
        self, asset: bytes, hint: bytes, guid: bytes, facts: ImporterFacts, data: bytes | None, plan: Plan
    ) -> tuple[AssetRow, bytes]:
        """Return an asset's row and its encoded diagnostic, ``b""`` without one."""
        from assetdb.scan.asset import asset_row  # noqa: PLC0415 - see above

        stem, extension = split_name(asset)
        row, finding = asset_row(stem, extension, hint, guid, facts, data, plan)
        if finding is NO_FINDING:
            return row, b""
        return row, encode([Diagnostic(finding.code, hint.decode(), 0, finding.message)])

    def without_metas(self, path: bytes, names: list[bytes]) -> bytes:
        """Return encoded diagnostics of files and folders without metas."""
        from assetdb.scan.walking.listing import without_metas  # noqa: PLC0415 - see above

        return encode(sorted(without_metas(path, names)))


class NativeReader:
    """Reads new directories one after the other, in the thread that asks."""

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
        b"\1" + signed(SPRITE_MAIN) + unsigned(SPRITE),  # IMPLICIT_SPRITE of assetdb.scan.asset, not loaded here
        sorted(PARTS),
        (UNNAMED, UNNAMED_IN_PREFABS),
        [tuple(encode([found]).split(b"\0")) for found in (marked("\0"), _told("empty"), _told("lfs"))],
    )


def _told(kind: str) -> Diagnostic:
    """Return the diagnostic of a file without documents, without its path."""
    return Diagnostic(NOT_YAML[kind].code, "\0", 0, NOT_YAML[kind].message)


def read_all(
    walk: Walk,
    roots: Iterable[bytes],
    reader: DirectoryReader,
    read: Callable[[bytes, DirectoryFacts | None], DirectoryFacts | None],
    add: Callable[[DirectoryFacts], bool],
    meanwhile: Callable[[], None] | None,
    *,
    may_leave: bool,
) -> list[bytes]:
    """Read all directories below some roots; return those that are left.

    They are left if much of what was read is unusual and several processes may read it: threads that ask a
    :class:`Judge` wait for each other, so that two processes took 0.6 of the time of two threads.

    Args:
        walk: of :func:`native_walk`; it ends here.
        roots: relative to the project.
        reader: of the project.
        read: reads a directory of which some assets may be known; None if there is no such directory.
        add: takes each directory, and returns whether to go on.
        meanwhile: called once the threads have work.
        may_leave: whether directories may be left.
    """
    left: list[bytes] = []
    leaves = False
    count = 0
    interval = sys.getswitchinterval()
    try:
        sys.setswitchinterval(_SWITCH_INTERVAL)
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
                count += directory.pair_count
                if not add(directory):
                    return []
            if leaves:
                left += [path for path, _ in further]
            elif further:
                walk.push(further)
            if may_leave and not leaves and count > _SAMPLE and walk.asked() > count * _MANY_ASKED:
                leaves = True
                left = walk.leave()
        return left
    finally:
        sys.setswitchinterval(interval)
        reader.files_read += walk.close()
