"""Reading of a new or changed directory."""

from __future__ import annotations

import os
import stat
from struct import Struct

from assetdb.diagnostics import Diagnostic, encode
from assetdb.scan.asset import asset_row
from assetdb.scan.content_id import content_id
from assetdb.scan.directory import (
    NO_FINDING,
    POINTER_MESSAGE,
    SLASH,
    UNREADABLE,
    DirectoryFacts,
    marked,
    utf8,
)
from assetdb.scan.fast_path import Columns, FastPath
from assetdb.scan.known.content import (
    LOOKED_AT,
    UNKNOWN,
    UNREAD,
    KnownAsset,
    assets_of,
    ids_of_same_folders,
    is_whole,
    with_same_content,
)
from assetdb.scan.walking.listing import META, list_directory, shown, unlisted
from assetdb.settings.project import is_hidden
from assetdb.system.identity import RACY
from assetdb.system.mirrors import tree_of
from assetdb.system.reading import OPEN_FLAGS
from assetdb.system.shared_opening import open_shared
from assetdb.unity.kinds import (
    BYTE_ORDER_MARK,
    HEAD_BYTES,
    LFS_POINTER,
    LFS_POINTER_SIZES,
    is_lfs_pointer,
    is_yaml_head,
    plan_of,
    split_name,
)
from assetdb.unity.metas.meta import MetaReader
from assetdb.unity.yaml.text_asset import conflict_line
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Mapping, Sequence
    from typing import Final

    from assetdb.scan.directory import AssetRow
    from assetdb.scan.failed import FailedFiles
    from assetdb.scan.reading_position import Place
    from assetdb.scan.walking.listing import Listing
    from assetdb.unity.facts import ImporterFacts
    from assetdb.unity.kinds import Plan

_NOT_THROUGH_LINKS: Final = OPEN_FLAGS | getattr(os, "O_NOFOLLOW", 0)
_READ_STEP: Final = 1 << 24
# Allocating and freeing a block of this size makes the C library (glibc) keep that much memory instead of returning
# every large file's to the system: 10,000 instead of 31,000 page faults for unitystation, 60 ms; 4,500 instead of
# 13,900 for unity-explorer, 30 ms of 560.
_LARGEST_BLOCK: Final = 24 << 20
_KEPT: Final[list[bool]] = []  # not empty once that was done
_KIND: Final = 0o170000  # of a file, in its mode
_REGULAR: Final = stat.S_IFREG
_ONE: Final = Struct("=q")
_PAIR: Final = Struct("=2q")
_NEVER: Final = _PAIR.pack(RACY, RACY)
_UNKNOWN_PAIR: Final = UNKNOWN * 2


class FoundAssets(NamedTuple):
    """The assets found in a directory.

    Attributes:
        names: asset and meta of each.
        identities: two int64 of each, of asset and meta.
        contents: their content ids.
        rows: of each.
        failed: asset, meta and identities of assets that have no row.
        diagnostics: of all.
    """

    names: list[bytes]
    identities: list[bytes]
    contents: list[bytes]
    rows: list[AssetRow]
    failed: list[tuple[bytes, bytes, bytes]]
    diagnostics: list[Diagnostic]

    def add(self, names: Sequence[bytes], identities: bytes, contents: bytes) -> None:
        """Add files."""
        self.names.extend(names)
        self.identities.append(identities)
        self.contents.append(contents)

    def without_assets(self) -> FoundAssets:
        """Return empty columns for further assets of the directory."""
        return FoundAssets([], [], [], [], self.failed, self.diagnostics)


