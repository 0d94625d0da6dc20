"""The tree of a scan, with a digest."""

from __future__ import annotations

import os
from functools import lru_cache

from assetdb.diagnostics import STAND_ALONE, decode
from assetdb.scan.content_id import SIZE, digest_state
from assetdb.scan.directory import SLASH
from assetdb.settings.project import asset_file
from assetdb.system.identity import DEFAULT, RACY, has_racy, identity
from assetdb.unity.kinds import OTHER, kind_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.workspace.workspace import Listing

_IDENTITY: Final = 8  # bytes
_NO_META: Final = b"missing-meta\x1f"
_NAMED_BY_METAS: Final = frozenset(("texture", "font"))
_ALONE: Final = tuple(f"{code}\x1f".encode() for code in STAND_ALONE)


class Tree:
    """The directories of a project after a scan.

    Attributes:
        listing: the directories, maybe without their facts.
        digest: of all names and identities: equal for equal trees, except for racy files.
        names: a digest without the identities.
        identities: of all files, directory by directory in the order of paths.
        is_racy: whether a file was too recent to detect a later change by its identity.
        loose: text files without a meta, of which a scan has the names alone.
        alone: metas without an asset, relative to the project; None if not all are known.
    """

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        digest = digest_state(size=16)
        identities = []
        loose: list[bytes] = []
        alone: list[str] = []
        for path, directory in sorted(listing.directories.items()):
            digest.update(b"%d %d\0%b%b" % (len(path), len(directory.files), path, directory.files))
            identities.append(directory.identities)
            if directory.listing_diagnostics:
                digest.update(directory.listing_diagnostics)
                _add_oddities(directory.listing_diagnostics, loose, alone)
        self.names = digest.digest()
        self.identities = b"".join(identities)
        digest.update(self.identities)
        self.digest = digest.digest()
        self.is_racy = has_racy(self.identities)
        self.loose = loose
        self.alone = alone if listing.is_whole and not any("\ufffd" in path for path in alone) else None
        self._identities: dict[str, dict[str, int]] = {}
        self._contents: dict[str, dict[str, bytes]] = {}

    @property
    def digest_of_read(self) -> bytes | None:
        """A digest without the files of which only names and metas matter.

        None if another file was too recent to detect a later change by its identity. Scripts and textures are most of
        the files that are edited, and no reference is judged otherwise after that.
        """
        digest = digest_state(size=16)
        for path, directory in sorted(self.listing.directories.items()):
            masked = bytearray(directory.identities)
            for number, name in enumerate(directory.files.split(SLASH)[: 2 * directory.pair_count : 2]):
                if is_named_unread(name):
                    masked[2 * number * _IDENTITY : (2 * number + 1) * _IDENTITY] = bytes(_IDENTITY)
            identities = bytes(masked)
            if has_racy(identities):
                return None
            sizes = len(path), len(directory.files), len(identities)
            digest.update(b"%d %d %d\0%b%b%b" % (*sizes, path, directory.files, identities))
            digest.update(directory.listing_diagnostics)
        return digest.digest()

    @property
    def directories(self) -> dict[bytes, DirectoryFacts]:
        """A copy of the directories, maybe without their facts."""
        return dict(self.listing.directories)

    def has(self, path: str) -> bool:
        """Whether the digest covers a file."""
        return self.identity_of(path) is not None

    def identity_of(self, path: str) -> int | None:
        """Return the identity of a file in the scan, or None."""
        folder, _, name = path.rpartition("/")
        found = self._identities.get(folder)
        if found is None:
            directory = self.listing.directories.get(os.fsencode(folder))
            names = os.fsdecode(directory.files).split("/") if directory is not None and directory.files else []
            numbers = memoryview(directory.identities).cast("q") if directory is not None else ()
            found = self._identities[folder] = dict(zip(names, numbers, strict=False))
        return found.get(name)

    def content_of(self, path: str) -> bytes | None:
        """Return the content id of a scanned file, or None."""
        folder, _, name = path.rpartition("/")
        found = self._contents.get(folder)
        if found is None:
            directory = self.listing.directories.get(os.fsencode(folder))
            found = self._contents[folder] = self._contents_in(directory) if directory is not None else {}
        return found.get(name)

    def _contents_in(self, directory: DirectoryFacts) -> dict[str, bytes]:
        """Return the known content ids in a directory."""
        from assetdb.scan.known.cache import DamagedCacheError  # noqa: PLC0415 - where nothing changed it is not needed
        from assetdb.scan.known.content import LOOKED_AT, UNKNOWN, UNREAD  # noqa: PLC0415 - the same

        try:
            contents = self.listing.complete(directory).contents
        except DamagedCacheError:  # the files themselves are there
            return {}
        ids = [contents[start : start + SIZE] for start in range(0, len(contents), SIZE)]
        rows = zip(os.fsdecode(directory.files).split("/"), ids, strict=False)
        return {name: content for name, content in rows if content not in (UNKNOWN, UNREAD, LOOKED_AT)}


def identity_on_disk(root: str, path: bytes, *, check_stat: str = DEFAULT) -> int:
    """Return the identity of a file now, racy without one."""
    try:
        return identity(os.stat(file_of(root, path)), check_stat)
    except OSError:
        return RACY


def file_of(root: str, path: bytes) -> str:
    """Return the file of a path in a project on this machine."""
    return asset_file(root, os.fsdecode(path))


def extension_of(path: bytes) -> str:
    """Return the extension of a file, in lower case."""
    return path.rpartition(SLASH)[2].rpartition(b".")[2].lower().decode("utf-8", "replace")


def may_refer(name: bytes) -> bool:
    """Whether a file may refer to assets, by its extension."""
    extension = extension_of(name)
    return kind_of(extension).content != OTHER and extension != "meta"


def is_named_unread(name: bytes) -> bool:
    """Whether an asset's objects are named without its bytes (texture, script)."""
    return _is_named_unread(name.rpartition(b".")[2])


@lru_cache(maxsize=1 << 10)
def _is_named_unread(extension: bytes) -> bool:
    kind = kind_of(extension_of(extension))
    return kind.namer in _NAMED_BY_METAS or (kind.content == OTHER and kind.namer == "-" and kind.main == "=")


def _add_oddities(packed: bytes, loose: list[bytes], alone: list[str]) -> None:
    """Add loose text files and lone metas of a directory."""
    for line in packed.split(b"\n"):
        if line.startswith(_NO_META):
            path = line.split(b"\x1f", 2)[1]
            if not path.endswith(SLASH) and may_refer(path):
                loose.append(path)
        elif line.startswith(_ALONE):
            alone += [found.path for found in decode(line)]
