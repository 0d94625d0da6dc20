"""References of contents that files had before, since contents come back.

An undo, ``git stash`` or a way back to the last branch brings no new content, and a moved folder only new names. In a
storm of edits and undos half of what a daemon reads again had been read before.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Content: TypeAlias = tuple[bytes, str]
"""Content id and extension of a file."""
FormerFacts: TypeAlias = tuple[bytes, bytes, tuple[bytes, ...]]
"""Of a file: numbers of keys, how often each occurs, both uint32, and the GUIDs that it nests, 32 digits each."""
_MOST_BYTES: Final = 1 << 22
_GUID_DIGITS: Final = 32
_OVERHEAD: Final = 300  # bytes of the objects that hold the facts of one content


class FormerContents:
    """The facts of the latest former contents, with keys of one state.

    Attributes:
        facts: by content.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        """Know none.

        Args:
            most_bytes: how much the facts may take in memory, nearly.
        """
        self._facts: OrderedDict[Content, FormerFacts] = OrderedDict()  # a dict passes all that it forgot to its first
        self._most_bytes = most_bytes
        self._size = 0

    @property
    def facts(self) -> Mapping[Content, FormerFacts]:
        """The facts by content; those kept last are the last."""
        return self._facts

    def keep(self, content: Content, facts: FormerFacts) -> None:
        """Keep the facts of a content; forget the oldest beyond the bound.

        >>> former = FormerContents(1000)
        >>> for number in range(4):
        ...     former.keep((b"%d" % number, "mat"), (bytes(4), bytes(4), ()))
        >>> [content for content, _ in former.facts]
        [b'1', b'2', b'3']
        """
        before = self._facts.pop(content, None)
        self._size += _size(facts) - (_size(before) if before is not None else 0)
        self._facts[content] = facts
        while self._size > self._most_bytes:
            _, oldest = self._facts.popitem(last=False)
            self._size -= _size(oldest)

    def forget(self) -> None:
        """Forget all, as their keys have other numbers now."""
        self._facts.clear()
        self._size = 0


def _size(facts: FormerFacts) -> int:
    keys, counts, nested = facts
    return len(keys) + len(counts) + _GUID_DIGITS * len(nested) + _OVERHEAD
