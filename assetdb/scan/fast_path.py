"""The fast path: new assets of a directory straight into columns.

It reads ordinary assets, as nearly all are: plain files with ASCII names and a meta as Unity writes it. Everything
else, and every error, is left to :mod:`assetdb.scan.changes`, which handles all cases, for each such asset. No
diagnostics are made here: whatever causes one is not plain (:func:`assetdb.unity.metas.meta.is_plain`).
"""

from __future__ import annotations

import os
import stat
from array import array
from binascii import unhexlify
from itertools import chain

from assetdb.scan.asset import IMPLICIT_SPRITE, NO_ROWS, UNTYPED, described_row, names_other_main, text_of
from assetdb.scan.content_id import hasher
from assetdb.scan.directory import NO_FINDING, SEPARATOR, SLASH
from assetdb.scan.known.content import UNREAD
from assetdb.system.shared_opening import open_shared
from assetdb.unity.facts import NO_REFERENCES
from assetdb.unity.kinds import (
    BYTE_ORDER_MARK,
    CONTAINER,
    LFS_POINTER,
    LFS_POINTER_SIZES,
    PARTS,
    is_left_alone,
    is_misfit,
    plan_of,
    split_name,
    type_key,
)
from assetdb.unity.metas.meta import (
    CANONICAL,
    GUID_END,
    GUID_START,
    LARGEST_KNOWN,
    SPRITE_MODE_SINGLE,
    TEXTURE_TYPE_SPRITE,
)
from assetdb.unity.referring.references import packed_references
from assetdb.unity.yaml.text_asset import conflict_line
from assetdb_formats.codecs.bincode import string

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.scan.directory import AssetRow
    from assetdb.scan.reading_position import Place
    from assetdb.unity.kinds import Plan
    from assetdb.unity.metas.meta import MetaReader

    Thorough = Callable[[tuple[bytes, bytes]], tuple[AssetRow, int, int, bytes] | None]

_KIND: Final = 0o170000  # of a file, in its mode
_REGULAR: Final = stat.S_IFREG
_DIGITS: Final = b"0123456789abcdef"


class Columns:
    """Assets as columns of :class:`DirectoryFacts`, rare values by asset position.

    Attributes:
        guids: 32 hex digits of each.
        keys: type and bare name of each.
        bodies: of each.
        sub_counts: how many of ``sub_keys`` are an asset's.
        sub_keys: of all, one after the other.
        details: of an asset.
        links: references and candidates of an asset, packed.
    """

    __slots__ = ("bodies", "details", "guids", "keys", "links", "sub_counts", "sub_keys")

    def __init__(self) -> None:
        self.guids: list[bytes] = []
        self.keys: list[bytes] = []
        self.bodies: list[bytes] = []
        self.sub_counts: dict[int, int] = {}
        self.sub_keys: list[bytes] = []
        self.details: dict[int, bytes] = {}
        self.links: dict[int, tuple[bytes, bytes]] = {}

    def add(self, row: AssetRow) -> None:
        """Append an asset."""
        guid, key, body, sub_keys, details, certain, candidates = row
        place = len(self.guids)
        self.guids.append(guid)
        self.keys.append(key)
        self.bodies.append(body)
        if sub_keys:
            self.sub_counts[place] = len(sub_keys)
            self.sub_keys += sub_keys
        if details:
            self.details[place] = details
        if certain or candidates:
            self.links[place] = certain, candidates

    def packed(self) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]:
        """Return the columns ``guids`` to ``references`` of a :class:`DirectoryFacts`.

        Raises:
            ValueError: a GUID is not 32 hex digits.
        """
        count = len(self.guids)
        sub_counts = array("I", bytes(4 * count))
        for place, number in self.sub_counts.items():
            sub_counts[place] = number
        details = b""
        if self.details:
            details = SEPARATOR.join([self.details.get(place, b"") for place in range(count)])
        reference_counts = references = b""
        if self.links:
            sizes = array("I", bytes(8 * count))
            parts: list[bytes] = []
            for place, (certain, candidates) in self.links.items():
                sizes[2 * place], sizes[2 * place + 1] = len(certain) // 16, len(candidates) // 16
                parts += (certain, candidates)
            reference_counts, references = sizes.tobytes(), b"".join(parts)
        return (
            unhexlify(b"".join(self.guids)),
            SEPARATOR.join(self.keys),
            b"".join(self.bodies),
            array("I", map(len, self.bodies)).tobytes(),
            sub_counts.tobytes(),
            SEPARATOR.join(self.sub_keys),
            details,
            reference_counts,
            references,
        )


