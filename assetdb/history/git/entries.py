"""Entries of git's trees, index and differences, read from its output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE: Final = 0o100000
LINK: Final = 0o120000
SUBMODULE: Final = 0o160000
_KIND: Final = 0o170000


class Entry(NamedTuple):
    """An entry of a tree or the index.

    Attributes:
        mode: as in git.
        oid: of the blob, or of the commit of a submodule.
        submodule: the folder of the submodule whose repository has it, absolute; ``""`` for the project's own.
    """

    mode: int
    oid: str
    submodule: str = ""

    @property
    def kind(self) -> int:
        """:data:`FILE`, :data:`LINK` or :data:`SUBMODULE`."""
        return self.mode & _KIND


if TYPE_CHECKING:
    Entries = dict[bytes, Entry | None]
    """Entries of another side by path; None if absent."""


def files_of_tree(listed: bytes) -> dict[bytes, Entry]:
    """Return the entries that ``git ls-tree -r -z`` lists, by path."""
    return {path: Entry(int(mode, 8), oid.decode()) for path, (mode, _, oid) in _rows(listed)}


def files_of_index(listed: bytes) -> dict[bytes, Entry]:
    """Return the entries that ``git ls-files -s -z`` lists, without conflicts."""
    return {path: Entry(int(mode, 8), oid.decode()) for path, (mode, oid, stage) in _rows(listed) if stage == b"0"}


def _rows(listed: bytes) -> Iterator[tuple[bytes, list[bytes]]]:
    """Yield path and fields of each row."""
    for row in listed.split(b"\0"):
        fields, tab, path = row.partition(b"\t")
        if tab:
            yield path, fields.split(b" ")


def commits_in(log: bytes) -> Iterator[tuple[str, dict[bytes, tuple[str, str, str]]]]:
    """Yield the commits of ``git log -z --raw --no-abbrev``.

    Args:
        log: the output, with a format that begins with ``%x01``.

    Returns:
        The rest of that format; by path of a file its status, old blob and new blob.
    """
    head, rows = "", dict[bytes, tuple[str, str, str]]()
    tokens = iter(log.split(b"\0"))
    for token in tokens:
        text = token.strip(b"\n")
        if text.startswith(b"\x01"):
            if head:
                yield head, rows
            head, rows = text[1:].decode("utf-8", "replace"), {}
        elif text.startswith(b":"):
            cells = text.decode("ascii", "replace").split(" ")
            rows[next(tokens, b"")] = cells[-1][:1], cells[2], cells[3]
    if head:
        yield head, rows


def differences_in(raw: bytes) -> Iterator[tuple[bytes, Entry | None, bool]]:
    """Yield path, old side, and whether in conflict, of raw differences."""
    fields = raw.split(b"\0")
    for head, path in zip(fields[::2], fields[1::2], strict=False):
        words = head.lstrip(b":").split(b" ")
        if len(words) != 5:
            raise HistoryError(f"unexpected output of git diff: {head[:80]!r}")
        mode = int(words[0], 8)
        yield path, Entry(mode, words[2].decode()) if mode else None, words[4][:1] == b"U"
