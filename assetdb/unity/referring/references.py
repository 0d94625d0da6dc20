"""GUIDs that a file refers to, in any form.

All runs of 32 digits in a text are found first (``assetdb.unity.referring.guids``); nearly all are references. The
searches of :mod:`assetdb.unity.referring.other_forms`, which also find keys, would take three times as long and run
only when details are needed.
"""

from __future__ import annotations

from binascii import unhexlify

from assetdb.unity.facts import NO_GUIDS, NO_REFERENCES, Occurrence, References
from assetdb.unity.kinds import ASSEMBLY, GRAPH, URLS, extensions_with
from assetdb.unity.patterns import Pattern
from assetdb.unity.referring.guids import DIGITS, ended_runs, text_guids
from assetdb.unity.referring.texts import without_texts

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

# A meta's own GUID begins a line, also in a merge conflict.
_IN_META: Final = Pattern(rb" guid:\s+([0-9a-fA-F]{32})(?=[,}\s]|\Z)")
# Models that the editor imports again when this rig changes: in Unity, mine_bot.FBX of Sunny Land refers to none of
# its five.
_REFERENCED_CLIPS: Final = b"\n  referencedClips:\n"
_CLIP_ROWS: Final = Pattern(rb"\n  referencedClips:(?:\n  - [0-9a-fA-F]{32})+")
_WITH_FILE_ID: Final = Pattern(rb"\{fileID:\s*(-?\d{1,19}),\s*guid:\s+([0-9a-fA-F]{32})(?=[,}\s])")
# After these a run is certainly a GUID: ``GUID:<guid>`` (Localization), and in JSON within YAML and in graphs
# ``"fileID":2800000,"guid":"<guid>"``. A "guid" without a fileID is an id within the graph.
_CERTAIN: Final = Pattern(
    rb"GUID:\Z|fileID\\{0,31}\"\s{0,9}:\s{0,9}-?\d{1,19}\s{0,9},(?:\s|\\{1,31}[nrt]){0,99}"
    rb"\\{0,31}\"guid\\{0,31}\"\s{0,9}:\s{0,9}\\{0,31}\"\Z"
)
_OWN_IDS: Final = (b'm_ObjectId": "', b'm_Id": "')  # nearly all runs of a graph are ids of its nodes and slots
_CERTAIN_LENGTH: Final = 200
_DIGITS_AS_H: Final = bytes(104 if byte in DIGITS else 45 for byte in range(256))
_RUN: Final = b"h" * 32
_NOTHING: Final = b"0" * 32
_HEAD: Final = 4096
_LARGE: Final = 1 << 16
_STEP: Final = 4096

OTHER_FORMS: Final = frozenset(map(str.encode, extensions_with(ASSEMBLY, GRAPH, URLS)))
"""Extensions of files that refer to others and are not YAML."""
CERTAIN_FORMS: Final = frozenset(map(str.encode, extensions_with(ASSEMBLY, URLS)))


def joined(one: References, other: References) -> References:
    """Return the union of references, without candidates that are certain."""
    certain = one.certain | other.certain
    return References(certain, (one.candidates | other.candidates) - certain)


def packed_references(data: bytes, extension: bytes, own: bytes, of_meta: References) -> tuple[bytes, bytes]:
    """Return packed references and candidates of an asset.

    :func:`references`, :func:`joined` and :func:`packed_without` in one, for YAML in lower case, as nearly all files
    are: 0.3 s of processor time for the 33,353 text assets of unitystation, instead of 0.43.

    Args:
        data: the asset.
        extension: in lower case, without the dot.
        own: its GUID, 32 lower-case digits, which is not a reference.
        of_meta: references of its meta.
    """
    if extension not in CERTAIN_FORMS and data.find(b"\0", 0, _HEAD) < 0:
        certain, candidates = _in_text(data)
        if not candidates and not of_meta.candidates:
            certain |= of_meta.certain
            certain.discard(own)
            certain.discard(_NOTHING)
            digits = b"".join(sorted(certain))
            if digits == digits.lower():
                return unhexlify(digits), b""
        found = _distinct(certain, candidates)
    else:
        found = references(data, extension)
    return packed_without(joined(found, of_meta), own)


def packed_without(found: References, own: bytes) -> tuple[bytes, bytes]:
    """Return packed references without an asset's own GUID."""
    return _packed(found.certain, own), _packed(found.candidates, own) if found.candidates else b""


def _packed(guids: frozenset[bytes], own: bytes) -> bytes:
    if own in guids:
        guids -= {own}
    return unhexlify(b"".join(sorted(guids)))


def references(data: bytes, extension: bytes) -> References:
    """Return the GUIDs that a text asset refers to.

    Args:
        data: the file.
        extension: in lower case, without the dot; it selects the form. Unknown ones are read as YAML.
    """
    if extension in CERTAIN_FORMS:
        from assetdb.unity.referring.other_forms import other_references  # noqa: PLC0415 - few files are of these forms

        certain: set[bytes] = set()
        candidates: set[bytes] = set()
        for reference in other_references(data, extension.decode()):
            (candidates if reference.candidate else certain).add(reference.guid.hex().encode())
        return References(frozenset(certain), frozenset(candidates - certain))
    if b"\0" in data[:_HEAD]:
        return binary_references(data)
    return _distinct(*_in_text(data))


def _in_text(data: bytes) -> tuple[set[bytes], set[bytes]]:
    """Return certain and candidate GUIDs, in the case of the text."""
    if len(data) > _LARGE:
        data = _without_blobs(data)
    certain, others = text_guids(data)
    if certain and (masked := without_texts(data)) is not data:  # hardly any text has a reference in it
        certain, others = text_guids(masked)
    candidates: set[bytes] = set()
    if others:  # 200 of the 33,290 text assets of unitystation have one
        for digits, sure in _classified(data, others):
            (certain if sure else candidates).add(digits)
    return certain, candidates


