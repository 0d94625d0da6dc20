"""Which paired objects of two builds differ.

A reference is equal where it leads to a pair: a neighbour with another number is no change.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from assetdb.builds.build import is_builtin
from assetdb.builds.objects.content import contents, entry_of
from assetdb.builds.objects.pairing import ALONE
from assetdb.builds.parts.naming import folded
from assetdb.builds.parts.reading import open_part
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Sequence

    from assetdb.builds.build import Build
    from assetdb.builds.objects.content import Token
    from assetdb.builds.objects.pairing import Pairs

LARGEST_UNKNOWN: Final = 1 << 20
"""Bytes of an object with unknown fields that is looked at word by word."""
_WORD: Final = 4
_REFERENCE: Final = Struct("<iq")
_POINTER: Final = _REFERENCE.size


def different(before: Build, after: Build, pairs: Pairs, alike: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the pairs that differ, among objects of equal size."""
    tokens = (
        reference_token(before, pairs.after, is_first=True),
        reference_token(after, pairs.before, is_first=False),
    )
    old = contents(before, [own for own, _ in alike], token=tokens[0])
    new = contents(after, [own for _, own in alike], token=tokens[1])
    found = set()
    unknown = []
    for pair in alike:
        left, right = old.get(pair[0]), new.get(pair[1])
        if left is None or right is None or left.digest != right.digest:
            found.add(pair)
            if left is not None and right is not None and not (left.is_whole and right.is_whole):
                unknown.append(pair)
    data = _bytes(before, [own for own, _ in unknown]), _bytes(after, [own for _, own in unknown])
    for pair in unknown:
        if pair[0] in data[0] and pair[1] in data[1] and not before.streamed[pair[0]]:
            files = before.file_of(pair[0]), after.file_of(pair[1])
            if _is_reference_alone(data[0][pair[0]], data[1][pair[1]], files, tokens):
                found.discard(pair)
    return found


def reference_token(build: Build, pairs: array[int], *, is_first: bool) -> Token:
    """Return the token of a reference: the pair that it leads to."""

    def token(file: int, file_id: int, path_id: int) -> bytes:
        found = build.resolve(file, file_id, path_id)
        if found.target < 0 or is_builtin(found.file):  # Unity's own have one number in all builds, there or not
            return f"missing {folded(found.file)} {path_id}".encode("utf-8", "surrogateescape")
        if pairs[found.target] == ALONE:
            title = build.title(found.target)
            return f"alone {build.class_ids[found.target]} {title}".encode("utf-8", "surrogateescape")
        return b"pair %d" % (found.target if is_first else pairs[found.target])

    return token


def _bytes(build: Build, numbers: Iterable[int]) -> dict[int, bytes]:
    """Return the readable bytes of objects outside of archives."""
    by_part: dict[int, list[int]] = {}
    for number in numbers:
        if build.sizes[number] <= LARGEST_UNKNOWN:
            by_part.setdefault(build.part_of(number), []).append(number)
    found = {}
    for part, own in by_part.items():
        if build.facts[part].archive is not None:  # its type trees tell all fields
            continue
        try:
            with open_part(build.parts[part].input) as bundle:
                file = next(bundle.files())
                for number in own:
                    entry = entry_of(build, file, number)
                    if entry is not None:
                        found[number] = file.read(entry)
        except (FormatError, OSError):  # reported when the build was read, or by verify
            continue
    return found


def _is_reference_alone(old: bytes, new: bytes, files: tuple[int, int], tokens: tuple[Token, Token]) -> bool:
    """Whether all words that differ are of references that lead to pairs."""
    at = 0
    while at < len(old):
        if old[at : at + _WORD] == new[at : at + _WORD]:
            at += _WORD
            continue
        # The word is the first, the second or the third of a reference: its file ID or half of its PathID.
        starts = (start for start in (at - _WORD, at, at - 2 * _WORD) if 0 <= start <= len(old) - _POINTER)
        for start in starts:
            left, right = (
                token(file, *_REFERENCE.unpack_from(data, start))
                for token, file, data in zip(tokens, files, (old, new), strict=True)
            )
            if left == right:
                at = start + _POINTER
                break
        else:
            return False
    return True
