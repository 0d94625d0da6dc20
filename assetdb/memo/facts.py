"""Facts extracted from single files, kept until a file's content changes.

>>> LENGTH = Extraction("length", "1", len, int)
>>> LENGTH.extract(b"four")
4

A fresh process reads only the files that changed since the last one. Without kept facts it read all of
unity-explorer's 5,023 scripts after a comment in one.
"""

from __future__ import annotations

from assetdb.memo.contents import packed_contents, unpacked_contents
from assetdb.memo.file import column_at, columns, place_in, split_columns, strings_of, texts
from assetdb.memo.gone import Growth
from assetdb.scan.content_id import SIZE
from assetdb_formats.records import Generic, NamedTuple, TypeVar

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Final, TypeAlias

    _Row: TypeAlias = tuple[int, int, bytes]
    """The facts of one file: the content that they are of, the one that first had them, and the facts, encoded."""

_Facts = TypeVar("_Facts")
_MOST: Final = 200_000  # remembered files
_FEW: Final = 64  # files that are looked for one by one, before all are separated
_PARTS: Final = 4  # paths, contents, origins, facts


class Extraction(NamedTuple, Generic[_Facts]):
    """A function that extracts facts from a file's bytes.

    Attributes:
        name: of the facts, which no other extraction has.
        version: of the function; within one version of assetdb it never changes.
        extract: given the bytes; its facts are numbers, texts, tuples and frozen sets of texts.
        decode: makes the facts of their JSON, where tuples and sets are lists; raises ValueError, TypeError or
            LookupError for any other.
        is_compared: whether an edit counts only if it changes these facts; :mod:`assetdb.memo.script_facts` lists such
            extractions.
    """

    name: str
    version: str
    extract: Callable[[bytes], _Facts]
    decode: Callable[[Any], _Facts]
    is_compared: bool = False


