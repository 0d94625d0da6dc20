"""A conflicted file: its open values, and its text with answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import category

from assetdb.unity.merging.envelope import LARGEST, UnmergeableError, Written, read_version, text_of, write_version
from assetdb.unity.merging.faults import Contested, new_faults
from assetdb.unity.merging.files import merge_files
from assetdb.unity.merging.markers import marked, read_markers
from assetdb.unity.merging.names import Names
from assetdb.unity.merging.pieces import Conflict, rendered
from assetdb.unity.yaml.objects import is_guid
from assetdb.unity.yaml.tree import UnreadableError, read_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.history.git.conflicted import Stages
    from assetdb.unity.merging.pieces import Piece

_BOM: Final = b"\xef\xbb\xbf"
_HEADER: Final = re.compile(rb"^--- !u!\d+ &(-?\d{1,20})", re.MULTILINE)
_FIRST_KEY: Final = re.compile(rb"\s*(?:- )*([^\s:][^:\n]*):(?=\s)")
_ROW: Final = b"- "
_GUID: Final = ("guid",)
_NEVER_TYPED: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))  # categories: controls, surrogates, separators of lines


class OpenFile(NamedTuple):
    """A file with open values.

    Attributes:
        path: as it is shown.
        pieces: its text.
        written: how it is written.
        names: of its objects.
        sides: ours and theirs, whole.
        users: the files that refer to a GUID; none where nobody looked.
        base: the common ancestor of the sides; None where somebody has edited the file since.
        contested: values and objects that are open because answers would break the file otherwise.
        given: the numbers of the open values; none where they are counted from 1.
    """

    path: str
    pieces: list[Piece]
    written: Written
    names: Names
    sides: tuple[bytes, bytes]
    users: Callable[[str], list[str]] | None = None
    base: bytes | None = None
    contested: tuple[Contested, ...] = ()
    given: tuple[int, ...] = ()

    @property
    def conflicts(self) -> list[Conflict]:
        """The open values, in order."""
        return [piece for piece in self.pieces if isinstance(piece, Conflict)]

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the open values, by which they are answered."""
        return self.given or range(1, len(self.conflicts) + 1)

    def guid_users(self, conflict: Conflict) -> dict[str, list[str]]:
        """Return the files that refer to each GUID of an asset."""
        if self.users is None or conflict.file_id or conflict.place != _GUID:
            return {}
        texts = {"ours": conflict.ours, "theirs": conflict.theirs}
        guids = {side: text.partition(b":")[2].strip().decode("ascii", "replace") for side, text in texts.items()}
        return {side: self.users(guid) if guid else [] for side, guid in guids.items()}

    def data(self, answers: Sequence[bytes | None]) -> bytes:
        """Return the file with answers, and with markers around open values."""
        left = iter(answers)
        pieces: list[Piece] = []
        for piece in self.pieces:
            answer = next(left) if isinstance(piece, Conflict) else piece
            pieces.append(piece if answer is None else answer)
        return write_version(self.written, marked(pieces))

    def faults(self, data: bytes) -> list[str]:
        """Return the objects that an answered file would have broken."""
        try:
            found = self._faults(data)
        except UnmergeableError as error:
            return [error.what]
        return [" ".join([self.names.of_object(one.key[0]), *one.place[1:]]) for one in found]

    def widened(self, data: bytes) -> OpenFile | None:
        """Return the file with all that its answers break open, too.

        Two fathers of one child are one value, but the children of both depend on it. None if nothing more can be open.
        """
        if self.base is None:
            return None
        # Of a list with an open row, the list is another value.
        settled = frozenset(Contested((one.file_id, 0), one.place) for one in self.conflicts)
        try:
            contested = (*self.contested, *(one for one in self._faults(data, settled) if one not in settled))
            if contested == self.contested:
                return None
            merged = merge_files(self.base, *self.sides, contested=contested)
        except UnmergeableError:
            return None
        wider = self._replace(pieces=merged.pieces, written=merged.written, contested=contested)
        known = {(one.file_id, one.place) for one in self.conflicts}
        return wider if any((one.file_id, one.place) not in known for one in wider.conflicts) else None

    def _faults(self, data: bytes, settled: frozenset[Contested] = frozenset()) -> list[Contested]:
        """Return the places of faults that an answered file would have.

        Raises:
            UnmergeableError: it is no file that can be judged.
        """
        ours, theirs = (read_version(side) for side in self.sides)
        text = read_version(data)
        whole = text_of(text)
        return new_faults(whole, whole, ours, theirs, settled) if text.objects else []


def both(conflict: Conflict) -> bytes | None:
    """Return rows of ours, then of theirs; None for other values."""
    is_list = all(text.lstrip(b" ").startswith(_ROW) for text in (conflict.ours, conflict.theirs))
    return conflict.ours + conflict.theirs if is_list else None


