"""The facts of one directory, in columns of bytes.

A directory of 1,000 assets is a dozen objects here, not 30,000: columns travel between processes, into
the cache and into the database without being taken apart (1.15 times the speed of objects).
"""

from __future__ import annotations

from itertools import accumulate, islice

from assetdb.diagnostics import Diagnostic, decode
from assetdb.system.identity import RACY
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, Protocol, TypeAlias

    class Diagnosed(Protocol):
        """Packed directories, see :class:`assetdb.scan.known.packed.PackedDirectories`."""

        def diagnosed(self) -> list[DirectoryFacts]:
            """Return the directories that have diagnostics."""


SEPARATOR: Final = b"\xff"  # between strings of a column: no UTF-8 text contains this byte
SLASH: Final = b"/"  # between file names, which do not contain it


def utf8(name: bytes) -> bytes:
    """Return a file name as UTF-8, with U+FFFD for invalid bytes."""
    if name.isascii():
        return name
    return name.decode("utf-8", "replace").encode()


# One asset, ready for the pool of names and for the file. A plain tuple: a named one for each of 60,000 assets
# costs 2 % of a bake.
#   guid: 32 hex digits
#   key: type and bare name, b"28:Grass"; the type of a ScriptableObject is its script's GUID in hex
#   body: bincode of name, sub-assets and path: an entry of the database without GUID and type
#   sub_keys: class and bare name of each row that takes part in the pool of names
#   details: AssetBundle name and labels, if there are any
#   references: distinct GUIDs that asset and meta refer to, 16 bytes each, in order, without its own
#   candidates: distinct GUIDs, 16 bytes each, in order, that are references only if the project has them
AssetRow: TypeAlias = tuple[bytes, bytes, bytes, tuple[bytes, ...], bytes, bytes, bytes]


class DirectoryFacts(NamedTuple):
    """All that is known of one directory.

    Attributes:
        path: relative to the project, as the file system has it.
        identity: as of its listing, :data:`RACY` if it changed too recently.
        children: names of the directories in it that belong to the project.
        links: names of the links to directories in it, followed or not.
        files: names of the compared files: asset and meta of each asset, then the metas of folders, then orphaned
            metas.
        identities: of each of ``files``, an int64.
        contents: of each of ``files``, the 16 bytes of a content id, see :mod:`assetdb.scan.known.content`.
        guids: 16 bytes for each asset that has a GUID; the first assets of ``files``, in that order.
        keys: type and bare name of each asset in ``guids``, see :data:`AssetRow`.
        bodies: of each asset in ``guids``, one after the other.
        body_sizes: of each asset in ``guids``, uint32.
        sub_counts: how many of ``sub_keys`` belong to each, uint32.
        sub_keys: class and bare name of each row that takes part in the pool of names.
        details: of each asset in ``guids``, if any has one, else empty.
        reference_counts: of each asset in ``guids`` how many references and how many candidates, two uint32, if any
            asset has one.
        references: of each asset in ``guids``, first the references and then the candidates, 16 bytes each.
        folder_guids: 16 bytes for each of ``folders``.
        folders: names of the folders whose metas have a GUID.
        listing_diagnostics: from the listing itself.
        file_diagnostics: from the files.
        pair_count: number of assets at the start of ``files``; those after the first ``len(guids) / 16`` have no GUID.
    """

    path: bytes
    identity: int = RACY
    children: bytes = b""
    links: bytes = b""
    files: bytes = b""
    identities: bytes = b""
    contents: bytes = b""
    guids: bytes = b""
    keys: bytes = b""
    bodies: bytes = b""
    body_sizes: bytes = b""
    sub_counts: bytes = b""
    sub_keys: bytes = b""
    details: bytes = b""
    reference_counts: bytes = b""
    references: bytes = b""
    folder_guids: bytes = b""
    folders: bytes = b""
    listing_diagnostics: bytes = b""
    file_diagnostics: bytes = b""
    pair_count: int = 0

    def subdirectories(self) -> list[bytes]:
        """Return the paths of the directories in it."""
        return [self.path + SLASH + name for name in self.children.split(SLASH)] if self.children else []


_FACTS: Final = slice(DirectoryFacts._fields.index("guids"), DirectoryFacts._fields.index("pair_count"))
"""The fields that the database is made of; directories in which they are equal differ only in identities."""


def facts_of(directory: DirectoryFacts) -> tuple[object, ...]:
    """Return all of a directory but the identities."""
    fields: tuple[object, ...] = directory  # so that the type of a slice is not computed
    return directory.children, directory.links, directory.files, fields[_FACTS]


def without_links(directory: DirectoryFacts) -> tuple[object, ...]:
    """Return all of a directory but the identities and the references."""
    return facts_of(directory._replace(references=b"", reference_counts=b""))