class Changes:
    """Reads the changes in the directory of a reader."""

    def __init__(self, reader: Place) -> None:
        self._reader = reader
        self._metas = MetaReader(tables=False)
        # Links are examined before they are opened, except in a mirror.
        in_mirror = bool(tree_of(reader.root))
        self.flags = OPEN_FLAGS if in_mirror else _NOT_THROUGH_LINKS
        self._status_at = os.stat if in_mirror else os.lstat
        self._fast_path = FastPath(reader, self._metas, self.flags, self._status_at)
        self._known: DirectoryFacts | None = None
        self._known_assets: dict[tuple[bytes, bytes], KnownAsset] = {}
        self._failed_here: FailedFiles | None = None  # of the directory that is read
        self._plans: dict[tuple[bytes, str], Plan] = {}  # by extension and importer
        self._reading = self._files()
        next(self._reading)
        self.read_file = self._reading.send
        self.unsure = False
        _keep_blocks()

    def close(self) -> None:
        """End all reading, and break a reference cycle through the generator."""
        self._reading.close()

    def listing_of(self, path: bytes) -> Listing:
        """List the directory ``path``.

        Sets ``unsure`` if this can change without the directory's own time: the target of a link may become a folder,
        and an unreadable directory readable.

        Raises:
            FileNotFoundError: it no longer exists.
            ScanError: its contents cannot be determined now.
        """
        self._known, self._known_assets, self._failed_here = None, {}, None
        listing, self.unsure = list_directory(self._reader, path)
        found: list[Diagnostic] = []
        for meta in listing.orphans:
            read = self.read_file(meta)
            where = f"{shown(path)}/{shown(meta)}"
            if is_hidden(meta.removesuffix(META)):
                found.append(Diagnostic("orphan-meta", where, 0, "its name is one that Unity ignores"))
            elif read is not None and self._metas.read(read[0])[1].folder:
                found.append(Diagnostic("missing-directory", where, 0, "its folder is not there"))
            else:
                found.append(Diagnostic("orphan-meta", where, 0, "its asset is not there"))
        return listing._replace(diagnostics=sorted([*listing.diagnostics, *found])) if found else listing

    def refused(self, path: bytes, error: OSError) -> DirectoryFacts:
        """Return the facts of a directory that may not be entered.

        Raises:
            ScanError: the error is not about the directory.
        """
        return DirectoryFacts(path, listing_diagnostics=encode([unlisted(path, error)]))

    def _files(self) -> Generator[tuple[bytes, int] | None, bytes, None]:
        """Read files by name; yield bytes and identity, None if unreadable.

        A generator binds its names once; a function would make a bake 3 % slower, ``stat`` instead of ``fstat`` 7 %.
        """
        reader = self._reader
        open_file, status_of, read, close = self._open, os.fstat, os.read, os.close
        identity_of = reader.identities.of
        found: tuple[bytes, int] | None = None
        while True:
            name = yield found
            found = None
            reader.files_read += 1
            descriptor = -1
            again = True
            while again:
                again = False
                try:
                    descriptor = open_file(name)
                    status = status_of(descriptor)
                    size = status.st_size
                    most = reader.largest_meta if name.endswith(META) else reader.largest_asset
                    if status.st_mode & _KIND == _REGULAR and size <= most:
                        data = read(descriptor, size + 1)
                        if len(data) != size:  # still growing, or read in pieces
                            data = _rest_of(descriptor, data, most)
                        if len(data) <= most:
                            found = data, identity_of(status)
                except OSError as error:
                    again = self._failed.is_worth_retrying(name, error)
                finally:
                    if descriptor >= 0:
                        close(descriptor)
                        descriptor = -1

    def read(
        self,
        path: bytes,
        identity: int,
        listing: Listing,
        known: DirectoryFacts | None,
        current: bytes | None,
        named: Collection[bytes] = (),
    ) -> DirectoryFacts:
        """Return the facts of a directory with a known listing.

        ``current`` are the identities that the files of ``known`` have now, if examined; ``named`` are files to be read
        in any case.
        """
        known_assets: dict[tuple[bytes, bytes], KnownAsset] = {}
        ids_of_folders: dict[bytes, bytes] = {}
        self._known, self._known_assets, self._failed_here = known, known_assets, None
        if known is not None:
            current = self._reader.packed(known.files) if current is None else current
            files_read = self._reader.files_read
            known, current = with_same_content(known, current, named, self, self._reader)
            self._reader.files_read = files_read  # these were hashed, not parsed
            if not named and is_whole(known, current, listing):
                return known._replace(identity=identity)
            self._known_assets = known_assets = assets_of(known, current)
            ids_of_folders = ids_of_same_folders(known, current)
            self._failed_here = None
        prefix = utf8(path) + SLASH
        whole = FoundAssets([], [], [], [], [], [])
        found = whole.diagnostics
        if known_assets:
            columns = self._changed_pairs(listing.pairs, known_assets, named, prefix, whole)
        elif listing.pairs:
            joined, packed, ids, columns = self._fast_path.read(
                listing.pairs, prefix, lambda pair: self._thoroughly(pair, prefix, whole)
            )
            if joined:
                whole.add((joined,), packed, ids)
        else:
            columns = Columns()
        for asset, meta, two in sorted(whole.failed):
            whole.add((asset, meta), two, _UNKNOWN_PAIR)
        folder_guids: list[bytes] = []
        folders: list[bytes] = []
        for folder, meta in listing.folder_metas:
            read = self.read_file(meta)
            content = ids_of_folders.get(meta) or (content_id(read[0]) if read else UNKNOWN)
            whole.add((meta,), _ONE.pack(read[1] if read else RACY), content)
            where = (prefix + utf8(meta)).decode()
            guid, facts, others = self._metas.read(read[0] if read else b"")
            if read is None:
                found.append(self._failed.diagnostic(meta, prefix + utf8(meta)))
                guid = self._failed.last_good_folder(folder, meta)
            elif not guid:
                found.append(_without_guid(prefix + utf8(meta), read[0]))
            elif not (facts.conflict or others) and (refused := self._metas.fault) is not None:
                found.append(Diagnostic(refused[0], where, *refused[1:]))
            if guid:
                folder_guids.append(guid)
                folders.append(folder)
                if read is not None and not facts.folder and facts.importer not in _OF_FOLDERS:
                    found.append(
                        Diagnostic("meta-kind", where.removesuffix(META.decode()), 0, "its meta is for a file")
                    )
            if facts.conflict or others:
                found.append(_conflict(where, guid, others))
        for meta in listing.orphans:  # read by listing_of: a change since then has a time that is not trusted
            whole.add((meta,), _ONE.pack(self._identity(meta)), UNREAD)
        return DirectoryFacts(
            path,
            identity,
            SLASH.join(listing.children),
            SLASH.join(listing.links),
            SLASH.join(whole.names),
            b"".join(whole.identities),
            b"".join(whole.contents),
            *columns.packed(),
            bytes.fromhex(b"".join(folder_guids).decode("ascii")),
            SLASH.join(folders),
            encode(listing.diagnostics),
            encode(sorted(found)),
            len(listing.pairs),
        )

    def read_pairs(
        self,
        path: bytes,
        pairs: list[tuple[bytes, bytes]],
        known: DirectoryFacts,
        known_assets: dict[tuple[bytes, bytes], KnownAsset],
    ) -> FoundAssets:
        """Read some pairs of a directory; ``known_assets`` are the known ones."""
        self._known, self._known_assets, self._failed_here = known, known_assets, None
        found = FoundAssets([], [], [], [], [], [])
        self._pairs(pairs, utf8(path) + SLASH, found)
        return found

    def _changed_pairs(
        self,
        pairs: list[tuple[bytes, bytes]],
        known: Mapping[tuple[bytes, bytes], KnownAsset],
        named: Collection[bytes],
        prefix: bytes,
        whole: FoundAssets,
    ) -> Columns:
        """Read the pairs that changed; add all pairs in order."""
        some = whole.without_assets()
        new = []
        for pair in pairs:
            old = known.get(pair)
            if old is None or not old.same or (named and (pair[0] in named or pair[1] in named)):
                new.append(pair)
                continue
            whole.diagnostics.extend(old.diagnostics)
            if old.row is None:
                whole.failed.append((*pair, old.identities))
            else:
                some.rows.append(old.row)
                some.add(pair, old.identities, old.contents)
        self._pairs(new, prefix, some)
        columns = Columns()
        names = some.names
        order = {asset: number for number, (asset, _) in enumerate(pairs)}  # as in a first bake
        for place in sorted(range(len(some.rows)), key=lambda place: order[names[place * 2]]):
            columns.add(some.rows[place])
            whole.add(names[place * 2 : place * 2 + 2], some.identities[place], some.contents[place])
        return columns

    def _thoroughly(
        self, pair: tuple[bytes, bytes], prefix: bytes, whole: FoundAssets
    ) -> tuple[AssetRow, int, int, bytes] | None:
        """Read any pair; return row, identities and content ids, None on failure."""
        alone = whole.without_assets()
        self._pairs([pair], prefix, alone)
        return (alone.rows[0], *_PAIR.unpack(alone.identities[0]), alone.contents[0]) if alone.rows else None

    def _pairs(self, pairs: list[tuple[bytes, bytes]], prefix: bytes, whole: FoundAssets) -> None:
        """Read metas, and assets with relevant bytes."""
        found = whole.diagnostics
        read_file = self.read_file
        read_meta = self._metas.read
        identity_of = self._reader.identities.of
        plans = self._plans
        for asset, meta in pairs:
            read = read_file(meta)
            hint = prefix + asset
            if not asset.isascii():
                hint = prefix + utf8(asset)
            if read is None:
                self._add_failed((asset, meta), b"", whole)
                found.append(self._failed.diagnostic(meta, hint + META))
                continue
            data, meta_identity = read
            guid, facts, others = read_meta(data)
            if not guid:
                whole.failed.append((asset, meta, _PAIR.pack(self._identity(asset), meta_identity)))
                found.append(_without_guid(hint + META, data))
                continue
            stem, extension = split_name(asset)
            content: bytes | None = None
            asset_content = UNREAD
            kind = extension, facts.importer
            plan = plans.get(kind)
            if plan is None:
                plan = plans[kind] = plan_of(*kind)
            if plan.read or plan.look:
                opened = read_file(asset) if plan.read else self.read_yaml(asset)
                if opened is not None:
                    content, asset_identity = opened
                    asset_content = content_id(content) if content is not None else LOOKED_AT
                    line = conflict_line(content) if content else 0
                    if content and not plan.typed and is_lfs_pointer(content):
                        found.append(Diagnostic("lfs-pointer", hint.decode(), 0, POINTER_MESSAGE))
                    if line:
                        found.append(Diagnostic("conflict-markers", hint.decode(), line, "an unresolved merge"))
                else:
                    found.append(self._failed.diagnostic(asset, hint))
                    if found[-1].code != "too-large":
                        row = self._known_by_meta(found[-1], asset, guid, facts, plan)
                        self._add_failed((asset, meta), guid, whole, row)
                        continue
                    asset_identity, asset_content = self._identity(asset), UNKNOWN
            else:
                status = self.status(asset)
                if status is None or status.st_mode & _KIND != _REGULAR:
                    found.append(self._failed.diagnostic(asset, hint))
                    row = self._known_by_meta(found[-1], asset, guid, facts, plan)
                    self._add_failed((asset, meta), guid, whole, row)
                    continue
                asset_identity = identity_of(status)
                if status.st_size in LFS_POINTER_SIZES:
                    asset_content = self._look_for_pointer(asset, hint, found)
            if data.startswith(BYTE_ORDER_MARK):
                found.append(marked((hint + META).decode()))
            refused = None if facts.conflict or others else self._metas.fault
            if refused is not None:
                found.append(Diagnostic(refused[0], (hint + META).decode(), *refused[1:]))
            row, finding = asset_row(stem, extension, hint, guid, facts, content, plan)
            whole.rows.append(row)
            pair_content = asset_content + content_id(data)
            whole.add((asset, meta), _PAIR.pack(asset_identity, meta_identity), pair_content)
            if finding is not NO_FINDING or facts.conflict or others or not asset.isascii():
                if facts.conflict or others:
                    found.append(_conflict((hint + META).decode(), guid, others))
                if finding is not NO_FINDING:
                    found.append(Diagnostic(finding.code, hint.decode(), 0, finding.message))
                if hint != prefix + asset:
                    found.append(Diagnostic("invalid-file-name", hint.decode(), 0, f"is named {asset!r}"))

    def _look_for_pointer(self, asset: bytes, hint: bytes, found: list[Diagnostic]) -> bytes:
        """Diagnose a possible Git LFS pointer; return its content id."""
        opened = self.read_file(asset)
        if opened is None or not is_lfs_pointer(opened[0]):
            return UNREAD
        found.append(Diagnostic("lfs-pointer", hint.decode(), 0, POINTER_MESSAGE))
        return content_id(opened[0])

    @property
    def _failed(self) -> FailedFiles:
        """The state of files in this directory that cannot be read."""
        if self._failed_here is None:
            from assetdb.scan.failed import FailedFiles  # noqa: PLC0415 - only where something is wrong

            known = self._known_assets
            self._failed_here = FailedFiles(
                self._reader, self._known, lambda pair: known[pair].row if pair in known else None
            )
        return self._failed_here

    def _open(self, name: bytes) -> int:
        """Open a file and return its descriptor.

        Raises:
            OSError: it cannot be opened, or is a link into ``/proc``, ``/sys`` or ``/dev``.
        """
        path = self._reader.prefix + name
        try:
            return open_shared(path, self.flags)
        except OSError:
            if self.flags == OPEN_FLAGS or not os.path.islink(path):
                raise
        self._failed.refuse_system(name)
        return open_shared(path, OPEN_FLAGS)

    def _known_by_meta(
        self, told: Diagnostic, asset: bytes, guid: bytes, facts: ImporterFacts, plan: Plan
    ) -> AssetRow | None:
        """Return the row of an unreadable file, None for other failures."""
        if told.code != UNREADABLE or not os.path.lexists(self._reader.prefix + asset):  # gone since it was listed
            return None
        return asset_row(*split_name(asset), told.path.encode(), guid, facts, None, plan)[0]

    def _add_failed(
        self, pair: tuple[bytes, bytes], guid: bytes, whole: FoundAssets, otherwise: AssetRow | None = None
    ) -> None:
        """Add an unreadable pair with its last good row, ``otherwise`` if unknown."""
        row = self._failed.last_good_row(pair, guid) or otherwise
        if row is None:
            whole.failed.append((*pair, _NEVER))
        else:
            whole.rows.append(row)
            whole.add(pair, _NEVER, _UNKNOWN_PAIR)

    def status(self, name: bytes) -> os.stat_result | None:
        """Return an unopened asset's status, None if it cannot be read."""
        while True:
            try:
                status = self._status_at(self._reader.prefix + name)
                if not stat.S_ISLNK(status.st_mode):
                    return status
                self._failed.refuse_system(name)
                return os.stat(self._reader.prefix + name)
            except OSError as error:
                if not self._failed.is_worth_retrying(name, error):
                    return None

    def _identity(self, name: bytes) -> int:
        try:
            return self._reader.identities.of(os.stat(self._reader.prefix + name))
        except OSError:
            return RACY

    def read_yaml(self, name: bytes) -> tuple[bytes | None, int] | None:
        """Return a file's bytes if YAML, and identity; None if unreadable."""
        self._reader.files_read += 1
        while True:
            try:
                return self._read_yaml_once(name)
            except OSError as error:
                if not self._failed.is_worth_retrying(name, error):
                    return None

    def _read_yaml_once(self, name: bytes) -> tuple[bytes | None, int] | None:
        most = self._reader.largest_asset
        descriptor = self._open(name)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None
            data: bytes | None = os.read(descriptor, HEAD_BYTES)
            if data and is_yaml_head(data):
                data = _rest_of(descriptor, data, most) if status.st_size <= most else None
                if data is None or len(data) > most:
                    return None
            elif not data or not data.startswith(LFS_POINTER):  # its meaning is unknown
                data = None
        finally:
            os.close(descriptor)
        return data, self._reader.identities.of(status)


