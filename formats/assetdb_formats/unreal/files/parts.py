"""Parts of a package: header, exports and bulk data.

Behind the exports of an editor package lie its bulk data (with what was appended to it), the package tag and, from 5.0
on, the trailer with its payloads. A cooked one keeps bulk data in the .uexp, the .ubulk and the .uptnl; from 5.2 on its
data resources say where each piece of it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.open_file import ReadBudget
from assetdb_formats.unreal.files.package_file import file_beside
from assetdb_formats.unreal.packages.payloads import TRAILER_TAG, read_trailer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.packages.payloads import DataResource, Trailer

EXPORTS: Final = ".uexp"
PAYLOADS: Final = ".upayload"
# Files beside a package, by their ends.
SIDE_FILES: Final = (EXPORTS, ".ubulk", ".uptnl", ".m.ubulk", PAYLOADS)

# Flags of bulk data that say where it is, as public readers name them.
_AT_END: Final = 0x1
_INLINE: Final = 0x40
_IN_SIDE_FILE: Final = 0x100
_OPTIONAL: Final = 0x800
_MAPPED: Final = 0x1000
_COMPRESSED: Final = 0x2 | 0x200
_TAG_SIZE: Final = 4
_PIECE: Final = 1 << 20


class Part(NamedTuple):
    """A range of bytes in a package or a file beside it.

    There are ``size`` of them at ``offset`` of the package ("") or of the file with this ending. ``note`` describes
    them; ``here`` is False where the bytes are not in any file at hand.
    """

    kind: str
    name: str
    file: str
    offset: int
    size: int
    note: str = ""
    here: bool = True


class PartFiles:
    """The byte ranges of a package's file and those beside it.

    Attributes:
        parts: the ranges.
    """

    def __init__(self, path: str, package: Package) -> None:
        """List the parts of ``package``, which was opened from ``path``.

        Raises:
            OSError: a file beside it cannot be read.
            UnrealError: a table with the places of parts cannot be read.
        """
        beside = {end: found for end in SIDE_FILES if (found := file_beside(path, end)) is not None}
        self._path = path
        self._sources: dict[str, Source] = {"": package.source, **beside}
        self._budget = ReadBudget()  # parts that all lie in each other would be written out again and again
        for source in self._sources.values():
            self._budget.add(source.size)
        self._budget.limit()
        try:
            self.parts = tuple(package_parts(package, beside))
        except UnrealError as error:
            raise error.at(path) from None

    def pieces(self, part: Part) -> Iterator[bytes]:
        """Yield the bytes of an available part, at most a megabyte each.

        Raises:
            UnrealError: they do not lie in the file.
            OverlapError: the parts together have much more bytes than the files.
        """
        self._budget.spend(part.size, part.offset, self._path)
        source = self._sources[part.file]
        end = part.offset + part.size
        for offset in range(part.offset, end, _PIECE):
            yield source.read(offset, min(_PIECE, end - offset))


def package_parts(package: Package, beside: Mapping[str, Source]) -> list[Part]:
    """Return a package's parts; ``beside`` are files by ending."""
    summary = package.summary
    header, bulk, toc = summary.total_header_size, summary.bulk_data_offset, summary.payload_toc_offset
    split = EXPORTS in beside
    whole = header + beside[EXPORTS].size if split else package.source.size
    trailer = package.trailer
    found = [Part("header", "header", "", 0, min(header, package.source.size))]

    def between(kind: str, start: int, end: int, note: str = "") -> None:
        """Add the bytes between two offsets, which continue in the .uexp."""
        end = min(end, whole)
        if start < end:
            shift = header if split else 0
            found.append(Part(kind, kind, EXPORTS if split else "", start - shift, end - start, note))

    exports = package.exports
    exports_end = max((each.serial_offset + each.serial_size for each in exports if each.serial_size > 0), default=0)
    between("exports", header, max(min(exports_end, whole), header), f"{len(exports)} exports")
    if header < toc < bulk:  # early access of 5.0: eight zeros where there is no payload
        between("payload table", toc, bulk, "of 5.0 early access")
    last = whole
    if trailer is not None:
        last = toc
    if _ends_with_tag(package, beside, last):
        last -= _TAG_SIZE
    if header <= bulk <= last:
        between("bulk data", bulk, last, "" if summary.cooked else "with what was appended to it")
    if trailer is not None:
        found += _payloads(trailer, toc, "")
    for number, resource in enumerate(package.data_resources):
        found.append(_resource(package, number, resource, beside, split=split))
    for end, source in beside.items():
        if end != EXPORTS:
            found.append(Part("file", end, end, 0, source.size))
        if end == PAYLOADS and source.size >= 8 and source.read(0, 8) == TRAILER_TAG.to_bytes(8, "little"):
            found += _payloads(read_trailer(source, 0), 0, end)
    return found


def _ends_with_tag(package: Package, beside: Mapping[str, Source], end: int) -> bool:
    source, shift = package.source, 0
    if EXPORTS in beside:
        source, shift = beside[EXPORTS], package.summary.total_header_size
    place = end - shift - _TAG_SIZE
    return place >= 0 and source.read(place, _TAG_SIZE) == b"\xc1\x83\x2a\x9e"


def _payloads(trailer: Trailer, start: int, file: str) -> list[Part]:
    """List a trailer's table and payloads, marking those stored elsewhere."""
    found = [Part("trailer", "trailer", file, start, trailer.end - start, f"version {trailer.version}")]
    for payload in trailer.payloads:
        local = payload.access == "local"
        offset = trailer.data_offset + payload.offset
        if local and not 0 <= payload.offset <= trailer.data_size - payload.compressed_size:
            what = f"{payload.compressed_size} bytes at {payload.offset} of {trailer.data_size}"
            raise UnrealError(what, offset=start, field="trailer.payloads")
        note = f"{payload.access}, {payload.raw_size:,} bytes when decompressed"
        name = payload.identifier.hex()
        size = payload.compressed_size
        found.append(Part("payload", name, file, offset if local else 0, size, note, here=local))
    return found


def _resource(
    package: Package, number: int, resource: DataResource, beside: Mapping[str, Source], *, split: bool
) -> Part:
    """Locate a data resource's bytes: export, package end or side file."""
    flags, size = resource.legacy_flags, resource.serial_size
    field = f"data_resources[{number}]"
    words = [f"of export {resource.outer_index}"] if resource.outer_index > 0 else []
    if flags & _COMPRESSED:
        words.append("compressed")
    if resource.raw_size != size:
        words.append(f"{resource.raw_size:,} bytes when decompressed")
    summary = package.summary
    file, offset = EXPORTS if split else "", resource.serial_offset
    shift = summary.total_header_size if split else 0
    if flags & _IN_SIDE_FILE:
        file = ".uptnl" if flags & _OPTIONAL else ".m.ubulk" if flags & _MAPPED else ".ubulk"
    elif flags & _INLINE:
        exports = package.exports
        owner = max(resource.outer_index, 1)  # some writers leave it at 0, in packages of one export
        if owner > len(exports):
            raise UnrealError(f"is of export {owner} of {len(exports)}", field=field)
        offset += exports.record(owner - 1).serial_offset - shift
    elif flags & _AT_END:
        offset += summary.bulk_data_offset - shift
    source = beside.get(file) if file else package.source
    here = source is not None and 0 <= offset <= source.size - max(size, 0) and size >= 0
    if source is None and size:
        words.append(f"in the {file}, which is not here")
    elif not here:
        words.append("not in its file")
    return Part("data resource", f"resource {number}", file, max(offset, 0), max(size, 0), ", ".join(words), here=here)
