"""Parallel reading of text assets into references by number."""

from __future__ import annotations

import os
from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from assetdb.checks.verdicts.extracting import NOTHING, Extractor
from assetdb.checks.verdicts.processing import in_parts
from assetdb.memo import contents
from assetdb.memo.tree import extension_of, file_of
from assetdb.scan.content_id import hasher
from assetdb.settings.project import files_of
from assetdb.system.cancelling import check_cancelled
from assetdb.system.reading import LARGEST_ASSET, attempt, open_regular
from assetdb.unity.kinds import HEAD_BYTES, is_yaml_head, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from assetdb.checks.verdicts.former import Content, FormerFacts
    from assetdb.checks.verdicts.processing import Processing
    from assetdb.unity.settings.tags import Tags

_STEP: Final = 1 << 24
_GUID_DIGITS: Final = 32


FileReferences: TypeAlias = tuple[bytes, bytes]
"""References of one file: numbers of keys, and how often each occurs, both uint32."""


class ReadFacts(NamedTuple):
    """The facts of some files.

    Attributes:
        keys: in the order of their numbers.
        files: by path the references of each.
        anchors: by path the fileIDs of objects in files made of documents.
        nested: by path the GUIDs of prefabs and models that the file nests.
        contents: by path the beginning of the content id of the bytes that were read, ``b""`` if there were none.
        former: by path the known facts of its content, for files that are not in ``files``.
    """

    keys: list[bytes]
    files: dict[bytes, FileReferences]
    anchors: dict[bytes, bytes]
    nested: dict[bytes, tuple[bytes, ...]]
    contents: dict[bytes, bytes]
    former: dict[bytes, FormerFacts]


def read_files(
    root: str,
    paths: Sequence[bytes],
    processing: Processing,
    *,
    libyaml: bool = False,
    tags: Tags | None = None,
    former: Mapping[Content, FormerFacts] = MappingProxyType({}),
) -> ReadFacts:
    """Read files for verdicts; unreadable ones refer to nothing.

    Args:
        root: the project.
        paths: relative to it.
        processing: how many processes read how many files.
        libyaml: whether Unity up to 2019.2 reads the project.
        tags: the project's, None if they are unknown.
        former: facts of contents that need not be found again, made with this ``libyaml`` and these ``tags``.

    Raises:
        ScanError: whether a file can be read cannot be determined now.
    """

    def read(number: int, part: Sequence[bytes]) -> dict[str, Any]:
        on_progress = processing.on_progress if number == 0 else None
        extractor = Extractor(libyaml=libyaml, tags=tags)
        return _read(root, part, extractor, former, on_progress)._asdict()

    found = ReadFacts([], {}, {}, {}, {}, {})
    numbers: dict[bytes, int] = {}
    for made in in_parts(read, paths, processing.files, processing.workers):
        renumbered = [numbers.setdefault(key, len(numbers)) for key in made["keys"]]
        for path, (keys, counts) in made["files"].items():
            found.files[path] = array("I", map(renumbered.__getitem__, array("I", keys))).tobytes(), counts
        found.anchors.update(made["anchors"])
        found.nested.update(made["nested"])
        found.contents.update(made["contents"])
        found.former.update(made["former"])
    found.keys.extend(numbers)
    return found


def narrowed(found: ReadFacts, wanted: Mapping[bytes, Collection[bytes] | None]) -> ReadFacts:
    """Return facts of files, with the references to some assets alone.

    Args:
        found: the facts.
        wanted: by path the GUIDs (32 digits) of the wanted assets; None: all.
    """
    numbers: dict[bytes, int] = {}
    files: dict[bytes, FileReferences] = {}
    for path, (packed, counts) in found.files.items():
        guids = wanted[path]
        rows = [
            (numbers.setdefault(found.keys[number], len(numbers)), count)
            for number, count in zip(array("I", packed), array("I", counts), strict=True)
            if guids is None or found.keys[number][:_GUID_DIGITS] in guids
        ]
        files[path] = array("I", [row[0] for row in rows]).tobytes(), array("I", [row[1] for row in rows]).tobytes()
    return found._replace(keys=list(numbers), files=files)


