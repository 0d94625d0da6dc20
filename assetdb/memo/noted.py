"""The inputs of a derived answer as bytes, with their values."""

from __future__ import annotations

from assetdb.memo.contents import packed_contents, unpacked_contents
from assetdb.memo.file import columns, split_columns
from assetdb.memo.inputs import CONTENT, KINDS, MARKS, OF_FILES, TREE
from assetdb.memo.script_facts import COMPARED
from assetdb.system.identity import RACY

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any, Final

    from assetdb.memo.inputs import Input, Value

_FIELDS: Final = 4  # kind, argument, type of the value, value
_OF_CONTENTS: Final = (CONTENT, *COMPARED)
_SCRIPT: Final = ".cs"
_RACY_CONTENT: Final = packed_contents([RACY])
_NUMBER: Final = "number"
_TEXT: Final = "text"


def packed_head(version: str, tree: str, digest: str, always: Mapping[Input, Value]) -> bytes:
    """Return the part of an answer that every question reads.

    It is not JSON, which takes 4 ms to import.

    Args:
        version: of the function that derived it.
        tree: digest of the tree.
        digest: of the encoded answer.
        always: inputs that are compared at each question.
    """
    rows = [version, tree, digest]
    for (kind, argument), value in always.items():
        rows += [kind, argument, _TEXT if isinstance(value, str) else _NUMBER, str(value)]
    return columns([row.encode("utf-8", "surrogatepass") for row in rows])


def unpacked_head(packed: bytes) -> tuple[str, str, str, dict[Input, Value]]:
    """Return the arguments of :func:`packed_head`.

    Raises:
        ValueError: the bytes are invalid.
    """
    version, tree, digest, *rows = [part.decode("utf-8", "surrogatepass") for part in split_columns(packed)]
    if len(rows) % _FIELDS or not {_NUMBER, _TEXT}.issuperset(rows[2::_FIELDS]):
        raise ValueError("inputs with a field too few, or of an unknown type")
    values = (
        text if kind == _TEXT else int(text) for kind, text in zip(rows[2::_FIELDS], rows[3::_FIELDS], strict=True)
    )
    return version, tree, digest, _inputs_of(zip(rows[::_FIELDS], rows[1::_FIELDS], values, strict=True))


def packed_scanned(scanned: Mapping[Input, Value]) -> bytes:
    """Return inputs that a scan covers, ten thousand files in columns."""
    from json import dumps  # noqa: PLC0415 - only where something changed

    parts = [dumps([(*key, value) for key, value in scanned.items() if key[0] not in _OF_CONTENTS]).encode()]
    for wanted in _OF_CONTENTS:
        files = {argument: value for (kind, argument), value in scanned.items() if kind == wanted}
        parts += [dumps(list(files)).encode(), packed_contents(map(int, files.values()))]
    return columns(parts)


def unpacked_scanned(packed: bytes) -> dict[Input, Value]:
    """Return the inputs that :func:`packed_scanned` was given.

    Raises:
        ValueError, TypeError: the bytes are invalid.
    """
    from json import loads  # noqa: PLC0415 - only where something changed

    others, *files = split_columns(packed)
    rows = loads(others)
    for kind, paths, contents in zip(_OF_CONTENTS, files[::2], files[1::2], strict=True):
        rows += [(kind, path, value) for path, value in zip(loads(paths), unpacked_contents(contents), strict=True)]
    return _inputs_of(rows)


def inherit(noted: dict[Input, Value], others: Mapping[Input, Value]) -> None:
    """Add the inputs of another answer.

    An input of which the answers saw two values changed between them: neither value counts.
    """
    for key, value in others.items():
        if noted.setdefault(key, value) != value:
            noted[key] = RACY


def csharp_uses(noted: Mapping[Input, Value]) -> set[Input] | None:
    """Return the inputs that edits of C# may change, None if uncertain.

    Instead of an input of marks, its parts are returned (:func:`assetdb.memo.marks.parts_of_use`).
    """
    found: set[Input] = set()
    for (kind, argument), value in noted.items():
        if value == RACY or kind == TREE:
            return None
        if kind == MARKS:
            from assetdb.memo.marks import parts_of_use  # noqa: PLC0415 - only of answers with marks

            found.update((kind, part) for part in parts_of_use(argument))
        elif kind in OF_FILES and argument.lower().endswith(_SCRIPT):
            found.add((kind, argument))
    return found


def packed_csharp_uses(packed: bytes) -> set[Input] | None:
    """Return :func:`csharp_uses` of inputs from :func:`packed_scanned`.

    Raises:
        ValueError, TypeError: the bytes are invalid.
    """
    from json import loads  # noqa: PLC0415 - only where something changed

    others, *files = split_columns(packed)
    if any(_RACY_CONTENT in contents for contents in files[1::2]):  # of a file that changed while it was read
        return None
    rows: dict[Input, Value] = {(kind, argument): value for kind, argument, value in loads(others)}
    for kind, paths in zip(_OF_CONTENTS, files[::2], strict=True):
        if _SCRIPT.encode() in paths.lower():
            rows.update(((kind, path), 0) for path in loads(paths))
    return csharp_uses(rows)


def inputs_of_edits(packed: bytes, paths: Collection[str]) -> dict[Input, Value]:
    """Return the inputs that edits of some files may have changed.

    Args:
        packed: by :func:`packed_scanned`.
        paths: of the files.

    Raises:
        ValueError, TypeError: the bytes are invalid.
    """
    from json import dumps, loads  # noqa: PLC0415 - only where something changed

    others, *files = split_columns(packed)
    rows = [row for row in loads(others) if row[0] not in OF_FILES or row[1] in paths]
    for kind, names, contents in zip(_OF_CONTENTS, files[::2], files[1::2], strict=True):
        if any(dumps(path).encode() in names for path in paths):  # a list of thousands is not taken apart
            places = {path: place for place, path in enumerate(loads(names))}
            values = unpacked_contents(contents)
            rows += [(kind, path, values[places[path]]) for path in paths if path in places]
    return _inputs_of(rows)


def _inputs_of(rows: Iterable[Any]) -> dict[Input, Value]:
    """Return inputs with their values.

    Raises:
        ValueError, TypeError: they are invalid.
    """
    found: dict[Input, Value] = {}
    for kind, argument, value in rows:
        if kind not in KINDS or not isinstance(argument, str):
            raise ValueError("an input of an unknown kind")
        found[kind, argument] = value
    return found
