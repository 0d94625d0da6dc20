"""Reading of one part: its tables, and names and references of objects."""

from __future__ import annotations

from array import array
from collections import Counter
from struct import pack
from typing import TYPE_CHECKING, Final

from assetdb.builds.parts.facts import (
    ARCHIVE,
    HELD,
    RESOURCE,
    SERIALIZED,
    ArchiveFacts,
    FileFacts,
    PartFacts,
    PlayerFacts,
    ScriptFacts,
    Stream,
)
from assetdb.unity.engine.classes import class_name
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.archives import compression
from assetdb_formats.unityfs.bundle import open_input
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files import player, serialized
from assetdb_formats.unityfs.serialized_files.loaded import ASSET_BUNDLE, ContainerEntry
from assetdb_formats.unityfs.serialized_files.skim import Skim
from assetdb_formats.unityfs.types.layouts import release_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb_formats.inputs import Input
    from assetdb_formats.unityfs.bundle import Bundle
    from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry, SerializedFile

_NOTHING: Final = Skim.nothing()
LARGEST_OBJECT: Final = 64 << 20
"""Bytes of an object that is read for its references; a larger one is a mesh or texture whose data are its own."""
_MOST_PROBLEMS: Final = 20  # of a part: in a damaged file every object may have the same problem
PRELOAD_DATA: Final = 150
# Their references are lists of what is loaded together: used as containers, or ignored.
_TABLES: Final = frozenset({ASSET_BUNDLE, PRELOAD_DATA, player.RESOURCE_MANAGER})


def open_part(file: Input) -> Bundle:
    """Open a part that holds objects. Raises FormatError or OSError."""
    return open_input(file, class_names=class_name)


def read_part(file: Input, kind: str, *, contents: bool = True) -> PartFacts:
    """Read one part, listing damage in its problems.

    Without ``contents`` only its tables are read: objects then have no names, references and streamed data.

    Raises:
        OSError: it cannot be read just now.
    """
    if kind not in HELD:
        return PartFacts(kind, file.size)
    if kind == RESOURCE:
        size = file.size
        return PartFacts(kind, size, files=(FileFacts(file_name(file.member), 0, size),))
    try:
        with open_part(file) as bundle:
            return _Reading(bundle, file, contents=contents).facts()
    except FormatError as error:
        return PartFacts(kind, file.size, problems=(_declared_size(file) or str(error.at("")),))


def _declared_size(file: Input) -> str:
    """Return how a SerializedFile was cut off, or ``""``."""
    try:
        header = serialized.read_header(file.head(serialized.HEADER_SIZE))
    except FormatError:
        return ""
    size = file.size
    return f"is cut off: declares {header.file_size} bytes, has {size}" if header.file_size > size else ""


def file_name(member: str) -> str:
    """Return the last part of a name."""
    return member.replace("\\", "/").rpartition("/")[2]


