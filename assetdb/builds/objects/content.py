"""Content hashes of objects, equal where one asset was built alike.

References are replaced by tokens of what they lead to, and the places of streamed bytes are left out; the streamed
bytes are included. The token of a reference is its PathID unless the caller has a better one: bundles derive PathIDs
from assets, players number their objects.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import pack
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import resolve_streams
from assetdb.builds.objects.scripts import Libraries
from assetdb.builds.parts.reading import open_part
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assetdb.builds.build import Build, StreamedData
    from assetdb_formats.processes import Progress
    from assetdb_formats.unityfs.bundle import Bundle
    from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry

    Token = Callable[[int, int, int], bytes]

LARGEST_SKIMMED: Final = 64 << 20
_PIECE: Final = 1 << 20
_WIDE_IDS: Final = 14  # the version of SerializedFiles from which on a PathID has 8 bytes


class ObjectContent(NamedTuple):
    """The content of an object.

    Attributes:
        digest: of its bytes and its streamed bytes.
        is_whole: whether all its references became tokens; if not, PathIDs are among the bytes.
    """

    digest: bytes
    is_whole: bool


def digests(build: Build, numbers: Collection[int], *, progress: Progress = None) -> dict[int, bytes]:
    """Return the digests of all readable objects among some."""
    return {number: found.digest for number, found in contents(build, numbers, progress=progress).items()}


def contents(
    build: Build,
    numbers: Collection[int],
    *,
    token: Token | None = None,
    is_named: bool = True,
    progress: Progress = None,
) -> dict[int, ObjectContent]:
    """Return the contents of all readable objects among some.

    Args:
        build: the build that has the objects.
        numbers: the numbers of the objects.
        token: gives the bytes of a reference by the number of its file, its file ID and its PathID.
        is_named: whether the name of an object counts.
        progress: called with the number of objects that are done, and of all.
    """
    streams: dict[int, list[StreamedData]] = {}
    wanted = set(numbers)
    for stream in resolve_streams(build):
        if stream.object in wanted:
            streams.setdefault(stream.object, []).append(stream)
    hashes: dict[int, blake2b] = {}
    whole: dict[int, bool] = {}
    by_part: dict[int, list[int]] = {}
    for number in sorted(wanted, key=build.place):  # in the order of the data: an LZMA stream is read forward
        by_part.setdefault(build.part_of(number), []).append(number)
    reader = _ContentReader(build, token, is_named=is_named)
    done = 0
    for part, of_part in by_part.items():
        if progress is not None:
            progress(done, len(wanted))
        done += len(of_part)
        try:
            with open_part(build.parts[part].input) as bundle:
                for number in of_part:
                    found = reader.content(bundle, number)
                    if found is not None:
                        hashes[number], whole[number] = found
        except (FormatError, OSError):  # reported when the build was read, or by verify
            continue
    _add_streams(build, hashes, streams)
    return {number: ObjectContent(found.digest(), whole[number]) for number, found in hashes.items()}


def entry_of(build: Build, file: LoadedFile, number: int) -> ObjectEntry | None:
    """Return the entry of an object, None in a file without it."""
    objects, path_id = file.facts.objects, build.path_ids[number]
    number_in_file = number - build.files[build.file_of(number)].first
    if number_in_file < len(objects) and objects[number_in_file].path_id == path_id:
        return objects[number_in_file]
    return objects.find(path_id)  # the file has changed; a search goes through the whole table


class _ContentReader:
    """Reader of objects; DLLs give the fields of scripts."""

    def __init__(self, build: Build, token: Token | None, *, is_named: bool) -> None:
        self.build = build
        self.token = token
        self.is_named = is_named
        self.libraries = Libraries(build.parts)
        self.learned: set[tuple[int, int]] = set()

    def content(self, bundle: Bundle, number: int) -> tuple[blake2b, bool] | None:
        """Return an object's hash, and whether all its references are known."""
        file_number = self.build.file_of(number)
        facts = self.build.files[file_number].facts
        try:
            file = bundle.file_named(facts.name) if bundle.archive is not None else next(bundle.files())
            entry = entry_of(self.build, file, number) if file is not None else None
            if file is None or entry is None:
                return None
            digest = blake2b(f"{entry.class_id}:".encode(), digest_size=16)
            if entry.size > LARGEST_SKIMMED:
                for piece in file.pieces(entry):
                    digest.update(piece)
                return digest, True
            self._learn(file, entry, file_number)
            digest.update(self._neutral(file, entry, file_number))
            return digest, file.is_skimmed_whole(entry)
        except UnityFSError:
            return None

    def _learn(self, file: LoadedFile, entry: ObjectEntry, number: int) -> None:
        """Give a file without type trees the fields of an object's script."""
        if entry.class_id != MONO_BEHAVIOUR or file.facts.has_type_trees or (number, entry.type_index) in self.learned:
            return
        self.learned.add((number, entry.type_index))
        script = self.build.type_script(number, entry.type_index)
        part = self.build.parts[self.build.files[number].part].name
        if script is not None:
            try:
                tree = self.libraries.trees(part, file.facts.unity_version).tree(script)
                file.learn(entry.type_index, tree)
            except UnityFSError:  # the build says which fields are unknown, when it is read
                file.forget(entry.type_index)

    def _neutral(self, file: LoadedFile, entry: ObjectEntry, file_number: int) -> bytes:
        """Return an object's bytes with tokens for references."""
        data = file.read(entry, largest=LARGEST_SKIMMED)
        try:
            item = file.skim(entry, largest=LARGEST_SKIMMED, data=data)
        except UnityFSError:
            file.forget(entry.type_index)
            try:
                item = file.skim(entry, largest=LARGEST_SKIMMED, data=data)
            except UnityFSError:
                return data
        size = 12 if file.facts.header.version >= _WIDE_IDS else 8
        edits = [(start, end, b"") for _, start, end in item.streams]
        for at, (file_id, path_id) in zip(item.places, item.pointers, strict=bool(item.places)):
            known = self.token(file_number, file_id, path_id) if self.token is not None else pack("<q", path_id)
            edits.append((at, at + size, known))
        if item.name and not self.is_named:
            name = item.name.encode("utf-8", "surrogateescape")
            at = data.find(pack(">i" if file.facts.header.big_endian else "<i", len(name)) + name)
            if at >= 0:
                edits.append((at, at + 4 + len(name) + -len(name) % 4, b""))
        pieces: list[bytes] = []
        done = 0
        for start, end, token in sorted(edits):
            pieces += (data[done:start], token)
            done = max(done, end)
        return b"".join((*pieces, data[done:]))


