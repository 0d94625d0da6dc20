"""The strings of binary catalogs.

A string id is an offset with two flags. Bit 31: UTF-16. Bit 30: a chain of parts, each ``{u32 part, u32 next}``, that
are joined with a separator which the chain does not know: '/' for paths, '.' for types, '_' for bundle names, and for
keys the one stored beside the id. Parts are shared between strings (content-addressed), so a path's folder is there
once. Since 1.28 a chain begins with the last part, before that with the first.

Written for speed: half the time of reading a whole catalog goes into chains. A chain's tail (the folder) is kept as one
joined string for each separator, so most strings cost one node, one slice and one concatenation: 0.5 us against 1.9 us
for walking every chain to its end.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from formats.binary import FormatError

NULL: Final = 0xFFFFFFFF
UNICODE_FLAG: Final = 0x80000000
CHAIN_FLAG: Final = 0x40000000
OFFSET_MASK: Final = 0x3FFFFFFF
_U32: Final = Struct("<I")
_NODE: Final = Struct("<II")
# A chain shares its folders, so 100 KB can spell gigabytes (a real report: 138 KB for 18 GB). Real catalogs hold 2 to 5
# characters a byte; a file may spell out eight, and a small one 8 MB.
_TEXT_PER_BYTE: Final = 8
_TEXT_FREE: Final = 8 << 20


class StringTable:
    """Decodes string ids of one file; every string is decoded once for each separator.

    ``reversed`` says that chains begin with the last part, ``narrow_unicode`` that a string without a character above
    255 was met as UTF-16.
    """

    __slots__ = ("_data", "_failed", "_left", "_parts", "_size", "_text", "memo", "narrow_unicode", "reversed")

    def __init__(self, data: bytes, *, reversed_chains: bool) -> None:
        self._data = data
        self._size = len(data)
        self._text = data.decode("latin-1")
        self._parts: dict[int, str] = {}
        self._failed: dict[int, FormatError] = {}
        self._left = _TEXT_FREE + _TEXT_PER_BYTE * len(data)
        self.memo: dict[str, dict[int, str]] = {}
        self.reversed = reversed_chains
        self.narrow_unicode = False

    def read(self, identity: int, separator: str, field: str) -> str | None:
        """Return the string with an id, None for null. Raises FormatError."""
        if identity == NULL:
            return None
        if not identity & CHAIN_FLAG or not separator:
            return self._part(identity, field)
        memo = self.memo.get(separator)
        if memo is None:
            memo = self.memo[separator] = {}
        found = memo.get(identity & OFFSET_MASK)
        return self._chain(identity & OFFSET_MASK, separator, memo, field) if found is None else found

    def required(self, identity: int, separator: str, field: str) -> str:
        """Return the string with an id; a null one is an empty one."""
        return self.read(identity, separator, field) or ""

    def _part(self, identity: int, field: str) -> str:
        found = self._parts.get(identity)
        if found is not None:
            return found
        offset = identity & OFFSET_MASK
        if identity & CHAIN_FLAG:
            raise FormatError("is a chain where a plain string is expected", offset=offset, field=field)
        if not 4 <= offset <= self._size:
            raise FormatError(f"points to {offset}, outside 4..{self._size}", offset=offset, field=field)
        length = _U32.unpack_from(self._data, offset - 4)[0]
        if length > self._size - offset:
            what = f"needs {length} bytes, {self._size - offset} are left"
            raise FormatError(what, offset=offset - 4, field=field)
        if identity & UNICODE_FLAG:
            if length & 1:
                raise FormatError(f"UTF-16 text of {length} bytes", offset=offset, field=field)
            found = self._data[offset : offset + length].decode("utf-16-le", "surrogatepass")
            if found and max(found) < "\u0100":
                self.narrow_unicode = True
        else:
            found = self._text[offset : offset + length]
            if not found.isascii():
                found = "".join(c if c < "\x80" else "?" for c in found)
        self._spend(length, offset, field)
        self._parts[identity] = found
        return found

    def _spend(self, characters: int, offset: int, field: str) -> None:
        self._left -= characters
        if self._left < 0:
            what = f"the strings of this file spell out more than {_TEXT_PER_BYTE} characters a byte"
            raise FormatError(what, offset=offset, field=field)

    def _chain(self, offset: int, separator: str, memo: dict[int, str], field: str) -> str:
        """Walk to a tail that is known or to the end, then join on the way back: depth is never recursion."""
        nodes: list[tuple[int, str]] = []
        seen: set[int] = set()
        tail: str | None = None
        at = offset
        while at != NULL:
            tail = memo.get(at)
            if tail is not None:
                break
            if at in self._failed:
                raise self._failed[at]
            if at in seen:
                raise self._fail(seen, "is a chain that never ends", at, field)
            if at + 8 > self._size:
                raise self._fail(seen, f"points to {at}, outside 0..{self._size - 8}", at, field)
            seen.add(at)
            part, following = _NODE.unpack_from(self._data, at)
            try:
                nodes.append((at, self._part(part, field) if part != NULL else ""))
            except FormatError as error:
                raise self._fail(seen, error.what, error.offset or at, field) from None
            at = following if following == NULL else following & OFFSET_MASK
        text = tail
        for node, part_text in reversed(nodes):
            if text is None:
                text = part_text
            elif self.reversed:
                text = f"{text}{separator}{part_text}"
            else:
                text = f"{part_text}{separator}{text}"
            self._spend(len(text), node, field)
            memo[node] = text
        return text or ""

    def _fail(self, seen: set[int], what: str, offset: int, field: str) -> FormatError:
        error = FormatError(what, offset=offset, field=field)
        for node in seen:
            self._failed[node] = error
        return error
