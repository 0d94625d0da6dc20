"""String table of binary catalogs: flags, chains of parts, separators.

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
from typing import TYPE_CHECKING, Final

from assetdb_formats.addressables.errors import AddressablesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NULL: Final = 0xFFFFFFFF
UNICODE_FLAG: Final = 0x80000000
CHAIN_FLAG: Final = 0x40000000
OFFSET_MASK: Final = 0x3FFFFFFF
FLAGS: Final = UNICODE_FLAG | CHAIN_FLAG
_U32: Final = Struct("<I")
_NODE: Final = Struct("<II")
# A chain shares its folders, so 100 KB can spell gigabytes (a real report: 138 KB for 18 GB). Real catalogs hold 2 to 5
# characters a byte; a file may expand to eight, and a small one 8 MB.
_TEXT_PER_BYTE: Final = 8
_TEXT_FREE: Final = 8 << 20
# GUIDs and names are decoded again rather than kept, as most are met once. Longer ones that overlap could expand to
# gigabytes, and are counted.
BRIEF: Final = 128  # characters
_SHORT: Final = 64  # nodes of a chain before circles are looked for; a path has no more folders


class StringTable:
    """Decoder of one file's strings, which are chains of parts.

    Each chain is decoded once for each separator. ``reversed`` is whether chains begin with the last part,
    ``narrow_unicode`` whether a string without a character above 255 was met as UTF-16.
    """

    __slots__ = (
        "_data",
        "_failed",
        "_left",
        "_memo",
        "_parts",
        "_quick",
        "_size",
        "narrow_unicode",
        "reversed",
        "text",
    )

    def __init__(self, data: bytes, *, reversed_chains: bool) -> None:
        self._data = data
        self._size = len(data)
        self.text = data.decode("latin-1")
        self._parts: dict[int, str] = {}
        self._failed: dict[int, AddressablesError] = {}
        self._left = [_TEXT_FREE + _TEXT_PER_BYTE * len(data)]
        self._memo: dict[str, dict[int, str]] = {}
        self._quick: dict[str, Callable[[int], str | None]] = {}
        self.reversed = reversed_chains
        self.narrow_unicode = False

    def read(self, identity: int, separator: str, field: str) -> str | None:
        """Return the string with an id, None for null. Raises AddressablesError."""
        if identity & FLAGS == CHAIN_FLAG and separator:
            found = (self._quick.get(separator) or self.quick(separator))(identity & OFFSET_MASK)
            return self._chain(identity & OFFSET_MASK, separator, field) if found is None else found
        found = self._parts.get(identity)
        if found is not None:
            return found
        if identity == NULL:
            return None
        if identity & CHAIN_FLAG and separator:  # both flags, which no writer sets: a chain
            return self.read(identity & ~UNICODE_FLAG, separator, field)
        return self._part(identity, field)

    def quick(self, separator: str) -> Callable[[int], str | None]:
        """Return a fast decoder of chains, which returns None for unusual ones.

        ``read`` decodes those. All that the fast one needs is in its closure, which takes three quarters of a method's
        time.
        """
        found = self._quick.get(separator)
        if found is not None:
            return found
        memo = self._memo.setdefault(separator, {})
        data, last, size, text, left, is_reversed = (
            self._data, self._size - 8, self._size, self.text, self._left, self.reversed
        )  # fmt: skip
        node, length_at, known = _NODE.unpack_from, _U32.unpack_from, memo.get

        def folder_at(at: int) -> str | None:
            """Decode a node that is not cached yet, its predecessors first."""
            nodes: list[int] = []
            following = at
            while True:
                if following > last or len(nodes) > _SHORT:
                    return None
                nodes.append(following)
                part, following = node(data, following)
                if following == NULL:
                    joined = None
                    break
                following &= OFFSET_MASK
                joined = known(following)
                if joined is not None:
                    break
            while True:
                if part & FLAGS or not 4 <= part <= size:
                    return None
                end = part + length_at(data, part - 4)[0]
                name = text[part:end]
                if end > size or not name.isascii():
                    return None
                if joined is None:
                    joined = name
                else:
                    joined = f"{joined}{separator}{name}" if is_reversed else f"{name}{separator}{joined}"
                left[0] -= len(joined)
                if left[0] < 0:
                    return None
                memo[nodes.pop()] = joined
                if not nodes:
                    return joined
                part = node(data, nodes[-1])[0]

        def chain_at(at: int) -> str | None:
            whole = known(at)
            if whole is not None:
                return whole
            if at > last:
                return None
            part, following = node(data, at)
            if following == NULL or part & FLAGS or not 4 <= part <= size:
                return None
            tail = known(following & OFFSET_MASK) or folder_at(following & OFFSET_MASK)
            end = part + length_at(data, part - 4)[0]
            name = text[part:end]
            if tail is None or end > size or not name.isascii():
                return None
            whole = f"{tail}{separator}{name}" if is_reversed else f"{name}{separator}{tail}"
            left[0] -= len(whole)
            if left[0] < 0:
                return None
            memo[at] = whole
            return whole

        self._quick[separator] = chain_at
        return chain_at

    def required(self, identity: int, separator: str, field: str) -> str:
        """Return the string with an id; a null id means ""."""
        return self.read(identity, separator, field) or ""

    def _part(self, identity: int, field: str) -> str:
        found = self._parts.get(identity)
        if found is not None:
            return found
        offset = identity & OFFSET_MASK
        if identity & CHAIN_FLAG:
            raise AddressablesError("is a chain where a plain string is expected", offset=offset, field=field)
        if not 4 <= offset <= self._size:
            raise AddressablesError(f"points to {offset}, outside 4..{self._size}", offset=offset, field=field)
        length = _U32.unpack_from(self._data, offset - 4)[0]
        if length > self._size - offset:
            what = f"needs {length} bytes, {self._size - offset} are left"
            raise AddressablesError(what, offset=offset - 4, field=field)
        if length <= BRIEF and not identity & UNICODE_FLAG:
            found = self.text[offset : offset + length]
            if found.isascii():
                return found
        self._spend(length, offset, field)  # first: a file that has spelled out too much is not decoded on and on
        if identity & UNICODE_FLAG:
            if length & 1:
                raise AddressablesError(f"UTF-16 text of {length} bytes", offset=offset, field=field)
            found = self._data[offset : offset + length].decode("utf-16-le", "surrogatepass")
            if found and max(found) < "\u0100":
                self.narrow_unicode = True
        else:
            found = self.text[offset : offset + length]
            if not found.isascii():
                found = found.encode("ascii", "replace").decode()
        self._parts[identity] = found
        return found

    def _spend(self, characters: int, offset: int, field: str) -> None:
        self._left[0] -= characters
        if self._left[0] < 0:
            what = f"the strings of this file expand to more than {_TEXT_PER_BYTE} characters a byte"
            raise AddressablesError(what, offset=offset, field=field)

    def _chain(self, offset: int, separator: str, field: str) -> str:
        """Decode a chain without recursion, reusing known tails."""
        memo = self._memo[separator]
        unpack, data, last, failed = _NODE.unpack_from, self._data, self._size - 8, self._failed
        nodes: list[int] = []
        parts: list[int] = []
        seen: set[int] | None = None
        text: str | None = None
        at = offset
        while True:
            if at > last:
                raise self._fail(nodes, AddressablesError(f"points to {at}, outside 0..{last}", offset=at, field=field))
            if failed and at in failed:
                raise self._fail(nodes, failed[at])
            if len(nodes) > _SHORT:
                seen = set(nodes) if seen is None else seen
                if at in seen:
                    raise self._fail(nodes, AddressablesError("is a chain that never ends", offset=at, field=field))
                seen.add(at)
            part, following = unpack(data, at)
            nodes.append(at)
            parts.append(part)
            if following == NULL:
                break
            at = following & OFFSET_MASK
            text = memo.get(at)
            if text is not None:
                break
        read = self._part
        spent = 0
        try:
            while nodes:
                part = parts.pop()
                name = read(part, field) if part != NULL else ""
                if text is None:
                    text = name
                else:
                    text = f"{text}{separator}{name}" if self.reversed else f"{name}{separator}{text}"
                spent += len(text)
                if spent > self._left[0]:
                    self._spend(spent, offset, field)
                memo[nodes.pop()] = text
        except AddressablesError as error:
            raise self._fail(nodes, error) from None
        self._left[0] -= spent
        return text or ""

    def _fail(self, nodes: list[int], error: AddressablesError) -> AddressablesError:
        """Cache the failure of chains through ``nodes``."""
        for node in nodes:
            self._failed[node] = error
        return error


def chains_written_tail_first(data: bytes, providers: Iterable[int]) -> bool:
    """Whether the first string's parts are stored backwards (3.1 and later).

    The first chain is one of the type names of ``providers``, offsets of ObjectInitializationData.
    """
    size = len(data)
    for offset in providers:
        if offset == NULL or offset + 12 > size:
            continue
        kind = _U32.unpack_from(data, offset + 4)[0]
        if kind == NULL or kind + 8 > size:
            continue
        for identity in _NODE.unpack_from(data, kind):
            at = identity & OFFSET_MASK
            if identity == NULL or not identity & CHAIN_FLAG or at + 8 > size:
                continue
            part, following = _NODE.unpack_from(data, at)
            if following != NULL and (following & OFFSET_MASK) + 8 <= size:
                before = _U32.unpack_from(data, following & OFFSET_MASK)[0]
                return bool(before & OFFSET_MASK < part & OFFSET_MASK)
    return False
