"""A database as lines that a diff can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.errors import DatabaseError
from assetdb.store.files import SCHEMA
from assetdb.store.schema import read_entries, read_header
from assetdb.unity.engine.classes import class_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.store.entry import Asset


def lines(data: bytes | memoryview) -> Iterator[str]:
    """Yield a database as lines, in the order of GUIDs.

    Raises:
        DatabaseError: the file is damaged, or of another version.
    """
    header = read_header(data)
    yield f"asset-db schema {SCHEMA}: {header.entry_count} assets, {len(header.scripts)} script types"
    for asset in read_entries(data):
        yield f"{asset.guid} {type_text(asset)} {_quoted(asset.name)} {_quoted(asset.path)}"
        for row in asset.sub_assets:
            yield f"    {row.file_id} {class_text(row.class_id)} {_quoted(row.name)}"


def difference(old: bytes, new: bytes) -> tuple[str, ...]:
    """Return differing lines, ``-`` of the old database, ``+`` of the new.

    A damaged file counts as empty. If only sub-assets of an asset differ, its own line precedes them, unmarked.
    """
    before = dict.fromkeys(_lines_with_owner(old))
    after = dict.fromkeys(_lines_with_owner(new))
    marked = [(owner, 0, f"- {line}") for owner, line in before if (owner, line) not in after]
    marked += [(owner, 1, f"+ {line}") for owner, line in after if (owner, line) not in before]
    touched = {owner for owner, _, text in marked if text.startswith("    ", 2)}
    marked += [
        (owner, -1, f"  {line}")
        for owner, line in before
        if owner in touched and (owner, line) in after and line[0] != " "
    ]
    return tuple(text for _, _, text in sorted(marked))


def _lines_with_owner(data: bytes) -> Iterator[tuple[str, str]]:
    owner = ""
    try:
        for line in lines(data):
            owner = owner if line.startswith(" ") else line[:32]
            yield owner, line
    except DatabaseError:
        return


def type_text(asset: Asset) -> str:
    """Return an asset's type: ``Texture2D(28)``, or ``script:GUID``."""
    return f"script:{asset.script}" if asset.script else class_text(asset.class_id)


def class_text(number: int) -> str:
    """Return a class as ``Sprite(213)``, or its number without a name."""
    name = class_name(number)
    return f"{name}({number})" if name else str(number)


def _quoted(text: str) -> str:
    """Quote a name as JSON does, to keep it on one line."""
    from json import dumps  # noqa: PLC0415 - reading a database does without

    return dumps(text, ensure_ascii=False)