def typed(conflict: Conflict, value: str) -> bytes | None:
    """Return an open value of one line with another value, or None.

    A vector is typed as it is shown, ``(0, 1, 0)``, or as it is written. A line break would write another line, and a
    control character, or a byte of no text, is nothing that Unity writes. The GUID of a meta has its 32 digits.
    """
    is_guid_of_meta = not conflict.file_id and conflict.place == _GUID
    if any(category(letter) in _NEVER_TYPED for letter in value) or (is_guid_of_meta and not is_guid(value)):
        return None
    for text in (conflict.ours, conflict.theirs, conflict.base):
        if text.count(b"\n") != 1:
            continue
        try:
            entries = read_tree(b"\n" + text).entries
            tree = entries[0].value if len(entries) == 1 else None
        except UnreadableError:
            continue
        if tree is None:
            continue
        if tree.entries and not tree.flow:  # the row of a list with one key
            tree = tree.entries[0].value
        words = value.strip("() ").split(",")
        if tree.flow and value.startswith("(") and len(words) == len(tree.entries):
            pairs = zip(tree.entries, words, strict=True)
            value = f"{{{', '.join(f'{entry.key}: {word.strip()}' for entry, word in pairs)}}}"
        made = text[: tree.start - 1].rstrip(b" \n") + b" " + value.encode() + b"\n"
        try:
            return made if len(read_tree(b"\n" + made).entries) == 1 else None
        except UnreadableError:
            return None
    return None


def read_open(
    path: str, data: bytes, stages: Stages, by_git: Callable[[], bytes], asset: Callable[[str], str] = lambda _: ""
) -> OpenFile:
    """Return a file of the work tree with its open values.

    Where it is as a merge left it, its versions are merged by object, so that the smallest values are open. A file that
    somebody has edited since has the values between its markers.

    Args:
        path: as it is shown.
        data: the file, with markers.
        stages: its versions.
        by_git: returns the text that git itself would leave.
        asset: returns the path of the asset with a GUID, or ``""``.

    Raises:
        UnmergeableError: it is too large.
    """
    if len(data) > LARGEST:
        raise UnmergeableError(f"has {len(data):,} bytes, at most {LARGEST:,} are read")
    base, ours, theirs = stages
    text = data.replace(b"\r\n", b"\n")
    found = read_markers(text)
    names = Names([side for side in (ours, theirs, base) if side is not None], asset)
    if ours is not None and theirs is not None:
        try:
            merged = merge_files(base or b"", ours, theirs)
        except UnmergeableError:
            merged = None
        if merged is not None and (
            _is_one(found, read_markers(write_version(merged.written, marked(merged.pieces)).replace(b"\r\n", b"\n")))
            or _is_one(found, read_markers(by_git().replace(b"\r\n", b"\n")))
        ):
            return OpenFile(path, merged.pieces, merged.written, names, (ours, theirs), base=base or b"")
    has_mark = text.startswith(_BOM)
    if has_mark and isinstance(found[0], bytes):
        found[0] = found[0][len(_BOM) :]
    written = Written(has_mark=has_mark, is_crlf=b"\r\n" in data, is_ended=True)
    sides = tuple(write_version(written, rendered(found, choose)) for choose in (_ours, _theirs))
    return OpenFile(path, _placed(found), written, names, (sides[0], sides[1]))


def _ours(conflict: Conflict) -> bytes:
    return conflict.ours


def _theirs(conflict: Conflict) -> bytes:
    return conflict.theirs


def _is_one(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """Whether two texts have the same conflicts, whatever their base."""
    return [_without_base(piece) for piece in one] == [_without_base(piece) for piece in other]


def _without_base(piece: Piece) -> Piece:
    return piece if isinstance(piece, bytes) else piece._replace(base=b"")


def _placed(pieces: Sequence[Piece]) -> list[Piece]:
    """Give each conflict of markers its object and first key."""
    placed: list[Piece] = []
    file_id = 0
    for piece in pieces:
        if isinstance(piece, bytes):
            for header in _HEADER.finditer(piece):
                file_id = int(header[1])
            placed.append(piece)
            continue
        key = _FIRST_KEY.match(piece.ours) or _FIRST_KEY.match(piece.theirs)
        place = ("", key[1].decode("utf-8", "replace")) if key is not None else ("",)
        inside = _HEADER.search(piece.ours) or _HEADER.search(piece.theirs)
        own = int(inside[1]) if inside is not None else file_id
        placed.append(piece._replace(file_id=own, place=place if own else place[1:]))
        for header in _HEADER.finditer(piece.ours):
            file_id = int(header[1])
    return placed
