"""Facts extracted from single files, kept until a file's content changes.

>>> LENGTH = Extraction("length", "1", len, int)
>>> LENGTH.extract(b"four")
4

A fresh process reads only the files that changed since the last one: after a comment in one of unity-explorer's 5,023
scripts it read all of them.
"""

from __future__ import annotations

from assetdb.memo.contents import packed_contents, unpacked_contents
from assetdb.memo.file import columns, split_columns, strings_of, texts
from assetdb.memo.gone import Growth
from assetdb_formats.records import Generic, NamedTuple, TypeVar

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Final

_Facts = TypeVar("_Facts")
_MOST: Final = 200_000  # remembered files
MARKS_OF_SCRIPTS: Final = "marks of C#"
"""The name of the extraction of :mod:`assetdb.memo.marks`."""


class Extraction(NamedTuple, Generic[_Facts]):
    """A function that extracts facts from a file's bytes.

    Attributes:
        name: of the facts, which no other extraction has.
        version: of the function; within one version of assetdb it never changes.
        extract: given the bytes; its facts are numbers, texts, tuples and frozen sets of texts.
        decode: makes the facts of their JSON, where tuples and sets are lists; raises ValueError, TypeError or
            LookupError for any other.
        is_compared: whether an edit counts only if it changes these facts
            (:mod:`assetdb.checks.reports.script_facts`, which lists such extractions).
    """

    name: str
    version: str
    extract: Callable[[bytes], _Facts]
    decode: Callable[[Any], _Facts]
    is_compared: bool = False


class _Kept:
    """The facts of one extraction, by path."""

    def __init__(self, rows: dict[str, tuple[int, bytes]]) -> None:
        self.rows = rows
        self.decoded: dict[str, tuple[int, object]] = {}
        self.is_changed = False
        self.growth = Growth()


class FileFacts:
    """The facts of a project's files, by extraction and path."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        """Take a function that returns the bytes kept under a key."""
        self._read = read
        self._kept: dict[tuple[str, str], _Kept] = {}

    def find(self, extraction: Extraction[_Facts], path: str, content: int | str) -> tuple[_Facts] | None:
        """Return the facts of a file with a content, None if unknown."""
        kept = self._of(extraction)
        decoded = kept.decoded.get(path)
        if decoded is not None and decoded[0] == content:
            known: Any = decoded[1]
            return (known,)
        row = kept.rows.get(path)
        if row is None or row[0] != content:
            return None
        from json import loads  # noqa: PLC0415 - where nothing changed it is not needed

        try:
            facts = extraction.decode(loads(row[1]))
        except (ValueError, TypeError, LookupError, RecursionError):
            return None
        kept.decoded[path] = row[0], facts
        return (facts,)

    def packed(self, extraction: Extraction[Any], path: str, content: int | str) -> bytes | None:
        """Return the facts of a file with a content, encoded."""
        row = self._of(extraction).rows.get(path)
        return row[1] if row is not None and row[0] == content else None

    def is_other(self, extraction: Extraction[Any], path: str, content: int | str) -> bool:
        """Whether facts of a file with another content are kept."""
        row = self._of(extraction).rows.get(path)
        return row is not None and row[0] != content

    def is_whole(self, extraction: Extraction[Any]) -> bool:
        """Whether facts are kept, of all files that were read."""
        return 0 < len(self._of(extraction).rows) < _MOST

    def add(self, extraction: Extraction[Any], path: str, content: int, facts: object) -> None:
        """Keep the facts of a file."""
        kept = self._of(extraction)
        kept.rows.pop(path, None)
        kept.rows[path] = content, encoded(facts)
        kept.decoded[path] = content, facts
        kept.is_changed = True

    def forget_gone(self, exists: Callable[[str], bool]) -> None:
        """Forget files that are gone, where there are many new ones.

        All facts of a file go together: a file that has some of them is one of which no other were asked for.
        """
        every = list(self._kept.values())
        gone = {path for kept in every for path in kept.growth.gone(kept.rows, exists)}
        for kept in every if gone else ():
            for path in gone:
                kept.decoded.pop(path, None)
                if kept.rows.pop(path, None) is not None:
                    kept.is_changed = True

    def handed(self) -> list[tuple[str, str, dict[str, tuple[int, bytes]]]]:
        """Return name, version and rows of new facts, for :meth:`take`."""
        return [(*key, kept.rows) for key, kept in self._kept.items() if kept.is_changed]

    def take(self, handed: Iterable[tuple[str, str, dict[str, tuple[int, bytes]]]]) -> None:
        """Take the facts that another process has extracted."""
        for name, version, rows in handed:
            kept = self._named(name, version)
            kept.rows.update(rows)
            kept.is_changed = True

    def changed(self) -> Iterator[tuple[str, bytes]]:
        """Yield the key and bytes of each extraction with new facts."""
        for (name, version), kept in list(self._kept.items()):
            if kept.is_changed:
                kept.is_changed = False
                yield _key_of(name), _packed(version, dict(list(kept.rows.items())[-_MOST:]))

    def _of(self, extraction: Extraction[Any]) -> _Kept:
        return self._named(extraction.name, extraction.version)

    def _named(self, name: str, version: str) -> _Kept:
        key = name, version
        kept = self._kept.get(key)
        if kept is None:  # two threads may do this at once, with the same result
            kept = self._kept[key] = _Kept(_unpacked(self._read(_key_of(name)), version))
        return kept


def encoded(facts: object) -> bytes:
    """Return facts as they are kept, equal facts as equal bytes."""
    from json import dumps  # noqa: PLC0415 - where nothing changed it is not needed

    return dumps(facts, default=sorted, separators=(",", ":")).encode()


def _key_of(name: str) -> str:
    return f"facts of files: {name}"


def _packed(version: str, rows: dict[str, tuple[int, bytes]]) -> bytes:
    """Return facts as bytes, without files with names that are not text."""
    known = {path: row for path, row in rows.items() if is_text(path)}
    contents = packed_contents(content for content, _ in known.values())
    return columns([version.encode(), texts(known), contents, columns([facts for _, facts in known.values()])])


def is_text(path: str) -> bool:
    """Whether a path can be written as text."""
    return "\0" not in path and (path.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in path))


def _unpacked(packed: bytes | None, version: str) -> dict[str, tuple[int, bytes]]:
    """Return unpacked facts, none where they are damaged or of another version."""
    if packed is None:
        return {}
    try:
        known, paths, contents, facts = split_columns(packed)
        if known != version.encode():
            return {}
        pairs = zip(unpacked_contents(contents), split_columns(facts), strict=True)
        return dict(zip(strings_of(paths), pairs, strict=True))
    except ValueError:
        return {}