def asset_rows(directory: DirectoryFacts) -> list[AssetRow]:
    """Return the assets of a directory, as added to :class:`assetdb.scan.fast_path.Columns`."""
    if not directory.guids:
        return []
    guids = directory.guids.hex().encode("ascii")
    keys = directory.keys.split(SEPARATOR)
    details = directory.details.split(SEPARATOR) if directory.details else [b""] * len(keys)
    sub_keys = iter(directory.sub_keys.split(SEPARATOR))
    sizes = memoryview(directory.body_sizes).cast("I")
    sub_counts = memoryview(directory.sub_counts).cast("I")
    links = reference_columns(directory)
    rows = []
    start = 0
    for number, size in enumerate(sizes):
        body = directory.bodies[start : start + size]
        guid = guids[number * 32 : number * 32 + 32]
        rows.append(
            (guid, keys[number], body, tuple(islice(sub_keys, sub_counts[number])), details[number], *links[number])
        )
        start += size
    return rows


def reference_columns(directory: DirectoryFacts) -> list[tuple[bytes, bytes]]:
    """Return packed references and candidates of each asset."""
    if not directory.references:
        return [(b"", b"")] * (len(directory.guids) // 16)
    packed = directory.references
    ends = list(accumulate(memoryview(directory.reference_counts).cast("I"), initial=0))
    return [
        (packed[first * 16 : second * 16], packed[second * 16 : third * 16])
        for first, second, third in zip(ends[::2], ends[1::2], ends[2::2], strict=False)
    ]


POINTER_MESSAGE: Final = "the asset is a Git LFS pointer"


class Finding(NamedTuple):
    """An asset's diagnostic code and message, empty if all is well."""

    code: str
    message: str


NO_FINDING: Final = Finding("", "")
NOT_YAML: Final = {
    "lfs": Finding("lfs-pointer", POINTER_MESSAGE),
    "empty": Finding("empty-asset", "the file is empty"),
    "text": Finding("not-yaml", "the file is text, but not Unity's YAML"),
    "binary": Finding("binary-asset", "the file is binary"),
}
"""What is told of a file that should have documents, by what it is instead."""


def marked(meta: str) -> Diagnostic:
    """Return the diagnostic of a meta with a byte-order mark."""
    return Diagnostic("byte-order-mark", meta, 0, "begins with a byte-order mark")


UNREADABLE: Final = "unreadable"
"""The code of a file that is there and cannot be read."""
_UNREAD: Final = (b"empty-asset\x1f", b"unreadable\x1f", b"too-large\x1f", b"not-a-file\x1f", b"encoded-guid\x1f")
_POINTER: Final = b"lfs-pointer\x1f"
_WITHOUT_GUID: Final = (b"no-guid\x1f", b"missing-meta\x1f")


def unread_files(directories: Iterable[DirectoryFacts]) -> list[tuple[bytes, bytes]]:
    """Return path and code of each file with unknown references.

    An asset without a GUID, or a Git LFS pointer, is one if files of its kind refer to others. A meta with an encoded
    GUID always is: :mod:`assetdb.query.snapshots.encoded_assets` finds its asset by it.
    """
    found = []
    for directory in directories:
        for packed in (directory.listing_diagnostics, directory.file_diagnostics):
            if packed:
                for row in packed.split(b"\n"):
                    is_unread = row.startswith(_UNREAD)
                    if row.startswith(_POINTER):
                        is_unread = _may_refer(row, unknown=True)  # it depends on the missing content
                    elif row.startswith(_WITHOUT_GUID):
                        is_unread = _may_refer(row, unknown=False)
                    if is_unread:
                        code, path = row.split(b"\x1f", 2)[:2]
                        found.append((path, code))
    return found


def has_failed_files(directory: DirectoryFacts) -> bool:
    """Whether a directory has files that could not be read."""
    return any(row.startswith(b"unreadable\x1f") for row in directory.file_diagnostics.split(b"\n"))


def _may_refer(row: bytes, *, unknown: bool) -> bool:
    """Whether a diagnostic's kind of file refers to others, ``unknown`` if unclear."""
    from assetdb.unity.kinds import OTHER, kind_of  # noqa: PLC0415 - few projects have such files

    extension = row.split(b"\x1f", 2)[1].removesuffix(b".meta").rpartition(b".")[2].lower()
    content = kind_of(extension.decode("utf-8", "replace")).content
    return content != OTHER if content else unknown


def diagnostics_of(directories: Iterable[DirectoryFacts]) -> list[Diagnostic]:
    """Return the diagnostics of listings and files of directories."""
    found: list[Diagnostic] = []
    for directory in directories:
        if directory.listing_diagnostics:
            found += decode(directory.listing_diagnostics)
        if directory.file_diagnostics:
            found += decode(directory.file_diagnostics)
    return found


def all_diagnostics(
    root: str, directories: dict[bytes, DirectoryFacts] | Diagnosed, others: Iterable[Diagnostic]
) -> list[Diagnostic]:
    """Return all diagnostics of a project in a stable order."""
    found = [*others, *diagnostics_of(diagnosed(directories))]
    if not found:
        return found
    from assetdb.scan.walking.foreign_folders import without_foreign_folders  # noqa: PLC0415 - many projects have no diagnostics
    from assetdb.scan.walking.submodules import without_submodules  # noqa: PLC0415 - the same

    return sorted(without_submodules(root, without_foreign_folders(root, found)))


def diagnosed(directories: dict[bytes, DirectoryFacts] | Diagnosed) -> Iterable[DirectoryFacts]:
    """Return the directories that have diagnostics, or all unpacked ones."""
    return directories.values() if isinstance(directories, dict) else directories.diagnosed()
