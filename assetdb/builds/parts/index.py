"""The cached index of a build, valid by its files' identities.

One file a build in the user's cache folder, of the format of :mod:`assetdb.memo.file`: what is damaged in it is read
again. Of many indexes those written longest ago are deleted.
"""

from __future__ import annotations

import json
import os
from array import array
from hashlib import blake2b
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from assetdb.builds.parts.facts import (
    ArchiveFacts,
    FileFacts,
    PartFacts,
    PlayerFacts,
    ScriptFacts,
    Stream,
    UnreadScript,
)
from assetdb.memo.file import MemoFile
from assetdb.settings.user import user_cache_folder
from assetdb.version import VERSION
from assetdb_formats.processes import Uncollected

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SIZE: Final = Struct("<I")
_STAMP: Final = f"{VERSION} 6"  # the second word counts changes of facts: their shape, or how they are read
_MOST_KEPT: Final = 40  # indexes in the folder
_COLUMNS: Final = tuple(
    (name, value.typecode) for name, value in PartFacts._field_defaults.items() if isinstance(value, array)
)
_PLAIN: Final = tuple(name for name in PartFacts._fields if name not in {column for column, _ in _COLUMNS})


def index_path(paths: Iterable[str]) -> str:
    """Return the path of the index of a build, existing or not."""
    key = "\0".join(sorted(os.path.abspath(path) for path in paths))
    name = blake2b(key.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    return os.path.join(user_cache_folder(), "builds", f"{name}.index")


def load_index(path: str) -> dict[str, tuple[str, bytes]]:
    """Return identity and packed facts by part.

    As :func:`save_index` was given them, without those that are damaged.
    """
    entries = MemoFile(path, _STAMP).entries()
    try:
        return {_name_of(key): (str(identity, "ascii"), facts) for key, (identity, facts) in entries.items()}
    except ValueError:  # its checksum is right: another program wrote it
        return {}


def save_index(path: str, parts: Mapping[str, tuple[str, bytes]]) -> None:
    """Replace the index of a build, if that is possible."""
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        file = MemoFile(path, _STAMP)
        for key in file.keys():  # noqa: SIM118 - not a mapping
            file.drop(key)
        for name, (identity, facts) in parts.items():
            file.put(_key_of(name), (identity.encode("ascii"), facts))
        file.write()
        _forget(folder)
    except OSError:  # a cache folder that cannot be written: the answer is there without it
        return


def _key_of(name: str) -> str:
    """Return a name as text: archives of other systems have undecodable ones."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def _name_of(key: str) -> str:
    return key.encode("latin-1").decode("utf-8", "surrogateescape")


def _forget(folder: str) -> None:
    """Delete the oldest indexes, of more than are kept."""
    found = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".index")]
    for path in sorted(found, key=os.path.getmtime)[:-_MOST_KEPT]:
        os.unlink(path)


def pack(facts: PartFacts) -> bytes:
    """Return facts as bytes."""
    plain = json.dumps([getattr(facts, name) for name in _PLAIN], separators=(",", ":")).encode("ascii")
    pieces = [_SIZE.pack(len(plain)), plain]
    for name, _ in _COLUMNS:
        column = getattr(facts, name).tobytes()
        pieces += [_SIZE.pack(len(column)), column]
    return b"".join(pieces)


def unpack(data: bytes) -> PartFacts:
    """Return the facts that :func:`pack` was given.

    Raises ValueError, TypeError, LookupError or struct.error for what it did not make.
    """
    with Uncollected():  # a third of the time
        return _unpacked(data)


def _unpacked(data: bytes) -> PartFacts:
    fields: dict[str, Any] = {}
    view = memoryview(data)
    at = 0
    pieces = []
    while at < len(data):
        size = _SIZE.unpack_from(data, at)[0]
        pieces.append(view[at + _SIZE.size : at + _SIZE.size + size])
        at += _SIZE.size + size
    fields.update(zip(_PLAIN, json.loads(bytes(pieces[0])), strict=True))
    for (name, code), piece in zip(_COLUMNS, pieces[1:], strict=True):
        column = array(code)
        column.frombytes(piece)
        fields[name] = column
    facts = PartFacts(**{**fields, **_records(fields)})
    if not _is_one(facts):
        raise ValueError("columns of different lengths")
    return facts


def _is_one(facts: PartFacts) -> bool:
    """Whether columns match in length and named objects exist."""
    count = len(facts.path_ids)
    columns = (facts.class_ids, facts.types, facts.offsets, facts.sizes, facts.names, facts.reference_counts)
    places = [row[0] for rows in (facts.contained, facts.streams, facts.scripts) for row in rows]
    return (
        all(len(column) == count for column in columns)
        and sum(file.objects for file in facts.files) == count
        and sum(facts.reference_counts) == len(facts.reference_files) == len(facts.reference_ids)
        and (not places or (min(places) >= 0 and max(places) < count))
    )


def _records(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are records, from JSON's lists."""
    archive, player = plain["archive"], plain["player"]
    return {
        "archive": None if archive is None else ArchiveFacts(*map(_tuple, archive)),
        "player": None if player is None else PlayerFacts(*map(_tuple, player)),
        "files": tuple(FileFacts(*map(_tuple, row)) for row in plain["files"]),
        "streams": tuple(map(Stream._make, plain["streams"])),
        "scripts": tuple(map(ScriptFacts._make, plain["scripts"])),
        "unread_scripts": tuple(map(UnreadScript._make, plain["unread_scripts"])),
        **{name: tuple(map(tuple, plain[name])) for name in ("contained", "container_pointers", "unread")},
        **{name: tuple(plain[name]) for name in ("names", "problems")},
    }


def _tuple(value: Any) -> Any:  # noqa: ANN401 - what JSON holds
    """Return lists as tuples, two levels deep: no fact is deeper."""
    if not isinstance(value, list):
        return value
    return tuple([tuple(item) if isinstance(item, list) else item for item in value])