def _add_streams(build: Build, hashes: dict[int, blake2b], streams: dict[int, list[StreamedData]]) -> None:
    """Add the streamed bytes of objects to their digests, part by part.

    Objects are removed if their streamed bytes cannot be read.
    """
    by_part: dict[int, list[StreamedData]] = {}
    for number, of_object in streams.items():
        for stream in of_object if number in hashes else ():
            if stream.file is None or not stream.is_inside:
                hashes[number].update(repr(stream[1:]).encode("utf-8", "surrogateescape"))  # equal to no other
            else:
                by_part.setdefault(build.files[stream.file].part, []).append(stream)
    for part, found in by_part.items():
        try:
            if build.facts[part].archive is None:
                _add_from_file(build, part, hashes, found)
            else:
                _add_from_bundle(build, part, hashes, found)
        except (FormatError, OSError):  # reported by verify
            for stream in found:
                hashes.pop(stream.object, None)


def _add_from_file(build: Build, part: int, hashes: dict[int, blake2b], streams: list[StreamedData]) -> None:
    """Add streamed bytes that are in a file of their own."""
    with build.parts[part].input.open() as file:
        for stream in streams:
            if stream.object not in hashes:  # other bytes of it could not be read
                continue
            file.seek(stream.offset)
            left = stream.size
            while left and (piece := file.read(min(left, _PIECE))):
                hashes[stream.object].update(piece)
                left -= len(piece)
            if left:  # the file has changed
                del hashes[stream.object]


def _add_from_bundle(build: Build, part: int, hashes: dict[int, blake2b], streams: list[StreamedData]) -> None:
    """Add streamed bytes of a bundle, in the order of its data."""
    with open_part(build.parts[part].input) as bundle:
        nodes = dict(zip(build.files_of_part(part), sorted(bundle.nodes), strict=False))
        for stream in sorted(streams, key=lambda one: (one.file or 0, one.offset)):
            if stream.object not in hashes:  # other bytes of it could not be read
                continue
            node = None if stream.file is None else nodes.get(stream.file)
            if node is None:  # the bundle has changed
                del hashes[stream.object]
                continue
            stored_bytes = node._replace(offset=node.offset + stream.offset, size=stream.size)
            try:
                for piece in bundle.pieces(stored_bytes):
                    hashes[stream.object].update(piece)
            except UnityFSError:
                del hashes[stream.object]