def meta_references(data: bytes, start: int, *, scalars: bool) -> References:
    """Return the GUIDs after a meta's own.

    Args:
        data: the file.
        start: the end of a line: of the line with its own GUID or a later one.
        scalars: whether to search for runs of digits, too. In metas of textures they are ids of sprites; in others they
            can be references: the layers of HDRP's LayeredLit are JSON in ``userData``.
    """
    certain = set(_IN_META.findall(data, start)) if data.find(b" guid: ", start) >= 0 else set()
    candidates: set[bytes] = set()
    if scalars:
        rest = data[start:]
        if _REFERENCED_CLIPS in rest and (rows := _CLIP_ROWS.search(rest)):
            rest = rest[: rows.start()] + rest[rows.end() :]
        candidates = {digits for digits, _ in _classified(rest, ended_runs(rest))}
    return _distinct(certain, candidates) if certain or candidates else NO_REFERENCES


def binary_references(data: bytes) -> References:
    """Return the GUIDs of a binary asset's external files.

    An unreadable file has none.
    """
    from assetdb_formats.binary import FormatError  # noqa: PLC0415 - few projects have binary assets
    from assetdb_formats.unityfs.serialized_files.serialized import is_serialized_file, read_header, read_metadata  # noqa: PLC0415 - the same

    try:
        if not is_serialized_file(data[:_HEAD], len(data)):
            return NO_REFERENCES
        header = read_header(data[:_HEAD])
        externals = read_metadata(data[header.metadata_offset :][: header.metadata_size], header).externals
    except FormatError:
        return NO_REFERENCES
    return _distinct({external.guid.encode("ascii") for external in externals}, set())


def occurrences(data: bytes, extension: bytes, guids: Iterable[bytes]) -> list[Occurrence]:
    """Return each reference to some GUIDs, by offset.

    Args:
        data: the file.
        extension: in lower case, without the dot.
        guids: 32 lower-case digits each.
    """
    wanted = frozenset(guids)
    if extension not in OTHER_FORMS:
        data = without_texts(data)
        found: list[Occurrence] = []
        count = 0
        for match in _WITH_FILE_ID.finditer(data):
            count += 1
            guid = match[2].lower()
            if guid in wanted:
                found.append(Occurrence(match.start(2), guid, int(match[1])))
        if data.translate(_DIGITS_AS_H).count(_RUN) == count:  # so there are no others, as in nearly all files
            return found
    runs = [offset for offset in exact_runs(data) if data[offset : offset + 32].lower() in wanted]
    if not runs:
        return []
    file_ids: dict[int, int] = {}
    if extension not in OTHER_FORMS:
        for match in _WITH_FILE_ID.finditer(data):
            file_ids[match.start(2)] = int(match[1])
    if any(offset not in file_ids for offset in runs):
        from assetdb.unity.referring.other_forms import other_references  # noqa: PLC0415 - only for details

        for reference in other_references(data, extension.decode("ascii", "replace")):
            if reference.file_id is not None:
                file_ids[reference.offset] = reference.file_id
    return [Occurrence(offset, data[offset : offset + 32].lower(), file_ids.get(offset)) for offset in runs]


def exact_runs(data: bytes) -> Iterator[int]:
    """Yield the offsets of runs of exactly 32 hexadecimal digits.

    A pattern with lookarounds takes 60 times as long: 53 s for the text assets of unitystation.
    """
    simplified = data.translate(_DIGITS_AS_H)
    offset = simplified.find(_RUN)
    while offset >= 0:
        end = simplified.find(b"-", offset)
        end = end if end >= 0 else len(data)
        if end - offset == len(_RUN):
            yield offset
        offset = simplified.find(_RUN, end)


def digit_runs(data: bytes) -> set[bytes]:
    """Return the runs of exactly 32 hexadecimal digits, as written."""
    return {data[offset : offset + 32] for offset in exact_runs(data)}


def _classified(data: bytes, offsets: list[int]) -> Iterator[tuple[bytes, bool]]:
    """Yield runs and whether they are certain, without a graph's ids."""
    for offset in offsets:
        digits = data[offset : offset + 32]
        if offset + 32 == len(data):
            yield digits, data.endswith(b"GUID:", 0, offset)
            continue
        before = data[max(0, offset - _CERTAIN_LENGTH) : offset]
        if not before.endswith(_OWN_IDS):
            yield digits, before.endswith((b"GUID:", b'"')) and _CERTAIN.search(before) is not None


def _without_blobs(data: bytes) -> bytes:
    """Return a file without long lines of pixels or vertices."""
    kept: list[bytes] = []
    start = position = 0
    while position + _STEP < len(data):
        newline = data.rfind(b"\n", position, position + _STEP)
        if newline >= 0:
            position = newline + 1
        elif data[position + _STEP - 64 : position + _STEP].translate(None, DIGITS):
            position += _STEP
        else:
            kept.append(data[start:position])
            end = data.find(b"\n", position + _STEP)
            start = position = end if end >= 0 else len(data)
    if not kept:
        return data
    kept.append(data[start:])
    return b"".join(kept)


def _distinct(certain: set[bytes], candidates: set[bytes]) -> References:
    """Return both sets in lower case, without the GUID of zeros."""
    joined = b"".join(certain)
    if joined != joined.lower():
        certain = {digits.lower() for digits in certain}
    certain.discard(_NOTHING)
    if not candidates:
        return References(frozenset(certain), NO_GUIDS)
    maybe = {digits.lower() for digits in candidates} - certain
    maybe.discard(_NOTHING)
    return References(frozenset(certain), frozenset(maybe))