class _Kept:
    """The facts of one extraction, by path.

    Attributes:
        decoded: facts with the content that they are of.
        is_changed: whether there is something to write.
        growth: of the table.
    """

    def __init__(self, packed: bytes | None, version: str) -> None:
        """Take the bytes of :func:`_packed`, which the first change separates."""
        self.decoded: dict[str, tuple[int, object]] = {}
        self.is_changed = False
        self.growth = Growth()
        self._version = version
        self._packed: list[bytes] = []
        self._asked = 0
        self._rows: dict[str, _Row] | None = None
        try:
            known, *parts = split_columns(packed or b"")
            self._packed = parts if known == version.encode() and len(parts) == _PARTS else []
        except ValueError:
            pass

    @property
    def is_whole(self) -> bool:
        """Whether there are facts, of all files that were read."""
        return bool(self._packed or self._rows) and (self._rows is None or len(self._rows) < _MOST)

    @property
    def rows(self) -> dict[str, _Row]:
        """All facts."""
        packed = self._packed  # looked at first: another thread clears it once it has set the rows
        if self._rows is None:
            rows = _unpacked(packed) if packed else {}
            if self._rows is None:
                self._rows = rows
            self._packed = []
        return self._rows

    def get(self, path: str) -> _Row | None:
        """Return the facts of a file.

        A command that asks for the facts of few files does not separate 5,000.
        """
        packed = self._packed
        if self._rows is None and packed and self._asked < _FEW:
            self._asked += 1
            paths, contents, origins, facts = packed
            place = place_in(paths, path)
            if place < 0:
                return None
            part = slice(place * SIZE, (place + 1) * SIZE)
            try:
                (content,), (origin,) = unpacked_contents(contents[part]), unpacked_contents(origins[part])
                return content, origin, column_at(facts, place)
            except ValueError:
                return None
        return self.rows.get(path)


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
        row = kept.get(path)
        if row is None or row[0] != content:
            return None
        from json import loads  # noqa: PLC0415 - where nothing changed it is not needed

        try:
            facts = extraction.decode(loads(row[2]))
        except (ValueError, TypeError, LookupError, RecursionError):
            return None
        kept.decoded[path] = row[0], facts
        return (facts,)

    def find_all(self, extraction: Extraction[_Facts], contents: Mapping[str, int]) -> dict[str, tuple[int, _Facts]]:
        """Return origins and facts of many files, those that are known.

        Their JSON is read as one: of 5,023 scripts each by itself took longer than all else that a rule did.

        Args:
            extraction: of the facts.
            contents: of the files, by path.
        """
        kept = self._of(extraction)
        rows = [(path, row) for path, content in contents.items() if (row := kept.rows.get(path)) and row[0] == content]
        from json import loads  # noqa: PLC0415 - as above

        try:
            decoded = loads(b"[%b]" % b",".join([row[2] for _, row in rows]))
            return {path: (row[1], extraction.decode(facts)) for (path, row), facts in zip(rows, decoded, strict=True)}
        except (ValueError, TypeError, LookupError, RecursionError):  # one is damaged
            return {}

    def origin(self, extraction: Extraction[Any], path: str, content: int | str | None) -> int | None:
        """Return the content that first had a file's facts, None if unknown.

        Two contents of one file with the same origin have the same facts.
        """
        row = self._of(extraction).get(path)
        return row[1] if row is not None and row[0] == content else None

    def is_same(self, extraction: Extraction[Any], path: str, content: int, data: bytes) -> bool:
        """Whether bytes surely have a file's earlier facts.

        Facts that are not kept may have been of use: several processes replace the table, and the last one wins.
        """
        row = self._of(extraction).get(path)
        return row is not None and row[0] == content and row[2] == _encoded(extraction.extract(data))

    def is_whole(self, extraction: Extraction[Any]) -> bool:
        """Whether facts are kept, of all files that were read."""
        return self._of(extraction).is_whole

    def add(self, extraction: Extraction[Any], path: str, content: int, facts: object) -> int:
        """Keep the facts of a file, and return their origin."""
        kept = self._of(extraction)
        packed = _encoded(facts)
        before = kept.rows.pop(path, None)
        origin = before[1] if before is not None and before[2] == packed else content
        kept.rows[path] = content, origin, packed
        kept.decoded[path] = content, facts
        kept.is_changed = True
        return origin

    def forget_gone(self, exists: Callable[[str], bool]) -> None:
        """Forget files that are gone, where there are many new ones.

        All facts of a file are forgotten together. So if some are kept of a file, no others were ever asked for.
        """
        every = list(self._kept.values())
        removed = {path for kept in every for path in kept.growth.gone(kept.rows, exists)}
        for kept in every if removed else ():
            for path in removed:
                kept.decoded.pop(path, None)
                if kept.rows.pop(path, None) is not None:
                    kept.is_changed = True

    def handed(self) -> list[tuple[str, str, dict[str, _Row]]]:
        """Return name, version and rows of new facts, for :meth:`take`."""
        return [(*key, kept.rows) for key, kept in self._kept.items() if kept.is_changed]

    def take(self, handed: Iterable[tuple[str, str, dict[str, _Row]]]) -> None:
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
            kept = self._kept[key] = _Kept(self._read(_key_of(name)), version)
        return kept


def _encoded(facts: object) -> bytes:
    """Return facts as they are kept, equal facts as equal bytes."""
    from json import dumps  # noqa: PLC0415 - where nothing changed it is not needed

    return dumps(facts, default=sorted, separators=(",", ":")).encode()


def _key_of(name: str) -> str:
    return f"facts of files: {name}"


def _packed(version: str, rows: dict[str, _Row]) -> bytes:
    """Return facts as bytes, without files with names that are not text."""
    known = {path: row for path, row in rows.items() if _is_text(path)}
    contents = packed_contents(content for content, _, _ in known.values())
    origins = packed_contents(origin for _, origin, _ in known.values())
    return columns([version.encode(), texts(known), contents, origins, columns([row[2] for row in known.values()])])


def _is_text(path: str) -> bool:
    """Whether a path can be written as text."""
    return "\0" not in path and (path.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in path))


def _unpacked(parts: Sequence[bytes]) -> dict[str, _Row]:
    """Return unpacked facts, none where they are damaged."""
    paths, contents, origins, facts = parts
    try:
        rows = zip(unpacked_contents(contents), unpacked_contents(origins), split_columns(facts), strict=True)
        return dict(zip(strings_of(paths), rows, strict=True))
    except ValueError:
        return {}