_OF_FOLDERS: Final = ("", "DefaultImporter")  # Rider's metas of folders end after the GUID


def _keep_blocks() -> None:
    """Make the C library keep large blocks, once in each process."""
    if not _KEPT:
        _KEPT.append(bool(bytes(_LARGEST_BLOCK)))


def _rest_of(descriptor: int, data: bytes, most: int) -> bytes:
    """Return ``data`` with the file's rest, slightly over ``most`` bytes at most."""
    parts = [data]
    size = len(data)
    while parts[-1] and size <= most:
        parts.append(os.read(descriptor, _READ_STEP))
        size += len(parts[-1])
    return b"".join(parts)


def _without_guid(path: bytes, data: bytes) -> Diagnostic:
    """Return the diagnostic of a meta without a GUID.

    A Git LFS pointer and an encoded GUID are told apart: these metas must not be deleted.
    """
    if data.startswith(LFS_POINTER):
        return Diagnostic("lfs-pointer", path.decode(), 0, "the meta is a Git LFS pointer")
    from assetdb.unity.metas.encoded_guid import encoded_guid  # noqa: PLC0415 - hardly any meta lacks its GUID

    _, prefix = encoded_guid(data)
    if prefix:
        return Diagnostic(
            "encoded-guid", path.decode(), 0, f"its GUID is encoded: it begins with {prefix}, and the rest is not known"
        )
    return Diagnostic("no-guid", path.decode(), 0, "has no GUID")


def _conflict(path: str, guid: bytes, others: tuple[bytes, ...]) -> Diagnostic:
    guids = " and ".join(item.decode() for item in (guid, *others))
    return Diagnostic("conflict-markers", path, 0, f"an unresolved merge: {guids}")