class FastPath:
    """Reads assets of new directories, in one process."""

    def __init__(
        self, reader: Place, metas: MetaReader, flags: int, status_at: Callable[[bytes], os.stat_result]
    ) -> None:
        """Open files with ``flags``; ``status_at`` examines those that are not opened."""
        self._reader = reader
        self._metas = metas
        self._flags = flags
        self._status_at = status_at
        # By extension as written and importer: how it is read, its type unless its bytes determine it, lower case.
        self._plans: dict[tuple[bytes, str], tuple[Plan, bytes, bytes]] = {}

    def read(
        self, pairs: list[tuple[bytes, bytes]], prefix: bytes, thoroughly: Thorough
    ) -> tuple[bytes, bytes, bytes, Columns]:
        """Return names, identities, content ids and columns of assets.

        Args:
            pairs: asset and meta of each.
            prefix: of the assets' paths in the project, UTF-8.
            thoroughly: reads any pair: its row, the identities of both files and their content ids, or None if it has
                no row and is left out here.
        """
        reader = self._reader
        before = reader.prefix
        flags, largest_meta, largest_asset = self._flags, reader.largest_meta, reader.largest_asset
        open_file, status_of, read, close, status_at = open_shared, os.fstat, os.read, os.close, self._status_at
        row_of, surely_old, identity_of = reader.identities.row, reader.identities.surely_old, reader.identities.of
        metas = self._metas
        known_meta, known_of_size, read_meta = (
            metas.known.get,
            metas.known_of_size,
            metas.read_unknown,
        )
        size_known = known_of_size.get
        plan_for = self._plans.get
        content_id = hasher()
        columns = Columns()
        add_guid, add_key, add_body = columns.guids.append, columns.keys.append, columns.bodies.append
        names = SLASH.join(chain.from_iterable(pairs))
        in_ascii = names.isascii()
        is_usual = not is_left_alone(prefix)  # in the others, the type is the folder's
        identities: list[int] = []
        contents: list[bytes] = []
        without_row: set[bytes] = set()
        opened = 0
        for pair in pairs:
            asset, meta = pair
            usual = False
            try:
                if is_usual and (in_ascii or asset.isascii()):
                    descriptor = open_file(before + meta, flags)
                    try:
                        status = status_of(descriptor)
                        size = status.st_size
                        if status.st_mode & _KIND == _REGULAR and size <= largest_meta:
                            data = read(descriptor, size + 1)
                            usual = len(data) == size
                    finally:
                        close(descriptor)
                if usual:
                    meta_content = content_id(data)
                    compared = row_of(status)
                    meta_identity = hash(compared) if compared[0] < surely_old > compared[1] else identity_of(status)
                    guid = data[GUID_START:GUID_END]
                    known = size_known(size)  # comparing takes a tenth of hashing
                    if (known is None or not data.endswith(known[2])) and size < LARGEST_KNOWN:
                        known = known_meta(data[GUID_END:])
                        if known is not None:
                            known_of_size[size] = known
                    if known is not None and data.startswith(CANONICAL) and not guid.strip(_DIGITS):
                        facts, plain, _ = known
                    else:
                        (guid, facts, others), plain = read_meta(data)
                        usual = (
                            bool(guid)
                            and not others
                            and not facts.conflict
                            and not data.startswith(BYTE_ORDER_MARK)
                            and metas.fault is None
                        )
                if usual:
                    importer = facts.importer
                    stem, _, extension = asset.rpartition(b".")
                    planned = plan_for((extension, importer)) if stem else None
                    if planned is None:
                        stem, extension = split_name(asset)
                        planned = self._plan(asset, extension, importer)
                    plan, kind, extension = planned
                    data = b""
                    if plan.read:
                        descriptor = open_file(before + asset, flags)
                        try:
                            status = status_of(descriptor)
                            size = status.st_size
                            usual = False
                            if status.st_mode & _KIND == _REGULAR and size <= largest_asset:
                                data = read(descriptor, size + 1)
                                usual = len(data) == size and (data.find(b"<") < 0 or not conflict_line(data))
                        finally:
                            close(descriptor)
                    else:
                        status = status_at(before + asset)
                        may_be_pointer = status.st_size in LFS_POINTER_SIZES
                        usual = status.st_mode & _KIND == _REGULAR and not plan.look and not may_be_pointer
            except OSError:
                usual = False
            if usual:
                compared = row_of(status)
                asset_identity = hash(compared) if compared[0] < surely_old > compared[1] else identity_of(status)
                hint = prefix + asset
                text = UNTYPED
                if plan.typed:
                    text = text_of(data, extension, facts, plan)
                    usual = text[0] == "yaml" and (text[1] not in PARTS or extension != CONTAINER)
                    kind = text[2] if text[2] and not plan.by_extension else type_key(extension, text[1], importer)
                elif plan.read:
                    usual = not data.startswith(LFS_POINTER)
                if usual and (text[3] or not plain or names_other_main(facts, plan)):
                    content = data if plan.read else None
                    row, finding = described_row(stem, extension, hint, guid, facts, content, plan, text)
                    usual = finding is NO_FINDING
                    plain = False
            if not usual:
                found = thoroughly(pair)
                if found is None:
                    without_row.add(asset)
                else:
                    columns.add(found[0])
                    identities += found[1:3]
                    contents.append(found[3])
                continue
            opened += 1 + plan.read
            identities += (asset_identity, meta_identity)
            contents += (content_id(data) if plan.read else UNREAD, meta_content)
            if not plain:
                columns.add(row)
                continue
            if plan.read:
                links = packed_references(data, extension, guid, NO_REFERENCES)
                if links[0] or links[1]:
                    columns.links[len(columns.guids)] = links
            add_guid(guid)
            add_key(kind + b":" + stem)
            name = string(stem)
            if facts.sprite_mode == SPRITE_MODE_SINGLE and facts.texture_type == TEXTURE_TYPE_SPRITE:
                columns.sub_counts[len(columns.bodies)] = 1
                columns.sub_keys.append(b"213:" + stem)
                add_body(name + IMPLICIT_SPRITE + name + string(hint))
            else:
                add_body(name + NO_ROWS + string(hint))
        reader.files_read += opened
        if without_row:
            names = SLASH.join(chain.from_iterable([pair for pair in pairs if pair[0] not in without_row]))
        return names, array("q", identities).tobytes(), b"".join(contents), columns

    def _plan(self, asset: bytes, extension: bytes, importer: str) -> tuple[Plan, bytes, bytes]:
        """Return how to read an extension and importer, cached by ``asset``'s spelling."""
        plan = plan_of(extension, importer)
        if is_misfit(extension, importer):  # which is told elsewhere
            plan = plan._replace(read=False, look=True)
        planned = plan, b"" if plan.typed else type_key(extension, 0, importer), extension
        if extension:
            self._plans[asset[-len(extension) :], importer] = planned
        return planned