def read_one(root: str, path: bytes, largest: int = LARGEST_ASSET, place: str = "") -> bytes | None:
    """Return the bytes of a possibly referring file, None if unreadable.

    Args:
        root: the project.
        path: relative to it.
        largest: bytes; a larger file is not read.
        place: of the file on this machine, if it is known already.

    Raises:
        ScanError: whether it can be read cannot be determined now.
    """
    place = place or file_of(root, path)
    return attempt(_bytes_of, place, path, largest)


def _bytes_of(place: str, path: bytes, largest: int) -> bytes | None:
    with open(open_regular(place), "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if not kind_of(extension_of(path)).content:  # only its head is read, whatever its size
            if not is_yaml_head(file.read(HEAD_BYTES) or b""):
                return None
            file.seek(0)
        if size > largest:  # a diagnostic of the scan
            return None
        data = file.read(size + 1) or b""
        if len(data) != size:  # still growing, or the system gives it in pieces
            while len(data) <= largest and (more := file.read(_STEP)):
                data += more
        return data if len(data) <= largest else None


def content_of(path: bytes, data: bytes, digest: Callable[[bytes], bytes]) -> bytes | None:
    """Return the content id of bytes that were read.

    None for a large file of an unknown kind, whose identity counts instead.
    """
    is_whole = kind_of(extension_of(path)).content or len(data) <= contents.LARGEST
    return digest(data) if is_whole else None


def _content_without_text(path: bytes, place: str, digest: Callable[[bytes], bytes]) -> bytes | None:
    """Return the content id of a file that gave no text.

    ``b""`` if it has none, None for a large file of an unknown kind, whose identity counts. A file may give no text for
    a moment only: it is empty or gone while git replaces it, or closed while its folder has other permissions.
    """
    if kind_of(extension_of(path)).content:
        return b""
    found = attempt(_beginning_of, place)
    if found is None or is_yaml_head(found[0][:HEAD_BYTES]):
        return b""
    return digest(found[0]) if found[1] else None


def _beginning_of(place: str) -> tuple[bytes, bool]:
    """Return a file's bytes and True, or its head and False."""
    with open(open_regular(place), "rb") as file:
        is_small = os.fstat(file.fileno()).st_size <= contents.LARGEST
        data = file.read(contents.LARGEST + 1 if is_small else HEAD_BYTES)
        return data, is_small and len(data) <= contents.LARGEST


def _read(
    root: str,
    paths: Sequence[bytes],
    extractor: Extractor,
    former: Mapping[Content, FormerFacts],
    on_progress: Callable[[int, int], None] | None,
) -> ReadFacts:
    found = ReadFacts([], {}, {}, {}, {}, {})
    numbers: dict[bytes, int] = {}
    digest, place_of = hasher(), files_of(root)
    for number, path in enumerate(paths):
        if on_progress is not None:
            on_progress(number, len(paths))
        check_cancelled()
        place = place_of(os.fsdecode(path))
        data = read_one(root, path, place=place)
        extension = extension_of(path)
        content = content_of(path, data, digest) if data is not None else _content_without_text(path, place, digest)
        if content is not None:
            found.contents[path] = content
            known = former.get((content, extension)) if data is not None else None
            if known is not None:
                found.former[path] = known
                continue
        made = extractor.extract(data, extension) if data is not None else NOTHING
        keys = array("I", [numbers.setdefault(key, len(numbers)) for key in made.references])
        counts = array("I", made.references.values())
        found.files[path] = keys.tobytes(), counts.tobytes()
        if made.anchors:
            found.anchors[path] = made.anchors
        if made.nested:
            found.nested[path] = made.nested
    found.keys.extend(numbers)
    return found