class _Reading:
    """The columns of one part as they fill."""

    def __init__(self, bundle: Bundle, file: Input, *, contents: bool) -> None:
        self.bundle = bundle
        self.file = file
        self.contents = contents
        self.files: list[FileFacts] = []
        self.path_ids = array("q")
        self.class_ids = array("i")
        self.types = array("i")
        self.offsets = array("q")
        self.sizes = array("q")
        self.names: list[str] = []
        self.counts = array("I")
        self.reference_files = array("i")
        self.reference_ids = array("q")
        self.streams: list[Stream] = []
        self.scripts: list[ScriptFacts] = []
        self.contained: list[tuple[int, str]] = []
        self.pointers: list[tuple[int, int, int, str]] = []
        self.player: PlayerFacts | None = None
        self.problems: list[str] = []
        self.more = 0
        self.unread: Counter[int] = Counter()
        self.asset_bundle: tuple[str, tuple[str, ...], bool] = ("", (), False)

    def facts(self) -> PartFacts:
        for node in sorted(self.bundle.nodes):
            name = node.path or file_name(self.file.member)
            loaded: LoadedFile | None = None
            if node.serialized:
                try:
                    loaded = self.bundle.file(node)
                except UnityFSError as error:
                    self._problem(error)
            if loaded is None:
                self.files.append(FileFacts(name, node.offset, node.size))
                continue
            facts = _file_facts(name, loaded.facts, node.offset, node.size)
            if loaded.extracted:
                facts = facts._replace(extracted=True, without_trees=loaded.without_trees())
            self.files.append(facts)
            self._read_objects(loaded)
        if self.more:
            self.problems.append(f"and {self.more:,} more like these")
        archive = self.bundle.archive
        return PartFacts(
            kind=ARCHIVE if archive is not None else SERIALIZED,
            size=self.file.size,
            archive=None
            if archive is None
            else ArchiveFacts(
                archive.signature,
                archive.format,
                archive.unity_version,
                tuple(sorted({compression.NAMES[block.compression] for block in archive.blocks})),
                archive.decoded_size,
                *self.asset_bundle,
            ),
            block_starts=array("q", archive.starts if archive is not None else (0, self.bundle.decoded_size)),
            block_sizes=array("q", [block.compressed_size for block in archive.blocks])
            if archive is not None
            else array("q", [self.bundle.decoded_size]),
            files=tuple(self.files),
            path_ids=self.path_ids,
            class_ids=self.class_ids,
            types=self.types,
            offsets=self.offsets,
            sizes=self.sizes,
            contained=tuple(self.contained),
            container_pointers=tuple(self.pointers),
            names=tuple(self.names),
            reference_counts=self.counts,
            reference_files=self.reference_files,
            reference_ids=self.reference_ids,
            streams=tuple(self.streams),
            scripts=tuple(self.scripts),
            player=self.player,
            problems=tuple(self.problems),
            unread=tuple(sorted(self.unread.items())),
            has_contents=self.contents,
        )

    def _problem(self, error: UnityFSError) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(str(error.at("")))
        else:
            self.more += 1

    def _read_objects(self, file: LoadedFile) -> None:
        self.whole: dict[tuple[int, int], bool] = {}
        self.paths: dict[int, Sequence[ContainerEntry]] = {}
        base = len(self.path_ids)
        columns = file.facts.objects.columns()
        own = (self.path_ids, self.class_ids, self.types, self.offsets, self.sizes)
        for column, found in zip(own, columns, strict=True):
            column.frombytes(pack(f"{len(found)}{column.typecode}", *found))  # extend reads each by a format of its own
        if not self.contents:
            self._read_tables(file, columns[1], base)
            return
        entries = list(file.facts.objects)
        skims = [_NOTHING] * len(entries)
        # In the order of the data: blocks are decoded once, an LZMA stream is read forward.
        order = [entry.offset for entry in entries]
        for place in sorted(range(len(entries)), key=order.__getitem__):
            entry = entries[place]
            try:
                skims[place] = self._read_object(file, entry, base + place)
            except UnityFSError as error:
                self._problem(error)
                self.unread[entry.class_id] += 1
        self.names += [item.name for item in skims]
        self.counts.extend([len(item.pointers) for item in skims])
        for item in skims:
            if item.pointers:
                files, ids = zip(*item.pointers, strict=True)
                self.reference_files.extend(files)
                self.reference_ids.extend(ids)
        self._read_container(file, base)

    def _read_tables(self, file: LoadedFile, class_ids: Sequence[int], base: int) -> None:
        """Read the objects that describe others, and the player's settings."""
        self.names += [""] * len(class_ids)
        self.counts.frombytes(bytes(self.counts.itemsize * len(class_ids)))
        for place, class_id in enumerate(class_ids if _PLAYER.intersection(class_ids) else ()):
            if class_id in _PLAYER:
                entry = file.facts.objects[place]
                try:
                    self._read_player(file, entry, base + place, file.read(entry))
                except UnityFSError as error:
                    self._problem(error)
        self._read_container(file, base)

    def _read_object(self, file: LoadedFile, entry: ObjectEntry, place: int) -> Skim:
        class_id = entry.class_id
        if class_id in _TABLES:
            name = file.name(entry)
            self._read_paths(file, class_id)
            return Skim(name, [], [], [])
        if entry.size > LARGEST_OBJECT:
            self.unread[class_id] += 1
            return Skim(file.name(entry), [], [], [])
        data = file.read(entry) if class_id in _READERS else None
        if data is not None:
            self._read_player(file, entry, place, data)
        item = file.skim(entry, largest=LARGEST_OBJECT, data=data)
        for stream, _, _ in item.streams:
            self.streams.append(Stream(place, *stream))
        key = (entry.type_index, class_id)
        if key not in self.whole:
            self.whole[key] = file.is_skimmed_whole(entry)
        if not self.whole[key]:
            self.unread[class_id] += 1
        return item

    def _read_player(self, file: LoadedFile, entry: ObjectEntry, place: int, data: bytes) -> None:
        reader = player.reader_of(data, big_endian=file.facts.header.big_endian, base=entry.offset)
        known = self.player or PlayerFacts()
        if entry.class_id == player.MONO_SCRIPT:
            self.scripts.append(ScriptFacts(place, *player.read_script(reader)))
        elif entry.class_id == player.BUILD_SETTINGS:
            self.player = known._replace(scenes=player.read_scenes(reader))
        elif entry.class_id == player.NETWORK_MANAGER:
            own = len(self.files) - 1
            found = player.read_prefabs(reader, file.facts.unity_version)
            rows = tuple((guid, own, pointer.file_id, pointer.path_id) for guid, pointer in found)
            self.player = known._replace(prefabs=rows)
        else:
            product = player.read_product(reader, release_of(file.facts.unity_version))
            if product is not None:
                self.player = known._replace(company=product.company, product=product.name, guid=product.guid)

    def _read_container(self, file: LoadedFile, base: int) -> None:
        """Read the loading paths of an AssetBundle or a ResourceManager."""
        rows = (*self._read_paths(file, ASSET_BUNDLE), *self._read_paths(file, player.RESOURCE_MANAGER))
        if not rows:
            return
        places = dict(zip(self.path_ids[base:], range(base, len(self.path_ids)), strict=True))
        own = [(places[asset[1]], path) for path, asset, _, _ in rows if not asset[0] and asset[1] in places]
        self.contained += own
        if len(own) < len(rows):
            number = len(self.files) - 1
            self.pointers += [
                (number, *asset, path)
                for path, asset, _, _ in rows
                if (asset[1] if asset[0] else asset[1] not in places)
            ]

    def _read_paths(self, file: LoadedFile, class_id: int) -> Sequence[ContainerEntry]:
        """Return the paths of one of the tables, reading each once.

        Each is read in the order of the data: after all other objects it would decode an LZMA stream anew for every
        file, 20 s for 30 files in 30 kB.
        """
        if class_id not in self.paths:
            self.paths[class_id] = ()
            try:
                if class_id == player.RESOURCE_MANAGER:
                    self.paths[class_id] = tuple(self._resources(file))
                found = file.asset_bundle() if class_id == ASSET_BUNDLE else None
            except UnityFSError as error:
                self._problem(error)
                return ()
            if found is not None:
                self.asset_bundle = (found.bundle_name or found.name, found.dependencies, found.scenes)
                self.paths[class_id] = found.container
        return self.paths[class_id]

    def _resources(self, file: LoadedFile) -> Iterator[ContainerEntry]:
        entry = file.facts.objects.first_of_class(player.RESOURCE_MANAGER)
        if entry is not None:
            data = file.read(entry, largest=LARGEST_OBJECT)
            reader = player.reader_of(data, big_endian=file.facts.header.big_endian, base=entry.offset)
            for path, pointer in player.read_resources(reader):
                yield ContainerEntry(f"Resources/{path}", pointer, 0, 0)


_PLAYER: Final = frozenset({player.BUILD_SETTINGS, player.PLAYER_SETTINGS})
_READERS: Final = _PLAYER | {player.MONO_SCRIPT, player.NETWORK_MANAGER}


def _file_facts(name: str, facts: SerializedFile, offset: int, size: int) -> FileFacts:
    scripts = facts.script_references
    types = []
    for kind in facts.types:
        known = 0 <= kind.script_index < len(scripts)
        types.append((kind.class_id, *(scripts[kind.script_index] if known else (0, 0))))
    header = facts.header
    return FileFacts(
        name=name,
        offset=offset,
        size=size,
        serialized=True,
        version=header.version,
        unity_version=facts.unity_version,
        platform=facts.platform,
        type_trees=facts.has_type_trees,
        metadata_end=header.metadata_offset + header.metadata_size,
        externals=tuple(external.path for external in facts.externals),
        types=tuple(types),
        objects=len(facts.objects),
    )
