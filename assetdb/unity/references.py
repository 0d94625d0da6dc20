r"""Which GUIDs a file refers to, in whatever form, from bytes that a bake has read anyway.

Nearly all references are ``guid: <32 digits>``, found by one search (1 GB/s). For every other form one
question is asked first: is there a run of 32 hexadecimal digits before a quote or the end of a line? All
digits become ``h`` and all ends ``\n``, and then that is a plain search (600 MB/s together; of the 33,290
text assets of unitystation 200 have one). A large file is looked at through a grid before: where no six bytes
in a row are digits of those that stand five apart, there is no run (unity-explorer: 95 MB of curves and
vertices in two thirds of the time). The searches of :mod:`assetdb.unity.other_references`, which also
tell the key, would take three times as long and run on these few only when somebody asks for details.
"""

from __future__ import annotations

import re
from binascii import unhexlify

from assetdb.unity.kinds import ASSEMBLY, GRAPH, URLS, extensions_with
from assetdb.unity.other_references import other_references
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

# No line of a wrapped reference was ever seen to end behind ``guid:``, but asking for it costs nothing.
_REFERENCE: Final = rb"guid:\s+([0-9a-fA-F]{32})"
# The same with whatever follows: a tenth faster, and the distinct ones are few to look at. Where all that was taken are
# digits none of it was the beginning of another; where not, all is searched again.
_WHATEVER_FOLLOWS: Final = re.compile(rb"guid:\s+((?s:.{32}))")
_IN_META: Final = re.compile(rb" guid:\s+([0-9a-fA-F]{32})")  # its own, and that of a merge conflict, begins a line
_WITH_FILE_ID: Final = rb"\{fileID:\s*(-?\d{1,19}),\s*guid:\s+([0-9a-fA-F]{32})|guid:\s+([0-9a-fA-F]{32})"
_DIGITS: Final = b"0123456789abcdefABCDEF"
_SIMPLIFIED: Final = bytes(104 if c in _DIGITS else 10 if c in b"\r\n \t\"'\\" else 105 for c in range(256))
_RUN: Final = b"h" * 32
_ENDED_RUN: Final = _RUN + b"\n"
_RUN_OF_DIGITS: Final = rb"(?<![0-9a-fA-F])[0-9a-fA-F]{32}(?![0-9a-fA-F])"
# Behind these a run is a GUID without doubt: ``GUID:<guid>`` (Localization), and in JSON within YAML and in graphs
# ``"fileID":2800000,"guid":"<guid>"``. A "guid" without a fileID is an id within the graph.
_CERTAIN: Final = (
    rb"GUID:\Z|fileID\\{0,31}\"\s{0,9}:\s{0,9}-?\d{1,19}\s{0,9},(?:\s|\\{1,31}[nrt]){0,99}"
    rb"\\{0,31}\"guid\\{0,31}\"\s{0,9}:\s{0,9}\\{0,31}\"\Z"
)
_OWN_IDS: Final = (b'm_ObjectId": "', b'm_Id": "')  # nearly all runs of a graph are ids of its nodes and slots
_CERTAIN_LENGTH: Final = 200
_NOTHING: Final = b"0" * 32
_HEAD: Final = 4096
_LARGE: Final = 1 << 16
_STEP: Final = 4096
_GRID: Final = 5  # an even one meets the even spacing of numbers: then half of all large files seem to have a run
_RUN_IN_GRID: Final = b"h" * (len(_RUN) // _GRID)

OTHER_FORMS: Final = frozenset(map(str.encode, extensions_with(ASSEMBLY, GRAPH, URLS)))
"""Extensions of files that are no YAML and refer to others."""
_CERTAIN_FORMS: Final = frozenset(map(str.encode, extensions_with(ASSEMBLY, URLS)))


class References(NamedTuple):
    """Distinct GUIDs, 32 lower-case digits each.

    Attributes:
        certain: the form leaves no doubt, so a GUID that the project does not have is one of a package, or lost.
        candidates: scalars that are references only if the project has such a GUID; others are hashes and ids.
    """

    certain: frozenset[bytes]
    candidates: frozenset[bytes]


class Occurrence(NamedTuple):
    """One place where a file refers to another; ``file_id`` is None where the form names an asset as a whole."""

    offset: int
    guid: bytes
    file_id: int | None


_NO_GUIDS: Final[frozenset[bytes]] = frozenset()
NONE: Final = References(_NO_GUIDS, _NO_GUIDS)


def joined(one: References, other: References) -> References:
    """Return what either has; what is certain in one is no candidate."""
    certain = one.certain | other.certain
    return References(certain, (one.candidates | other.candidates) - certain)


def packed_references(data: bytes, extension: bytes, own: bytes, beside: References) -> tuple[bytes, bytes]:
    """Return references and candidates of an asset and its meta as a database has them: sorted, 16 bytes each.

    :func:`references`, :func:`joined` and :func:`packed_without` in one piece for what nearly all files are, YAML in
    lower case: 0.3 s of processor time for the 33,353 text assets of unitystation, where the three take 0.43.

    Args:
        data: the asset.
        extension: in lower case, without the dot.
        own: its GUID, 32 lower-case digits, which is no reference.
        beside: what its meta refers to.
    """
    if extension not in _CERTAIN_FORMS and data.find(b"\0", 0, _HEAD) < 0:
        certain, candidates = _in_text(data)
        if not candidates and not beside.candidates:
            certain |= beside.certain
            certain.discard(own)
            certain.discard(_NOTHING)
            digits = b"".join(sorted(certain))
            if digits == digits.lower():
                return unhexlify(digits), b""
        found = _distinct(certain, candidates)
    else:
        found = references(data, extension)
    return packed_without(joined(found, beside), own)


def packed_without(found: References, own: bytes) -> tuple[bytes, bytes]:
    """Return references and candidates as a database has them, without an asset's own GUID."""
    return _packed(found.certain, own), _packed(found.candidates, own) if found.candidates else b""


def _packed(guids: frozenset[bytes], own: bytes) -> bytes:
    if own in guids:
        guids -= {own}
    return unhexlify(b"".join(sorted(guids)))


def references(data: bytes, extension: bytes, grid_from: int = _LARGE) -> References:
    """Return the GUIDs that a text asset refers to, its own among them if it has it; every input has an answer.

    Args:
        data: the file.
        extension: in lower case, without the dot; it selects the form. Unknown ones are read as YAML.
        grid_from: files of more bytes than this are looked at through a grid first; the answer is the same.
    """
    if extension in _CERTAIN_FORMS:
        certain: set[bytes] = set()
        candidates: set[bytes] = set()
        for reference in other_references(data, extension.decode()):
            (candidates if reference.candidate else certain).add(reference.guid.hex().encode())
        return References(frozenset(certain), frozenset(candidates - certain))
    if b"\0" in data[:_HEAD]:
        return binary_references(data)
    return _distinct(*_in_text(data, grid_from))


def _in_text(data: bytes, grid_from: int = _LARGE) -> tuple[set[bytes], set[bytes]]:
    """Return the GUIDs that YAML or a graph refers to, in the case that they stand in: certain ones and candidates."""
    if len(data) > _LARGE:
        data = _without_blobs(data)
    if (
        len(data) > grid_from
        and data.find(b"guid: ", 0, _HEAD) < 0  # else there is a run, and the grid would be in vain
        and data[::_GRID].translate(_SIMPLIFIED).find(_RUN_IN_GRID) < 0
    ):
        return set(), set()
    simplified = data.translate(_SIMPLIFIED)
    run = simplified.find(_RUN)
    if run < 0:  # 91 of the 168 MB of unity-explorer
        return set(), set()
    certain = set(_WHATEVER_FOLLOWS.findall(data))
    try:
        unhexlify(b"".join(certain))
    except ValueError:
        certain = set(re.compile(_REFERENCE).findall(data))
    candidates: set[bytes] = set()
    if simplified.find(_ENDED_RUN, run) >= 0 or simplified.endswith(_RUN):
        for _, digits, sure in _other_runs(data, simplified):
            (certain if sure else candidates).add(digits)
    return certain, candidates


def meta_references(data: bytes, start: int, *, scalars: bool) -> References:
    """Return the GUIDs that a meta refers to from byte ``start``, behind its own GUID, on.

    Args:
        data: the file.
        start: where its own GUID ends.
        scalars: whether runs of digits are to be looked for too. In metas of textures they are ids of sprites; in
            others they can be references: the layers of HDRP's LayeredLit stand in ``userData`` as JSON.
    """
    certain = set(_IN_META.findall(data, start)) if data.find(b" guid: ", start) >= 0 else set()
    candidates: set[bytes] = set()
    if scalars:
        simplified = data.translate(_SIMPLIFIED)
        if simplified.find(_ENDED_RUN, start) >= 0 or simplified.endswith(_RUN):
            candidates = {run for offset, run, _ in _other_runs(data, simplified) if offset >= start}
    return _distinct(certain, candidates) if certain or candidates else NONE


def binary_references(data: bytes) -> References:
    """Return the GUIDs of the files that a binary asset (LightingData, NavMesh) names as its externals.

    They stand in a table of the file, not as text; what cannot be read has none.
    """
    from formats.binary import FormatError  # noqa: PLC0415 - few projects have binary assets
    from formats.unityfs.serialized import is_serialized_file, read_header, read_metadata  # noqa: PLC0415 - the same

    try:
        if not is_serialized_file(data[:_HEAD], len(data)):
            return NONE
        header = read_header(data[:_HEAD])
        externals = read_metadata(data[header.metadata_offset :][: header.metadata_size], header).externals
    except FormatError:
        return NONE
    return _distinct({external.guid.encode("ascii") for external in externals}, set())


def occurrences(data: bytes, extension: bytes, guids: Iterable[bytes]) -> list[Occurrence]:
    """Return each place where a file (an asset or a meta) refers to one of ``guids``, by offset.

    Args:
        data: the file.
        extension: in lower case, without the dot.
        guids: 32 lower-case digits each.
    """
    wanted = frozenset(guids)
    found: dict[int, Occurrence] = {}
    for match in re.compile(_RUN_OF_DIGITS).finditer(data):
        if match[0].lower() in wanted:
            found[match.start()] = Occurrence(match.start(), match[0].lower(), None)
    if not found:
        return []
    if extension not in OTHER_FORMS:
        for match in re.compile(_WITH_FILE_ID).finditer(data):
            offset = match.start(2) if match[2] else match.start(3)
            if offset in found and match[1]:
                found[offset] = found[offset]._replace(file_id=int(match[1]))
    for reference in other_references(data, extension.decode("ascii", "replace")):
        if reference.offset in found and reference.file_id is not None:
            found[reference.offset] = found[reference.offset]._replace(file_id=reference.file_id)
    return [found[offset] for offset in sorted(found)]


def digit_runs(data: bytes) -> set[bytes]:
    """Return the runs of exactly 32 hexadecimal digits of a file, whatever they are, as they stand in it."""
    return set(re.compile(_RUN_OF_DIGITS).findall(data))


def _other_runs(data: bytes, simplified: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Yield offset, digits and certainty of each run of exactly 32 digits that ends as a scalar does."""
    end = len(data)
    offset = simplified.find(_ENDED_RUN)
    while offset >= 0:
        if not offset or simplified[offset - 1] != 104:
            before = data[max(0, offset - _CERTAIN_LENGTH) : offset]
            if not before.endswith(_OWN_IDS):
                sure = before.endswith((b"GUID:", b'"')) and re.search(_CERTAIN, before) is not None
                yield offset, data[offset : offset + 32], sure
        offset = simplified.find(_ENDED_RUN, offset + 32)
    offset = end - 32
    if simplified.endswith(_RUN) and (not offset or simplified[offset - 1] != 104):
        yield offset, data[offset:], data.endswith(b"GUID:", 0, offset)


def _without_blobs(data: bytes) -> bytes:
    """Return a file without its long lines of hexadecimal digits: pixels and vertices, up to 4 MB a line."""
    kept: list[bytes] = []
    start = position = 0
    while position + _STEP < len(data):
        newline = data.rfind(b"\n", position, position + _STEP)
        if newline >= 0:
            position = newline + 1
        elif data[position + _STEP - 64 : position + _STEP].translate(None, _DIGITS):
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
    """Return the sets in lower case, which nearly all are in already, and without the GUID of zeros."""
    joined = b"".join(certain)
    if joined != joined.lower():
        certain = {digits.lower() for digits in certain}
    certain.discard(_NOTHING)
    if not candidates:
        return References(frozenset(certain), _NO_GUIDS)
    maybe = {digits.lower() for digits in candidates} - certain
    maybe.discard(_NOTHING)
    return References(frozenset(certain), frozenset(maybe))
