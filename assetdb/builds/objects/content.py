"""Content hashes of objects, equal where one asset was built alike.

References to neighbouring files are left out: file numbers of targets, and the places of streamed bytes. PathIDs are
included (builds derive them from the asset), and so are the streamed bytes.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from assetdb.builds.build import resolve_streams
from assetdb.builds.parts.reading import open_part
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.errors import UnityFSError

if TYPE_CHECKING:
    from collections.abc import Collection

    from assetdb.builds.build import Build, StreamedData
    from assetdb_formats.processes import Progress
    from assetdb_formats.unityfs.bundle import Bundle
    from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry

LARGEST_SKIMMED: Final = 64 << 20
_PIECE: Final = 1 << 20


def digests(build: Build, numbers: Collection[int], *, progress: Progress = None) -> dict[int, bytes]:
    """Return the digests of all readable objects among some."""
    streams: dict[int, list[StreamedData]] = {}
    wanted = set(numbers)
    for stream in resolve_streams(build):
        if stream.object in wanted:
            streams.setdefault(stream.object, []).append(stream)
    hashes: dict[int, blake2b] = {}
    by_part: dict[int, list[int]] = {}
    for number in sorted(wanted, key=build.place):  # in the order of the data: an LZMA stream is read forward
        by_part.setdefault(build.part_of(number), []).append(number)
    done = 0
    for part, own in by_part.items():
        if progress is not None:
            progress(done, len(wanted))
        done += len(own)
        try:
            with open_part(build.parts[part].input) as bundle:
                for number in own:
                    found = _of_object(build, bundle, number)
                    if found is not None:
                        hashes[number] = found
        except (FormatError, OSError):  # reported when the build was read, or by verify
            continue
    _add_streams(build, hashes, streams)
    return {number: found.digest() for number, found in hashes.items()}


def _of_object(build: Build, bundle: Bundle, number: int) -> blake2b | None:
    facts = build.files[build.file_of(number)].facts
    try:
        file = bundle.file_named(facts.name) if bundle.archive is not None else next(bundle.files())
        entry = file.facts.objects.find(build.path_ids[number]) if file is not None else None
        if file is None or entry is None:
            return None
        found = blake2b(f"{entry.class_id}:".encode(), digest_size=16)
        if entry.size > LARGEST_SKIMMED:
            for piece in file.pieces(entry):
                found.update(piece)
        else:
            found.update(_neutral(file, entry))
    except UnityFSError:
        return None
    return found


def _neutral(file: LoadedFile, entry: ObjectEntry) -> bytes:
    """Return an object's bytes with references to other files cleared."""
    data = file.read(entry, largest=LARGEST_SKIMMED)
    try:
        item = file.skim(entry, largest=LARGEST_SKIMMED, data=data)
    except UnityFSError:
        return data
    if not item.places and not item.streams:
        return data
    neutral = bytearray(data)
    for place in item.places:
        neutral[place : place + 4] = bytes(4)
    for _, start, end in sorted(item.streams, key=lambda row: -row[1]):
        del neutral[start:end]
    return bytes(neutral)


def _add_streams(build: Build, hashes: dict[int, blake2b], streams: dict[int, list[StreamedData]]) -> None:
    """Add the streamed bytes of objects to their digests, part by part."""
    by_part: dict[int, list[StreamedData]] = {}
    for number, own in streams.items():
        for stream in own:
            if number in hashes:
                if stream.file is None or not stream.is_inside:
                    hashes[number].update(repr(stream[1:]).encode("utf-8", "surrogateescape"))  # equal to no other
                else:
                    by_part.setdefault(build.files[stream.file].part, []).append(stream)
    for part, found in by_part.items():
        source = build.parts[part].input
        if build.facts[part].archive is None:
            with source.open() as stream_of_part:
                for item in (row for row in found if row.object in hashes):
                    stream_of_part.seek(item.offset)
                    left = item.size
                    while left and (piece := stream_of_part.read(min(left, _PIECE))):
                        hashes[item.object].update(piece)
                        left -= len(piece)
            continue
        with open_part(source) as bundle:
            nodes = dict(zip(build.files_of_part(part), sorted(bundle.nodes), strict=False))
            for item in sorted(found, key=lambda one: (one.file or 0, one.offset)):
                node = nodes.get(-1 if item.file is None else item.file)
                if item.object not in hashes:  # other bytes of it could not be read
                    continue
                if node is None:  # the bundle has changed
                    del hashes[item.object]
                    continue
                slice_of = node._replace(offset=node.offset + item.offset, size=item.size)
                try:
                    for piece in bundle.pieces(slice_of):
                        hashes[item.object].update(piece)
                except UnityFSError:
                    del hashes[item.object]
